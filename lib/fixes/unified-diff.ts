import { sep } from 'node:path';
import { difference, type Line } from '../text/line-difference';

/** Lines around a change that are shown. */
const CONTEXT = 3;

/**
 * The difference of two texts as `diff -u` and `patch` write it; empty if they are equal.
 * @param file name for both sides, without a folder in front that isn't to be part of it
 */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = difference(splitLines(before), splitLines(after));
  const name = (sep === '\\' ? file.replaceAll('\\', '/') : file).replace(/^(?:\.\/)+/, '');
  return [`--- ${nameText(`a/${name}`)}\n`, `+++ ${nameText(`b/${name}`)}\n`, ...hunks(lines)].join('');
}

/**
 * What changes, with lines around it: each place for itself, each line with ` `, `-` or `+` before it.
 * @param context lines before and after a change
 */
export function changedLines(before: string, after: string, context: number): readonly (readonly string[])[] {
  const lines = difference(splitLines(before), splitLines(after));
  return placesOf(lines, context).map(({ start, end }) =>
    lines.slice(start, end).map(({ sign, text }) => sign + text.replace(/\n$/, '')),
  );
}

/** As git writes it: what would end a name early is quoted, and a tab ends one with blanks. */
function nameText(name: string): string {
  if (!/["\\\p{Cc}]/u.test(name)) return name.includes(' ') ? `${name}\t` : name;
  const quoted = name
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (control) =>
      Buffer.from(control).reduce((text, byte) => `${text}\\${byte.toString(8).padStart(3, '0')}`, ''),
    );
  return `"${quoted}"`;
}

/** Lines with their line breaks. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function placesOf(lines: readonly Line[], context: number): { start: number; end: number }[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const ranges: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - context <= last.end) last.end = index + context + 1;
    else ranges.push({ start: Math.max(0, index - context), end: index + context + 1 });
  }
  return ranges;
}

function hunks(lines: readonly Line[]): string[] {
  const result: string[] = [];
  let [at, oldLine, newLine] = [0, 1, 1];
  for (const { start, end } of placesOf(lines, CONTEXT)) {
    oldLine += start - at;
    newLine += start - at;
    const part = lines.slice(start, end);
    const oldCount = part.filter(({ sign }) => sign !== '+').length;
    const newCount = part.filter(({ sign }) => sign !== '-').length;
    result.push(`@@ -${rangeText(oldLine, oldCount)} +${rangeText(newLine, newCount)} @@\n`, ...part.map(lineText));
    oldLine += oldCount;
    newLine += newCount;
    at = start + part.length;
  }
  return result;
}

function rangeText(line: number, count: number): string {
  if (count === 1) return String(line);
  return `${count === 0 ? line - 1 : line},${count}`;
}

function lineText({ sign, text }: Line): string {
  return text.endsWith('\n') ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
}
