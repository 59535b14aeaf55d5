import type { Addon, AddonConfiguration, Plain, Source } from '../../../eks';
import type { Dialect } from '../../../value';
import { listed, type PlannedUpdate } from './planned-update';

/** Whether the module of an add-on has one mode, which it gives to the argument for creation as well. */
export function hasOneModeForBoth({ moduleInputs }: Addon): boolean {
  return moduleInputs?.get('resolve_conflicts_on_create') === 'resolve_conflicts';
}

/** Whether the module of an add-on has one mode, which it gives to an argument for both occasions: that of old versions of the provider, which take PRESERVE. */
export function sharesMode({ moduleInputs }: Addon): boolean {
  return moduleInputs?.get('resolve_conflicts_on_update') === 'resolve_conflicts';
}

export function isOverwrite(mode: Plain<string>): boolean {
  return mode.kind === 'known' && mode.value === 'OVERWRITE';
}

/** What stands before the mode for updates where it replaces the old argument, which was for creation as well. */
export function insteadOf({ hasOldConflictMode }: Addon, mode: Plain<string>): string {
  if (hasOldConflictMode !== true) return '';
  const forCreation = isOverwrite(mode) ? 'resolve_conflicts_on_create = "OVERWRITE"\n' : '';
  return `# in the place of resolve_conflicts:\n${forCreation}`;
}

const OWN_RESOURCE =
  ' The call of this module has no place for that: it gives its one mode to creation, too, for which the AWS provider refuses `PRESERVE`. Declare the add-on as an `aws_eks_addon` of its own instead.';

/** The old argument for both occasions can't stand beside the new ones; CloudFormation, and a module that only has the old one, have one for both. */
export function replacedBy(addon: Addon, mode: Plain<string>): string {
  if (hasOneModeForBoth(addon)) return OWN_RESOURCE;
  const { hasOldConflictMode, dialect } = addon;
  const overwrites = isOverwrite(mode);
  if (sharesMode(addon))
    return overwrites
      ? ' The module has one mode for creation and updates, and on creation `PRESERVE` acts like `NONE`, which can fail beside the self-managed aws-node of a new cluster: keep `OVERWRITE` for the one deployment that creates the add-on.'
      : ' The module has one mode for creation and updates, and on creation `PRESERVE` acts like `NONE`.';
  if (hasOldConflictMode === true && dialect.deployedBy === 'Pulumi')
    return overwrites
      ? ' It replaces `resolveConflicts`, which newer versions of the provider refuse; `resolveConflictsOnCreate` with `OVERWRITE` still takes over the self-managed aws-node of a new cluster.'
      : ' It replaces `resolveConflicts`, which newer versions of the provider refuse.';
  if (hasOldConflictMode === true)
    return overwrites
      ? ' It replaces `resolve_conflicts`, which version 6 of the AWS provider refuses; `resolve_conflicts_on_create = "OVERWRITE"` still takes over the self-managed aws-node of a new cluster. Both arguments need version 5 of the provider.'
      : ' It replaces `resolve_conflicts`, which version 6 of the AWS provider refuses.';
  const hasOne = dialect.deployedBy === 'CloudFormation';
  return hasOne && overwrites
    ? ' On creation it acts like `NONE` and can fail beside a self-managed copy: keep `OVERWRITE` for the one deployment that adopts it.'
    : '';
}

export function updateText({ updatedBy, dialect }: Addon, update: PlannedUpdate | undefined): string {
  if (updatedBy !== undefined) return `the next \`${updatedBy}\``;
  return update === undefined ? 'the next update' : `the update in this ${planOf(dialect)}${update.versions}`;
}

/** What shows the update. */
export function planOf({ ofProviders }: Dialect): string {
  return ofProviders?.plan ?? 'plan';
}

export function byText({ isModuleDefault, from }: Source): string {
  if (isModuleDefault === 'maybe') return ' (perhaps by a default of its module)';
  // Where it is known which default that is, the message says so at its end.
  return isModuleDefault === undefined || from !== undefined ? '' : ' (by a default of its module)';
}

/** What becomes of its configuration values: of unknown ones it isn't sure that there are any. */
export function valuesText(configuration: Plain<AddonConfiguration>): string {
  return configuration.kind === 'known' && configuration.value.kind === 'parsed'
    ? 'its configuration values survive, but'
    : 'whatever its configuration values set survives, but';
}

/** What is new to the version: settings of it that were made by hand have survived so far. */
export function beginsText(update: PlannedUpdate | undefined): string {
  if (update === undefined || update.begins.length === 0) return '';
  return ` The new version writes ${listed(update.begins)}, which the old one left alone.`;
}
