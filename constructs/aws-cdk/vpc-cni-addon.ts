import { Stack, Token } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type * as iam from 'aws-cdk-lib/aws-iam';
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
import { acknowledgeRule, acknowledgeRuleUntil } from './acknowledgements';
import { ClusterFacts, kubernetesVersionOf } from './cluster';
import { nodeGroupsOf, registerCni } from './cluster-members';
import { refuse } from './construction-error';
import { podIdentityAgent } from './pod-identity-agent';
import { grantResourceController } from './resource-controller';
import { cdkTokens } from './tokens';
import { ResolveConflicts, type VpcCniAddonProps } from './vpc-cni-addon-props';
import { nodeProblems } from './vpc-cni-nodes';
import { CNI_SERVICE_ACCOUNT, PodIdentityKind, VpcCniRole } from './vpc-cni-role';
import { podSubnetsOf } from './vpc-cni-subnets';

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
    this.version = chooseVersion(this, props.version, this.kubernetesVersion, cdkTokens);
    this.identity = chooseIdentity(this, props, this.version, cdkTokens);
    const { customNetworking } = props;
    const configuration = new CniConfiguration(this, cdkTokens);
    this.configuration = configuration.values(
      {
        ...props,
        podSubnets:
          customNetworking === undefined
            ? undefined
            : () => podSubnetsOf(this, customNetworking, props.prefixDelegation !== undefined),
      },
      { ipFamily: this.facts.ipFamily, version: this.version, kubernetesVersion: this.kubernetesVersion },
    );
    const configured = new ConfiguredCni(
      configuration.asData(this.configuration),
      Token.isUnresolved(this.version) ? undefined : this.version,
    );
    this.cniRole =
      this.identity === undefined || props.role !== undefined
        ? undefined
        : new VpcCniRole(this, 'Role', { cluster: props.cluster, identity: this.identity });
    this.role = props.role ?? this.cniRole?.role;
    this.addon = this.createAddon();
    const agent =
      this.identity === PodIdentityKind.POD_IDENTITY
        ? podIdentityAgent(this, props.cluster, props.podIdentityAgent, this.kubernetesVersion)
        : undefined;
    if (agent !== undefined) this.addon.node.addDependency(agent);
    const member = configured.member();
    if (member.podSecurityGroups || member.windowsIpam) grantResourceController(this.facts);
    const earlier = registerCni(props.cluster, { construct: this, hasOwnRole: this.role !== undefined, ...member });
    this.node.addValidation({
      validate: () =>
        nodeProblems(
          configured.demands(this.facts.ipFamily, customNetworking !== undefined),
          this,
          this.facts,
          nodeGroupsOf(props.cluster),
        ),
    });
    if (earlier !== undefined)
      refuse(this, `the cluster already has the vpc-cni add-on ${earlier.construct.node.path}; a cluster has one`);
  }

  private createAddon(): eks.CfnAddon {
    const { props, role } = this;
    const isEmpty = Object.keys(this.configuration).length === 0;
    const addon = new eks.CfnAddon(this, 'Resource', {
      addonName: CNI_ADDON,
      addonVersion: this.version,
      clusterName: props.cluster.clusterName,
      resolveConflicts:
        props.takeOver === undefined
          ? (props.resolveConflicts ?? ResolveConflicts.PRESERVE)
          : ResolveConflicts.OVERWRITE,
      preserveOnDelete: props.preserveOnDelete ?? true,
      ...(isEmpty ? {} : { configurationValues: Stack.of(this).toJsonString(this.configuration) }),
      ...(role === undefined
        ? {}
        : this.identity === PodIdentityKind.IRSA
          ? { serviceAccountRoleArn: role.roleArn }
          : { podIdentityAssociations: [{ serviceAccount: CNI_SERVICE_ACCOUNT, roleArn: role.roleArn }] }),
    });
    if (props.resolveConflictsReason !== undefined)
      acknowledgeRule(addon, 'vpc-cni-resolve-conflicts', props.resolveConflictsReason);
    if (props.takeOver !== undefined)
      acknowledgeRuleUntil(addon, 'vpc-cni-resolve-conflicts', TAKE_OVER_REASON, props.takeOver.until);
    return addon;
  }

  private refuseUnexplained(): void {
    const { resolveConflicts, takeOver } = this.props;
    if (takeOver !== undefined) {
      if (resolveConflicts !== undefined)
        refuse(
          this,
          `takeOver is set and resolveConflicts is ${resolveConflicts}; CloudFormation has one setting for both: leave one of them out`,
        );
      if (!isDay(takeOver.until))
        refuse(this, `takeOver.until is "${takeOver.until}"; a day such as 2027-03-31 is needed`);
    }
    refuseUnexplainedConflicts(this, this.props);
  }
}

const TAKE_OVER_REASON = 'Takes over the self-managed CNI of the cluster; back to PRESERVE when the add-on is there.';
