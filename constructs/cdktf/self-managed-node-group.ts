import { AutoscalingGroup } from '@cdktf/provider-aws/lib/autoscaling-group';
import { DataAwsSsmParameter } from '@cdktf/provider-aws/lib/data-aws-ssm-parameter';
import { EksAccessEntry } from '@cdktf/provider-aws/lib/eks-access-entry';
import { IamInstanceProfile } from '@cdktf/provider-aws/lib/iam-instance-profile';
import type { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import type { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { Lazy, TerraformResource, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { kubernetesVersionOf } from '../engine-neutral/cluster';
import type { CniMember } from '../engine-neutral/cni-member';
import { refuse } from '../engine-neutral/construction-error';
import { karpenterAccessEntry } from '../engine-neutral/karpenter-roles';
import { NodeGroupPlan, refuseAmiId } from '../engine-neutral/managed-node-group';
import { CniPermissions } from '../engine-neutral/node-group-options';
import {
  eksImage,
  minHealthyPercentage,
  type ManagedOnly,
  wholeBecause,
  type SelfManagedOptions,
} from '../engine-neutral/self-managed-node-group';
import { bootstrapEngine } from './bootstrap-engine';
import { ClusterFacts } from './cluster';
import { cniOf, registerNodeGroup, waitFor } from './cluster-members';
import { letAutoScalingUse } from './key-grants';
import { namePrefix } from './managed-node-group';
import type { NodeGroupProps } from './managed-node-group-props';
import { nodeLaunchTemplate } from './node-launch-template';
import { givenOrNewRole, givenRoleProblems, grantNodePolicies, onceComplete, rolePoliciesOf } from './node-role';
import { nodeSecurityGroups } from './node-security-groups';
import type { IRole } from './role';
import { subnetId } from './subnet';
import { cdktfTokens, isToken, numberText } from './tokens';
import { userDataInBase64 } from './user-data-text';

/** The options of `ManagedNodeGroup` that don't need EKS's management. */
export interface SelfManagedNodeGroupProps extends Omit<NodeGroupProps, ManagedOnly | 'role'>, SelfManagedOptions {
  /**
   * On-demand instances, spot instances, or a capacity block for ML, which `capacityReservation` names.
   *
   * @default - ON_DEMAND
   */
  readonly capacityType?: 'ON_DEMAND' | 'SPOT' | 'CAPACITY_BLOCK';

  /**
   * Role of the nodes: the resource or data source `aws_iam_role`. Used as it is: nothing is attached to it.
   *
   * @default - a new role with AmazonEKSWorkerNodePolicy, AmazonEC2ContainerRegistryPullOnly and, depending on `cniPermissions`, the VPC CNI's permissions
   * @see https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
   */
  readonly role?: IRole & { readonly name: string };
}

/**
 * Linux nodes that EKS doesn't manage: an Auto Scaling group of the app's own with the launch template of a `ManagedNodeGroup`, the whole bootstrap, and the access
 * entry of the node role. For what managed node groups can't do, such as lifecycle hooks, scaling policies and suspended processes of the group.
 *
 * Nobody drains the nodes before they are replaced or scaled in, unless something such as AWS's node termination handler does.
 */
export class SelfManagedNodeGroup extends Construct {
  readonly launchTemplate: LaunchTemplate;
  readonly role: IRole;
  /** The Auto Scaling group itself, for arguments that this construct doesn't have. */
  readonly autoScalingGroup: AutoscalingGroup;
  /** Undefined where something else lets the nodes in. */
  readonly accessEntry: EksAccessEntry | undefined;

  private readonly facts: ClusterFacts;
  private readonly plan: NodeGroupPlan<NodeGroupProps>;
  /** The beginning of generated names. */
  private readonly prefix: string;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: SelfManagedNodeGroupProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster, this);
    this.prefix = namePrefix(id);
    if (isToken(props.labels))
      refuse(this, 'labels is a token; the bootstrap has to name the labels, so write them one by one');
    const options = this.withImage();
    this.plan = new NodeGroupPlan(this, {
      engine: bootstrapEngine,
      options,
      cluster: this.facts,
      instanceTypes: props.instanceTypes,
      architecture: props.architecture,
      wholeBecause: wholeBecause(props),
    });
    if (this.plan.ami.os === 'WINDOWS')
      refuse(this, 'amiFamily is Windows; use WindowsNodeGroup, which brings what Windows nodes need');
    if (props.subnets.length === 0) refuse(this, 'subnets is empty; a node group needs at least one');
    const place = { facts: this.facts, prefix: this.prefix, tags: props.tags };
    this.role = givenOrNewRole(this, place, props, 'Nodes of EKS in an Auto Scaling group');
    const profile = new IamInstanceProfile(this, 'Profile', {
      ...this.facts.place,
      namePrefix: this.prefix,
      role: props.role?.name ?? (this.role as IamRole).name,
      lifecycle: { createBeforeDestroy: true },
    });
    const render = this.renderer();
    // Rendered in any case, so that what is wrong is refused here.
    const now = render();
    this.launchTemplate = nodeLaunchTemplate(this, place, options, {
      plan: this.plan,
      userData: this.plan.mayUserDataChange(this.cni)
        ? Lazy.stringValue({ produce: () => userDataInBase64(render()) })
        : userDataInBase64(now),
      securityGroups: nodeSecurityGroups(this, place, this.plan, props, true),
      instanceProfile: profile.name,
      instanceType: this.isMixed ? undefined : this.plan.ami.instanceTypes[0],
    });
    this.accessEntry = this.letIn();
    this.autoScalingGroup = this.createGroup();
    for (const grant of letAutoScalingUse(this, this.facts, this.plan.volumes)) waitFor(this.autoScalingGroup, grant);
    this.joinCluster();
  }

  private get cni(): CniMember | undefined {
    return cniOf(this.props.cluster);
  }

  /** Whether the Auto Scaling group chooses among types, or between markets. */
  private get isMixed(): boolean {
    return this.plan.ami.instanceTypes.length > 1 || this.props.capacityType === 'SPOT';
  }

  /** The same text each time, because CDKTF prepares the references to other stacks in the tokens of the first. */
  private renderer(): () => string {
    const texts = new Map<CniMember | undefined, string>();
    return () => {
      const { cni } = this;
      const text = texts.get(cni) ?? this.plan.userData(cni) ?? '';
      texts.set(cni, text);
      return text;
    };
  }

  /** The options with EKS's own image, if the user has none: nodes that EKS doesn't manage always bring their bootstrap. */
  private withImage(): NodeGroupProps {
    const { props, facts } = this;
    if (props.customAmi !== undefined) {
      refuseAmiId(this, cdktfTokens, props.customAmi, 'use the value of the data source aws_ssm_parameter');
      return props;
    }
    const { amiType, ...others } = props;
    const { parameter, amiFamily } = eksImage(
      this,
      cdktfTokens,
      {
        amiFamily: props.amiFamily,
        amiType,
        architecture: props.architecture,
        instanceTypes: props.instanceTypes,
        kubernetesVersion: kubernetesVersionOf(this, cdktfTokens, facts.kubernetesVersion, props.kubernetesVersion),
        hasCustomAmi: false,
      },
      props,
    );
    const image = new DataAwsSsmParameter(this, 'Image', { ...facts.place, name: parameter });
    const { region } = facts;
    if (region !== undefined) image.addOverride('region', region);
    return { ...others, amiFamily, customAmi: image.insecureValue };
  }

  private letIn(): EksAccessEntry | undefined {
    const { facts } = this;
    if (!karpenterAccessEntry(this, facts.authenticationMode, this.props.accessEntry, false)) return undefined;
    const made = new EksAccessEntry(this, 'AccessEntry', {
      ...facts.place,
      clusterName: facts.clusterName,
      principalArn: this.role.arn,
      type: 'EC2_LINUX',
    });
    facts.putInRegion(made);
    return made;
  }

  private createGroup(): AutoscalingGroup {
    const { props, launchTemplate, facts } = this;
    const { sizes, ami } = this.plan;
    const version = numberText(launchTemplate.latestVersion);
    const isSpot = props.capacityType === 'SPOT';
    const tags = { [`kubernetes.io/cluster/${facts.clusterName}`]: 'owned', ...props.tags };
    const group = new AutoscalingGroup(this, 'Resource', {
      ...facts.place,
      namePrefix: this.prefix,
      minSize: sizes.minSize,
      maxSize: sizes.maxSize,
      vpcZoneIdentifier: props.subnets.map(subnetId),
      lifecycle: {
        createBeforeDestroy: true,
        ...(props.desiredSize === undefined ? { ignoreChanges: ['desired_capacity'] } : {}),
      },
      instanceRefresh: {
        strategy: 'Rolling',
        preferences: { minHealthyPercentage: minHealthyPercentage(cdktfTokens, sizes.maxSize) },
      },
      ...(props.desiredSize === undefined ? {} : { desiredCapacity: props.desiredSize }),
      ...(isSpot ? { capacityRebalance: true } : {}),
      ...(this.isMixed
        ? {
            mixedInstancesPolicy: {
              launchTemplate: {
                launchTemplateSpecification: { launchTemplateId: launchTemplate.id, version },
                override: ami.instanceTypes.map((instanceType) => ({ instanceType })),
              },
              instancesDistribution: isSpot
                ? { onDemandPercentageAboveBaseCapacity: 0, spotAllocationStrategy: 'price-capacity-optimized' }
                : { onDemandPercentageAboveBaseCapacity: 100 },
            },
          }
        : { launchTemplate: { id: launchTemplate.id, version } }),
      // By the first of these tags the cluster's controllers know their nodes.
      tag: Object.entries(tags).map(([key, value]) => ({ key, value, propagateAtLaunch: true })),
    });
    facts.putInRegion(group);
    return group;
  }

  /** Everything outside of the group that has to be so for nodes to join. */
  private joinCluster(): void {
    const { cluster, role, subnets, labels, managedPolicies, cniPermissions = CniPermissions.AUTOMATIC } = this.props;
    const { os, instanceTypes } = this.plan.ami;
    const group = this.autoScalingGroup;
    if (this.accessEntry !== undefined) waitFor(group, this.accessEntry);
    registerNodeGroup(cluster, { construct: group, os, role: this.role, instanceTypes, subnets, labels: labels ?? {} });
    if (role === undefined) {
      const policies = { permissions: cniPermissions, ...(managedPolicies === undefined ? {} : { managedPolicies }) };
      grantNodePolicies(this, cluster, this.facts, this.role as IamRole, policies, (attachment) => {
        waitFor(group, attachment);
      });
    } else if (cniPermissions === CniPermissions.NODE_ROLE) {
      refuse(
        this,
        'cniPermissions is NODE_ROLE and role is set; a role that is passed in gets nothing attached: leave one of them out',
      );
    } else if (TerraformResource.isTerraformResource(role)) {
      onceComplete(this, () => {
        if (TerraformStack.of(role) !== TerraformStack.of(this)) return;
        for (const resource of rolePoliciesOf(role)) waitFor(group, resource);
      });
    }
    this.node.addValidation({
      validate: () => [
        ...this.plan.cniProblems(this.cni),
        ...givenRoleProblems(this, role, { os, hasCustomAmi: this.props.customAmi !== undefined }),
      ],
    });
  }
}
