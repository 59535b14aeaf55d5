import { Lazy, Resource, Tags } from 'aws-cdk-lib';
import * as autoscaling from 'aws-cdk-lib/aws-autoscaling';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { karpenterAccessEntry } from '../engine-neutral/karpenter-roles';
import { NodeGroupPlan } from '../engine-neutral/managed-node-group';
import {
  eksImage,
  nodesInService,
  type ManagedOnly,
  wholeBecause,
  type SelfManagedOptions,
} from '../engine-neutral/self-managed-node-group';
import { acknowledgeForNag } from './acknowledgements';
import { bootstrapEngine } from './bootstrap-engine';
import { ClusterFacts, kubernetesVersionOf } from './cluster';
import { cniOf, registerNodeGroup } from './cluster-members';
import { refuse } from './construction-error';
import { CniPermissions, type NodeGroupProps } from './managed-node-group-props';
import { nodeLaunchTemplate } from './node-launch-template';
import { architectureName, nodeImage, nodeSubnets } from './node-parts';
import { givenOrNewRole, givenRoleProblems, grantCni } from './node-role';
import { nodeSecurityGroups } from './node-security-groups';
import { cdkTokens } from './tokens';

/** The options of `ManagedNodeGroup` that don't need EKS's management. */
export interface SelfManagedNodeGroupProps extends Omit<NodeGroupProps, ManagedOnly>, SelfManagedOptions {
  /**
   * On-demand instances, spot instances, or a capacity block for ML, which `capacityReservation` names.
   *
   * @default - ON_DEMAND
   */
  readonly capacityType?: 'ON_DEMAND' | 'SPOT' | 'CAPACITY_BLOCK';
}

/**
 * Linux nodes that EKS doesn't manage: an Auto Scaling group of the app's own with the launch template of a `ManagedNodeGroup`, the whole bootstrap, and the access
 * entry of the node role. For what managed node groups can't do, such as lifecycle hooks, scaling policies and suspended processes of the group.
 *
 * Nobody drains the nodes before they are replaced or scaled in, unless something such as AWS's node termination handler does.
 */
export class SelfManagedNodeGroup extends Resource implements ec2.IConnectable {
  readonly launchTemplate: ec2.LaunchTemplate;
  readonly role: iam.IRole;
  /** The Auto Scaling group itself, for properties that this construct doesn't have. */
  readonly autoScalingGroup: autoscaling.CfnAutoScalingGroup;
  /** Undefined where something else lets the nodes in. */
  readonly accessEntry: eks.CfnAccessEntry | undefined;

