import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutDay } from '../as-of';
import { projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

const guideFile = join(projectRoot, 'docs/guides/pulumi.md');
const example = readFileSync(join(projectRoot, 'examples/pulumi/misconfigured.json'), 'utf8');
const DAY = '2026-01-15';
const TEXT = /```text\n([^]*?)```\n/;
const [, ignores = ''] = /```yaml\n(ignores:\n[^]*?)```/.exec(readFileSync(guideFile, 'utf8')) ?? [];
const folder = workspace({ 'misconfigured.json': example, 'accepting/eks-guardrails.config.yaml': ignores });

describe('eks-guardrails check preview.json, of Pulumi', () => {
  it('says what the guide shows', () => {
    const { stdout, stderr, exitCode } = runCommand(['check', 'misconfigured.json', '--as-of', DAY], { cwd: folder });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails check misconfigured.json\n${withoutDay(stdout, DAY)}`;
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        readFileSync(guideFile, 'utf8').replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('accepts a finding by the id of its resource, through a pipe', () => {
    const args = ['check', '-', '--as-of', DAY, '--only', 'imds-hop-limit'];
    const config = ['--config', 'accepting/eks-guardrails.config.yaml'];
    expect(runCommand(args, { cwd: folder, input: example })).toMatchObject({ exitCode: 1 });
    expect(runCommand([...args, ...config], { cwd: folder, input: example })).toMatchObject({ exitCode: 0 });
  });
});
