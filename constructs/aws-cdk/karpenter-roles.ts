import { Duration, Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as iam from 'aws-cdk-lib/aws-iam';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { karpenterEvents } from '../../lib/knowledge';
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
import { acknowledgeForNag } from './acknowledgements';
import { ClusterFacts, kubernetesVersionOf } from './cluster';
import { attachChosen, grantCni, nodeRole } from './node-role';
import { PodRole, type PodRoleProps } from './pod-role';
import { policiesOf } from './references';
import { cdkTokens } from './tokens';

export interface KarpenterRolesProps extends PodRoleProps, KarpenterOptions {
  /**
   * Further policies of the node role, such as `AmazonSSMManagedInstanceCore`.
   *
   * @default - none
   */
  readonly nodePolicies?: readonly iam.IManagedPolicy[];
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
  readonly nodeRole: iam.Role;
  /** The access entry of the node role; undefined with `accessEntry: false`, and where CDK maps the role in `aws-auth`. */
  readonly accessEntry: eks.CfnAccessEntry | undefined;
  /** Undefined with `interruptionQueue: false`. */
  readonly queue: sqs.Queue | undefined;
  /** Values for the chart `karpenter`. */
  readonly helmValues: ChartValues;

  private isInAwsAuth = false;
  private readonly nodes: KarpenterNodeMaker;

  /** @throws ConstructionError for a version whose permissions aren't known or that the cluster's Kubernetes version is too new for, nodes that nothing lets in, and IRSA on an imported cluster without OpenID Connect provider */
  constructor(scope: Construct, id: string, props: KarpenterRolesProps) {
    const made: { version?: string; role?: iam.Role; queue?: sqs.Queue } = {};
    super(scope, id, props, (context) => {
      const own = context.scope as Construct;
      const { cluster } = props;
      const facts = new ClusterFacts(cluster);
      const version = karpenterVersion(
        own,
        cdkTokens,
        props.version,
        kubernetesVersionOf(own, facts, props.kubernetesVersion),
      );
      const role = nodeRole(own, 'NodeRole', KARPENTER_NODES);
      attachChosen(
        role,
        policiesOf(own, 'nodePolicies', props.nodePolicies ?? []),
        'Chosen for these nodes by the options of KarpenterRoles.',
      );
      grantCni(own, cluster, facts, role, props.cniPermissions ?? CniPermissions.AUTOMATIC);
      const queue = props.interruptionQueue === false ? undefined : interruptionQueue(own, version);
      Object.assign(made, { version, role, queue });
      return karpenterParts(
        context,
        { ...props, version },
        {
          region: Stack.of(own).region,
          clusterArn: cluster.clusterArn,
          nodeRoleArn: role.roleArn,
          queueArn: queue?.queueArn,
        },
      );
    });
    this.version = made.version ?? '';
    this.nodeRole = made.role as iam.Role;
    this.queue = made.queue;
    this.accessEntry = this.letIn(props);
    this.helmValues = karpenterValues(this.chart, this.queue?.queueName);
    const { facts } = this;
    this.nodes = new KarpenterNodeMaker(this, cdkTokens, {
      clusterName: facts.clusterName,
      nodeRoleName: this.nodeRole.roleName,
      kubernetesVersion: kubernetesVersionOf(this, facts, props.kubernetesVersion),
      subnetIds: () => {
        const ids = facts.vpc?.selectSubnets().subnetIds;
        return ids?.length === 0 ? undefined : ids;
      },
      securityGroupId: facts.securityGroup?.securityGroupId,
      isForLinux: this.accessEntry !== undefined || this.isInAwsAuth,
    });
  }

  /**
   * An EC2NodeClass of the nodes' role, with IMDSv2 and two hops to the metadata service: an object for `cluster.addManifest`.
   *
   * @throws ConstructionError for an AMI without release, and for what Karpenter would refuse
   */
  nodeClass(options: KarpenterNodeClassOptions): KarpenterManifest {
    return this.nodes.nodeClass(options);
  }

  /**
   * A NodePool with limits: an object for `cluster.addManifest`.
   *
   * @throws ConstructionError for what Karpenter would refuse
   */
  nodePool(options: KarpenterNodePoolOptions): KarpenterManifest {
    return this.nodes.nodePool(options);
  }

  private letIn({ cluster, accessEntry }: KarpenterRolesProps): eks.CfnAccessEntry | undefined {
    const { awsAuth, authenticationMode } = this.facts;
    const isMapped = awsAuth !== undefined && accessEntry !== false;
    const needed = karpenterAccessEntry(this, authenticationMode, accessEntry, isMapped);
    if (isMapped && authenticationMode === 'CONFIG_MAP') {
      this.isInAwsAuth = true;
      awsAuth.addRoleMapping(this.nodeRole, {
        username: 'system:node:{{EC2PrivateDNSName}}',
        groups: ['system:bootstrappers', 'system:nodes'],
      });
    }
    return needed
      ? new eks.CfnAccessEntry(this, 'AccessEntry', {
          clusterName: cluster.clusterName,
          principalArn: this.nodeRole.roleArn,
          type: 'EC2_LINUX',
        })
      : undefined;
  }
}

function interruptionQueue(scope: Construct, version: string): sqs.Queue {
  const queue = new sqs.Queue(scope, 'Queue', {
    retentionPeriod: Duration.minutes(5),
    encryption: sqs.QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
  });
  acknowledgeForNag(queue, {
    id: 'AwsSolutions-SQS3',
    reason: 'An event of five minutes ago is of no use any more, so none is kept that Karpenter could not read.',
  });
  karpenterEvents(version).forEach(({ source, type }, index) => {
    new events.Rule(scope, `Event${index + 1}`, {
      description: `Karpenter: ${type}`,
      eventPattern: { source: [source], detailType: [type] },
      targets: [new targets.SqsQueue(queue)],
    });
  });
  return queue;
}
