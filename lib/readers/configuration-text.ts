/** A comment of HCL is skipped by its end; what follows it need not be looked at for longer than this. */
const FIRST_LINE = 1000;

const BLOCKS = 'resource|data|module|provider|variable|output|locals|terraform|ephemeral|moved|import|removed|check|action';

/** Whether a text seems to be configuration of Terraform: in its own syntax, in JSON, or undefined for neither. */
export function configurationSyntax(text: string): 'hcl' | 'json' | undefined {
  const start = afterComments(text);
  const line = text.slice(start, start + FIRST_LINE);
  if (!line.startsWith('{')) return new RegExp(`^(?:${BLOCKS})(?:[ \\t]+(?:"[^"\\n]*"|[\\w-]+))*[ \\t]*\\{`).test(line) ? 'hcl' : undefined;
  return !text.includes('"Resources"') && new RegExp(`"(?:${BLOCKS})"\\s{0,20}:\\s{0,20}[[{]`).test(text) ? 'json' : undefined;
}

/** Where the first word stands that belongs to no comment. */
function afterComments(text: string): number {
  let at = 0;
  for (;;) {
    while (/^[\s\uFEFF]$/.test(text.charAt(at))) at++;
    const end = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) + 1 : text.startsWith('#', at) || text.startsWith('//', at) ? text.indexOf('\n', at) : undefined;
    if (end === undefined) return at;
    if (end <= 0) return text.length;
    at = end + 1;
  }
}
