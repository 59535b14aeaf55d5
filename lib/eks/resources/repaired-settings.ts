import type { Release } from '../../terraform/module/version-constraint';

/** Arguments that not every version of the AWS provider has, with the first one that does. Source: its pull requests 24218, 29555 and 38573. */
export const NEW_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, Release>>>> = {
  aws_eks_cluster: { upgrade_policy: [5, 61, 0] },
  aws_eks_addon: { preserve: [4, 10, 0], resolve_conflicts_on_update: [5, 0, 0] },
};

/**
 * Settings of Terraform that another one of the resource overrules, so that setting them would change nothing.
 * `resolve_conflicts` is also for creation, where the provider refuses PRESERVE.
 */
export const OVERRULED_BY: Readonly<Record<string, string>> = { resolve_conflicts_on_update: 'resolve_conflicts' };

/** Why a setting of CloudFormation had better not be changed from what it is: a mode that EKS refuses, which is meant for the creation, too. */
export function whyKept(type: string, field: string, present: unknown): string | undefined {
  const isForBoth = type === 'AWS::EKS::Addon' && field === 'resolveConflictsOnUpdate';
  const isMeant = typeof present === 'string' && present !== 'OVERWRITE' && present.toUpperCase() === 'OVERWRITE';
  if (!isForBoth || !isMeant) return undefined;
  return '`ResolveConflicts` is also for the creation of the add-on, where only OVERWRITE takes over a copy that differs';
}
