/** A document of a file, as the tools of Kubernetes cut it out before they parse anything. */
export interface Chunk {
  readonly text: string;
  /** Offset of its first character, behind a byte order mark. */
  readonly start: number;
  /** 1-based line of the file in which it begins. */
  readonly line: number;
}

const SEPARATOR = /^---(?:[ \t\r].*)?$/gm;

/** Anything but comments, directives, blank lines and the marks of documents. */
const CONTENT = /^[ \t]*(?!#|%|(?:\.\.\.|---)[ \t]*(?:#|\r?$))\S/m;

/**
 * The documents of a file, cut at lines that begin with `---`. Comments that stand alone before such a line go with what follows.
 * Source: kubernetes/apimachinery, pkg/util/yaml/decoder.go (splitYAMLDocument).
 */
export function splitDocuments(text: string): readonly Chunk[] {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const chunks: Chunk[] = [];
  let start = 0;
  let line = 1;
  let counted = 0;
  // From the start up to here are comments alone.
  let looked = 0;
  const add = (end: number): boolean => {
    if (!CONTENT.test(content.slice(looked, end))) return false;
    chunks.push({ text: content.slice(start, end), start, line });
    return true;
  };
  for (const { index } of content.matchAll(SEPARATOR)) {
    const isComment = !add(index) && (looked > start || content.slice(start, index).includes('#'));
    looked = index;
    if (isComment) continue;
    for (let at = content.indexOf('\n', counted); at >= 0 && at < index; at = content.indexOf('\n', counted)) {
      line++;
      counted = at + 1;
    }
    start = index;
  }
  add(content.length);
  return chunks;
}
