import { join } from 'node:path';
import { checkPaths } from '../../lib/check';

const EXAMPLES = join(__dirname, '../../examples/controllers');

function failures(path: string): string[] {
  const { findings, diagnostics } = checkPaths([join(EXAMPLES, path)]);
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ rule, severity, source }) => `${severity} ${rule} ${source.locate().line}`);
}

describe('the examples of clusters that controllers make', () => {
  it('misconfigured falls into the pitfalls, by the controllers of AWS and by Crossplane', () => {
    expect(failures('misconfigured')).toEqual([
      'error imds-hop-limit 37',
      'error ami-type-architecture 14',
      'error node-group-scaling 51',
      'error vpc-cni-resolve-conflicts 63',
    ]);
  });

  it('safe has none of them', () => {
    expect(failures('safe')).toEqual([]);
  });
});
