import { Lazy, Resource, Stack, Tags } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeRule } from './acknowledgements';
import { NodeGroupPlan } from '../engine-neutral/managed-node-group';
import { bootstrapEngine } from './bootstrap-engine';
import { ClusterFacts } from './cluster';
import { cniOf, registerNodeGroup } from './cluster-members';
import { refuse } from './construction-error';
import { CniPermissions, type ManagedNodeGroupProps, type NodeGroupProps } from './managed-node-group-props';
import { nodeLaunchTemplate } from './node-launch-template';
import { architectureName, nodeImage, nodeSubnets } from './node-parts';
import { givenOrNewRole, givenRoleProblems, grantCni } from './node-role';
import { nodeSecurityGroups } from './node-security-groups';

/**
 * A managed node group with a launch template of its own, safe by default: IMDSv2 only with a hop limit that lets pods
 * through, an explicit AMI type of the right architecture, encrypted gp3 volumes, edits of the template that roll out, updates that
 * respect pod disruption budgets, and a node role without more permissions than the nodes need.
 *
 * Options that can't work together on AWS are refused at construction.
 */
export class ManagedNodeGroup extends Resource implements eks.INodegroup, ec2.IConnectable {
  readonly launchTemplate: ec2.LaunchTemplate;
  readonly role: iam.IRole;
  /** The node group itself, for properties that this construct doesn't have. */
  readonly nodegroup: eks.CfnNodegroup;
  /** Undefined with an AMI of the user's own. */
  readonly amiType: string | undefined;
  /**
   * The user data of the launch template; undefined if it has none. A token while the number of pods depends on a `VpcCniAddon` that may
   * still be defined.
   */
  readonly userData: string | undefined;

