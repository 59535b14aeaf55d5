import type { Finding } from '../engine';
import { mayBeAtLeast } from '../terraform/module/version-constraint';
import { repairPath } from '../eks/resources';
import { NEW_ARGUMENTS } from '../eks/resources/repaired-settings';

/** Why the resource of a finding is not changed automatically, however its text looks; undefined if it may be. */
export function obstacleTo({ resource, repairs = [] }: Finding): string | undefined {
  const { editing, type, dialect, source } = resource;
  const editor = dialect.fixes.editorOf(source.locate().file);
  if (
    typeof editor === 'object' &&
    repairs.some(({ kind, field }) => kind !== 'lines' && editor.hasSetting?.(type, field) === false)
  )
    return `${dialect.title} has no setting for it`;
  if (editing === undefined) return undefined;
  const [user, ...others] = editing.otherUsers ?? [];
  if (user !== undefined)
    return `not only managed node groups depend on this launch template: ${user}${others.length === 0 ? '' : `, and ${others.length} more`}`;
  const names = repairs.flatMap(({ field }) => repairPath(type, field, 'terraform')?.[0] ?? []);
  return names
    .map((name) => whyTooNew(type, name, editing.providerVersions ?? []))
    .find((reason) => reason !== undefined);
}

/** Why the provider doesn't know an argument yet. Where several versions may be meant, it does. */
function whyTooNew(type: string, name: string, constraints: readonly string[]): string | undefined {
  const since = NEW_ARGUMENTS[type]?.[name];
  if (since === undefined || constraints.every((constraint) => mayBeAtLeast(constraint, since))) return undefined;
  return `\`${name}\` needs version ${since.join('.')} of the AWS provider, and the configuration has ${constraints.join(', ')}`;
}
