import {
  givenDay,
  resolveConfiguration,
  runRules,
  summarize,
  type Configuration,
  type Diagnostic,
  type Finding,
  type Summary,
} from './engine';
import { knowledgeOf, type OverlayUse } from './configuration/knowledge-file';
import { EksModel, withLimits, type EksResource, type Unknown } from './eks';
import { readTemplates } from './front-ends/cloudformation';
import type { Reading } from './front-ends/input-files';
import { readPaths } from './front-ends/paths';
import { nothingSought } from './front-ends/registry';
import type { TemplateInput } from './cloudformation/template-input';
import type { ReadResult } from './front-ends/reader';
import type { TerraformStackInput } from './front-ends/terraform/stack-input';
import type { Acknowledgement, InputSummary, TurnedOff } from './value';
import { readTerraformStacks } from './front-ends/terraform/stacks';
import { oldTables, withOverlay, type OldTable } from './knowledge';
import { allRules } from './rules';
import { today } from './text/day';
import { keptByText } from './text/kept-by-text';
import { Secrets } from './text/secrets';

/** What a check found. */
export interface CheckResult {
  /** What was read. */
  readonly inputs: readonly InputSummary[];
  /** Findings in the order of the rules, then of the input; suppressed ones included. */
  readonly findings: readonly Finding[];
  /** What was wrong with the input itself. One of severity `error` means that something was not checked. */
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  /** The day that was given for the check; left out if it is the day on which it ran. */
  readonly asOf?: string;
  /** What the inputs declare, as the rules see it. */
  readonly model: EksModel;
  /** Declarations of clusters that make none. @default - there are none */
  readonly turnedOff?: readonly TurnedOff[];
  /** The newer rows of tables that it was judged with, by a file of the user's. @default - none */
  readonly knowledge?: OverlayUse;
  /** Tables that were old on the day of the check. @default - none was */
  readonly oldTables?: readonly OldTable[];
  /** What of the inputs reports don't show. @default - what looks like a credential */
  readonly secrets?: Secrets;
}

/**
 * Checks template files, folders of templates, CDK assemblies (`cdk.out`), plans of Terraform (`terraform show -json`) and folders of Terraform
 * configuration. All paths are judged together, so that links between their stacks resolve.
 *
 * Bad input doesn't throw: it becomes a diagnostic. So does a set of paths that holds nothing of that.
 * @param reading what stands for the path `-`, and who is told of what is read
 * @throws ConfigurationError if the configuration names a rule, preset, level or option that doesn't exist
 */
export function checkPaths(
  paths: readonly string[],
  configuration: Configuration = {},
  reading: Reading = {},
): CheckResult {
  return checkAssuming(paths, AS_IT_IS, configuration, reading);
}

/** What is taken for otherwise than it is written. */
export interface Assumption {
  apply(resources: readonly EksResource[]): void;
}

const AS_IT_IS: Assumption = { apply: () => undefined };

/**
 * The same, as if some of what is read were otherwise.
 * @param assumption changes resources, all of them at once, before anything looks at them
 */
export function checkAssuming(
  paths: readonly string[],
  assumption: Assumption,
  configuration: Configuration = {},
  reading: Reading = {},
): CheckResult {
  // Before anything is read: a typing error should not cost the reading of a large assembly.
  resolveConfiguration(configuration, allRules);
  return judge(() => {
    const read = readPaths(
      paths,
      { ...configuration.parameters, varFiles: configuration.terraform?.varFiles ?? [] },
      reading,
    );
    assumption.apply(read.resources);
    reading.onJudge?.(read.resources.length);
    const nothing = read.inputs.length === 0 && !read.diagnostics.some((diagnostic) => diagnostic.severity === 'error');
    return nothing && reading.mayBeEmpty !== true
      ? { ...read, diagnostics: [...read.diagnostics, nothingFound(paths)] }
      : read;
  }, configuration);
}

/** What is read of some paths, before any rule looks at it. */
export interface PathsRead {
  readonly inputs: readonly InputSummary[];
  readonly diagnostics: readonly Diagnostic[];
  readonly model: EksModel;
  /** Values that the inputs declare to be secret. */
  readonly secrets: readonly string[];
}

/**
 * Reads several sets of paths, each by itself, and makes something of them. Values are worked out when somebody asks for them, so that what goes
 * beyond a limit shows only then.
 */
