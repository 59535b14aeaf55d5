import { withOwnNames } from './own-names';
import { withoutRepeatedCode } from './repeated-code';
import { always, NO_DIALECT, nowhere, resourceName, type EksModel, type Resource, type Source } from '../eks';
import type { Decided } from '../value';
import { today as currentDay } from '../text/day';
import { messageOf } from '../user-code/guard';
import { placeOf, shownPlace } from '../user-code/place';
import { givenDay } from './as-of';
import { atUserLine } from './at-user-line';
import { causeOf } from './cause';
import { resolveConfiguration, rulesOf, type Configuration, type ResolvedSetting } from './configuration';
import { ENGINE_RULES, engineFinding, isCrash } from './engine-findings';
import type { Finding } from './finding';
import { clusterPlace, withReferences } from './cluster-references';
import { codeAt, isRelease } from './fix-code';
import { applyIgnores } from './ignores';
import { JudgementError, judgeByOwnRule } from './own-judgements';
import { checkAround, type Crash } from './isolation';
import { keyOf } from './places';
import { filledRepair } from './repair';
import {
  docsUrl,
  type Fix,
  type Judgement,
  type RelatedPlace,
  type Rule,
  type RuleContext,
  type Severity,
} from './rule';
import { Settling } from './settling';
import { applySuppressions } from './suppressions';

export { resourceName };

/**
 * Runs rules on a model. A rule that throws becomes a `rule-crashed` finding, and the others still run.
 * Findings come in the order of the rules, then in the order of the input.
 * @param builtIn the rules that run beside the user's own
 * @param asIfEnabled the model together with what isn't enabled: findings about that alone come behind the others, without what can't be told
 * @throws ConfigurationError if the configuration names something that doesn't exist
 */
export function runRules(
  model: EksModel,
  builtIn: readonly Rule[],
  configuration: Configuration = {},
  asIfEnabled?: EksModel,
): Finding[] {
  const rules = rulesOf(configuration, builtIn);
  const settings = resolveConfiguration(configuration, builtIn);
  const today = givenDay(configuration) ?? currentDay();
  const run = (of: EksModel): Finding[] => {
    const runs: RuleRun[] = [];
    for (const rule of rules) {
      const setting = settings.get(rule.id);
      if (setting === undefined || setting.level === 'off') continue;
      const run = new RuleRun(rule, of, setting, today);
      run.check();
      runs.push(run);
    }
    for (const run of runs) run.checkAround();
    return runs.flatMap((run) => run.findings());
  };
  const findings = run(model);
  if (asIfEnabled !== undefined) {
    const crashOf = ({ about, resource }: Finding) => JSON.stringify([about, resource.stack, resource.id]);
    const crashes = new Set(findings.filter(isCrash).map(crashOf));
    for (const finding of run(asIfEnabled))
      if (finding.resource.isNotEnabled === true || (isCrash(finding) && !crashes.has(crashOf(finding))))
        findings.push(finding);
  }
  const context = { model: asIfEnabled ?? model, rules, settings, today };
  const told = applyIgnores(applySuppressions(findings, context), configuration.ignores ?? [], context).filter(
    // Nobody has it: of what is only judged as if it were there, what isn't known says nothing.
    ({ verdict, resource }) => verdict !== 'unverifiable' || resource.isNotEnabled !== true,
  );
  return withOwnNames(withoutRepeatedCode(told), context.model).map(atUserLine).map(asNotEnabled);
}

/** Nobody deploys it as it stands, which a finding says by itself wherever it is shown. */
function asNotEnabled(finding: Finding): Finding {
  return finding.resource.isNotEnabled === true
    ? { ...finding, message: `In a module that no root module here enables: ${finding.message}` }
    : finding;
}

/** One rule on one model. What it found before it stopped stays. */
class RuleRun {
  private readonly context: RuleContext;
  /** Resources of the judgements; forgotten when the rule comes to its end. */
  private judged: Resource[] = [];
  private judgements: readonly Judgement[] = [];
  private crashes: Crash[] = [];
  private isComplete = true;

  constructor(
    private readonly rule: Rule,
    private readonly model: EksModel,
    private readonly setting: ResolvedSetting,
    today: string,
  ) {
    this.context = { today, options: setting.options };
  }

  check(): void {
    const settling = new Settling(this.model);
    this.attempt(() => {
      this.judge(this.model, (judgement) => {
        this.judged.push(judgement.resource);
        settling.add(judgement);
      });
    });
    this.attempt(() => {
      settling.settle();
    });
    this.judgements = settling.judgements;
    if (this.crashes.length === 0) this.judged = [];
  }

