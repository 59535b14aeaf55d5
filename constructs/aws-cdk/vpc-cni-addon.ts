import { CfnResource, Stack, Token } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { addonTableAsOf, addonVersion, compareVersions, newestAddonVersion, parseVersion } from '../../lib/knowledge';
import { CniSettings, type MaxPodsMode } from '../../lib/networking';
import { dataAt, isDataMap } from '../../lib/value';
import { acknowledgeRule, acknowledgeRuleUntil } from './acknowledgements';
import { ClusterFacts, kubernetesVersionOf } from './cluster';
import { nodeGroupsOf, registerCni } from './cluster-members';
import { refuse } from './construction-error';
import { grantResourceController } from './resource-controller';
import { PodIdentityAgent, ResolveConflicts, type VpcCniAddonProps } from './vpc-cni-addon-props';
import { asData, configurationValues } from './vpc-cni-configuration';
import { nodeProblems, type CniDemands } from './vpc-cni-nodes';
import { CNI_SERVICE_ACCOUNT, PodIdentityKind, VpcCniRole } from './vpc-cni-role';

const ADDON = 'vpc-cni';
const AGENT = 'eks-pod-identity-agent';
/** Where CDK's clusters put the agent add-on when it is first asked for. */
const CDK_AGENT_ID = 'EksPodIdentityAgentAddon';

/** Add-on versions before it can't take credentials from the Pod Identity agent. Source: EKS best practices guide, IAM. */
const POD_IDENTITY_SINCE = 'v1.15.5';

/**
 * The managed add-on of the Amazon VPC CNI, safe by default: updates keep what was changed in the cluster, the version is pinned, every setting stands in the
 * configuration values and fits that version's schema, deleting the stack leaves the CNI in the cluster, and the CNI has a role of its own.
 *
 * On a cluster that installs the CNI by itself (`bootstrapSelfManagedAddons`, the default) the add-on takes it over. If that ends in
 * `ConfigurationConflict`, because somebody has changed it, deploy with `takeOver`.
 */
export class VpcCniAddon extends Construct {
  readonly addon: eks.CfnAddon;
  /** The CNI's role; undefined with `useNodeRole`. */
  readonly role: iam.IRole | undefined;
  /** The role as a construct, when this add-on made it. */
  readonly cniRole: VpcCniRole | undefined;
  readonly version: string;
  readonly identity: PodIdentityKind | undefined;
  /** What the add-on is configured with, before it is written as JSON. */
  readonly configuration: Readonly<Record<string, unknown>>;

  private readonly facts: ClusterFacts;
  private readonly kubernetesVersion: string | undefined;
  private readonly settings: CniSettings;

