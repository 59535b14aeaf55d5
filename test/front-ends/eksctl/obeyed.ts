import { isMap, parse, parseDocument, type Document } from 'yaml';
import type { Finding } from '../../../lib/engine';
import { refusedBySchema } from './accepted';

/** A ClusterConfig after the code of a fix went where it belongs: lines in their place, settings to the resource or to the top of the file. */
export function obeyed(text: string, { fixCode = '', resource: { type, id } }: Finding): string {
  const lines = /^# in place of lines? (\d+)(?: to (\d+))? of .*:\n([^]*)$/.exec(fixCode);
  if (lines !== null) {
    const [, first = '', last = first, after = ''] = lines;
    const all = text.split('\n');
    all.splice(Number(first) - 1, Number(last) - Number(first) + 1, ...after.split('\n'));
    return all.join('\n');
  }
  const document = parseDocument(text);
  const holder = /^# in the file/.test(fixCode) ? [] : holderOf(type, id, document);
  const code: unknown = parse(fixCode);
  if (typeof code !== 'object' || code === null || Array.isArray(code)) throw new Error(`no settings: ${fixCode}`);
  // A map of a cluster is merged, since others stand in it; one of a group or an add-on is written anew.
  for (const [path, value] of leavesOf(code as JsonMap, holder.length === 0))
    document.setIn([...holder, ...path], value);
  return String(document);
}

type JsonMap = Readonly<Record<string, unknown>>;

function leavesOf(map: JsonMap, isDeep: boolean): readonly (readonly [path: readonly string[], value: unknown])[] {
  return Object.entries(map).flatMap(([key, value]) =>
    isDeep && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value as JsonMap, true).map(([path, leaf]) => [[key, ...path], leaf] as const)
      : [[[key], value] as const],
  );
}

/** The item of a list that has the name of the resource. */
function holderOf(type: string, id: string, document: Document): readonly (string | number)[] {
  if (type === 'ClusterConfig') return [];
  const list = type.replace(/\.launchTemplate$/, '');
  const items = document.get(list) as { readonly items?: readonly unknown[] } | undefined;
  const index = (items?.items ?? []).findIndex((item) => isMap(item) && item.get('name') === id);
  if (index < 0) throw new Error(`no ${type} ${id}`);
  return [list, index];
}

/** What is still wrong after a fix: the finding itself, new ones, and what eksctl's schema refuses of the file. */
export function leftBy(
  finding: Finding,
  before: readonly Finding[],
  after: readonly Finding[],
  text: string,
): readonly string[] {
  const keyOf = ({ rule, resource }: Finding): string => `${rule} ${resource.id}`;
  const known = new Set(before.map(keyOf));
  return [
    ...after.flatMap((one) => {
      const { rule, message, messageId, severity } = one;
      if (keyOf(one) === keyOf(finding) && messageId === finding.messageId) return [`stays: ${message}`];
      return severity === 'info' || known.has(keyOf(one)) ? [] : [`new: ${rule}: ${message}`];
    }),
    ...refusedBySchema(text),
  ];
}
