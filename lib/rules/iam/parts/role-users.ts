import type { EksModel, Role } from '../../../eks';
import { roleUsesOf } from '../../../eks/analysis/role-uses';
import { serviceAccountSubject } from '../../../eks/iam';

/** Only the user knows it. */
export const NO_SUBJECT = '<subject>';

/** Whether whoever assumes a role may do nothing, as far as all that the input has of it tells. */
export function isIdleRole(role: Role, model: EksModel): boolean {
  return role.isUnmentioned === true && role.policies.length === 0 && usersOf(model).get(role) === undefined;
}

/** The one of the accounts of the EBS driver that its role is for. Source: Amazon EBS CSI driver, docs/install.md; Amazon EKS user guide, "Amazon EBS CSI driver". */
const EBS_CONTROLLER = 'ebs-csi-controller-sa';

/** By models: each role asks. */
const users = new WeakMap<EksModel, ReadonlyMap<Role, ReadonlySet<string>>>();

/** The subjects as which something in the input uses each role; of a use that isn't known for sure, a text that is none. */
export function usersOf(model: EksModel): ReadonlyMap<Role, ReadonlySet<string>> {
  const known = users.get(model);
  if (known !== undefined) return known;
  const found = new Map<Role, Set<string>>();
  for (const { role, accounts, open, unsure } of roleUsesOf(model)) {
    if (role === undefined) continue;
    const [account, other] = accounts.length > 1 ? accounts.filter(({ name }) => name === EBS_CONTROLLER) : accounts;
    const isSure = account !== undefined && other === undefined && open === undefined && unsure === undefined;
    const subject = isSure ? serviceAccountSubject(account.namespace, account.name) : NO_SUBJECT;
    found.set(role, (found.get(role) ?? new Set()).add(subject));
  }
  users.set(model, found);
  return found;
}
