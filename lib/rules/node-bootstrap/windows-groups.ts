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
} from '../../eks';

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

/** The Windows groups of a cluster, one entry for each case. */
export function windowsGroupsOf(view: ClusterView): readonly WindowsGroup[] {
  return [...view.nodeGroups, ...view.selfManagedNodeGroups].flatMap((group): readonly WindowsGroup[] => {
    const family = amiFamilyOf(group, view);
    if (!alternativesOf(family).some(({ value }) => value.kind === 'known' && value.value === 'WINDOWS')) return [];
    const none = new Absent(group.source);
    const isManaged = group.kind === 'node-group';
    const values = { family, amiType: isManaged ? group.amiType : none, role: isManaged ? group.nodeRole : none };
    return casesOf(group, values).flatMap(
      ({ when, values: { family: system, amiType, role } }): readonly WindowsGroup[] => {
        const both = group.exists.and(when);
        if (both === undefined || system.kind !== 'known' || system.value !== 'WINDOWS') return [];
        return [{ group, when: both, byEks: amiType.kind === 'known' && amiType.value !== 'CUSTOM', role }];
      },
    );
  });
}

/** Names of groups for a message: `node groups "A" and "B"`. */
export function namesOf(groups: readonly Resource[]): readonly string[] {
  return [...new Set(groups.map((group) => `"${resourceName(group)}"`))];
}
