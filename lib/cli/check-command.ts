import { appendFileSync } from 'node:fs';
import { checkPaths, type CheckResult } from '../check';
import { configurationFileFor, mergeConfigurations } from '../configuration';
import { rulesOf, type Configuration, type FailOn, type Preset, type RuleLevel, type RuleMetadata, type RuleSetting } from '../engine';
import { FORMATS, type ReportContext } from '../report';
import { annotations, withoutCommands } from '../report/github';
import { printableLine } from '../report/prose';
import { position, summaryLine } from '../report/text';
import { allRules } from '../rules';
import { packageVersion } from '../version';
import { readBaseline, withBaseline } from './baseline';
import { CheckInput } from './check-input';
import { EXIT_CLEAN, exitCodeOf, EXIT_UNUSABLE } from './exit-code';
import { refuseUnfit, withFixes } from './fixing';
import { pairOutputs, type Output, type OutputArgument } from './outputs';
import type { CheckArguments } from './program';
import { printedConfiguration } from './print-configuration';
import { repositoryAround } from './repository';
import { terminalOf } from './terminal';
import { UsageError } from './usage-error';
import { blocks, whyNotWritten, writeAtomically } from './write-file';

export interface CheckRequest extends CheckArguments {
  readonly paths: readonly string[];
  readonly outputs: readonly OutputArgument[];
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/** With what the configuration file adds. */
interface SettledRequest extends CheckRequest {
  readonly failOn: FailOn;
  /** All that run, the user's own included. */
  readonly rules: readonly RuleMetadata[];
  readonly input: CheckInput;
}

/**
 * Checks and reports; gives the exit code.
 * @throws UsageError or ConfigurationError for a request that makes no sense
 */
export async function check(given: CheckRequest): Promise<number> {
  const outputs = pairOutputs(given.outputs);
  refuseUnfit(given);
  const file = configurationFileFor(given.config);
  // The command line wins.
  const configuration = mergeConfigurations({ ...file?.configuration, failOn: file?.failOn ?? 'error' }, configurationOf(given));
  const failOn = given.failOn ?? file?.failOn ?? 'error';
  if (given.printConfig === true) {
    await print([printedConfiguration(configuration, failOn, file?.file)]);
    return EXIT_CLEAN;
  }
  const input = await CheckInput.of(given);
  const request: SettledRequest = { ...given, failOn, rules: rulesOf(configuration, allRules), input };
  const known = readBaseline(request);
  const run = async () => {
    const checked = input.read((reading) => checkPaths(request.paths, configuration, reading));
    const baselined = await withBaseline(checked, request.paths, configuration, known, request);
    return { ...baselined, result: input.reported(baselined.result) };
  };
  const { result: found, notes, isWritten } = await run();
  const fixed = await withFixes(found, async () => (await run()).result, request);
  const { result } = fixed;
  let exitCode = isWritten && fixed.isWritten ? exitCodeOf(result, request.failOn) : EXIT_UNUSABLE;
  if (fixed.differences !== undefined) await print([fixed.differences]);
  for (const { format, file } of outputs) {
    if (file === undefined && fixed.differences !== undefined) continue;
    const pieces = FORMATS[format].render(result, contextOf(file, request));
    if (file === undefined) await print(format === 'text' && isInActions() ? withoutCommands(pieces) : pieces);
    else if (!(await writeFile(file, pieces))) exitCode = EXIT_UNUSABLE;
  }
  await tellGitHub(outputs, result, request);
  tellWhatNoReportShows(outputs, result);
  await tellNotes([...fixed.notes, ...notes], fixed.differences === undefined ? outputs : []);
  return exitCode;
}

function configurationOf(request: CheckArguments): Configuration {
  const settings = new Map<string, { level?: RuleLevel; options: Map<string, string> }>();
  const settingOf = (id: string) => {
    const setting = settings.get(id) ?? { options: new Map<string, string>() };
    settings.set(id, setting);
    return setting;
  };
  for (const argument of request.rule ?? []) {
    const { name, value } = splitAt('=', argument, '--rule takes ID=LEVEL, for example --rule imds-v1=off');
    // The engine knows the levels and says which exist.
    settingOf(name).level = value as RuleLevel;
  }
  for (const argument of request.ruleOption ?? []) {
    const example = '--rule-option takes ID.OPTION=VALUE, for example --rule-option imds-hop-limit.hopLimitOne=allow';
    const { name, value } = splitAt('=', argument, example);
    const { name: id, value: option } = splitAt('.', name, example, argument);
    settingOf(id).options.set(option, value);
  }
  const rules = [...settings].map(([id, { level, options }]): [string, RuleSetting] => [
    id,
    { ...(level === undefined ? {} : { level }), options: Object.fromEntries(options) },
  ]);
  return {
    ...(request.preset === undefined ? {} : { preset: request.preset as Preset }),
    ...(request.today === undefined ? {} : { today: request.today }),
    rules: Object.fromEntries(rules),
  };
}

function splitAt(separator: string, text: string, expected: string, whole = text): { name: string; value: string } {
  const at = text.indexOf(separator);
  if (at < 1 || at === text.length - 1) throw new UsageError(`${expected}; not "${whole}"`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

function contextOf(file: string | undefined, request: SettledRequest): ReportContext {
  const terminal = terminalOf(process.stdout);
  return {
    version: packageVersion(),
    readSource: request.input.readSource,
    ...(file === undefined ? terminal : { colour: false, width: terminal.width }),
    // What makes the command fail is always listed.
    list: {
      warning: !request.quiet || request.failOn === 'warning' || request.failOn === 'unverifiable',
      info: request.verbose,
      unverifiable: request.verbose || request.failOn === 'unverifiable',
      suppressed: request.verbose,
    },
    repository: repositoryAround(process.cwd()),
    rules: request.rules,
    date: request.today ?? new Date().toISOString().slice(0, 10),
  };
}

/**
 * In GitHub Actions, who asks for no format wants to read the text and to see the findings at their lines; who asks for annotations gets
 * the summary of the job as well.
 */
async function tellGitHub(outputs: readonly Output[], result: CheckResult, request: SettledRequest): Promise<void> {
  if (isInActions() && request.outputs.length === 0) await print(annotations(result, contextOf(undefined, request)));
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary === '' || outputs.every(({ format }) => format !== 'github')) return;
  try {
    appendFileSync(summary, `${[...FORMATS.markdown.render(result, contextOf(summary, request))].join('')}\n`);
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    process.stderr.write(`warning: can't write the summary of the job to ${summary}: ${reason}\n`);
  }
}

function isInActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Waits for each block, so that a slow reader doesn't make the whole report pile up in memory. */
async function print(pieces: Iterable<string>): Promise<void> {
  for (const block of blocks(pieces)) {
    const error = await new Promise((resolve) => process.stdout.write(block, resolve));
    // Nobody reads any more (`| head`).
    if (error instanceof Error) return;
  }
}

/** False if the file could not be written. */
async function writeFile(file: string, pieces: Iterable<string>): Promise<boolean> {
  try {
    await writeAtomically(file, pieces);
    return true;
  } catch (error) {
    const reason = whyNotWritten(error);
    if (reason === undefined) throw error;
    process.stderr.write(`error: can't write ${file}: ${reason}\n`);
    return false;
  }
}

/** Below the summary for people, or beside the reports for programs. */
async function tellNotes(notes: readonly string[], outputs: readonly Output[]): Promise<void> {
  const isText = outputs.some(({ format, file }) => file === undefined && format === 'text');
  for (const note of notes) {
    if (isText && !note.startsWith('error')) await print([`${note}\n`]);
    else process.stderr.write(`${note}\n`);
  }
}

/** Reports for programs go to files and pipes; the person who waits should still see what happened. */
function tellWhatNoReportShows(outputs: readonly Output[], result: CheckResult): void {
  const onScreen = outputs.find((output) => output.file === undefined);
  if (onScreen?.format === 'text') return;
  for (const diagnostic of result.diagnostics) {
    if (diagnostic.severity === 'error') process.stderr.write(`error: ${position(diagnostic)} ${printableLine(diagnostic.message)}\n`);
  }
  if (onScreen === undefined) process.stderr.write(`${summaryLine(result, terminalOf(process.stderr).colour)}\n`);
}
