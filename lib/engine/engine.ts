import { withOwnNames } from './own-names';
import { withoutRepeatedCode } from './repeated-code';
import { resourceName, type EksModel, type Resource, type Source } from '../eks';
import { today as currentDay } from '../text/day';
import { givenDay } from './as-of';
import { atUserLine } from './at-user-line';
import { resolveConfiguration, rulesOf, type Configuration, type ResolvedSetting } from './configuration';
import { isCrash } from './engine-findings';
import type { Finding } from './finding';
import { withAllValues } from './values-code';
import { applyIgnores } from './ignores';
import { JudgementError, judgeByOwnRule } from './own-judgements';
import { checkAround, type Crash } from './isolation';
import { keyOf } from './places';
import type { Judgement, Rule, RuleContext } from './rule';
import { Settling } from './settling';
import { applySuppressions } from './suppressions';
import { crashFinding } from './crash-finding';
import { toFinding } from './finding-of';

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
  return withOwnNames(withoutRepeatedCode(withAllValues(told)), context.model)
    .map(atUserLine)
    .map(asNotEnabled);
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
    const settling = new Settling(this.model, this.rule.messages);
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
    let settling = new Settling(this.model, this.rule.messages);
    const { crashes, isComplete } = checkAround(this.model, (model, isHidden) => {
      settling = new Settling(model, this.rule.messages);
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
