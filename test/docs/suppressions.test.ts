import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseBaseline } from '../../lib/baseline';
import { checkIn } from '../cli/in-process';
import { workspace } from '../cli/workspace';

const GUIDE = join(__dirname, '../../docs/guides/suppressions.md');

describe('the guide of living with findings', () => {
  const text = readFileSync(GUIDE, 'utf8');
  const folder = workspace({});
  for (const [, name = '', content = ''] of text.matchAll(/<!-- file: (\S+) -->\n```\w+\n([^]*?)^```$/gm)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }

  it.each([...text.matchAll(/^\$ eks-guardrails check (\S+)$/gm)].map(([command, path = '']) => [command, path]))(
    'prints for "%s" what it shows',
    async (command, path) => {
      const { stdout, stderr, exitCode } = await checkIn(folder, [path]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      const block = new RegExp(`^\`\`\`text\n${command.replaceAll(/[$.]/g, '\\$&')}\n([^]*?)^\`\`\`$`, 'm');
      // UPDATE_GOLDEN=1 puts into the guide what the command prints now.
      if (process.env['UPDATE_GOLDEN'] === '1')
        writeFileSync(
          GUIDE,
          readFileSync(GUIDE, 'utf8').replace(block, () => `\`\`\`text\n${command}\n${stdout}\`\`\``),
        );
      expect(block.exec(readFileSync(GUIDE, 'utf8'))?.[1]).toBe(stdout);
    },
  );

  it.each([
    ['template.yaml', ['imds-hop-limit', 'imds-v1', 'node-group-force-update']],
    ['nodes', ['imds-hop-limit', 'node-group-force-update', 'node-group-force-update']],
  ])('accepts in %s what its comments say', async (path, rules) => {
    const { stdout } = await checkIn(folder, [path], { outputs: [{ kind: 'format', value: 'json' }] });
    const { findings, diagnostics } = JSON.parse(stdout) as {
      findings: { rule: string; verdict: string; suppressed?: { reason: string } }[];
      diagnostics: unknown[];
    };
    expect(diagnostics).toEqual([]);
    expect(findings.filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined)).toEqual([]);
    expect(findings.flatMap(({ rule, suppressed }) => (suppressed === undefined ? [] : [rule])).sort()).toEqual(rules);
  });

  it('shows a baseline that can be read', () => {
    const [, block = ''] = /^```json\n(\{\n {2}"version"[^]*?)^```$/m.exec(text) ?? [];
    expect(parseBaseline(block, 'baseline.json')).toMatchObject({ entries: [{ rule: 'imds-v1' }] });
  });
});