  private readonly facts: ClusterFacts;
  private readonly plan: NodeGroupPlan<NodeGroupProps>;
  private readonly subnets: readonly ec2.ISubnet[];
  private readonly ownConnections: ec2.Connections | undefined;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ManagedNodeGroupProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster);
    this.plan = new NodeGroupPlan(this, {
      engine: bootstrapEngine,
      options: props,
      cluster: this.facts,
      instanceTypes: props.instanceTypes?.map((type) => type.toString()),
      architecture: architectureName(props.architecture),
    });
    this.amiType = this.plan.ami.amiType;
    this.userData = this.renderUserData();
    this.subnets = nodeSubnets(this, this.facts, props.subnets);
    const { attached, connections } = nodeSecurityGroups(this, this.facts, this.plan, props);
    this.ownConnections = connections;
    this.launchTemplate = nodeLaunchTemplate(this, props, {
      plan: this.plan,
      userData: this.userData,
      image: nodeImage(this, this.plan.ami.os, props.customAmi),
      securityGroups: attached,
      subnets: this.subnets,
    });
    this.role = givenOrNewRole(this, props, 'Nodes of an EKS managed node group');
    this.nodegroup = this.createNodegroup();
    this.joinCluster();
    for (const [key, value] of Object.entries(props.tags ?? {})) Tags.of(this).add(key, value);
  }

  get nodegroupName(): string {
    return this.nodegroup.attrNodegroupName;
  }

  get nodegroupArn(): string {
    return this.nodegroup.attrArn;
  }

  /** For APIs of CDK that take any node group. */
  get nodegroupRef(): eks.CfnNodegroup['nodegroupRef'] {
    return this.nodegroup.nodegroupRef;
  }

  /**
   * Who the nodes may talk to: `database.connections.allowDefaultPortFrom(nodes)`. Rules name the group's `securityGroups`, and without any the cluster's security
   * group, which all nodes and the control plane share.
   *
   * @throws ConstructionError for an imported cluster that doesn't tell its security group, without `securityGroups`
   */
  get connections(): ec2.Connections {
    return (
      this.ownConnections ??
      refuse(
        this,
        "connections need a security group, and the imported cluster doesn't tell its own; give its id to fromClusterAttributes, or set securityGroups",
      )
    );
  }

  private renderUserData(): string | undefined {
    const { cluster } = this.props;
    const render = (): string | undefined => this.plan.userData(cniOf(cluster));
    // Rendered in any case, so that what is wrong is refused here.
    const now = render();
    return this.plan.mayUserDataChange(cniOf(cluster)) ? Lazy.string({ produce: render }) : now;
  }

  private createNodegroup(): eks.CfnNodegroup {
    const { props } = this;
    const { ami, sizes, updateConfig } = this.plan;
    const nodegroup = new eks.CfnNodegroup(this, 'Resource', {
      clusterName: props.cluster.clusterName,
      nodeRole: this.role.roleArn,
      subnets: this.subnets.map((subnet) => subnet.subnetId),
      ...(this.plan.templateInstanceType === undefined ? { instanceTypes: [...ami.instanceTypes] } : {}),
      launchTemplate: {
        ...(this.launchTemplate.launchTemplateId === undefined ? {} : { id: this.launchTemplate.launchTemplateId }),
        version: this.launchTemplate.latestVersionNumber,
      },
      forceUpdateEnabled: props.forceUpdate ?? false,
      scalingConfig: { ...sizes, ...(props.desiredSize === undefined ? {} : { desiredSize: props.desiredSize }) },
      updateConfig,
      ...(this.plan.repairConfig === undefined ? {} : { nodeRepairConfig: this.plan.repairConfig }),
      ...(ami.amiType === undefined ? {} : { amiType: ami.amiType }),
      ...(props.nodegroupName === undefined ? {} : { nodegroupName: props.nodegroupName }),
      ...(props.releaseVersion === undefined ? {} : { releaseVersion: props.releaseVersion }),
      ...(props.capacityType === undefined ? {} : { capacityType: props.capacityType }),
      ...(props.labels === undefined ? {} : { labels: { ...props.labels } }),
      ...(props.taints === undefined || props.taints.length === 0
        ? {}
        : { taints: props.taints.map((taint) => ({ ...taint })) }),
    });
    const { warmPool } = this.plan;
    if (warmPool !== undefined)
      nodegroup.addPropertyOverride(
        'WarmPoolConfig',
        Object.fromEntries(
          Object.entries(warmPool).map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, value]),
        ),
      );
    if (props.al2Reason !== undefined) acknowledgeRule(nodegroup, 'ami-type-kubernetes-version', props.al2Reason);
    if (props.forceUpdateReason !== undefined)
      acknowledgeRule(nodegroup, 'node-group-force-update', props.forceUpdateReason);
    return nodegroup;
  }

  /** Everything outside of the group that has to be so for nodes to join. */
  private joinCluster(): void {
    const { cluster, role, cniPermissions = CniPermissions.AUTOMATIC } = this.props;
    const { os, instanceTypes } = this.plan.ami;
    registerNodeGroup(cluster, {
      construct: this.nodegroup,
      os,
      role: this.role,
      instanceTypes,
      subnets: this.subnets,
      labels: this.props.labels ?? {},
    });
    if (role === undefined) grantCni(this, cluster, this.facts, this.role, cniPermissions);
    else if (cniPermissions === CniPermissions.NODE_ROLE)
      refuse(
        this,
        'cniPermissions is NODE_ROLE and role is set; a role that is passed in gets nothing attached: leave one of them out',
      );
    this.node.addValidation({
      validate: () => [...this.plan.cniProblems(cniOf(cluster)), ...givenRoleProblems(this, role, this.plan.image)],
    });
    this.facts.awsAuth?.addRoleMapping(this.role, {
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes', ...(os === 'WINDOWS' ? ['eks:kube-proxy-windows'] : [])],
    });
    // Across stacks the order follows from the stacks, and a dependency could close a cycle.
    const { albController } = this.facts;
    if (albController !== undefined && Stack.of(albController) === Stack.of(this))
      albController.node.addDependency(this);
  }
}
