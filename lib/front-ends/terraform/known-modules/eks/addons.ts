import { Absent, alternativesOf, Known, Unknown, type Source } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import { asBoolean, type TerraformValue } from '../../../../terraform/terraform-value';
import { Given, withDefault, type Attributes, type Entry } from '../given';
import { inputsWithOneConflictMode } from '../module-context';
import { EKS_ADDON } from '../names';
import { isAtLeast, type Release } from '../../../../terraform/module/version-constraint';
import type { ClusterParts } from './cluster';
import type { EksArguments } from './eks-arguments';

/*
 * The add-ons of terraform-aws-modules/eks/aws. Source: terraform-aws-modules/terraform-aws-eks, main.tf of the tags v18.0.0, v18.31.2,
 * v19.0.0, v19.9.0, v19.21.0, v20.0.0, v20.30.0, v20.37.2, v21.0.0 and v21.19.0; variables.tf of v21.19.0.
 */

/** @returns the add-ons by their key */
export function declareAddons(given: EksArguments, parts: ClusterParts): ReadonlyMap<string, TerraformInstance> {
  const { context } = given;
  const { entries, more } = given.regionalEntries('cluster_addons');
  const addons = new Map<string, TerraformInstance>();
  for (const entry of entries) for (const addon of declareAddon(given, parts, entry)) addons.set(entry.key, addon);
  if (more !== undefined) {
    const address = 'aws_eks_addon.this["?"]';
    context.declare(
      address,
      {
        cluster_name: context.reference(parts.cluster, 'name'),
        addon_name: more,
        addon_version: more,
        configuration_values: more,
        ...conflicts(more, more),
        service_account_role_arn: more,
      },
      more.source,
    );
  }
  return addons;
}

/** An add-on has one address or another, as it comes before the nodes or behind them; each under its condition. */
function declareAddon(given: EksArguments, parts: ClusterParts, entry: Entry): readonly TerraformInstance[] {
  const { context } = given;
  const addon = new Given(entry.value, entry.value.source);
  context.warnOfIgnoredKeys(addon, `${given.name('cluster_addons')}.${entry.key}`, EKS_ADDON);
  const looked = lookedUp(given, addon, entry);
  const early =
    context.versions.agreed((release) => isAtLeast(release, 19, 9))?.value === false
      ? asBoolean(new Known(false, addon.place))
      : addon.flag('before_compute', false);
  return alternativesOf(early).flatMap(({ when, value }): readonly TerraformInstance[] => {
    const exists = entry.when.and(when);
    if (exists === undefined) return [];
    const isEarly = value.kind === 'known' && value.value;
    const nodes = [`${context.call.address}.module.eks_managed_node_group`];
    const waits = value.kind === 'unknown' ? { mayWaitFor: nodes } : isEarly ? {} : { waitsFor: nodes };
    return [
      context.declare(
        `aws_eks_addon.${isEarly ? 'before_compute' : 'this'}[${JSON.stringify(entry.key)}]`,
        attributesOf(given, parts, addon, entry, looked),
        addon.place,
        exists,
        {
          ...waits,
          moduleInputs: inputsOf(given, addon),
          inputsAt: `${given.name('cluster_addons')}[${JSON.stringify(entry.key)}]`,
        },
      ),
    ];
  });
}

/** Arguments that version 19 has only from a minor release on. */
const LATER_IN_19: ReadonlyMap<string, number> = new Map([
  ['before_compute', 9],
  ['configuration_values', 1],
]);

/** The arguments that every version in question reads, or that the call writes already, by what the module calls them. */
function inputsOf({ context }: EksArguments, addon: Given): ReadonlyMap<string, string> {
  const { versions, release } = context;
  const isRead = (name: string) => {
    const minor = LATER_IN_19.get(name);
    return (
      versions.candidates.every(([major]) => EKS_ADDON.get(major)?.has(name) === true) &&
      (minor === undefined || versions.agreed((one) => isAtLeast(one, 19, minor))?.value === true)
    );
  };
  // Whether the order can be said is a matter of the version alone.
  const isWritten = (name: string) => name !== 'before_compute' && addon.writes(name);
  const names = [...(EKS_ADDON.get(release[0]) ?? [])].filter((name) => isWritten(name) || isRead(name));
  return names.includes('resolve_conflicts')
    ? inputsWithOneConflictMode(names)
    : new Map(names.map((name) => [name, name]));
}

