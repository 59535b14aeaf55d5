import type { ConfigurationFile } from '../../configuration/load';
import { configurationFileFor } from '../../configuration/merge';
import { printableLine } from '../../reports/prose';

/** The options that say which configuration file counts. */
export interface ConfigurationArguments {
  /** Path of the configuration file; `false` for none. @default - the nearest one */
  readonly config?: string | false;
  /** Whether it may run code. @default - yes, unless the environment says no */
  readonly configCode?: boolean;
}

const FORBIDS = 'EKS_GUARDRAILS_NO_CONFIG_CODE';

/**
 * The configuration file of a command.
 * @throws ConfigurationFileError if it can't be used
 */
export function configurationFor(
  { config, configCode }: ConfigurationArguments,
  env: NodeJS.ProcessEnv = process.env,
): ConfigurationFile | undefined {
  const isForbidden = !['', '0', 'false'].includes((env[FORBIDS] ?? '').toLowerCase());
  return configurationFileFor(config, { runsCode: configCode ?? !isForbidden });
}

/** Tells what a configuration is without, where no report does. */
export function tellLeftOut(file: ConfigurationFile | undefined): void {
  for (const { file: name, line, column, message } of file?.leftOut ?? [])
    process.stderr.write(`warning: ${printableLine(`${name}:${line}:${column} ${message}`)}\n`);
}
