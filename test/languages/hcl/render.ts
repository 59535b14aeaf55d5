import type { Body, Expression, SplatStep, TemplatePart } from '../../../lib/languages/hcl/ast';

/** Chooses one of `count` ways to write the same: 0 … count - 1. */
export type Choose = (count: number) => number;

const LEVEL: Readonly<Record<string, number>> = {
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
};

/** Writes trees as HCL. Only for trees that HCL can say: no texts next to each other in a template, no words that are keywords. */
export class Renderer {
  constructor(private readonly choose: Choose) {}

  file({ attributes, blocks }: Body): string {
    const newline = (): string =>
      this.pick('\n', '\r\n', ' # comment }\n', ' // "comment\r\n', '\n\n  ', ' /* a\n */\n');
    return [
      ...attributes.map(
        ({ name, value }) => `${name}${this.blank()}=${this.blank()}${this.expression(value)}${newline()}`,
      ),
      ...blocks.map(({ type, labels, body }) => {
        const head = [type, ...labels.map((label) => `"${this.text(label)}"`)].join(
          this.pick(' ', '  ', '\t', ' /* x */ '),
        );
        const [only] = body.attributes;
        const inline =
          only !== undefined && body.attributes.length === 1 && body.blocks.length === 0 && this.choose(2) === 0;
        return inline
          ? `${head} { ${only.name} = ${this.expression(only.value)} }\n`
          : `${head} {${newline()}${this.file(body)}}${newline()}`;
      }),
    ].join('');
  }

  expression(tree: Expression): string {
    const text = this.plain(tree);
    return this.choose(8) === 0 ? `(${this.gap()}${text}${this.gap()})` : text;
  }

  private plain(tree: Expression): string {
    switch (tree.kind) {
      case 'literal':
        return typeof tree.value === 'string' ? `"${this.text(tree.value)}"` : String(tree.value);
      case 'template':
        return this.heredoc(tree.parts) ?? `"${this.parts(tree.parts)}"`;
      case 'variable':
        return tree.name;
      case 'attribute':
        return `${this.operand(tree.of)}.${tree.name}`;
      case 'index':
        return `${this.operand(tree.of)}[${this.gap()}${this.expression(tree.key)}${this.gap()}]`;
      case 'splat':
        return `${this.operand(tree.of)}[*]${tree.rest.map((step) => this.step(step)).join('')}`;
      case 'call':
        return `${tree.name}(${this.list(
          tree.args.map((arg) => this.expression(arg)),
          tree.expandsLast ? '...' : this.pick('', ','),
        )})`;
      case 'conditional':
        return `${this.inParentheses(tree.test, tree.test.kind === 'conditional')} ? ${this.expression(tree.yes)} : ${this.expression(tree.no)}`;
      case 'unary':
        return `${tree.operator}${this.blank()}${this.inParentheses(tree.operand, tree.operand.kind === 'binary' || tree.operand.kind === 'conditional')}`;
      case 'binary': {
        const level = LEVEL[tree.operator] ?? 0;
        return `${this.inParentheses(tree.left, levelOf(tree.left) < level)} ${tree.operator} ${this.inParentheses(tree.right, levelOf(tree.right) <= level)}`;
      }
      case 'tuple':
        return `[${this.list(
          tree.items.map((item) => this.expression(item)),
          this.pick('', ','),
        )}]`;
      case 'object':
        return this.object(tree);
      case 'for': {
        const names = tree.keyName === undefined ? tree.valueName : `${tree.keyName}, ${tree.valueName}`;
        const key = tree.key === undefined ? '' : `${this.expression(tree.key)} => `;
        const inside = `for ${names} in ${this.expression(tree.in)}${this.gap()}: ${key}${this.expression(tree.value)}${tree.groups ? '...' : ''}${tree.condition === undefined ? '' : ` if ${this.expression(tree.condition)}`}`;
        return tree.key === undefined
          ? `[${this.gap()}${inside}${this.gap()}]`
          : `{${this.gap()}${inside}${this.gap()}}`;
      }
      case 'invalid':
        throw new Error('invalid trees have no text');
    }
  }

  private object({ entries }: Expression & { kind: 'object' }): string {
    const lines = entries.map(({ key, value }) => {
      return `${this.key(key)} ${this.pick('=', ':')} ${this.expression(value)}`;
    });
    const separator = this.pick(', ', ',\n', '\n', ' # }\n', '\r\n\r\n');
    return `{${this.gap()}${lines.join(separator)}${this.pick(' ', '\n')}}`;
  }