  /** What the rule has said stays when it stops. */
  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (this.crashes.length === 0) this.crashes = [{ error, resource: undefined }];
      this.isComplete = false;
    }
  }

  /** Goes on behind the resource at which the rule stopped, if it did. Only when no rule looks at the model any more. */
  checkAround(): void {
    const [first] = this.crashes;
    if (first === undefined || first.error instanceof JudgementError) return;
    let settling = new Settling(this.model);
    const { crashes, isComplete } = checkAround(this.model, (model, isHidden) => {
      settling = new Settling(model);
      this.judge(model, (judgement) => {
        if (!isHidden(judgement.resource)) settling.add(judgement);
      });
      settling.settle();
    });
    if (crashes.length === 0) return;
    this.crashes = [...crashes];
    this.isComplete = isComplete;
    const said = new Set(this.judgements.map(idOf));
    const judged = new Set(this.judged);
    const isNew = (judgement: Judgement): boolean =>
      judgement.verdict === 'fail' ? !said.has(idOf(judgement)) : !judged.has(judgement.resource);
    this.judgements = [...this.judgements, ...settling.judgements.filter(isNew)];
  }

  findings(): Finding[] {
    const { rule, setting, crashes } = this;
    const findings = this.judgements.flatMap((judgement): Finding[] => {
      try {
        return [toFinding(rule, judgement, setting, this.model)];
      } catch (error) {
        if (crashes.length === 0) {
          crashes.push({ error, resource: judgement.resource });
          this.isComplete = false;
        }
        return [];
      }
    });
    return mergeEqual([...findings, ...crashes.map((crash) => crashFinding(rule, crash, this.isComplete, this.model))]);
  }

  private judge(model: EksModel, take: (judgement: Judgement) => void): void {
    const { rule, context } = this;
    if (rule.subject === 'custom') judgeByOwnRule(rule, model, context, take);
    else for (const judgement of rule.check(model, context)) if (concerns(rule, judgement)) take(judgement);
  }
}

/** Whether a rule has something to say where its resource is: of what runs, what is about code isn't so. */
function concerns({ isAboutCode }: Rule, { resource, message }: Judgement): boolean {
  if (isAboutCode === undefined || resource.dialect.isRunning !== true) return true;
  return isAboutCode !== true && (message === undefined || !isAboutCode.includes(message));
}

/** What a failure is about, whatever it depends on. */
function idOf({ resource, message, about, source = resource.source }: Judgement): string {
  return JSON.stringify([resource.stack, resource.id, message, about, keyOf(source)]);
}

function toFinding(rule: Rule, judgement: Judgement, setting: ResolvedSetting, model: EksModel): Finding {
  const { resource, data = {}, when } = judgement;
  const common = {
    rule: rule.id,
    docs: rule.docs ?? docsUrl(rule.id),
    resource,
    source: judgement.source ?? resource.source,
    related: eachOnce(judgement.related ?? []),
    ...(judgement.about === undefined ? {} : { about: judgement.about }),
  };
  if (judgement.verdict === 'unverifiable') {
    const reason = judgement.reason ?? 'a value is not known before deployment';
    return {
      ...common,
      severity: 'info',
      verdict: 'unverifiable',
      messageId: undefined,
      message: `Can't tell whether ${resourceName(resource)} follows ${rule.id}: ${reason}.`,
      cause: causeOf(reason),
      fix: `Check by hand, or give the value where it can be read. What must hold: ${lowerFirst(rule.title)}.`,
      fixCode: undefined,
    };
  }
  const message = judgement.message === undefined ? undefined : rule.messages[judgement.message];
  if (message === undefined)
    throw new Error(`rule ${rule.id} failed with message "${judgement.message}", which it doesn't declare`);
  const unlikely = [when, when?.and(resource.exists)].find((one) => one?.isUnlikely === true);
  if (unlikely !== undefined) {
    const reason = `it doesn't when ${unlikely.text}, and neither a file of values in sight nor the defaults say all of that`;
    return toFinding(rule, { ...judgement, verdict: 'unverifiable', reason }, setting, model);
  }
  const code = correctedCode(judgement) ?? fixCode(message.fix, resource, { data, model });
  const decided = decidedElsewhere(common.source);
  const codeThere =
    decided === undefined || code === undefined
      ? undefined
      : resource.dialect.fixes.codeWhereDecided?.(code, resource, common.source);
  const suffix = when === undefined || when.text === '' ? '' : ` This happens when ${when.text}.`;
  return {
    ...common,
    severity: severityOf(rule, judgement, setting),
    verdict: 'fail',
    messageId: judgement.message,
    message: fill(message.text, data) + suffix + originOf(common.source),
    ...(decided === undefined
      ? {}
      : { related: eachOnce([...common.related, { message: decided.by, source: decided.at }]) }),
    fix:
      fixSummary(message.fix, resource, data) +
      (code === undefined || codeThere !== undefined ? standsIn(decided) : ''),
    fixCode: codeThere ?? code,
    ...repairsOf(message.fix, data, judgement),
  };
}

