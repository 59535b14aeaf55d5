import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerfileParser, type PropertyInstruction } from 'dockerfile-ast';
import { parse } from 'yaml';
import { packageVersion } from '../../lib/version';
import { builtCommand, projectRoot } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { share } from '../share';
import { build, runImage, type Image } from './image-build';
import { npmEnvironment, packageRegistry, type Registry } from './registry';

const text = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly license: string;
  readonly repository: { readonly url: string };
};

function propertiesOf(keyword: string): Record<string, string | null> {
  return Object.fromEntries(
    dockerfile
      .getInstructions()
      .filter((instruction) => instruction.getKeyword() === keyword)
      .flatMap((instruction) => (instruction as PropertyInstruction).getProperties())
      .map((property) => [property.getName(), property.getValue()]),
  );
}

describe('the Dockerfile', () => {
  it('takes images of a version', () => {
    expect(dockerfile.getFROMs().map((from) => [from.getImageName(), from.getImageTag()])).toEqual([
      ['node', '22-alpine'],
      ['node', '22-alpine'],
    ]);
  });

  it('ends with somebody who is not root, by number', () => {
    const users = dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === 'USER');

    expect(users.at(-1)?.getArgumentsContent()).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('holds no secrets, and loads nothing but packages', () => {
    expect(Object.keys({ ...propertiesOf('ENV'), ...propertiesOf('ARG') }).toSorted()).toEqual([
      'PATH',
      'REVISION',
      'VERSION',
    ]);
    expect(text).not.toMatch(/^ADD|curl|wget|token|password|secret|_authToken/im);
  });

  it('says what it is, as the package does', () => {
    expect(propertiesOf('LABEL')).toMatchObject({
      'org.opencontainers.image.licenses': manifest.license,
      'org.opencontainers.image.source': manifest.repository.url.replace(/^git\+|\.git$/g, ''),
      'org.opencontainers.image.version': '$VERSION',
      'org.opencontainers.image.revision': '$REVISION',
    });
  });

  it('has nothing of the checkout to copy but the package', () => {
    const lines = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
    const copied = dockerfile
      .getCOPYs()
      .filter((copy) => copy.getFromFlag() === null)
      .map((copy) => copy.getArguments()[0]?.getValue() ?? '');

    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      '*',
      ...copied.map((name) => `!${name}`),
    ]);
  });
});

