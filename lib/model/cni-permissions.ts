import type { Allowed, MissingPermissions, RolePermissions } from '../iam';
import { cniPermissions } from '../knowledge';
import type { IpFamily } from './cni';

/** What of the calls is lacking without which the CNI can't work on an IP family, in any version. */
export function lackOfCore(permissions: RolePermissions, family: IpFamily): MissingPermissions {
  return permissions.missing(family === 'ipv4' ? cniPermissions.ipv4Core : cniPermissions.ipv6Core);
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
  const { ipv4Core, ipv6Core } = cniPermissions;
  return (pluginActionsMemo ??= [...new Set([...ipv4Core, ...ipv6Core])].filter((action) => !action.includes(':Describe')));
}
