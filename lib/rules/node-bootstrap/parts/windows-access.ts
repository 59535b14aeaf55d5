import { resourceName, type RelatedPlace, type Severity } from '../../../engine';
import {
  alternativesOf,
  amiFamilyOf,
  awsAuthOf,
  casesOf,
  Known,
  roleIdentity,
  Unknown,
  type AccessEntry,
  type ClusterView,
  type EksModel,
  type NodeGroup,
  type Plain,
  type Reference,
  type Resource,
  type Role,
  type RoleMapping,
  type Source,
  type When,
} from '../../../eks';
import type { WindowsGroup } from './windows-groups';
import { undecided } from '../../parts/case-judgements';

/**
 * What lets Windows nodes into a cluster: an access entry of type EC2_WINDOWS, or the group `eks:kube-proxy-windows` in `aws-auth`. EKS sees
 * to it for managed groups whose AMI it chooses, unless the input says otherwise.
 */

export type AccessMessage = 'awsAuth' | 'accessEntry' | 'sharedRole';

/** What becomes of one group in one case. */
export type AccessOutcome =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'unverifiable'; readonly reason: string; readonly source: Source }
  | {
      readonly verdict: 'fail';
      readonly message: AccessMessage;
      readonly severity: Severity;
      /** What the fix changes. */
      readonly resource: Resource;
      readonly source: Source;
      readonly data: Readonly<Record<string, string>>;
      readonly about?: string;
      readonly related?: readonly RelatedPlace[];
      /** If it holds in a part of the case only. */
      readonly when?: When;
    };

const PASS: readonly AccessOutcome[] = [{ verdict: 'pass' }];

const KUBE_PROXY_GROUP = 'eks:kube-proxy-windows';

/** The access of all nodes of a cluster, looked up by role. */
export class WindowsAccess {
  private readonly entries = new Map<Role | string, AccessEntry[]>();
  private linuxGroups: ReadonlyMap<Role | string, readonly LinuxGroup[]> | undefined;

  constructor(
    private readonly view: ClusterView,
    private readonly model: EksModel,
  ) {
    for (const entry of view.accessEntries) {
      for (const { value } of alternativesOf(entry.principal)) addTo(this.entries, roleIdentity(entry, value), entry);
    }
  }

  /** The outcomes of a group in one case of the cluster's authentication mode; `when` is the assumption of both. */
  judge({ group, byEks, role }: WindowsGroup, written: Plain<string>, when: When): readonly AccessOutcome[] {
    if (group.kind !== 'node-group') {
      return [
        {
          verdict: 'unverifiable',
          reason: "which role its nodes have isn't known, nor whether the cluster lets it in as one of Windows nodes",
          source: group.source,
        },
      ];
    }
    // Node groups have a role; what else there is, EKS refuses.
    if (role.kind === 'absent') return PASS;
    // Without a mode it is CONFIG_MAP, which has no access entries: if there are some, somebody has changed it.
    const mode =
      written.kind === 'absent' && this.view.accessEntries.length > 0
        ? new Known('API_AND_CONFIG_MAP', written.source)
        : written;
    const byEntry = modeIs(mode, 'CONFIG_MAP') ? [] : this.byEntries(group, role, when);
    if (byEntry.some(({ verdict }) => verdict === 'fail')) return byEntry;
    const hasEntries = byEntry.length > 0 || modeIs(mode, 'API') || modeIs(mode, 'API_AND_CONFIG_MAP');
    const shared = hasEntries ? this.shared(group, role, when) : [];
    const access = byEntry.length > 0 ? byEntry : this.withoutEntry(group, byEks, role, mode, when);
    return [...shared, ...access];
  }

  private byEntries(group: NodeGroup, role: Plain<Reference<Role>>, given: When): readonly AccessOutcome[] {
    const entries = this.entries.get(roleIdentity(group, role) ?? '') ?? [];
    return entries.flatMap((entry) => {
      const both = entry.exists.and(given);
      if (both === undefined) return [];
      return casesOf(entry, { type: entry.entryType }, both).map((one) =>
        entryOutcome(entry, one.values.type, role, one.when),
      );
    });
  }