describe('the image', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-image-'));
  const folder = workspace({
    'bad.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
    'good/good.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
    'wrong/infra/template.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']),
    'right/infra/template.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']),
  });
  let registry: Registry;
  let image: Image;

  beforeAll(async () => {
    builtCommand();
    registry = packageRegistry(scratch);
    const context = join(scratch, 'packed');
    // As the comment of the Dockerfile says.
    for (const name of readdirSync(context).filter((one) => one.startsWith('eks-guardrails-')))
      renameSync(join(context, name), join(context, 'eks-guardrails.tgz'));
    image = await build(dockerfile, scratch, context, npmEnvironment(scratch, await registry.start()));
    // Its user isn't the one of the tests.
    for (const path of [scratch, folder]) chmodSync(path, 0o755);
  }, 240_000);

  afterAll(async () => {
    await registry.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('checks what is mounted, which may be read-only', async () => {
    chmodSync(join(folder, 'good'), 0o555);
    const good = await runImage(image, join(folder, 'good'), ['check', '.']);
    const bad = await runImage(image, folder, ['check', 'bad.yaml']);
    chmodSync(join(folder, 'good'), 0o755);

    expect(good).toMatchObject({ exitCode: 0, stderr: '' });
    expect(bad).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('imds-hop-limit') as string });
  });

  describe('in the guide', () => {
    const guide = readFileSync(join(projectRoot, 'docs/guides/pipelines.md'), 'utf8');
    const name = `ghcr.io/eks-guardrails/eks-guardrails:${packageVersion()}`;
    const blocks = [...guide.matchAll(/^```yaml\n([^]*?)^```$/gm)]
      .map(([, block = '']) => block)
      .filter((block) => block.includes('ghcr.io'))
      .map((block) => parse(block) as unknown);

    interface Step {
      readonly image: string | { readonly name: string; readonly entrypoint: readonly string[] };
      readonly script?: readonly string[];
      readonly args?: readonly string[];
    }

    it.each(
      share<[string, Step | undefined]>([
        ['GitLab', (blocks[0] as { 'eks-guardrails': Step })['eks-guardrails']],
        [
          'Bitbucket',
          (blocks[1] as { pipelines: { 'pull-requests': { '**': { step: Step }[] } } }).pipelines['pull-requests'][
            '**'
          ][0]?.step,
        ],
        ['Tekton', (blocks[2] as Step[])[0]],
      ]),
    )('checks what %s has checked out', async (system, step) => {
      const shell = { ...image, entrypoint: ['sh', '-ec'] };
      const check = async (checkout: string) =>
        step?.script === undefined
          ? runImage(image, checkout, step?.args ?? [])
          : runImage(shell, checkout, [step.script.join('\n')]);

      expect(step?.image).toEqual(system === 'GitLab' ? { name, entrypoint: [''] } : name);
      expect(await check(join(folder, 'wrong'))).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('imds-hop-limit') as string,
      });
      expect((await check(join(folder, 'right'))).exitCode).toBe(0);
    });

    it('is named with this version everywhere', () => {
      expect([...new Set(guide.match(/ghcr\.io\/[\w/-]+:[\d.]+/g))]).toEqual([name]);
    });
  });

  it('is the version that was packed', async () => {
    expect(await runImage(image, folder, ['--version'])).toMatchObject({
      exitCode: 0,
      stdout: `${packageVersion()}\n`,
    });
  });

  it('holds what the package needs, and neither its peers nor what it is developed with', () => {
    const modules = join(image.root, 'opt/eks-guardrails/lib/node_modules/eks-guardrails');

    expect(readdirSync(join(modules, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
      expect.arrayContaining(['commander', 'yaml']),
    );
    for (const name of ['aws-cdk-lib', 'jest', 'constructs'])
      expect(existsSync(join(modules, 'node_modules', name))).toBe(false);
    expect(existsSync(join(image.root, 'tmp/eks-guardrails.tgz'))).toBe(false);
  });
});

describe('the release', () => {
  const workflow = readFileSync(join(projectRoot, '.github/workflows/release.yml'), 'utf8');
  const { jobs } = parse(workflow) as {
    jobs: Record<
      string,
      {
        needs?: string;
        permissions: object;
        steps: { name?: string; uses?: string; run?: string; with?: Record<string, unknown> }[];
      }
    >;
  };
  const job = jobs['image'];

  it('pushes the image after the package, with where it comes from', () => {
    const push = job?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));

    expect(job?.needs).toBe('release');
    expect(job?.permissions).toEqual({
      contents: 'read',
      packages: 'write',
      'id-token': 'write',
      attestations: 'write',
    });
    expect(push?.with).toMatchObject({ context: '.', push: true, provenance: 'mode=max', sbom: true });
    expect(String(push?.with?.['tags'])).not.toContain(':latest');
    expect(String(push?.with?.['build-args']).match(/^\w+/gm)).toEqual(Object.keys(propertiesOf('ARG')));
    expect(job?.steps.at(-1)).toMatchObject({ with: { 'push-to-registry': true } });
  });

  it('makes it of the package that was released, which it asks for by its name there', () => {
    const names = [...workflow.matchAll(/release\/(eks-guardrails\.tgz)\b/g)].map(([, name]) => name);

    expect(names.length).toBeGreaterThan(0);
    expect(job?.steps.some(({ run }) => run?.includes(`--pattern ${names[0] ?? ''}`))).toBe(true);
  });
});
