import {
  beforeOf,
  casesOf,
  type ClusterView,
  type NodeGroup,
  type Plain,
  type Reference,
  type When,
} from '../../../eks';

/** How the replacement of a node group goes. */
type Replacement =
  /** The new group is to have the name of the old one, which is still there then. */
  | { readonly kind: 'name-taken'; readonly name: string }
  /** The old group and its nodes are gone before there is the new one. */
  | { readonly kind: 'deleted-first' }
  /** The old group has nodes until the new one is there, or has none at all. */
  | { readonly kind: 'harmless' }
  | { readonly kind: 'unverifiable'; readonly reason: string };

export interface ReplacementCase {
  readonly when: When;
  readonly replacement: Replacement;
  readonly amiType: Plain<string>;
  readonly amiTypeBefore: Plain<string>;
}

/**
 * How a group that exists is replaced. None for a group that isn't replaced, or whose replacement nothing forces: then somebody has asked for it, or its
 * creation has failed. None, too, for a group of a cluster that is replaced itself, beside which the group doesn't count.
 */
export function replacementsOf(nodeGroup: NodeGroup, { cluster }: ClusterView): readonly ReplacementCase[] {
  const { planned } = nodeGroup;
  const before = beforeOf(nodeGroup);
  if (
    before === undefined ||
    planned?.action !== 'replace' ||
    planned.replacedBecause.length === 0 ||
    cluster?.planned?.action === 'replace'
  )
    return [];
  const values = {
    amiType: nodeGroup.amiType,
    amiTypeBefore: before.amiType,
    desired: before.desiredSize,
    name: nodeGroup.name,
    nameBefore: before.name,
    cluster: nodeGroup.cluster,
    clusterBefore: before.cluster,
  };
  return casesOf(nodeGroup, values).map(({ when, values: plain }) => {
    const { amiType, amiTypeBefore, desired } = plain;
    const isEmpty = desired.kind === 'known' && Number(desired.value) === 0;
    return {
      when,
      amiType,
      amiTypeBefore,
      replacement: isEmpty ? { kind: 'harmless' } : planned.isCreatedFirst ? beside(plain) : { kind: 'deleted-first' },
    };
  });
}

interface Names {
  readonly name: Plain<string>;
  readonly nameBefore: Plain<string>;
  readonly cluster: Plain<Reference<unknown>>;
  readonly clusterBefore: Plain<Reference<unknown>>;
}

/** What becomes of two groups that exist at the same time. */
function beside({ name, nameBefore, cluster, clusterBefore }: Names): Replacement {
  // A group without name gets one of its own.
  if (name.kind === 'absent') return { kind: 'harmless' };
  if (name.kind === 'unknown')
    return {
      kind: 'unverifiable',
      reason: `it is replaced, and whether the new group has another name isn't known: ${name.reason}`,
    };
  if (nameBefore.kind !== 'known' || name.value !== nameBefore.value) return { kind: 'harmless' };
  if (clusterBefore.kind !== 'known' || cluster.kind !== 'known')
    return {
      kind: 'unverifiable',
      reason: "it is replaced, and whether the new group is in the same cluster isn't known",
    };
  return cluster.value.text === clusterBefore.value.text
    ? { kind: 'name-taken', name: name.value }
    : { kind: 'harmless' };
}

/** Attributes in a sentence: "`disk_size` and `subnet_ids`". */
export function attributesText(attributes: readonly string[]): string {
  const shown = attributes.map((attribute) => `\`${attribute}\``);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}
