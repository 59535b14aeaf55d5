import type { Expression, TemplatePart } from './ast';
import { isText, stripIndentation, textPiece, trimEnd, trimStart, type TextPiece } from './template-text';
import type { Token, TokenKind } from './token';
import { describe, type TokenStream } from './token-stream';

/** What a template is read from, and how the expressions in it are. */
export interface TemplateInput {
  readonly stream: TokenStream;
  readonly readExpression: () => Expression;
}

interface ForHead {
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly in: Expression;
}

/** Those that other parts stand in. */
type Opening =
  | { readonly kind: 'if'; readonly test: Expression; readonly offset: number }
  | ({ readonly kind: 'for'; readonly offset: number } & ForHead);

type Directive = Opening | { readonly kind: 'else' | 'endif' | 'endfor'; readonly offset: number };

type Piece = TextPiece | { readonly kind: 'interpolation'; readonly value: Expression } | Directive;

/**
 * The parts of a template up to the token that closes it, which is read too.
 * @param form how the text is escaped and trimmed; an indented heredoc is one of `<<-`
 */
export function readTemplateParts(
  input: TemplateInput,
  closer: TokenKind,
  form: 'quoted' | 'indented' | 'plain',
): TemplatePart[] {
  const pieces = readPieces(input, closer, form === 'quoted');
  if (form === 'indented') stripIndentation(pieces);
  return new Assembly(input.stream, pieces).run();
}

/** Names and collection of a `for`, behind that word. */
export function readForHead({ stream, readExpression }: TemplateInput): ForHead {
  const first = stream.expect('word', 'the name of a variable behind "for"').text;
  const second = stream.take(',') && stream.expect('word', 'the name of a variable behind ","').text;
  if (!stream.atWord('in')) stream.unexpected('"in"');
  stream.read();
  return { keyName: second === undefined ? undefined : first, valueName: second ?? first, in: readExpression() };
}

/** The template as a flat list, with what `~` trims away gone. */
function readPieces(input: TemplateInput, closer: TokenKind, quoted: boolean): Piece[] {
  const { stream } = input;
  const pieces: Piece[] = [];
  let trimNext = false;
  while (stream.take(closer) === undefined) {
    const last = pieces.at(-1);
    const token = stream.peek();
    if (token.kind === 'text') {
      const piece = textPiece(stream.read(), quoted, stream);
      if (trimNext) piece.text = trimStart(piece.text);
      trimNext = false;
      pieces.push(piece);
    } else {
      if (token.text.endsWith('~') && last !== undefined && isText(last)) last.text = trimEnd(last.text);
      const { piece, end } = readSequence(input, token);
      trimNext = end.text === '~}';
      pieces.push(piece);
    }
  }
  return pieces;
}

function readSequence(input: TemplateInput, opener: Token): { piece: Piece; end: Token } {
  const { stream, readExpression } = input;
  if (opener.kind !== 'interpolation' && opener.kind !== 'directive')
    stream.unexpected('text or the end of the template');
  stream.open();
  return stream.withNewlines(false, () => {
    const piece: Piece =
      opener.kind === 'directive'
        ? readDirective(input, opener.start)
        : { kind: 'interpolation', value: readExpression() };
    return {
      piece,
      end: stream.expect(
        'end-sequence',
        `"}" behind ${opener.kind === 'directive' ? 'the directive' : 'the interpolation'}`,
      ),
    };
  });
}

function readDirective(input: TemplateInput, offset: number): Directive {
  const { stream, readExpression } = input;
  const keyword = stream.expect('word', 'if, else, endif, for or endfor');
  switch (keyword.text) {
    case 'if':
      return { kind: 'if', test: readExpression(), offset };
    case 'for':
      return { kind: 'for', ...readForHead(input), offset };
    case 'else':
    case 'endif':
    case 'endfor':
      return { kind: keyword.text, offset };
    default:
      return stream.fail(`expected if, else, endif, for or endfor, found ${describe(keyword)}`, keyword.start);
  }
}

/** Makes a tree of the flat list. */
class Assembly {
  private index = 0;

  constructor(
    private readonly stream: TokenStream,
    private readonly pieces: readonly Piece[],
  ) {}

  run(): TemplatePart[] {
    const parts = this.parts();
    const left = this.pieces[this.index];
    if (left !== undefined && 'offset' in left)
      this.stream.fail(`"${left.kind}" without the directive that it belongs to`, left.offset);
    return parts;
  }

  /** Parts up to the end, or to a directive that ends or divides the one around them. */
  private parts(): TemplatePart[] {
    const parts: TemplatePart[] = [];
    for (let piece = this.pieces[this.index]; piece !== undefined; piece = this.pieces[this.index]) {
      if (piece.kind === 'text') addText(parts, piece);
      else if (piece.kind === 'interpolation') parts.push(piece);
      else if (piece.kind !== 'if' && piece.kind !== 'for') break;
      else {
        parts.push(this.directive(piece));
        continue;
      }
      this.index++;
    }
    return parts;
  }

  private directive(piece: Opening): TemplatePart {
    this.index++;
    const parts = this.stream.nested(() => this.parts());
    if (piece.kind === 'for') {
      this.end('endfor', piece);
      return { kind: 'for', keyName: piece.keyName, valueName: piece.valueName, in: piece.in, parts };
    }
    const divided = this.pieces[this.index]?.kind === 'else';
    if (divided) this.index++;
    const no = divided ? this.stream.nested(() => this.parts()) : [];
    this.end('endif', piece);
    return { kind: 'if', test: piece.test, yes: parts, no };
  }

  private end(keyword: 'endif' | 'endfor', opener: Opening): void {
    const next = this.pieces[this.index];
    if (next?.kind === keyword) this.index++;
    else if (next === undefined || !('offset' in next))
      this.stream.fail(`this "${opener.kind}" has no "${keyword}"`, opener.offset);
    else this.stream.fail(`expected "${keyword}", found "${next.kind}"`, next.offset);
  }
}

/** Texts that follow each other are one. */
function addText(parts: TemplatePart[], { text, start, end }: TextPiece): void {
  const last = parts.at(-1);
  if (last?.kind === 'text')
    parts[parts.length - 1] = { kind: 'text', text: last.text + text, range: { start: last.range.start, end } };
  else parts.push({ kind: 'text', text, range: { start, end } });
}
