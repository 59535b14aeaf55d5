import {
  clusterAutoscalerActions,
  externalDnsActions,
  externalDnsTagActions,
  karpenterStatements,
  loadBalancerControllerStatements,
  type ControllerStatement,
  type KarpenterPolicyName,
} from '../../knowledge';
import type { IamPolicyDocument, IamStatement } from './policy-document';

/** Where a policy is to be. Texts may be tokens. */
export interface PolicyPlace {
  /** Partition of the ARNs: `aws`, `aws-cn`, `aws-us-gov`, or a token that stands for it. */
  readonly partition: string;
  /** The partition, where it is known; isolated ones have fewer actions. */
  readonly knownPartition: string | undefined;
}

/** For which Elastic Load Balancing itself asks since October 2024, whatever the version. Source: kubernetes-sigs/aws-load-balancer-controller, issue 3917. */
const GROUPS_OF_VPC = 'ec2:GetSecurityGroupsForVpc';

/**
 * The policy that is published with a version of the AWS Load Balancer Controller, and what Elastic Load Balancing asks for since.
 * Source: kubernetes-sigs/aws-load-balancer-controller, docs/install/iam_policy*.json.
 */
export function loadBalancerControllerPolicy(
  version: string,
  { partition, knownPartition }: PolicyPlace,
): IamPolicyDocument {
  const statements = loadBalancerControllerStatements(version, knownPartition);
  const published = statements.map((statement, index) => statementOf(`Controller${index + 1}`, statement, partition));
  return documentOf(
    statements.some(({ actions }) => actions.includes(GROUPS_OF_VPC))
      ? published
      : [...published, { Sid: 'LoadBalancing', Effect: 'Allow', Action: [GROUPS_OF_VPC], Resource: ['*'] }],
  );
}

export interface ExternalDnsPolicyOptions {
  /** The hosted zones whose records it keeps. */
  readonly zoneIds: readonly string[];
  /** Whether it chooses zones by their tags, which it then asks for of all of them. */
  readonly readsTags: boolean;
}

/** What ExternalDNS calls for given hosted zones. Source: kubernetes-sigs/external-dns, docs/tutorials/aws.md. */
export function externalDnsPolicy(
  { zoneIds, readsTags }: ExternalDnsPolicyOptions,
  { partition }: PolicyPlace,
): IamPolicyDocument {
  const { onHostedZones, onStar } = externalDnsActions(undefined);
  const zone = (id: string): string => `arn:${partition}:route53:::hostedzone/${id}`;
  return documentOf([
    { Sid: 'Records', Effect: 'Allow', Action: onHostedZones, Resource: zoneIds.map(zone) },
    { Sid: 'ListZones', Effect: 'Allow', Action: onStar, Resource: ['*'] },
    ...(readsTags
      ? [{ Sid: 'ReadTags', Effect: 'Allow', Action: externalDnsTagActions(), Resource: [zone('*')] } as const]
      : []),
  ]);
}

/**
 * What the Cluster Autoscaler calls, with changes only of the Auto Scaling groups that have the tags by which it finds those of the cluster. EKS puts
 * these on the groups of managed node groups. Source: kubernetes/autoscaler, cluster-autoscaler/cloudprovider/aws/README.md.
 */
export function clusterAutoscalerPolicy(clusterName: string): IamPolicyDocument {
  const { read, change } = clusterAutoscalerActions();
  return documentOf([
    { Sid: 'Read', Effect: 'Allow', Action: read, Resource: ['*'] },
    {
      Sid: 'Scale',
      Effect: 'Allow',
      Action: change,
      Resource: ['*'],
      Condition: {
        StringEquals: {
          'aws:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'true',
          [`aws:ResourceTag/k8s.io/cluster-autoscaler/${clusterName}`]: 'owned',
        },
      },
    },
  ]);
}

/** What Karpenter's permissions name. Texts may be tokens. */
export interface KarpenterNames {
  readonly partition: string;
  readonly region: string;
  readonly clusterName: string;
  readonly clusterArn: string;
  readonly nodeRoleArn: string;
  /** Undefined without a queue. */
  readonly queueArn: string | undefined;
}

/**
 * A part of the permissions that are published with a version of Karpenter.
 * Source: aws/karpenter-provider-aws, the CloudFormation template of "Getting started with Karpenter".
 */
export function karpenterPolicy(
  version: string,
  policy: KarpenterPolicyName,
  names: KarpenterNames,
): IamPolicyDocument {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (hole, name: string) =>
      Object.hasOwn(names, name) ? (names[name as keyof KarpenterNames] ?? hole) : hole,
    );
  const statements = karpenterStatements(version, policy).filter(
    ({ resources }) => names.queueArn !== undefined || !resources.includes('${queueArn}'),
  );
  return documentOf(
    statements.map(({ actions, resources, condition = {} }, index) => {
      const filledCondition = Object.fromEntries(
        Object.entries(condition).map(([operator, keys]) => [
          operator,
          Object.fromEntries(
            Object.entries(keys).map(([key, value]) => [
              filled(key),
              typeof value === 'string' ? filled(value) : value.map(filled),
            ]),
          ),
        ]),
      );
      return {
        Sid: `Karpenter${index + 1}`,
        Effect: 'Allow',
        Action: actions,
        Resource: resources.map(filled),
        ...(Object.keys(condition).length === 0 ? {} : { Condition: filledCondition }),
      };
    }),
  );
}

/**
 * What EBS asks of whoever makes, restores and attaches volumes that are encrypted with given keys.
 * Source: Amazon EBS user guide, "Requirements for Amazon EBS encryption"; kubernetes-sigs/aws-ebs-csi-driver, docs/install.md.
 */
export function ebsKeysPolicy(keyArns: readonly string[]): IamPolicyDocument {
  return documentOf([
    {
      Sid: 'UseKeys',
      Effect: 'Allow',
      Action: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:GenerateDataKeyWithoutPlaintext',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
      ],
      Resource: keyArns,
    },
    {
      Sid: 'GrantToEbs',
      Effect: 'Allow',
      Action: ['kms:CreateGrant'],
      Resource: keyArns,
      Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    },
  ]);
}

function documentOf(statements: readonly IamStatement[]): IamPolicyDocument {
  return { Version: '2012-10-17', Statement: statements };
}

function statementOf(
  sid: string,
  { actions, resources, condition }: ControllerStatement,
  partition: string,
): IamStatement {
  return {
    Sid: sid,
    Effect: 'Allow',
    Action: actions,
    Resource: resources.map((resource) => resource.replace('${partition}', () => partition)),
    ...(condition === undefined ? {} : { Condition: condition }),
  };
}
