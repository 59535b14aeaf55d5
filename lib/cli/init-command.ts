import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CONFIGURATION_FILE_NAMES } from '../configuration/find';
import { printableLine } from '../report/prose';
import { packageVersion } from '../version';
import { EXIT_CLEAN, EXIT_UNUSABLE } from './exit-code';
import { configurationFile, hookFile, pipelineFile, type PlannedFile } from './init/files';
import { frontEndsIn, type FrontEnds } from './init/front-ends';
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
    process.stderr.write('error: there is no CDK app (cdk.json), no CDKTF app (cdktf.json), no Terraform configuration (*.tf) and no CloudFormation template here, so there is nothing to set up\n');
    return EXIT_UNUSABLE;
  }
  say('Found:', ...found.map((line) => `  ${line}`));
  const version = packageVersion();
  const planned = [configurationFile(), pipelineFile(root, frontEnds, version), hookFile(frontEnds, version)].filter((file) => file !== undefined);
  const kept = planned.filter((file) => existing(root, file) !== undefined);
  const wanted = planned.filter((file) => !kept.includes(file));
  if (dryRun) {
    for (const { path, content } of wanted) say('', `Would write ${path}:`, '', ...content.trimEnd().split('\n').map((line) => `  ${line}`));
  } else if (wanted.length > 0) {
    say('', `To write: ${wanted.map(({ path }) => path).join(', ')}`);
    if (!yes && !(await isAgreed())) return EXIT_UNUSABLE;
    if (!(await write(root, wanted))) return EXIT_UNUSABLE;
  }
  for (const file of kept) say('', `${existing(root, file) ?? file.path} is there already and stays as it is.${file.ifExists === undefined ? '' : ` ${file.ifExists.trimEnd()}`}`);
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
  return kinds.flatMap(([name, folders]) => folders.map((folder) => printableLine(`${name} in ${folder === '.' ? 'this folder' : folder}`)));
}

/** What stands in the place of a planned file: a configuration may have other endings. */
function existing(root: string, { path }: PlannedFile): string | undefined {
  const names = CONFIGURATION_FILE_NAMES.includes(path) ? CONFIGURATION_FILE_NAMES : [path];
  return names.find((name) => lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined);
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('error: nobody can be asked here, so nothing is written; add --yes to write, or --dry-run to see the files\n');
    return false;
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('Write them? [y/N] ');
  lines.close();
  if (/^y(?:es)?$/i.test(answer.trim())) return true;
  say('Nothing is written.');
  return false;
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
  const next = wanted.flatMap((file) => file.next ?? []);
  if (cdk.length > 0) next.push('CDK apps can fail at once in "cdk synth": npm install --save-dev eks-guardrails, then Validations.of(app).addPlugins(new EksGuardrails()).');
  if (cdktf.length > 0) next.push('CDKTF apps can fail at once in "cdktf synth": npm install --save-dev eks-guardrails, then see docs/guides/cdktf.md of the package.');
  next.push('See what there is to do now: npx eks-guardrails check PATH...');
  say('', 'Next:', ...next.map((line) => `- ${line}`));
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
