import type { Range } from './ast';
import { PUNCTUATION, type Token, type TokenKind } from './token';

/**
 * Tokens of a configuration file, or of a template: text that needs no quotes around it. Comments are left out. The
 * last token is always `end-of-text`.
 * @param start offset that the first character has in the file
 */
export function tokenize(text: string, form: 'configuration' | 'template', start = 0): Token[] {
  return new Lexer(text, form, start).run();
}

/** The comments of a configuration file, without the line breaks behind them. */
export function commentsOf(text: string): readonly Range[] {
  const lexer = new Lexer(text, 'configuration', 0);
  lexer.run();
  return lexer.comments;
}

/** What the text at hand is part of. Interpolations and directives are `code` again, within braces. */
type Mode =
  | { readonly kind: 'code'; readonly inTemplate: boolean; braces: number }
  | { readonly kind: 'quote' }
  | { readonly kind: 'heredoc'; readonly marker: string; atLineStart: boolean }
  | { readonly kind: 'bare' };

// The lexical grammar is that of HCL's scanner: github.com/hashicorp/hcl, hclsyntax/scan_tokens.rl.
const WORD = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const NUMBER = /\d(?:(?:[\d.]|[eE][+-]?\d)*(?:\d|[eE][+-]?\d))?/y;
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const NEWLINE = /\r?\n/y;
const BLANK = /[ \t]+/y;
const BYTE_ORDER_MARK = '\ufeff';

class Lexer {
  readonly comments: Range[] = [];
  private readonly tokens: Token[] = [];
  private readonly modes: Mode[];
  private offset = 0;
  private endOfLine = 0;

  constructor(
    private readonly text: string,
    form: 'configuration' | 'template',
    private readonly base: number,
  ) {
    this.modes = [form === 'template' ? { kind: 'bare' } : { kind: 'code', inTemplate: false, braces: 0 }];
    if (form === 'configuration' && text.startsWith(BYTE_ORDER_MARK)) this.offset = 1;
  }

  run(): Token[] {
    while (this.offset < this.text.length) {
      const mode = this.modes.at(-1);
      if (mode === undefined) break;
      if (mode.kind === 'code') this.code(mode);
      else if (mode.kind === 'quote') this.quoted();
      else if (mode.kind === 'heredoc') this.heredocLine(mode);
      else this.templateText(this.lineEnd());
    }
    this.emit('end-of-text', 0);
    return this.tokens;
  }

  private emit(kind: TokenKind, length: number): void {
    const { offset, base } = this;
    this.offset += length;
    this.tokens.push({
      kind,
      text: this.text.slice(offset, this.offset),
      start: base + offset,
      end: base + this.offset,
    });
  }

  /** Length of what the pattern matches here; 0 if it doesn't. */
  private match(pattern: RegExp): number {
    pattern.lastIndex = this.offset;
    return pattern.test(this.text) ? pattern.lastIndex - this.offset : 0;
  }

  private code(mode: Mode & { kind: 'code' }): void {
    const blank = this.match(BLANK);
    this.offset += blank;
    if (blank > 0 || this.comment() || this.brace(mode) || this.openTemplate()) return;
    const newline = this.match(NEWLINE);
    if (newline > 0) {
      this.emit('newline', newline);
      return;
    }
    const word = this.match(WORD);
    if (word > 0) {
      this.emit('word', word);
      return;
    }
    const number = this.match(NUMBER);
    if (number > 0) {
      this.emit('number', number);
      return;
    }
    const punctuation = PUNCTUATION.find((candidate) => this.text.startsWith(candidate, this.offset));
    if (punctuation === undefined) this.emit('invalid', (this.text.codePointAt(this.offset) ?? 0) > 0xffff ? 2 : 1);
    else this.emit(punctuation, punctuation.length);
  }

  private comment(): boolean {
    const { text, offset } = this;
    if (text.startsWith('/*', offset)) {
      const end = text.indexOf('*/', offset + 2);
      if (end < 0) this.emit('invalid', text.length - offset);
      else this.passOver(end + 2);
      return true;
    }
    if (text[offset] !== '#' && !text.startsWith('//', offset)) return false;
    const end = text.indexOf('\n', offset);
    this.passOver(end < 0 ? text.length : end);
    return true;
  }

  private passOver(end: number): void {
    this.comments.push({ start: this.offset, end });
    this.offset = end;
  }