  private readonly facts: ClusterFacts;
  private readonly plan: NodeGroupPlan<NodeGroupProps>;
  private readonly subnets: readonly ec2.ISubnet[];
  private readonly ownConnections: ec2.Connections | undefined;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: SelfManagedNodeGroupProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster);
    const options = this.withImage();
    this.plan = new NodeGroupPlan(this, {
      engine: bootstrapEngine,
      options,
      cluster: this.facts,
      instanceTypes: this.instanceTypes,
      architecture: architectureName(props.architecture),
      wholeBecause: wholeBecause(props),
    });
    const { os, instanceTypes } = this.plan.ami;
    if (os === 'WINDOWS')
      refuse(this, 'amiFamily is Windows; use WindowsNodeGroup, which brings what Windows nodes need');
    this.subnets = nodeSubnets(this, this.facts, props.subnets);
    const { attached, connections } = nodeSecurityGroups(this, this.facts, this.plan, props, true);
    this.ownConnections = connections;
    this.role = givenOrNewRole(this, props, 'Nodes of EKS in an Auto Scaling group');
    const render = (): string => this.plan.userData(cniOf(props.cluster)) ?? '';
    // Rendered in any case, so that what is wrong is refused here.
    const now = render();
    this.launchTemplate = nodeLaunchTemplate(this, options, {
      plan: this.plan,
      userData: this.plan.mayUserDataChange(cniOf(props.cluster)) ? Lazy.string({ produce: render }) : now,
      image: nodeImage(this, os, options.customAmi),
      securityGroups: attached,
      subnets: this.subnets,
      role: this.role,
      instanceType: this.isMixed ? undefined : instanceTypes[0],
    });
    this.accessEntry = this.letIn();
    this.autoScalingGroup = this.createGroup();
    this.joinCluster();
    for (const [key, value] of Object.entries(props.tags ?? {})) Tags.of(this).add(key, value);
  }

  /** As for a `ManagedNodeGroup`. */
  get connections(): ec2.Connections {
    return this.ownConnections ?? refuse(this, 'connections need a security group; set securityGroups');
  }

  private get instanceTypes(): readonly string[] | undefined {
    return this.props.instanceTypes?.map((type) => type.toString());
  }

  /** Whether the Auto Scaling group chooses among types, or between markets. */
  private get isMixed(): boolean {
    return this.plan.ami.instanceTypes.length > 1 || this.props.capacityType === 'SPOT';
  }

  /** The options with EKS's own image, if the user has none: nodes that EKS doesn't manage always bring their bootstrap. */
  private withImage(): NodeGroupProps {
    const { props, facts } = this;
    if (props.customAmi !== undefined) return props;
    const { amiType, ...others } = props;
    const { parameter, amiFamily } = eksImage(
      this,
      cdkTokens,
      {
        amiFamily: props.amiFamily,
        amiType,
        architecture: architectureName(props.architecture),
        instanceTypes: this.instanceTypes,
        kubernetesVersion: kubernetesVersionOf(this, facts, props.kubernetesVersion),
        hasCustomAmi: false,
      },
      props,
    );
    return { ...others, amiFamily, customAmi: ec2.MachineImage.fromSsmParameter(parameter) };
  }

  private letIn(): eks.CfnAccessEntry | undefined {
    const { cluster, accessEntry } = this.props;
    const { awsAuth, authenticationMode } = this.facts;
    const isMapped = awsAuth !== undefined && accessEntry !== false;
    const isNeeded = karpenterAccessEntry(this, authenticationMode, accessEntry, isMapped);
    if (isMapped && authenticationMode === 'CONFIG_MAP')
      awsAuth.addRoleMapping(this.role, {
        username: 'system:node:{{EC2PrivateDNSName}}',
        groups: ['system:bootstrappers', 'system:nodes'],
      });
    if (!isNeeded) return undefined;
    return new eks.CfnAccessEntry(this, 'AccessEntry', {
      clusterName: cluster.clusterName,
      principalArn: this.role.roleArn,
      type: 'EC2_LINUX',
    });
  }

  private createGroup(): autoscaling.CfnAutoScalingGroup {
    const { props, launchTemplate } = this;
    const { sizes, ami } = this.plan;
    const template = {
      launchTemplateId: launchTemplate.launchTemplateId ?? '',
      version: launchTemplate.latestVersionNumber,
    };
    const isSpot = props.capacityType === 'SPOT';
    const group = new autoscaling.CfnAutoScalingGroup(this, 'Resource', {
      minSize: cdkTokens.numberText(sizes.minSize),
      maxSize: cdkTokens.numberText(sizes.maxSize),
      vpcZoneIdentifier: this.subnets.map((subnet) => subnet.subnetId),
      ...(props.desiredSize === undefined ? {} : { desiredCapacity: cdkTokens.numberText(props.desiredSize) }),
      ...(isSpot ? { capacityRebalance: true } : {}),
      ...(this.isMixed
        ? {
            mixedInstancesPolicy: {
              launchTemplate: {
                launchTemplateSpecification: template,
                overrides: ami.instanceTypes.map((instanceType) => ({ instanceType })),
              },
              instancesDistribution: isSpot
                ? { onDemandPercentageAboveBaseCapacity: 0, spotAllocationStrategy: 'price-capacity-optimized' }
                : { onDemandPercentageAboveBaseCapacity: 100 },
            },
          }
        : { launchTemplate: template }),
      // By this tag the cluster's controllers know their nodes.
      tags: [{ key: `kubernetes.io/cluster/${props.cluster.clusterName}`, value: 'owned', propagateAtLaunch: true }],
    });
    group.cfnOptions.updatePolicy = {
      autoScalingRollingUpdate: {
        maxBatchSize: 1,
        minInstancesInService: nodesInService(cdkTokens, sizes.minSize, sizes.maxSize),
        pauseTime: 'PT5M',
      },
    };
    acknowledgeForNag(group, {
      id: 'AwsSolutions-AS3',
      reason:
        'The cluster and its autoscaler follow the nodes; notifications of each launch are for groups that nobody watches.',
    });
    if (this.isMixed)
      acknowledgeForNag(group, {
        id: 'AwsSolutions-EC26',
        reason:
          'The rule fails on groups whose launch template stands in a mixed instances policy. All volumes of this one are encrypted, whatever the options say.',
      });
    return group;
  }

  /** Everything outside of the group that has to be so for nodes to join. */
  private joinCluster(): void {
    const { cluster, role, labels, cniPermissions = CniPermissions.AUTOMATIC } = this.props;
    const { os, instanceTypes } = this.plan.ami;
    if (this.accessEntry !== undefined) this.autoScalingGroup.node.addDependency(this.accessEntry);
    registerNodeGroup(cluster, {
      construct: this.autoScalingGroup,
      os,
      role: this.role,
      instanceTypes,
      subnets: this.subnets,
      labels: labels ?? {},
    });
    if (role === undefined) grantCni(this, cluster, this.facts, this.role, cniPermissions);
    else if (cniPermissions === CniPermissions.NODE_ROLE)
      refuse(
        this,
        'cniPermissions is NODE_ROLE and role is set; a role that is passed in gets nothing attached: leave one of them out',
      );
    this.node.addValidation({
      validate: () => [
        ...this.plan.cniProblems(cniOf(cluster)),
        ...givenRoleProblems(this, role, { os, hasCustomAmi: this.props.customAmi !== undefined }),
      ],
    });
  }
}