  private withoutEntry(
    group: NodeGroup,
    byEks: boolean,
    role: Plain<Reference<Role>>,
    mode: Plain<string>,
    when: When,
  ): readonly AccessOutcome[] {
    if (!modeIs(mode, 'API')) {
      const byAwsAuth = this.byAwsAuth(group, byEks, role, mode, when);
      if (byAwsAuth !== undefined) return byAwsAuth;
    }
    if (byEks) return PASS;
    return [
      {
        verdict: 'unverifiable',
        reason:
          "the input doesn't show whether the cluster lets its nodes in as Windows nodes, and EKS doesn't know that their AMI is Windows",
        source: role.source,
      },
    ];
  }

  /** @returns undefined if `aws-auth` says nothing about the role, as far as can be seen */
  private byAwsAuth(
    group: NodeGroup,
    byEks: boolean,
    role: Plain<Reference<Role>>,
    mode: Plain<string>,
    when: When,
  ): readonly AccessOutcome[] | undefined {
    // EKS makes an access entry then, which comes before `aws-auth`.
    if (byEks && modeIs(mode, 'API_AND_CONFIG_MAP')) return undefined;
    const auth = awsAuthOf(this.view, this.model);
    const mappings = auth.mappingsOf(group, role).filter(({ manifest }) => manifest.exists.and(when) !== undefined);
    if (mappings.length > 0) return this.byMappings(mappings, byEks, role, mode);
    const doubtful = auth
      .possibleMappingsOf(group, role)
      .find((mapping) => isOfNodes(mapping) && letsIn(mapping) !== 'yes');
    if (doubtful !== undefined)
      return [
        {
          verdict: 'unverifiable',
          reason: `whether \`aws-auth\` maps its role without \`${KUBE_PROXY_GROUP}\` isn't known`,
          source: doubtful.source,
        },
      ];
    return auth.unseen === undefined
      ? undefined
      : [{ verdict: 'unverifiable', reason: auth.unseen, source: role.source }];
  }

  /**
   * Of several mappings of one role in one manifest the last one counts: so a second one can complete what CDK writes for its node groups. Of
   * several manifests the one that is applied last counts, which can be any.
   */
  private byMappings(
    all: readonly RoleMapping[],
    byEks: boolean,
    role: Plain<Reference<Role>>,
    mode: Plain<string>,
  ): readonly AccessOutcome[] {
    const counting = [...new Map(all.map((mapping) => [mapping.manifest, mapping])).values()];
    if (counting.every((mapping) => letsIn(mapping) === 'yes')) return PASS;
    const source = counting.find((mapping) => letsIn(mapping) !== 'yes')?.source ?? role.source;
    const unverifiable = (reason: string): readonly AccessOutcome[] => [{ verdict: 'unverifiable', reason, source }];
    if (counting.some((mapping) => letsIn(mapping) === 'unknown'))
      return unverifiable("the Kubernetes groups that `aws-auth` gives its role aren't known");
    if (all.some((mapping) => letsIn(mapping) !== 'no'))
      return unverifiable("`aws-auth` maps its role several times, and which of them counts isn't certain");
    if (mode.kind === 'unknown')
      return unverifiable(
        `\`aws-auth\` maps its role without \`${KUBE_PROXY_GROUP}\`, and whether the cluster goes by that isn't known: ${mode.reason}`,
      );
    const isAlone = !modeIs(mode, 'API_AND_CONFIG_MAP');
    const denied = "ube-proxy on the nodes is denied access, so that services and DNS don't work for their pods.";
    // EKS maps the role itself when it creates the group, so the manifest does harm only once it is applied again.
    const effect = byEks
      ? `EKS adds it when it creates a group, but from the next time on that this manifest is applied, k${denied}`
      : isAlone
        ? `K${denied}`
        : `Unless an access entry of type EC2_WINDOWS says otherwise, k${denied}`;
    const severity = isAlone && !byEks ? 'error' : 'warning';
    return counting.map((mapping) => ({
      verdict: 'fail',
      message: 'awsAuth',
      severity,
      resource: mapping.manifest,
      source: mapping.source,
      data: { role: nameOfRole(role), effect },
      about: nameOfRole(role),
    }));
  }

