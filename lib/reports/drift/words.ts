import {
  isActionable,
  type ClusterDrift,
  type DriftItem,
  type DriftStatus,
  type DriftSubject,
} from '../../drift/drift';
import { effectText } from '../effects';
import { count } from '../prose';

/** What a report calls each status. */
export const STATUS_NAMES: Readonly<Record<DriftStatus, string>> = {
  reset: 'reset',
  stops: 'may stop',
  breaks: 'breaks',
  replaced: 'replaced',
  changed: 'changed',
  differs: 'differs',
  created: 'created',
  'not in code': 'not in code',
  unknown: 'unknown',
};

/** The differences of one part of a cluster. */
export interface PartOfDrift {
  readonly subject: DriftSubject;
  readonly name: string;
  readonly items: readonly DriftItem[];
}

/** By what they are about, in the order of the first of each. */
export function byPart(items: readonly DriftItem[]): readonly PartOfDrift[] {
  const parts = new Map<
    string,
    { readonly subject: DriftSubject; readonly name: string; readonly items: DriftItem[] }
  >();
  for (const item of items) {
    const key = `${item.subject} ${item.name}`;
    const part = parts.get(key) ?? { subject: item.subject, name: item.name, items: [] };
    parts.set(key, part);
    part.items.push(item);
  }
  return [...parts.values()];
}

/** `add-on vpc-cni`. */
export function partTitle({ subject, name }: PartOfDrift): string {
  return `${subject} ${name}`;
}

/** `"true" → "false"`; empty if there is nothing to show. */
export function valuesText({ live, code, status }: DriftItem): string {
  const quote = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
  const sign = status === 'differs' || status === 'unknown' ? ', in the code ' : ' → ';
  if (live !== undefined && code !== undefined) return `${quote(live)}${sign}${quote(code)}`;
  if (live !== undefined) return quote(live);
  if (code === undefined) return '';
  return status === 'created' ? quote(code) : `not set${sign}${quote(code)}`;
}

/** When it acts, of what is reset or changed in aws-node. */
export function bitesText({ bites, status, setting = '' }: DriftItem): string | undefined {
  const isVariable = /^(?:init\.)?env\./.test(setting);
  if (bites === undefined && !(isVariable && status === 'reset')) return undefined;
  return effectText(bites);
}

/** What it comes to, in one sentence. */
export function sumOf({ items, same }: ClusterDrift): string {
  const of = (...statuses: readonly DriftStatus[]): number =>
    items.filter(({ status }) => statuses.includes(status)).length;
  const counted = [
    [of('reset'), 'setting reset', 'settings reset'],
    [of('stops'), 'thing that may stop the deployment', 'things that may stop the deployment'],
    [of('breaks'), 'thing broken', 'things broken'],
    [of('replaced'), 'replacement', 'replacements'],
    [of('changed'), 'change', 'changes'],
    [of('differs'), 'difference that stays for now', 'differences that stay for now'],
    [of('created'), 'creation', 'creations'],
    [of('not in code'), 'part that is not in the code', 'parts that are not in the code'],
    [of('unknown'), 'unknown', 'unknown'],
  ] as const;
  const parts = counted.flatMap(([number, one, many]) => (number === 0 ? [] : [count(number, one, many)]));
  const equal =
    same.length === 0 ? '' : `; ${count(same.length, 'thing')} compared ${same.length === 1 ? 'is' : 'are'} the same`;
  return parts.length === 0 ? `No difference${equal}.` : `${parts.join(', ')}${equal}.`;
}

/** What a change request begins with. */
export function headline({ name, items }: ClusterDrift): string {
  const bad = items.filter(isActionable).length;
  return bad === 0
    ? `Cluster ${name}: the code resets and breaks nothing that can be seen`
    : `Cluster ${name}: the code resets or breaks ${count(bad, 'thing')}`;
}
