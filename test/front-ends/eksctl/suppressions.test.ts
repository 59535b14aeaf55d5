import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import { AS_OF } from '../../as-of';
import { workspace } from '../../cli/workspace';
import { edited, rulesIn } from '../edited';
import { config, managed } from './configs';

const DECISION = '-- it is on purpose (until 2027-06-30)\n';

describe('a decision', () => {
  const groups = config(
    'managedNodeGroups:',
    ...['a', 'b'].map((name) => `  - name: ${name}\n    disablePodIMDS: true`),
  );
  const decidedAbove = (line: string, rule = 'imds-hop-limit') =>
    groups.replace(/^( *)(?:- )?[a-zA-Z]+:.*$/gm, (found, indent: string) =>
      found.trim() === line ? `${indent}# eks-guardrails:ignore ${rule} ${DECISION}${found}` : found,
    );
  const cases: readonly (readonly [line: string, open: readonly string[]])[] = [
    ['metadata:', ['a', 'b']],
    ['- name: a', ['b']],
    ['- name: b', ['a']],
    ['managedNodeGroups:', []],
  ];
  const folder = workspace(
    Object.fromEntries(cases.map(([line], index) => [`${index}/cluster.yaml`, decidedAbove(line)])),
  );

  it.each(cases.map(([line, open], index) => [line, open, `${index}`] as const))(
    'above %j leaves %j open',
    (_, open, name) => {
      const { findings } = checkPaths([join(folder, name)], { asOf: AS_OF });
      expect(
        findings.flatMap(({ rule, suppressed, resource }) =>
          rule === 'imds-hop-limit' && suppressed === undefined ? [resource.id] : [],
        ),
      ).toEqual(open);
    },
  );

  const unneeded = workspace({ 'cluster.yaml': decidedAbove('- name: b', 'node-group-force-update') });

  it('that nothing needs is told of the group in which it stands', () => {
    const told = checkPaths([unneeded], { asOf: AS_OF }).findings.filter(({ rule }) => rule === 'suppression-unused');
    expect(told.map(({ resource }) => resource.id)).toEqual(['b']);
  });
});

describe('--suppress', () => {
  it('writes a comment above the item of a list', async () => {
    const text = config(managed('disablePodIMDS: true'));
    const { text: after, after: checked } = await edited(text, { suppress: true, rule: 'imds-hop-limit' });
    expect(after).toBe(
      text.replace('  - name: workers', `  # eks-guardrails:ignore imds-hop-limit ${DECISION}  - name: workers`),
    );
    expect(rulesIn(checked)).not.toContain('imds-hop-limit');
  });

  it('writes one above the first line for the cluster', async () => {
    const text = config(managed()).replace('"1.34"', '"1.29"');
    const { text: after, after: checked } = await edited(text, { suppress: true, rule: 'cluster-version-support' });
    expect(after).toBe(`# eks-guardrails:ignore cluster-version-support ${DECISION}${text}`);
    expect(rulesIn(checked)).not.toContain('cluster-version-support');
  });
});
