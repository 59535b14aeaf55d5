import { Aws, Stack, Token } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { partitionOf } from '../../lib/knowledge/partition';
import type { ChartContext, RoleContext } from '../engine-neutral/controller-roles';
import { podRoleIdentity, serviceAccountValues, type PodRoleParts } from '../engine-neutral/pod-role';
import type { AddonPodIdentityAssociation, PodRoleOptions } from '../engine-neutral/pod-role-options';
import { PodIdentityKind } from '../engine-neutral/vpc-cni-options';
import { acknowledgeManagedPolicy } from './acknowledgements';
import { ClusterFacts, kubernetesVersionOf, type ICluster } from './cluster';
import { ownPolicy } from './own-policy';
import { podIdentityAgent } from './pod-identity-agent';
import { podPrincipal } from './pod-trust';
import { policiesOf } from './references';
import { cdkTokens } from './tokens';

export interface PodRoleProps extends PodRoleOptions {
  /** The cluster whose service account takes the role: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: ICluster;

  /**
   * Further policies of the role.
   *
   * @default - none
   */
  readonly managedPolicies?: readonly iam.IManagedPolicy[];

  /**
   * Permissions boundary of the role.
   *
   * @default - none
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;
}

/** Settings of an add-on that give its pods the role, for the properties of a `CfnAddon`. */
export interface AddonRoleSettings {
  /** The role, with IRSA. @default - none, with Pod Identity */
  readonly serviceAccountRoleArn?: string;
  /** The role and its service account, with Pod Identity. @default - none, with IRSA */
  readonly podIdentityAssociations?: AddonPodIdentityAssociation[];
}

/**
 * The role of a controller's pods: its policies, as managed policies and with cdk-nag's acknowledgements, a trust policy for its service account and nothing else, and
 * the Pod Identity association. What installs the controller should wait for it: `chart.node.addDependency(role)`.
 */
export abstract class PodRole extends Construct {
  readonly role: iam.Role;
  /** The policies that this construct made. */
  readonly policies: readonly iam.ManagedPolicy[];
  readonly identity: PodIdentityKind;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Undefined with IRSA and with `association: false`. */
  readonly association: eks.CfnPodIdentityAssociation | undefined;

  /** What a chart has to be told of the cluster. */
  protected readonly chart: ChartContext;
  protected readonly facts: ClusterFacts;

  constructor(scope: Construct, id: string, props: PodRoleProps, partsOf: (context: RoleContext) => PodRoleParts) {
    super(scope, id);
    const { cluster, managedPolicies = [], permissionsBoundary, roleName } = props;
    this.facts = new ClusterFacts(cluster);
    if (permissionsBoundary !== undefined) policiesOf(this, 'permissionsBoundary', [permissionsBoundary]);
    const { region } = Stack.of(this);
    const { clusterName } = this.facts;
    this.identity = podRoleIdentity(this, props);
    const { description, accounts, ownPolicies, awsPolicies } = partsOf({
      scope: this,
      tokens: cdkTokens,
      clusterName,
      partition: Aws.PARTITION,
      knownPartition: Token.isUnresolved(region) ? undefined : partitionOf(region),
    });
    this.namespace = accounts.namespace;
    [this.serviceAccount] = accounts.names;
    this.policies = ownPolicies.map((policy) => ownPolicy(this, policy));
    this.role = new iam.Role(this, 'Role', {
      description: `${description} (service account ${this.namespace}/${this.serviceAccount})`,
      assumedBy: podPrincipal(this, cluster, this.identity, accounts),
      managedPolicies: [
        ...this.policies,
        ...awsPolicies.map(({ name }) => iam.ManagedPolicy.fromAwsManagedPolicyName(name)),
        ...policiesOf(this, 'managedPolicies', managedPolicies),
      ],
      ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
      ...(roleName === undefined ? {} : { roleName }),
    });
    for (const { name, reason } of awsPolicies) acknowledgeManagedPolicy(this.role, name, reason);
    this.association = this.associate(props);
    this.chart = {
      clusterName,
      region,
      serviceAccount: serviceAccountValues(accounts, this.identity, this.role.roleArn),
    };
  }

  /** The role as an add-on takes it: nothing where the association stands on its own. */
  protected get addonRole(): AddonRoleSettings {
    const { roleArn } = this.role;
    if (this.identity === PodIdentityKind.IRSA) return { serviceAccountRoleArn: roleArn };
    return this.association === undefined
      ? { podIdentityAssociations: [{ serviceAccount: this.serviceAccount, roleArn }] }
      : {};
  }

  private associate({
    cluster,
    association,
    podIdentityAgent: asked,
    kubernetesVersion,
  }: PodRoleProps): eks.CfnPodIdentityAssociation | undefined {
    const version = kubernetesVersionOf(this, this.facts, kubernetesVersion);
    if (this.identity === PodIdentityKind.IRSA) return undefined;
    const agent = podIdentityAgent(this, cluster, asked, version);
    if (association === false) {
      if (agent !== undefined) this.role.node.addDependency(agent);
      return undefined;
    }
    const made = new eks.CfnPodIdentityAssociation(this, 'Association', {
      clusterName: this.facts.clusterName,
      namespace: this.namespace,
      serviceAccount: this.serviceAccount,
      roleArn: this.role.roleArn,
    });
    if (agent !== undefined) made.node.addDependency(agent);
    return made;
  }
}
