import {
  alternativesOf,
  amiFamilyOf,
  Absent,
  casesOf,
  resourceName,
  type AnyNodeGroup,
  type ClusterView,
  type Plain,
  type Reference,
  type Resource,
  type Role,
  type When,
} from '../../../eks';

/** A group as far as it starts Windows nodes. */
export interface WindowsGroup {
  readonly group: AnyNodeGroup;
  /** Where it exists and is Windows. */
  readonly when: When;
  /** EKS chooses the AMI, and so knows that it is Windows. */
  readonly byEks: boolean;
  /** Absent for self-managed groups: their role is behind the instance profile. */
  readonly role: Plain<Reference<Role>>;
}

/** The Windows groups of a cluster that can have nodes, one entry for each case. */
export function windowsGroupsOf(view: ClusterView): readonly WindowsGroup[] {
  return allWindowsGroupsOf(view).filter(({ isEmpty }) => !isEmpty);
}

/** Whether there are Windows groups, and each of them is of a maximum size of 0. */
export function hasEmptyWindowsGroupsOnly(view: ClusterView): boolean {
  const groups = allWindowsGroupsOf(view);
  return groups.length > 0 && groups.every(({ isEmpty }) => isEmpty);
}

/** Whether a size is surely 0, so that a group of which it is the maximum has no nodes. */
export function isZero(size: Plain<number | string>): boolean {
  return size.kind === 'known' && Number(size.value) === 0 && size.value !== '';
}

function allWindowsGroupsOf(view: ClusterView): readonly (WindowsGroup & { readonly isEmpty: boolean })[] {
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group) => {
    const family = amiFamilyOf(group, view);
    if (!alternativesOf(family).some(({ value }) => value.kind === 'known' && value.value === 'WINDOWS')) return [];
    const none = new Absent(group.source);
    const isManaged = group.kind === 'node-group';
    const values = {
      family,
      maximum: group.maxSize,
      amiType: isManaged ? group.amiType : none,
      role: isManaged ? group.nodeRole : none,
    };
    return casesOf(group, values).flatMap(({ when, values: { family: system, maximum, amiType, role } }) => {
      const both = group.exists.and(when);
      if (both === undefined || system.kind !== 'known' || system.value !== 'WINDOWS') return [];
      const byEks = amiType.kind === 'known' && amiType.value !== 'CUSTOM';
      return [{ group, when: both, byEks, role, isEmpty: isZero(maximum) }];
    });
  });
}

/** Names of groups for a message: `node groups "A" and "B"`. */
export function namesOf(groups: readonly Resource[]): readonly string[] {
  return [...new Set(groups.map((group) => `"${resourceName(group)}"`))];
}