/** The places of a finding, of which several cases may have named the same. */
function eachOnce(related: readonly RelatedPlace[]): readonly RelatedPlace[] {
  return related.length < 2
    ? related
    : [...new Map(related.map((place) => [`${keyOf(place.source)} ${place.message}`, place])).values()];
}

/** Where the value is to be changed, if that isn't where the finding points. */
function originOf({ from }: Source): string {
  if (from === undefined) return '';
  if (from.startsWith('set by ')) return ` The value is ${from}.`;
  return ` The value comes from ${/^(?:default|argument|output) /.test(from) ? `the ${from}` : from}.`;
}

/** What the user has written elsewhere: a value of a variable or parameter, of a local value, or of a mapping. */
const WRITTEN_ELSEWHERE = /^(?:default of (?:variable|parameter) |local\.|argument |mapping )|\.tfvars(?:\.json)?$/;

function decidedElsewhere(source: Source): Decided | undefined {
  const { decided } = source;
  if (decided === undefined || !WRITTEN_ELSEWHERE.test(decided.by)) return undefined;
  const [here, there] = [source.locate(), decided.at.locate()];
  return there.file === '' || (here.file === there.file && here.line === there.line) ? undefined : decided;
}

/** A sentence behind those of a fix. */
function standsIn(decided: Decided | undefined): string {
  if (decided === undefined) return '';
  const { file, line } = decided.at.locate();
  return ` The value stands in ${file}:${line}${/\.tfvars/.test(decided.by) ? '' : `, ${decided.by}`}.`;
}

/** The user's level wins; a preset's raise applies to what the rule would report at its own severity. */
function severityOf(rule: Rule, judgement: Judgement, setting: ResolvedSetting): Severity {
  const level = setting.level === 'off' ? undefined : setting.level;
  const own = judgement.severity ?? rule.severity;
  // What a rule of warnings or errors calls mere information stays that: raising the rule is about its pitfall.
  return own === 'info' && rule.severity !== 'info' ? own : (level ?? own);
}

/** What configures an add-on is called otherwise in the release of a chart, though the keys are the same. */
function fixSummary(fix: Fix, resource: Resource, data: Readonly<Record<string, string>>): string {
  const { name } = resource.dialect;
  const own = name === 'none' ? undefined : fix.summaryIn?.[name];
  const summary = fill(own ?? fix.summary, data) + adviceAt(resource, fix);
  return isRelease(resource) ? summary.replaceAll('the configuration values', "the chart's values") : summary;
}

const LAUNCH_CONFIGURATIONS: ReadonlySet<string> = new Set([
  'AWS::AutoScaling::LaunchConfiguration',
  'aws_launch_configuration',
]);

/** Source: Amazon EC2 Auto Scaling user guide, "Auto Scaling launch configurations". */
function adviceAt({ type }: Resource, { code }: Fix): string {
  return code !== undefined && LAUNCH_CONFIGURATIONS.has(type)
    ? " Each change makes a new launch configuration, which accounts that exist since 1 October 2024 or later can't create: better move to a launch template."
    : '';
}

/** What a finding's code is filled with. */
interface Filling {
  readonly data: Readonly<Record<string, string>>;
  readonly model: EksModel;
}

/** The user's own lines, put right; undefined where nobody writes the file by hand. */
function correctedCode({ corrected, resource }: Judgement): string | undefined {
  if (corrected === undefined || resource.path !== undefined) return undefined;
  const { editorOf, whyGenerated } = resource.dialect.fixes;
  if (whyGenerated !== undefined || editorOf(resource.source.locate().file) === undefined) return undefined;
  const { file, first, before, after } = corrected;
  const which = before.length === 1 ? `line ${first}` : `lines ${first} to ${first + before.length - 1}`;
  return after.length === 0
    ? `# ${file} without ${which}`
    : [`# in place of ${which} of ${file}:`, ...after].join('\n');
}

function fixCode(fix: Fix, resource: Resource, { data, model }: Filling): string | undefined {
  const { codes, codesAt } = resource.dialect.fixes;
  const code = (codesAt?.(resource) ?? codes).map((name) => fix.code?.[name]).find((one) => one !== undefined);
  if (code === undefined) return undefined;
  const filled = fill(code, data);
  // A rule leaves it empty where words alone can say it.
  if (filled.trim() === '') return undefined;
  const { cloudformation } = fix.code ?? {};
  return codeAt(
    withReferences(filled, resource, model),
    resource,
    () => (cloudformation === undefined ? undefined : fill(cloudformation, data)),
    () => clusterPlace(resource, model),
  );
}

