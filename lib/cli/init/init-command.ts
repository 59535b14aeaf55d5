import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CONFIGURATION_FILE_NAMES } from '../../configuration/find';
import { fileText } from '../../files/read';
import { printable, printableLine } from '../../reports/prose';
import { packageVersion } from '../../version';
import { EXIT_CLEAN, EXIT_UNUSABLE } from '../parts/exit-code';
import { runsOnNode } from './apps';
import { BASELINE, baselineFile, configurationFile, hookFile } from './files';
import { frontEndsIn, previewSteps, toRenderFirst, type FrontEnds } from './front-ends';
import { checkedPaths, isForGitLab, pipelineFile } from './pipeline';
import type { PlannedFile, SetUp } from './planned-file';
import { shellQuote } from '../../text/shell-quote';
import { argumentFor } from './quoting';
import { UsageError } from '../parts/usage-error';
import { whyNotWritten, writeAtomically } from '../output/write-file';

/** The options of `init`. */
export interface InitArguments {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** Run the GitHub action, and not the command. */
  readonly action?: boolean;
  /** Upload findings to GitHub's code scanning; by the action. */
  readonly sarif?: boolean;
  /** Accept what there is today. */
  readonly baseline?: boolean;
}

/** Sets up checks for what a folder holds; gives the exit code. Files that exist stay as they are. */
export async function initialise(root: string, given: InitArguments): Promise<number> {
  const { yes = false, dryRun = false, action = false, sarif = false, baseline = false } = given;
  if ((action || sarif) && isForGitLab(root))
    throw new UsageError(
      `${sarif ? '--sarif' : '--action'} is for GitHub, and this folder is GitLab's (.gitlab-ci.yml), whose job reports code quality by itself`,
    );
  const frontEnds = frontEndsIn(root);
  const found = describe(frontEnds);
  if (found.length === 0) {
    process.stderr.write(
      [
        'error: there is no CDK app (cdk.json), no CDKTF app (cdktf.json), no Terraform configuration (*.tf), no CloudFormation template, no ClusterConfig of eksctl, no Kubernetes manifest and no Pulumi project (Pulumi.yaml) here, so there is nothing to set up',
        ...toRenderFirst(frontEnds).map(printableLine),
        '',
      ].join('\n'),
    );
    return EXIT_UNUSABLE;
  }
  say('Found:', ...found.map((line) => `  ${line}`));
  const paths = checkedPaths(root, frontEnds);
  const present = paths.filter((path) => existsSync(join(root, path)));
  const accepts = baseline && present.length > 0;
  const setUp: SetUp = {
    version: packageVersion(),
    usesAction: action || sarif,
    uploadsSarif: sarif,
    baseline: accepts ? BASELINE : undefined,
  };
  const planned = [
    // First, as the others name it.
    ...(accepts ? [baselineFile(present)] : []),
    configurationFile(),
    ...(paths.length > 0 ? [pipelineFile(root, frontEnds, setUp)] : []),
    hookFile(frontEnds, setUp),
  ].filter((file) => file !== undefined);
  const kept = planned.filter((file) => existing(root, file) !== undefined);
  const wanted = planned.filter((file) => !kept.includes(file));
  if (dryRun) {
    for (const { path, content, command } of wanted)
      say(
        '',
        `Would write ${path}:`,
        '',
        ...(command ?? content)
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      );
  } else if (wanted.length > 0) {
    say('', `To write: ${wanted.map(({ path }) => path).join(', ')}`);
    const refusal = yes ? undefined : await whyNotAgreed();
    if (refusal !== undefined) return refusal;
    if (!(await write(root, wanted, present))) return EXIT_UNUSABLE;
  }
  for (const file of kept) {
    const name = existing(root, file) ?? file.path;
    say(
      '',
      [`${name} is there already and stays as it is.`, file.ifExists?.(contentOf(join(root, name)))?.trimEnd()]
        .join(' ')
        .trimEnd(),
    );
  }
  if (!dryRun) tellNext(root, frontEnds, wanted, { ...given, isGitLab: isForGitLab(root), paths, present });
  return EXIT_CLEAN;
}

function describe({ cdk, cdktf, terraform, templates, eksctl, manifests, pulumi }: FrontEnds): string[] {
  const kinds: readonly (readonly [name: string, folders: readonly string[]])[] = [
    ['CDK app', cdk],
    ['CDKTF app', cdktf],
    ['Terraform configuration', terraform],
    ['CloudFormation templates', templates],
    ['ClusterConfigs of eksctl', eksctl],
    ['Kubernetes manifests', manifests],
    ['Pulumi project', pulumi],
  ];
  return kinds.flatMap(([name, folders]) =>
    folders.map((folder) => printableLine(`${name} in ${folder === '.' ? 'this folder' : folder}`)),
  );
}

/** What stands in the place of a planned file: a configuration may have other endings. */
function existing(root: string, { path }: PlannedFile): string | undefined {
  const names = CONFIGURATION_FILE_NAMES.includes(path) ? CONFIGURATION_FILE_NAMES : [path];
  return names.find((name) => {
    try {
      return lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
    } catch {
      // Writing the file fails for the same reason, and that error is reported.
      return false;
    }
  });
}

