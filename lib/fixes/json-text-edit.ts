import type { CorrectedLines } from '../eks/user-data/correction';
import { escapedOffset } from '../languages/json/json-scanner';
import { NOT_THERE } from './lines-edit';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree, type TreeNode, type TreePath, type TreeScalar } from './tree';

/*
 * Lines of a text that a JSON template has as one string, below `Fn::Sub`, or in pieces below `Fn::Join`.
 */

/** What a text is made of, as `${…}` shows it. */
type Piece =
  | { readonly kind: 'written'; readonly shown: string; readonly node: TreeScalar }
  | { readonly kind: 'reference'; readonly shown: string };

/** How references get into the text. */
type Manner = 'plain' | 'sub' | 'join';

/** Replaces lines of the text at a path. Earlier repairs may have moved them: then they are looked for, and must be there once. */
export function replaceTextLines(
  tree: Tree,
  path: TreePath,
  { first: line, before, after }: Omit<CorrectedLines, 'file'>,
): EditPlan {
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  const found = missing.length > 0 || tree.language !== 'json' ? undefined : piecesOf(node);
  if (found === undefined) return refuse(NOT_THERE);
  const { pieces, manner } = found;
  const shown = pieces.map((piece) => piece.shown).join('');
  const old = before.join('\n');
  const starts = [...shown.matchAll(/^/gm)].map(({ index }) => index);
  const expected = starts[line - 1] ?? shown.length;
  const places = standsAt(shown, old, expected) ? [expected] : starts.filter((at) => standsAt(shown, old, at));
  const [at] = places;
  if (at === undefined || places.length > 1) return refuse(NOT_THERE);
  // Lines that go, go with their end.
  const [was, is] = after.length === 0 ? [shown.slice(at, at + old.length + 1), ''] : [old, after.join('\n')];
  const same = sameAround(was, is);
  const start = outsideReferences(pieces, at + same.before, 'start');
  const end = outsideReferences(pieces, at + was.length - same.behind, 'end');
  const begin = offsetAt(tree.text, pieces, start, 'start');
  const last = offsetAt(tree.text, pieces, end, 'end');
  const text = written(is.slice(start - at, is.length - (at + was.length - end)), manner);
  return begin === undefined || last === undefined || text === undefined
    ? refuse(NOT_THERE)
    : { edits: [{ start: begin, end: last, text }] };
}

function standsAt(shown: string, lines: string, at: number): boolean {
  const end = at + lines.length;
  return shown.startsWith(lines, at) && (end === shown.length || shown[end] === '\n');
}

/** How much of two texts is the same, at their beginning and at their end. */
function sameAround(one: string, other: string): { readonly before: number; readonly behind: number } {
  const most = Math.min(one.length, other.length);
  let before = 0;
  while (before < most && one[before] === other[before]) before++;
  let behind = 0;
  while (behind < most - before && one.at(-1 - behind) === other.at(-1 - behind)) behind++;
  return { before, behind };
}

function piecesOf(node: TreeNode): { readonly pieces: readonly Piece[]; readonly manner: Manner } | undefined {
  if (node.kind === 'scalar')
    return typeof node.value === 'string' ? { pieces: [writtenPiece(node, node.value)], manner: 'plain' } : undefined;
  const [entry, ...others] = node.entries();
  if (node.kind !== 'map' || entry === undefined || others.length > 0) return undefined;
  const { key, value } = entry;
  switch (key) {
    case 'Fn::Base64':
      return piecesOf(value);
    case 'Fn::Sub': {
      const text = value.kind === 'list' ? value.entries()[0]?.value : value;
      return text?.kind === 'scalar' && typeof text.value === 'string'
        ? { pieces: [writtenPiece(text, text.value)], manner: 'sub' }
        : undefined;
    }
    case 'Fn::Join': {
      const [delimiter, list] = value.kind === 'list' ? value.entries().map((one) => one.value) : [];
      if (delimiter?.kind !== 'scalar' || delimiter.value !== '' || list?.kind !== 'list') return undefined;
      return { pieces: list.entries().map((one) => joinedPiece(one.value)), manner: 'join' };
    }
    default:
      return undefined;
  }
}

function writtenPiece(node: TreeScalar, shown: string): Piece {
  return { kind: 'written', shown, node };
}

/** What is neither a text nor a plain reference shows as nothing that anybody writes. */
function joinedPiece(node: TreeNode): Piece {
  if (node.kind === 'scalar')
    return typeof node.value === 'string' ? writtenPiece(node, node.value) : { kind: 'reference', shown: '\0' };
  const [entry, ...others] = node.kind === 'map' ? node.entries() : [];
  const name = entry === undefined || others.length > 0 ? undefined : nameOf(entry.key, entry.value);
  return { kind: 'reference', shown: name === undefined ? '\0' : `\${${name}}` };
}

function nameOf(key: string, value: TreeNode): string | undefined {
  if (key !== 'Ref' && key !== 'Fn::GetAtt') return undefined;
  const parts = value.kind === 'list' ? value.entries().map((one) => one.value) : [value];
  const names = parts.flatMap((one) => (one.kind === 'scalar' && typeof one.value === 'string' ? [one.value] : []));
  return names.length === parts.length ? names.join('.') : undefined;
}

/** A place that isn't within a reference. */
function outsideReferences(pieces: readonly Piece[], at: number, edge: 'start' | 'end'): number {
  let begin = 0;
  for (const { kind, shown } of pieces) {
    const end = begin + shown.length;
    if (kind === 'reference' && begin < at && at < end) return edge === 'start' ? begin : end;
    begin = end;
  }
  return at;
}

/** Where a character of the text is in the file; between two pieces, in the one that is replaced with it, or else in the other. */
function offsetAt(text: string, pieces: readonly Piece[], at: number, edge: 'start' | 'end'): number | undefined {
  const offsets: number[] = [];
  let begin = 0;
  for (const piece of pieces) {
    const end = begin + piece.shown.length;
    if (piece.kind === 'written' && begin <= at && at <= end)
      offsets.push(escapedOffset(text, piece.node.start + 1, at - begin));
    begin = end;
  }
  return offsets.at(edge === 'start' ? 0 : -1);
}

/** A text as it stands within quotes; undefined if it has references and nothing fills them in. */
function written(text: string, manner: Manner): string | undefined {
  const quoted = (part: string): string => JSON.stringify(part).slice(1, -1);
  const parts = text.split(/\$\{([^}]*)\}/);
  if (manner === 'sub' || parts.length === 1) return quoted(text);
  if (manner === 'plain') return undefined;
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return quoted(part);
      const [resource = '', ...attribute] = part.split('.');
      const value = attribute.length === 0 ? { Ref: resource } : { 'Fn::GetAtt': [resource, attribute.join('.')] };
      return `",${JSON.stringify(value)},"`;
    })
    .join('');
}
