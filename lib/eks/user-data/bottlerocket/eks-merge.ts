import { Unknown } from '../../../value';
import { labelReservedBy } from '../node-labels';
import { dotted, type BottlerocketProblem } from './problem';
import { labelsOf, outsideSettings, type BottlerocketReading } from './read';
import { JOIN_SETTINGS } from './schema';
import type { WrittenArray } from './toml';

/** TOML that Bottlerocket takes and EKS doesn't, when it merges user data with its own. */
export interface UnmergeableConstruct {
  readonly kind: 'quote-in-key' | 'escaped-quote' | 'mixed-numbers' | 'mixed-types' | 'quoted-header';
  readonly offset: number;
  /** As the end of "the user data …". */
  readonly message: string;
  readonly fix: string;
}

/**
 * What EKS can't merge: for managed node groups without an AMI of their own.
 * Source: Amazon EKS User Guide, "Customize managed nodes with launch templates".
 */
export function constructsEksCannotMerge(reading: BottlerocketReading): readonly UnmergeableConstruct[] {
  const { document, text } = reading;
  if (document === undefined) return [];
  const found: UnmergeableConstruct[] = [];
  for (const { role, steps, offset } of document.keys) {
    for (const { quoted, raw } of steps) {
      if (quoted && /["']/.test(raw.slice(1, -1))) {
        found.push({
          kind: 'quote-in-key',
          offset,
          message: `has quotation marks inside the quoted key ${raw}`,
          fix: 'Use a key without quotation marks.',
        });
      }
    }
    if (role === 'header' && steps.some(({ quoted }) => quoted)) {
      const path = dotted(steps.map(({ name }) => name));
      found.push({
        kind: 'quoted-header',
        offset,
        message: `has a quoted key in the header [${path}]`,
        fix: 'End the header before the quoted key, and write the rest as a dotted key in front of each setting below it.',
      });
    }
  }
  for (const node of document.values) {
    const offset = node.range[0];
    if (
      node.type === 'TOMLValue' &&
      node.kind === 'string' &&
      node.style === 'basic' &&
      hasEscapedQuote(text.text.slice(...node.range))
    ) {
      found.push({
        kind: 'escaped-quote',
        offset,
        message: 'has an escaped quotation mark in a string',
        fix: 'Write the string between single quotes, where nothing needs escaping.',
      });
    }
    if (node.type === 'TOMLArray' && text.unknownIn(...node.range) === undefined) {
      const mix = mixOf(node);
      if (mix === 'mixed-numbers')
        found.push({
          kind: mix,
          offset,
          message: 'has integers and floats in one list',
          fix: 'Write all of them as floats: 1.0.',
        });
      if (mix === 'mixed-types')
        found.push({
          kind: mix,
          offset,
          message: 'has values of different types in one list',
          fix: 'Use values of one type.',
        });
    }
  }
  return found.sort((a, b) => a.offset - b.offset);
}

function hasEscapedQuote(raw: string): boolean {
  for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', at + 2)) if (raw.charAt(at + 1) === '"') return true;
  return false;
}

function mixOf(array: WrittenArray): 'mixed-numbers' | 'mixed-types' | undefined {
  const types = new Set(array.elements.map((element) => (element.type === 'TOMLValue' ? element.kind : element.type)));
  if (types.size < 2) return undefined;
  return types.size === 2 && types.has('integer') && types.has('float') ? 'mixed-numbers' : 'mixed-types';
}

/** The problems of user data that EKS merges with settings of its own: then it has the table `settings` in any case. */
export function problemsBesideEks({ problems, document }: BottlerocketReading): readonly BottlerocketProblem[] {
  return problems.flatMap((problem) =>
    problem.kind === 'no-settings' && document !== undefined ? outsideSettings(document.root) : [problem],
  );
}

/** A setting that EKS takes care of where the node group has no AMI of its own. */
export interface EksOwnedSetting {
  /** Coordinates of the cluster, or a label under `eks.amazonaws.com/` whose value is written out. */
  readonly kind: 'cluster' | 'label';
  readonly path: readonly string[];
  readonly offset: number;
  /** As the end of "`path` …". */
  readonly message: string;
  readonly fix: string;
}

/** The settings of the user data that are EKS's own: eksctl refuses the first kind, and the second goes out of date. */
export function eksOwnedSettings(reading: BottlerocketReading): readonly EksOwnedSetting[] {
  if (reading.document === undefined) return [];
  const owned: EksOwnedSetting[] = [];
  for (const name of JOIN_SETTINGS) {
    const path = ['settings', 'kubernetes', name];
    if (!isWritten(reading, path)) continue;
    owned.push({
      kind: 'cluster',
      path,
      offset: reading.offsetOf(path),
      message: 'is what EKS fills in for node groups without an own AMI',
      fix: 'Remove it.',
    });
  }
  const labels = labelsOf(reading);
  for (const label of labels instanceof Unknown ? [] : labels) {
    if (typeof label.value !== 'string' || labelReservedBy(label.key) !== 'eks') continue;
    const path = ['settings', 'kubernetes', 'node-labels', label.key];
    owned.push({
      kind: 'label',
      path,
      offset: label.offset,
      message: `is a label of EKS itself, written out as "${label.value}"; it doesn't follow when the node group changes`,
      fix: 'Remove it.',
    });
  }
  return owned;
}

/** Whether the setting itself stands there; a table with an unknown key may have it or not. */
function isWritten(reading: BottlerocketReading, path: readonly string[]): boolean {
  const parent = reading.valueAt(...path.slice(0, -1));
  return (
    typeof parent === 'object' &&
    parent !== null &&
    !(parent instanceof Unknown) &&
    Object.hasOwn(parent, path.at(-1) ?? '')
  );
}
