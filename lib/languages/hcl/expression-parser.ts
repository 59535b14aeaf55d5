import type { BinaryOperator, Expression, ObjectEntry, Range, SplatStep, TemplatePart } from './ast';
import { readForHead, readTemplateParts, type TemplateInput } from './template-parser';
import type { Token, TokenKind } from './token';
import type { TokenStream } from './token-stream';

/** Of two operators the one of the higher level binds tighter. Unary ones bind tighter than all. */
const LEVELS: Partial<Record<TokenKind, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
} satisfies Record<BinaryOperator, number>;

/** Reads one expression; throws SyntaxFailure at what can't be part of it. */
export function readExpression(stream: TokenStream): Expression {
  return stream.nested(() => {
    const test = readBinary(stream, 1);
    if (stream.take('?') === undefined) return test;
    const yes = readExpression(stream);
    stream.expect(':', '":" and what holds otherwise');
    const no = readExpression(stream);
    return { kind: 'conditional', test, yes, no, range: between(test, no) };
  });
}

/** Reads a template up to the token that closes it. Without interpolations and directives it is a literal. */
export function readTemplate(
  stream: TokenStream,
  start: number,
  closer: TokenKind,
  form: 'quoted' | 'indented' | 'plain',
): Expression {
  const parts = stream.nested(() => readTemplateParts(templateInput(stream), closer, form));
  const range = { start, end: stream.lastEnd };
  const text = onlyText(parts);
  return text === undefined ? { kind: 'template', parts, range } : { kind: 'literal', value: text, range };
}

function onlyText(parts: readonly TemplatePart[]): string | undefined {
  const [first, second] = parts;
  if (first === undefined) return '';
  return first.kind === 'text' && second === undefined ? first.text : undefined;
}

function templateInput(stream: TokenStream): TemplateInput {
  return { stream, readExpression: () => readExpression(stream) };
}

/** Operators of at least this level; of equal ones the left binds first. */
function readBinary(stream: TokenStream, level: number): Expression {
  let left = readOperand(stream);
  for (;;) {
    const { kind } = stream.peek();
    if (!isBinaryOperator(kind)) return left;
    const found = LEVELS[kind] ?? 0;
    if (found < level) return left;
    stream.read();
    const right = readBinary(stream, found + 1);
    left = { kind: 'binary', operator: kind, left, right, range: between(left, right) };
  }
}

function isBinaryOperator(kind: TokenKind): kind is BinaryOperator {
  return kind in LEVELS;
}

function readOperand(stream: TokenStream): Expression {
  let operand = readTerm(stream);
  for (let step = readStep(stream); step !== undefined; step = readStep(stream)) {
    operand = { ...step, of: operand, range: { start: operand.range.start, end: stream.lastEnd } };
  }
  return operand;
}

/** One step behind a value, like `.name`, `[0]` or `[*]` with all that follows it. */
function readStep(stream: TokenStream): SplatStep | undefined {
  if (stream.take('.') !== undefined) {
    if (stream.take('*') === undefined) return readNameStep(stream);
    const rest: SplatStep[] = [];
    while (stream.take('.') !== undefined) rest.push(readNameStep(stream));
    return { kind: 'splat', rest };
  }
  if (stream.peek().kind !== '[') return undefined;
  stream.open();
  if (stream.take('*') !== undefined) {
    stream.expect(']', '"]" behind "*"');
    return { kind: 'splat', rest: stream.nested(() => readSteps(stream)) };
  }
  return stream.withNewlines(false, () => {
    const key = readExpression(stream);
    stream.expect(']', '"]" behind the index');
    return { kind: 'index', key };
  });
}

function readSteps(stream: TokenStream): SplatStep[] {
  const steps: SplatStep[] = [];
  for (let step = readStep(stream); step !== undefined; step = readStep(stream)) steps.push(step);
  return steps;
}

/** What stands behind a dot: a name, or an index as Terraform 0.11 wrote it. */
function readNameStep(stream: TokenStream): SplatStep {
  const index = stream.take('number');
  if (index === undefined) return { kind: 'attribute', name: stream.expect('word', 'a name behind "."').text };
  if (index.text.includes('.'))
    stream.fail(
      `".${index.text}" could be two indexes or a number; write "[${index.text.replace('.', '][')}]"`,
      index.start,
    );
  return { kind: 'index', key: numberLiteral(stream, index) };
}

/** How a value is read, by the token that it starts with. */
const TERMS: Partial<Record<TokenKind, (stream: TokenStream) => Expression>> = {
  number: (stream) => numberLiteral(stream, stream.read()),
  word: (stream) => readWord(stream, stream.read()),
  quote: (stream) => readTemplate(stream, stream.open().start, 'end-quote', 'quoted'),
  heredoc: readHeredoc,
  '-': (stream) => readUnary(stream, '-'),
  '!': (stream) => readUnary(stream, '!'),
  '(': readParentheses,
  '[': readTuple,
  '{': readObject,
};

function readTerm(stream: TokenStream): Expression {
  const read = TERMS[stream.peek().kind];
  return read === undefined ? stream.unexpected('a value') : read(stream);
}

