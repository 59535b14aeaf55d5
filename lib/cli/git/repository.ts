import { realpathSync } from 'node:fs';
import { gitRootOf, upwards } from '../../files/boundary';
import type { Repository } from '../../reports';

/** The folders of a checkout in CI systems that tell it. */
const CHECKOUTS: readonly (readonly [system: string, folder: string])[] = [
  ['GITHUB_ACTIONS', 'GITHUB_WORKSPACE'],
  ['GITLAB_CI', 'CI_PROJECT_DIR'],
];

/**
 * The repository around a folder, from whose root GitHub and GitLab want files named: the checkout that the CI system tells, or else the nearest
 * folder with `.git`. Without either the folder itself stands for it.
 */
export function repositoryAround(workingFolder: string, env: NodeJS.ProcessEnv = process.env): Repository {
  const root = checkoutOf(workingFolder, env) ?? gitRootOf(workingFolder) ?? workingFolder;
  return { root, workingFolder, otherRoots: otherRoots(root, workingFolder, env) };
}

/** What CI systems and shells call the root, where they got there through a symbolic link: people build paths from that. */
function otherRoots(root: string, workingFolder: string, env: NodeJS.ProcessEnv): string[] {
  const below = workingFolder.slice(root.length);
  const shell = env['PWD'] ?? '';
  const names = [
    ...CHECKOUTS.map(([, variable]) => env[variable] ?? ''),
    shell.endsWith(below) ? shell.slice(0, shell.length - below.length) : '',
  ];
  return [...new Set(names)].filter((name) => name !== '' && name !== root && realPathOf(name) === root);
}

function checkoutOf(workingFolder: string, env: NodeJS.ProcessEnv): string | undefined {
  for (const [system, variable] of CHECKOUTS) {
    const folder = env[variable] ?? '';
    if (env[system] !== 'true' || folder === '') continue;
    const real = realPathOf(folder);
    if (upwards(workingFolder).includes(real)) return real;
  }
  return undefined;
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
