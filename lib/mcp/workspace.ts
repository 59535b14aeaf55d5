import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { codeOf } from '../files/read';
import { ToolError } from './tool';

/** What a command printed. */
export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Paths of a call. Each is looked up, while nobody else is answered. */
const MOST_PATHS = 1000;

/** After so long a command is ended: an agent waits for it. */
const LONGEST_SECONDS = 120;

/**
 * The folder that an agent works in, and commands in it. Each runs in a process of its own: it reads what is there now, it can be ended, and what
 * exhausts it doesn't end the server.
 */
export class Workspace {
  private readonly root: string;

  /** @throws ToolError if there is no such folder */
  constructor(folder: string) {
    const root = realPathOf(resolve(folder));
    if (root === undefined || !statSync(root).isDirectory())
      throw new ToolError(`the workspace ${folder} is no folder that can be read`);
    this.root = root;
  }

  /**
   * Paths as a command in this folder takes them.
   * @throws ToolError for what is no file or folder of the workspace, and for too many
   */
  paths(given: readonly string[]): readonly string[] {
    if (given.length > MOST_PATHS)
      throw new ToolError(`${given.length} paths are more than ${MOST_PATHS}: name the folders that hold them`);
    return given.map((path) => {
      if (path === '' || path.includes('\0')) throw new ToolError('a path is empty, or none');
      const inside = relative(this.root, resolve(this.root, path));
      if (isOutside(inside)) throw new ToolError(`${path} is outside of the workspace; only what is in it is read`);
      const real = realPathOf(join(this.root, inside));
      if (real === undefined)
        throw new ToolError(
          `${path} isn't in the workspace: name files and folders by their paths from its root, no patterns`,
        );
      if (isOutside(relative(this.root, real)))
        throw new ToolError(`${path} is a link that leads out of the workspace, so it isn't read`);
      // By itself, a hyphen is the standard input.
      return inside === '-' ? `.${sep}-` : inside || '.';
    });
  }

  /**
   * Runs eks-guardrails in the workspace, without code of a configuration file.
   * @param input what the command reads from its standard input
   * @throws ToolError if it takes too long, or can't be given what an agent says
   */
  async run(args: readonly string[], signal: AbortSignal, input = ''): Promise<Printed> {
    if (args.some((argument) => argument.includes('\0')))
      throw new ToolError('what is given has the character NUL in it, which is no text; leave it out');
    const child = this.start(args, signal);
    // A command that ends before it has read everything has said why.
    Readable.from([input])
      .pipe(child.stdin)
      .on('error', () => undefined);
    const ended = new Promise<number | null>((fulfil, reject) => {
      child.on('error', reject).on('close', fulfil);
    });
    const [exitCode, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (exitCode === null)
      throw new ToolError(`it took more than ${LONGEST_SECONDS} seconds and was ended; name fewer files`);
    return { exitCode, stdout, stderr };
  }

  private start(args: readonly string[], signal: AbortSignal): ChildProcessWithoutNullStreams {
    try {
      return spawn(process.execPath, [join(__dirname, '..', 'cli', 'main.js'), ...args], {
        cwd: this.root,
        env: { ...process.env, EKS_GUARDRAILS_NO_CONFIG_CODE: '1', NO_COLOR: '1' },
        stdio: ['pipe', 'pipe', 'pipe'],
        signal,
        timeout: LONGEST_SECONDS * 1000,
        killSignal: 'SIGKILL',
      });
    } catch (error) {
      // A system takes so many characters for a command.
      if (codeOf(error) !== 'E2BIG') throw error;
      throw new ToolError('what is given is too long for a command; name less');
    }
  }
}

function isOutside(inside: string): boolean {
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
