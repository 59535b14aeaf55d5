import { Absent, flatMapValue, type Value } from '../../../../value';
import { asBoolean, type TerraformValue } from '../../../../terraform/terraform-value';
import { Given, itemsOf, listOf, mapOf, withDefault } from '../given';
import type { ModuleContext } from '../module-context';
import { KARPENTER, MANAGED_NODE_GROUP_MODULE, type Names } from '../names';
import { attach, attachGiven, declareRole, roleArn, serviceTrust } from '../roles';
import { trustStatement } from '../service-account-role';
import { isAtLeast } from '../../../../terraform/module/version-constraint';
import { ownVersion } from './groups';
import { declareNodeGroup } from './node-group';
import { attachCniPolicy } from './node-role';
import { declareSelfManagedGroup } from './self-managed-group';
import { GROUP_OUTPUTS, groupOutputs } from './outputs';

/** A call of the submodule `eks-managed-node-group`. Source: terraform-aws-modules/terraform-aws-eks, modules/eks-managed-node-group, tags as in node-group.ts. */
export function expandManagedNodeGroup(context: ModuleContext): void {
  warnOfUnknownArguments(context, MANAGED_NODE_GROUP_MODULE);
  const { given, call } = context;
  const exists = context.where(given.flag('create', true));
  if (exists === undefined) return;
  const parts = context.later(() =>
    declareNodeGroup(context, {
      prefix: '',
      where: call.address,
      group: given,
      name: given.item('name'),
      exists,
      clusterName: given.item('cluster_name'),
      kubernetesVersion: ownVersion(context, given),
      subnets: given.item('subnet_ids'),
      ipFamily: given.item('cluster_ip_family'),
      securityGroups: [],
      clusterGroup: given.item('cluster_primary_security_group_id'),
      cluster: {
        name: given.item('cluster_name'),
        endpoint: given.item('cluster_endpoint'),
        authority: given.item('cluster_auth_base64'),
        serviceCidr: withDefault(given.text('cluster_service_ipv4_cidr'), given.text('cluster_service_cidr')),
        ipFamily: given.item('cluster_ip_family'),
      },
      ipv6Policy: undefined,
      minSize: context.byVersion('min_size', (release) => (isAtLeast(release, 21) ? 1 : 0), call.place),
      templateName: '',
    }),
  );
  for (const name of GROUP_OUTPUTS)
    context.output(name, () => {
      const made = parts();
      return made && groupOutputs(context, made)[name];
    });
}

/** A call of the submodule `self-managed-node-group`. Source: terraform-aws-modules/terraform-aws-eks, modules/self-managed-node-group, tags as in self-managed-group.ts. */
export function expandSelfManagedGroup(context: ModuleContext): void {
  const { given, call } = context;
  context.later(() => {
    declareSelfManagedGroup(context, {
      prefix: '',
      where: call.address,
      group: given,
      exists: context.exists,
      clusterName: given.item('cluster_name'),
      kubernetesVersion: ownVersion(context, given),
      subnets: given.item('subnet_ids'),
      securityGroups: [
        given.item('cluster_primary_security_group_id'),
        ...itemsOf(given.item('vpc_security_group_ids')),
      ],
      cluster: {
        name: given.item('cluster_name'),
        endpoint: given.item('cluster_endpoint'),
        authority: given.item('cluster_auth_base64'),
        serviceCidr: withDefault(given.text('cluster_service_cidr'), given.text('cluster_service_ipv4_cidr')),
        ipFamily: given.item('cluster_ip_family'),
      },
      ipFamily: given.item('cluster_ip_family'),
      ipv6Policy: undefined,
      templateName: '',
    });
  });
}

/** A call of the submodule `fargate-profile`. Source: terraform-aws-modules/terraform-aws-eks, modules/fargate-profile/main.tf of v18.0.0 to v21.19.0. */
export function expandFargateProfile(context: ModuleContext): void {
  const { given } = context;
  const profile = context.declare('aws_eks_fargate_profile.this[0]', () => ({
    cluster_name: given.item('cluster_name'),
    subnet_ids: given.item('subnet_ids'),
    selector: given.item('selectors'),
  }));
  context.output('fargate_profile_arn', () => context.reference(profile, 'arn'));
}

/**
 * A call of the submodule `karpenter`: its roles, the association and the access entry. What the controller may do isn't read.
 * Source: terraform-aws-modules/terraform-aws-eks, modules/karpenter/main.tf and variables.tf of the tags v20.0.0, v20.37.2, v21.1.5, v21.2.0
 * and v21.19.0.
 */
export function expandKarpenter(context: ModuleContext): void {
  warnOfUnknownArguments(context, KARPENTER);
  const exists = context.where(context.given.flag('create', true));
  if (exists === undefined) return;
  context.output('namespace', () => associatedNamespace(context));
  context.output('service_account', () => associatedAccount(context));
  declareController(context);
  declareKarpenterNodes(context);
}

