import type { Diagnostic } from '../engine';
import { compareVersions, parseVersion, vpcCniSchemaAsOf, vpcCniSchemaNewest } from '../knowledge';
import { diffAddonVersions, knowsVpcCniSchema, nearestVpcCniVersions, type ConflictMode } from '../eks/networking';
import { printableLine } from '../reports/prose';
import { nearestName } from '../text/nearest';
import { readConfiguration, readInput, readLiveEnvironment, type InputText, type Read } from './addon-diff-input';
import { addonDiffJson, addonDiffText, type AddonDiffReport } from './addon-diff-output';
import { EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNUSABLE } from './exit-code';
import { terminalOf } from './terminal';
import { UsageError } from './usage-error';

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
  addon: string,
  from: string,
  to: string,
  { mode, config, live, format, verbose = false }: AddonDiffArguments,
): Promise<number> {
  if (addon !== 'vpc-cni') throw new UsageError(unknownAddon(addon));
  for (const version of new Set([from, to]))
    if (!knowsVpcCniSchema(version)) throw new UsageError(unknownVersion(version));
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
    from,
    to,
    mode,
    ...(configuration?.content === undefined ? {} : { configuration: configuration.content }),
    ...(environment?.content === undefined ? {} : { live: environment.content }),
  });
  const report: AddonDiffReport = { addon, diff, configuration, live: environment, diagnostics };
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
  const meant =
    nearestName(name.replaceAll(/[^a-z]/gi, ''), ['vpccni']) === undefined ? '' : '; did you mean "vpc-cni"?';
  return `there is no table of schemas for the add-on "${name}"${meant}\nThe add-on whose updates can be compared is vpc-cni.`;
}

function unknownVersion(version: string): string {
  const table = `the table of vpc-cni schemas (of ${vpcCniSchemaAsOf()})`;
  const nearest = nearestVpcCniVersions(version);
  const [only] = nearest;
  if (parseVersion(version) === undefined)
    return `"${version}" is no version of an add-on; one looks like ${only ?? 'v1.19.0-eksbuild.1'}`;
  if (compareVersions(version, vpcCniSchemaNewest()) > 0)
    return `${table} ends with ${vpcCniSchemaNewest()} and doesn't know "${version}"\nA newer eks-guardrails may know it. Nearest: ${nearest.join(', ')}`;
  if (nearest.length === 1 && only !== undefined) return `${table} has no "${version}"; did you mean "${only}"?`;
  return `${table} has no "${version}"\nNearest: ${nearest.join(', ')}`;
}
