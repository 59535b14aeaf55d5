import { EKS } from '../names';

/** Names that version 21 changed in another way than by leaving out `cluster_`. Source: terraform-aws-modules/terraform-aws-eks v21.0.0, docs/UPGRADE-21.0.md. */
const RENAMED: Readonly<Record<string, string>> = { cluster_version: 'kubernetes_version' };

/** What a variable of versions up to 20 is called in version 21; undefined if there is no more of it. */
export function nameInV21(name: string): string | undefined {
  const names = EKS.get(21);
  const next =
    (Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined) ??
    (names?.has(name) === true ? name : name.replace('cluster_', ''));
  return names?.has(next) === true ? next : undefined;
}

/** What a variable of version 21 was called before; undefined if there was none. */
export function nameBeforeV21(name: string): string | undefined {
  return [...(EKS.get(20) ?? [])].find((old) => old !== name && nameInV21(old) === name);
}

/** Variables that ended with version 21, and what to write instead. */
export const ENDED_WITH_20: Readonly<Record<string, string>> = {
  eks_managed_node_group_defaults: 'write the values in each of eks_managed_node_groups',
  self_managed_node_group_defaults: 'write the values in each of self_managed_node_groups',
  fargate_profile_defaults: 'write the values in each of fargate_profiles',
  bootstrap_self_managed_addons: 'the module always sets it to false',
  enable_security_groups_for_pods: 'attach AmazonEKSVPCResourceController with iam_role_additional_policies',
};
