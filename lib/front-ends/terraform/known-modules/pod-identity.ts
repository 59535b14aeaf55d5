import { alternativesOf, flatMapValue, sourceOf, Absent } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import type { TerraformValue } from '../../../terraform/terraform-value';
import { entriesOf, Given, itemsOf, listOf, mapOf, withDefault, withUnsure } from './given';
import type { ModuleContext } from './module-context';
import { POD_IDENTITY } from './names';
import { attach, attachGiven, declareRole } from './roles';
import { modulePolicy } from './module-policy';

/**
 * The role and the associations that `terraform-aws-modules/eks-pod-identity/aws` creates. Source:
 * terraform-aws-modules/terraform-aws-eks-pod-identity, main.tf, aws_vpc_cni.tf and variables.tf of v1.0.0, v1.10.0, v2.0.0 and v2.8.1.
 */
export function expandPodIdentity(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const known = context.versions.candidates.map(([major]) => POD_IDENTITY.get(major) ?? new Set<string>());
  for (const key of given.keys()) {
    if (!known.some((names) => names.has(key)))
      context.warn(
        call.argumentPlace(key),
        `${context.title} has no argument \`${key}\`: Terraform refuses the configuration`,
      );
  }
  const exists = context.where(given.flag('create', true));
  if (exists === undefined) return;
  const role = declareRole(context, {
    prefix: '',
    label: 'this',
    document: 'assume',
    trust: () => trust(context),
    name: () => roleName(given),
    place,
    exists,
  });
  attachGiven(context, role, '', 'this', () => given.item('additional_policy_arns'));
  context.later(() => {
    attachPolicies(context, role);
    declareAssociations(context, role);
  });
  context.output('iam_role_arn', () => context.reference(role, 'arn'));
  context.output('iam_role_name', () => context.reference(role, 'name'));
}

function roleName(given: Given): TerraformValue {
  return flatMapValue(
    given.flag('use_name_prefix', true),
    (plain): TerraformValue => (plain.kind === 'known' && !plain.value ? given.text('name') : new Absent(plain.source)),
  );
}

/** The statement for Pod Identity, with the conditions of the call, and statements that the call adds. */
function trust(context: ModuleContext): readonly TerraformValue[] {
  const { given, call } = context;
  const { place } = call;
  const conditions = given.item('trust_policy_conditions');
  const own = mapOf(
    {
      effect: context.fixed('Allow'),
      actions: listOf([context.fixed('sts:AssumeRole'), context.fixed('sts:TagSession')], place),
      principals: listOf(
        [
          mapOf(
            { type: context.fixed('Service'), identifiers: listOf([context.fixed('pods.eks.amazonaws.com')], place) },
            place,
          ),
        ],
        place,
      ),
      condition: conditions,
    },
    place,
  );
  return [own, ...itemsOf(given.item('trust_policy_statements'))];
}

function attachPolicies(context: ModuleContext, role: TerraformInstance): void {
  const { given } = context;
  for (const key of given.keys()) {
    const label = /^attach_(\w+)_policy$/.exec(key)?.[1];
    if (label === undefined) continue;
    const value = given.item(key);
    const place = sourceOf(value);
    const exists = context.where(given.flag(key, false), role.exists);
    if (exists === undefined) {
      if (alternativesOf(value).some(({ value: plain }) => plain.kind === 'unknown'))
        attach(context, role, '', label, '?', context.unknown(`whether ${key} is on is not known`, place), place);
      continue;
    }
    const name = label.replace(/^aws_/, '');
    const policy = modulePolicy(context, 'eks-pod-identity', label, {
      address: `aws_iam_policy.${name}[0]`,
      place,
      exists,
      documents: {
        source_policy_documents: given.item('source_policy_documents'),
        override_policy_documents: given.item('override_policy_documents'),
      },
      more: itemsOf(given.item('policy_statements')),
    });
    attach(context, role, '', name, 0, policy, place, exists);
  }
}

function declareAssociations(context: ModuleContext, role: TerraformInstance): void {
  const { given } = context;
  const defaults = new Given(given.item('association_defaults'), context.call.argumentPlace('association_defaults'));
  const { entries } = withUnsure(entriesOf(given.item('associations'), role.exists));
  for (const { key, value, when } of entries) {
    const association = new Given(value, value.source);
    const item = (name: string) => withDefault(association.text(name), defaults.text(name));
    const attributes = {
      cluster_name: item('cluster_name'),
      namespace: item('namespace'),
      service_account: item('service_account'),
      role_arn: context.reference(role, 'arn', value.source),
    };
    context.declare(`aws_eks_pod_identity_association.this[${JSON.stringify(key)}]`, attributes, value.source, when);
  }
}
