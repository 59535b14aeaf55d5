import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from './built-command';
import { workspace } from './workspace';

const guideFile = join(projectRoot, 'docs/guides/kubernetes.md');
const [, MANIFESTS = ''] = /`nodes\.yaml`:\n\n```yaml\n([^]*?)```/.exec(readFileSync(guideFile, 'utf8')) ?? [];
const TEXT = /```text\n(\$ eks-guardrails check nodes\.yaml\n[^]*?)```\n/;

describe('eks-guardrails check MANIFESTS', () => {
  const folder = workspace({ 'nodes.yaml': MANIFESTS });

  it('tells what is wrong with objects, as the guide shows', () => {
    const { stdout, stderr, exitCode } = runCommand(['check', 'nodes.yaml'], { cwd: folder });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    const shown = `$ eks-guardrails check nodes.yaml\n${stdout}`;
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        guideFile,
        readFileSync(guideFile, 'utf8').replace(TEXT, () => `\`\`\`text\n${shown}\`\`\`\n`),
      );
    expect(TEXT.exec(readFileSync(guideFile, 'utf8'))?.[1]).toBe(shown);
  });

  it('takes them from the standard input', () => {
    const { stdout, exitCode } = runCommand(['check', '-', '--format', 'compact'], { cwd: folder, input: MANIFESTS });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('standard input:13:3');
  });
});
