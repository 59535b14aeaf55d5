import { Absent, always, Known, type Source, sourceOf } from '../../../../lib/value';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import type { KnownModule, KnownModuleCall } from '../../../../lib/terraform/known-module';
import type { TerraformInstance } from '../../../../lib/terraform/instance';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { TerraformMap, type TerraformValue } from '../../../../lib/terraform/terraform-value';
import { at, findingsIn, valueOf, type Written } from '../../../terraform/instances';

export type Given = Readonly<Record<string, Written>>;

export interface CallOptions {
  readonly source?: string;
  /** Null: none is written. */
  readonly version?: string | null;
  readonly address?: string;
  readonly region?: string;
  readonly exists?: KnownModuleCall['exists'];
}

export const EKS = 'terraform-aws-modules/eks/aws';

export function callOf(
  given: Given,
  { source = EKS, version = '21.19.0', address = 'module.eks', region, exists = always }: CallOptions = {},
): KnownModuleCall {
  const values = valueOf(given);
  const argumentPlace = (name: string): Source => {
    const entry =
      values.kind === 'known' && values.value instanceof TerraformMap ? values.value.entries.get(name) : undefined;
    return entry === undefined ? at(address) : sourceOf(entry);
  };
  return {
    source,
    version: version === null ? new Absent(at(address)) : new Known(version, at('version')),
    address,
    arguments: values,
    argumentPlace,
    place: at(address),
    stack: 'root',
    region,
    frontEnd: 'terraform',
    path: undefined,
    exists,
    isNotEnabled: false,
  };
}

/** A call of a module that is known. */
export function expand(given: Given, options: CallOptions = {}): KnownModule {
  const module = expandKnownModule(callOf(given, options));
  if (module === undefined) throw new Error('the module is not known');
  return module;
}

export function instanceAt({ instances }: KnownModule, address: string): TerraformInstance {
  const found = instances.find((one) => one.address === address);
  if (found === undefined) throw new Error(`no ${address} among\n${instances.map((one) => one.address).join('\n')}`);
  return found;
}

/** An attribute by its path, as text: the value with its note, `absent`, or `?` and why not. */
export function attribute(module: KnownModule, address: string, ...path: readonly string[]): string {
  let value: TerraformValue = instanceAt(module, address).attributes;
  for (const key of path) {
    if (value.kind !== 'known') break;
    const { value: item, source } = value;
    value =
      (item instanceof TerraformMap
        ? item.entry(key)
        : typeof item === 'object'
          ? item.items[Number(key)]
          : undefined) ?? new Absent(source);
  }
  return shown(value);
}

export function shown(value: TerraformValue): string {
  if (value.kind === 'absent') return 'absent';
  if (value.kind === 'choice')
    return value.alternatives.map((one) => `${one.when.text}: ${shown(one.value)}`).join('; ');
  if (value.kind === 'unknown') return `?${value.text ?? ` ${value.reason}`}`;
  const { value: item, note } = value;
  const text =
    typeof item !== 'object'
      ? String(item)
      : item instanceof TerraformMap
        ? `{${[...item.entries].map(([key, one]) => `${key}=${shown(one)}`).join(', ')}}`
        : `[${item.items.map(shown).join(', ')}]`;
  return note === undefined ? text : `${text} (${note})`;
}

/** What the calendar says of a Kubernetes version. */
const SCENERY = /^cluster-(?:version|support)-/;

/** The CNI works with the role of the nodes, as it does unless somebody gives it one of its own. */
export const CNI_ON_NODES = 'vpc-cni-role-on-nodes fail info';

/** What the rules find in modules and other resources together. */
export function findings(modules: readonly KnownModule[], others: readonly TerraformInstance[] = []): string[] {
  return findingsIn(readInstances([...modules.flatMap(({ instances }) => instances), ...others])).filter(
    (line) => !SCENERY.test(line),
  );
}

/** Messages of a module with their places. */
export function doubts({ diagnostics }: KnownModule): string[] {
  return diagnostics.map(({ message }) => message);
}
