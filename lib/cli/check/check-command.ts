import { appendFileSync } from 'node:fs';
import type { BaselineEntry } from '../../baseline';
import { checkPaths, type CheckResult } from '../../check';
import { mergeConfigurations } from '../../configuration';
import { Offers } from '../../fixes/offers';
import type { Texts } from '../../fixes/run';
import {
  reaches,
  rulesOf,
  type Configuration,
  type FailOn,
  type Finding,
  type RepairOffers,
  type Preset,
  type RuleLevel,
  type RuleMetadata,
  type RuleSetting,
} from '../../engine';
import { FORMATS, type ReportContext } from '../../reports';
import { annotations } from '../../reports/github';
import { isListed } from '../../reports/listed';
import { stablePath } from '../../reports/places';
import { printableLine } from '../../reports/prose';
import { position, summaryLine } from '../../reports/summary';
import { allRules } from '../../rules';
import { today } from '../../text/day';
import { packageVersion } from '../../version';
import { readBaseline, withBaseline, type Baselined, type BaselineScope } from './baseline';
import { CheckInput } from './check-input';
import { configurationFor, tellLeftOut } from '../parts/configuration-code';
import { EXIT_CLEAN, exitCodeOf, EXIT_UNUSABLE } from '../parts/exit-code';
import { refuseUnfit, withFixes } from '../fix/fixing';
import { refuseUnfitSuppression, withSuppressions } from '../fix/suppressing';
import { pairOutputs, type Output, type OutputArgument } from '../output/outputs';
import type { CheckArguments } from './check-arguments';
import { IS_INPUT, isSameFile, refuseLosses, type NamedFile } from '../output/output-places';
import { printedConfiguration } from './print-configuration';
import { repositoryAround } from '../git/repository';
import { withSelection } from './rule-selection';
import { isInActions, trusted, verbatim } from '../output/screen';
import { terminalOf } from '../output/terminal';
import { UsageError } from '../parts/usage-error';
import { WatchedCheck } from './watched-check';
import { blocks, whyNotWritten, writeAtomically } from '../output/write-file';

/** Formats whose readers open the files that they name. */
const NAMING: ReadonlySet<string> = new Set(['sarif', 'github', 'gitlab', 'junit']);

