import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fileText } from '../../files/read';
import { synthesisOf, type Step, type Synthesis } from './apps';
import { sourcePaths, type FrontEnds } from './front-ends';
import type { PlannedFile, SetUp } from './planned-file';
import { shellQuote } from '../../text/shell-quote';
import { argumentFor, block, checkCommand } from './quoting';

const GITLAB = '.gitlab-ci.yml';

/** The job for the CI system that the folder is meant for: GitLab's where its file is, else GitHub's. */
export function pipelineFile(root: string, frontEnds: FrontEnds, setUp: SetUp): PlannedFile {
  return isForGitLab(root) ? gitlabJob(root, frontEnds, setUp) : githubWorkflow(root, frontEnds, setUp);
}

/** Whether a folder is meant for GitLab. */
export function isForGitLab(root: string): boolean {
  return existsSync(join(root, GITLAB));
}

/** What apps put out, and what can be checked as it is. */
export function checkedPaths(root: string, frontEnds: FrontEnds): readonly string[] {
  return [...synthesisOf(root, frontEnds, []).outputs, ...sourcePaths(frontEnds)];
}

function githubWorkflow(root: string, frontEnds: FrontEnds, setUp: SetUp): PlannedFile {
  const { uploadsSarif, usesAction, baseline } = setUp;
  const synthesis = synthesisOf(root, frontEnds, []);
  const isSynthesized = synthesis.outputs.length > 0;
  const action = actionStep([...synthesis.outputs, ...sourcePaths(frontEnds)], isSynthesized, setUp);
  const steps = usesAction ? synthesis.steps : allSteps(synthesis, frontEnds, setUp);
  const runs = steps.map(({ commands, folder }) => {
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
${uploadsSarif ? '  # For code scanning; "actions" in private repositories only.\n  security-events: write\n  actions: read\n' : ''}jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 22
${synthesis.needsTerraform ? '      - uses: hashicorp/setup-terraform@v4\n        with:\n          terraform_wrapper: false\n' : ''}${runs.join('')}${usesAction ? action : ''}`;
  return {
    path: '.github/workflows/eks-guardrails.yml',
    content,
    ifExists: (there) =>
      lacks(there, usesAction && !there.includes(ACTION), `Its last step would be\n\n${action}`) ??
      lacks(
        there,
        uploadsSarif && !there.includes('upload-sarif: true'),
        `Add "upload-sarif: true" to the action, and "security-events: write" to the permissions.`,
      ) ??
      lacks(
        there,
        baseline !== undefined && !there.includes(baseline),
        `Add "--baseline ${baseline ?? ''}" to its check.`,
      ),
    next: [...synthesis.missing, 'Commit the workflow; it runs for pull requests and for pushes to main.'],
  };
}

/** What to say of a job that is there and lacks something. */
function lacks(there: string, isLacking: boolean, advice: string): string | undefined {
  return isLacking && there !== '' ? advice : undefined;
}

const ACTION = 'eks-guardrails/eks-guardrails@';

/** The action synthesizes nothing, and runs the package from outside of the checkout by itself. */
function actionStep(
  paths: readonly string[],
  isSynthesized: boolean,
  { version, uploadsSarif, baseline }: SetUp,
): string {
  const inputs = [
    `paths: ${block(githubText(paths.join('\n')), 12)}`,
    ...(uploadsSarif ? ['upload-sarif: true\n'] : []),
    ...(baseline === undefined ? [] : [`arguments: --baseline=${baseline}\n`]),
  ];
  // A synthesis that fails for what its plugin found has put out what is to be checked.
  const condition = uploadsSarif && isSynthesized ? '        if: ${{ !cancelled() }}\n' : '';
  return `      - uses: ${ACTION}v${version}\n${condition}        with:\n${inputs.map((input) => `          ${input}`).join('')}`;
}

/** What GitHub would take for an expression of its own, such as the name of a folder of templates. */
function githubText(text: string): string {
  return text.replaceAll('${{', "${{ '${{' }}");
}

function gitlabJob(root: string, frontEnds: FrontEnds, setUp: SetUp): PlannedFile {
  // The image has Python, but not what makes environments of it.
  const synthesis = synthesisOf(root, frontEnds, ['apt-get update -qq', 'apt-get install -yqq python3-venv']);
  const report = 'gl-code-quality-report.json';
  const lines = allSteps(synthesis, frontEnds, setUp, `--format text --format gitlab --output ${report}`).map(
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
    ifExists: (there) =>
      lacks(
        there,
        setUp.baseline !== undefined && !there.includes(setUp.baseline),
        `Add "--baseline ${setUp.baseline ?? ''}" to its check.`,
      ),
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
  { version, baseline }: SetUp,
  options?: string,
): readonly Step[] {
  const paths = [...outputs, ...sourcePaths(frontEnds)].map((path) => shellQuote(argumentFor(path)));
  return [
    ...steps,
    {
      folder: '.',
      commands: [
        [
          checkCommand(version),
          ...paths,
          ...(baseline === undefined ? [] : ['--baseline', baseline]),
          ...(options === undefined ? [] : [options]),
        ].join(' '),
      ],
    },
  ];
}