  private shared(group: NodeGroup, role: Plain<Reference<Role>>, when: When): readonly AccessOutcome[] {
    this.linuxGroups ??= linuxGroupsOf(this.view);
    const all = this.linuxGroups.get(roleIdentity(group, role) ?? '') ?? [];
    const other = all.find((one) => one.when.and(when) !== undefined)?.group;
    if (other === undefined) return [];
    return [
      {
        verdict: 'fail',
        message: 'sharedRole',
        severity: 'warning',
        resource: group,
        source: role.source,
        data: { role: nameOfRole(role), other: resourceName(other) },
        related: [{ message: `node group "${resourceName(other)}" has the same role`, source: other.source }],
      },
    ];
  }
}

/** Types that the documentation says a Windows node doesn't work with. */
function entryOutcome(
  entry: AccessEntry,
  type: Plain<string>,
  role: Plain<Reference<Role>>,
  when: When,
): AccessOutcome {
  if (type.kind === 'unknown') return undecided("the type of the access entry of its role isn't known", type);
  const name = type.kind === 'known' && type.value !== '' ? type.value : 'STANDARD';
  const upper = name.toUpperCase();
  if (upper === 'EC2_WINDOWS') return { verdict: 'pass' };
  const isLinux = upper === 'EC2_LINUX';
  const effect = isLinux
    ? "That doesn't let kube-proxy of Windows in, so that services and DNS don't work for pods on these nodes."
    : "That isn't for Windows nodes: kubelet and kube-proxy are likely to be denied access.";
  const shown = type.kind === 'known' ? `type ${name}` : `no type, which makes it ${name}`;
  return {
    verdict: 'fail',
    message: 'accessEntry',
    severity: isLinux ? 'error' : 'warning',
    resource: entry,
    source: type.source,
    data: { role: nameOfRole(role), type: shown, effect },
    when,
  };
}

/** Whether a mapping has the group that kube-proxy of Windows needs. */
function letsIn({ groups }: RoleMapping): 'yes' | 'no' | 'unknown' {
  if (groups === undefined) return 'unknown';
  if (groups.includes(KUBE_PROXY_GROUP)) return 'yes';
  return groups.some((group) => group.includes('${')) ? 'unknown' : 'no';
}

/** Whether a mapping may be that of nodes, rather than of people. */
function isOfNodes({ groups }: RoleMapping): boolean {
  return groups === undefined || groups.some((group) => group === 'system:nodes' || group.includes('${'));
}

function modeIs(mode: Plain<string>, name: string): boolean {
  return mode.kind === 'known' ? mode.value === name : false;
}

function nameOfRole(role: Plain<Reference<Role>>): string {
  if (role.kind === 'known') return role.value.target === undefined ? role.value.text : resourceName(role.value.target);
  return role instanceof Unknown ? (role.text ?? 'of its nodes') : '';
}

interface LinuxGroup {
  readonly group: NodeGroup;
  readonly when: When;
}

/** By role; of those that exist under the same condition only the first. */
function linuxGroupsOf(view: ClusterView): ReadonlyMap<Role | string, readonly LinuxGroup[]> {
  const byRole = new Map<Role | string, Map<string, LinuxGroup>>();
  for (const group of view.nodeGroups) {
    for (const { when, values } of casesOf(group, { family: amiFamilyOf(group, view), role: group.nodeRole })) {
      const both = group.exists.and(when);
      if (both === undefined || values.family.kind !== 'known' || values.family.value === 'WINDOWS') continue;
      const role = roleIdentity(group, values.role);
      if (role === undefined) continue;
      const known = byRole.get(role) ?? new Map<string, LinuxGroup>();
      byRole.set(role, known);
      if (!known.has(both.text)) known.set(both.text, { group, when: both });
    }
  }
  return new Map(Array.from(byRole, ([role, groups]) => [role, [...groups.values()]]));
}

function addTo<K, T>(map: Map<K, T[]>, key: K | undefined, item: T): void {
  if (key === undefined) return;
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
