import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { checkPaths } from '../../lib/check';

const EXAMPLES = join(__dirname, '../../examples/pulumi');

function failures(path: string): string[] {
  const { findings, diagnostics } = checkPaths([join(EXAMPLES, path)], { asOf: AS_OF });
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ verdict, severity }) => verdict !== 'fail' || severity !== 'info')
    .map(({ rule, verdict, severity, source }) => `${verdict} ${severity} ${rule} ${source.locate().line}`);
}

describe('the examples of Pulumi', () => {
  it('misconfigured.json falls into the pitfalls', () => {
    expect(failures('misconfigured.json')).toEqual([
      'fail error imds-hop-limit 273',
      'fail error vpc-cni-resolve-conflicts 372',
    ]);
  });

  it('safe.json has none of them, and nothing is left open', () => {
    expect(failures('safe.json')).toEqual([]);
  });
});
