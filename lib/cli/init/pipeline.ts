import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fileText } from '../../files/read';
import { synthesisOf, type Step, type Synthesis } from './apps';
import { sourcePaths, type FrontEnds } from './front-ends';
import type { PlannedFile } from './planned-file';
import { argumentFor, block, shellQuote } from './quoting';

const GITLAB = '.gitlab-ci.yml';

/** The job for the CI system that the folder is meant for: GitLab's where its file is, else GitHub's. */
export function pipelineFile(root: string, frontEnds: FrontEnds, version: string): PlannedFile {
  return existsSync(join(root, GITLAB))
    ? gitlabJob(root, frontEnds, version)
    : githubWorkflow(root, frontEnds, version);
}

function githubWorkflow(root: string, frontEnds: FrontEnds, version: string): PlannedFile {
  const synthesis = synthesisOf(root, frontEnds, []);
  const runs = allSteps(synthesis, frontEnds, version).map(({ commands, folder }) => {
    const run = `      - run: ${block(githubText(commands.join('\n')), 10)}`;
    return folder === '.'
      ? run
      : `${run}        working-directory: ${JSON.stringify(githubText(argumentFor(folder)))}\n`;
  });
  const content = `name: eks-guardrails
on:
  pull_request:
  push:
    branches: [main, master]
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
${synthesis.needsTerraform ? '      - uses: hashicorp/setup-terraform@v3\n        with:\n          terraform_wrapper: false\n' : ''}${runs.join('')}`;
  return {
    path: '.github/workflows/eks-guardrails.yml',
    content,
    next: [...synthesis.missing, 'Commit the workflow; it runs for pull requests and for pushes to main.'],
  };
}

/** What GitHub would take for an expression of its own, such as the name of a folder of templates. */
function githubText(text: string): string {
  return text.replaceAll('${{', "${{ '${{' }}");
}

function gitlabJob(root: string, frontEnds: FrontEnds, version: string): PlannedFile {
  // The image has Python, but not what makes environments of it.
  const synthesis = synthesisOf(root, frontEnds, ['apt-get update -qq', 'apt-get install -yqq python3-venv']);
  const report = 'gl-code-quality-report.json';
  const lines = allSteps(synthesis, frontEnds, version, `--format text --format gitlab --output ${report}`).map(
    gitlabLines,
  );
  const content = `eks-guardrails:
${stageLine(root)}  image: node:22
  script:
${lines.map((line) => `    - ${block(line, 6)}`).join('')}  artifacts:
    when: always
    reports:
      codequality: ${report}
`;
  const path = '.gitlab/eks-guardrails.yml';
  const terraform = synthesis.needsTerraform
    ? ['The job needs Terraform too: "cdktf get" asks it for the schemas of the providers.']
    : [];
  return {
    path,
    content,
    next: [...synthesis.missing, ...terraform, `Add this to ${GITLAB}:\n\ninclude:\n  - local: ${path}\n`],
  };
}

/** All lines of a job run in one shell; what one changes in it is none of the next one's business. */
function gitlabLines({ folder, commands }: Step): string {
  if (folder === '.' && commands.length === 1) return commands.join('');
  return ['(', ...(folder === '.' ? [] : [`cd ${shellQuote(argumentFor(folder))}`]), ...commands, ')'].join('\n');
}

/** Jobs are of the stage `test`, unless they say another; a pipeline with stages of its own may have none of that name. */
function stageLine(root: string): string {
  let stages: unknown;
  try {
    stages = (parse(fileText(join(root, GITLAB)), { logLevel: 'silent' }) as { stages?: unknown } | null)?.stages;
  } catch {
    return '';
  }
  if (!Array.isArray(stages) || stages.includes('test')) return '';
  const [stage] = stages as unknown[];
  return typeof stage === 'string' ? `  stage: ${JSON.stringify(stage)}\n` : '';
}

function allSteps(
  { steps, outputs }: Synthesis,
  frontEnds: FrontEnds,
  version: string,
  options?: string,
): readonly Step[] {
  const paths = [...outputs, ...sourcePaths(frontEnds)].map((path) => shellQuote(argumentFor(path)));
  // From a folder of its own: the checkout's .npmrc and node_modules have no say in what runs.
  const command = ['npx --yes --prefix="$(mktemp -d)"', `eks-guardrails@${version}`, 'check --no-config-code'];
  return [
    ...steps,
    { folder: '.', commands: [[...command, ...paths, ...(options === undefined ? [] : [options])].join(' ')] },
  ];
}
