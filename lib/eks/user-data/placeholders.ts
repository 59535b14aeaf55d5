import type { Source } from '../../value';
import type { PartKind } from './document';
import { readUserData } from './read-document';
import { SourceText } from './source-text';
import { templateSequences, withUnknownSequences, type TemplateSequence } from './text-template';

/**
 * Files of user data that something else fills before a node gets them: Terraform's `templatefile`, envsubst, Jinja, Helm, a script of
 * somebody's own. What a placeholder is depends on where it stands: `${HOSTNAME}` in a script is a variable of the shell.
 */

/** Files that Terraform's `templatefile` fills, by the names that they usually have. */
const TEMPLATE_NAME = /\.(?:tpl|tftpl|tmpl)$/i;

/** What only `templatefile` makes something of: its directives, and a doubled dollar sign before a brace. */
const TERRAFORM_ONLY = /%\{~?[ \t]*(?:if|for|else|endif|endfor)\b|\$\$\{/;

/** Expressions and statements of Jinja, Helm, Go and Mustache templates, on one line. */
const DOUBLE_BRACES = String.raw`\{\{[^\r\n]{1,300}?\}\}|\{%[^\r\n]{1,300}?%\}`;

/** What envsubst fills in. */
const VARIABLE = String.raw`\$[A-Za-z_]\w*`;

const IN_SCRIPT = new RegExp(String.raw`\$?(?:${DOUBLE_BRACES})`, 'g');
const OUTSIDE_SCRIPT = new RegExp(String.raw`\$?(?:${DOUBLE_BRACES})|${VARIABLE}`, 'g');

/** Parts in which a dollar sign has a meaning of its own. */
const SCRIPTS: ReadonlySet<PartKind> = new Set<PartKind>(['shell-script', 'boothook', 'cloud-config', 'windows']);

/**
 * The text of a file of user data, with its placeholders unknown.
 * @param file its name, also in places
 * @param sourceAt where each character stands, in a text that is a part of a file
 */
export function readUserDataFile(text: string, file: string, sourceAt?: (offset: number) => Source): SourceText {
  const isTerraform = TEMPLATE_NAME.test(file) || TERRAFORM_ONLY.test(text);
  const scripts = scriptsIn(text);
  const inScript = (offset: number): boolean => scripts.some(({ start, end }) => start <= offset && offset < end);
  const braces = templateSequences(text).filter(
    ({ start, end, literal }) => isTerraform || (literal === undefined && isClosed(text, end) && !inScript(start)),
  );
  const others = [
    ...sequencesLike(IN_SCRIPT, text).filter(({ start }) => inScript(start)),
    ...sequencesLike(isTerraform ? IN_SCRIPT : OUTSIDE_SCRIPT, text).filter(({ start }) => !inScript(start)),
  ];
  const sequences = outermost([...braces, ...others]);
  return sequences.length === 0
    ? SourceText.of(text, sourceAt)
    : withUnknownSequences(text, sourceAt ?? file, sequences);
}

/** A brace that nobody closes is a template's only where the file surely is one. */
function isClosed(text: string, end: number): boolean {
  return text.charAt(end - 1) === '}';
}

function sequencesLike(pattern: RegExp, text: string): readonly TemplateSequence[] {
  return Array.from(text.matchAll(pattern), ({ 0: sequence, index }) => ({
    start: index,
    end: index + sequence.length,
  }));
}

/** In order, without those that begin where another does, or inside of it. */
function outermost(sequences: readonly TemplateSequence[]): readonly TemplateSequence[] {
  let end = 0;
  return sequences
    .toSorted((one, other) => one.start - other.start)
    .filter((sequence) => {
      const isOuter = sequence.start >= end;
      if (isOuter) end = sequence.end;
      return isOuter;
    });
}

/** Where the scripts of the text stand, as far as they stand there in the open. */
function scriptsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const document = readUserData(SourceText.of(text));
  if (document.text.text !== text) return [];
  return document.parts.flatMap(({ kind, bodyOffset, body }) => {
    const end = bodyOffset + body.text.length;
    return SCRIPTS.has(kind) && text.slice(bodyOffset, end) === body.text ? [{ start: bodyOffset, end }] : [];
  });
}
