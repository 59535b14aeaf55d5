import type { Source, SourceLocation, WrittenLine } from '../../value';
import { hclComments } from '../../languages/hcl/hcl-comments';
import { toDiagnostics } from '../../languages/document';
import { LineIndex } from '../../languages/positions';
import { keptFor } from '../../languages/reread';
import type { ConfigurationFile } from '../configuration-file';
import type { Range } from '../../languages/hcl/ast';
import { parseHcl } from '../../languages/hcl/parser';
import { offsetInWritten } from './text-offset';

/** A file of a configuration in HCL. Never throws: what can't be read becomes diagnostics, and the rest is read. */
export function hclFile(text: string, file: string): ConfigurationFile {
  return keptFor(`hcl\0${file}`, text, () => parsed(text, file));
}

function parsed(text: string, file: string): ConfigurationFile {
  const { body, problems } = parseHcl(text);
  const places = textPlaces(text, file);
  return {
    file,
    body,
    diagnostics: toDiagnostics(problems, text, file),
    place: places,
    textOf: ({ start, end }) => text.slice(start, end),
    comments: hclComments(text, file, body),
  };
}

/** The places of a text file, where lines are counted only when somebody asks. */
export function textPlaces(text: string, file: string): (range: Range, property?: string) => Source {
  const content: Content = { file, text, lines: new LineIndex(text) };
  return (range, property) => new TextPlace(content, range, property, undefined);
}

interface Content {
  readonly file: string;
  readonly text: string;
  readonly lines: LineIndex;
}

/** The character of a text that a range holds. */
interface Character {
  readonly text: string;
  readonly offset: number;
}

/** A reference behind the name of an argument or the key of an object, with nothing else in its line; also as a text that is nothing else. */
const REFERENCE =
  /^[ \t]*[=:][ \t]*(?:"\$\{)?([A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"\n\\[\]]*"|[\w.]+)\])+)(?:\}")?[ \t]*(?=[\r\n,}#]|\/\/|$)/;
const LONGEST_REFERENCE = 300;

/** Longest value in which somebody looks for a line, in characters. */
const LONGEST_VALUE = 20_000;

/** A reference that stands in a text, between `${` and `}`; a template in a file has its variables by their mere names. */
const INTERPOLATED = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"\n\\[\]]*"|[\w.]+)\])*$/;

class TextPlace implements Source {
  constructor(
    private readonly content: Content,
    private readonly range: Range,
    private readonly property: string | undefined,
    private readonly character: Character | undefined,
  ) {}

  locate(): SourceLocation {
    const { content, range, property, character } = this;
    const within =
      character === undefined
        ? 0
        : offsetInWritten(content.text.slice(range.start, range.end), character.text, character.offset);
    return {
      file: content.file,
      ...content.lines.at(range.start + within),
      ...(property === undefined ? {} : { property }),
    };
  }

  get expression(): string | undefined {
    const { content, range, character } = this;
    if (character !== undefined) return undefined;
    const own = content.text.slice(range.start, range.end);
    if (INTERPOLATED.test(own) && /\$\{~?[ \t]*$/.test(content.text.slice(Math.max(0, range.start - 8), range.start)))
      return own;
    return REFERENCE.exec(content.text.slice(range.end, range.end + LONGEST_REFERENCE))?.[1];
  }

  get wholeExpression(): string | undefined {
    const { content, range, character } = this;
    const end = content.text.indexOf('\n', range.end);
    const line = content.text.slice(range.end, end < 0 ? undefined : end);
    if (character !== undefined || !/^[ \t]*=/.test(line)) return undefined;
    const setting = `name${line.trimEnd().replace(/,$/, '')}`;
    const { body, problems } = parseHcl(setting);
    const value = body.attributes[0]?.value;
    return value === undefined || problems.length > 0 ? undefined : setting.slice(value.range.start, value.range.end);
  }

  lineWith(pattern: RegExp | string): WrittenLine | undefined {
    const { content, range, character } = this;
    if (character !== undefined) return undefined;
    const has = (text: string): boolean => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text));
    const start = content.text.lastIndexOf('\n', range.start - 1) + 1;
    const lines = content.text.slice(start, this.endOfValue()).split('\n');
    const found = lines.flatMap((text, index) => (has(text) ? [{ text, index }] : []));
    const [only, ...others] = found;
    if (only === undefined || others.length > 0 || only.text.endsWith('\r')) return undefined;
    return { line: content.lines.at(start).line + only.index, text: only.text };
  }

  /** Where the line ends in which the value of an argument does. */
  private endOfValue(): number {
    const { content, range } = this;
    const setting = `name${content.text.slice(range.end, range.end + LONGEST_VALUE)}`;
    const isArgument = /^name[ \t]*=(?!=)/.test(setting);
    const value = isArgument ? parseHcl(setting).body.attributes[0]?.value : undefined;
    const end = content.text.indexOf('\n', range.end + (value === undefined ? 0 : value.range.end - 'name'.length));
    return end < 0 ? content.text.length : end;
  }

  inText(text: string, offset: number): Source {
    const { content, range, property, character } = this;
    // A part of a part: both count from where the first begins.
    const whole =
      character === undefined ? { text, offset } : { text: character.text, offset: character.offset + offset };
    return new TextPlace(content, range, property, whole);
  }

  /** A place, when it gets into JSON; the file behind it would be large. */
  toJSON(): SourceLocation {
    return this.locate();
  }
}