function contentOf(file: string): string {
  try {
    return fileText(file);
  } catch {
    return '';
  }
}

/** Asks whether to write; the exit code if not. */
async function whyNotAgreed(): Promise<number | undefined> {
  if (!process.stdin.isTTY) {
    process.stderr.write(
      'error: nobody can be asked here, so nothing is written; add --yes to write, or --dry-run to see the files\n',
    );
    return EXIT_UNUSABLE;
  }
  const answer = await ask('Write them? [y/N] ');
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return undefined;
  say('Nothing is written.');
  return answer === undefined ? EXIT_INTERRUPTED : EXIT_UNUSABLE;
}

/** As shells tell of Ctrl+C. */
const EXIT_INTERRUPTED = 130;

/** The answer of whoever sits at the terminal; undefined for Ctrl+C. The end of the input (Ctrl+D) is an empty answer. */
async function ask(question: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    let isTyped = false;
    lines.question(question, (answer) => {
      isTyped = true;
      resolve(answer);
      lines.close();
    });
    lines.once('SIGINT', () => {
      resolve(undefined);
      lines.close();
    });
    lines.once('close', () => {
      if (!isTyped) say('');
      resolve('');
    });
  });
}

async function write(root: string, files: readonly PlannedFile[], present: readonly string[]): Promise<boolean> {
  for (const { path, content, command } of files) {
    if (command !== undefined) {
      if (!(await writeBaseline(path, present))) return false;
      continue;
    }
    try {
      await writeAtomically(join(root, path), [content]);
      say(`Wrote ${path}`);
    } catch (error) {
      const reason = whyNotWritten(error);
      if (reason === undefined) throw error;
      process.stderr.write(`error: can't write ${path}: ${reason}\n`);
      return false;
    }
  }
  return true;
}

/** Counts what it accepts; false if not everything could be read. */
async function writeBaseline(path: string, present: readonly string[]): Promise<boolean> {
  const { check } = await import('../check/check-command.js');
  const code = await check({
    paths: present,
    outputs: [],
    writeBaseline: path,
    statistics: true,
    failOn: 'never',
    verbose: false,
    quiet: false,
  });
  if (code === EXIT_CLEAN) return true;
  process.stderr.write("error: no baseline is written, and nothing else: correct what can't be read first\n");
  return false;
}

/** What else is known of a set-up when it is done. */
interface Done extends InitArguments {
  readonly isGitLab: boolean;
  /** All that is checked in the end, and what of it is there. */
  readonly paths: readonly string[];
  readonly present: readonly string[];
}

function tellNext(root: string, frontEnds: FrontEnds, wanted: readonly PlannedFile[], done: Done): void {
  const { cdk, cdktf } = frontEnds;
  const { paths } = done;
  const next = wanted.flatMap(({ next = [] }) => next.map(printable));
  // The app that has the package has its plugin, or decided against it.
  const ofNode = cdk.filter((folder) => runsOnNode(root, folder));
  if (ofNode.length < cdk.length)
    next.push(
      'CDK apps in Python, Java, Go and .NET can fail at once in "cdk synth", too: see docs/guides/other-languages.md of the package.',
    );
  if (ofNode.some((folder) => !isInstalledFor(root, folder)))
    next.push(
      'CDK apps can fail at once in "cdk synth": npm install --save-dev eks-guardrails, then Validations.of(app).addPlugins(new EksGuardrails()).',
    );
  if (cdktf.some((folder) => !isInstalledFor(root, folder)))
    next.push(
      'CDKTF apps can fail at once in "cdktf synth": npm install --save-dev eks-guardrails, then see docs/guides/cdktf.md of the package.',
    );
  next.push(...toRenderFirst(frontEnds).map(printableLine), ...previewSteps(frontEnds, packageVersion()));
  if (paths.length > 0) next.push(...nextOfPaths(done));
  say('', 'Next:', ...next.map((line) => `- ${line}`));
}

/** What there is to do about what is checked as it is, or once it is synthesized. */
function nextOfPaths({ paths, present, isGitLab, sarif = false, baseline = false }: Done): readonly string[] {
  const check = `npx eks-guardrails check ${paths.map((path) => shellQuote(argumentFor(path))).join(' ')}`;
  const next: string[] = [];
  const isWhole = present.length === paths.length;
  const accepted = baseline && present.length > 0 ? ` --baseline ${BASELINE}` : '';
  next.push(
    `See what there is to do now${isWhole ? '' : ', once the app is synthesized'}: ${printableLine(check)}${accepted}`,
  );
  if (!baseline)
    next.push(
      'Much to do? "eks-guardrails init --baseline" accepts what there is today, so that only new findings fail.',
    );
  else if (!isWhole)
    next.push(
      `The baseline knows nothing of what isn't synthesized yet. Do that, then: ${printableLine(check)} --write-baseline ${BASELINE}${present.length > 0 ? '' : `, and add "--baseline ${BASELINE}" to the job`}`,
    );
  if (!isGitLab && !sarif)
    next.push('"eks-guardrails init --sarif" writes a workflow that shows findings in GitHub code scanning.');
  return next;
}

function isInstalledFor(root: string, folder: string): boolean {
  return [folder, '.'].some((place) => contentOf(join(root, place, 'package.json')).includes('"eks-guardrails"'));
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
