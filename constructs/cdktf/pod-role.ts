import { EksPodIdentityAssociation } from '@cdktf/provider-aws/lib/eks-pod-identity-association';
import type { IamPolicy } from '@cdktf/provider-aws/lib/iam-policy';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { partitionOf as partitionOfRegion } from '../../lib/knowledge/partition';
import { kubernetesVersionOf } from '../engine-neutral/cluster';
import type { ChartContext, RoleContext } from '../engine-neutral/controller-roles';
import { podRoleIdentity, serviceAccountValues, type PodRoleParts } from '../engine-neutral/pod-role';
import type { AddonPodIdentityAssociation, PodRoleOptions } from '../engine-neutral/pod-role-options';
import { PodIdentityKind } from '../engine-neutral/vpc-cni-options';
import { arnOf } from './arn';
import { ClusterFacts, type ICluster } from './cluster';
import { waitFor } from './cluster-members';
import { jsonTokens } from './json-text';
import { ownPolicy } from './own-policy';
import { partitionOf } from './partition';
import { agentProblems, podIdentityAgent } from './pod-identity-agent';
import { podTrust, type IOpenIdConnectProvider } from './pod-trust';
import { knownRegion, regionOf } from './region';

/** A policy: the resource or the data source `aws_iam_policy`, or something else with its ARN. */
export interface IPolicy {
  /** The ARN of the policy. */
  readonly arn: string;
}

export interface PodRoleProps extends PodRoleOptions {
  /** The cluster whose service account takes the role: the resource or data source `aws_eks_cluster`, or attributes of one that is made elsewhere. */
  readonly cluster: ICluster;

  /**
   * The cluster's OpenID Connect provider in IAM, for IRSA.
   *
   * @default - that of the cluster's attributes, or the `aws_iam_openid_connect_provider` of the stack with the cluster's issuer
   */
  readonly openIdConnectProvider?: IOpenIdConnectProvider;

  /**
   * Further policies of the role, or their ARNs.
   *
   * @default - none
   */
  readonly managedPolicies?: readonly (IPolicy | string)[];

  /**
   * Permissions boundary of the role, or its ARN.
   *
   * @default - none
   */
  readonly permissionsBoundary?: IPolicy | string;
}

/** Settings of an add-on that give its pods the role, for the arguments of an `aws_eks_addon`. */
export interface AddonRoleSettings {
  /** The role, with IRSA. @default - none, with Pod Identity */
  readonly serviceAccountRoleArn?: string;
  /** The role and its service account, with Pod Identity. @default - none, with IRSA */
  readonly podIdentityAssociation?: AddonPodIdentityAssociation[];
}

/**
 * The role of a controller's pods: its policies, as managed policies, a trust policy for its service account and nothing else, and the Pod Identity association.
 * What installs the controller should wait for it: `dependsOn: role.dependencies`.
 */
export abstract class PodRole extends Construct {
  readonly role: IamRole;
  /** The policies that this construct made. */
  readonly policies: readonly IamPolicy[];
  readonly identity: PodIdentityKind;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Undefined with IRSA and with `association: false`. */
  readonly association: EksPodIdentityAssociation | undefined;
  /** What should be there before the controller is installed. */
  readonly dependencies: TerraformResource[];

  /** What a chart has to be told of the cluster. */
  protected readonly chart: ChartContext;
  protected readonly facts: ClusterFacts;

  constructor(scope: Construct, id: string, props: PodRoleProps, partsOf: (context: RoleContext) => PodRoleParts) {
    super(scope, id);
    const { cluster, permissionsBoundary, roleName } = props;
    const facts = (this.facts = new ClusterFacts(cluster, this));
    const { clusterName } = facts;
    const region = knownRegion(this, facts);
    const partition = partitionOf(this, facts.provider);
    this.identity = podRoleIdentity(this, props);
    const parts = partsOf({
      scope: this,
      tokens: jsonTokens,
      clusterName,
      partition,
      knownPartition: region === undefined ? undefined : partitionOfRegion(region),
    });
    const { description, accounts } = parts;
    this.namespace = accounts.namespace;
    [this.serviceAccount] = accounts.names;
    this.policies = parts.ownPolicies.map((policy) => ownPolicy(this, facts.provider, policy));
    this.role = new IamRole(this, 'Role', {
      ...facts.place,
      description: `${description} (service account ${this.namespace}/${this.serviceAccount})`,
      assumeRolePolicy: podTrust(this, facts, this.identity, accounts, props.openIdConnectProvider),
      ...(permissionsBoundary === undefined
        ? {}
        : { permissionsBoundary: arnOf(this, 'permissionsBoundary', permissionsBoundary) }),
      ...(roleName === undefined ? {} : { name: roleName }),
    });
    const attachments = this.attach([
      ...this.policies.map(({ arn }) => arn),
      ...parts.awsPolicies.map(({ name }) => `arn:${partition}:iam::aws:policy/${name}`),
      ...(props.managedPolicies ?? []).map((policy, index) => arnOf(this, `managedPolicies[${index}]`, policy)),
    ]);
    const agent = this.agent(props);
    this.association = this.associate(props);
    const before = agent === undefined ? attachments : [...attachments, agent];
    if (this.association !== undefined) for (const first of before) waitFor(this.association, first);
    this.dependencies = this.association === undefined ? before : [this.association];
    this.chart = {
      clusterName,
      region: regionOf(this, facts),
      serviceAccount: serviceAccountValues(accounts, this.identity, this.role.arn),
    };
  }

  /** The role as an add-on takes it: nothing where the association stands on its own. */
  protected get addonRole(): AddonRoleSettings {
    const { arn } = this.role;
    if (this.identity === PodIdentityKind.IRSA) return { serviceAccountRoleArn: arn };
    return this.association === undefined
      ? { podIdentityAssociation: [{ serviceAccount: this.serviceAccount, roleArn: arn }] }
      : {};
  }

  private attach(arns: readonly string[]): IamRolePolicyAttachment[] {
    return arns.map(
      (policyArn, index) =>
        new IamRolePolicyAttachment(this, `Attachment${index === 0 ? '' : index + 1}`, {
          ...this.facts.place,
          role: this.role.name,
          policyArn,
        }),
    );
  }

  private agent({ podIdentityAgent: asked, kubernetesVersion }: PodRoleProps): TerraformResource | undefined {
    const { facts } = this;
    const version = kubernetesVersionOf(this, jsonTokens, facts.kubernetesVersion, kubernetesVersion);
    if (this.identity === PodIdentityKind.IRSA) return undefined;
    this.node.addValidation({ validate: () => agentProblems(this, facts) });
    return podIdentityAgent(this, facts, asked, version);
  }

  private associate({ association }: PodRoleProps): EksPodIdentityAssociation | undefined {
    const { facts } = this;
    if (this.identity === PodIdentityKind.IRSA || association === false) return undefined;
    const made = new EksPodIdentityAssociation(this, 'Association', {
      ...facts.place,
      clusterName: facts.clusterName,
      namespace: this.namespace,
      serviceAccount: this.serviceAccount,
      roleArn: this.role.arn,
    });
    facts.putInRegion(made);
    return made;
  }
}
