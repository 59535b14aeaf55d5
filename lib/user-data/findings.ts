import { runRules, type Finding } from '../engine';
import { EksModel } from '../eks';
import { allRules } from '../rules';
import type { UserDataInput } from './input';
import type { UserDataLaunch } from './launch';

/** What the rules about user data say of one launch template: where it may be for several operating systems, what they say for each of them. */
export function findingsOf(input: UserDataInput): readonly Finding[] {
  const { perFamily, notJudged } = input;
  if (notJudged !== undefined) return [];
  const findings = findingsIn(input, input);
  const [first = [], ...others] =
    perFamily?.map((launch) => findingsIn(launch, input).filter(({ verdict }) => verdict === 'fail')) ?? [];
  const common = first.filter((one) => others.every((found) => found.some((other) => isSame(one, other))));
  return [...findings.filter((one) => !common.some(({ rule }) => rule === one.rule)), ...common];
}

/** Whether two findings are about the same defect, whatever system they name. */
function isSame(one: Finding, other: Finding): boolean {
  const [here, there] = [one.source.locate(), other.source.locate()];
  return one.rule === other.rule && here.line === there.line && here.column === there.column;
}

function findingsIn(
  { resources, launchTemplate }: UserDataLaunch,
  { suppressions, hasOwnDecisions = false }: Pick<UserDataInput, 'suppressions' | 'hasOwnDecisions'>,
): readonly Finding[] {
  const rules = allRules.filter(({ id, subject }) => subject === 'node-bootstrap' || OTHER_RULES.has(id));
  // A file has suppressions of rules that aren't asked here, and one of its own may hold for another system.
  const findings = runRules(new EksModel(resources, suppressions), rules, {}).filter(({ resource, rule }) =>
    rule.startsWith('suppression-') ? hasOwnDecisions && rule !== 'suppression-unused' : resource === launchTemplate,
  );
  // What the command adds by itself has no place of its own to point at.
  return findings.map((finding) => ({
    ...finding,
    related: finding.related.filter(({ source }) => source !== launchTemplate.source),
  }));
}

/** Rules about user data that stand under another subject. */
const OTHER_RULES: ReadonlySet<string> = new Set([
  'launch-template-user-data-encoding',
  'node-user-data-missing-bootstrap',
  'node-user-data-duplicate-bootstrap',
  'node-user-data-format',
  'node-label-reserved',
]);
