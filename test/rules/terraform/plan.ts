import type { TerraformInstance } from '../../../lib/terraform/instance';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../lib/terraform/terraform-value';
import { templateParts } from './hcl';
import { COMPUTED } from './resources';
import { isBlock } from './schema';
import { isMap, untranslatable, type JsonMap } from './untranslatable';

const DATA: Readonly<Record<string, string>> = {
  'data.aws_region.current.name': 'eu-west-1',
  'data.aws_partition.current.partition': 'aws',
  'data.aws_partition.current.dns_suffix': 'amazonaws.com',
  'data.aws_caller_identity.current.account_id': '111122223333',
};

/**
 * A configuration without unknown variables, which no plan can have: what they would tell comes from a resource that is made first.
 */
export function plannable(configuration: JsonMap): JsonMap {
  const variables = isMap(configuration['variable']) ? configuration['variable'] : {};
  const open = Object.keys(variables).filter((name) => !isMap(variables[name]) || !('default' in variables[name]));
  // What data sources tell is known when a plan is made.
  const told = JSON.stringify(configuration).replaceAll(/\bdata\.\w+\.current\.\w+/g, (reference) =>
    JSON.stringify(JSON.stringify(DATA[reference] ?? reference)).slice(1, -1),
  );
  const text = told.replaceAll(/\bvar\.(\w+)/g, (reference, name: string) =>
    open.includes(name) ? `terraform_data.${name}.output` : reference,
  );
  const { resource, ...others } = JSON.parse(text) as JsonMap & { readonly resource: JsonMap };
  const made = Object.fromEntries(open.map((name) => [name, {}]));
  return {
    ...others,
    variable: Object.fromEntries(Object.entries(variables).filter(([name]) => !open.includes(name))),
    resource: { ...resource, terraform_data: made },
  };
}

/**
 * What `terraform show -json` would print for a plan that creates everything: values of the configuration as far as they are known, marks
 * where they are not, and the references of each expression.
 */
export function planText(configuration: JsonMap, instances: readonly TerraformInstance[]): string {
  const managed = instances.filter(({ mode }) => mode === 'managed');
  const planned = managed.map((instance) => ({ instance, ...valuesOf(instance) }));
  const head = ({ address, type }: TerraformInstance) => ({
    address,
    mode: 'managed',
    type,
    name: address.slice(type.length + 1),
  });
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: {
      root_module: {
        resources: planned.map(({ instance, known }) => ({
          ...head(instance),
          provider_name: 'registry.terraform.io/hashicorp/aws',
          values: known,
        })),
      },
    },
    resource_changes: planned.map(({ instance, known, unknown }) => ({
      ...head(instance),
      change: {
        actions: ['create'],
        before: null,
        after: known,
        after_unknown: unknown,
        before_sensitive: false,
        after_sensitive: {},
      },
    })),
    configuration: {
      root_module: {
        resources: managed.map((instance) => ({
          ...head(instance),
          expressions: expressionsOf(written(configuration, instance)),
        })),
        variables: configuration['variable'],
      },
    },
  });
}

function written(configuration: JsonMap, { type, address }: TerraformInstance): JsonMap {
  const resources = configuration['resource'];
  const named = isMap(resources) ? resources[type] : undefined;
  const body = isMap(named) ? named[address.slice(type.length + 1)] : undefined;
  return isMap(body) ? body : untranslatable(`${address} in a plan`);
}

function valuesOf({ attributes, type }: TerraformInstance): { readonly known: unknown; readonly unknown: unknown } {
  const { known, unknown } = split(attributes, undefined);
  const marks = isMap(unknown) ? { ...unknown } : {};
  for (const attribute of COMPUTED.get(type) ?? []) mark(marks, known, attribute.split(/\.|\[\d+\]\.?/));
  return { known, unknown: marks };
}

