import type { Finding } from '../../lib/engine';
import { withoutRepeatedCode } from '../../lib/engine/repeated-code';

const HEAD = 'resource "aws_launch_template" "nodes" {';
const resource = { stack: 'main', id: 'aws_eks_node_group.this' };

function finding(rule: string, ...lines: readonly string[]): Finding {
  return { rule, fix: `Mend ${rule}.`, fixCode: [HEAD, ...lines, '}'].join('\n'), resource } as unknown as Finding;
}

const told = (...findings: readonly Finding[]): readonly unknown[] =>
  withoutRepeatedCode(findings).map(({ fix, fixCode }) => [fix, fixCode === undefined ? 'no code' : 'code']);

describe('fixes of one resource that declare the same', () => {
  it('are one code where the longer holds all of the shorter', () => {
    expect(told(finding('a', '  hop = 2'), finding('b', '  tokens = "required"', '  hop = 2'))).toEqual([
      ['Mend a. The code of b for it does this, too.', 'no code'],
      ['Mend b.', 'code'],
    ]);
  });

  it('are not the code of mere information, which a report may leave out', () => {
    const info = { ...finding('b', '  tokens = "required"', '  hop = 2'), severity: 'info' as const };
    expect(told(finding('a', '  hop = 2'), info)).toEqual([
      ['Mend a.', 'code'],
      ['Mend b. The code of a declares the same: write what both say into one.', 'code'],
    ]);
  });

  it('keep their own where it does not, and are to be written into one', () => {
    expect(told(finding('a', '  hop = 2'), finding('b', '  tokens = "required"', '  size = 20'))).toEqual([
      ['Mend a. The code of b declares the same: write what both say into one.', 'code'],
      ['Mend b.', 'code'],
    ]);
  });
});

describe('fixes of the group that a cluster makes by itself', () => {
  const own = (rule: string, fixCode: string): Finding =>
    ({ rule, fix: `Mend ${rule}.`, fixCode, resource }) as unknown as Finding;
  const change = (rule: string, property: string): Finding =>
    own(rule, `// a remark\n(cluster.defaultNodegroup!.node.defaultChild as eks.CfnNodegroup).${property} = false;`);
  const replaced = own(
    'a',
    "// in the options of the cluster, whose own group takes none:\ndefaultCapacity: 0,\n// behind the cluster:\ncluster.addNodegroupCapacity('Workers', {\n  forceUpdate: false,\n});",
  );

  it('change none that another fix removes', () => {
    expect(told(change('b', 'forceUpdateEnabled'), replaced, change('c', 'labels'))).toEqual([
      ['Mend b. The code of a for it does this, too.', 'no code'],
      ['Mend a.', 'code'],
      ['Mend c. The code of a puts another group in its place, whose options take it.', 'no code'],
    ]);
  });

  it('change the one that stays', () => {
    expect(told(change('b', 'forceUpdateEnabled'))).toEqual([['Mend b.', 'code']]);
  });
});
