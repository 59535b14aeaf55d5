import type { Allowed, MissingPermissions, RolePermissions } from '../iam';
import { cniPermissions } from '../../knowledge';
import type { IpFamily } from './ip-family';

/**
 * The calls that the CNI makes on an IP family in any version, but for `createTags`.
 * @internal tests compare it with the managed policies
 */
export function coreActions(family: IpFamily): readonly string[] {
  return (coreActionsMemo ??= makeCoreActions())[family];
}

let coreActionsMemo: Readonly<Record<IpFamily, readonly string[]>> | undefined;

function makeCoreActions(): Readonly<Record<IpFamily, readonly string[]>> {
  const { fatalAtStart, ipv6Prefix, moreInterfaces, givingBack } = cniPermissions;
  return {
    ipv4: [...fatalAtStart.ipv4, ...moreInterfaces, ...givingBack].sort(),
    ipv6: [...fatalAtStart.ipv6, ...ipv6Prefix].sort(),
  };
}

/** What of {@link coreActions} is lacking. */
export function lackOfCore(permissions: RolePermissions, family: IpFamily): MissingPermissions {
  return permissions.missing(coreActions(family));
}

/** Whether network interfaces may be tagged, which the CNI does at start-up and whenever it adds one. */
export function mayTagInterfaces(permissions: RolePermissions): Allowed {
  const { action, resource } = cniPermissions.createTags;
  // Whether a hand-written ARN has the right partition is another rule's business.
  return permissions.allows(action, resource.replace('${partition}', '*'));
}

/** Whether anything is allowed that only a network plugin does. Describe calls don't count: every node may make them. */
export function hasCniPermissions(permissions: RolePermissions): Allowed {
  let result: Allowed = 'denied';
  for (const action of pluginActions()) {
    const answer = permissions.allows(action);
    if (answer === 'allowed') return answer;
    if (answer === 'unknown') result = answer;
  }
  return result;
}

let pluginActionsMemo: readonly string[] | undefined;

function pluginActions(): readonly string[] {
  return (pluginActionsMemo ??= [...new Set([...coreActions('ipv4'), ...coreActions('ipv6')])].filter(
    (action) => !action.includes(':Describe'),
  ));
}
