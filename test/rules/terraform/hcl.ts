import { quoted } from './expressions';
import { isBlock } from './schema';
import { isMap, type JsonMap } from './untranslatable';

/** A configuration of the JSON syntax, written in HCL. */
export function hclText(configuration: JsonMap): string {
  const lines: string[] = [];
  const section = (name: string): JsonMap => (isMap(configuration[name]) ? configuration[name] : {});
  for (const [name, variable] of Object.entries(section('variable')))
    block(lines, `variable ${quoted(name)}`, variable, 0, (key) => key === 'type');
  if ('locals' in configuration) block(lines, 'locals', configuration['locals'], 0);
  for (const kind of ['data', 'resource']) {
    for (const [type, named] of Object.entries(section(kind))) {
      for (const [name, body] of Object.entries(isMap(named) ? named : {}))
        block(lines, `${kind} ${quoted(type)} ${quoted(name)}`, body, 0);
    }
  }
  return lines.join('\n') + '\n';
}

function block(
  lines: string[],
  head: string,
  body: unknown,
  depth: number,
  isBare: (key: string) => boolean = () => false,
): void {
  const margin = '  '.repeat(depth);
  lines.push(`${margin}${head} {`);
  for (const [key, value] of Object.entries(isMap(body) ? body : {})) {
    if (isBlock(key, value))
      for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
        block(lines, key, one, depth + 1);
    else lines.push(`${margin}  ${key} = ${isBare(key) && typeof value === 'string' ? value : expressionText(value)}`);
  }
  lines.push(`${margin}}`);
}

/** A value of the JSON syntax as an expression. */
function expressionText(value: unknown): string {
  if (typeof value === 'string') return templateText(value);
  if (Array.isArray(value)) return `[${value.map(expressionText).join(', ')}]`;
  if (isMap(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${quoted(key)} = ${expressionText(item)}`)
      .join(', ')} }`;
  return JSON.stringify(value);
}

function templateText(text: string): string {
  const parts = templateParts(text);
  const [first] = parts;
  if (parts.length === 1 && first?.isExpression === true) return first.text;
  // The signs of templates are doubled already.
  return `"${parts.map((part) => (part.isExpression ? `\${${part.text}}` : JSON.stringify(part.text).slice(1, -1).replaceAll('\\b', '\\u0008').replaceAll('\\f', '\\u000c'))).join('')}"`;
}

/** The literal parts of a template, and the expressions in it. */
export function templateParts(text: string): { readonly isExpression: boolean; readonly text: string }[] {
  const parts: { isExpression: boolean; text: string }[] = [];
  let literal = '';
  for (let index = 0; index < text.length; ) {
    if (text.startsWith('$${', index)) {
      literal += '$${';
      index += 3;
    } else if (text.startsWith('${', index)) {
      const end = endOfExpression(text, index + 2);
      if (literal !== '') parts.push({ isExpression: false, text: literal });
      literal = '';
      parts.push({ isExpression: true, text: text.slice(index + 2, end) });
      index = end + 1;
    } else literal += text[index++] ?? '';
  }
  if (literal !== '' || parts.length === 0) parts.push({ isExpression: false, text: literal });
  return parts;
}

/** Offset of the brace that closes an interpolation; texts in it may hold interpolations themselves. */
function endOfExpression(text: string, start: number): number {
  const open: ('brace' | 'text')[] = ['brace'];
  let index = start;
  for (; index < text.length; index++) {
    const character = text[index];
    const inText = open.at(-1) === 'text';
    if (inText && character === '\\') index++;
    else if (character === '"') {
      if (inText) open.pop();
      else open.push('text');
    } else if (inText && text.startsWith('$${', index)) index += 2;
    else if (inText && text.startsWith('${', index)) {
      open.push('brace');
      index++;
    } else if (!inText && character === '{') open.push('brace');
    else if (!inText && character === '}') {
      open.pop();
      if (open.length === 0) break;
    }
  }
  return index;
}
