import type { Finding } from './finding';

/** What a fix declares beside the resource that it is about, at the beginning of its code: in Terraform, a template, the CDK. */
const DECLARES =
  /^(?:\/\/ in the options of the cluster, [^\n]*\ndefaultCapacity: 0,\n)?(?:\/\/ behind the \w+:\n)?(?:resource "[^"]+" "[^"]+" \{|\w+:\n {2}Type: AWS::\S+|(?:const \w+ = )?new [\w.]+\(this, '\w+')/;

/** The code of a fix that puts another group in the place of the one that a cluster of the CDK makes by itself, and the code of one that changes that group. */
const REPLACES_OWN_GROUP = /^\/\/ in the options of the cluster, [^\n]*\ndefaultCapacity: 0,\n/;
const CHANGES_OWN_GROUP = /^\(cluster\.defaultNodegroup!\.node\.defaultChild as eks\.CfnNodegroup\)\.(\w+) = /m;

/**
 * Fixes of one resource that declare the same beside it: pasted both, one would be refused. The longest keeps its code, of those that every report lists. The others name it, without
 * their code where all of it stands there.
 */
export function withoutRepeatedCode(findings: readonly Finding[]): Finding[] {
  const keepers = new Map<string, Finding>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (key === undefined) continue;
    const before = keepers.get(key);
    if (before === undefined || keeps(finding, before)) keepers.set(key, finding);
  }
  return withoutChangesOfReplaced(findings).map((finding) => {
    const keeper = keepers.get(keyOf(finding) ?? '');
    if (keeper === undefined || keeper === finding || keeper.rule === finding.rule) return finding;
    return holds(keeper, finding)
      ? {
          ...finding,
          fix: `${finding.fix} The code of ${keeper.rule} for it does this, too.`,
          fixCode: undefined,
          fixedBy: keeper.rule,
        }
      : {
          ...finding,
          fix: `${finding.fix} The code of ${keeper.rule} declares the same: write what both say into one.`,
        };
  });
}

/** A report may leave out what is mere information, and with it the code that another finding names. */
function keeps(one: Finding, other: Finding): boolean {
  const isListed = ({ severity }: Finding): boolean => severity !== 'info';
  if (isListed(one) !== isListed(other)) return isListed(one);
  return (one.fixCode ?? '').length > (other.fixCode ?? '').length;
}

/** A group that one fix removes is none that another can change. */
function withoutChangesOfReplaced(findings: readonly Finding[]): readonly Finding[] {
  const replacing = new Map(
    findings
      .filter(({ fixCode, suppressed }) => suppressed === undefined && REPLACES_OWN_GROUP.test(fixCode ?? ''))
      .map((finding) => [placeOf(finding), finding]),
  );
  if (replacing.size === 0) return findings;
  return findings.map((finding) => {
    const [, property] = CHANGES_OWN_GROUP.exec(finding.fixCode ?? '') ?? [];
    const keeper = replacing.get(placeOf(finding));
    if (property === undefined || keeper === undefined) return finding;
    const options = [...(keeper.fixCode ?? '').matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
    return options.some((name) => property.startsWith(name))
      ? {
          ...finding,
          fix: `${finding.fix} The code of ${keeper.rule} for it does this, too.`,
          fixCode: undefined,
          fixedBy: keeper.rule,
        }
      : {
          ...finding,
          fix: `${finding.fix} The code of ${keeper.rule} puts another group in its place, whose options take it.`,
          fixCode: undefined,
        };
  });
}

function placeOf({ resource }: Finding): string {
  return JSON.stringify([resource.stack, resource.id]);
}

/** Whether all lines of one's code stand in the other's. */
function holds({ fixCode: longer = '' }: Finding, { fixCode: shorter = '' }: Finding): boolean {
  const lines = new Set(longer.split('\n').map((line) => line.trim()));
  return shorter.split('\n').every((line) => lines.has(line.trim()));
}

function keyOf({ fixCode, resource, suppressed }: Finding): string | undefined {
  const [declared] = (suppressed === undefined && DECLARES.exec(fixCode ?? '')) || [];
  return declared === undefined ? undefined : JSON.stringify([resource.stack, resource.id, declared]);
}
