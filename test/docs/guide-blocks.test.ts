import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../cli/built-command';

/*
 * Who runs the blocks of README and guides, or compares them with what is printed. A block that nobody accounts for fails here, and so does an entry
 * that stands for no block any more. TypeScript is compiled and run by examples.test.ts.
 */

/** The tests that have the blocks of a language on a page, but for those that {@link NOT_RUN} names. */
const TESTED: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'README.md': { text: 'test/examples/examples.test.ts' },
  'addon-diff.md': { console: 'test/cli/guide.test.ts', env: 'test/cli/guide.test.ts', text: 'test/cli/guide.test.ts' },
  'agents.md': { json: 'test/docs/skill.test.ts', sh: 'test/docs/skill.test.ts' },
  'command.md': {
    json: 'test/cli/guide.test.ts',
    jsonc: 'test/reports/editors.test.ts',
    log: 'test/cli/guide.test.ts',
    text: ['test/cli/guide.test.ts', 'test/fixes/run.test.ts'],
    vim: 'test/reports/editors.test.ts',
    xml: 'test/cli/guide.test.ts',
    yaml: ['test/cli/guide.test.ts', 'test/docs/pipelines.test.ts'],
  },
  'configuration.md': { text: 'test/docs/configuration.test.ts', yaml: 'test/docs/configuration.test.ts' },
  'dotnet.md': { csharp: 'test/package/jsii.test.ts' },
  'editors.md': { json: 'test/lsp/vscode.test.ts' },
  'eksctl.md': { text: 'test/cli/eksctl.test.ts', yaml: 'test/cli/eksctl.test.ts' },
  'go.md': { go: 'test/package/jsii.test.ts' },
  'hook.md': { sh: 'test/hook/deployed.test.ts' },
  'java.md': { java: 'test/package/jsii.test.ts' },
  'kubernetes.md': { text: 'test/cli/kubernetes.test.ts', yaml: 'test/cli/kubernetes.test.ts' },
  'live-clusters.md': { text: 'test/cli/live.test.ts' },
  'many-repositories.md': {
    sh: 'test/docs/many-repositories.test.ts',
    text: 'test/docs/many-repositories.test.ts',
    yaml: 'test/docs/many-repositories.test.ts',
  },
  'pipelines.md': {
    bash: 'test/docs/pipelines.test.ts',
    yaml: ['test/docs/pipelines.test.ts', 'test/package/image.test.ts', 'test/package/pre-commit.test.ts'],
  },
  'pulumi.md': { text: 'test/cli/pulumi.test.ts', yaml: 'test/cli/pulumi.test.ts' },
  'python.md': { python: 'test/docs/other-languages.test.ts' },
  'run-task.md': { js: 'test/run-task/run-task.test.ts' },
  'suppressions.md': {
    hcl: 'test/docs/suppressions.test.ts',
    json: 'test/docs/suppressions.test.ts',
    text: 'test/docs/suppressions.test.ts',
    yaml: 'test/docs/suppressions.test.ts',
  },
  'terraform-defaults.md': { hcl: 'test/docs/terraform-defaults.test.ts' },
  'terraform.md': { text: ['test/cli/terraform-folder.test.ts', 'test/cli/terraform-plan.test.ts'] },
  'upgrades.md': { text: 'test/cli/guide.test.ts', yaml: 'test/cli/guide.test.ts' },
  'user-data.md': { mime: 'test/cli/guide.test.ts', text: 'test/cli/guide.test.ts' },
};

