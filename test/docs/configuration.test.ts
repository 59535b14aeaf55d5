import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRules } from '../../lib';
import { configurationSchema } from '../../lib/configuration/content';
import { projectRoot } from '../cli/built-command';
import { workspace } from '../cli/workspace';
import { load, problemsOf } from '../configuration/configurations';

const guide = readFileSync(join(projectRoot, 'docs/guides/configuration.md'), 'utf8');
const blocks = [...guide.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);
const folder = workspace({});

describe('the guide of the configuration file', () => {
  it('shows files that can be used', () => {
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(problemsOf(folder, 'eks-guardrails.config.yaml', block)).toEqual([]);
    expect(load(folder, 'eks-guardrails.config.yaml', blocks[0] ?? '')).toMatchObject({
      failOn: 'warning',
      configuration: { preset: 'strict', ignores: [{ until: '2027-06-30' }] },
    });
  });

  it('shows what a mistake looks like', () => {
    const [, shown] = /^error: (eks-guardrails\.config\.yaml:.*)$/m.exec(guide) ?? [];
    expect(problemsOf(folder, 'eks-guardrails.config.yaml', 'rules:\n  imds-hop-limt: off\n')).toEqual([shown]);
  });

  it('names every setting', () => {
    const { properties } = configurationSchema(allRules) as { properties: object };
    for (const name of Object.keys(properties)) expect(guide).toContain(`\n| \`${name}\` | `);
  });
});
