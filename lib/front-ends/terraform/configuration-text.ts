import { topLevelKeys } from '../../text/json-keys';

/** A comment of HCL is skipped by its end; what follows it need not be looked at for longer than this. */
const FIRST_LINE = 1000;

const BLOCKS = [
  'resource',
  'data',
  'module',
  'provider',
  'variable',
  'output',
  'locals',
  'terraform',
  'ephemeral',
  'moved',
  'import',
  'removed',
  'check',
  'action',
];

const FIRST_BLOCK = new RegExp(`^(?:${BLOCKS.join('|')})(?:[ \\t]+(?:"[^"\\n]*"|[\\w-]+))*[ \\t]*\\{`);

/** Whether a text seems to be configuration of Terraform: in its own syntax, in JSON, or undefined for neither. */
export function configurationSyntax(text: string): 'hcl' | 'json' | undefined {
  if (FIRST_BLOCK.test(firstLine(text))) return 'hcl';
  // Terraform refuses a configuration with any other key; plans, states and templates have others.
  let syntax: 'json' | undefined;
  for (const key of topLevelKeys(text)) {
    if (key === '//') continue;
    if (!BLOCKS.includes(key)) return undefined;
    syntax = 'json';
  }
  return syntax;
}

/** Whether a text seems to give values to variables of Terraform, as `.tfvars` files do. */
export function looksLikeVariables(text: string): boolean {
  return /^[\w-]+[ \t]*=(?!=)/.test(firstLine(text));
}

/** What follows the comments at the beginning. */
function firstLine(text: string): string {
  const start = afterComments(text);
  return text.slice(start, start + FIRST_LINE);
}

/** Where the first word stands that belongs to no comment. */
function afterComments(text: string): number {
  let at = 0;
  for (;;) {
    while (/^\s$/.test(text.charAt(at))) at++;
    const end = text.startsWith('/*', at)
      ? text.indexOf('*/', at + 2) + 1
      : text.startsWith('#', at) || text.startsWith('//', at)
        ? text.indexOf('\n', at)
        : undefined;
    if (end === undefined) return at;
    if (end <= 0) return text.length;
    at = end + 1;
  }
}
