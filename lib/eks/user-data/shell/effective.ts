import type { ShellWord } from './word';

/** A program that runs the program in its arguments. */
interface Prefix {
  /** Options that take the next word as their value. */
  readonly valued?: readonly string[];
  /** Words between the options and the program. */
  readonly operands?: number;
  /** Takes `NAME=value` in front of the program. */
  readonly assigns?: boolean;
  /** With one of these options its argument isn't a program or file. */
  readonly not?: RegExp;
}

const SHELL: Prefix = { valued: ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'], not: /^-[a-z]*[cs]/ };

const PREFIXES: Readonly<Record<string, Prefix>> = {
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-T', '-U', '-D', '-R', '--user', '--group', '--chdir'],
    assigns: true,
    not: /^-[a-zA-Z]*[lvekK]$/,
  },
  doas: { valued: ['-u', '-C'] },
  exec: { valued: ['-a'] },
  env: { valued: ['-u', '--unset', '-C', '--chdir'], assigns: true, not: /^-S|^--split-string/ },
  command: { not: /^-[pvV]*[vV]/ },
  builtin: {},
  eval: {},
  nohup: {},
  setsid: {},
  time: {},
  '!': {},
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '-p'] },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  timeout: { valued: ['-k', '--kill-after', '-s', '--signal'], operands: 1 },
  flock: { valued: ['-w', '--timeout', '-E'], operands: 1, not: /^-c/ },
  source: {},
  '.': {},
  bash: SHELL,
  sh: SHELL,
  dash: SHELL,
  zsh: SHELL,
  ksh: SHELL,
};

/** The words from the program on that a command runs in the end; none if it isn't known where it begins. */
export function effectiveWords(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  for (;;) {
    const name = words[at]?.text;
    const prefix = name === undefined ? undefined : prefixOf(name);
    if (prefix === undefined) return words.slice(at);
    const next = behind(words, at + 1, prefix);
    // `exec > file`, `bash -c …`: the prefix itself is what runs.
    if (next === undefined || next >= words.length) return words.slice(at);
    at = next;
  }
}

function prefixOf(name: string): Prefix | undefined {
  const program = name.replace(/^\/(?:usr\/)?(?:local\/)?bin\//, '');
  return Object.hasOwn(PREFIXES, program) ? PREFIXES[program] : undefined;
}

/** Index of the program behind a prefix's own options and operands. */
function behind(words: readonly ShellWord[], start: number, prefix: Prefix): number | undefined {
  let at = start;
  for (; at < words.length; at++) {
    const text = words[at]?.text;
    if (text === undefined) break;
    if (text === '--') {
      at++;
      break;
    }
    if (prefix.not?.test(text) === true) return undefined;
    if (prefix.assigns === true && /^[A-Za-z_]\w*=/.test(text)) continue;
    if (prefix.valued?.includes(text) === true) at++;
    else if (!/^[-+]./.test(text)) break;
  }
  return at + (prefix.operands ?? 0);
}
