import { chmodSync, chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutDay } from '../as-of';
import { runCommand, startCommand } from './built-command';

/**
 * A scenario file: prose, then commands with what they print and how they end, then the files that they find.
 *
 *     What this is about.
 *
 *     $ eks-guardrails check cluster.yaml
 *     what goes to the standard output
 *     2> what goes to the standard error
 *     [exit 1]
 *
 *     -- cluster.yaml --
 *     Resources: {}
 *
 * Before the command there may be variables of the environment (`NAME=value`), after it a file for the standard input (`< FILE`).
 * Words may be quoted. `$ cat FILE` shows a file, or that there is none. Behind the name of a file there may be in parentheses what it is
 * like (`-- cluster.yaml (BOM, CRLF) --`): `BOM`, `CRLF`, `read-only`.
 */
export interface Scenario {
  readonly prose: string;
  readonly steps: readonly Step[];
  /** Contents by name, with what is behind that in parentheses. */
  readonly files: Readonly<Record<string, string>>;
}

interface Step {
  readonly command: string;
  /** All lines below the command, as they are expected. */
  readonly transcript: string;
}

export function parseScenario(text: string): Scenario {
  const [head = '', ...rest] = text.split(/^-- (.+) --\n/m);
  const files: Record<string, string> = {};
  for (let index = 0; index < rest.length; index += 2) files[rest[index] ?? ''] = rest[index + 1] ?? '';
  const [prose = '', ...steps] = head.split(/^\$ /m);
  return {
    prose,
    steps: steps.map((step) => {
      const [command = '', ...lines] = step.trimEnd().split('\n');
      return { command, transcript: lines.map((line) => `${line}\n`).join('') };
    }),
    files,
  };
}

export function formatScenario({ prose, steps, files }: Scenario): string {
  return [
    prose,
    ...steps.map(({ command, transcript }) => `$ ${command}\n${transcript}\n`),
    ...Object.entries(files).map(([name, content]) => `-- ${name} --\n${content}`),
  ].join('');
}

const NAME = /^(.*?)(?: \(((?:BOM|CRLF|read-only)(?:, (?:BOM|CRLF|read-only))*)\))?$/;

/** The files of a scenario by their names, as they are written. */
export function filesOf({ files }: Scenario): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([heading, content]) => {
      const [, name = '', traits = ''] = NAME.exec(heading) ?? [];
      const lines = traits.includes('CRLF') ? content.replaceAll('\n', '\r\n') : content;
      return [name, traits.includes('BOM') ? `\uFEFF${lines}` : lines];
    }),
  );
}

/** Root may write to every file, so what is read-only is left to a user who is nobody else. */
const NOBODY = 65534;

/**
 * Takes the right to write to the files of a scenario that are read-only.
 * @returns who runs the commands; undefined if that is who runs the tests
 */
export function protect({ files }: Scenario, folder: string): number | undefined {
  const names = Object.keys(files).flatMap((heading) => {
    const [, name = '', traits = ''] = NAME.exec(heading) ?? [];
    return traits.includes('read-only') ? [name] : [];
  });
  for (const name of names) chmodSync(join(folder, name), 0o444);
  if (names.length === 0 || process.getuid?.() !== 0) return undefined;
  for (const name of ['', ...readdirSync(folder, { encoding: 'utf8', recursive: true })])
    chownSync(join(folder, name), NOBODY, NOBODY);
  return NOBODY;
}

/**
 * Runs one command in a folder and tells what it came to, in the form of a transcript.
 * @param run `startCommand` for a process, `runCommand` for a thread
 */
export function transcriptOf(
  command: string,
  folder: string,
  user?: number,
  run: typeof startCommand | typeof runCommand = startCommand,
): string {
  const { environment, words, stdin } = readCommand(command);
  const [program, ...args] = words;
  if (program === 'cat') return contentOf(join(folder, args[0] ?? ''));
  if (program !== 'eks-guardrails') throw new Error(`a scenario runs eks-guardrails or cat, not ${String(program)}`);
  const { stdout, stderr, exitCode } = run(args, {
    cwd: folder,
    env: environment,
    ...(user === undefined ? {} : { user }),
    input: stdin === undefined ? '' : readFileSync(join(folder, stdin)),
  });
  const complaints = stderr
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `2> ${line}`.trimEnd() + '\n');
  return `${withNewline(stdout)}${stderr === '' ? '' : complaints.join('')}[exit ${String(exitCode)}]\n`;
}

interface CommandLine {
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly stdin?: string;
}

function readCommand(command: string): CommandLine {
  const words = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
  const environment: Record<string, string> = {};
  for (
    let [, name, value] = ASSIGNMENT.exec(words[0] ?? '') ?? [];
    name !== undefined;
    [, name, value] = ASSIGNMENT.exec(words[0] ?? '') ?? []
  ) {
    environment[name] = value ?? '';
    words.shift();
  }
  const at = words.indexOf('<');
  const stdin = words[at + 1];
  return at < 0 || stdin === undefined ? { environment, words } : { environment, words: words.slice(0, at), stdin };
}

const ASSIGNMENT = /^([A-Z_]+)=(.*)$/;

function contentOf(file: string): string {
  if (!existsSync(file)) return '[no such file]\n';
  const text = readFileSync(file, 'utf8');
  const [all = 0, ended = 0] = [/\n/g, /\r\n/g].map((end) => text.match(end)?.length ?? 0);
  const traits = [
    ...(text.startsWith('\uFEFF') ? ['a BOM'] : []),
    ...(ended === 0 ? [] : [ended === all ? 'CRLF' : `CRLF in ${ended} of ${all} lines`]),
  ];
  const seen = withNewline(withoutDay(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')));
  return traits.length === 0 ? seen : `[with ${traits.join(' and ')}]\n${seen}`;
}

/** A transcript consists of lines. */
function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
