import type { CheckResult } from '../../check';
import { dayOfEnvironment, summarize, type Diagnostic, type Finding } from '../../engine';
import { EksModel, type AmiFamily } from '../../eks';
import type { InputSummary } from '../../value';
import { FORMATS, type ReportContext } from '../../reports';
import { jsonText } from '../../text/json-text';
import { today } from '../../text/day';
import { Secrets } from '../../text/secrets';
import { findingsOf } from '../../user-data/findings';
import { loneUserData, type UserDataInput } from '../../user-data/input';
import type { UserDataQuestion } from '../../user-data/launch';
import { packageVersion } from '../../version';
import { EXIT_UNUSABLE, exitCodeOf } from '../parts/exit-code';
import { terminalOf } from '../output/terminal';
import { didYouMean } from '../parts/suggestions';
import { UsageError } from '../parts/usage-error';
import { refuseUnfitSuppression, type SuppressArguments } from '../fix/suppressing';
import { readUserDataInput } from './user-data-input';
import { describeUserData, outlineOf } from './user-data-outline';
import { suppressUserData, type SuppressedUserData } from './user-data-suppressing';

/** The options of `user-data` as the command line parser delivers them. */
export interface UserDataArguments extends SuppressArguments {
  readonly id?: string;
  readonly family?: string;
  readonly bootstrap: 'eks' | 'user' | 'unknown';
  readonly kubernetesVersion?: string;
  readonly format: 'text' | 'json';
  readonly verbose?: boolean;
}

/**
 * Shows user data as the programs of a node find it: its parts, the merged NodeConfig, and every defect. Gives the exit code.
 * @param file a file of user data or a template with launch templates; `-` for the standard input
 */
export async function showUserData(file: string, request: UserDataArguments): Promise<number> {
  const question: UserDataQuestion = {
    id: request.id,
    family: request.family === undefined ? undefined : familyNamed(request.family),
    bootstrapBy: request.bootstrap,
    kubernetesVersion: request.kubernetesVersion,
  };
  refuseUnfitSuppression({ ...request, paths: [file], outputs: [] }, dayOfEnvironment() ?? today());
  const { inputs, diagnostics, text } = await readUserDataInput(file, question);
  const found = inputs.map((input) => ({ input, findings: findingsOf(input) }));
  const accepted = await suppressed(file, text, found, question, request);
  const views = accepted === undefined ? found : found.map((view) => ({ ...view, findings: accepted.findings }));
  process.stdout.write(
    accepted?.differences ??
      (request.format === 'json' ? asJson(views, diagnostics) : asText(views, diagnostics, request.verbose ?? false)),
  );
  if (accepted !== undefined) process.stderr.write(`${accepted.note}\n`);
  if (accepted?.isWritten === false) return EXIT_UNUSABLE;
  if (diagnostics.some(({ severity }) => severity === 'error')) return EXIT_UNUSABLE;
  return exitCodeOf({ ...NOTHING, findings: views.flatMap(({ findings }) => findings) }, 'error');
}

/** Accepts what was found, if that is asked for. */
async function suppressed(
  file: string,
  text: string | undefined,
  [view]: readonly View[],
  question: UserDataQuestion,
  request: UserDataArguments,
): Promise<SuppressedUserData | undefined> {
  if (request.suppress !== true && request.suppressDryRun !== true) return undefined;
  if (text === undefined)
    throw new UsageError(`${file} is no lone file of user data; check --suppress writes into templates`);
  // What can't be read says so by itself.
  if (view === undefined) return undefined;
  // Lines of what is packed are no lines of the file.
  if (view.input.shown !== text) throw new UsageError(`${file} is no plain text; unpack it to write a comment into it`);
  return suppressUserData(
    {
      file,
      text,
      begin: view.input.document.parts[0]?.bodyOffset ?? 0,
      findings: view.findings,
      findingsIn: (changed) => loneUserData(Buffer.from(changed), file, question).inputs.flatMap(findingsOf),
    },
    request,
  );
}

const FAMILIES: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'BOTTLEROCKET',
  windows: 'WINDOWS',
};

function familyNamed(name: string): AmiFamily {
  const family = FAMILIES[name.toLowerCase()];
  if (family === undefined)
    throw new UsageError(
      `--family is "${name}"; ${didYouMean(name, Object.keys(FAMILIES))}it takes al2, al2023, bottlerocket or windows`,
    );
  return family;
}

interface View {
  readonly input: UserDataInput;
  readonly findings: readonly Finding[];
}

const NOTHING: CheckResult = {
  inputs: [],
  findings: [],
  diagnostics: [],
  summary: summarize([]),
  model: new EksModel([]),
};

/** What no result has, and the day that the environment gives. */
function nothing(): CheckResult {
  const asOf = dayOfEnvironment();
  return asOf === undefined ? NOTHING : { ...NOTHING, asOf };
}

function asInput({ input }: Pick<View, 'input'>): InputSummary {
  return { path: input.label, kind: 'user-data', resources: 1 };
}

function asText(views: readonly View[], diagnostics: readonly Diagnostic[], verbose: boolean): string {
  const terminal = terminalOf(process.stdout);
  const pieces: string[] = [];
  for (const { input, findings } of views) {
    const context: ReportContext = {
      version: packageVersion(),
      readSource: (name) => (name === input.label ? input.shown : undefined),
      ...terminal,
      list: { info: true, unverifiable: verbose, suppressed: verbose },
    };
    pieces.push(
      ...outlineOf(input, context),
      ...FORMATS.text.render(
        { ...nothing(), inputs: [asInput({ input })], findings, summary: summarize(findings) },
        context,
      ),
    );
  }
  if (diagnostics.length > 0) {
    const context: ReportContext = {
      version: packageVersion(),
      readSource: () => undefined,
      ...terminal,
      list: { info: true, unverifiable: true, suppressed: true },
    };
    pieces.push(...FORMATS.text.render({ ...NOTHING, diagnostics }, context));
  }
  return new Secrets().hide(pieces.join(''));
}

function asJson(views: readonly View[], diagnostics: readonly Diagnostic[]): string {
  const findings = views.flatMap((view) => view.findings);
  const context: ReportContext = {
    version: packageVersion(),
    readSource: () => undefined,
    colour: false,
    width: 80,
    list: { info: true, unverifiable: true, suppressed: true },
  };
  const report = [
    ...FORMATS.json.render(
      { ...nothing(), inputs: views.map(asInput), findings, diagnostics, summary: summarize(findings) },
      context,
    ),
  ].join('');
  const { version, ...rest } = JSON.parse(report) as Record<string, unknown>;
  return `${new Secrets().hide(jsonText({ version, userData: views.map(({ input }) => describeUserData(input)), ...rest }, 2))}\n`;
}
