import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../cli/built-command';
import { skippedNote } from '../needs';

const sources = join(projectRoot, 'packages/jsii/src');
const declared = readdirSync(sources)
  .map((name) => readFileSync(join(sources, name), 'utf8'))
  .join('\n');
const members = new Set(
  [...declared.matchAll(/^ {2}(?:public )?(?:readonly )?(\w+)\??(?:: | = )/gm)].map(([, name]) => name),
);
const types = new Set([...declared.matchAll(/^export (?:class|interface|enum) (\w+)/gm)].map(([, name]) => name));

const guide = (page: string): string => readFileSync(join(projectRoot, `docs/guides/${page}.md`), 'utf8');

function blocks(page: string, language: string): readonly string[] {
  return [...guide(page).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );
}

/** A name as TypeScript has it. */
function inTypeScript(name: string): string {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel.charAt(0).toLowerCase() + camel.slice(1);
}

/** What every app passes on to the module: options of its classes and structs, and members of its enums. */
const LANGUAGES = [
  {
    page: 'python',
    language: 'python',
    call: /\b(?:EksGuardrailsValidator|ManagedNodeGroup|VpcCniAddon|RuleSetting)\(([^]*?)^\)/gm,
    option: /^ *(\w+)=|\b(level|cluster|prefix_delegation)=/gm,
  },
  {
    page: 'java',
    language: 'java',
    call: /(?:create|builder)\(([^]*?);/g,
    option: /\.(failOn|rules|level|cluster|amiFamily|maxSize)\(/g,
  },
  { page: 'dotnet', language: 'csharp', call: /Props\s*\{([^]*?)\}\)/g, option: /\b([A-Z]\w+) = (?!new RuleSetting)/g },
  { page: 'go', language: 'go', call: /Props\{([^]*?)^\t?\}\)/gm, option: /\b([A-Z]\w+):/g },
] as const;

describe('the guides to apps in other languages', () => {
  it('are one for each, which lead to what is the same in all of them, and from there', () => {
    for (const { page } of LANGUAGES) {
      expect(guide(page)).toContain('](other-languages.md)');
      expect(guide('other-languages')).toContain(`](${page}.md)`);
      expect(guide(page)).toContain('```sh\ncdk synth --quiet && npx eks-guardrails check cdk.out\n```');
      expect([...guide(page).matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
        'After the synthesis',
        'In the synthesis: the plugin',
        'Two of the constructs',
        'At the line of your own code',
        'Accepting a finding',
        "Not in the app's own command",
      ]);
    }
  });

  it.each(LANGUAGES)(
    'name options, types and values that the module has: $page',
    ({ page, language, call, option }) => {
      const code = blocks(page, language).join('\n');
      const calls = [...code.matchAll(call)].map(([, inner = '']) => inner).join('\n');
      const options = [...calls.matchAll(option)].map(([, one, other = '']) => inTypeScript(one ?? other));
      expect([...new Set(options)]).toEqual(
        expect.arrayContaining(['failOn', 'rules', 'cluster', 'amiFamily', 'maxSize']),
      );
      expect(options.filter((name) => !members.has(name))).toEqual([]);

      const values = [...code.matchAll(/\b(AmiFamily|FailOn|RuleLevel)[._]([A-Z]+)\b/g)];
      expect(values.length).toBeGreaterThan(2);
      for (const [, type, value] of values) expect([types.has(type), members.has(value)]).toEqual([true, true]);
    },
  );

  it.each([
    ['python', 'python', 'module'],
    ['java', 'java', 'package'],
    ['dotnet', 'dotnet', 'namespace'],
  ])('name the modules of the CDK whose clusters the constructs take as the CDK does: %s', (page, target, key) => {
    for (const submodule of ['aws-eks', 'aws-eks-v2']) {
      const file = join(projectRoot, 'node_modules/aws-cdk-lib', submodule, '.jsiirc.json');
      const { targets } = JSON.parse(readFileSync(file, 'utf8')) as { targets: Record<string, Record<string, string>> };
      const name = (targets[target]?.[key] ?? '').replace(/^aws_cdk\./, '');
      expect(guide(page)).toContain(`\`${name}\``);
    }
  });

  const lack = spawnSync('python3', ['--version']).status === 0 ? undefined : 'there is no python3 on the PATH';
  (lack === undefined ? it : it.skip)(`have code that Python reads${skippedNote(lack)}`, () => {
    for (const input of blocks('python', 'python'))
      expect(spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input }).status).toBe(0);
  });
});