function readHeredoc(stream: TokenStream): Expression {
  const { start, text } = stream.open();
  return readTemplate(stream, start, 'end-heredoc', text.startsWith('<<-') ? 'indented' : 'plain');
}

function readUnary(stream: TokenStream, operator: '-' | '!'): Expression {
  const { start } = stream.read();
  const operand = stream.nested(() => readOperand(stream));
  return { kind: 'unary', operator, operand, range: { start, end: operand.range.end } };
}

function numberLiteral(stream: TokenStream, token: Token): Expression {
  const value = Number(token.text);
  if (Number.isNaN(value)) stream.fail(`"${token.text}" is not a number`, token.start);
  return { kind: 'literal', value, range: rangeOf(token) };
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function readWord(stream: TokenStream, word: Token): Expression {
  const { kind } = stream.peek();
  if (kind === '(' || kind === '::') return readCall(stream, word);
  const constant = CONSTANTS.get(word.text);
  return constant === undefined
    ? { kind: 'variable', name: word.text, range: rangeOf(word) }
    : { kind: 'literal', value: constant, range: rangeOf(word) };
}

function readCall(stream: TokenStream, first: Token): Expression {
  let name = first.text;
  while (stream.take('::') !== undefined)
    name += `::${stream.expect('word', 'the name of a function behind "::"').text}`;
  if (stream.peek().kind !== '(') stream.unexpected('"(" behind the name of a function');
  stream.open();
  const args: Expression[] = [];
  const expandsLast = stream.withNewlines(false, () => {
    while (stream.take(')') === undefined) {
      args.push(readExpression(stream));
      if (stream.take('...') !== undefined) {
        stream.expect(')', '")" behind "..."');
        return true;
      }
      if (stream.take(',') === undefined && stream.peek().kind !== ')')
        stream.unexpected('"," or ")" behind the argument');
    }
    return false;
  });
  return { kind: 'call', name, args, expandsLast, range: { start: first.start, end: stream.lastEnd } };
}

function readParentheses(stream: TokenStream): Expression {
  const { start } = stream.open();
  return stream.withNewlines(false, () => {
    const inner = readExpression(stream);
    const { end } = stream.expect(')', '")"');
    return { ...inner, range: { start, end } };
  });
}

function readTuple(stream: TokenStream): Expression {
  const { start } = stream.open();
  return stream.withNewlines(false, () => {
    if (stream.atWord('for')) return readFor(stream, start, ']');
    const items: Expression[] = [];
    while (stream.take(']') === undefined) {
      items.push(readExpression(stream));
      if (stream.take(',') === undefined && stream.peek().kind !== ']') stream.unexpected('"," or "]" behind the item');
    }
    return { kind: 'tuple', items, range: { start, end: stream.lastEnd } };
  });
}

function readObject(stream: TokenStream): Expression {
  const { start } = stream.open();
  if (stream.withNewlines(false, () => stream.atWord('for')))
    return stream.withNewlines(false, () => readFor(stream, start, '}'));
  return stream.withNewlines(true, () => {
    const entries: ObjectEntry[] = [];
    for (;;) {
      while (stream.take('newline') !== undefined);
      if (stream.take('}') !== undefined) return { kind: 'object', entries, range: { start, end: stream.lastEnd } };
      entries.push(readEntry(stream));
      const { kind } = stream.peek();
      if (kind === ',' || kind === 'newline') stream.read();
      else if (kind !== '}') stream.unexpected('a new line, "," or "}" behind the value');
    }
  });
}

function readEntry(stream: TokenStream): ObjectEntry {
  const computed = stream.peek().kind === '(';
  const key = readExpression(stream);
  if (stream.take('=') === undefined && stream.take(':') === undefined) stream.unexpected('"=" behind the key');
  return { key: computed ? key : wordAsText(key), value: readExpression(stream) };
}

/** A bare word as key is a text, `true` and `null` too. */
function wordAsText(key: Expression): Expression {
  if (key.kind === 'variable') return { kind: 'literal', value: key.name, range: key.range };
  if (key.kind === 'literal' && (typeof key.value === 'boolean' || key.value === null))
    return { ...key, value: String(key.value) };
  return key;
}

function readFor(stream: TokenStream, start: number, closer: ']' | '}'): Expression {
  stream.read();
  const head = readForHead(templateInput(stream));
  stream.expect(':', '":" behind the collection');
  const first = readExpression(stream);
  const arrow = stream.peek();
  if (closer === '}' && arrow.kind !== '=>') stream.unexpected('"=>" behind the key');
  if (closer === ']' && arrow.kind === '=>') stream.unexpected('a tuple, which has no keys');
  const second = stream.take('=>') && readExpression(stream);
  const groups = closer === '}' && stream.take('...') !== undefined;
  let condition: Expression | undefined;
  if (stream.atWord('if')) {
    stream.read();
    condition = readExpression(stream);
  }
  const { end } = stream.expect(closer, `"${closer}" behind the "for"`);
  return {
    kind: 'for',
    ...head,
    key: second && first,
    value: second ?? first,
    condition,
    groups,
    range: { start, end },
  };
}

function rangeOf({ start, end }: Token): Range {
  return { start, end };
}

function between(first: Expression, last: Expression): Range {
  return { start: first.range.start, end: last.range.end };
}
