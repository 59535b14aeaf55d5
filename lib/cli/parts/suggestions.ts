import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { isDay } from '../../text/day';
import { nearestName } from '../../text/nearest';

/** An option that takes one of some values, and proposes one for a misspelt value. */
export function choiceOption(flags: string, description: string | undefined, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((value: string) => {
    if (!choices.includes(value))
      throw new InvalidArgumentError(
        `${capitalised(didYouMean(value, choices))}Allowed choices are ${choices.join(', ')}.`,
      );
    return value;
  });
}

/** An option that takes a day. */
export function dayOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string) => {
    if (!isDay(value)) throw new InvalidArgumentError('It takes a day such as 2027-01-31.');
    return value;
  });
}

/** An option that takes the name of a file. */
export function fileOption(flags: string, description: string, mayBePiped = false): Option {
  return new Option(flags, description).argParser((value: string, previous?: string | false) => {
    if (typeof previous === 'string') throw new InvalidArgumentError(`It is given twice, first as "${previous}".`);
    return fileName(value, mayBePiped);
  });
}

/** An option that names a file each time that it is given. */
export function filesOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, previous?: readonly string[]) => [
    ...(previous ?? []),
    fileName(value),
  ]);
}

function fileName(value: string, mayBePiped = false): string {
  if (value === '') throw new InvalidArgumentError('It takes the name of a file, and is empty.');
  if (value === '-' && !mayBePiped)
    throw new InvalidArgumentError('It takes the name of a file; to name a file "-", write ./-');
  return value;
}

/** `did you mean "x"? `, or nothing. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `did you mean "${nearest}"? `;
}

function capitalised(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

/** What to say to somebody who leaves out the command: `eks-guardrails template.yaml`. Undefined if it isn't that. */
export function forgottenCommand(args: readonly string[], commands: readonly string[]): string | undefined {
  const [first = ''] = args;
  if (
    first.startsWith('-') ||
    commands.includes(first) ||
    !(existsSync(first) || /[\\/]|\.(?:json|ya?ml|template|tf)$/.test(first))
  )
    return undefined;
  return `"${first}" is no command; to check it, write: eks-guardrails check ${args.join(' ')}`;
}
