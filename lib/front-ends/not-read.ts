import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isBottlerocket, isWindows } from '../eks/user-data/sniff';
import { PREVIEW } from './pulumi/recognition';
import type { InputKind, Skipped } from '../value';

/*
 * What people give to a check that it doesn't read, and what they can give it instead.
 */

const SYNTHESIZE_CDK = 'synthesize first: npx cdk synth -q && npx eks-guardrails check cdk.out';
const SYNTHESIZE_CDKTF = 'synthesize first: npx cdktf synth && npx eks-guardrails check cdktf.out';

const PREVIEW_PULUMI = `check what it is about to do: ${PREVIEW} && npx eks-guardrails check preview.json`;

/** What makes something to check of a program, by the file of its project. */
const PROJECTS: readonly (readonly [file: string, instruction: string])[] = [
  ['cdk.json', SYNTHESIZE_CDK],
  ['cdktf.json', SYNTHESIZE_CDKTF],
  ['Pulumi.yaml', PREVIEW_PULUMI],
  ['Pulumi.yml', PREVIEW_PULUMI],
];

/** Languages that such programs are written in. */
const SOURCE_CODE: ReadonlySet<string> = new Set([
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.js',
  '.mjs',
  '.cjs',
  '.jsx',
  '.py',
  '.java',
  '.kt',
  '.go',
  '.cs',
  '.fs',
]);

/** What of Terragrunt can be checked. */
export const CHECK_TERRAGRUNT =
  'Terragrunt units are not read; check the plan of each: terragrunt plan -out plan.bin && terragrunt show -json plan.bin > plan.json';

/** Units and stacks. Source: gruntwork-io/terragrunt, pkg/config. */
const TERRAGRUNT_FILES = /^terragrunt(?:\.stack)?\.hcl(?:\.json)?$/;

/** Why a file that the user named is none to check, by its name alone; undefined if it may be one. */
export function whyNoInputFile(file: string): string | undefined {
  const name = basename(file);
  if (SOURCE_CODE.has(extname(name).toLowerCase()))
    return `this is source code, which is not read; ${instructionNear(file) ?? SYNTHESIZE_CDK}`;
  if (name === 'cdk.json') return `this is the configuration of a CDK app, which is not read; ${SYNTHESIZE_CDK}`;
  if (name === 'cdktf.json') return `this is the configuration of a CDKTF app, which is not read; ${SYNTHESIZE_CDKTF}`;
  if (TERRAGRUNT_FILES.test(name)) return CHECK_TERRAGRUNT;
  if (/^Pulumi(?:\.[\w-]+)?\.ya?ml$/.test(name)) return PULUMI;
  if (/\.(?:sh|bash|ps1)$/i.test(name)) return whyNoUserData('a script');
  return /^(?:Chart|values)\.ya?ml$/.test(name) && existsSync(join(dirname(file), 'Chart.yaml'))
    ? whyNoChart('part of a Helm chart', dirname(file))
    : undefined;
}

