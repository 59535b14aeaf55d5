import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { checkPaths } from '../../lib';
import type * as Platforms from '../../examples/aws-cdk/platforms/platforms';
import { builtCommand } from '../cli/built-command';

describe('the platforms', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-platforms-'));
  afterAll(() => {
    rmSync(outdir, { recursive: true, force: true });
  });

  it('are synthesized, and the strict preset finds nothing', () => {
    builtCommand();
    // With the availability zones of the environment, which an app otherwise has in cdk.context.json.
    const { context } = JSON.parse(readFileSync(join(__dirname, '../../cdk.json'), 'utf8')) as {
      context: Record<string, unknown>;
    };
    const app = new App({ outdir, context });
    // After the build, which it imports.
    const { addPlatforms } = jest.requireActual<typeof Platforms>('../../examples/aws-cdk/platforms/platforms');
    addPlatforms(app);
    expect(
      app
        .synth()
        .stacksRecursively.map(({ hierarchicalId }) => hierarchicalId)
        .sort(),
    ).toEqual([
      'AutoMode',
      'CapacityBlock',
      'Gpu',
      'GravitonOwnAmi',
      'Imported',
      'Ipv6',
      'Karpenter',
      'Pipeline',
      ...['Production', 'Staging'].flatMap((stage) =>
        ['Control', 'Network', 'Nodes'].map((stack) => `Pipeline/${stage}/${stack}`),
      ),
      'PodSecurityGroups',
      'PrivateCluster',
      'SecondaryCidr',
      'Windows',
    ]);
    const { findings, diagnostics } = checkPaths([outdir], { preset: 'strict' });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    const failed = findings.filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined);
    expect(failed.map(({ rule, resource, message }) => `${resource.path ?? ''} ${rule}: ${message}`)).toEqual([]);
  }, 180_000);
});
