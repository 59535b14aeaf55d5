import type { TextCorrection } from '../correction';
import type { ShellWord } from '../shell';
import type { BootstrapCall } from './read';

/*
 * Changes of a call of bootstrap.sh, in the text of its script. Undefined where nobody can tell that they do what they should.
 */

/** `--name=value` as two words. */
export function inTwoWords({ written, prefix, start }: ShellWord): TextCorrection | undefined {
  const length = prefix.indexOf('=');
  if (length < 0 || !written.startsWith(prefix.slice(0, length + 1))) return undefined;
  return { start: start + length, end: start + length + 1, text: ' ' };
}

/** An option that stands right behind a word, as one of its own. */
export function beforeOption({ written, prefix, end }: ShellWord, option: string): TextCorrection | undefined {
  if (written !== prefix || !written.endsWith(option)) return undefined;
  const start = end - option.length;
  return { start, end: start, text: ' ' };
}

/** Another value of an option, or another word. */
export function replacing(word: ShellWord | undefined, text: string): TextCorrection | undefined {
  return word === undefined ? undefined : { start: word.start, end: word.end, text };
}

/** The call without a word, and what is between it and the word before. */
export function withoutWord(call: BootstrapCall, word: ShellWord): TextCorrection | undefined {
  return between(call, word.start, word.end);
}

/** The call without an option and its value. One that is given twice would still be there. */
export function withoutOption(call: BootstrapCall, name: string): TextCorrection | undefined {
  const option = call.options.get(name);
  if (option?.value === undefined || call.command.words.filter(({ text }) => text === name).length !== 1)
    return undefined;
  return between(call, option.offset, option.value.end);
}

/** The call with further words at its end. */
export function withMore(call: BootstrapCall, text: string): TextCorrection | undefined {
  const end = call.command.words.at(-1)?.end;
  return end === undefined || call.hasUnknownWords ? undefined : { start: end, end, text: ` ${text}` };
}

function between({ command: { words } }: BootstrapCall, from: number, end: number): TextCorrection | undefined {
  const before = words.filter((word) => word.end <= from).at(-1);
  return before === undefined ? undefined : { start: before.end, end, text: '' };
}
