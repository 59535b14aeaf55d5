import type { SourceText } from '../source-text';
import type { ShellCommand, ShellScript } from './script';
import type { ShellWord } from './word';

/** A file that a command of a script writes or changes. */
export interface FileWrite {
  readonly command: ShellCommand;
  readonly file: ShellWord;
  /**
   * - `replace`: its content becomes what the command gives it;
   * - `append`: it is added to;
   * - `edit`: it is changed in place, such as by `sed -i`.
   */
  readonly how: 'replace' | 'append' | 'edit';
  /** What is written, if the script shows it: a here-document, or the argument of `echo`. */
  readonly content: SourceText | undefined;
}

/** The files that commands write by redirection, `tee`, `sed -i`, `cp`, `mv`, `install`, `ln` or a download. */
export function filesWrittenBy(script: ShellScript): readonly FileWrite[] {
  return script.commands.flatMap((command) => [...redirected(script, command), ...written(script, command)]);
}

function redirected(script: ShellScript, command: ShellCommand): FileWrite[] {
  const writes: FileWrite[] = [];
  for (const { operator, descriptor, target } of command.redirections) {
    if (target === undefined || !/^(?:>|>>|>\||&>|&>>)$/.test(operator) || (descriptor ?? 1) !== 1) continue;
    writes.push({
      command,
      file: target,
      how: operator.includes('>>') ? 'append' : 'replace',
      content: contentOf(script, command),
    });
  }
  return writes;
}

function written(script: ShellScript, command: ShellCommand): FileWrite[] {
  const [name, ...rest] = command.effective;
  const program = programName(name);
  const operands = rest.filter((word) => !word.prefix.startsWith('-'));
  const files = (words: readonly ShellWord[], how: FileWrite['how'], content?: SourceText): FileWrite[] =>
    words.map((file) => ({ command, file, how, content }));
  switch (program ?? '') {
    case 'tee':
      return files(
        operands,
        rest.some((word) => /^(?:-\w*a|--append)/.test(word.prefix)) ? 'append' : 'replace',
        contentOf(script, command),
      );
    case 'sed':
    case 'perl':
    case 'yq':
      return rest.some((word) => /^(?:-\w*i|--in-?place)/.test(word.prefix)) ? files(operands, 'edit') : [];
    case 'cp':
    case 'mv':
    case 'install':
    case 'ln':
      return files(operands.slice(-1), 'replace');
    case 'curl':
    case 'wget':
      return files(
        rest.filter((_, index) => /^(?:-\w*[oO]|--output|--output-document)$/.test(rest[index - 1]?.text ?? '')),
        'replace',
      );
    case 'aws':
      return operands[0]?.text === 's3' && operands[1]?.text === 'cp' ? files(operands.slice(3, 4), 'replace') : [];
  }
  return [];
}

/** The name of a program without its folder; undefined if it isn't known. */
export function programName(word: ShellWord | undefined): string | undefined {
  const text = word?.text;
  return text?.slice(text.lastIndexOf('/') + 1);
}

/** What a command writes to its output. */
function contentOf(script: ShellScript, command: ShellCommand): SourceText | undefined {
  const input = command.heredocs[command.heredocs.length - 1]?.body;
  const [name, ...rest] = command.effective;
  switch (programName(name) ?? '') {
    case 'cat':
      if (rest.length > 0 && rest[0]?.text !== '-') return undefined;
      return input ?? piped(script, command);
    case 'tee':
      return input ?? piped(script, command);
    case 'echo': {
      const words = rest.filter((word) => !/^-[neE]+$/.test(word.text ?? ''));
      return words.length === 1 ? words[0]?.value : undefined;
    }
    case 'printf':
      if (rest.length === 2 && /^%s(?:\\n)?$/.test(rest[0]?.text ?? '')) return rest[1]?.value;
      return rest.length === 1 && !/[%\\]/.test(rest[0]?.text ?? '%') ? rest[0]?.value : undefined;
  }
  return undefined;
}

function piped(script: ShellScript, command: ShellCommand): SourceText | undefined {
  const before = command.pipedFrom === undefined ? undefined : script.commands[command.pipedFrom];
  // Pipes of many `cat` have no end that anybody writes; one step is what people do.
  if (before === undefined || (before.pipedFrom !== undefined && programName(before.effective[0]) === 'cat'))
    return undefined;
  return programName(before.effective[0]) === 'tee' ? undefined : contentOf(script, before);
}
