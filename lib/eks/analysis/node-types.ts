import { amiType } from '../../knowledge/ami-types';
import { instanceType, instanceTypesAsOf, type InstanceType } from '../../knowledge/instance-types';
import { casesOf } from '../model/existence';
import { imageOf, launchTemplateOf, type AnyNodeGroup } from './node-group';
import type { LaunchTemplate } from '../model/resources';
import { cases, type Plain, type Source, type Value, type When } from '../../value';

/** What EKS starts when neither a managed group nor its launch template names an instance type, and its AMI isn't for arm64. */
const DEFAULT_INSTANCE_TYPE = 't3.medium';

/** The instance types that a group may start, with their facts, in one case of its conditions. */
export interface NodeTypes {
  readonly group: AnyNodeGroup;
  /** Where the group exists and may start these. */
  readonly when: When;
  /** Those that the table has, in the order of the input. */
  readonly types: readonly InstanceType[];
  /** Why there may be others, as a sentence of its own; undefined if these are all. */
  readonly doubt: string | undefined;
  /** What names the types: the group, or its launch template. Where neither does, the group. */
  readonly owner: AnyNodeGroup | LaunchTemplate;
  /** Nothing names one, so that EKS starts {@link DEFAULT_INSTANCE_TYPE}. */
  readonly isDefault: boolean;
  /** Where they are named, or would be. */
  readonly source: Source;
}

/** The cases of a group's instance types, at least one where the group can exist; worked out once. */
export function nodeTypesOf(group: AnyNodeGroup): readonly NodeTypes[] {
  let found = known.get(group);
  if (found === undefined) {
    found = casesOf(group, { own: group.instanceTypes, template: launchTemplateOf(group) }).flatMap(
      ({ when, values: { own, template } }) => ofGroup(group, own, template, when),
    );
    known.set(group, found);
  }
  return found;
}

const known = new WeakMap<AnyNodeGroup, readonly NodeTypes[]>();

function ofGroup(
  group: AnyNodeGroup,
  own: Plain<readonly Value<string>[]>,
  template: Plain<LaunchTemplate>,
  when: When,
): readonly NodeTypes[] {
  if (own.kind === 'unknown') return open(group, when, own.source, `its instance types aren't known: ${own.reason}`);
  if (own.kind === 'known' && own.value.length > 0) return ofList(group, own.value, own.source, when);
  if (template.kind === 'unknown')
    return open(group, when, template.source, `its launch template can't be judged: ${template.reason}`);
  if (template.kind === 'absent') return byDefault(group, own.source, when);
  const { instanceType: type, instanceRequirements } = template.value;
  return casesOf(group, { type, instanceRequirements }, when).flatMap(({ when: given, values }) => {
    if (values.type.kind === 'known')
      return ofNames(group, [values.type], { owner: template.value, source: values.type.source }, given);
    if (values.type.kind === 'unknown')
      return open(
        group,
        given,
        values.type.source,
        `the instance type of its launch template isn't known: ${values.type.reason}`,
      );
    if (values.instanceRequirements.kind === 'absent') return byDefault(group, own.source, given);
    return open(
      group,
      given,
      values.instanceRequirements.source,
      'its launch template chooses instance types by their properties',
    );
  });
}

function ofList(group: AnyNodeGroup, list: readonly Value<string>[], source: Source, when: When): readonly NodeTypes[] {
  const place = { owner: group, source };
  if (list.every(isPlain)) return ofNames(group, list, place, when);
  // One case per combination of the items' alternatives; far too many of them count as unknown.
  return cases(Object.fromEntries(list.entries())).flatMap(({ when: inner, values }) => {
    const both = when.and(inner);
    return both === undefined || group.exists.and(both) === undefined
      ? []
      : ofNames(group, Object.values(values), place, both);
  });
}

function isPlain(value: Value<string>): value is Plain<string> {
  return value.kind !== 'choice';
}

function ofNames(
  group: AnyNodeGroup,
  names: readonly Plain<string>[],
  place: Pick<NodeTypes, 'owner' | 'source'>,
  when: When,
): readonly NodeTypes[] {
  const exists = existing(group, when);
  if (exists === undefined) return [];
  const types: InstanceType[] = [];
  let doubt: string | undefined;
  for (const name of names) {
    if (name.kind === 'absent') continue;
    const type = name.kind === 'known' ? instanceType(name.value) : undefined;
    if (type !== undefined) types.push(type);
    else
      doubt ??=
        name.kind === 'known'
          ? `instance type ${name.value} is not in the table of ${instanceTypesAsOf()}`
          : `one of its instance types isn't known: ${name.reason}`;
  }
  if (types.length === 0) doubt ??= 'it names no instance type';
  return [{ group, when: exists, types, doubt, isDefault: false, ...place }];
}

function byDefault(group: AnyNodeGroup, source: Source, when: When): readonly NodeTypes[] {
  const type = instanceType(DEFAULT_INSTANCE_TYPE);
  if (group.kind === 'self-managed-node-group' || type === undefined)
    return open(group, when, source, 'it names no instance type');
  return casesOf(group, { ami: group.amiType, image: imageOf(group) }, when).flatMap(
    ({ when: given, values: { ami, image } }) => {
      const named = ami.kind === 'known' ? amiType(ami.value) : undefined;
      const architecture =
        named?.architecture ?? (image.kind === 'known' ? image.value.architecture : undefined) ?? type.architecture;
      if (
        (named === undefined && ami.kind !== 'absent') ||
        architecture !== type.architecture ||
        named?.accelerator !== undefined
      ) {
        return open(
          group,
          given,
          source,
          "it names no instance type, and AWS doesn't document which one EKS takes for its AMI",
        );
      }
      const exists = existing(group, given);
      return exists === undefined
        ? []
        : [{ group, when: exists, types: [type], doubt: undefined, owner: group, isDefault: true, source }];
    },
  );
}

function open(group: AnyNodeGroup, when: When, source: Source, doubt: string): readonly NodeTypes[] {
  const exists = existing(group, when);
  return exists === undefined
    ? []
    : [{ group, when: exists, types: [], doubt, owner: group, isDefault: false, source }];
}

function existing(group: AnyNodeGroup, when: When): When | undefined {
  return group.exists.and(when);
}
