import { CloudwatchEventRule } from '@cdktf/provider-aws/lib/cloudwatch-event-rule';
import { CloudwatchEventTarget } from '@cdktf/provider-aws/lib/cloudwatch-event-target';
import { EksAccessEntry } from '@cdktf/provider-aws/lib/eks-access-entry';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { SqsQueue } from '@cdktf/provider-aws/lib/sqs-queue';
import { SqsQueuePolicy } from '@cdktf/provider-aws/lib/sqs-queue-policy';
import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { karpenterEvents } from '../../lib/knowledge';
import { kubernetesVersionOf } from '../engine-neutral/cluster';
import type { ChartValues } from '../engine-neutral/controller-roles';
import {
  KARPENTER_NODES,
  karpenterAccessEntry,
  karpenterParts,
  karpenterValues,
  karpenterVersion,
  type KarpenterOptions,
} from '../engine-neutral/karpenter-roles';
import type {
  KarpenterManifest,
  KarpenterNodeClassOptions,
  KarpenterNodePoolOptions,
} from '../engine-neutral/karpenter-node-options';
import { KarpenterNodeMaker } from '../engine-neutral/karpenter-nodes';
import { CniPermissions } from '../engine-neutral/node-group-options';
import { ClusterFacts } from './cluster';
import { documentText, jsonTokens } from './json-text';
import { arnOf } from './arn';
import { grantNodePolicies, NODE_TRUST } from './node-role';
import { PodRole, type IPolicy, type PodRoleProps } from './pod-role';
import { regionOf } from './region';

export interface KarpenterRolesProps extends PodRoleProps, KarpenterOptions {
  /**
   * Further policies of the node role, or their ARNs, such as `AmazonSSMManagedInstanceCore`.
   *
   * @default - none
   */
  readonly nodePolicies?: readonly (IPolicy | string)[];
}

/**
 * What Karpenter needs in AWS: the role of its controller, with the permissions that are published with its version, the role of the nodes that it launches, which
 * may join the cluster, and a queue of interruptions. Name `nodeRole` in the `role` of each EC2NodeClass: Karpenter makes the instance profile.
 *
 * @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/
 */
export class KarpenterRoles extends PodRole {
  /** Version of Karpenter for which the permissions are. */
  readonly version: string;
  /** The role of the nodes. */
  readonly nodeRole: IamRole;
  /** The access entry of the node role; undefined with `accessEntry: false`. */
  readonly accessEntry: EksAccessEntry | undefined;
  /** Undefined with `interruptionQueue: false`. */
  readonly queue: SqsQueue | undefined;
  /** Values for the chart `karpenter`. */
  readonly helmValues: ChartValues;

  private readonly nodes: KarpenterNodeMaker;

