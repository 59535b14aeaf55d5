import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import type { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { Lazy, TerraformResource, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import type { CniMember } from '../engine-neutral/cni-member';
import { refuse } from '../engine-neutral/construction-error';
import { NodeGroupPlan, refuseAmiId } from '../engine-neutral/managed-node-group';
import { CniPermissions } from '../engine-neutral/node-group-options';
import type { WarmPool } from '../engine-neutral/node-updates';
import { acknowledgeRule } from './acknowledgements';
import { bootstrapEngine } from './bootstrap-engine';
import { ClusterFacts } from './cluster';
import { cniOf, registerNodeGroup, waitFor } from './cluster-members';
import type { ManagedNodeGroupProps, NodeGroupProps } from './managed-node-group-props';
import { letAutoScalingUse } from './key-grants';
import { nodeLaunchTemplate } from './node-launch-template';
import { givenOrNewRole, givenRoleProblems, grantNodePolicies, onceComplete, rolePoliciesOf } from './node-role';
import { nodeSecurityGroups } from './node-security-groups';
import { providerVersionProblems } from './provider-version';
import type { IRole } from './role';
import { subnetId } from './subnet';
import { cdktfTokens, isToken, numberText } from './tokens';
import { userDataInBase64 } from './user-data-text';

/**
 * A managed node group with a launch template of its own, safe by default: IMDSv2 only with a hop limit that lets pods
 * through, an explicit AMI type of the right architecture, encrypted gp3 volumes, edits of the template that roll out, updates that
 * respect pod disruption budgets, and a node role without more permissions than the nodes need.
 *
 * Options that can't work together on AWS are refused at construction.
 */
export class ManagedNodeGroup extends Construct {
  readonly launchTemplate: LaunchTemplate;
  readonly role: IRole;
  /** The node group itself, for arguments that this construct doesn't have. */
  readonly nodegroup: EksNodeGroup;
  /** Undefined with an AMI of the user's own. */
  readonly amiType: string | undefined;
  /**
   * The user data of the launch template as the node sees it, not in base64; undefined if it has none. A token while the number of pods depends on a
   * `VpcCniAddon` that may still be defined.
   */
  readonly userData: string | undefined;

  private readonly facts: ClusterFacts;
  private readonly plan: NodeGroupPlan<NodeGroupProps>;
  /** The beginning of generated names. */
  private readonly prefix: string;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ManagedNodeGroupProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster, this);
    this.prefix = namePrefix(id);
    const { labels, ...others } = props;
    if (isToken(labels) && props.customAmi !== undefined)
      refuse(
        this,
        'labels is a token and customAmi is set; the bootstrap has to name the labels, so write them one by one',
      );
    this.plan = new NodeGroupPlan(this, {
      engine: bootstrapEngine,
      options: isToken(labels) ? others : props,
      cluster: this.facts,
      instanceTypes: props.instanceTypes,
      architecture: props.architecture,
    });
    if (props.subnets.length === 0) refuse(this, 'subnets is empty; a node group needs at least one');
    if (props.customAmi !== undefined)
      refuseAmiId(this, cdktfTokens, props.customAmi, 'use the value of the data source aws_ssm_parameter');
    this.amiType = this.plan.ami.amiType;
    const render = this.renderer();
    // Rendered in any case, so that what is wrong is refused here.
    const now = render();
    const mayChange = this.plan.mayUserDataChange(this.cni);
    this.userData = mayChange ? Lazy.stringValue({ produce: render }) : now;
    const place = { facts: this.facts, prefix: this.prefix, tags: props.tags };
    this.launchTemplate = nodeLaunchTemplate(this, place, props, {
      plan: this.plan,
      userData: mayChange
        ? Lazy.stringValue({ produce: () => userDataInBase64(render() ?? '') })
        : now === undefined
          ? undefined
          : userDataInBase64(now),
      securityGroups: nodeSecurityGroups(this, place, this.plan, props),
    });
    this.role = givenOrNewRole(this, place, props, 'Nodes of an EKS managed node group');
    this.nodegroup = this.createNodegroup();
    for (const grant of letAutoScalingUse(this, this.facts, this.plan.volumes)) waitFor(this.nodegroup, grant);
    this.joinCluster();
  }

  get nodegroupName(): string {
    return this.nodegroup.nodeGroupName;
  }

  get nodegroupArn(): string {
    return this.nodegroup.arn;
  }

  private get cni(): CniMember | undefined {
    return cniOf(this.props.cluster);
  }

  /**
   * Renders the user data for the add-on that the cluster has by then. The same text each time, because CDKTF prepares the references to other
   * stacks in the tokens of the first.
   */
  private renderer(): () => string | undefined {
    const texts = new Map<CniMember | undefined, string | undefined>();
    return () => {
      const { cni } = this;
      if (!texts.has(cni)) texts.set(cni, this.plan.userData(cni));
      return texts.get(cni);
    };
  }

  private createNodegroup(): EksNodeGroup {
    const { props } = this;
    const { ami, sizes, updateConfig, warmPool } = this.plan;
    const { updateStrategy, ...limits } = updateConfig;
    const lifecycle = {
      // Only a generated name leaves room for two groups at once.
      ...(props.nodegroupName === undefined ? { createBeforeDestroy: true } : {}),
      ...(props.desiredSize === undefined ? { ignoreChanges: ['scaling_config[0].desired_size'] } : {}),
    };
    const nodegroup = new EksNodeGroup(this, 'Resource', {
      ...this.facts.place,
      clusterName: this.facts.clusterName,
      nodeRoleArn: this.role.arn,
      subnetIds: props.subnets.map(subnetId),
      ...(this.plan.templateInstanceType === undefined ? { instanceTypes: [...ami.instanceTypes] } : {}),
      launchTemplate: { id: this.launchTemplate.id, version: numberText(this.launchTemplate.latestVersion) },
      scalingConfig: { ...sizes, desiredSize: props.desiredSize ?? sizes.minSize },
      updateConfig: limits,
      ...(this.plan.repairConfig === undefined ? {} : { nodeRepairConfig: this.plan.repairConfig }),
      ...(props.nodegroupName === undefined
        ? { nodeGroupNamePrefix: this.prefix }
        : { nodeGroupName: props.nodegroupName }),
      ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
      ...(ami.amiType === undefined ? {} : { amiType: ami.amiType }),
      ...(props.releaseVersion === undefined ? {} : { releaseVersion: props.releaseVersion }),
      ...(props.capacityType === undefined ? {} : { capacityType: props.capacityType }),
      ...(props.forceUpdate === undefined ? {} : { forceUpdateVersion: props.forceUpdate }),
      ...(props.labels === undefined ? {} : { labels: isToken(props.labels) ? props.labels : { ...props.labels } }),
      ...(props.taints === undefined || props.taints.length === 0
        ? {}
        : { taint: props.taints.map((taint) => ({ ...taint })) }),
      ...(props.tags === undefined ? {} : { tags: { ...props.tags } }),
    });
    // Newer versions of the provider have these; the bindings need not.
    if (updateStrategy !== undefined) nodegroup.addOverride('update_config.update_strategy', updateStrategy);
    if (warmPool !== undefined) nodegroup.addOverride('warm_pool_config', warmPoolArguments(warmPool));
    this.facts.putInRegion(nodegroup);
    if (props.al2Reason !== undefined) acknowledgeRule(nodegroup, 'ami-type-kubernetes-version', props.al2Reason);
    if (props.forceUpdateReason !== undefined)
      acknowledgeRule(nodegroup, 'node-group-force-update', props.forceUpdateReason);
    return nodegroup;
  }

  /** Everything outside of the group that has to be so for nodes to join. */
  private joinCluster(): void {
    const { cluster, role, subnets, labels, managedPolicies, cniPermissions = CniPermissions.AUTOMATIC } = this.props;
    const { os, instanceTypes } = this.plan.ami;
    registerNodeGroup(cluster, {
      construct: this.nodegroup,
      os,
      role: this.role,
      instanceTypes,
      subnets,
      labels: labels ?? {},
    });
    if (role !== undefined && cniPermissions === CniPermissions.NODE_ROLE)
      refuse(
        this,
        'cniPermissions is NODE_ROLE and role is set; a role that is passed in gets nothing attached: leave one of them out',
      );
    const policies = { permissions: cniPermissions, ...(managedPolicies === undefined ? {} : { managedPolicies }) };
    if (this.role instanceof IamRole && role === undefined) {
      grantNodePolicies(this, cluster, this.facts, this.role, policies, (attachment) => {
        waitFor(this.nodegroup, attachment);
      });
    } else if (TerraformResource.isTerraformResource(role))
      onceComplete(this, () => {
        this.waitForPoliciesOf(role);
      });
    this.node.addValidation({
      validate: () => [
        ...this.plan.cniProblems(this.cni),
        ...givenRoleProblems(this, role, this.plan.image),
        ...providerVersionProblems(this, this.facts, this.props),
      ],
    });
  }

  /**
   * Makes the group depend on the policies of its role: nodes that start without these permissions don't join, and Terraform must not
   * detach the policies before the nodes are deleted.
   */
  private waitForPoliciesOf(role: TerraformResource): void {
    if (TerraformStack.of(role) !== TerraformStack.of(this)) return;
    for (const resource of rolePoliciesOf(role)) waitFor(this.nodegroup, resource);
  }
}

/** A warm pool by the names of the provider's arguments. */
function warmPoolArguments(pool: WarmPool): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(pool).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** A name's beginning of the characters that EKS, EC2 and IAM all take; the provider adds 26 more, and EKS takes 63. */
export function namePrefix(id: string): string {
  const name = id
    .replaceAll(/[^0-9A-Za-z-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 36);
  // EC2 wants at least three characters of a launch template's name.
  return `${name.length < 2 ? `nodes-${name}`.replace(/-$/, '') : name.replace(/-$/, '')}-`;
}