export interface CheckRequest extends CheckArguments {
  readonly paths: readonly string[];
  readonly outputs: readonly OutputArgument[];
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/** With what the configuration file adds. */
interface SettledRequest extends CheckRequest {
  /** Entries of the baseline whose finding is gone. */
  readonly gone?: readonly BaselineEntry[];
  /** What could be repaired of what is reported. */
  readonly repairs?: RepairOffers;
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
  const watched = WatchedCheck.current();
  try {
    return await checkOnce(given, watched);
  } catch (error) {
    watched?.tellProblem(error);
    throw error;
  }
}

async function checkOnce(given: CheckRequest, watched: WatchedCheck | undefined): Promise<number> {
  const outputs = pairOutputs(given.outputs);
  refuseUnfit(given);
  refuseUnfitSuppression(given, given.asOf ?? today());
  const file = configurationFor(given);
  const { leftOut = [] } = file ?? {};
  // Options of the command line replace those of the configuration file.
  const merged = mergeConfigurations(
    { ...file?.configuration, failOn: file?.failOn ?? 'error' },
    configurationOf(given),
  );
  const configuration = withSelection(merged, rulesOf(merged, allRules), given);
  const failOn = given.failOn ?? file?.failOn ?? 'error';
  if (given.printConfig === true) {
    await print([printedConfiguration(configuration, failOn, file, given)]);
    tellLeftOut(file);
    return leftOut.length === 0 ? EXIT_CLEAN : EXIT_UNUSABLE;
  }
  refuseLosses(filesToWrite(outputs, given), filesToRead(given, file?.files ?? []));
  const input = await CheckInput.of(given, [
    ...(file?.files ?? []),
    ...(given.baseline === undefined ? [] : [given.baseline]),
  ]);
  const request: SettledRequest = { ...given, failOn, rules: rulesOf(configuration, allRules), input };
  const known = readBaseline(request);
  const repository = repositoryAround(process.cwd());
  const scope: BaselineScope = {
    paths: given.paths,
    configuration,
    placeOf: (path) => stablePath(path, repository),
    isInput: (path) => input.isAbout(path),
  };
  const runs = new WeakMap<CheckResult, Baselined>();
  const run = async (texts?: Texts) => {
    const checked = input.read((reading) => checkPaths(request.paths, configuration, reading), texts);
    const baselined = await withBaseline(
      { ...checked, diagnostics: [...leftOut, ...checked.diagnostics] },
      scope,
      known,
      request,
    );
    runs.set(baselined.result, baselined);
    return baselined.result;
  };
  const found = await run();
  watched?.tell(input.lookedAt(), file?.files ?? []);
  if (watched?.isHalfDone(found) === true) return EXIT_UNUSABLE;
  watched?.beginReport();
  const reported = input.reported(found);
  const wanted = new Set(reported.findings);
  const { list } = contextOf(undefined, request);
  const isAccepted = (finding: Finding): boolean =>
    wanted.has(finding) && isListed(finding, list) && (given.failOn === undefined || reaches(finding, given.failOn));
  const fixed =
    (await withSuppressions(found, run, request, isAccepted)) ??
    (await withFixes(found, run, request, (finding) => wanted.has(finding) && isRepaired(finding, request)));
  const result = fixed.result === found ? reported : input.reported(fixed.result);
  const { notes = [], gone = [], isWritten = false } = runs.get(fixed.result) ?? {};
  const { differences } = fixed;
  if (differences !== undefined)
    await print([verbatim(result.secrets?.hide(differences) ?? differences)], isInActions());
  const shown = outputs.filter(({ file }) => file !== undefined || differences === undefined);
  const reporting = { ...request, gone, ...repairsOf(fixed.result, request, result) };
  const isReported = await report(shown, result, reporting);
  const told = isReported
    ? shown
    : [...shown, await tellAllTheSame(shown, result, reporting, differences === undefined)];
  await tellGitHub(outputs, result, reporting);
  tellWhatNoReportShows(told, result);
  await tellNotes([...fixed.notes, ...notes, ...hintsFor(given, shown)], shown);
  if (!isWritten || !fixed.isWritten || !isReported) return EXIT_UNUSABLE;
  // Atlantis reads what is printed only if the command ends well; what fails, and what couldn't be read, is told there.
  const isForAtlantis = outputs.some((output) => output.format === 'atlantis' && output.file === undefined);
  return isForAtlantis ? EXIT_CLEAN : exitCodeOf(result, failOn);
}

/**
 * What could be repaired of what is reported.
 * @param whole all that was found, of which some is reported
 */
function repairsOf(
  whole: CheckResult,
  request: SettledRequest,
  reported: CheckResult,
): Pick<SettledRequest, 'repairs'> {
  const { fix, unsafe, paths } = request;
  if (paths.includes('-')) return {};
  const wanted = new Set(reported.findings);
  const tried = fix === true ? { tried: unsafe === true ? ('all' as const) : ('safe' as const) } : {};
  const isWanted = (finding: Finding) => wanted.has(finding) && isRepaired(finding, request);
  return { repairs: new Offers(whole, { isWanted, ...tried }) };
}

/** What is only worth knowing isn't told unasked, and so not changed either: only for those who ask for all, or name the rule. */
function isRepaired({ severity }: Finding, { verbose, only }: CheckArguments): boolean {
  return severity !== 'info' || verbose === true || only !== undefined;
}

/** Who reads the places of a report would look for a file of that name. */
function hintsFor({ paths, stdinFilename }: CheckRequest, outputs: readonly Output[]): string[] {
  const isNameless =
    paths.includes('-') && stdinFilename === undefined && outputs.some(({ format }) => NAMING.has(format));
  return isNameless
    ? ['note: the standard input has no name that others could find; --stdin-filename NAME gives it one']
    : [];
}

/** What the check itself would write, and must not lose anything by. */
function filesToWrite(outputs: readonly Output[], { writeBaseline }: CheckArguments): NamedFile[] {
  const reports = outputs.flatMap(({ format, file }) =>
    file === undefined ? [] : [{ file, what: `the ${format} report` }],
  );
  return writeBaseline === undefined ? reports : [{ file: writeBaseline, what: 'the baseline' }, ...reports];
}

function filesToRead(
  { paths, stdinFilename, varFile = [], knowledge, baseline, writeBaseline }: CheckRequest,
  configuration: readonly string[],
): NamedFile[] {
  const inputs = [
    ...paths.filter((path) => path !== '-'),
    ...varFile,
    ...(stdinFilename === undefined ? [] : [stdinFilename]),
  ];
  // A baseline may be written anew.
  const isKept = baseline !== undefined && (writeBaseline === undefined || !isSameFile(baseline, writeBaseline));
  return [
    ...inputs.map((file) => ({ file, what: 'an input' })),
    ...(knowledge === undefined ? [] : [{ file: knowledge, what: 'the file of newer rows' }]),
    ...configuration.map((file) => ({ file, what: 'part of the configuration' })),
    ...(isKept ? [{ file: baseline, what: 'the baseline' }] : []),
  ];
}

/** Prints and writes the reports; false if one could not be written. */
async function report(outputs: readonly Output[], result: CheckResult, request: SettledRequest): Promise<boolean> {
  let isComplete = true;
  for (const { format, file } of outputs) {
    const pieces = FORMATS[format].render(result, contextOf(file, request));
    if (file === undefined) await print(pieces, format === 'github');
    else if (!(await writeFile(file, pieces, request.input))) isComplete = false;
  }
  return isComplete;
}

/** Tells the findings of a report that is lost as text, unless that is on the screen already. */
async function tellAllTheSame(
  outputs: readonly Output[],
  result: CheckResult,
  request: SettledRequest,
  isScreenFree: boolean,
): Promise<Output> {
  const onScreen = outputs.find(({ file }) => file === undefined);
  const context = contextOf(undefined, request);
  if (isScreenFree && onScreen === undefined) await print(FORMATS.text.render(result, context));
  else if (onScreen?.format !== 'text')
    for (const piece of FORMATS.text.render(result, { ...context, colour: false })) process.stderr.write(piece);
  return { format: 'text', file: undefined };
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
    ...(request.asOf === undefined ? {} : { asOf: request.asOf }),
    ...(request.knowledge === undefined ? {} : { knowledge: request.knowledge }),
    ...(request.varFile === undefined ? {} : { terraform: { varFiles: request.varFile } }),
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
    ...(request.maxFindings === undefined ? {} : { most: request.maxFindings }),
    statistics: request.statistics === true,
    failOn: request.failOn,
    repository: repositoryAround(process.cwd()),
    ...(request.gone === undefined ? {} : { gone: request.gone }),
    ...(request.repairs === undefined ? {} : { repairs: request.repairs }),
    rules: request.rules,
    date: today(),
  };
}

