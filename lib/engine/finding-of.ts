import { resourceName, type EksModel, type Resource, type Source } from '../eks';
import type { CorrectedLines } from '../eks/user-data/correction';
import type { Decided, Dialect, DialectName } from '../value';
import { causeOf } from './cause';
import type { ResolvedSetting } from './configuration';
import type { Finding } from './finding';
import { clusterPlace, withReferences } from './cluster-references';
import { codeAt, isRelease } from './fix-code';
import { keyOf } from './places';
import { filledRepair } from './repair';
import { codeOfValues, patchIn, type Draft, type ValuesCode } from './values-code';
import { placedBeside, withBesides } from './code-beside';
import {
  docsUrl,
  type ChangeBeside,
  type Fix,
  type Judgement,
  type RelatedPlace,
  type Rule,
  type Severity,
} from './rule';

export function toFinding(rule: Rule, judgement: Judgement, setting: ResolvedSetting, model: EksModel): Draft {
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
  const codeThere = codeWhereDecided(code, common);
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
    fixCode: withBesides(belowLines(codeThere ?? code, judgement), judgement.besides ?? [], (beside) => {
      // Lines alone say where they go.
      if (Object.keys(beside.code).length === 0) return correctedCode({ ...beside, corrected: beside.linesToo });
      const own = fixCode({ ...message.fix, code: beside.code }, beside.resource, { data, model });
      const placed = own === undefined ? undefined : (codeWhereDecided(own, beside) ?? placedBeside(own, beside));
      return beside.linesToo === undefined ? placed : belowLines(own, beside);
    }),
    ...(codeThere === undefined && code !== undefined ? valuesOf(message.fix, judgement, { data, model }) : {}),
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

/** Code as it goes where the value is written, if that is elsewhere; undefined where it goes to the resource. */
function codeWhereDecided(
  code: string | undefined,
  { resource, source }: Pick<ChangeBeside, 'resource' | 'source'>,
): string | undefined {
  return code === undefined || decidedElsewhere(source) === undefined
    ? undefined
    : resource.dialect.fixes.codeWhereDecided?.(code, resource, source);
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
function correctedCode({ corrected, resource }: Pick<Judgement, 'corrected' | 'resource'>): string | undefined {
  if (corrected === undefined || resource.path !== undefined) return undefined;
  const { editorOf, whyGenerated, codeOfUserData } = resource.dialect.fixes;
  if (whyGenerated !== undefined || editorOf(resource.source.locate().file) === undefined) return undefined;
  const { file, first, before, after, isInValue, whole } = corrected;
  if (isInValue === true) return whole === undefined ? undefined : codeOfUserData?.(whole, resource);
  const which = before.length === 1 ? `line ${first}` : `lines ${first} to ${first + before.length - 1}`;
  return after.length === 0
    ? `# ${file} without ${which}`
    : [`# in place of ${which} of ${file}:`, ...after].join('\n');
}

/** Code below the lines of user data that change with it; undefined where these can't be shown. */
function belowLines(
  code: string | undefined,
  { linesToo, resource, source = resource.source }: Pick<Judgement, 'linesToo' | 'resource' | 'source'>,
): string | undefined {
  if (linesToo === undefined || code === undefined) return code;
  const lines = correctedCode({ corrected: linesToo, resource });
  // What is set beside the whole user data goes to the same place.
  const below = linesToo.isInValue === true ? code : (placedBeside(code, { resource, source, code: {} }) ?? code);
  return lines === undefined ? undefined : `${lines}\n${below}`;
}

/** What its code sets of configuration values, if it does nothing else, whatever holds. */
function valuesOf(fix: Fix, { resource, when }: Judgement, filling: Filling): { readonly values?: ValuesCode } {
  const { cloudformation } = fix.code ?? {};
  const patch = cloudformation === undefined ? undefined : patchIn(fill(cloudformation, filling.data));
  if (patch === undefined || (when !== undefined && when.text !== '')) return {};
  // In an object of Kubernetes the same settings stand somewhere else.
  const name = codesOf(resource).find((one) => fix.code?.[one] !== undefined);
  return name === 'cloudformation' || name === 'aws-cdk' || name === 'terraform'
    ? { values: { patch, codeFor: (all) => fixCode({ ...fix, code: codeOfValues(all) }, resource, filling) } }
    : {};
}

function codesOf(resource: Resource): readonly DialectName[] {
  const { codes, codesAt } = resource.dialect.fixes;
  return codesAt?.(resource) ?? codes;
}

function fixCode(fix: Fix, resource: Resource, { data, model }: Filling): string | undefined {
  const code = codesOf(resource)
    .map((name) => fix.code?.[name])
    .find((one) => one !== undefined);
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
  const lines = corrected !== undefined && isWritable(corrected, dialect) ? corrected : undefined;
  const filled = repairs.flatMap((repair) => filledRepair(repair, (template) => fill(template, data), lines) ?? []);
  if (filled.length < repairs.length) return {};
  return { repairs: filled, ...(isUnsafe && effect !== undefined ? { repairEffect: fill(effect, data) } : {}) };
}

/** Whether something can write corrected lines where they stand. */
function isWritable({ file, isInValue, isOpen }: CorrectedLines, { fixes }: Dialect): boolean {
  if (isOpen === true) return false;
  return isInValue !== true || (fixes.editsTextsInJson === true && /\.json$/i.test(file));
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
