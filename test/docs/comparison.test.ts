import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks, PCIDSS321Checks } from 'cdk-nag';
import { examplesOf } from '../../lib/cli/rules/page-examples';
import { synthesize, type PluginReport } from '../aspects/reported';
import { projectRoot } from '../cli/built-command';

const PAGE = join(projectRoot, 'docs/guides/comparison.md');
const RULES = join(projectRoot, 'lib/rules');
const PACKS = [AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks, PCIDSS321Checks];

/** The plugin of the CDK that asks @aws/cloudformation-validate. */
const VALIDATE = 'CloudFormation Validate';

/** What each tool says of a template, as the id of its rule and what it says it of. */
type Said = Readonly<Record<'validate' | 'nag', readonly string[]>>;

interface Compared {
  readonly rule: string;
  readonly validate: readonly string[];
  readonly nag: readonly string[];
}

const version = (name: string): string =>
  (JSON.parse(readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version;

const BLOCK = /<!-- comparison: begin( \w+)? -->\n([^]*?)(?=<!-- comparison: end -->)/;

describe('the comparison with other tools', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-comparison-'));
  const page = readFileSync(PAGE, 'utf8');
  const [, proven = '', shown = ''] = BLOCK.exec(page) ?? [];
  const examples = readdirSync(RULES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .flatMap(examplesIn);
  let compared: readonly Compared[];
  let validateVersion = '';
  let table = '';
  const before = process.env['CDK_VALIDATION'];

  beforeAll(() => {
    // The tools take half a minute, so they are asked again when they, the examples or the table have changed.
    if (proven === ` ${digest(shown)}` && process.env['UPDATE_GOLDEN'] !== '1') {
      table = shown;
      return;
    }
    delete process.env['CDK_VALIDATION'];
    const saidOf = askAbout(examples.flatMap(({ wrong, right }) => [wrong, right]));
    compared = examples.map(({ rule }, index) => {
      const [ofWrong, ofRight] = [saidOf(2 * index), saidOf(2 * index + 1)];
      const only = (tool: keyof Said) => [
        ...new Set(
          ofWrong[tool].filter((said) => !ofRight[tool].includes(said)).map((said) => /^[\w.-]+/.exec(said)?.[0] ?? ''),
        ),
      ];
      return { rule, validate: only('validate'), nag: only('nag') };
    });
    table = tableOf(compared);
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(
        PAGE,
        page.replace(BLOCK, () => `<!-- comparison: begin ${digest(table)} -->\n${table}`),
      );
  }, 300_000);

  afterAll(() => {
    if (before !== undefined) process.env['CDK_VALIDATION'] = before;
    process.exitCode = undefined;
    rmSync(scratch, { recursive: true, force: true });
  });

  function examplesIn(file: string): { rule: string; wrong: string; right: string }[] {
    const rule = basename(file, '.md');
    const [, examples = ''] = readFileSync(join(RULES, file), 'utf8').split(/^## Examples$/m);
    const [wrong, right] = examplesOf(rule, examples.split(/^## /m)[0] ?? '').filter(
      ({ heading }) => heading === 'CloudFormation',
    );
    return wrong === undefined || right === undefined ? [] : [{ rule, wrong: wrong.text, right: right.text }];
  }

  /** Asks the tools once, about an app with a stack for each template; gives what they say of a template by its index. */
  function askAbout(templates: readonly string[]): (index: number) => Said {
    const outdir = mkdtempSync(join(scratch, 'app-'));
    const app = new App({ outdir });
    templates.forEach((template, index) => {
      const templateFile = join(outdir, `given-${index}.yaml`);
      writeFileSync(templateFile, template);
      new CfnInclude(new Stack(app, `Stack${index}`), 'Given', { templateFile });
    });
    Validations.of(app).addPlugins(...PACKS.map((Pack) => new Pack(app)));
    synthesize(app);
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as {
      pluginReports: readonly PluginReport[];
    };
    validateVersion = pluginReports.find(({ pluginName }) => pluginName === VALIDATE)?.pluginVersion ?? '';
    return (index) => {
      const said = (of: (report: PluginReport) => boolean, text: (description: string, path: string) => string) =>
        pluginReports.filter(of).flatMap(({ violations }) =>
          violations
            .filter(({ severity }) => severity !== 'info')
            .flatMap(({ ruleName, description, violatingConstructs }) =>
              violatingConstructs.flatMap(({ constructPath }) => {
                const [stack, ...path] = constructPath.split('/');
                return stack === `Stack${index}` ? [`${ruleName} ${text(description, path.join('/'))}`] : [];
              }),
            ),
        );
      return {
        validate: said(
          ({ pluginName }) => pluginName === VALIDATE,
          (description, path) => `${path} ${description}`,
        ),
        nag: said(
          ({ pluginName }) => pluginName !== VALIDATE,
          (_, path) => path,
        ),
      };
    };
  }

  function tableOf(compared: readonly Compared[]): string {
    const seen = compared.filter(({ validate, nag }) => validate.length + nag.length > 0);
    const ids = (list: readonly string[]) => list.map((id) => `\`${id}\``).join(', ');
    const of = (tool: 'validate' | 'nag') => compared.filter((one) => one[tool].length > 0).length;
    return [
      `Of ${compared.length} rules with such an example, \`@aws/cloudformation-validate\` ${validateVersion} (in aws-cdk-lib ${version('aws-cdk-lib')}) says something of the wrong one alone for ${of('validate')}, and cdk-nag ${version('cdk-nag')} (AwsSolutions, HIPAA Security, NIST 800-53 r5, PCI DSS 3.2.1) for ${of('nag')}:`,
      '',
      '| rule | `@aws/cloudformation-validate` | cdk-nag |',
      '|---|---|---|',
      ...seen.map(({ rule, validate, nag }) => `| [${rule}](../rules/${rule}.md) | ${ids(validate)} | ${ids(nag)} |`),
      '',
    ].join('\n');
  }

  /** Of all that decides what the table says, and of the table. */
  function digest(text: string): string {
    return createHash('sha256')
      .update(JSON.stringify([examples, version('aws-cdk-lib'), version('cdk-nag'), text]))
      .digest('hex')
      .slice(0, 16);
  }

  it('is what the tools say', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(`<!-- comparison: begin ${digest(table)} -->\n${table}<!-- `);
  });

  it('asked the tools about enough, and they answer', () => {
    expect(Number(/^Of (\d+) rules/.exec(table)?.[1])).toBe(examples.length);
    expect(examples.length).toBeGreaterThan(60);
    expect(table).toMatch(/^\| \[ami-type-kubernetes-version\]\S+ \| `\w+`/m);
    expect(table).toMatch(/\| `AwsSolutions-\w+` \|$/m);
  });

  it('says of every tool that was only read where and when', () => {
    const [, rows = ''] = /^## What was read\n\n(?:\|.*\n){2}((?:\|.*\n)+)/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const lines = rows.trim().split('\n');

    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => !/^\| \[[^\]]+\]\(https:\/\/\S+\).* \| 20\d\d-\d\d-\d\d \|$/.test(line))).toEqual([]);
  });
});
