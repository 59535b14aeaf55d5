import { edited, rulesIn } from '../edited';
import { config, managed } from './configs';

const DECISION = '-- it is on purpose (until 2027-06-30)\n';

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
