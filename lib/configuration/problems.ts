import { ConfigurationError } from '../engine';

/** Something that is wrong with a configuration file. */
export interface ConfigurationProblem {
  /** Path as messages show it. */
  readonly file: string;
  /** 1-based; undefined for a file that is a program. */
  readonly line?: number;
  readonly column?: number;
  /** The setting, such as `rules.imds-v1.level`; empty for the whole file. */
  readonly property: string;
  readonly message: string;
}

/** Thrown for a configuration file that can't be used; the message lists everything that is wrong with it, a line for each problem. */
export class ConfigurationFileError extends ConfigurationError {
  constructor(readonly problems: readonly ConfigurationProblem[]) {
    super(problems.map(line).join('\n'));
  }
}

function line({ file, line: row, column, property, message }: ConfigurationProblem): string {
  const place = row === undefined ? file : `${file}:${row}:${column ?? 1}`;
  return `${place}: ${property === '' ? '' : `${property}: `}${message}`;
}
