import { join } from 'node:path';
import { checkPaths } from '../../lib/check';

const EXAMPLES = join(__dirname, '../../examples/eksctl');

function failures(path: string): string[] {
  const { findings, diagnostics } = checkPaths([join(EXAMPLES, path)]);
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ rule, severity, source }) => `${severity} ${rule} ${source.locate().line}`);
}

describe('the examples of eksctl', () => {
  it('misconfigured.yaml falls into the pitfalls', () => {
    expect(failures('misconfigured.yaml')).toEqual([
      'error ami-type-architecture 26',
      'error vpc-cni-role-ip-family 25',
      'error vpc-cni-role-ip-family 29',
      'error eksctl-refuses 31',
      'error eksctl-ignored-key 36',
    ]);
  });

  it('safe.yaml has none of them', () => {
    expect(failures('safe.yaml')).toEqual([]);
  });
});
