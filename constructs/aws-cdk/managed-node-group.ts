import { AspectPriority, Aspects, CfnResource, Lazy, Stack, Tags, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledgeManagedPolicy, acknowledgeRule, explain } from './acknowledgements';
import { resolveAmi, type OperatingSystem, type ResolvedAmi } from './ami-family';
import { ClusterFacts, kubernetesVersionOf } from './cluster';
import { cniHasOwnRoleBefore, cniOf, registerNodeGroup } from './cluster-members';
import { refuse } from './construction-error';
import { refuseLabelsAndTaints } from './labels-and-taints';
import { CniPermissions, ImdsAccess, type ManagedNodeGroupProps } from './managed-node-group-props';
import { computedMaxPods, podCapacityInput, podCapacityProblems } from './node-pods';
import { renderUserData } from './node-user-data';
import { cniPolicy } from './vpc-cni-role';

/**
 * A managed node group with a launch template of its own, safe by default: IMDSv2 only with a hop limit that lets pods
 * through, an explicit AMI type of the right architecture, encrypted gp3 volumes, edits of the template that roll out, updates that
 * respect pod disruption budgets, and a node role without more permissions than the nodes need.
 *
 * Options that can't work together on AWS are refused at construction.
 */
export class ManagedNodeGroup extends Construct {
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
  private readonly kubernetesVersion: string | undefined;
  private readonly subnets: readonly ec2.ISubnet[];

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ManagedNodeGroupProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster);
    this.kubernetesVersion = kubernetesVersionOf(this, this.facts, props.kubernetesVersion);
    const ami = resolveAmi(this, {
      amiFamily: props.amiFamily,
      amiType: props.amiType,
      architecture: props.architecture,
      instanceTypes: nonEmpty(props.instanceTypes),
      kubernetesVersion: this.kubernetesVersion,
      hasCustomAmi: props.customAmi !== undefined,
    });
    this.refuseUnsupported(ami);
    this.amiType = ami.amiType;
    this.userData = this.renderUserData(ami);
    this.launchTemplate = this.createLaunchTemplate(ami.os);
    this.role = props.role ?? this.createRole();
    this.subnets = this.selectSubnets();
    this.nodegroup = this.createNodegroup(ami);
    this.joinCluster(ami);
    for (const [key, value] of Object.entries(props.tags ?? {})) Tags.of(this).add(key, value);
  }

  get nodegroupName(): string {
    return this.nodegroup.attrNodegroupName;
  }

  get nodegroupArn(): string {
    return this.nodegroup.attrArn;
  }

  /** With an AMI of the user's own the number of pods can depend on the add-on of the cluster, which may be defined later. */
  private renderUserData(ami: ResolvedAmi): string | undefined {
    const { props, facts, kubernetesVersion } = this;
    const render = (): string | undefined => {
      const cni = cniOf(props.cluster);
      const computed = cni === undefined ? undefined : computedMaxPods(podCapacityInput(props, ami.os, ami.instanceTypes, facts.ipFamily, cni));
      return renderUserData(this, { props, facts, os: ami.os, maxPods: props.maxPods ?? computed, kubernetesVersion });
    };
    // Rendered in any case, so that what is wrong is refused here.
    const now = render();
    const mayChange = props.customAmi !== undefined && props.maxPods === undefined && cniOf(props.cluster) === undefined;
    return mayChange ? Lazy.string({ produce: render }) : now;
  }

  private createLaunchTemplate(os: OperatingSystem): ec2.LaunchTemplate {
    const hopLimit = this.props.imds === ImdsAccess.NODE_ONLY ? 1 : 2;
    const image = this.machineImage(os);
    const template = new ec2.LaunchTemplate(this, 'LaunchTemplate', {
      httpEndpoint: true,
      requireImdsv2: true,
      httpPutResponseHopLimit: hopLimit,
      instanceMetadataTags: false,
      blockDevices: this.blockDevices(os),
      ...(this.userData === undefined ? {} : { userData: ec2.UserData.custom(this.userData) }),
      ...(image === undefined ? {} : { machineImage: image }),
    });
    const resource = template.node.defaultChild;
    if (this.props.imds === ImdsAccess.NODE_ONLY) {
      acknowledgeRule(template, 'imds-hop-limit', this.props.imdsReason ?? '');
    } else if (CfnResource.isCfnResource(resource)) {
      explain(
        resource,
        'HttpPutResponseHopLimit',
        'Two hops are the least with which a pod reaches IMDSv2; with one, pods without a role of their own get no credentials. Tokens are required, so IMDSv1 is off. Use ImdsAccess.NODE_ONLY to keep pods out.',
      );
    }
    return template;
  }

  private blockDevices(os: OperatingSystem): ec2.BlockDevice[] {
    const encrypted = { encrypted: true, volumeType: ec2.EbsDeviceVolumeType.GP3, deleteOnTermination: true };
    const sized = ec2.BlockDeviceVolume.ebs(this.props.diskSize ?? (os === 'WINDOWS' ? 50 : 20), encrypted);
    switch (os) {
      case 'BOTTLEROCKET':
        // The first device is the operating system, whose size stays the AMI's; images and pods are on the second.
        return [
          { deviceName: '/dev/xvda', volume: VolumeOfImageSize.of(encrypted) },
          { deviceName: '/dev/xvdb', volume: sized },
        ];
      case 'WINDOWS':
        return [{ deviceName: '/dev/sda1', volume: sized }];
      case 'AL2':
      case 'AL2023':
        return [{ deviceName: '/dev/xvda', volume: sized }];
    }
  }

  private machineImage(os: OperatingSystem): ec2.IMachineImage | undefined {
    const { customAmi } = this.props;
    if (customAmi === undefined) return undefined;
    const osType = os === 'WINDOWS' ? ec2.OperatingSystemType.WINDOWS : ec2.OperatingSystemType.LINUX;
    const image: ec2.IMachineImage =
      typeof customAmi === 'string' ? { getImage: () => ({ imageId: customAmi, osType, userData: ec2.UserData.forOperatingSystem(osType) }) } : customAmi;
    const { imageId } = image.getImage(this);
    if (imageId.startsWith('resolve:ssm:')) {
      refuse(this, `customAmi is "${imageId}"; managed node groups can't resolve an SSM parameter at launch: use MachineImage.fromSsmParameter, which CloudFormation resolves`);
    }
    if (!Token.isUnresolved(imageId) && !/^ami-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(imageId)) refuse(this, `customAmi is "${imageId}"; an AMI id is "ami-" and 8 or 17 hexadecimal digits`);
    return image;
  }

  private createRole(): iam.Role {
    const role = new iam.Role(this, 'Role', {
      description: 'Nodes of an EKS managed node group',
      assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
    });
    attachAwsPolicy(role, 'AmazonEKSWorkerNodePolicy', 'The policy that AWS provides for EKS nodes: it lets kubelet describe its EC2 resources, and the Pod Identity agent fetch credentials.');
    attachAwsPolicy(role, 'AmazonEC2ContainerRegistryPullOnly', 'The policy that AWS provides for pulling images from Amazon ECR, without the right to list or push.');
    return role;
  }

  private createNodegroup(ami: ResolvedAmi): eks.CfnNodegroup {
    const { props } = this;
    const minSize = props.minSize ?? 2;
    const sizes = [minSize, props.desiredSize ?? minSize, 1].filter((size) => !Token.isUnresolved(size));
    const maxSize = props.maxSize ?? Math.max(...sizes);
    this.refuseSizes(minSize, maxSize);
    const nodegroup = new eks.CfnNodegroup(this, 'Resource', {
      clusterName: props.cluster.clusterName,
      nodeRole: this.role.roleArn,
      subnets: this.subnets.map((subnet) => subnet.subnetId),
      instanceTypes: [...ami.instanceTypes],
      launchTemplate: {
        ...(this.launchTemplate.launchTemplateId === undefined ? {} : { id: this.launchTemplate.launchTemplateId }),
        version: this.launchTemplate.latestVersionNumber,
      },
      forceUpdateEnabled: props.forceUpdate ?? false,
      scalingConfig: { minSize, maxSize, ...(props.desiredSize === undefined ? {} : { desiredSize: props.desiredSize }) },
      updateConfig: this.updateConfig(maxSize),
      ...(ami.amiType === undefined ? {} : { amiType: ami.amiType }),
      ...(props.nodegroupName === undefined ? {} : { nodegroupName: props.nodegroupName }),
      ...(props.releaseVersion === undefined ? {} : { releaseVersion: props.releaseVersion }),
      ...(props.capacityType === undefined ? {} : { capacityType: props.capacityType }),
      ...(props.labels === undefined ? {} : { labels: { ...props.labels } }),
      ...(props.taints === undefined || props.taints.length === 0 ? {} : { taints: props.taints.map((taint) => ({ ...taint })) }),
    });
    if (props.al2Reason !== undefined) acknowledgeRule(nodegroup, 'ami-type-kubernetes-version', props.al2Reason);
    if (props.forceUpdateReason !== undefined) acknowledgeRule(nodegroup, 'node-group-force-update', props.forceUpdateReason);
    return nodegroup;
  }

  private selectSubnets(): readonly ec2.ISubnet[] {
    const { subnets } = this.props;
    if (subnets?.subnets !== undefined) return subnets.subnets;
    const { vpc } = this.facts;
    if (vpc === undefined) {
      return refuse(this, 'the imported cluster has no vpc, so subnets can\'t be selected; give vpc to fromClusterAttributes, or list subnets in subnets.subnets');
    }
    const selected = vpc.selectSubnets(subnets).subnets;
    return selected.length > 0 ? selected : refuse(this, 'subnets selects none; a node group needs at least one');
  }

  private updateConfig(maxSize: number): eks.CfnNodegroup.UpdateConfigProperty {
    const { maxUnavailable, maxUnavailablePercentage } = this.props;
    if (maxUnavailable !== undefined && maxUnavailablePercentage !== undefined) {
      refuse(this, `maxUnavailable is ${maxUnavailable} and maxUnavailablePercentage is ${maxUnavailablePercentage}; EKS takes one of them`);
    }
    const [name, value] = maxUnavailablePercentage === undefined ? (['maxUnavailable', maxUnavailable ?? 1] as const) : (['maxUnavailablePercentage', maxUnavailablePercentage] as const);
    if (!Token.isUnresolved(value) && (!Number.isInteger(value) || value < 1 || value > 100)) refuse(this, `${name} is ${value}; a whole number from 1 to 100 is needed`);
    if (maxUnavailable !== undefined && !Token.isUnresolved(maxUnavailable) && !Token.isUnresolved(maxSize) && maxUnavailable > maxSize) {
      refuse(this, `maxUnavailable is ${maxUnavailable} and maxSize is ${maxSize}; an update can't take more nodes than there are`);
    }
    return { [name]: value };
  }

  /** Everything outside of the group that has to be so for nodes to join. */
  private joinCluster(ami: ResolvedAmi): void {
    const { cluster, role, cniPermissions = CniPermissions.AUTOMATIC } = this.props;
    registerNodeGroup(cluster, { construct: this.nodegroup, os: ami.os, role: this.role, instanceTypes: ami.instanceTypes, subnets: this.subnets, labels: this.props.labels ?? {} });
    if (role === undefined) this.grantCni(cniPermissions);
    else if (cniPermissions === CniPermissions.NODE_ROLE) refuse(this, 'cniPermissions is NODE_ROLE and role is set; a role that is passed in gets nothing attached: leave one of them out');
    this.node.addValidation({ validate: () => this.cniProblems(cniPermissions, ami) });
    this.facts.awsAuth?.addRoleMapping(this.role, {
      username: 'system:node:{{EC2PrivateDNSName}}',
      groups: ['system:bootstrappers', 'system:nodes', ...(ami.os === 'WINDOWS' ? ['eks:kube-proxy-windows'] : [])],
    });
    // Across stacks the order follows from the stacks, and a dependency could close a cycle.
    const { albController } = this.facts;
    if (albController !== undefined && Stack.of(albController) === Stack.of(this)) albController.node.addDependency(this);
  }

  /**
   * Gives the node role the CNI's permissions when that turns out to be needed. Decided after construction, because an add-on with a role of
   * its own may be defined later than the node group.
   */
  private grantCni(permissions: CniPermissions): void {
    if (permissions === CniPermissions.OWN_ROLE) return;
    const { cluster } = this.props;
    const needed = (): boolean => permissions === CniPermissions.NODE_ROLE || !cniHasOwnRoleBefore(cluster, this);
    let granted = false;
    Aspects.of(this).add(
      {
        visit: (visited) => {
          if (visited !== this || granted || !needed()) return;
          granted = true;
          const { role } = this;
          if (this.facts.ipFamily === 'ipv6') role.addManagedPolicy(cniPolicy(this, 'CniPolicy', ['ipv6']));
          else if (role instanceof iam.Role) {
            attachAwsPolicy(role, 'AmazonEKS_CNI_Policy', 'The policy that AWS provides for the VPC CNI, which has no role of its own here. A VpcCniAddon in the same stack takes it off the nodes.');
          }
        },
      },
      { priority: AspectPriority.MUTATING },
    );
  }

  /** What doesn't fit together with the add-on, which may be defined later than the group. */
  private cniProblems(permissions: CniPermissions, ami: ResolvedAmi): string[] {
    const { props } = this;
    const cni = cniOf(props.cluster);
    if (cni === undefined) return [];
    const addon = cni.construct.node.path;
    const problems: string[] = [];
    if (permissions === CniPermissions.OWN_ROLE && !cni.hasOwnRole) {
      problems.push(`cniPermissions is OWN_ROLE, but the vpc-cni add-on ${addon} takes the node role's permissions, which are none; nodes would never become Ready. Use CniPermissions.AUTOMATIC, or give the add-on its own role`);
    }
    problems.push(...podCapacityProblems(podCapacityInput(props, ami.os, ami.instanceTypes, this.facts.ipFamily, cni)));
    return problems;
  }

  private refuseUnsupported(ami: ResolvedAmi): void {
    const { props } = this;
    this.refuseUnexplained('imds', 'NODE_ONLY', props.imds === ImdsAccess.NODE_ONLY, 'imdsReason', props.imdsReason);
    if (ami.os === 'AL2' && props.customAmi !== undefined) {
      if (props.al2Reason !== undefined) refuse(this, 'al2Reason is set and customAmi too; the reason is for EKS\'s own AMIs, which get no updates: leave al2Reason out');
    } else this.refuseUnexplained('amiFamily', 'AL2', ami.os === 'AL2', 'al2Reason', props.al2Reason);
    this.refuseUnexplained('forceUpdate', 'true', props.forceUpdate === true, 'forceUpdateReason', props.forceUpdateReason);
    if (ami.os === 'WINDOWS' && this.facts.ipFamily === 'ipv6') refuse(this, 'amiFamily is Windows and the cluster\'s IP family is ipv6; EKS has no Windows nodes in IPv6 clusters');
    if (ami.instanceTypes.length > 20) refuse(this, `instanceTypes has ${ami.instanceTypes.length} types; EKS takes at most 20`);
    if (props.releaseVersion !== undefined && props.customAmi !== undefined) refuse(this, `releaseVersion is "${props.releaseVersion}" and customAmi is set; the AMI is yours, and EKS refuses a release: leave releaseVersion out`);
    const capacity: string = props.capacityType ?? 'ON_DEMAND';
    if (capacity === 'CAPACITY_BLOCK') refuse(this, 'capacityType is CAPACITY_BLOCK, which needs a reservation in the launch template; this construct makes ON_DEMAND and SPOT groups');
    if (props.diskSize !== undefined && !Token.isUnresolved(props.diskSize) && (!Number.isInteger(props.diskSize) || props.diskSize < 1)) {
      refuse(this, `diskSize is ${props.diskSize}; a whole number of GiB from 1 on is needed`);
    }
    refuseLabelsAndTaints(this, props);
  }

  /** What a rule warns of is a choice, if it comes with a reason for those who look for the cause of trouble later. */
  private refuseUnexplained(option: string, value: string, isSet: boolean, reasonOption: string, reason: string | undefined): void {
    if (isSet && (reason ?? '').trim() === '') refuse(this, `${option} is ${value} without ${reasonOption}; say why, and the reason stands in the template`);
    if (!isSet && reason !== undefined) refuse(this, `${reasonOption} is set, but ${option} isn't ${value}; leave ${reasonOption} out`);
  }

  private refuseSizes(minSize: number, maxSize: number): void {
    const { desiredSize } = this.props;
    const check = (name: string, value: number | undefined, low: number, lowName: string): void => {
      if (value === undefined || Token.isUnresolved(value) || Token.isUnresolved(low)) return;
      if (!Number.isInteger(value) || value < low) refuse(this, `${name} is ${value}; ${lowName} is ${low}, and a whole number not below it is needed`);
    };
    check('minSize', minSize, 0, 'the least');
    check('maxSize', maxSize, Math.max(1, Token.isUnresolved(minSize) ? 1 : minSize), 'the least, or minSize,');
    check('desiredSize', desiredSize, minSize, 'minSize');
    check('maxSize', maxSize, desiredSize ?? 1, 'desiredSize');
  }
}

/** A volume as large as the AMI's snapshot of it. CDK's own factories ask for a size or a snapshot. */
class VolumeOfImageSize extends ec2.BlockDeviceVolume {
  static of(device: ec2.EbsDeviceProps): ec2.BlockDeviceVolume {
    return new VolumeOfImageSize(device);
  }
}

function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function attachAwsPolicy(role: iam.Role, name: string, reason: string): void {
  role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName(name));
  acknowledgeManagedPolicy(role, name, reason);
}
