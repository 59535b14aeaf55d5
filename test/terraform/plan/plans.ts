import type { PlanInput } from '../../../lib/terraform/plan/plan';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../lib/terraform/terraform-value';

/** A value as plain data: `?` and what is known of an unknown one, null for an absent one. */
export function shown(value: TerraformValue): unknown {
  if (value.kind === 'choice') return value.alternatives.map((alternative) => shown(alternative.value));
  if (value.kind === 'absent') return null;
  if (value.kind === 'unknown') return `?${value.text ?? ''}`;
  const { value: item } = value;
  if (item instanceof TerraformList) return item.items.map(shown);
  if (!(item instanceof TerraformMap)) return item;
  return Object.fromEntries([...item.entries].map(([key, entry]) => [key, shown(entry)]));
}

/** The value at a path of an instance. */
export function valueAt(plan: PlanInput, address: string, ...path: readonly (string | number)[]): TerraformValue {
  const instance = plan.instances.find((one) => one.address === address);
  if (instance === undefined) throw new Error(`there is no ${address}`);
  let value = instance.attributes;
  for (const step of path) {
    const item: unknown = value.kind === 'known' ? value.value : undefined;
    const inner =
      item instanceof TerraformList
        ? item.items[Number(step)]
        : item instanceof TerraformMap
          ? (item.entries.get(String(step)) ?? item.more)
          : undefined;
    if (inner === undefined) throw new Error(`${address} has no ${path.join('.')}`);
    value = inner;
  }
  return value;
}

export interface ChangeOptions {
  readonly after?: unknown;
  readonly unknown?: unknown;
  readonly sensitive?: unknown;
  readonly actions?: readonly string[];
  readonly mode?: 'managed' | 'data';
}

/** One entry of `resource_changes`. */
export function change(address: string, options: ChangeOptions = {}): Record<string, unknown> {
  const [, module, data, type, name, index] =
    /^((?:module\.\w+(?:\[[^\]]*\])?\.)*)(data\.)?(\w+)\.(\w+)(?:\[(.*)\])?$/.exec(address) ?? [];
  return {
    address,
    ...(module === '' ? {} : { module_address: module?.slice(0, -1) }),
    mode: data === undefined ? 'managed' : 'data',
    type,
    name,
    ...(index === undefined ? {} : { index: JSON.parse(index) as unknown }),
    change: {
      actions: options.actions ?? ['create'],
      before: null,
      after: options.after ?? {},
      after_unknown: options.unknown ?? {},
      after_sensitive: options.sensitive ?? {},
    },
  };
}

/** The configuration of one resource: what each attribute refers to. */
export function configured(
  address: string,
  expressions: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const [, data, type, name] = /^(data\.)?(\w+)\.(\w+)$/.exec(address) ?? [];
  return {
    address,
    mode: data === undefined ? 'managed' : 'data',
    type,
    name,
    provider_config_key: 'aws',
    expressions,
    ...more,
  };
}

/** An expression; the short forms of its references are added, as Terraform does. */
export function refers(...references: readonly string[]): { references: string[] } {
  return {
    references: references.flatMap((reference) => {
      const forms = [reference];
      for (let short = reference; /[.[]/.test(short.slice(short.indexOf('.') + 1)); forms.push(short))
        short = short.replace(/(?:\.[^.[]+|\[[^\]]*\])$/, '');
      return forms;
    }),
  };
}

export function planText(
  changes: readonly unknown[],
  rootModule: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: { root_module: {} },
    resource_changes: changes,
    configuration: { root_module: rootModule },
    ...more,
  });
}
