import { FORMATS, isFormatName, type FormatName } from '../../reports';
import { nearestName } from '../../text/nearest';
import { UsageError } from '../parts/usage-error';

/** One report and where it goes. */
export interface Output {
  readonly format: FormatName;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/** One `--format` or `--output`, in the order of the command line. */
export type OutputArgument = { readonly kind: 'format' | 'output'; readonly value: string };

/** The formats that the name of a file tells, for a `--output` without `--format`. */
const EXTENSIONS: Readonly<Record<string, FormatName>> = {
  json: 'json',
  sarif: 'sarif',
  xml: 'junit',
  md: 'markdown',
  html: 'html',
  htm: 'html',
  txt: 'text',
};

const STANDARD_OUTPUT: readonly string[] = ['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'];

/** Whether the file of a `--output` is the standard output. */
export function isStandardOutput(file: string): boolean {
  return STANDARD_OUTPUT.includes(file);
}

interface Pair {
  format: FormatName | undefined;
  file: string | undefined;
}

/**
 * Pairs formats with files. A `--output` belongs to the `--format` just before it, or, if that one has a file
 * already or there is none, to the next one. Without any, the name of the file tells its format, and is text if it has no ending.
 * A format without file goes to standard output, and so does text if nothing is asked for.
 * @throws UsageError if two reports would go to standard output, or an unknown format is named
 */
export function pairOutputs(args: readonly OutputArgument[]): Output[] {
  const pairs: Pair[] = [];
  for (const { kind, value } of args) {
    if (kind === 'format') addFormat(pairs, value);
    else addFile(pairs, value);
  }
  if (pairs.length === 0) return [{ format: 'text', file: undefined }];
  const result = pairs.map(
    ({ format, file = '-' }): Output => ({
      format: format ?? formatOf(file, pairs.length),
      file: isStandardOutput(file) ? undefined : file,
    }),
  );
  if (result.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError('two formats would go to standard output; add --output FILE after one of them');
  return result;
}

function addFormat(pairs: Pair[], value: string): void {
  if (!isFormatName(value)) throw new UsageError(noFormat(value));
  const last = pairs.at(-1);
  if (last !== undefined && last.format === undefined) last.format = value;
  else pairs.push({ format: value, file: undefined });
}

function addFile(pairs: Pair[], value: string): void {
  if (value === '') throw new UsageError('--output needs the name of a file');
  const last = pairs.at(-1);
  if (last?.format !== undefined && last.file === undefined) {
    last.file = value;
    return;
  }
  if (last?.format === undefined && last?.file !== undefined) last.format = formatOf(last.file, 2);
  pairs.push({ format: undefined, file: value });
}

/** @throws UsageError if the name has an ending that tells no format, or none where there are several files */
function formatOf(file: string, files: number): FormatName {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const told = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (told === undefined && (files > 1 || extension !== ''))
    throw new UsageError(
      `no format is given for "${file}", and its name doesn't tell; write --format and --output in pairs`,
    );
  return told ?? 'text';
}

function noFormat(name: string): string {
  const names = Object.keys(FORMATS);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? 'the' : `did you mean "${nearest}"? The`;
  return `there is no format "${name}"; ${hint} formats are ${names.join(', ')}`;
}
