import type { Finding } from './finding';

/** What a fix declares beside the resource that it is about, at the beginning of its code: in Terraform, a template, the CDK. */
const DECLARES =
  /^(?:\/\/ in the options of the cluster, [^\n]*\ndefaultCapacity: 0,\n)?(?:\/\/ behind the \w+:\n)?(?:resource "[^"]+" "[^"]+" \{|\w+:\n {2}Type: AWS::\S+|(?:const \w+ = )?new [\w.]+\(this, '\w+')/;

/**
 * Fixes of one resource that declare the same beside it: pasted both, one would be refused. The longest keeps its code. The others name it, without
 * their code where all of it stands there.
 */
export function withoutRepeatedCode(findings: readonly Finding[]): Finding[] {
  const keepers = new Map<string, Finding>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (key === undefined) continue;
    const before = keepers.get(key);
    if (before === undefined || (finding.fixCode ?? '').length > (before.fixCode ?? '').length)
      keepers.set(key, finding);
  }
  return findings.map((finding) => {
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

/** Whether all lines of one's code stand in the other's. */
function holds({ fixCode: longer = '' }: Finding, { fixCode: shorter = '' }: Finding): boolean {
  const lines = new Set(longer.split('\n').map((line) => line.trim()));
  return shorter.split('\n').every((line) => lines.has(line.trim()));
}

function keyOf({ fixCode, resource, suppressed }: Finding): string | undefined {
  const [declared] = (suppressed === undefined && DECLARES.exec(fixCode ?? '')) || [];
  return declared === undefined ? undefined : JSON.stringify([resource.stack, resource.id, declared]);
}