  /** @throws ConstructionError for a version whose permissions aren't known or that the cluster's Kubernetes version is too new for, nodes that nothing lets in, and IRSA on a cluster whose OpenID Connect provider isn't known */
  constructor(scope: Construct, id: string, props: KarpenterRolesProps) {
    const made: { version?: string; role?: IamRole; queue?: SqsQueue } = {};
    const before: TerraformResource[] = [];
    super(scope, id, props, (context) => {
      const own = context.scope as Construct;
      const facts = new ClusterFacts(props.cluster, own);
      const version = karpenterVersion(
        own,
        jsonTokens,
        props.version,
        kubernetesVersionOf(own, jsonTokens, facts.kubernetesVersion, props.kubernetesVersion),
      );
      const role = new IamRole(own, 'NodeRole', {
        ...facts.place,
        description: KARPENTER_NODES,
        assumeRolePolicy: NODE_TRUST,
      });
      grantNodePolicies(
        own,
        props.cluster,
        facts,
        role,
        { permissions: props.cniPermissions ?? CniPermissions.AUTOMATIC },
        (one) => before.push(one),
      );
      for (const [index, policy] of (props.nodePolicies ?? []).entries())
        before.push(
          new IamRolePolicyAttachment(own, `NodePolicy${index + 1}`, {
            ...facts.place,
            role: role.name,
            policyArn: arnOf(own, `nodePolicies[${index}]`, policy),
          }),
        );
      const queue = props.interruptionQueue === false ? undefined : interruptionQueue(own, facts, version);
      Object.assign(made, { version, role, queue });
      const region = regionOf(own, facts);
      return karpenterParts(
        context,
        { ...props, version },
        {
          region,
          clusterArn: facts.arn ?? `arn:${context.partition}:eks:${region}:*:cluster/${facts.clusterName}`,
          nodeRoleArn: role.arn,
          queueArn: queue?.arn,
        },
      );
    });
    this.version = made.version ?? '';
    this.nodeRole = made.role as IamRole;
    this.queue = made.queue;
    this.accessEntry = this.letIn(props.accessEntry);
    this.dependencies.push(...before, ...(this.accessEntry === undefined ? [] : [this.accessEntry]));
    this.helmValues = karpenterValues(this.chart, this.queue?.name);
    const { facts } = this;
    this.nodes = new KarpenterNodeMaker(this, jsonTokens, {
      clusterName: facts.clusterName,
      nodeRoleName: this.nodeRole.name,
      kubernetesVersion: kubernetesVersionOf(this, jsonTokens, facts.kubernetesVersion, props.kubernetesVersion),
      subnetIds: () => undefined,
      securityGroupId: facts.securityGroupId,
      isForLinux: this.accessEntry !== undefined,
    });
  }

  /**
   * An EC2NodeClass of the nodes' role, with IMDSv2 and two hops to the metadata service: an object for `manifest` of `kubernetes_manifest`.
   *
   * @throws ConstructionError for an AMI without release, and for what Karpenter would refuse
   */
  nodeClass(options: KarpenterNodeClassOptions): KarpenterManifest {
    return this.nodes.nodeClass(options);
  }

  /**
   * A NodePool with limits: an object for `manifest` of `kubernetes_manifest`.
   *
   * @throws ConstructionError for what Karpenter would refuse
   */
  nodePool(options: KarpenterNodePoolOptions): KarpenterManifest {
    return this.nodes.nodePool(options);
  }

  private letIn(asked: boolean | undefined): EksAccessEntry | undefined {
    const { facts } = this;
    if (!karpenterAccessEntry(this, facts.authenticationMode, asked, false)) return undefined;
    const made = new EksAccessEntry(this, 'AccessEntry', {
      ...facts.place,
      clusterName: facts.clusterName,
      principalArn: this.nodeRole.arn,
      type: 'EC2_LINUX',
    });
    facts.putInRegion(made);
    return made;
  }
}

/** A queue that takes events for five minutes, after which they are of no use any more. */
function interruptionQueue(scope: Construct, facts: ClusterFacts, version: string): SqsQueue {
  const queue = new SqsQueue(scope, 'Queue', {
    ...facts.place,
    messageRetentionSeconds: 300,
    sqsManagedSseEnabled: true,
  });
  const policy = new SqsQueuePolicy(scope, 'QueuePolicy', {
    ...facts.place,
    queueUrl: queue.url,
    policy: documentText({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
          Action: 'sqs:SendMessage',
          Resource: queue.arn,
        },
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 'sqs:*',
          Resource: queue.arn,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    }),
  });
  const rules = karpenterEvents(version).flatMap(({ source, type }, index) => {
    const rule = new CloudwatchEventRule(scope, `Event${index + 1}`, {
      ...facts.place,
      description: `Karpenter: ${type}`,
      eventPattern: JSON.stringify({ source: [source], 'detail-type': [type] }),
    });
    const target = new CloudwatchEventTarget(scope, `Event${index + 1}Target`, {
      ...facts.place,
      rule: rule.name,
      arn: queue.arn,
    });
    return [rule, target];
  });
  for (const resource of [queue, policy, ...rules]) facts.putInRegion(resource);
  return queue;
}
