/** A path as an argument: not to be taken for an option. */
export function argumentFor(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** A text of several lines in YAML, with its line break at the end. */
export function block(text: string, indentation: number): string {
  // Such characters are only written with escapes.
  if (/[^\P{C}\n]|\p{Zl}|\p{Zp}/u.test(text)) return `${JSON.stringify(text)}\n`;
  return `|\n${text
    .split('\n')
    .map((line) => `${line === '' ? '' : ' '.repeat(indentation)}${line}\n`)
    .join('')}`;
}

/** How a pipeline runs a check, from a folder of its own: the checkout's .npmrc and node_modules have no say in what runs. */
export function checkCommand(version: string): string {
  return `npx --yes --prefix="$(mktemp -d)" eks-guardrails@${version} check --no-config-code`;
}
