import type { Document } from 'yaml';
import { yaml } from '../../text/lazy-parsers';

/** What a setting is called in a template of CloudFormation, and elsewhere. */
export interface SettingNames {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Whether code for a template holds what a template alone has: references, or what the user has to fill in; or goes elsewhere. */
export function isForTemplateAlone(code: string): boolean {
  return /<[a-z][\w ]*>|![A-Z]\w*|\bFn::|\$\{|^# .*:$|^ *Type: /im.test(code);
}

/** Code for a template with the names of another input; undefined if that has no setting for a part of it. */
export function renamedCode(code: string, names: readonly SettingNames[]): string | undefined {
  const document: Document = yaml().parseDocument(code, { logLevel: 'silent' });
  if (document.errors.length > 0 || !yaml().isMap(document.contents)) return undefined;
  const result: Document = new (yaml().Document)({});
  result.commentBefore = document.commentBefore;
  let left = leavesOf(document.toJS());
  for (const { from, to } of names) {
    const node = document.getIn(from, true);
    if (node === undefined || node === null) continue;
    result.setIn(to, node);
    left -= leavesOf(document.getIn(from));
  }
  return left === 0 ? String(result).trimEnd() : undefined;
}

/** How many values there are: a list counts as one. */
function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  const items =
    value instanceof Map
      ? [...(value.values() as Iterable<unknown>)]
      : 'items' in value
        ? undefined
        : Object.values(value);
  return items === undefined ? 1 : items.reduce<number>((sum, item) => sum + leavesOf(item), 0);
}