function repairsOf(
  { safety, effectIn, repairsIn, ...fix }: Fix,
  data: Readonly<Record<string, string>>,
  { corrected, resource: { dialect }, repairEffect }: Judgement,
): Pick<Finding, 'repairs' | 'repairEffect'> {
  const [effectOfDialect, repairsHere] =
    dialect.name === 'none' ? [] : [effectIn?.[dialect.name], repairsIn?.[dialect.name]];
  const effectHere = repairEffect ?? effectOfDialect;
  const repairs = repairsHere ?? fix.repairs;
  const isUnsafe = safety !== 'safe' || effectHere !== undefined;
  const effect = dialect.fixes.effect ?? effectHere ?? fix.effect;
  if (repairs === undefined || (isUnsafe && effect === undefined)) return {};
  const filled = repairs.flatMap((repair) => filledRepair(repair, (template) => fill(template, data), corrected) ?? []);
  if (filled.length < repairs.length) return {};
  return { repairs: filled, ...(isUnsafe && effect !== undefined ? { repairEffect: fill(effect, data) } : {}) };
}

/** For a sentence that goes on; acronyms stay as they are. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Fills `{{name}}` placeholders; a missing value is a defect of the rule and throws. */
function fill(template: string, data: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = data[name];
    if (value === undefined) throw new Error(`no value for {{${name}}} in "${template}"`);
    return value;
  });
}

/** A rule that looks at several cases of one resource may say the same thing twice about the same place. What can't be told is said once, wherever it is. */
function mergeEqual(findings: readonly Finding[]): Finding[] {
  const seen = new Map<Resource, Map<string, Places>>();
  return findings.filter(({ resource, verdict, message, source }) => {
    const said = seen.get(resource) ?? new Map<string, Places>();
    seen.set(resource, said);
    const key = `${verdict}|${message}`;
    const places = said.get(key);
    if (places === undefined) said.set(key, new Places(source));
    return places === undefined || (verdict === 'fail' && places.add(source));
  });
}

/** Places that are told apart only when there is a second one: most findings are alone. */
class Places {
  private located: Set<string> | undefined;

  constructor(private readonly first: Source) {}

  /** False if it is there already. */
  add(source: Source): boolean {
    if (source === this.first) return false;
    this.located ??= new Set([keyOf(this.first)]);
    const { size } = this.located;
    return this.located.add(keyOf(source)).size > size;
  }
}

function crashFinding(rule: Rule, { error, resource }: Crash, isComplete: boolean, model: EksModel): Finding {
  const told = {
    at: resource === undefined ? '' : ` at ${resourceName(resource)}`,
    left:
      resource !== undefined && isComplete
        ? 'it judged everything else as if nothing were known of that'
        : 'not everything was checked by it',
  };
  const texts = rule.subject === 'custom' ? ownCrash(rule, error, told) : builtInCrash(rule, error, told);
  return engineFinding(ENGINE_RULES.crashed, 'error', resource ?? model.resources[0] ?? wholeInput, {
    about: rule.id,
    ...texts,
  });
}

/** Where a rule stopped, and what that leaves unchecked, as parts of a sentence. */
interface CrashTexts {
  readonly at: string;
  readonly left: string;
}

function builtInCrash({ id }: Rule, error: unknown, { at, left }: CrashTexts): { message: string; fix: string } {
  return {
    message: `Rule ${id} stopped${at} with an internal error (${messageOf(error)}); ${left}.`,
    fix: `Report it with the template that causes it; until then run with ${id} off.`,
  };
}

function ownCrash({ id }: Rule, error: unknown, { at, left }: CrashTexts): { message: string; fix: string } {
  if (error instanceof JudgementError) {
    return {
      message: `Rule ${id} gives a judgement that is not whole (${error.message}), so what it found is missing.`,
      fix: 'Correct what the rule gives; checkRule of eks-guardrails/testing shows the same.',
    };
  }
  const place = placeOf(error);
  return {
    message: `Rule ${id} stopped${at} with an error (${messageOf(error)}${place === undefined ? '' : `, in ${shownPlace(place)}`}); ${left}.`,
    fix: 'Correct the rule: it must judge every input.',
  };
}

/** What a crash is reported on when the model holds nothing. */
const wholeInput: Resource = {
  type: '',
  id: '',
  path: undefined,
  stack: '',
  frontEnd: NO_DIALECT.name,
  dialect: NO_DIALECT,
  source: nowhere,
  suppressions: [],
  exists: always,
};