  /** @throws ConstructionError for options that can't work on AWS, and for keys that the version's schema doesn't have */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: VpcCniAddonProps,
  ) {
    super(scope, id);
    this.facts = new ClusterFacts(props.cluster);
    this.kubernetesVersion = kubernetesVersionOf(this, this.facts, props.kubernetesVersion);
    this.refuseUnexplained();
    this.version = this.addonVersion();
    this.identity = this.chooseIdentity();
    this.configuration = configurationValues(this, props, { ipFamily: this.facts.ipFamily, version: this.version, kubernetesVersion: this.kubernetesVersion });
    this.settings = new CniSettings(asData(this.configuration), Token.isUnresolved(this.version) ? undefined : this.version);
    this.cniRole = this.identity === undefined || props.role !== undefined ? undefined : new VpcCniRole(this, 'Role', { cluster: props.cluster, identity: this.identity });
    this.role = props.role ?? this.cniRole?.role;
    this.addon = this.createAddon();
    const agent = this.identity === PodIdentityKind.POD_IDENTITY ? this.podIdentityAgent() : undefined;
    if (agent !== undefined) this.addon.node.addDependency(agent);
    const podSecurityGroups = this.mayBeOn('env.ENABLE_POD_ENI');
    const windowsIpam = this.mayBeOn('enableWindowsIpam');
    if (podSecurityGroups || windowsIpam) grantResourceController(this.facts);
    const earlier = registerCni(props.cluster, {
      construct: this,
      hasOwnRole: this.role !== undefined,
      maxPodsMode: this.maxPodsMode(),
      podSecurityGroups,
      windowsIpam,
      windowsPrefixDelegation: this.mayBeOn('enableWindowsPrefixDelegation'),
    });
    this.node.addValidation({ validate: () => nodeProblems(this.demands(), this.facts, nodeGroupsOf(props.cluster)) });
    if (earlier !== undefined) refuse(this, `the cluster already has the vpc-cni add-on ${earlier.construct.node.path}; a cluster has one`);
  }

  private createAddon(): eks.CfnAddon {
    const { props, role } = this;
    const isEmpty = Object.keys(this.configuration).length === 0;
    const addon = new eks.CfnAddon(this, 'Resource', {
      addonName: ADDON,
      addonVersion: this.version,
      clusterName: props.cluster.clusterName,
      resolveConflicts: props.takeOver === undefined ? (props.resolveConflicts ?? ResolveConflicts.PRESERVE) : ResolveConflicts.OVERWRITE,
      preserveOnDelete: props.preserveOnDelete ?? true,
      ...(isEmpty ? {} : { configurationValues: Stack.of(this).toJsonString(this.configuration) }),
      ...(role === undefined
        ? {}
        : this.identity === PodIdentityKind.IRSA
          ? { serviceAccountRoleArn: role.roleArn }
          : { podIdentityAssociations: [{ serviceAccount: CNI_SERVICE_ACCOUNT, roleArn: role.roleArn }] }),
    });
    if (props.resolveConflictsReason !== undefined) acknowledgeRule(addon, 'vpc-cni-resolve-conflicts', props.resolveConflictsReason);
    if (props.takeOver !== undefined) acknowledgeRuleUntil(addon, 'vpc-cni-resolve-conflicts', TAKE_OVER_REASON, props.takeOver.until);
    return addon;
  }

  private addonVersion(): string {
    const { version } = this.props;
    const kubernetes = this.kubernetesVersion;
    if (version === undefined) {
      if (kubernetes === undefined) return refuse(this, 'version is not set and the cluster\'s Kubernetes version isn\'t known; set version, or kubernetesVersion for the newest one that fits');
      const newest = newestAddonVersion(ADDON, kubernetes);
      return newest ?? refuse(this, `version is not set, and the add-on table of ${addonTableAsOf()} has no vpc-cni version for Kubernetes ${kubernetes}; set version`);
    }
    if (Token.isUnresolved(version)) return version;
    if (parseVersion(version)?.build === undefined) refuse(this, `version is "${version}"; a version of the add-on looks like v1.21.1-eksbuild.5`);
    const known = addonVersion(ADDON, version);
    if (known !== undefined && kubernetes !== undefined && !known.clusterMinors.includes(kubernetes)) {
      const fitting = newestAddonVersion(ADDON, kubernetes);
      refuse(this, `version is "${version}", which EKS offers for Kubernetes ${known.clusterMinors.join(', ')}, and the cluster has ${kubernetes}${fitting === undefined ? '' : `; ${fitting} fits`}`);
    }
    return version;
  }

  /** How the CNI gets credentials; undefined when it is to use the node role. */
  private chooseIdentity(): PodIdentityKind | undefined {
    const { useNodeRole, role, identity } = this.props;
    if (useNodeRole === true) {
      if (role !== undefined || identity !== undefined) refuse(this, `useNodeRole is true and ${role === undefined ? 'identity' : 'role'} is set; the CNI has either a role of its own or the nodes'`);
      return undefined;
    }
    const isOld = !Token.isUnresolved(this.version) && compareVersions(this.version, POD_IDENTITY_SINCE) < 0;
    if (identity === PodIdentityKind.POD_IDENTITY && isOld) refuse(this, `identity is POD_IDENTITY and version is "${this.version}"; the CNI supports it from ${POD_IDENTITY_SINCE} on: use IRSA or a newer version`);
    if (identity !== undefined) return identity;
    return isOld ? PodIdentityKind.IRSA : PodIdentityKind.POD_IDENTITY;
  }

  /** The agent add-on, to be deployed first; undefined when somebody else looks after it. */
  private podIdentityAgent(): IConstruct | undefined {
    const { cluster, podIdentityAgent } = this.props;
    if (podIdentityAgent === PodIdentityAgent.MANAGED_ELSEWHERE) return undefined;
    const isNew = cluster.node.tryFindChild(CDK_AGENT_ID) === undefined;
    const agent = cluster.eksPodIdentityAgent;
    const version = this.kubernetesVersion === undefined ? undefined : newestAddonVersion(AGENT, this.kubernetesVersion);
    if (agent !== undefined) {
      if (isNew && version !== undefined) pinVersion(agent, version);
      return agent;
    }
    if (podIdentityAgent === undefined) {
      return refuse(
        this,
        'identity is POD_IDENTITY on an imported cluster, and podIdentityAgent isn\'t set; without the agent the CNI gets no credentials: say PodIdentityAgent.MANAGED_ELSEWHERE if the cluster has the eks-pod-identity-agent add-on, INSTALL if not, or use PodIdentityKind.IRSA',
      );
    }
    return new eks.CfnAddon(this, 'PodIdentityAgent', {
      addonName: AGENT,
      clusterName: cluster.clusterName,
      resolveConflicts: ResolveConflicts.PRESERVE,
      preserveOnDelete: true,
      ...(version === undefined ? {} : { addonVersion: version }),
    });
  }

  /** By what is configured, whichever option says it. */
  private maxPodsMode(): MaxPodsMode {
    const maxEnis = this.settings.number('env.MAX_ENI');
    return {
      prefixDelegation: this.isOn('env.ENABLE_PREFIX_DELEGATION'),
      customNetworking: this.isOn('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG'),
      podSecurityGroups: this.isOn('env.ENABLE_POD_ENI'),
      ...(maxEnis.kind === 'number' && maxEnis.value > 0 ? { maxEnis: maxEnis.value } : {}),
    };
  }

  private demands(): CniDemands {
    const { customNetworking } = this.props;
    const subnets = dataAt(asData(this.configuration), 'eniConfig', 'subnets');
    const hasPodSubnets = this.mayBeOn('env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG');
    return {
      construct: this,
      podSecurityGroups: this.isOn('env.ENABLE_POD_ENI'),
      prefixesInNodeSubnets: this.isOn('env.ENABLE_PREFIX_DELEGATION') && !hasPodSubnets && this.facts.ipFamily === 'ipv4',
      zones: customNetworking !== undefined && isDataMap(subnets) ? Object.keys(subnets) : undefined,
    };
  }

  private isOn(path: string): boolean {
    return this.settings.switch(path).kind === 'on';
  }

  /** A switch that is decided at deployment may be on. */
  private mayBeOn(path: string): boolean {
    return this.settings.switch(path).kind !== 'off';
  }

  private refuseUnexplained(): void {
    const { resolveConflicts, resolveConflictsReason, takeOver } = this.props;
    if (takeOver !== undefined) {
      if (resolveConflicts !== undefined) refuse(this, `takeOver is set and resolveConflicts is ${resolveConflicts}; CloudFormation has one setting for both: leave one of them out`);
      if (!isDay(takeOver.until)) refuse(this, `takeOver.until is "${takeOver.until}"; a day such as 2027-03-31 is needed`);
    }
    const deviates = resolveConflicts !== undefined && resolveConflicts !== ResolveConflicts.PRESERVE;
    if (deviates && (resolveConflictsReason ?? '').trim() === '') {
      refuse(
        this,
        `resolveConflicts is ${resolveConflicts} without resolveConflictsReason; ${resolveConflicts === ResolveConflicts.OVERWRITE ? 'every update then resets what was changed outside of the add-on' : 'updates can then stop with ConfigurationConflict'}: say why, or use PRESERVE`,
      );
    }
    if (!deviates && resolveConflictsReason !== undefined) refuse(this, 'resolveConflictsReason is set, but resolveConflicts is PRESERVE; leave the reason out');
  }
}

const TAKE_OVER_REASON = 'Takes over the self-managed CNI of the cluster; back to PRESERVE when the add-on is there.';

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Pins the version of an add-on that CDK has just made; CDK itself leaves it to whatever EKS has as default that day. */
function pinVersion(addon: IConstruct, version: string): void {
  const resource = addon.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) resource.addPropertyOverride('AddonVersion', version);
}