/** The same by its text. Templates of CloudFormation have neither kinds nor API versions at the top level. */
export function whyNoInputText(text: string): string | undefined {
  if (beginsAsUserData(text)) return whyNoUserData('user data');
  if (FOR_PEOPLE.test(text)) return `this is what Pulumi prints for people, which is not read; ${PREVIEW_PULUMI}`;
  if (isChartTemplate(text) && /^[^\S\n\r\u2028\u2029]*(?:apiVersion|kind)\s*:/m.test(text))
    return whyNoChart('a template of a Helm chart', 'CHART');
  const version = /^(?:[^\S\n\r\u2028\u2029]*\{\s*)?["']?apiVersion["']?\s*:\s*["']?([\w./-]+)/m.exec(text)?.[1];
  if (version === undefined || !/^(?:[^\S\n\r\u2028\u2029]*\{\s*)?["']?kind["']?\s*:|"kind"\s*:/m.test(text))
    return undefined;
  return version.startsWith('node.eks.aws/') ? NODE_CONFIG : undefined;
}

/** Whether a text is user data, or a NodeConfig, which is a part of one. */
export function isUserData(text: string): boolean {
  return beginsAsUserData(text) || /^apiVersion:\s*["']?node\.eks\.aws\//m.test(text);
}

function beginsAsUserData(text: string): boolean {
  return USER_DATA.test(text) || isWindows(text) || isBottlerocket(text);
}

const PULUMI = `this is a Pulumi project, which is not read; ${PREVIEW_PULUMI}`;
const NODE_CONFIG = whyNoUserData('a NodeConfig');

/** How scripts, cloud-config and MIME documents begin. */
const USER_DATA = /^\uFEFF?\s*(?:#!|#cloud-config\b|MIME-Version\s*:|Content-Type\s*:\s*multipart\/)/i;

/** How the output of `pulumi preview` begins, and of `pulumi up`. */
const FOR_PEOPLE = /^\s*(?:Previewing (?:update|refresh|destroy)|Updating) \(/;

/** A lone file doesn't tell what launches with it. */
function whyNoUserData(what: string): string {
  return `this is ${what}, which eks-guardrails user-data FILE takes apart`;
}

/** Whether a line of a text is an action of Go's templates, by which charts are written. */
export function isChartTemplate(text: string): boolean {
  return /^[^\S\n\r\u2028\u2029]*\{\{-?\s/m.test(text);
}

/** How a source of manifests is rendered that is not read as it is. */
export function renderChart(folder: string): string {
  return `helm template ${folder} | eks-guardrails check -`;
}

/** @param what it is: `a template of a Helm chart` */
export function whyNoChart(what: string, folder: string): string {
  return `this is ${what}, which is not rendered here; check what comes out: ${renderChart(folder)}`;
}

/** Why a folder that the user named holds nothing to check, if it is the folder of an app. */
export function whyNoInputFolder(folder: string): string | undefined {
  if (isUnsynthesized(folder)) return `this is the folder of a CDK app that is not synthesized; ${SYNTHESIZE_CDK}`;
  if (existsSync(join(folder, 'cdktf.json')) && !isWritten(folder, 'cdktf.out'))
    return `this is the folder of a CDKTF app that is not synthesized; ${SYNTHESIZE_CDKTF}`;
  if (existsSync(join(folder, 'Pulumi.yaml'))) return PULUMI;
  if (existsSync(join(folder, 'Chart.yaml'))) return whyNoChart('a Helm chart', folder);
  return KUSTOMIZATIONS.some((name) => existsSync(join(folder, name))) ? whyNoKustomization(folder) : undefined;
}

/** Source: kubernetes-sigs/kustomize, api/konfig/general.go. */
const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** @param folder of the kustomization */
export function whyNoKustomization(folder: string): string {
  return `this is a kustomization, which is not built here; check what comes out: kubectl kustomize ${folder} | eks-guardrails check -`;
}

/** Whether a folder holds an app of the CDK, and not what it makes: that is a folder with a manifest, or this one. */
function isUnsynthesized(folder: string): boolean {
  return existsSync(join(folder, 'cdk.json')) && !isWritten(folder, 'cdk.out');
}

function isWritten(folder: string, output: string): boolean {
  const written = statSync(join(folder, output), { throwIfNoEntry: false });
  return written?.isDirectory() === true ? existsSync(join(folder, output, 'manifest.json')) : written !== undefined;
}

/** What of a folder isn't read by anything here, and has to be made into something else first. */
export interface UnreadProject {
  readonly what: Skipped['what'];
  readonly isAt: (folder: string, names: readonly string[]) => boolean;
  /** What somebody makes of it is in the folder, too, and read. @default - that wouldn't be known */
  readonly madeInto?: readonly InputKind[];
  /** @param folders their names, for people */
  readonly told: (folders: string) => string;
}

export const UNREAD_PROJECTS: readonly UnreadProject[] = [
  {
    what: 'Terragrunt folder',
    isAt: (_, names) => names.some((name) => TERRAGRUNT_FILES.test(name)),
    told: (folders) => `${CHECK_TERRAGRUNT} (${folders})`,
  },
  {
    what: 'Terraform Stack',
    isAt: (_, names) => names.some((name) => /\.tf(?:stack|component|deploy)\.hcl$/.test(name)),
    told: (folders) => `Terraform Stacks are not read; check the modules that their components call (${folders})`,
  },
  {
    what: 'Pulumi project',
    isAt: (_, names) => names.some((name) => /^Pulumi\.ya?ml$/.test(name)),
    madeInto: ['pulumi-preview', 'pulumi-state'],
    told: (folders) => `Pulumi projects are not read; ${PREVIEW_PULUMI} (${folders})`,
  },
  {
    what: 'app',
    isAt: isUnsynthesized,
    told: (folders) => `apps of the CDK are not checked before they are synthesized (npx cdk synth -q): ${folders}`,
  },
  {
    what: 'app',
    isAt: (folder, names) => names.includes('cdktf.json') && !isWritten(folder, 'cdktf.out'),
    told: (folders) => `apps of CDKTF are not checked before they are synthesized (npx cdktf synth): ${folders}`,
  },
];

/** How many folders above a program its project is sought in: one of Java stands in `src/main/java/app`. */
const LEVELS = 6;

/** That of the nearest project. */
function instructionNear(file: string): string | undefined {
  let folder = dirname(file);
  for (let level = 0; level < LEVELS; level++) {
    const found = PROJECTS.find(([name]) => existsSync(join(folder, name)));
    if (found !== undefined) return found[1];
    folder = join(folder, '..');
  }
  return undefined;
}
