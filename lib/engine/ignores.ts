import { relative } from 'node:path';
import { always, nowhere, type EksModel, type Resource, type Source } from '../model';
import { globMatcher, isGlob } from '../text/glob';
import { unknownRule, type ResolvedSetting } from './configuration';
import { ENGINE_RULES, engineFinding } from './engine-findings';
import type { Finding } from './finding';
import type { Rule } from './rule';

/** A decision to live with findings, made for all resources that a pattern covers. */
export interface Ignore {
  /** Id of a rule, or a pattern of ids: `imds-*`. A pattern never covers findings about the check itself, such as `rule-crashed`. */
  readonly rule: string;
  /**
   * Pattern of construct paths, logical ids or Terraform addresses; `*` alone is all of them. The path of the construct that the user
   * created is enough: `Prod/Workers` covers `Prod/Workers/Resource`.
   */
  readonly resource: string;
  /**
   * Pattern of the file that declares the resource: its path from {@link folder} on, or, without a slash, its name.
   * @default - any file
   */
  readonly file?: string;
  /** Why it is right to live with it. Without one the decision has no effect and is reported. */
  readonly reason: string;
  /** Last day (YYYY-MM-DD) on which it holds. @default - no end */
  readonly until?: string;
  /** Where it is written down. @default - nowhere */
  readonly source?: Source;
  /** Folder that `file` is told from. @default - the working directory */
  readonly folder?: string;
}

/** What ignores are judged against. */
export interface IgnoreContext {
  readonly model: EksModel;
  readonly rules: readonly Rule[];
  readonly settings: ReadonlyMap<string, ResolvedSetting>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

const OWN_RULES: ReadonlySet<string> = new Set(Object.values(ENGINE_RULES));

/** Marks the findings that ignores cover, and adds one finding for each ignore that has no effect or no use. */
export function applyIgnores(findings: readonly Finding[], ignores: readonly Ignore[], context: IgnoreContext): Finding[] {
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
    if (result.suppressed === undefined && ignore.isEffective(today)) result = { ...finding, suppressed: until === undefined ? { reason } : { reason, until }, isSuppressedOutside: true };
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

  covers({ rule, resource }: Finding): boolean {
    return this.matchesRule(rule) && this.coversResource(resource);
  }

  isEffective(today: string): boolean {
    const { reason, until } = this.ignore;
    return !isBlank(reason) && (until === undefined || until >= today);
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
    const names = path === undefined ? [id] : [id, path, path.replace(/\/(?:Resource|Default)$/, '')];
    return names.some((name) => this.matchesResource(name)) && this.isAboutFileOf(resource);
  }
}

function fileMatcher(pattern: string, folder = process.cwd()): (file: string) => boolean {
  const matches = globMatcher(pattern.replace(/^\.\//, ''));
  const isName = !pattern.includes('/');
  return (file) => {
    const path = relative(folder, file).replaceAll('\\', '/');
    return matches(isName ? (path.split('/').at(-1) ?? '') : path);
  };
}

function isBlank(reason: unknown): boolean {
  // JavaScript users may leave it out.
  return typeof reason !== 'string' || reason.trim() === '';
}

function problemOf(compiled: CompiledIgnore, { model, rules, settings, today }: IgnoreContext): Finding | undefined {
  const { rule, resource, reason, until } = compiled.ignore;
  const what = `The ignore of ${rule} on "${resource}"`;
  const named = compiled.rulesOf(rules);
  if (named.length === 0 && !OWN_RULES.has(rule)) {
    const unknown = isGlob(rule) ? `no rule has an id like "${rule}"` : unknownRule(rule, rules);
    return finding(compiled, ENGINE_RULES.suppressionUnknownRule, `${what} has no effect, because ${unknown}${unknown.endsWith('?') ? '' : '.'}`, 'Correct the rule id, or remove the ignore.');
  }
  if (isBlank(reason)) {
    return finding(compiled, ENGINE_RULES.suppressionWithoutReason, `${what} gives no reason, so it has no effect.`, 'Add a reason that a later reader can check.');
  }
  if (until !== undefined && until < today) {
    return finding(compiled, ENGINE_RULES.suppressionExpired, `${what} ended on ${until}.`, 'Fix the findings, or decide again and set a later date.');
  }
  const isActive = named.some(({ id }) => settings.get(id)?.level !== 'off');
  // What was not part of this run can't be judged.
  if (compiled.isUsed || !isActive || !model.resources.some((one) => compiled.isAboutFileOf(one))) return undefined;
  return finding(compiled, ENGINE_RULES.suppressionUnused, `${what} matches no finding.`, 'Remove it, so that it does not hide a later finding.');
}

function finding({ ignore }: CompiledIgnore, rule: string, message: string, fix: string): Finding {
  const { source = nowhere } = ignore;
  return engineFinding(rule, 'warning', resourceOf(ignore, source), { message, fix });
}

/** Ignores belong to no resource of the input; reports still want a name. */
function resourceOf({ rule, resource }: Ignore, source: Source): Resource {
  return { type: 'ignore', id: `${rule} on ${resource}`, path: undefined, stack: '', frontEnd: 'cloudformation', source, suppressions: [], exists: always };
}
