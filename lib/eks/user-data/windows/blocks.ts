import type { SourceText } from '../source-text';

/**
 * The elements of Windows user data. `powershell` and `script` (batch) hold what runs; the others say how. Source: Amazon
 * EC2 User Guide, "How Amazon EC2 handles user data for Windows instances".
 */
export type WindowsTag = 'powershell' | 'script' | 'persist' | 'powershellArguments' | 'runAsLocalSystem' | 'detach';

const TAGS: readonly WindowsTag[] = [
  'powershell',
  'script',
  'persist',
  'powershellArguments',
  'runAsLocalSystem',
  'detach',
];

/** The elements whose content runs. */
export const RUNNING: ReadonlySet<WindowsTag> = new Set(['powershell', 'script']);

/** An element with its content. All offsets are those of the user data. */
export interface WindowsBlock {
  readonly tag: WindowsTag;
  /** Of the opening tag. */
  readonly start: number;
  /** Behind the closing tag; the end of the text if there is none. */
  readonly end: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly isClosed: boolean;
  /** Whether both tags are written in the documented case. */
  readonly hasExactCase: boolean;
}

/** User data as EC2Launch reads it. */
export interface WindowsUserData {
  readonly text: SourceText;
  readonly format:
    | 'empty'
    | 'blocks'
    /** Tasks of EC2Launch v2, in YAML. */
    | 'yaml'
    /** No element that EC2Launch knows. */
    | 'none';
  readonly blocks: readonly WindowsBlock[];
  /** Closing tags that close nothing, as offsets. */
  readonly strayClosings: readonly number[];
  /** Text outside of the blocks that isn't blank, as offsets. */
  readonly outside: readonly { readonly start: number; readonly end: number }[];
}

/** Takes Windows user data apart. */
export function readWindows(text: SourceText): WindowsUserData {
  const blocks: WindowsBlock[] = [];
  const strayClosings: number[] = [];
  let open:
    | { readonly tag: WindowsTag; readonly start: number; readonly bodyStart: number; readonly exact: boolean }
    | undefined;
  for (const match of text.text.matchAll(
    /<(\/?)(powershellArguments|powershell|script|persist|runAsLocalSystem|detach)>/gi,
  )) {
    const [written, slash, name = ''] = match;
    const tag = TAGS.find((one) => one.toLowerCase() === name.toLowerCase());
    if (tag === undefined) continue;
    const end = match.index + written.length;
    // Elements that only say how are short; one that isn't closed doesn't swallow the script behind it.
    if (open !== undefined && slash === '' && !RUNNING.has(open.tag)) {
      blocks.push({
        tag: open.tag,
        start: open.start,
        end: match.index,
        bodyStart: open.bodyStart,
        bodyEnd: match.index,
        isClosed: false,
        hasExactCase: open.exact,
      });
      open = undefined;
    }
    if (open === undefined) {
      if (slash === '') open = { tag, start: match.index, bodyStart: end, exact: name === tag };
      else strayClosings.push(match.index);
    } else if (slash !== '' && tag === open.tag) {
      blocks.push({
        tag,
        start: open.start,
        end,
        bodyStart: open.bodyStart,
        bodyEnd: match.index,
        isClosed: true,
        hasExactCase: open.exact && name === tag,
      });
      open = undefined;
    }
  }
  const { length } = text.text;
  if (open !== undefined)
    blocks.push({
      tag: open.tag,
      start: open.start,
      end: length,
      bodyStart: open.bodyStart,
      bodyEnd: length,
      isClosed: false,
      hasExactCase: open.exact,
    });
  const outside = outsideOf(text.text, blocks, strayClosings);
  return { text, format: formatOf(text, blocks), blocks, strayClosings, outside };
}

function formatOf(text: SourceText, blocks: readonly WindowsBlock[]): WindowsUserData['format'] {
  if (text.text.trim() === '') return 'empty';
  if (blocks.some(({ tag }) => RUNNING.has(tag))) return 'blocks';
  return /^\uFEFF?\s*(?:#[^\n]*\n\s*)*version\s*:/.test(text.text.slice(0, 4096)) && /^tasks\s*:/m.test(text.text)
    ? 'yaml'
    : 'none';
}

function outsideOf(
  text: string,
  blocks: readonly WindowsBlock[],
  strayClosings: readonly number[],
): { start: number; end: number }[] {
  const outside: { start: number; end: number }[] = [];
  const cuts = [...blocks, ...strayClosings.map((start) => ({ start, end: text.indexOf('>', start) + 1 }))].sort(
    (one, other) => one.start - other.start,
  );
  let from = 0;
  for (const { start, end } of [...cuts, { start: text.length, end: text.length }]) {
    const piece = text.slice(from, start);
    const trimmed = piece.trim();
    if (trimmed !== '' && trimmed !== '\uFEFF') {
      const first = from + piece.indexOf(trimmed);
      outside.push({ start: first, end: first + trimmed.length });
    }
    from = end;
  }
  return outside;
}
