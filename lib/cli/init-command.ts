import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CONFIGURATION_FILE_NAMES } from '../configuration/find';
import { fileText } from '../files/read';
import { printable, printableLine } from '../reports/prose';
import { packageVersion } from '../version';
import { EXIT_CLEAN, EXIT_UNUSABLE } from './exit-code';
import { configurationFile, hookFile } from './init/files';
import { frontEndsIn, type FrontEnds } from './init/front-ends';
import { pipelineFile } from './init/pipeline';
import type { PlannedFile } from './init/planned-file';
import { whyNotWritten, writeAtomically } from './write-file';

/** The options of `init`. */
export interface InitArguments {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Sets up checks for what a folder holds; gives the exit code. Files that exist stay as they are. */
export async function initialise(root: string, { yes = false, dryRun = false }: InitArguments): Promise<number> {
  const frontEnds = frontEndsIn(root);
  const found = describe(frontEnds);
  if (found.length === 0) {
    process.stderr.write(
      'error: there is no CDK app (cdk.json), no CDKTF app (cdktf.json), no Terraform configuration (*.tf) and no CloudFormation template here, so there is nothing to set up\n',
    );
    return EXIT_UNUSABLE;
  }
  say('Found:', ...found.map((line) => `  ${line}`));
  const version = packageVersion();
  const planned = [configurationFile(), pipelineFile(root, frontEnds, version), hookFile(frontEnds, version)].filter(
    (file) => file !== undefined,
  );
  const kept = planned.filter((file) => existing(root, file) !== undefined);
  const wanted = planned.filter((file) => !kept.includes(file));
  if (dryRun) {
    for (const { path, content } of wanted)
      say(
        '',
        `Would write ${path}:`,
        '',
        ...content
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      );
  } else if (wanted.length > 0) {
    say('', `To write: ${wanted.map(({ path }) => path).join(', ')}`);
    const refusal = yes ? undefined : await whyNotAgreed();
    if (refusal !== undefined) return refusal;
    if (!(await write(root, wanted))) return EXIT_UNUSABLE;
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
  if (!dryRun) tellNext(frontEnds, wanted);
  return EXIT_CLEAN;
}

function describe({ cdk, cdktf, terraform, templates }: FrontEnds): string[] {
  const kinds: readonly (readonly [name: string, folders: readonly string[]])[] = [
    ['CDK app', cdk],
    ['CDKTF app', cdktf],
    ['Terraform configuration', terraform],
    ['CloudFormation templates', templates],
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

async function write(root: string, files: readonly PlannedFile[]): Promise<boolean> {
  for (const { path, content } of files) {
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

function tellNext({ cdk, cdktf }: FrontEnds, wanted: readonly PlannedFile[]): void {
  const next = wanted.flatMap(({ next = [] }) => next.map(printable));
  if (cdk.length > 0)
    next.push(
      'CDK apps can fail at once in "cdk synth": npm install --save-dev eks-guardrails, then Validations.of(app).addPlugins(new EksGuardrails()).',
    );
  if (cdktf.length > 0)
    next.push(
      'CDKTF apps can fail at once in "cdktf synth": npm install --save-dev eks-guardrails, then see docs/guides/cdktf.md of the package.',
    );
  next.push('See what there is to do now: npx eks-guardrails check PATH...');
  say('', 'Next:', ...next.map((line) => `- ${line}`));
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
