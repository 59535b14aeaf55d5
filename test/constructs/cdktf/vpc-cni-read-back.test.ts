import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type TerraformStack } from 'cdktf';
import { checkPaths } from '../../../lib/check';
import type { Finding } from '../../../lib/engine';
import { appliedPolicy, cniCases } from './cni-cases';
import { newStack } from './stacks';

/** What the command finds in the output of an app. */
function findingsOf(make: (stack: TerraformStack) => void): readonly Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-cni-'));
  try {
    const app = new App({ outdir: folder });
    make(newStack('eu-west-1', app));
    app.synth();
    const { findings, diagnostics, inputs } = checkPaths([folder]);
    expect(diagnostics).toEqual([]);
    expect(inputs.map(({ resources }) => resources > 0)).toEqual([true]);
    // The clusters are scenery.
    return findings.filter(({ resource }) => resource.type !== 'aws_eks_cluster');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const failed = (findings: readonly Finding[]) =>
  findings.filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info');

describe('what is synthesized, read back', () => {
  it.each(Object.entries(cniCases))('has no finding: %s', (_, make) => {
    expect(
      failed(findingsOf(make))
        .filter(({ suppressed }) => suppressed === undefined)
        .map(({ rule, message }) => `${rule}: ${message}`),
    ).toEqual([]);
  });

  it('has none with a policy that is applied, and the policy is read', () => {
    const findings = findingsOf(appliedPolicy);
    expect(failed(findings).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });

  it('says why a mode of conflicts is accepted', () => {
    const [accepted, ...others] = failed(findingsOf((stack) => cniCases['an accepted mode of conflicts']?.(stack)));
    expect(accepted).toMatchObject({
      rule: 'vpc-cni-resolve-conflicts',
      suppressed: { reason: 'nobody may change the CNI by hand' },
    });
    expect(others.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });

  it('can be judged: the configuration of an add-on with tokens too', () => {
    const unknown = findingsOf((stack) => cniCases['everything, with nodes, policies and tokens']?.(stack)).filter(
      ({ verdict }) => verdict === 'unverifiable',
    );
    expect(unknown.map(({ rule, message }) => `${rule}: ${message.replace(/^.*?: /, '')}`)).toEqual([
      "cluster-private-endpoints: whether anything leads out of its subnets isn't known: of subnet Test/Nodesa, VPC vpc-0123456789abcdef0 isn't part of the input.",
    ]);
  });
});