/**
 * In GitHub Actions, who asks for no format wants to read the text and to see the findings at their lines; who asks for annotations gets
 * the summary of the job as well.
 */
async function tellGitHub(outputs: readonly Output[], result: CheckResult, request: SettledRequest): Promise<void> {
  if (isInActions() && request.outputs.length === 0) {
    const lines = annotations(result, contextOf(undefined, request));
    // What a dry run prints is a patch; the runner reads both streams.
    if (request.fixDryRun === true) for (const line of lines) trusted(() => process.stderr.write(line));
    else await print(lines, true);
  }
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

/**
 * Waits for each block, so that a slow reader doesn't make the whole report pile up in memory.
 * @param mayCommand lines are commands to the runner of GitHub Actions where they look like that
 */
async function print(pieces: Iterable<string>, mayCommand = false): Promise<void> {
  for (const block of blocks(pieces)) {
    const error = await new Promise((resolve) => {
      const write = () => process.stdout.write(block, resolve);
      return mayCommand ? trusted(write) : write();
    });
    // Nobody reads any more (`| head`).
    if (error instanceof Error) return;
  }
}

/** False if the file could not be written. */
async function writeFile(file: string, pieces: Iterable<string>, input: CheckInput): Promise<boolean> {
  if (input.isAbout(file)) {
    process.stderr.write(`error: can't write ${file}: ${IS_INPUT}\n`);
    return false;
  }
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
  const onScreen = outputs.filter(({ file }) => file === undefined);
  if (onScreen.some(({ format }) => format === 'text')) return;
  for (const diagnostic of result.diagnostics) {
    if (diagnostic.severity === 'error')
      process.stderr.write(`error: ${position(diagnostic)} ${printableLine(diagnostic.message)}\n`);
  }
  if (onScreen.length === 0) process.stderr.write(`${summaryLine(result, terminalOf(process.stderr).colour)}\n`);
}