export function readApart<T>(
  sets: readonly { readonly paths: readonly string[]; readonly reading?: Reading }[],
  configuration: Configuration,
  use: (reads: readonly PathsRead[]) => T,
): { readonly result: T; readonly unjudged: readonly Diagnostic[] } {
  const { overlay } = knowledgeOf(configuration) ?? {};
  const given = { ...configuration.parameters, varFiles: configuration.terraform?.varFiles ?? [] };
  const { result, beyond } = withOverlay(overlay, () =>
    withLimits(() =>
      use(
        sets.map(({ paths, reading }): PathsRead => {
          const { inputs, diagnostics, resources, secrets = [] } = readPaths(paths, given, reading);
          const isNothing = inputs.length === 0 && !diagnostics.some(({ severity }) => severity === 'error');
          return {
            inputs,
            diagnostics: isNothing ? [...diagnostics, nothingFound(paths)] : diagnostics,
            model: new EksModel(resources),
            secrets,
          };
        }),
      ),
    ),
  );
  return { result, unjudged: unjudged(beyond) };
}

/**
 * Checks templates that are already in memory, together.
 * @throws ConfigurationError if the configuration names a rule, preset, level or option that doesn't exist
 */
export function checkTemplates(templates: readonly TemplateInput[], configuration: Configuration = {}): CheckResult {
  resolveConfiguration(configuration, allRules);
  return judge(() => readTemplates(templates, configuration.parameters), configuration);
}

/**
 * Checks the stacks of a CDKTF or CDK Terrain app, together, as they are rendered.
 * @param acknowledgements decisions beside those that the stacks hold themselves
 * @throws ConfigurationError if the configuration names a rule, preset, level or option that doesn't exist
 */
export function checkTerraformStacks(
  stacks: readonly TerraformStackInput[],
  configuration: Configuration = {},
  acknowledgements: readonly Acknowledgement[] = [],
): CheckResult {
  resolveConfiguration(configuration, allRules);
  return judge(() => readTerraformStacks(stacks, acknowledgements, configuration.parameters?.terraform), configuration);
}

function judge(read: () => ReadResult, configuration: Configuration): CheckResult {
  const { file, overlay } = knowledgeOf(configuration) ?? {};
  const result = withOverlay(overlay, () => judgeAll(read, configuration));
  const old = withOverlay(overlay, () => oldTables(givenDay(configuration) ?? today()));
  return {
    ...result,
    ...(file === undefined || overlay === undefined
      ? {}
      : { knowledge: { file, asOf: overlay.asOf, tables: Object.keys(overlay.tables) } }),
    ...(old.length === 0 ? {} : { oldTables: old }),
  };
}

function judgeAll(read: () => ReadResult, configuration: Configuration): CheckResult {
  // Values are worked out when a rule asks for them, so what goes beyond a limit shows only then.
  const { result, beyond } = withLimits(() => {
    const { resources, asIfEnabled, suppressions, inputs, diagnostics, secrets, turnedOff = [] } = read();
    const model = new EksModel(resources, suppressions);
    return {
      inputs,
      diagnostics,
      model,
      ...(turnedOff.length === 0 ? {} : { turnedOff }),
      secrets: new Secrets(secrets),
      findings: runRules(
        model,
        allRules,
        configuration,
        asIfEnabled === undefined ? undefined : new EksModel(asIfEnabled, suppressions),
      ),
    };
  });
  const { secrets } = result;
  // Findings of one rule mostly have the same fix.
  const hide = keptByText((text) => secrets.hide(text));
  const findings = result.findings.map((finding) => withoutSecrets(finding, hide));
  const diagnostics = [...result.diagnostics, ...unjudged(beyond)].map((diagnostic) => ({
    ...diagnostic,
    message: secrets.hide(diagnostic.message),
  }));
  const asOf = givenDay(configuration);
  return { ...result, findings, diagnostics, summary: summarize(findings), ...(asOf === undefined ? {} : { asOf }) };
}

/** What goes beyond a limit, once in each file: where one value does, those made of it often do, too. */
function unjudged(beyond: readonly Unknown[]): readonly Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { reason, source } of beyond) {
    const { file, line, column } = source.locate();
    const key = `${file}\n${reason}`;
    if (!told.has(key))
      told.set(key, {
        severity: 'error',
        message: `${reason}, so what depends on it is not judged`,
        file,
        line,
        column,
      });
  }
  return [...told.values()];
}

/** Whoever is told of a finding, by whichever report, isn't told of secrets. What `--fix` writes stays as it is. */
function withoutSecrets(finding: Finding, hide: (text: string) => string): Finding {
  const { message, fix, fixCode, about, related } = finding;
  return {
    ...finding,
    message: hide(message),
    fix: hide(fix),
    fixCode: fixCode === undefined ? undefined : hide(fixCode),
    ...(about === undefined ? {} : { about: hide(about) }),
    related: related.map((place) => ({ ...place, message: hide(place.message) })),
  };
}

function nothingFound(paths: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    message: `${nothingSought()} was found, so nothing was checked`,
    file: paths.join(', '),
    line: 1,
    column: 1,
  };
}