function attributesOf(
  given: EksArguments,
  parts: ClusterParts,
  addon: Given,
  { key }: Entry,
  looked: TerraformValue,
): Attributes {
  const { context } = given;
  const { place } = addon;
  return {
    cluster_name: context.reference(parts.cluster, 'name', place),
    addon_name: addon.or('name', new Known(key, place)),
    addon_version: addon.or('addon_version', looked),
    configuration_values: since(given, addon, 'configuration_values', (release) => isAtLeast(release, 19, 1)),
    service_account_role_arn: addon.text('service_account_role_arn'),
    pod_identity_association: since(given, addon, 'pod_identity_association', (release) => isAtLeast(release, 20, 29)),
    preserve: addon.or(
      'preserve',
      context.byVersion('preserve', (release) => (isAtLeast(release, 20) ? true : undefined), place),
    ),
    ...conflictsOf(given, addon),
  };
}

/**
 * Without a version the module asks AWS at every plan: from 21.0.5 on for the newest one unless told otherwise, in 19 and 20 for the default
 * one. In 18, and by a slip in the first releases of 21, it leaves the version to EKS when it creates the add-on.
 */
function lookedUp({ context }: EksArguments, addon: Given, { key, when }: Entry): TerraformValue {
  const { place } = addon;
  const kind = context.versions.agreed((release) =>
    isAtLeast(release, 21, 0, 5) ? 'newest' : isAtLeast(release, 19) && !isAtLeast(release, 21) ? 'default' : 'once',
  );
  const written = addon.item('most_recent');
  if (kind?.value === 'once' || (kind === undefined && written.kind === 'absent')) return new Absent(place);
  const attributes = {
    addon_name: addon.or('name', new Known(key, place)),
    most_recent: kind?.value === 'newest' ? withDefault(written, context.standard(true, place)) : written,
  };
  return context.reference(
    context.declare(`data.aws_eks_addon_version.this[${JSON.stringify(key)}]`, attributes, place, when),
    'version',
    place,
  );
}

/** A key that later versions read. */
function since(given: EksArguments, addon: Given, key: string, isRead: (release: Release) => boolean): TerraformValue {
  const { context } = given;
  const agreed = context.versions.agreed(isRead);
  const item = addon.item(key);
  if (agreed?.value === true) return item;
  if (agreed === undefined)
    return item.kind === 'absent'
      ? item
      : context.unknown(`whether the module reads ${key} differs between the versions that are allowed`, addon.place);
  // What no release of the major version reads is told with the other keys.
  const isOfMajor = EKS_ADDON.get(context.release[0])?.has(key) === true;
  if (item.kind !== 'absent' && isOfMajor)
    context.warn(
      placeOf(item, addon.place),
      `${context.name} ${context.versions.text ?? ''} ignores \`${key}\`, which later releases read`,
    );
  return new Absent(addon.place);
}

function placeOf(value: TerraformValue, other: Source): Source {
  return value.kind === 'choice' ? other : value.source;
}

function conflicts(create: TerraformValue, update: TerraformValue): Attributes {
  return { resolve_conflicts_on_create: create, resolve_conflicts_on_update: update };
}

/** Up to version 19 there is one setting for both occasions. */
function conflictsOf(given: EksArguments, addon: Given): Attributes {
  const { context } = given;
  const { place } = addon;
  const separate = context.versions.agreed((release) => isAtLeast(release, 20));
  if (separate === undefined) {
    const unknown = (key: string) =>
      addon.item(key).kind === 'absent' ? new Unknown(context.differs(key), place) : addon.item(key);
    return conflicts(unknown('resolve_conflicts_on_create'), unknown('resolve_conflicts_on_update'));
  }
  if (!separate.value) {
    const both = context.byVersion(
      'resolve_conflicts',
      (release) => (isAtLeast(release, 19) ? 'OVERWRITE' : undefined),
      place,
    );
    return { resolve_conflicts: addon.or('resolve_conflicts', both) };
  }
  return conflicts(
    addon.or('resolve_conflicts_on_create', onCreate(given, addon)),
    addon.or(
      'resolve_conflicts_on_update',
      context.byVersion('resolve_conflicts_on_update', () => 'OVERWRITE', place),
    ),
  );
}

/** From 20.30 on it depends on whether EKS installs the add-ons of its own; from 21 on it doesn't, and the module says so. */
function onCreate(given: EksArguments, { place }: Given): TerraformValue {
  const { context } = given;
  const kind = context.versions.agreed((release) =>
    isAtLeast(release, 21) ? 'never' : isAtLeast(release, 20, 30) ? 'asked' : 'always',
  );
  if (kind === undefined) return new Unknown(context.differs('resolve_conflicts_on_create'), place);
  if (kind.value !== 'asked') return context.standard(kind.value === 'never' ? 'NONE' : 'OVERWRITE', place);
  const selfManaged = asBoolean(withDefault(given.item('bootstrap_self_managed_addons'), new Known(true, place)));
  return context.conditional(selfManaged, () => context.standard('OVERWRITE', place), context.standard('NONE', place));
}