/** Marks an attribute as unknown, unless it is written. */
function mark(marks: Record<string, unknown>, known: unknown, [name = '', ...below]: readonly string[]): void {
  const written = isMap(known) ? known[name] : undefined;
  if (written === undefined || written === null) marks[name] = true;
  else if (below.length > 0 && Array.isArray(written)) {
    const [before] = Array.isArray(marks[name]) ? (marks[name] as readonly unknown[]) : [];
    const inner = isMap(before) ? { ...before } : {};
    mark(inner, written[0], below);
    marks[name] = [inner];
  }
}

/** A value as a plan has it: what is known, and beside it `true` where something isn't. */
function split(
  value: TerraformValue,
  name: string | undefined,
  isInObject = false,
): { readonly known: unknown; readonly unknown: unknown } {
  switch (value.kind) {
    case 'choice':
      return untranslatable('a conditional in a plan');
    case 'unknown':
      return { known: undefined, unknown: true };
    case 'absent':
      return { known: null, unknown: false };
    case 'known':
      break;
  }
  const item = value.value;
  if (item instanceof TerraformList) {
    const items = item.items.map((one) => split(one, undefined, isInObject));
    return { known: items.map(({ known }) => known ?? null), unknown: items.map(({ unknown }) => unknown) };
  }
  if (!(item instanceof TerraformMap)) return { known: item, unknown: false };
  const entries = [...item.entries].map(([key, one]): [string, ReturnType<typeof split>] => [
    key,
    split(one, key, isInObject || key === 'manifest'),
  ]);
  const known = Object.fromEntries(entries.map(([key, one]) => [key, one.known]));
  const unknown = Object.fromEntries(
    entries.filter(([, one]) => one.unknown !== false).map(([key, one]) => [key, one.unknown]),
  );
  // Blocks are lists in plans, even those of which there is at most one; a manifest is an object to its core.
  return name !== undefined && !isInObject && isBlock(name, {})
    ? { known: [known], unknown: [unknown] }
    : { known, unknown };
}

/** The configuration part of a plan: constants, and what the other expressions refer to. */
function expressionsOf(body: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]): [string, unknown] => {
      if (!isBlock(key, value)) return [key, expressionOf(value)];
      const blocks = Array.isArray(value) ? (value as readonly unknown[]) : [value];
      return [key, blocks.map((one) => expressionsOf(isMap(one) ? one : {}))];
    }),
  );
}

function expressionOf(value: unknown): JsonMap {
  const references = [...new Set(expressionsIn(value).flatMap(referencesOf))];
  return references.length === 0 ? { constant_value: constantOf(value) } : { references };
}

function expressionsIn(value: unknown): string[] {
  if (typeof value === 'string') return templateParts(value).flatMap((part) => (part.isExpression ? [part.text] : []));
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  return isMap(value) ? Object.values(value).flatMap(expressionsIn) : [];
}

function constantOf(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$${', () => '${').replaceAll('%%{', '%{');
  if (Array.isArray(value)) return (value as readonly unknown[]).map(constantOf);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, constantOf(item)])) : value;
}

/** References with the shorter forms that Terraform lists behind each of them. */
function referencesOf(expression: string): string[] {
  const found = expression
    .replaceAll(/"(?:[^"\\$]|\\.|\$(?!\{))*"/g, '""')
    .matchAll(/\b(?:var\.\w+|data\.\w+\.\w+(?:\.\w+)?|(?:aws|kubernetes|terraform)_\w+\.\w+(?:\.\w+|\[\d+\])*)/g);
  return [...found].flatMap(([reference]) => {
    const [head = '', ...steps] = reference.split(/(?=\.|\[)/);
    const shortest = reference.startsWith('var.') ? 1 : reference.startsWith('data.') ? 2 : 1;
    const forms: string[] = [];
    for (let count = steps.length; count >= shortest; count--) forms.push([head, ...steps.slice(0, count)].join(''));
    return forms;
  });
}
