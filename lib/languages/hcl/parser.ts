import type { Attribute, Block, Body, Expression, SyntaxProblem } from './ast';
import { isDeeperThan } from './children';
import { readExpression, readTemplate } from './expression-parser';
import { tokenize } from './lexer';
import { textPiece } from './template-text';
import type { Token } from './token';
import { describe, MAX_DEPTH, SyntaxFailure, TokenStream, TOO_DEEP } from './token-stream';

/** The content of a `.tf` or `.tfvars` file. What can't be read is a problem; what follows it is read all the same. */
export function parseHcl(text: string): { body: Body; problems: readonly SyntaxProblem[] } {
  const stream = new TokenStream(text, tokenize(text, 'configuration'));
  const body = new BodyParser(stream).file(text.length);
  return { body, problems: inOrder(stream.problems) };
}

/**
 * A template without quotes around it, like a string of JSON configuration.
 * @param start offset that the first character has in the file, for ranges and problems
 */
export function parseTemplate(text: string, start = 0): { value: Expression; problems: readonly SyntaxProblem[] } {
  return parseWhole(text, start, 'template', (stream) => readTemplate(stream, start, 'end-of-text', 'plain'));
}

/**
 * One expression and nothing else; newlines may stand anywhere.
 * @param start offset that the first character has in the file, for ranges and problems
 */
export function parseExpression(text: string, start = 0): { value: Expression; problems: readonly SyntaxProblem[] } {
  return parseWhole(text, start, 'configuration', (stream) =>
    stream.withNewlines(false, () => {
      const value = readExpression(stream);
      stream.expect('end-of-text', 'nothing behind the value');
      return value;
    }),
  );
}

function parseWhole(
  text: string,
  start: number,
  form: 'configuration' | 'template',
  read: (stream: TokenStream) => Expression,
): { value: Expression; problems: readonly SyntaxProblem[] } {
  const stream = new TokenStream(text, tokenize(text, form, start), start);
  const value = attempt(stream, () => shallow(stream, read(stream))) ?? {
    kind: 'invalid',
    text,
    range: { start, end: start + text.length },
  };
  return { value, problems: inOrder(stream.problems) };
}

/** What is read, or undefined with a problem. */
function attempt<T>(stream: TokenStream, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    stream.report(error.problem.message, error.problem.offset);
    return undefined;
  }
}

/** Each level takes a character at least, so that few expressions have to be looked through. */
function shallow(stream: TokenStream, value: Expression): Expression {
  const { start, end } = value.range;
  return end - start > MAX_DEPTH && isDeeperThan(value, MAX_DEPTH) ? stream.fail(TOO_DEEP, value.range.start) : value;
}

function inOrder(problems: readonly SyntaxProblem[]): SyntaxProblem[] {
  return problems.toSorted((one, other) => one.offset - other.offset);
}

interface Items {
  readonly attributes: Attribute[];
  readonly blocks: Block[];
  readonly names: Set<string>;
}

class BodyParser {
  constructor(private readonly stream: TokenStream) {}

  file(length: number): Body {
    const items = newItems();
    this.items(items, () => false);
    return { attributes: items.attributes, blocks: items.blocks, range: { start: 0, end: length } };
  }

  /** Attributes and blocks up to the end of the body, or of the text. */
  private items(items: Items, endsAt: (token: Token) => boolean): void {
    const { stream } = this;
    for (let token = stream.peek(); token.kind !== 'end-of-text' && !endsAt(token); token = stream.peek()) {
      if (token.kind === 'newline') stream.read();
      else if (token.kind !== 'word') this.unexpected(token);
      else if (this.item(items)) this.endOfLine();
    }
  }

  private unexpected(token: Token): void {
    this.stream.report(`expected an argument or a block, found ${describe(token)}`, token.start);
    // At a surplus brace skipItem would stay.
    if (token.kind === '}') this.stream.read();
    else this.stream.skipItem(this.stream.position);
  }

  /** @returns false if it could not be read and the rest of it was passed over */
  private item(items: Items): boolean {
    const { stream } = this;
    const name = stream.read();
    if (stream.take('=') !== undefined) return this.attribute(items, name);
    const position = stream.position;
    const block = attempt(stream, () => this.block(name));
    if (block === undefined) stream.skipItem(position);
    else items.blocks.push(block);
    return block !== undefined;
  }

  private attribute({ attributes, names }: Items, name: Token): boolean {
    const { stream } = this;
    const position = stream.position;
    const { start } = stream.peek();
    const value = attempt(stream, () => shallow(stream, readExpression(stream)));
    if (value === undefined) stream.skipItem(position);
    const range = { start, end: Math.max(start, stream.lastEnd) };
    const invalid: Expression = { kind: 'invalid', text: stream.textBetween(range.start, range.end), range };
    if (names.has(name.text))
      stream.report(`"${name.text}" is set twice in one block; only the first counts`, name.start);
    else attributes.push({ name: name.text, nameRange: { start: name.start, end: name.end }, value: value ?? invalid });
    names.add(name.text);
    return value !== undefined;
  }

  /** Arguments and blocks end with their line. What else stands in it is a problem and passed over. */
  private endOfLine(): void {
    const { stream } = this;
    const token = stream.peek();
    // A block that isn't closed ends behind a newline.
    if (token.kind === 'newline' || token.kind === 'end-of-text' || stream.isAtLineStart()) return;
    stream.report(`expected a new line, found ${describe(token)}`, token.start);
    stream.skipItem(stream.position);
  }

  private block(type: Token): Block {
    const { stream } = this;
    const labels: string[] = [];
    while (stream.peek().kind !== '{') labels.push(this.label());
    const headRange = { start: type.start, end: stream.lastEnd };
    return { type: type.text, labels, headRange, body: stream.nested(() => this.body()) };
  }

  private label(): string {
    const { stream } = this;
    const word = stream.take('word');
    if (word !== undefined) return word.text;
    if (stream.peek().kind !== 'quote') stream.unexpected('"{" or a label of a block, or "=" and a value');
    stream.open();
    let label = '';
    while (stream.take('end-quote') === undefined) {
      if (stream.peek().kind !== 'text')
        stream.fail('a label can contain no interpolation or directive', stream.peek().start);
      label += textPiece(stream.read(), true, stream).text;
    }
    return label;
  }

  private body(): Body {
    const { stream } = this;
    const closed = stream.isClosed();
    const open = stream.read();
    const items = newItems();
    if (!closed) stream.report('this block is not closed', open.start);
    if (stream.peek().kind === 'word') this.inlineItem(items);
    // A block that isn't closed is taken to end where something starts at the margin, as blocks of a file do.
    this.items(
      items,
      ({ kind, start }) =>
        kind === '}' || (!closed && kind === 'word' && stream.textBetween(start - 1, start) === '\n'),
    );
    stream.take('}');
    return { attributes: items.attributes, blocks: items.blocks, range: { start: open.start, end: stream.lastEnd } };
  }

  /** `block { name = value }`: a block with an argument in its first line holds nothing else and ends in that line. */
  private inlineItem(items: Items): void {
    const { stream } = this;
    const { start } = stream.peek();
    const blocks = items.blocks.length;
    if (!this.item(items)) return;
    const next = stream.peek();
    if (items.blocks.length > blocks) stream.report('a block within a block stands in a line of its own', start);
    else if (next.kind !== '}')
      stream.report(`expected "}" behind the one argument of a block in one line, found ${describe(next)}`, next.start);
    stream.take(',');
  }
}

function newItems(): Items {
  return { attributes: [], blocks: [], names: new Set() };
}
