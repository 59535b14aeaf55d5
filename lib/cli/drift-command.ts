import { extname } from 'node:path';
import { readApart } from '../check';
import { mergeConfigurations } from '../configuration';
import { compareModels, DriftError } from '../drift/compare';
import { isActionable, type ClusterDrift, type DriftItem, type DriftReport } from '../drift/drift';
import { printableLine } from '../reports/prose';
import { DRIFT_FORMATS, type DriftFormat } from '../reports/drift';
import { Secrets } from '../text/secrets';
import { packageVersion } from '../version';
import { CheckInput } from './check/check-input';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from './parts/configuration-code';
import { EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNUSABLE } from './parts/exit-code';
import { refuseLosses } from './output/output-places';
import { isStandardOutput } from './output/outputs';
import { terminalOf } from './output/terminal';
import { UsageError } from './parts/usage-error';
import { blocks, whyNotWritten, writeAtomically } from './output/write-file';

/** The options of `drift` as the command line parser delivers them. */
export interface DriftArguments extends ConfigurationArguments {
  readonly live?: readonly string[];
  readonly varFile?: readonly string[];
  readonly knowledge?: string;
  readonly scaling?: boolean;
  readonly format?: DriftFormat;
  readonly output?: string;
  readonly stdinFilename?: string;
  readonly verbose?: boolean;
}

/**
 * Prints what the code makes of a cluster that runs. Gives the exit code: 1 if it resets or breaks something, or may.
 * @throws UsageError for a request that makes no sense
 */
export async function showDrift(paths: readonly string[], given: DriftArguments): Promise<number> {
  const { live = [], output, varFile = [], stdinFilename, verbose = false, scaling = false } = given;
  if (live.length === 0)
    throw new UsageError(
      '--live is missing: the folder with the answers about the cluster, as the script of collect writes it',
    );
  const format = given.format ?? formatOf(output);
  const file = configurationFor(given);
  const configuration = mergeConfigurations(
    { ...file?.configuration },
    {
      ...(given.knowledge === undefined ? {} : { knowledge: given.knowledge }),
      ...(given.varFile === undefined ? {} : { terraform: { varFiles: given.varFile } }),
    },
  );
  const isPrinted = output === undefined || isStandardOutput(output);
  if (!isPrinted)
    refuseLosses(
      [{ file: output, what: 'the comparison' }],
      [
        ...[...paths.filter((path) => path !== '-'), ...live, ...varFile].map((one) => ({
          file: one,
          what: 'an input',
        })),
        ...(file?.files ?? []).map((one) => ({ file: one, what: 'part of the configuration' })),
      ],
    );
  const input = await CheckInput.of({ paths, quiet: false, ...(stdinFilename === undefined ? {} : { stdinFilename }) });
  const report = input.readFor((reading) => compared(paths, live, configuration, reading, scaling));
  tellLeftOut(file);
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  const pieces = DRIFT_FORMATS[format](report, {
    version: packageVersion(),
    ...terminalOf(process.stdout),
    ...(isPrinted ? {} : { colour: false }),
    verbose,
  });
  if (!isPrinted && !(await write(output, pieces))) return EXIT_UNUSABLE;
  if (isPrinted) for (const block of blocks(pieces)) process.stdout.write(block);
  if (format !== 'text' || !isPrinted)
    for (const { file: name, line, column, message } of errors)
      process.stderr.write(`error: ${printableLine(`${name}:${line}:${column} ${message}`)}\n`);
  if (errors.length > 0 || (file?.leftOut ?? []).length > 0) return EXIT_UNUSABLE;
  return report.clusters.some(({ items }) => items.some(isActionable)) ? EXIT_FINDINGS : EXIT_CLEAN;
}

function compared(
  paths: readonly string[],
  live: readonly string[],
  configuration: Parameters<typeof readApart>[1],
  reading: NonNullable<Parameters<typeof readApart>[0][number]['reading']>,
  withScaling: boolean,
): DriftReport {
  const { result, unjudged } = readApart(
    [{ paths, reading }, { paths: live }],
    configuration,
    ([code, answers]): DriftReport => {
      if (code === undefined || answers === undefined) throw new Error('both are read');
      const inputs = [...code.inputs, ...answers.inputs];
      const secrets = new Secrets([...code.secrets, ...answers.secrets]);
      const diagnostics = [...code.diagnostics, ...answers.diagnostics].map((one) => ({
        ...one,
        message: secrets.hide(one.message),
      }));
      try {
        const clusters = compareModels(code.model, answers.model, { withScaling });
        return { inputs, diagnostics, clusters: clusters.map((one) => withoutSecrets(one, secrets)) };
      } catch (error) {
        if (!(error instanceof DriftError)) throw error;
        // What can't be read is why there is nothing to compare.
        if (diagnostics.some(({ severity }) => severity === 'error')) return { inputs, diagnostics, clusters: [] };
        throw new UsageError(printableLine(error.message));
      }
    },
  );
  return { ...result, diagnostics: [...result.diagnostics, ...unjudged] };
}

function withoutSecrets(cluster: ClusterDrift, secrets: Secrets): ClusterDrift {
  const hide = (text: string | undefined): string | undefined => (text === undefined ? undefined : secrets.hide(text));
  return {
    ...cluster,
    items: cluster.items.map(
      (item): DriftItem => ({
        ...item,
        name: secrets.hide(item.name),
        live: hide(item.live),
        code: hide(item.code),
        text: secrets.hide(item.text),
      }),
    ),
  };
}

const EXTENSIONS: Readonly<Record<string, DriftFormat>> = { '.json': 'json', '.md': 'markdown', '.txt': 'text' };

function formatOf(output: string | undefined): DriftFormat {
  return (output === undefined ? undefined : EXTENSIONS[extname(output).toLowerCase()]) ?? 'text';
}

async function write(file: string, pieces: Iterable<string>): Promise<boolean> {
  try {
    await writeAtomically(file, pieces);
    return true;
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    process.stderr.write(`error: can't write ${printableLine(file)}: ${reason}\n`);
    return false;
  }
}
