import { join } from 'node:path';
import { checkPaths } from '../../lib/check';

const EXAMPLES = join(__dirname, '../../examples/kubernetes');

function failures(path: string): string[] {
  const { findings, diagnostics } = checkPaths([join(EXAMPLES, path)]);
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ rule, severity, source }) => `${severity} ${rule} ${source.locate().line}`);
}

describe('the examples of manifests', () => {
  it('misconfigured falls into the pitfalls, together with the cluster beside them', () => {
    expect(failures('misconfigured')).toEqual([
      'warning imds-hop-limit 6',
      'warning drain-blocked 31',
      'error security-group-policy 42',
    ]);
  });

  it('safe has none of them', () => {
    expect(failures('safe')).toEqual([]);
  });
});
