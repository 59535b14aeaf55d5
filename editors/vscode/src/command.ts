import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { TransportKind, type ServerOptions } from 'vscode-languageclient/node';

const PACKAGE = 'eks-guardrails';
const ARGUMENTS = ['lsp'];

/**
 * How the server of a folder is started.
 * @param path the command that a user named; empty for the package that the folder has installed
 * @returns undefined if nothing was named and nothing is installed
 */
export function serverOf(folder: string, path: string): ServerOptions | undefined {
  const named = /[/\\]/.test(path) ? resolve(folder, path) : path;
  if (named !== '' && !/\.[cm]?js$/.test(named)) return program(named, folder);
  const module = named === '' ? installedIn(folder) : named;
  return module === undefined
    ? undefined
    : // In the Node.js of the editor, so that no other is needed.
      { module, args: ARGUMENTS, transport: TransportKind.stdio, options: { cwd: folder } };
}

function program(command: string, cwd: string): ServerOptions {
  // What npm puts on the PATH of Windows are scripts of its shell.
  const isWindows = process.platform === 'win32';
  return {
    command: isWindows ? `"${command}"` : command,
    args: ARGUMENTS,
    transport: TransportKind.stdio,
    options: { cwd, shell: isWindows },
  };
}

/** The file of the command that a folder, or one above it, has installed. */
function installedIn(folder: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve(`${PACKAGE}/package.json`);
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
    return bin[PACKAGE] === undefined ? undefined : join(dirname(manifest), bin[PACKAGE]);
  } catch {
    // Not installed, or by half.
    return undefined;
  }
}
