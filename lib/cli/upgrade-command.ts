import { extname } from 'node:path';
import { checkAssuming } from '../check';
import { mergeConfigurations } from '../configuration';
import { knowledgeOf } from '../configuration/knowledge-file';
import { givenDay } from '../engine';
import { withOverlay } from '../knowledge';
import { printableLine } from '../reports/prose';
import { PLAN_FORMATS, type PlanFormat } from '../reports/upgrade';
import { today } from '../text/day';
import { isBlocked } from '../upgrade/plan';
import { planUpgrades } from '../upgrade/planner';
import { UpgradeError } from '../upgrade/route';
import { packageVersion } from '../version';
import { CheckInput } from './check/check-input';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from './parts/configuration-code';
import { EXIT_CLEAN, EXIT_FINDINGS, EXIT_UNUSABLE } from './parts/exit-code';
import { refuseLosses } from './output/output-places';
import { isStandardOutput } from './output/outputs';
import { terminalOf } from './output/terminal';
import { UsageError } from './parts/usage-error';
import { blocks, whyNotWritten, writeAtomically } from './output/write-file';

/** The options of `upgrade` as the command line parser delivers them. */
export interface UpgradeArguments extends ConfigurationArguments {
  readonly to?: string;
  readonly from?: string;
  readonly asOf?: string;
  readonly varFile?: readonly string[];
  readonly knowledge?: string;
  readonly format?: PlanFormat;
  readonly output?: string;
  readonly stdinFilename?: string;
}

/**
 * Prints the plan of an upgrade. Gives the exit code: 1 if something of the input has to change for it to go through.
 * @throws UsageError for a request that makes no sense
 */
export async function showUpgrade(paths: readonly string[], given: UpgradeArguments): Promise<number> {
  const { to, from, output, varFile = [], stdinFilename } = given;
  if (to === undefined) throw new UsageError('--to is missing: a Kubernetes version such as 1.34, latest or standard');
  const format = given.format ?? formatOf(output);
  const file = configurationFor(given);
  const configuration = mergeConfigurations(
    { ...file?.configuration },
    {
      ...(given.asOf === undefined ? {} : { asOf: given.asOf }),
      ...(given.knowledge === undefined ? {} : { knowledge: given.knowledge }),
      ...(given.varFile === undefined ? {} : { terraform: { varFiles: given.varFile } }),
    },
  );
  const isPrinted = output === undefined || isStandardOutput(output);
  if (!isPrinted)
    refuseLosses(
      [{ file: output, what: 'the plan' }],
      [
        ...[...paths.filter((path) => path !== '-'), ...varFile].map((one) => ({ file: one, what: 'an input' })),
        ...(file?.files ?? []).map((one) => ({ file: one, what: 'part of the configuration' })),
      ],
    );
  const input = await CheckInput.of({ paths, quiet: false, ...(stdinFilename === undefined ? {} : { stdinFilename }) });
  const plans = planned(() =>
    withOverlay(knowledgeOf(configuration)?.overlay, () =>
      planUpgrades((whatIf) => input.read((reading) => checkAssuming(paths, whatIf, configuration, reading)), {
        to,
        from,
        asOf: givenDay(configuration) ?? today(),
      }),
    ),
  );
  tellLeftOut(file);
  const pieces = PLAN_FORMATS[format](plans, {
    version: packageVersion(),
    ...terminalOf(process.stdout),
    ...(isPrinted ? {} : { colour: false }),
  });
  if (!isPrinted && !(await write(output, pieces))) return EXIT_UNUSABLE;
  if (isPrinted) for (const block of blocks(pieces)) process.stdout.write(block);
  for (const { severity, file: name, line, column, message } of plans.diagnostics)
    if (severity === 'error' && format !== 'text')
      process.stderr.write(`error: ${printableLine(`${name}:${line}:${column} ${message}`)}\n`);
  if (plans.diagnostics.some(({ severity }) => severity === 'error') || (file?.leftOut ?? []).length > 0)
    return EXIT_UNUSABLE;
  return plans.plans.some(isBlocked) ? EXIT_FINDINGS : EXIT_CLEAN;
}

function planned<T>(plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    if (error instanceof UpgradeError) throw new UsageError(printableLine(error.message));
    throw error;
  }
}

const EXTENSIONS: Readonly<Record<string, PlanFormat>> = {
  '.json': 'json',
  '.md': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
};

function formatOf(output: string | undefined): PlanFormat {
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