/** Why a block isn't run, and how it begins, by its page. */
const NOT_RUN: Readonly<Record<string, readonly (readonly [page: string, begin: string])[]>> = {
  'for the runners of GitHub and GitLab: action.test.ts and gitlab-component.test.ts run what such steps do': [
    ['command.md', '- run: npx --yes'],
    ['command.md', 'eks-guardrails:\n  script:'],
    ['pipelines.md', 'name: eks-guardrails\n'],
    ['pipelines.md', 'name: eks-guardrails suggestions\n'],
    ['pipelines.md', 'eks-guardrails:\n  image: node:22\n'],
    ['pipelines.md', 'include:\n'],
    ['pipelines.md', 'env:\n'],
    ['pulumi.md', '- run: pulumi preview'],
    ['terraform.md', '- run: terraform plan'],
    ['terraform.md', 'jobs:\n'],
  ],
  'settings of editors that are not here: vscode.test.ts and editors.test.ts try the server and the formats that they ask for':
    [
      ['editors.md', "vim.lsp.config('eks_guardrails', {"],
      ['editors.md', '[language-server.eks-guardrails]'],
    ],
  'for registries that no test may load from': [
    ['go.md', 'require github.com/'],
    ['java.md', '<dependency>'],
  ],
  'the posting of comments, which needs a pull request': [
    ['pipelines.md', 'eks-guardrails check infra --fix-dry-run | reviewdog'],
  ],
  'permissions of an account: deployed.test.ts reads those that the template gives': [
    ['hook.md', '{\n  "Version": "2012-10-17"'],
  ],
  'a shape, with other names than any input here': [
    ['cdktf.md', 'EksGuardrailsError: 1 error.'],
    ['configuration.md', '{\n  "asOf": '],
    ['configuration.md', '{\n  "extends": '],
    ['suppressions.md', '# eks-guardrails:ignore bottlerocket-settings'],
  ],
  'words for an agent': [['agents.md', 'After changing code for Amazon EKS']],
};

/** Lines for a shell that examples.test.ts doesn't run, as it does those of our command. */
const PROGRAMS: readonly (readonly [line: RegExp, why: string])[] = [
  [/^npm (?:install|ci|start|test|run) ?|^git clone /, 'they load packages; packed.ts and npm start do what they do'],
  [
    /^(?:npx )?cdk(?:tf|tn)? synth\b|^JSII_HOST_STACK_TRACES=1 cdk synth\b/,
    'the examples are synthesized by test/examples',
  ],
  [/^(?:terraform|pulumi|helm|kustomize|kubectl|cat|sh) /, 'another program, of which recorded output is read'],
  [/^docker run /, 'test/package/image.test.ts goes through the Dockerfile without it'],
  [/^source <\(/, 'test/cli/completion.test.ts asks the shells'],
  [/^EKS_GUARDRAILS_HMAC_KEY=.* serve run-task /, 'test/run-task/run-task.test.ts starts the server'],
];

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const pages = ['README.md', ...readdirSync(join(projectRoot, 'docs/guides')).filter((name) => name.endsWith('.md'))];
const blocks = pages.flatMap((page): readonly Block[] =>
  [...textOf(page).matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)].map(([, language = '', text = '']) => ({
    page,
    language,
    text,
  })),
);

describe('the blocks of README and guides', () => {
  it('are run or compared by a test that names their page, or listed with a reason', () => {
    expect(blocks.filter((block) => !isAccounted(block)).map(titleOf)).toEqual([]);
  });

  it('are those that are listed', () => {
    const stale = Object.values(NOT_RUN)
      .flat()
      .filter(([page, begin]) => !blocks.some((block) => block.page === page && block.text.startsWith(begin)));
    const unused = Object.entries(TESTED).flatMap(([page, tests]) =>
      Object.keys(tests)
        .filter((language) => !blocks.some((block) => block.page === page && block.language === language))
        .map((language) => [page, language]),
    );
    expect([...stale, ...unused]).toEqual([]);
  });

  it.each(
    Object.entries(TESTED).flatMap(([page, tests]) =>
      [...new Set(Object.values(tests).flat())].map((file) => [page, file]),
    ),
  )('of %s are what %s is about', (page = '', file = '') => {
    expect(existsSync(join(projectRoot, file))).toBe(true);
    expect(readFileSync(join(projectRoot, file), 'utf8')).toContain(page.replace(/\.md$/, ''));
  });
});

function isAccounted({ page, language, text }: Block): boolean {
  if (language === 'ts' || TESTED[page]?.[language] !== undefined) return true;
  if (Object.values(NOT_RUN).some((listed) => listed.some(([of, begin]) => of === page && text.startsWith(begin))))
    return true;
  return language === 'sh' && text.split('\n').every(isLineOfOurs);
}

function isLineOfOurs(line: string): boolean {
  const command = line.replace(/^#.*| +# .*/, '').trim();
  return (
    command === '' || /^(?:npx )?eks-guardrails /.test(command) || PROGRAMS.some(([program]) => program.test(command))
  );
}

function titleOf({ page, language, text }: Block): string {
  return `${page} ${language}: ${text.split('\n')[0] ?? ''}`;
}

function textOf(page: string): string {
  return readFileSync(join(projectRoot, page === 'README.md' ? page : `docs/guides/${page}`), 'utf8');
}
