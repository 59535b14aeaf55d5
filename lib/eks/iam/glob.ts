/**
 * IAM's wildcard language: `*` is any text, `?` any one character. Both sides of a comparison can be patterns here,
 * because the question is often "can it do this on some network interface", which is a pattern too.
 */
import { splitAtHoles } from '../../text/holes';

/** `opaque` is text that isn't known: only a `*` on the other side is sure to match it. `blank` is one such character. */
type Token = { readonly kind: 'char'; readonly char: string } | { readonly kind: 'star' | 'one' | 'opaque' | 'blank' };

export type Glob = readonly Token[];

const STAR: Token = { kind: 'star' };
const ONE: Token = { kind: 'one' };
const OPAQUE: Token = { kind: 'opaque' };
const BLANK: Token = { kind: 'blank' };

/** Parts of an ARN that are the same for everything in a stack: partition, region and account. */
const ENVIRONMENT_SEGMENTS = new Set([1, 3, 4]);
const PARTITION_SEGMENT = 1;

/** How parts that aren't known (`${…}`) are taken. */
export type PlaceholderReading =
  /** As any text: what could match? */
  | 'any'
  /** Only by a wildcard on the other side, except the environment's own partition, region and account: what surely matches? */
  | 'own-environment'
  /** The same, except the partition alone. */
  | 'own-partition';

const ESCAPED: ReadonlyMap<string, string> = new Map(['*', '?', '$'].map((char) => [`\${${char}}`, char]));

/** Reads a pattern; `${*}`, `${?}` and `${$}` are IAM's escapes, any other `${…}` is a part that isn't known. */
export function parseGlob(text: string, placeholders: PlaceholderReading): Glob {
  const tokens: Token[] = [];
  const isArn = text.startsWith('arn:');
  let segment = 0;
  for (const { text: stretch, isHole } of splitAtHoles(text)) {
    if (isHole) {
      const escaped = ESCAPED.get(stretch);
      if (escaped !== undefined) tokens.push({ kind: 'char', char: escaped });
      else tokens.push(placeholders === 'any' || (isArn && isOwn(segment, placeholders)) ? STAR : OPAQUE);
      continue;
    }
    for (const char of stretch) {
      if (char === ':') segment++;
      tokens.push(char === '*' ? STAR : char === '?' ? ONE : { kind: 'char', char });
    }
  }
  return tokens;
}

function isOwn(segment: number, placeholders: PlaceholderReading): boolean {
  return placeholders === 'own-environment' ? ENVIRONMENT_SEGMENTS.has(segment) : segment === PARTITION_SEGMENT;
}

/** A text without wildcards: `*` and `?` in it are plain characters. */
export function literalGlob(text: string): Glob {
  return Array.from(text, (char) => ({ kind: 'char', char }));
}

/** Whether some text matches both. */
export function globsIntersect(left: Glob, right: Glob): boolean {
  // row[j]: left from the current token on and right from token j on have a text in common.
  let below: boolean[] = [];
  for (let i = left.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = right.length; j >= 0; j--) {
      const a = left[i];
      const b = right[j];
      if (a === undefined && b === undefined) row[j] = true;
      else if (a?.kind === 'star') row[j] = below[j] === true || row[j + 1] === true;
      else if (b?.kind === 'star') row[j] = row[j + 1] === true || below[j] === true;
      else row[j] = a !== undefined && b !== undefined && matchesOne(a, b) && below[j + 1] === true;
    }
    below = row;
  }
  return below[0] === true;
}

/** Whether some ARN matches both. A wildcard doesn't reach beyond its part of the ARN, except at the end. */
export function arnsIntersect(left: Glob, right: Glob): boolean {
  const a = arnParts(left);
  const b = arnParts(right);
  if (a === undefined || b === undefined) return globsIntersect(left, right);
  return a.every((part, index) => globsIntersect(part, b[index] ?? []));
}

/** Whether every ARN that matches `inner` matches `outer` too. Never says yes wrongly; may say no to a pattern with odd wildcards. */
export function arnCovers(outer: Glob, inner: Glob): boolean {
  return arnsIntersect(outer, fixed(inner));
}

/** Wildcards turned into unknown text, which only a wildcard on the other side is sure to match. */
function fixed(glob: Glob): Glob {
  return glob.map((token) => (token.kind === 'star' ? OPAQUE : token.kind === 'one' ? BLANK : token));
}

const ARN_PARTS = 6;

/** `arn:partition:service:region:account:resource` in its parts; undefined for what isn't written like an ARN. */
function arnParts(glob: Glob): readonly Glob[] | undefined {
  if (!Array.from('arn:').every((char, index) => isChar(glob[index], char))) return undefined;
  const parts: Token[][] = [[]];
  for (const token of glob) {
    if (isChar(token, ':') && parts.length < ARN_PARTS) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  if (parts.length < ARN_PARTS) {
    // `arn:aws:ec2:*` stands for the parts that it leaves out too.
    const last = parts.at(-1)?.at(-1);
    if (last?.kind !== 'star' && last?.kind !== 'opaque') return undefined;
    while (parts.length < ARN_PARTS) parts.push([last]);
  }
  return parts;
}

function isChar(token: Token | undefined, char: string): boolean {
  return token?.kind === 'char' && token.char === char;
}

function matchesOne(a: Token, b: Token): boolean {
  if (a.kind === 'char' && b.kind === 'char') return a.char === b.char;
  if (a.kind === 'one') return b.kind !== 'opaque';
  if (b.kind === 'one') return a.kind !== 'opaque';
  return false;
}
