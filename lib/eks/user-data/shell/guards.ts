import type { ShellCommand, ShellScript } from './script';

/**
 * Whether a command only runs where a file exists: `[ -x FILE ] && …`, `if [[ -f FILE ]]; then …`, `command -v FILE && …`,
 * `[ ! -e FILE ] || …`.
 */
export function isGuardedByExistence(script: ShellScript, command: ShellCommand, file: string): boolean {
  return command.guards.some((guard) => {
    for (let index = firstFrom(script.commands, guard.start); index < script.commands.length; index++) {
      const test = script.commands[index];
      if (test === undefined || test.offset >= guard.end) return false;
      const result = existenceTest(test, file);
      if (result !== undefined && result !== guard.negated) return true;
    }
    return false;
  });
}

/** True for a command that succeeds if the file exists, false for one that fails then, undefined for others. */
function existenceTest(command: ShellCommand, file: string): boolean | undefined {
  const words = command.words.map((word) => word.text);
  const inverted = words[0] === '!';
  const [program] = inverted ? words.slice(1) : words;
  const at = words.findIndex((word, index) => index > 0 && word === file);
  if (at < 0) return undefined;
  if (
    program === 'command' ||
    program === 'which' ||
    program === 'type' ||
    program === 'hash' ||
    program === 'ls' ||
    program === 'stat'
  )
    return !inverted;
  if (program !== '[' && program !== '[[' && program !== 'test') return undefined;
  if (!/^-[aefhrsxL]$/.test(words[at - 1] ?? '')) return undefined;
  return (words[at - 2] === '!') === inverted;
}

/** Index of the first command that begins at an offset or behind it. */
function firstFrom(commands: readonly ShellCommand[], offset: number): number {
  let low = 0;
  let high = commands.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((commands[middle]?.offset ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
