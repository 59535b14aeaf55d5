import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { checkPaths } from '../../lib/check';

const EXAMPLES = join(__dirname, '../../examples/live');

function findings(path: string): string[] {
  const { findings: all, diagnostics } = checkPaths([join(EXAMPLES, path)], { asOf: AS_OF });
  expect(diagnostics).toEqual([]);
  return all.map(({ rule, severity, verdict }) => `${verdict} ${severity} ${rule}`);
}

describe('the examples of live clusters', () => {
  it('healthy: nothing is said of a cluster in order, and nothing is left open', () => {
    expect(findings('healthy')).toEqual([]);
  });

  it('drifting/dump: the hop limit of 1, and a warm target that kubectl made', () => {
    expect(findings('drifting/dump')).toEqual(['fail error imds-hop-limit', 'fail info vpc-cni-warm-targets']);
  });
});
