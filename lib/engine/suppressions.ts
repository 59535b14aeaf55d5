import { always, NO_DIALECT, type EksModel, type PlacedSuppression, type Resource, type Suppression } from '../eks';
import { acceptance, OWN_RULES, REMOVE, whyNothing, whyVoid, type DecisionContext, type Voidness } from './decision';
import { ENGINE_RULES, engineFinding, isCrash, suppressionSeverity } from './engine-findings';
import type { Finding } from './finding';

/** Marks the findings that the user accepted, and adds one for each suppression that has no effect or no use. */
export function applySuppressions(findings: readonly Finding[], context: DecisionContext): Finding[] {
  const used = new Set<Suppression>();
  const placed = byRule(context.model.suppressions);
  const accepted = findings.map((finding) => accept(finding, placed, used, context.today));
  const problems = suppressionsOf(context.model).flatMap(([suppression, resource]) => {
    const problem = problemOf(suppression, used.has(suppression), findings, context);
    const severity = problem === undefined ? undefined : suppressionSeverity(problem.rule, context.settings);
    return problem === undefined || severity === undefined
      ? []
      : [
          engineFinding(
            problem.rule,
            severity,
            resource(),
            {
              message: `The suppression of ${suppression.rule} ${problem.text}`,
              fix: problem.fix,
              about: suppression.rule,
            },
            suppression.source,
          ),
        ];
  });
  return [...accepted, ...problems.map((finding) => accept(finding, placed, used, context.today))];
}

type PlacedByRule = ReadonlyMap<string, readonly PlacedSuppression[]>;

function byRule(suppressions: readonly PlacedSuppression[]): PlacedByRule {
  const found = new Map<string, PlacedSuppression[]>();
  for (const suppression of suppressions) {
    const list = found.get(suppression.rule);
    if (list === undefined) found.set(suppression.rule, [suppression]);
    else list.push(suppression);
  }
  return found;
}

/** Those at the resource, and those in comments that cover the finding. */
function candidatesFor({ rule, resource, source }: Finding, placed: PlacedByRule): readonly Suppression[] {
  const own = resource.suppressions.filter((suppression) => suppression.rule === rule);
  const inComments = placed.get(rule);
  if (inComments === undefined) return own;
  const where = { resource, head: resource.source.locate(), place: source.locate() };
  return [...own, ...inComments.filter((suppression) => suppression.covers(where))];
}

/** A finding may be accepted twice, in the template and by an acknowledgement: both are in use then. */
function accept(finding: Finding, placed: PlacedByRule, used: Set<Suppression>, today: string): Finding {
  if (isCrash(finding)) return finding;
  let effective: Suppression | undefined;
  for (const suppression of candidatesFor(finding, placed)) {
    used.add(suppression);
    if (effective === undefined && whyVoid(suppression, today) === undefined) effective = suppression;
  }
  if (effective === undefined) return finding;
  const { reason = '', until } = effective;
  return { ...finding, suppressed: acceptance(reason, until) };
}

/** Each suppression once, with the first resource that it covers: one decision may cover many. */
function suppressionsOf(model: EksModel): [Suppression | PlacedSuppression, () => Resource][] {
  const first = new Map<Suppression, () => Resource>();
  for (const resource of model.resources) {
    for (const suppression of resource.suppressions) {
      if (!first.has(suppression)) first.set(suppression, () => resource);
    }
  }
  for (const suppression of model.suppressions) first.set(suppression, () => carrierOf(suppression, model.resources));
  return [...first];
}

/** The resource under which a comment is reported: the one that it stands in, or else the comment itself. */
function carrierOf(suppression: PlacedSuppression, resources: readonly Resource[]): Resource {
  const place = suppression.source.locate();
  const { dialect = NO_DIALECT } = suppression;
  return (
    resources.find(({ source }) => suppression.isIn(source.locate())) ?? {
      type: 'comment',
      id: `comment at "${suppression.scope.name}"`,
      path: undefined,
      stack: place.file,
      frontEnd: dialect.name,
      dialect: { ...dialect, hasPathsForStacks: true },
      source: suppression.source,
      suppressions: [],
      exists: always,
    }
  );
}

/** Why a suppression has no effect or no use, to go on a sentence that begins with it. */
function problemOf(
  suppression: Suppression | PlacedSuppression,
  used: boolean,
  findings: readonly Finding[],
  { rules, settings, today }: DecisionContext,
): Voidness | undefined {
  const { rule } = suppression;
  const nothing = whyNothing(suppression, settings.has(rule), rules, 'suppression');
  if (nothing !== undefined) return nothing;
  const voidness = whyVoid(suppression, today);
  if (voidness !== undefined) {
    const where =
      voidness.rule === ENGINE_RULES.suppressionWithoutReason && 'covers' in suppression ? ', behind " -- "' : '';
    return { rule: voidness.rule, text: `${voidness.text}.`, fix: `${voidness.fix}${where}.` };
  }
  // Whether one of the engine's own findings is accepted shows only after all of them are made.
  if (used || OWN_RULES.has(rule) || settings.get(rule)?.level === 'off') return undefined;
  const texts =
    'covers' in suppression
      ? unusedComment(suppression, findings)
      : { text: 'matches no finding any more.', fix: REMOVE };
  return { rule: ENGINE_RULES.suppressionUnused, ...texts };
}

/** A comment may stand at the wrong line: then the finding is there, but it isn't covered. */
function unusedComment(
  { rule, source, scope }: PlacedSuppression,
  findings: readonly Finding[],
): Pick<Voidness, 'text' | 'fix'> {
  const { file, line } = source.locate();
  const near = findings
    .filter((finding) => finding.rule === rule)
    .map((finding) => finding.source.locate())
    .filter((place) => place.file === file)
    .sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0];
  const text = `covers "${scope.name}" in line ${scope.line} and matches no finding there`;
  if (near === undefined) return { text: `${text}.`, fix: REMOVE };
  return {
    text: `${text}; the nearest one is in line ${near.line}, which it doesn't cover.`,
    fix: `Put it into line ${near.line} or above the resource, or remove it.`,
  };
}