function declareController(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const exists = context.where(given.flag('create_iam_role', true));
  if (exists === undefined) return;
  const documents = () => ({
    source: given.item('iam_role_source_assume_policy_documents'),
    override: given.item('iam_role_override_assume_policy_documents'),
  });
  const role = declareRole(context, {
    prefix: '',
    label: 'controller',
    document: 'controller_assume_role',
    trust: () => controllerTrust(context),
    documents,
    name: new Absent(place),
    place,
    exists,
  });
  attach(
    context,
    role,
    '',
    'controller',
    0,
    context.unknown('the policy of the Karpenter controller is not read'),
    place,
  );
  attachGiven(context, role, '', 'controller_additional', () => given.item('iam_role_policies'));
  context.output('iam_role_arn', () => context.reference(role, 'arn'));
  context.output('iam_role_name', () => context.reference(role, 'name'));
  const associates = associationFlag(context);
  const associated = context.where(associates, exists);
  if (associated === undefined) return;
  const attributes = () => ({
    cluster_name: given.item('cluster_name'),
    namespace: associatedNamespace(context),
    service_account: associatedAccount(context),
    role_arn: context.reference(role, 'arn'),
  });
  context.declare('aws_eks_pod_identity_association.karpenter[0]', attributes, place, associated);
}

function associatedNamespace(context: ModuleContext): TerraformValue {
  return context.given.or('namespace', context.standard('kube-system'));
}

function associatedAccount(context: ModuleContext): TerraformValue {
  return context.given.or('service_account', context.standard('karpenter'));
}

/** Version 20 trusts the OIDC provider of a cluster where it is told so, and Pod Identity unless told otherwise; version 21 Pod Identity alone. */
function controllerTrust(context: ModuleContext): readonly TerraformValue[] {
  const { given, call } = context;
  const { place } = call;
  const pods = serviceTrust(
    context,
    'pods.eks.amazonaws.com',
    ['sts:AssumeRole', 'sts:TagSession'],
    place,
    'PodIdentity',
  );
  if (context.release[0] >= 21) return [pods];
  const none = new Absent(place);
  const accounts = withDefault(
    given.item('irsa_namespace_service_accounts'),
    listOf([context.standard('karpenter:karpenter')], place),
  );
  const provider = new Given(
    mapOf({ provider_arn: given.text('irsa_oidc_provider_arn'), namespace_service_accounts: accounts }, place),
    place,
  );
  const test = given.or('irsa_assume_role_condition_test', context.standard('StringEquals'));
  return [
    context.conditional(given.flag('enable_pod_identity', true), () => pods, none),
    context.conditional(given.flag('enable_irsa', false), () => trustStatement(context, provider, test), none),
  ];
}

/** Version 21 associates the role with the service account unless told otherwise; version 20 only if told so. */
function associationFlag(context: ModuleContext): Value<boolean> {
  const { given, call } = context;
  const standard = context.byVersion(
    'create_pod_identity_association',
    (release) => isAtLeast(release, 21),
    call.place,
  );
  return asBoolean(given.or('create_pod_identity_association', standard));
}

function declareKarpenterNodes(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const creates = given.flag('create_node_iam_role', true);
  const exists = context.where(creates);
  const role =
    exists === undefined
      ? undefined
      : declareRole(context, {
          prefix: '',
          label: 'node',
          document: 'node_assume_role',
          trust: [serviceTrust(context, 'ec2.amazonaws.com', ['sts:AssumeRole'], place)],
          name: () => nodeRoleName(context),
          place,
          exists,
        });
  if (role !== undefined) {
    const pulls = context.versions.agreed((release) =>
      isAtLeast(release, 21, 2) ? 'AmazonEC2ContainerRegistryPullOnly' : 'AmazonEC2ContainerRegistryReadOnly',
    );
    if (pulls === undefined)
      attach(context, role, '', 'node', '?', context.unknown(context.differs('the policies for nodes')), place);
    for (const policy of ['AmazonEKSWorkerNodePolicy', ...(pulls === undefined ? [] : [pulls.value])])
      attach(context, role, '', 'node', policy, context.awsPolicy(policy, place), place);
    context.later(() => {
      attachCniPolicy(
        context,
        role,
        '',
        given.flag('node_iam_role_attach_cni_policy', true),
        given.item('cluster_ip_family'),
        undefined,
        'node',
      );
    });
    attachGiven(context, role, '', 'node_additional', () => given.item('node_iam_role_additional_policies'));
    context.output('node_iam_role_name', () => context.reference(role, 'name'));
  }
  const arn = () => roleArn(context, creates, role, given.item('node_iam_role_arn'), place);
  context.output('node_iam_role_arn', arn);
  const entered = context.where(given.flag('create_access_entry', true));
  if (entered === undefined) return;
  const attributes = () => ({
    cluster_name: given.item('cluster_name'),
    principal_arn: arn(),
    type: given.or('access_entry_type', context.standard('EC2_LINUX')),
  });
  context.declare('aws_eks_access_entry.node[0]', attributes, place, entered);
}

function nodeRoleName(context: ModuleContext): TerraformValue {
  return flatMapValue(
    context.given.flag('node_iam_role_use_name_prefix', true),
    (plain): TerraformValue =>
      plain.kind === 'known' && !plain.value ? context.given.text('node_iam_role_name') : new Absent(plain.source),
  );
}

function warnOfUnknownArguments(context: ModuleContext, names: Names): void {
  const known = context.versions.candidates.map(([major]) => names.get(major) ?? new Set<string>());
  for (const key of context.given.keys()) {
    if (known.some((one) => one.has(key))) continue;
    const next =
      key === 'cluster_version' && context.release[0] >= 21
        ? '. It is called `kubernetes_version` from version 21 on'
        : '';
    context.warn(
      context.call.argumentPlace(key),
      `${context.title} has no argument \`${key}\`: Terraform refuses the configuration${next}`,
    );
  }
}
