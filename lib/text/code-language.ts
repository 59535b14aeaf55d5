/** What begins code in another language than that of the file around it, which has it as a text. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:#!|--\w)/, 'sh'],
  [/^<powershell>/, 'powershell'],
  [/^\[settings\b/, 'toml'],
  [/^(?:MIME-Version|Content-Type): /, 'text'],
];

/** Neither a block nor an argument of HCL. */
const YAML = /^(?:---$|- |[\w.-]+:(?: |$))/;

/** The language of the code of a fix, as Markdown names it: a text within a configuration, such as user data or a manifest, has its own. */
export function codeLanguage(code: string, around: string): string {
  const first = code.split('\n').find((line) => line.trim() !== '' && !/^# /.test(line)) ?? '';
  const own = BEGINNINGS.find(([beginning]) => beginning.test(first))?.[1];
  return own ?? (around === 'hcl' && YAML.test(first) ? 'yaml' : around);
}