  private key(key: Expression): string {
    if (key.kind !== 'literal' || typeof key.value !== 'string') return `(${this.plain(key)})`;
    return /^[a-z]+$/.test(key.value) && this.choose(2) === 0 ? key.value : this.plain(key);
  }

  private step(step: SplatStep): string {
    if (step.kind === 'attribute') return `.${step.name}`;
    if (step.kind === 'index') return `[${this.expression(step.key)}]`;
    return `[*]${step.rest.map((inner) => this.step(inner)).join('')}`;
  }

  /** What a step or an operator of one side can follow. */
  private operand(of: Expression): string {
    const bare =
      of.kind === 'variable' ||
      of.kind === 'attribute' ||
      of.kind === 'index' ||
      of.kind === 'call' ||
      of.kind === 'tuple' ||
      of.kind === 'object' ||
      of.kind === 'for';
    return this.inParentheses(of, !bare);
  }

  private inParentheses(tree: Expression, needed: boolean): string {
    const text = this.plain(tree);
    // A heredoc ends its line, and in an object an expression ends with the line.
    return needed || text.includes('<<MARKER') ? `(${text})` : text;
  }

  private list(items: readonly string[], end: string): string {
    return items.length === 0
      ? this.gap()
      : `${this.gap()}${items.join(`${this.gap()},${this.gap()}`)}${end}${this.gap()}`;
  }

  private heredoc(parts: readonly TemplatePart[]): string | undefined {
    const last = parts.at(-1);
    if (last?.kind !== 'text' || !last.text.endsWith('\n') || this.choose(2) === 0) return undefined;
    const text = this.parts(parts, (raw) => raw.replaceAll(/([$%])\{/g, '$1$1{'));
    // A sign in front of a sequence would escape it, and only quotes have another way to write it. Of carriage returns
    // heredocs hold none but those of newlines.
    return endsInSign(parts) || textsOf(parts).some((raw) => raw.includes('\r'))
      ? undefined
      : `<<MARKER\n${text}  MARKER\n`;
  }

  private parts(parts: readonly TemplatePart[], text = (raw: string): string => this.text(raw)): string {
    return parts.map((part) => this.part(part, text)).join('');
  }

  private part(part: TemplatePart, text: (raw: string) => string): string {
    switch (part.kind) {
      case 'text':
        return text(part.text);
      case 'interpolation':
        return `\${${this.gap()}${this.expression(part.value)}${this.gap()}}`;
      case 'if':
        return `%{ if ${this.expression(part.test)} }${this.parts(part.yes, text)}${part.no.length === 0 && this.choose(2) === 0 ? '' : `%{else}${this.parts(part.no, text)}`}%{ endif }`;
      case 'for':
        return `%{ for ${part.keyName === undefined ? '' : `${part.keyName},`}${part.valueName} in ${this.expression(part.in)} }${this.parts(part.parts, text)}%{endfor}`;
    }
  }

  /** The inside of quotes. A sign that a sequence follows is written by its number. */
  private text(raw: string): string {
    const escapes: Readonly<Record<string, string>> = {
      '\\': '\\\\',
      '"': '\\"',
      '\n': '\\n',
      '\r': '\\r',
      '\t': '\\t',
    };
    return raw
      .replaceAll(/[\\"\n\r]/g, (character) => escapes[character] ?? character)
      .replaceAll('\t', this.pick('\t', '\\t'))
      .replaceAll(/([$%])\{/g, '$1$1{')
      .replace(/[$%]$/, (sign) => (sign === '$' ? '\\u0024' : '\\U00000025'));
  }

  /** What may stand where newlines mean nothing. */
  private gap(): string {
    return this.pick(' ', '', ' ', '\n', '\r\n\t', ' # "\n', ' // ${\n', ' /* ) */ ');
  }

  private blank(): string {
    return this.pick(' ', '', '\t', '  ', ' /* = */ ');
  }

  private pick(...texts: readonly string[]): string {
    return texts[this.choose(texts.length)] ?? '';
  }
}

function levelOf(tree: Expression): number {
  if (tree.kind === 'conditional') return 0;
  return tree.kind === 'binary' ? (LEVEL[tree.operator] ?? 0) : 7;
}

/** Whether any text in a template, at any depth, ends in a sign that could join the sequence behind it. */
function endsInSign(parts: readonly TemplatePart[]): boolean {
  return textsOf(parts).some((text) => /[$%]$/.test(text));
}

function textsOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [part.text];
    if (part.kind === 'if') return [...textsOf(part.yes), ...textsOf(part.no)];
    return part.kind === 'for' ? textsOf(part.parts) : [];
  });
}
