import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { App as TerraformApp } from 'cdktf';
import { checkPaths } from '../../lib';
import type * as Platforms from '../../examples/aws-cdk/platforms/platforms';
import type * as TerraformPlatforms from '../../examples/cdktf/platforms/platforms';
import { builtCommand } from '../cli/built-command';
import { IN_ONE_STACK, TERRAFORM_STACKS } from './platform-stacks';

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
    const app = new App({ outdir: join(outdir, 'aws-cdk'), context });
    // After the build, which it imports.
    const { addPlatforms } = jest.requireActual<typeof Platforms>('../../examples/aws-cdk/platforms/platforms');
    addPlatforms(app);
    expect(
      app
        .synth()
        .stacksRecursively.map(({ hierarchicalId }) => hierarchicalId)
        .sort(),
    ).toEqual(
      [
        ...IN_ONE_STACK,
        'Pipeline',
        ...['Production', 'Staging'].flatMap((stage) =>
          ['Control', 'Network', 'Nodes'].map((stack) => `Pipeline/${stage}/${stack}`),
        ),
      ].sort(),
    );
    expect(failuresIn(app.outdir)).toEqual([]);
  }, 180_000);

  it('of CDKTF are the same, and the strict preset finds nothing', () => {
    builtCommand();
    const app = new TerraformApp({ outdir: join(outdir, 'cdktf') });
    const { addPlatforms } = jest.requireActual<typeof TerraformPlatforms>('../../examples/cdktf/platforms/platforms');
    addPlatforms(app);
    app.synth();
    expect(readdirSync(join(app.outdir, 'stacks')).sort()).toEqual(TERRAFORM_STACKS);
    expect(failuresIn(app.outdir)).toEqual([]);
  }, 180_000);

  function failuresIn(folder: string): string[] {
    const { findings, diagnostics } = checkPaths([folder], { preset: 'strict' });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    return findings
      .filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined)
      .map(({ rule, resource, message }) => `${resource.path ?? ''} ${rule}: ${message}`);
  }
});
