import type { Diagnostic } from '../../engine';
import { compareVersions, describedAddon, describedAddons, parseVersion, type AddonDescription } from '../../knowledge';
import { diffAddonVersions, nearestVersions, type ConflictMode } from '../../eks/networking';
import { printableLine } from '../../reports/prose';
import { nearestName } from '../../text/nearest';
import { readConfiguration, readInput, readLiveEnvironment, type InputText, type Read } from './addon-diff-input';
import { addonDiffJson, addonDiffText, type AddonDiffReport } from './addon-diff-output';
import { EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNUSABLE } from '../parts/exit-code';
import { terminalOf } from '../output/terminal';
import { UsageError } from '../parts/usage-error';

/** The options of `addon-diff` as the command line parser delivers them. */
export interface AddonDiffArguments {
  readonly mode: ConflictMode;
  readonly config?: string;
  readonly live?: string;
  readonly format: 'text' | 'json';
  readonly verbose?: boolean;
}

/**
 * Shows what an update of an add-on changes. Gives the exit code: 1 if it would reset a setting, or if EKS would refuse it.
 * @throws UsageError for an add-on or version that the tables don't have
 */
export async function showAddonDiff(
  name: string,
  from: string,
  to: string,
  { mode, config, live, format, verbose = false }: AddonDiffArguments,
): Promise<number> {
  const addon = describedAddon(name);
  if (addon === undefined) throw new UsageError(unknownAddon(name));
  for (const version of new Set([from, to]))
    if (!addon.hasSchemaOf(version)) throw new UsageError(unknownVersion(addon, version));
  if (live !== undefined && !addon.hasVariables)
    throw new UsageError(`--live isn't read for ${name}: there is no table of what it reads from its environment`);
  if (config === '-' && live === '-')
    throw new UsageError("--config and --live can't both be the standard input; give one of them a file");
  const configuration = config === undefined ? undefined : await read(config, readConfiguration);
  const environment = live === undefined ? undefined : await read(live, readLiveEnvironment);
  const diagnostics = [...(configuration?.diagnostics ?? []), ...(environment?.diagnostics ?? [])];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    for (const { file, line, column, message } of errors.slice(0, MOST_ERRORS))
      process.stderr.write(`error: ${printableLine(`${file}:${line}:${column}: ${message}`)}\n`);
    if (errors.length > MOST_ERRORS) process.stderr.write(`… and ${errors.length - MOST_ERRORS} more\n`);
    return EXIT_UNUSABLE;
  }
  const diff = diffAddonVersions({
    addon,
    from,
    to,
    mode,
    ...(configuration?.content === undefined ? {} : { configuration: configuration.content }),
    ...(environment?.content === undefined ? {} : { live: environment.content }),
  });
  const report: AddonDiffReport = { addon: name, diff, configuration, live: environment, diagnostics };
  process.stdout.write(
    format === 'json'
      ? addonDiffJson(report)
      : [...addonDiffText(report, { ...terminalOf(process.stdout), verbose })].join(''),
  );
  return diff.effects.some(({ status }) => ACTIONABLE.has(status)) ? EXIT_FINDINGS : EXIT_CLEAN;
}

/** A file that is no such list at all has one in every line. */
const MOST_ERRORS = 20;

const ACTIONABLE: ReadonlySet<string> = new Set(['reset', 'refused', 'fails']);

async function read<T>(
  file: string,
  parse: (input: InputText) => Read<T>,
): Promise<Read<T> & { readonly name: string }> {
  const input = await readInput(file);
  if (isDiagnostic(input))
    return { name: input.file, content: undefined, diagnostics: [input], place: () => undefined };
  return { name: input.name, ...parse(input) };
}

function isDiagnostic(input: InputText | Diagnostic): input is Diagnostic {
  return 'severity' in input;
}

function unknownAddon(name: string): string {
  const all = describedAddons();
  const letters = new Map(all.map((one) => [one.replaceAll('-', ''), one]));
  const nearest = letters.get(nearestName(name.replaceAll(/[^a-z]/gi, ''), [...letters.keys()]) ?? '');
  const meant = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  const known = `${all.length === 1 ? 'The add-on whose updates can be compared is' : 'Add-ons whose updates can be compared are'} ${all.join(', ')}.`;
  return `there is no table of schemas for the add-on "${name}"${meant}\n${known}`;
}

function unknownVersion(addon: AddonDescription, version: string): string {
  const table = `the table of ${addon.name} schemas (of ${addon.asOf})`;
  const nearest = nearestVersions(addon, version);
  const [only] = nearest;
  if (parseVersion(version) === undefined)
    return `"${version}" is no version of an add-on; one looks like ${only ?? 'v1.19.0-eksbuild.1'}`;
  if (compareVersions(version, addon.newestSchema) > 0)
    return `${table} ends with ${addon.newestSchema} and doesn't know "${version}"\nA newer eks-guardrails may know it. Nearest: ${nearest.join(', ')}`;
  if (nearest.length === 1 && only !== undefined) return `${table} has no "${version}"; did you mean "${only}"?`;
  return `${table} has no "${version}"\nNearest: ${nearest.join(', ')}`;
}
