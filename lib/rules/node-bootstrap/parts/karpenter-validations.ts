import { dataAt, isDataMap, Unknown, type Data } from '../../../eks';
import { inWords } from '../../../text/in-words';
import type { KarpenterProblem } from './karpenter-problem';

/*
 * What the expressions (CEL) in the definitions of Karpenter's v1 objects refuse. Each stands here by its own text, so that one which changes is
 * translated anew; a test holds them against an interpreter of CEL.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds.
 */

/** What an expression finds wrong with the data at which it stands. */
export type Found = Omit<KarpenterProblem, 'kind' | 'severity'>;
/** An expression, translated. */
export type Check = (self: Data) => Found | undefined;

/** What is filled in before an object is applied. */
export const FILLED_IN = /[$<{]|__|^\s*$/;

/** What an expression finds, whatever the values are that aren't known: those of maps may be there or not. Undefined where it finds nothing. */
export function foundBy(check: Check, self: Data): Found | undefined {
  const found = check(self);
  return found === undefined || check(withoutUnknown(self)) === undefined ? undefined : found;
}

function withoutUnknown(data: Data): Data {
  if (Array.isArray(data)) return (data as readonly Data[]).map(withoutUnknown);
  if (!isDataMap(data)) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => (value instanceof Unknown ? [] : [[key, withoutUnknown(value)]])),
  );
}

export function has(data: Data, key: string): boolean {
  return (dataAt(data, key) ?? undefined) !== undefined;
}

export function itemsOf(data: Data | undefined): readonly Data[] {
  return Array.isArray(data) ? (data as readonly Data[]) : [];
}

export function keysOf(data: Data | undefined): readonly string[] {
  return isDataMap(data) ? Object.keys(data) : [];
}

export function textAt(data: Data, key: string): string {
  const text = dataAt(data, key);
  return typeof text === 'string' ? text : '';
}

/** Names of fields, all of them. */
export function fieldsInWords(keys: readonly string[]): string {
  return inWords(
    keys.map((key) => `\`${key}\``),
    keys.length,
  );
}

/** What the first item of a list that isn't right has; its place is that of the item. */
export function ofItems(of: (item: Data, index: number) => Found | undefined): Check {
  return (self) => {
    for (const [index, item] of itemsOf(self).entries()) {
      const found = item instanceof Unknown ? undefined : of(item, index);
      if (found === undefined) continue;
      const at = (path: readonly string[]): readonly string[] => [String(index), ...path];
      const { path, sets } = found;
      return { ...found, path: at(path), ...(sets === undefined ? {} : { sets: { ...sets, path: at(sets.path) } }) };
    }
    return undefined;
  };
}

/** What another check tells, with more of its circumstances; and texts that are empty until something fills them in. */
export const told: Check = () => undefined;
