import {
  Absent,
  flatMapValue,
  Known,
  Unknown,
  type Plain,
  type Source,
  type Value,
  type When,
} from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import {
  TerraformList,
  TerraformMap,
  type TerraformItem,
  type TerraformValue,
} from '../../../../terraform/terraform-value';
import { groupInputs, groupInputsAt } from './inputs';
import { blocksOf, Given, itemsOf, listOf, mapOf, withDefault, type Attributes } from '../given';
import type { ModuleContext } from '../module-context';
import { isAtLeast, type Release } from '../../../../terraform/module/version-constraint';

/*
 * The launch templates of the node groups of terraform-aws-modules/eks/aws. Source: terraform-aws-modules/terraform-aws-eks,
 * modules/eks-managed-node-group/main.tf and variables.tf, modules/self-managed-node-group/main.tf and node_groups.tf of the tags v18.0.0,
 * v18.31.2, v19.0.0, v19.21.0, v20.0.0, v20.37.2, v21.0.0 and v21.19.0.
 */

const METADATA_OPTIONS = new Map([
  [
    0,
    new Set([
      'http_endpoint',
      'http_protocol_ipv6',
      'http_put_response_hop_limit',
      'http_tokens',
      'instance_metadata_tags',
    ]),
  ],
]);

/** What a launch template of the module needs to know of its node group. */
export interface TemplateInput {
  readonly prefix: string;
  readonly group: Given;
  /** What the call calls the group, for messages. */
  readonly where: string;
  readonly userData: TerraformValue;
  readonly securityGroups: readonly TerraformValue[];
  readonly exists: When;
}

export function declareLaunchTemplate(
  context: ModuleContext,
  { prefix, group, where, userData, securityGroups, exists }: TemplateInput,
  others: Attributes = {},
  moduleInputs = groupInputs(context),
): TerraformInstance {
  const { place } = group;
  const interfaces = group.item('network_interfaces');
  const hasInterfaces = interfaces.kind === 'unknown' || itemsOf(interfaces).length > 0;
  const groups = listOf(securityGroups, place);
  const attributes: Attributes = {
    image_id: group.text('ami_id'),
    metadata_options: metadataOptions(context, group, where),
    user_data: userData,
    key_name: group.item('key_name'),
    block_device_mappings: blocksOf(group.item('block_device_mappings')),
    network_interfaces: interfacesOf(interfaces, securityGroups),
    // Interfaces take the groups instead.
    vpc_security_group_ids: hasInterfaces || efaSupport(group, interfaces).kind === 'unknown' ? undefined : groups,
    instance_market_options: optionBlock(group.item('instance_market_options')),
    tag_specifications: tagSpecifications(context, group),
    ...others,
  };
  return context.declare(`${prefix}aws_launch_template.this[0]`, attributes, place, exists, {
    moduleInputs,
    ...groupInputsAt(prefix),
  });
}

/** With EFA the module makes interfaces of what AWS says of the instance type. */
function efaSupport(group: Given, other: TerraformValue): TerraformValue {
  return flatMapValue(group.flag('enable_efa_support', false), (plain): TerraformValue => {
    if (plain.kind === 'known' && !plain.value) return other;
    return new Unknown('the module makes network interfaces for EFA', plain.source);
  });
}

/** The groups of the template go to every interface. */
function interfacesOf(interfaces: TerraformValue, groups: readonly TerraformValue[]): TerraformValue {
  return flatMapValue(interfaces, (plain): Plain<TerraformItem> => {
    if (plain.kind !== 'known' || !(plain.value instanceof TerraformList)) return plain;
    const items = plain.value.items.map((item) =>
      flatMapValue(item, (one): Plain<TerraformItem> => {
        if (one.kind !== 'known' || !(one.value instanceof TerraformMap)) return one;
        const { entries, more } = one.value;
        const own = itemsOf(new Given(one, one.source).item('security_groups'));
        // The module reads no subnet of it: EKS refuses one.
        const kept = [...entries].filter(([key]) => key !== 'subnet_id');
        return new Known<TerraformItem>(
          new TerraformMap(new Map([...kept, ['security_groups', listOf([...own, ...groups], one.source)]]), more),
          one.source,
        );
      }),
    );
    return new Known<TerraformItem>(new TerraformList(items), plain.source, plain.note);
  });
}

/** An object as a block; one without content is none. */
function optionBlock(value: TerraformValue): TerraformValue {
  return flatMapValue(value, (plain): Plain<TerraformItem> => {
    const isEmpty =
      plain.kind === 'known' &&
      plain.value instanceof TerraformMap &&
      plain.value.entries.size === 0 &&
      plain.value.more === undefined;
    return isEmpty ? new Absent(plain.source) : plain;
  });
}

