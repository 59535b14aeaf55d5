import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_URL } from '../../configuration/content';
import { topmost, type FrontEnds } from './front-ends';

/** A file that the set-up consists of. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  /** What to do when there is such a file already, or with it once it is written. @default - nothing */
  readonly ifExists?: string;
  readonly next?: string;
}

/** The least configuration: editors know its schema. */
export function configurationFile(): PlannedFile {
  return { path: 'eks-guardrails.config.json', content: `${JSON.stringify({ $schema: SCHEMA_URL, preset: 'recommended' }, undefined, 2)}\n` };
}

/** The job for the CI system that the folder is meant for: GitLab's where its file is, else GitHub's. */
export function pipelineFile(root: string, frontEnds: FrontEnds, version: string): PlannedFile {
  const steps = stepsOf(root, frontEnds, version);
  return existsSync(join(root, '.gitlab-ci.yml')) ? gitlabJob(steps) : githubWorkflow(steps);
}

/** The hook for what can be checked as it is written; undefined if all has to be synthesized first. */
export function hookFile(frontEnds: FrontEnds, version: string): PlannedFile | undefined {
  const paths = sourcePaths(frontEnds);
  if (paths.length === 0) return undefined;
  const entry = `  - repo: local
    hooks:
      - id: eks-guardrails
        name: eks-guardrails
        entry: eks-guardrails check
        args: ${JSON.stringify(paths)}
        language: node
        additional_dependencies: ['eks-guardrails@${version}']
        files: \\.(tf|tf\\.json|tfvars|ya?ml|json|template)$
        pass_filenames: false
`;
  return {
    path: '.pre-commit-config.yaml',
    content: `repos:\n${entry}`,
    ifExists: `Add this to its "repos":\n\n${entry}`,
    next: 'Run "pre-commit install" once in every clone.',
  };
}

/** What can be checked without a synthesis. */
function sourcePaths({ terraform, templates }: FrontEnds): readonly string[] {
  return topmost([...new Set([...terraform, ...templates])]);
}

/** Commands, each with the folder in which it runs. */
type Step = { readonly command: string; readonly folder: string };

function stepsOf(root: string, frontEnds: FrontEnds, version: string): readonly Step[] {
  const apps = [
    ...frontEnds.cdk.map((folder) => ({ folder, command: 'npx --yes aws-cdk@2 synth --quiet', output: 'cdk.out' })),
    ...frontEnds.cdktf.map((folder) => ({ folder, command: existsSync(join(root, folder, 'cdktn.json')) ? 'npx --yes cdktn-cli synth' : 'npx --yes cdktf-cli synth', output: 'cdktf.out' })),
  ];
  const outputs = apps.map(({ folder, output }) => (folder === '.' ? output : `${folder}/${output}`));
  const paths = [...outputs, ...sourcePaths(frontEnds)];
  return [
    ...new Map(apps.map(({ folder }) => [folder, { folder, command: installCommand(root, folder) }])).values(),
    ...apps.map(({ folder, command }) => ({ folder, command })),
    { folder: '.', command: `npx --yes eks-guardrails@${version} check ${paths.map(shellQuote).join(' ')}` },
  ];
}

/** How the packages of an app are installed, by its lock file: its own, or that of the whole repository. */
function installCommand(root: string, folder: string): string {
  for (const place of [folder, '.']) {
    const has = (name: string) => existsSync(join(root, place, name));
    if (has('package-lock.json')) return 'npm ci';
    if (has('pnpm-lock.yaml')) return 'corepack enable && pnpm install --frozen-lockfile';
    if (has('yarn.lock')) return 'yarn install --frozen-lockfile';
    if (has('requirements.txt')) return 'pip install -r requirements.txt';
    if (has('package.json')) return 'npm install';
  }
  return 'true # install what the app needs';
}

function githubWorkflow(steps: readonly Step[]): PlannedFile {
  const runs = steps.map(({ command, folder }) => `      - run: |\n          ${command}\n${folder === '.' ? '' : `        working-directory: ${JSON.stringify(folder)}\n`}`);
  const content = `name: eks-guardrails
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
${runs.join('')}`;
  return { path: '.github/workflows/eks-guardrails.yml', content, next: 'Commit the workflow; it runs for pull requests and for pushes to main.' };
}

function gitlabJob(steps: readonly Step[]): PlannedFile {
  const script = steps.map(({ command, folder }) => `    - |\n      ${folder === '.' ? command : `(cd ${shellQuote(folder)} && ${command})`}\n`).join('');
  const last = script.replace(/( check [^\n]*\n)$/, (_, rest: string) => `${rest.trimEnd()} --format text --format gitlab --output gl-code-quality-report.json\n`);
  const content = `eks-guardrails:
  image: node:22
  script:
${last}  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
`;
  const path = '.gitlab/eks-guardrails.yml';
  return { path, content, next: `Add this to .gitlab-ci.yml:\n\ninclude:\n  - local: ${path}\n` };
}

function shellQuote(text: string): string {
  return /^[\w./@:+-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
