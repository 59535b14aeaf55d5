import type { Source, Value, When } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import type { TerraformValue } from '../../../terraform/terraform-value';
import { entriesOf, itemsOf, listOf, mapOf, type Attributes } from './given';
import type { ModuleContext } from './module-context';
import { groupInputsAt } from './eks/inputs';
import { isAtLeast } from '../../../terraform/module/version-constraint';

/** A role that a module creates. */
export interface RoleOptions {
  /** `module.x.`, or nothing. */
  readonly prefix: string;
  /** Name of the role's resource: `this`. */
  readonly label: string;
  /** Name of the data source with its trust policy: `assume_role_policy`. */
  readonly document: string;
  /** Statements of its trust policy; a function for those that take values of arguments. */
  readonly trust: readonly TerraformValue[] | (() => readonly TerraformValue[]);
  /** Whole documents that the call adds to its trust policy, before and over these statements. */
  readonly documents?: () => { readonly source: TerraformValue; readonly override: TerraformValue };
  readonly name: TerraformValue | (() => TerraformValue);
  readonly place: Source;
  readonly exists: When;
  /** What the call has for the role. @default - what groups have for theirs */
  readonly inputs?: ReadonlyMap<string, string>;
  /** The output that has its name. @default - none */
  readonly nameOutput?: string;
}

/** A role with its trust policy, which modules write as a data source. */
export function declareRole(
  context: ModuleContext,
  { prefix, label, document: documentName, trust, documents, name, place, exists, inputs, nameOutput }: RoleOptions,
): TerraformInstance {
  const attributes = () => {
    const added = documents?.();
    return {
      source_policy_documents: added?.source,
      override_policy_documents: added?.override,
      statement: listOf(typeof trust === 'function' ? trust() : trust, place),
    };
  };
  const document = context.declare(
    `${prefix}data.aws_iam_policy_document.${documentName}[0]`,
    attributes,
    place,
    exists,
  );
  return context.declare(
    `${prefix}aws_iam_role.${label}[0]`,
    () => ({
      name: typeof name === 'function' ? name() : name,
      assume_role_policy: context.reference(document, 'json', place),
    }),
    place,
    exists,
    // Roles of groups stand with their settings.
    prefix === ''
      ? inputs && {
          moduleInputs: inputs,
          ...(nameOutput === undefined ? {} : { moduleOutputs: new Map([['name', nameOutput]]) }),
        }
      : { moduleInputs: inputs ?? ROLE_INPUTS, ...groupInputsAt(prefix) },
  );
}

const ROLE_INPUTS: ReadonlyMap<string, string> = new Map([
  ['iam_role_attach_cni_policy', 'iam_role_attach_cni_policy'],
]);

/** A trust policy statement for a service of AWS. */
export function serviceTrust(
  context: ModuleContext,
  service: string,
  actions: readonly string[],
  place: Source,
  sid?: string,
): TerraformValue {
  return statement(
    context,
    { sid, actions, principals: { type: 'Service', identifiers: [context.fixed(service, place)] } },
    place,
  );
}

export interface StatementParts {
  readonly sid?: string | undefined;
  readonly actions: readonly string[];
  readonly resources?: readonly TerraformValue[];
  readonly principals?: { readonly type: string; readonly identifiers: readonly TerraformValue[] };
  readonly conditions?:
    | readonly {
        readonly test: TerraformValue;
        readonly variable: TerraformValue;
        readonly values: readonly TerraformValue[];
      }[]
    | undefined;
}

/** A statement of `aws_iam_policy_document`. */
export function statement(
  context: ModuleContext,
  { sid, actions, resources, principals, conditions }: StatementParts,
  place: Source,
): TerraformValue {
  const attributes: Attributes = {
    sid: sid === undefined ? undefined : context.fixed(sid, place),
    effect: context.fixed('Allow', place),
    actions: listOf(
      actions.map((action) => context.fixed(action, place)),
      place,
    ),
    resources: resources === undefined ? undefined : listOf(resources, place),
    principals:
      principals === undefined
        ? undefined
        : listOf(
            [
              mapOf(
                { type: context.fixed(principals.type, place), identifiers: listOf(principals.identifiers, place) },
                place,
              ),
            ],
            place,
          ),
    condition:
      conditions === undefined
        ? undefined
        : listOf(
            conditions.map(({ test, variable, values }) =>
              mapOf({ test, variable, values: listOf(values, place) }, place),
            ),
            place,
          ),
  };
  return mapOf(attributes, place);
}

/** Attaches a policy to a role. @param key what `for_each` calls it, or the index of `count` */
export function attach(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  label: string,
  key: string | number,
  policy: TerraformValue,
  place: Source,
  exists: When = role.exists,
): void {
  context.declare(
    `${prefix}aws_iam_role_policy_attachment.${label}[${JSON.stringify(key)}]`,
    { role: context.reference(role, 'name', place), policy_arn: policy },
    place,
    exists,
  );
}

/** What `for_each` calls an attachment: since some version the name of the policy, before it its ARN. */
export function attachmentKey(
  context: ModuleContext,
  name: string,
  policy: TerraformValue,
  namedSince: readonly [major: number, minor: number],
): string {
  if (isAtLeast(context.release, ...namedSince)) return name;
  if (policy.kind === 'known' && typeof policy.value === 'string') return policy.value;
  return policy.kind === 'unknown' && policy.text !== undefined ? policy.text : name;
}

/** Attaches a policy of AWS by its name. */
export function attachAwsPolicy(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  name: string,
  place: Source,
  {
    exists = role.exists,
    namedSince,
  }: { readonly exists?: When; readonly namedSince: readonly [major: number, minor: number] },
): void {
  const policy = context.awsPolicy(name, place);
  attach(context, role, prefix, 'this', attachmentKey(context, name, policy, namedSince), policy, place, exists);
}

/** Attaches the policies that the call names, as a map or (in older versions) as a list. */
export function attachGiven(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  label: string,
  policies: () => TerraformValue,
): void {
  context.later(() => {
    attachAll(context, role, prefix, label, policies());
  });
}

function attachAll(
  context: ModuleContext,
  role: TerraformInstance,
  prefix: string,
  label: string,
  policies: TerraformValue,
): void {
  const place = role.source;
  const { entries, more } = entriesOf(policies, role.exists);
  const attached = new Set<string>();
  for (const { key, value, when } of entries) {
    attached.add(key);
    if (value.kind !== 'absent') attach(context, role, prefix, label, key, value, value.source, when);
  }
  if (more !== undefined) attach(context, role, prefix, label, '?', more, place);
  else if (attached.size === 0)
    for (const [index, item] of itemsOf(policies).entries())
      attach(context, role, prefix, 'this', textOf(item) ?? String(index), item, place);
}

function textOf(value: TerraformValue): string | undefined {
  return value.kind === 'known' && typeof value.value === 'string' ? value.value : undefined;
}

/** `create_x ? role.arn : x_arn`. */
export function roleArn(
  context: ModuleContext,
  flag: Value<boolean>,
  role: TerraformInstance | undefined,
  given: TerraformValue,
  place: Source,
): TerraformValue {
  return context.conditional(flag, () => (role === undefined ? given : context.reference(role, 'arn', place)), given);
}
