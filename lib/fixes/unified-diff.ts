import { sep } from 'node:path';

/** Lines around a change that are shown. */
const CONTEXT = 3;

/** Below this many combinations of lines a difference is found exactly; above, it is shown as one block. */
const MOST_COMBINATIONS = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

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

function difference(old: readonly string[], now: readonly string[]): Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

/** By the longest common subsequence of lines. */
function middle(old: readonly string[], now: readonly string[]): Line[] {
  const removed = (text: string): Line => ({ sign: '-', text });
  const added = (text: string): Line => ({ sign: '+', text });
  if (old.length * now.length > MOST_COMBINATIONS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        old[i] === now[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [one, other] = [old[i], now[j]];
    if (one !== undefined && one === other) {
      lines.push({ sign: ' ', text: one });
      i++;
      j++;
    } else if (
      one !== undefined &&
      (other === undefined || (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      lines.push(removed(one));
      i++;
    } else {
      lines.push(added(other ?? ''));
      j++;
    }
  }
  return lines;
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