/** Up to version 20 an object of the call stands for all of the defaults; version 21 fills in what it doesn't say. */
function metadataOptions(context: ModuleContext, group: Given, where: string): TerraformValue {
  const fills = context.versions.agreed((release) => isAtLeast(release, 21));
  const written = group.item('metadata_options');
  const given = new Given(written, group.place);
  context.warnOfIgnoredKeys(
    given,
    `${where}.metadata_options`,
    new Map(context.versions.candidates.map(([major]) => [major, METADATA_OPTIONS.get(0) ?? new Set<string>()])),
  );
  const standards: Attributes = {
    http_endpoint: context.standard('enabled', group.place),
    http_tokens: context.standard('required', group.place),
    http_put_response_hop_limit: context.byVersion(
      'http_put_response_hop_limit',
      (release) => (isAtLeast(release, 21) ? 1 : 2),
      group.place,
    ),
  };
  return flatMapValue(written, (plain): Plain<TerraformItem> => {
    if (plain.kind === 'absent') return mapOf(standards, group.place);
    if (plain.kind === 'unknown' || !(plain.value instanceof TerraformMap)) return plain;
    if (fills?.value === false) return plain;
    const options = plain.value;
    const missing = Object.entries(standards).filter(([key]) => isMissing(options, key));
    const added = missing.flatMap(([key, value]): [string, TerraformValue][] => {
      if (value === undefined) return [];
      return [
        [key, fills === undefined ? new Unknown(context.differs(key), plain.source) : atPlace(value, plain.source)],
      ];
    });
    return new Known<TerraformItem>(
      new TerraformMap(new Map([...options.entries, ...added]), options.more),
      plain.source,
      plain.note,
    );
  });
}

/** A default seen from the object that leaves it out. */
function atPlace(value: TerraformValue, place: Source): TerraformValue {
  return value.kind === 'known' ? new Known(value.value, place, value.note) : value;
}

function isMissing(options: TerraformMap, key: string): boolean {
  const entry = options.entry(key);
  return entry === undefined || entry.kind === 'absent';
}

/** Tags by resource type, with those of the call. The names of the types are what the module takes by default since version 18. */
function tagSpecifications(context: ModuleContext, group: Given): TerraformValue {
  const { place } = group;
  const types = group.or(
    'tag_specifications',
    listOf(
      ['instance', 'volume', 'network-interface'].map((type) => context.standard(type, place)),
      place,
    ),
  );
  const tags = mergedTags(
    [context.given.item('tags'), group.item('tags'), group.item('launch_template_tags')],
    context,
    place,
  );
  return flatMapValue(types, (plain): Plain<TerraformItem> => {
    if (plain.kind !== 'known') return plain;
    return listOf(
      itemsOf(plain).map((type) => mapOf({ resource_type: type, tags }, place)),
      place,
    );
  });
}

function mergedTags(maps: readonly TerraformValue[], context: ModuleContext, place: Source): TerraformValue {
  const merged = new Map<string, TerraformValue>([['Name', context.fixed('', place)]]);
  for (const map of maps) {
    if (map.kind === 'choice') return new Unknown('which tags it has depends on conditions', place);
    if (map.kind === 'unknown') return new Unknown(map.reason, place);
    if (map.kind === 'known' && map.value instanceof TerraformMap) {
      if (map.value.more !== undefined) return map.value.more;
      for (const [key, value] of map.value.entries) merged.set(key, value);
    }
  }
  return new Known<TerraformItem>(new TerraformMap(merged), place);
}

/** Whether the group uses a launch template, and whether the module makes it. */
export interface TemplateUse {
  readonly uses: Value<boolean>;
  readonly creates: Value<boolean>;
  /** By which version 18 refers to a template that it doesn't create. */
  readonly name: TerraformValue;
}

/** @param standardName what the template is called where the call gives it no name: in the module itself like the group */
export function templateUse(context: ModuleContext, group: Given, standardName: string): TemplateUse {
  const name = group.or('launch_template_name', new Known(standardName, group.place));
  const creates = group.flag('create_launch_template', true);
  const uses = (release: Release): Value<boolean> => {
    if (isAtLeast(release, 19)) return group.flag('use_custom_launch_template', true);
    // Version 18 takes an empty name for "none", in its first releases even of a template that it creates.
    const named = isName(name);
    if (!isAtLeast(release, 18, 2, 5)) return named;
    return flatMapValue(creates, (plain): Value<boolean> => (plain.kind === 'known' && plain.value ? plain : named));
  };
  return { uses: context.inEach('use_custom_launch_template', uses, group.place), creates, name };
}

function isName(name: TerraformValue): Value<boolean> {
  return flatMapValue(name, (plain): Plain<boolean> => {
    if (plain.kind === 'unknown' && plain.reference === undefined) return plain;
    return new Known(plain.kind !== 'known' || plain.value !== '', plain.source);
  });
}

/** `launch_template` of a node group. */
export function templateReference(
  context: ModuleContext,
  group: Given,
  { uses, creates, name }: TemplateUse,
  template: TerraformInstance | undefined,
): TerraformValue {
  const { place } = group;
  const own = (attribute: string) => () =>
    template === undefined ? new Absent(place) : context.reference(template, attribute, place);
  const byName = context.versions.agreed((release) => !isAtLeast(release, 19));
  const other =
    byName === undefined
      ? context.unknown(context.differs('launch_template_id'), place)
      : byName.value
        ? new Absent(place)
        : group.text('launch_template_id');
  const id = context.conditional(creates, own('id'), other);
  const otherName = byName?.value === true ? context.conditional(creates, () => new Absent(place), name) : undefined;
  const standard = context.conditional(creates, own('default_version'), context.standard('$Default', place));
  const block = mapOf(
    { id, name: otherName, version: withDefault(group.text('launch_template_version'), standard) },
    place,
  );
  return context.conditional(uses, () => listOf([block], place), new Absent(place));
}
