import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileText } from '../../files/read';
import type { FrontEnds } from './front-ends';

/** Commands that run in one folder, one after another, in one shell. */
export interface Step {
  readonly folder: string;
  readonly commands: readonly string[];
}

/** How the apps of a folder are synthesized. */
export interface Synthesis {
  readonly steps: readonly Step[];
  /** What is written, and then checked. */
  readonly outputs: readonly string[];
  /** `cdktf get` asks Terraform for the schemas of providers. */
  readonly needsTerraform: boolean;
  /** What a job needs besides, in sentences. */
  readonly missing: readonly string[];
}

/** @param venv what has to run before `python3 -m venv` works there */
export function synthesisOf(root: string, { cdk, cdktf }: FrontEnds, venv: readonly string[]): Synthesis {
  const apps = [...cdk.map((folder) => cdkApp(root, folder)), ...cdktf.map((folder) => cdktfApp(root, folder))];
  const installed = new Map<string, Step>();
  const own: Step[] = [];
  const missing: string[] = [];
  for (const { folder, program, synthesis } of apps) {
    const node = NODE.test(program ?? 'node') ? nodePackages(root, folder) : undefined;
    const python = PYTHON.test(program ?? '') ? pythonPackages(root, folder, venv) : undefined;
    if (node !== undefined) installed.set(node.folder, node);
    else if (python === undefined)
      missing.push(
        `The job installs nothing for the app in ${folder === '.' ? 'this folder' : folder}${program === undefined ? '' : ` (${program})`}: add what it needs.`,
      );
    own.push({ folder, commands: [...(python ?? []), ...synthesis] });
  }
  return {
    steps: [...installed.values(), ...own],
    outputs: apps.map(({ folder, output }) => within(folder, output)),
    needsTerraform: apps.some(({ generates }) => generates),
    missing,
  };
}

interface App {
  readonly folder: string;
  /** The program that the app is, as far as its file tells. */
  readonly program: string | undefined;
  readonly output: string;
  readonly synthesis: readonly string[];
  readonly generates: boolean;
}

/** Where the CDK app in a folder puts out what it synthesizes. */
export function outputFolderOf(folder: string): string {
  return join(folder, textOf(settingsIn(join(folder, 'cdk.json')).output) ?? 'cdk.out');
}

/** Whether the CDK app in a folder is one of JavaScript or TypeScript, as far as its file tells. */
export function runsOnNode(root: string, folder: string): boolean {
  return NODE.test(cdkApp(root, folder).program ?? 'node');
}

function cdkApp(root: string, folder: string): App {
  const { app, output } = settingsIn(join(root, folder, 'cdk.json'));
  return {
    folder,
    program: textOf(app),
    output: textOf(output) ?? 'cdk.out',
    synthesis: ['npx --yes aws-cdk@2 synth --quiet'],
    generates: false,
  };
}

function cdktfApp(root: string, folder: string): App {
  const isTerrain = existsSync(join(root, folder, 'cdktn.json'));
  const { app, output, terraformProviders, terraformModules } = settingsIn(
    join(root, folder, isTerrain ? 'cdktn.json' : 'cdktf.json'),
  );
  const generates = [terraformProviders, terraformModules].some((list) => Array.isArray(list) && list.length > 0);
  const cli = `npx --yes ${isTerrain ? 'cdktn' : 'cdktf'}-cli`;
  return {
    folder,
    program: textOf(app),
    output: textOf(output) ?? 'cdktf.out',
    synthesis: [...(generates ? [`${cli} get`] : []), `${cli} synth`],
    generates,
  };
}

/** Programs that find their packages in `node_modules`, or through a virtual environment. */
const NODE = /\b(?:node|npx|npm|yarn|pnpm|bun|tsx|ts-node)\b/;
const PYTHON = /\bpython(?:3(?:\.\d+)?)?\b/;

/** By the file that a package manager leaves; those with a frozen list come first. */
const NODE_INSTALLATIONS: readonly (readonly [file: string, commands: readonly string[]])[] = [
  ['npm-shrinkwrap.json', ['npm ci']],
  ['package-lock.json', ['npm ci']],
  ['pnpm-lock.yaml', ['corepack enable', 'pnpm install --frozen-lockfile']],
  ['.yarnrc.yml', ['corepack enable', 'yarn install --immutable']],
  ['yarn.lock', ['yarn install --frozen-lockfile']],
  ['bun.lock', ['npx --yes bun install --frozen-lockfile']],
  ['bun.lockb', ['npx --yes bun install --frozen-lockfile']],
];

/** The installation of an app's packages: its own, or that of a folder above which installs for it. */
function nodePackages(root: string, folder: string): Step | undefined {
  const isPackage = existsSync(join(root, folder, 'package.json'));
  for (const place of upwards(folder)) {
    // The list of another package says nothing of this one's, save for a workspace.
    if (place !== folder && isPackage && !isWorkspace(join(root, place))) continue;
    const [, commands] = NODE_INSTALLATIONS.find(([file]) => existsSync(join(root, place, file))) ?? [];
    if (commands !== undefined) return { folder: place, commands };
  }
  const place = upwards(folder).find((one) => existsSync(join(root, one, 'package.json')));
  return place === undefined ? undefined : { folder: place, commands: ['npm install'] };
}

function isWorkspace(folder: string): boolean {
  return (
    existsSync(join(folder, 'pnpm-workspace.yaml')) ||
    settingsIn(join(folder, 'package.json'))['workspaces'] !== undefined
  );
}

function pythonPackages(root: string, folder: string, venv: readonly string[]): readonly string[] | undefined {
  const place = upwards(folder).find((one) => existsSync(join(root, one, 'requirements.txt')));
  if (place === undefined) return undefined;
  // The Python of a system lets nobody install packages beside its own.
  return [
    ...venv,
    'python3 -m venv .venv',
    '. .venv/bin/activate',
    `pip install -r ${relative(folder, within(place, 'requirements.txt')).replaceAll('\\', '/')}`,
  ];
}

/** A folder and those above it, up to the one where the search began. */
function upwards(folder: string): readonly string[] {
  return folder === '.' ? ['.'] : [folder, ...upwards(dirname(folder))];
}

/** A path from the root, by one from a folder in it. */
function within(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`;
}

function settingsIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const content = JSON.parse(fileText(file)) as unknown;
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
