import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { Construct } from 'constructs';
import { isDay } from '../../lib/text/day';
import {
  chooseIdentity,
  chooseVersion,
  CNI_ADDON,
  ConfiguredCni,
  refuseUnexplainedConflicts,
} from '../engine-neutral/vpc-cni-choices';
import { CniConfiguration } from '../engine-neutral/vpc-cni-configuration';
import { CNI_SERVICE_ACCOUNT } from '../engine-neutral/vpc-cni-role';
import { kubernetesVersionOf } from '../engine-neutral/cluster';
import { refuse } from '../engine-neutral/construction-error';
import { acknowledgeRule } from './acknowledgements';
import { ClusterFacts } from './cluster';
import { nodeGroupsOf, registerCni, waitFor } from './cluster-members';
import { jsonText, jsonTokens } from './json-text';
import { agentProblems, podIdentityAgent } from './pod-identity-agent';
import { grantResourceController } from './resource-controller';
import type { IRole } from './role';
import { ResolveConflicts, type VpcCniAddonProps } from './vpc-cni-addon-props';
import { nodeProblems } from './vpc-cni-nodes';
import { PodIdentityKind, VpcCniRole } from './vpc-cni-role';
import { podSubnetsOf } from './vpc-cni-subnets';

/**
 * The managed add-on of the Amazon VPC CNI, safe by default: updates keep what was changed in the cluster, the version is pinned, every setting stands in the
 * configuration values and fits that version's schema, destroying the stack leaves the CNI in the cluster, and the CNI has a role of its own.
 *
 * On a cluster that installs the CNI by itself (`bootstrap_self_managed_addons`, the default) the add-on takes it over when it is created.
 */
export class VpcCniAddon extends Construct {
  readonly addon: EksAddon;
  /** The CNI's role; undefined with `useNodeRole`. */
  readonly role: IRole | undefined;
  /** The role as a construct, when this add-on made it. */
  readonly cniRole: VpcCniRole | undefined;
  readonly version: string;
  readonly identity: PodIdentityKind | undefined;
  /** What the add-on is configured with, before it is written as JSON. */
  readonly configuration: Readonly<Record<string, unknown>>;

  private readonly facts: ClusterFacts;

  /** @throws ConstructionError for options that can't work on AWS, and for keys that the version's schema doesn't have */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: VpcCniAddonProps,
  ) {
    super(scope, id);
    const { cluster, customNetworking } = props;
    const facts = (this.facts = new ClusterFacts(cluster, this));
    const kubernetesVersion = kubernetesVersionOf(this, jsonTokens, facts.kubernetesVersion, props.kubernetesVersion);
    this.refuseUnexplained();
    this.version = chooseVersion(this, props.version, kubernetesVersion, jsonTokens);
    this.identity = chooseIdentity(this, props, this.version, jsonTokens);
    const configuration = new CniConfiguration(this, jsonTokens);
    this.configuration = configuration.values(
      {
        ...props,
        podSubnets:
          customNetworking === undefined
            ? undefined
            : () => podSubnetsOf(this, customNetworking, props.prefixDelegation !== undefined, facts),
      },
      { ipFamily: facts.ipFamily, version: this.version, kubernetesVersion },
    );
    const configured = new ConfiguredCni(
      configuration.asData(this.configuration),
      jsonTokens.isToken(this.version) ? undefined : this.version,
    );
    this.cniRole = this.makeRole();
    this.role = props.role ?? this.cniRole?.role;
    const agent =
      this.identity === PodIdentityKind.POD_IDENTITY
        ? podIdentityAgent(this, facts, props.podIdentityAgent, kubernetesVersion)
        : undefined;
    this.addon = this.createAddon();
    const member = configured.member();
    const controller =
      member.podSecurityGroups || member.windowsIpam ? grantResourceController(this, facts) : undefined;
    for (const first of [this.cniRole?.attachment, agent, controller])
      if (first !== undefined) waitFor(this.addon, first);
    const earlier = registerCni(cluster, { construct: this, hasOwnRole: this.role !== undefined, ...member });
    this.node.addValidation({
      validate: () => [
        ...nodeProblems(
          configured.demands(facts.ipFamily, customNetworking !== undefined),
          this,
          facts,
          nodeGroupsOf(cluster),
        ),
        ...agentProblems(this, facts),
      ],
    });
    if (earlier !== undefined)
      refuse(this, `the cluster already has the vpc-cni add-on ${earlier.construct.node.path}; a cluster has one`);
  }

  private makeRole(): VpcCniRole | undefined {
    const { identity } = this;
    const { cluster, role, openIdConnectProvider } = this.props;
    if (identity === undefined || role !== undefined) return undefined;
    return new VpcCniRole(this, 'Role', {
      cluster,
      identity,
      ...(openIdConnectProvider === undefined ? {} : { openIdConnectProvider }),
    });
  }

  private createAddon(): EksAddon {
    const { props, role, facts } = this;
    const isEmpty = Object.keys(this.configuration).length === 0;
    const addon = new EksAddon(this, 'Resource', {
      ...facts.place,
      addonName: CNI_ADDON,
      addonVersion: this.version,
      clusterName: facts.clusterName,
      resolveConflictsOnCreate: this.takesOver() ? ResolveConflicts.OVERWRITE : ResolveConflicts.NONE,
      resolveConflictsOnUpdate: props.resolveConflicts ?? ResolveConflicts.PRESERVE,
      preserve: props.preserveOnDelete ?? true,
      ...(isEmpty ? {} : { configurationValues: jsonText(this.configuration) }),
      ...(role === undefined
        ? {}
        : this.identity === PodIdentityKind.IRSA
          ? { serviceAccountRoleArn: role.arn }
          : { podIdentityAssociation: [{ serviceAccount: CNI_SERVICE_ACCOUNT, roleArn: role.arn }] }),
    });
    facts.putInRegion(addon);
    if (props.resolveConflictsReason !== undefined)
      acknowledgeRule(addon, 'vpc-cni-resolve-conflicts', props.resolveConflictsReason);
    return addon;
  }

  private takesOver(): boolean {
    const { takeOver, resolveConflicts } = this.props;
    return takeOver === undefined ? resolveConflicts !== ResolveConflicts.NONE : takeOver !== false;
  }

  private refuseUnexplained(): void {
    const { takeOver } = this.props;
    if (typeof takeOver === 'object' && !isDay(takeOver.until))
      refuse(this, `takeOver.until is "${takeOver.until}"; a day such as 2027-03-31 is needed`);
    refuseUnexplainedConflicts(this, this.props);
  }
}