  private brace(mode: Mode & { kind: 'code' }): boolean {
    const { text, offset } = this;
    if (text[offset] === '{') {
      mode.braces++;
      this.emit('{', 1);
      return true;
    }
    const trims = text.startsWith('~}', offset);
    if (!trims && text[offset] !== '}') return false;
    const endsSequence = mode.inTemplate && mode.braces === 0;
    if (endsSequence) this.modes.pop();
    else mode.braces = Math.max(0, mode.braces - 1);
    this.emit(endsSequence || trims ? 'end-sequence' : '}', trims ? 2 : 1);
    return true;
  }

  private openTemplate(): boolean {
    if (this.text[this.offset] === '"') {
      this.emit('quote', 1);
      this.modes.push({ kind: 'quote' });
      return true;
    }
    HEREDOC.lastIndex = this.offset;
    const marker = HEREDOC.exec(this.text)?.[1];
    if (marker === undefined) return false;
    this.emit('heredoc', HEREDOC.lastIndex - this.offset);
    this.modes.push({ kind: 'heredoc', marker, atLineStart: true });
    return true;
  }

  private quoted(): void {
    const { text } = this;
    let end = this.offset;
    for (; end < text.length; end++) {
      const character = text[end];
      if (character === '"' || character === '\n' || character === '\r' || this.sequenceAt(end)) break;
      if (character === '\\' && text[end + 1] !== '\n' && text[end + 1] !== '\r') end++;
      else if (this.escapedSequenceAt(end)) end += 2;
    }
    end = Math.min(end, text.length);
    if (end > this.offset) this.emit('text', end - this.offset);
    if (text[end] === '"') {
      this.modes.pop();
      this.emit('end-quote', 1);
    } else if (text[end] === '\n' || text[end] === '\r') {
      this.abandonQuotes();
    } else if (end < text.length) {
      this.sequence();
    }
  }

  /** A quoted text ends in its line. If it doesn't, what it stands in is broken too: reading goes on behind all of it, or within the heredoc around it. */
  private abandonQuotes(): void {
    while (this.modes.length > 1 && this.modes.at(-1)?.kind !== 'heredoc') this.modes.pop();
    if (this.modes.at(-1)?.kind === 'code' && this.match(NEWLINE) === 0) this.emit('invalid', 1);
  }

  private heredocLine(mode: Mode & { kind: 'heredoc' }): void {
    const end = this.lineEnd();
    if (mode.atLineStart) {
      const line = this.text.slice(this.offset, end);
      // A marker counts only in a line that ends.
      if (line.endsWith('\n') && line.trim() === mode.marker) {
        this.offset += line.indexOf(mode.marker);
        this.modes.pop();
        this.emit('end-heredoc', mode.marker.length);
        this.offset = end - 1;
        return;
      }
    }
    this.templateText(end);
    mode.atLineStart = this.tokens.at(-1)?.text.endsWith('\n') ?? false;
  }

  /** Offset behind the newline that ends this line; looked for once in each line. */
  private lineEnd(): number {
    if (this.offset >= this.endOfLine) {
      const end = this.text.indexOf('\n', this.offset);
      this.endOfLine = end < 0 ? this.text.length : end + 1;
    }
    return this.endOfLine;
  }

  /** Text up to the next interpolation or directive, or to the end of the line. White space is trimmed by line, so each is a token. */
  private templateText(lineEnd: number): void {
    let end = this.offset;
    for (; end < lineEnd && !this.sequenceAt(end); end++) if (this.escapedSequenceAt(end)) end += 2;
    if (end > this.offset) this.emit('text', end - this.offset);
    else this.sequence();
  }

  private sequenceAt(offset: number): boolean {
    const character = this.text[offset];
    return (character === '$' || character === '%') && this.text[offset + 1] === '{';
  }

  /** `$${` and `%%{` stand for the characters `${` and `%{`. */
  private escapedSequenceAt(offset: number): boolean {
    const character = this.text[offset];
    return (
      (character === '$' || character === '%') && this.text[offset + 1] === character && this.text[offset + 2] === '{'
    );
  }

  private sequence(): void {
    const directive = this.text[this.offset] === '%';
    this.emit(directive ? 'directive' : 'interpolation', this.text[this.offset + 2] === '~' ? 3 : 2);
    this.modes.push({ kind: 'code', inTemplate: true, braces: 0 });
  }
}
