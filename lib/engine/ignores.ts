import { always, NO_DIALECT, nowhere, type Resource, type Source } from '../eks';
import { globMatcher, isGlob } from '../text/glob';
import { acceptance, OWN_RULES, REMOVE, whyNothing, whyVoid, type DecisionContext, type Voidness } from './decision';
import { ENGINE_RULES, engineFinding, isCrash, suppressionSeverity } from './engine-findings';
import type { Finding } from './finding';
import type { Ignore } from './ignore';
import { fileMatcher, misspeltFolder } from './ignored-files';
import type { Rule } from './rule';

/** Marks the findings that ignores cover, and adds one finding for each ignore that has no effect or no use. */
export function applyIgnores(
  findings: readonly Finding[],
  ignores: readonly Ignore[],
  context: DecisionContext,
): Finding[] {
  const compiled = ignores.map((ignore) => new CompiledIgnore(ignore));
  const accepted = findings.map((finding) => accept(finding, compiled, context.today));
  const problems = compiled.flatMap((ignore) => problemOf(ignore, context) ?? []);
  return [...accepted, ...problems.map((finding) => accept(finding, compiled, context.today))];
}

/** All ignores that cover a finding are in use; what is accepted already stays as it is. */
function accept(finding: Finding, ignores: readonly CompiledIgnore[], today: string): Finding {
  let result = finding;
  for (const ignore of ignores) {
    if (!ignore.covers(finding)) continue;
    ignore.isUsed = true;
    const { reason, until } = ignore.ignore;
    if (result.suppressed === undefined && whyVoid(ignore.ignore, today) === undefined)
      result = {
        ...finding,
        suppressed: acceptance(reason, until),
        isSuppressedOutside: true,
      };
  }
  return result;
}

class CompiledIgnore {
  isUsed = false;
  private readonly matchesRule: (id: string) => boolean;
  private readonly matchesResource: (name: string) => boolean;
  private readonly matchesFile: ((path: string) => boolean) | undefined;
  private readonly byFile = new Map<string, boolean>();

  constructor(readonly ignore: Ignore) {
    const { rule, resource, file } = ignore;
    const pattern = globMatcher(rule);
    this.matchesRule = isGlob(rule) ? (id) => !OWN_RULES.has(id) && pattern(id) : (id) => id === rule;
    this.matchesResource = resource === '*' ? () => true : globMatcher(resource);
    this.matchesFile = file === undefined ? undefined : fileMatcher(file, ignore.folder);
  }

  covers(finding: Finding): boolean {
    const { rule, resource } = finding;
    return !isCrash(finding) && this.matchesRule(rule) && this.coversResource(resource);
  }

  /** Whether a resource comes from a file that the ignore is about. */
  isAboutFileOf({ source }: Resource): boolean {
    if (this.matchesFile === undefined) return true;
    const { file } = source.locate();
    let matches = this.byFile.get(file);
    if (matches === undefined) this.byFile.set(file, (matches = this.matchesFile(file)));
    return matches;
  }

  /** The rules that exist of those it names. */
  rulesOf(rules: readonly Rule[]): readonly Rule[] {
    return rules.filter(({ id }) => this.matchesRule(id));
  }

  private coversResource(resource: Resource): boolean {
    const { id, path } = resource;
    const names =
      path === undefined ? addressesOf(id) : [...addressesOf(id), path, path.replace(/\/(?:Resource|Default)$/, '')];
    return names.some((name) => this.matchesResource(name)) && this.isAboutFileOf(resource);
  }
}

const INDEX = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g;

/** An address of Terraform: whole, without the index of the instance, and without any index. `-target` takes them, too. */
function addressesOf(id: string): readonly string[] {
  if (!id.includes('[')) return [id];
  const [last = ''] = id.match(INDEX)?.slice(-1) ?? [];
  return [id, id.endsWith(last) ? id.slice(0, id.length - last.length) : id, id.replaceAll(INDEX, '')];
}

function problemOf(compiled: CompiledIgnore, context: DecisionContext): Finding | undefined {
  const problem = voidness(compiled, context) ?? uselessness(compiled, context);
  const severity = problem === undefined ? undefined : suppressionSeverity(problem.rule, context.settings);
  if (problem === undefined || severity === undefined) return undefined;
  const { ignore } = compiled;
  const { rule, resource, source = nowhere } = ignore;
  return engineFinding(problem.rule, severity, resourceOf(ignore, source), {
    message: `The ignore of ${rule} on "${resource}" ${problem.text}`,
    fix: problem.fix,
  });
}

/** Why an ignore can't have an effect. */
function voidness(compiled: CompiledIgnore, { rules, today }: DecisionContext): Voidness | undefined {
  const { ignore } = compiled;
  const exists = compiled.rulesOf(rules).length > 0 || OWN_RULES.has(ignore.rule);
  const nothing = whyNothing(ignore, exists, rules, 'ignore');
  if (nothing !== undefined) return nothing;
  const reason = whyVoid(ignore, today);
  return reason === undefined ? undefined : { rule: reason.rule, text: `${reason.text}.`, fix: `${reason.fix}.` };
}

/** Why an ignore that could have an effect has none. */
function uselessness(compiled: CompiledIgnore, { model, rules, settings }: DecisionContext): Voidness | undefined {
  const isActive = compiled.rulesOf(rules).some(({ id }) => settings.get(id)?.level !== 'off');
  if (compiled.isUsed || !isActive || compiled.ignore.isShared === true) return undefined;
  if (model.resources.some((one) => compiled.isAboutFileOf(one))) {
    return {
      rule: ENGINE_RULES.suppressionUnused,
      text: 'matches no finding.',
      fix: REMOVE,
    };
  }
  // What was not part of this run can't be judged, but a folder that nobody has can.
  const { file, folder } = compiled.ignore;
  const misspelt = file === undefined || folder === undefined ? undefined : misspeltFolder(file, folder);
  if (misspelt === undefined) return undefined;
  const { written, meant } = misspelt;
  return {
    rule: ENGINE_RULES.suppressionUnused,
    text: `covers no file, because there is no folder "${written}"; did you mean "${meant}"?`,
    fix: 'Correct its pattern of files, or remove it.',
  };
}

/** Ignores belong to no resource of the input; reports still want a name. */
function resourceOf({ rule, resource }: Ignore, source: Source): Resource {
  return {
    type: 'ignore',
    id: `${rule} on ${resource}`,
    path: undefined,
    stack: '',
    frontEnd: NO_DIALECT.name,
    dialect: NO_DIALECT,
    source,
    suppressions: [],
    exists: always,
  };
}
