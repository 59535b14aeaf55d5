import { createRequire } from 'node:module';
import { shownPath } from '../user-code/place';
import { findConfigurationFile } from './find';
import type { ConfigurationFile, ConfigurationReading } from './load';
import { mergeConfigurations, type CheckConfiguration } from './joined';

/** The parsers take long to start, and most projects have no configuration file. */
const load = createRequire(__filename);

/**
 * A configuration that was given explicitly, on top of the one of the configuration file.
 * @param file path of the file; `false` for none. Default: the nearest one, from the working directory upwards
 * @throws ConfigurationFileError if the file can't be used
 */
export function withConfigurationFile(explicit: CheckConfiguration, file?: string | false): CheckConfiguration {
  const found = configurationFileFor(file);
  return found === undefined
    ? explicit
    : mergeConfigurations(
        { ...found.configuration, ...(found.failOn === undefined ? {} : { failOn: found.failOn }) },
        explicit,
      );
}

/** The file that is meant: a named one, none, or the nearest one. @throws ConfigurationFileError if it can't be used */
export function configurationFileFor(
  file?: string | false,
  reading: ConfigurationReading = {},
): ConfigurationFile | undefined {
  if (file === false) return undefined;
  const nearest = file === undefined ? findConfigurationFile(process.cwd()) : undefined;
  const meant = file ?? (nearest === undefined ? undefined : shownPath(nearest));
  return meant === undefined
    ? undefined
    : (load('./load') as typeof import('./load')).loadConfigurationFile(meant, reading);
}
