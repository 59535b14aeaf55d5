import { FORMATS, isFormatName, type FormatName } from '../report';
import { editDistance, nearestName } from '../text/nearest';
import { UsageError } from './usage-error';

/** One report and where it goes. */
export interface Output {
  readonly format: FormatName;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/** One `--format` or `--output`, in the order of the command line. */
export type OutputArgument = { readonly kind: 'format' | 'output'; readonly value: string };

/**
 * Pairs formats with files. A `--output` belongs to the `--format` just before it, or, if that one has a file
 * already or there is none, to the next one. A format without file goes to standard output, and so does text if
 * nothing is asked for.
 * @throws UsageError if two reports would go to the same place, or an unknown format is named
 */
export function pairOutputs(args: readonly OutputArgument[]): Output[] {
  const outputs: { format: FormatName | undefined; file: string | undefined }[] = [];
  for (const { kind, value } of args) {
    const last = outputs.at(-1);
    if (kind === 'format') {
      if (!isFormatName(value)) throw new UsageError(noFormat(value));
      if (last !== undefined && last.format === undefined) last.format = value;
      else outputs.push({ format: value, file: undefined });
    } else {
      if (value === '') throw new UsageError('--output needs the name of a file');
      if (last !== undefined && last.format === undefined) {
        throw new UsageError(`two files are named for one report ("${last.file ?? ''}" and "${value}"); give each --output its own --format`);
      }
      if (last !== undefined && last.file === undefined) last.file = value;
      else outputs.push({ format: undefined, file: value });
    }
  }
  if (outputs.length === 0) return [{ format: 'text', file: undefined }];
  if (outputs.length > 1 && outputs.some((output) => output.format === undefined)) {
    throw new UsageError(`no format is given for "${outputs.at(-1)?.file ?? ''}"; write --format and --output in pairs`);
  }
  const result = outputs.map(({ format = 'text', file }): Output => ({ format, file: file === '-' ? undefined : file }));
  const places = result.map((output) => output.file);
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  if (new Set(places).size < places.length) {
    throw new UsageError(
      twice === undefined ? 'two formats would go to standard output; add --output FILE after one of them' : `two formats would go to "${twice}"`,
    );
  }
  return result;
}

function noFormat(name: string): string {
  const names = Object.keys(FORMATS);
  // Two letters that changed places count as two.
  const nearest = nearestName(name, names) ?? names.find((candidate) => name.length > 3 && editDistance(name, candidate) <= 2);
  const hint = nearest === undefined ? 'the' : `did you mean "${nearest}"? The`;
  return `there is no format "${name}"; ${hint} formats are ${names.join(', ')}`;
}
