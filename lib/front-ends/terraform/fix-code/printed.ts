import type { Body, Range } from '../../../languages/hcl/ast';
import { parseHcl } from '../../../languages/hcl/parser';

/** Code of a fix as it is taken apart, to be written otherwise: what it sets, in its order, and the comments between. */
export type CodePart =
  | { readonly kind: 'comment'; readonly text: string }
  | {
      readonly kind: 'argument';
      readonly name: string;
      readonly value: Body['attributes'][number]['value'];
      /** What is said behind it in its line. */
      readonly comment: string | undefined;
    }
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly labels: readonly string[];
      readonly parts: readonly CodePart[];
      readonly range: Range;
    };

/** Undefined for what is no code of Terraform: a piece of a script, or of an object of Kubernetes. */
export function codeParts(code: string): readonly CodePart[] | undefined {
  const { body, problems } = parseHcl(code);
  return problems.length > 0 ? undefined : partsOf(code, body, { start: 0, end: code.length });
}

function partsOf(code: string, body: Body, inside: Range): readonly CodePart[] {
  const items = [
    ...body.attributes.map((attribute) => ({
      attribute,
      start: attribute.nameRange.start,
      end: attribute.value.range.end,
    })),
    ...body.blocks.map((block) => ({ block, start: block.headRange.start, end: block.body.range.end })),
  ].sort((a, b) => a.start - b.start);
  const parts: CodePart[] = [];
  let from = inside.start;
  for (const item of items) {
    parts.push(...commentsIn(code.slice(from, item.start)));
    from = item.end;
    if ('attribute' in item) {
      const { name, value } = item.attribute;
      const comment = /^[ \t]*(?:#|\/\/)[ \t]*(.*)/.exec(code.slice(from))?.[1];
      if (comment !== undefined) from = endOfLine(code, from);
      parts.push({ kind: 'argument', name, value, comment });
    } else {
      const { type, labels, body: inner } = item.block;
      const { start, end } = inner.range;
      const nested = partsOf(code, inner, { start: start + 1, end: end - 1 });
      parts.push({ kind: 'block', name: type, labels, parts: nested, range: { start: item.start, end } });
    }
  }
  parts.push(...commentsIn(code.slice(from, inside.end)));
  return parts;
}

function endOfLine(code: string, from: number): number {
  const end = code.indexOf('\n', from);
  return end < 0 ? code.length : end;
}

function commentsIn(between: string): CodePart[] {
  return [...between.matchAll(/^[ \t]*(?:#|\/\/)(.*)$/gm)].map(([, text = '']) => ({
    kind: 'comment',
    text: text.trim(),
  }));
}

/** Lines such as `name = value`, with the signs of neighbours below each other as `terraform fmt` has them. */
export function aligned(settings: readonly { readonly name: string; readonly text: string }[]): readonly string[] {
  const lines: string[] = [];
  let run: { name: string; text: string }[] = [];
  const flush = (): void => {
    const width = Math.max(0, ...run.map(({ name }) => name.length));
    for (const { name, text } of run) lines.push(`${name.padEnd(width)} = ${text}`);
    run = [];
  };
  for (const { name, text } of settings) {
    if (text.includes('\n')) {
      flush();
      lines.push(`${name} = ${text}`);
    } else run.push({ name, text });
  }
  flush();
  return lines;
}

export function indented(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by);
}
