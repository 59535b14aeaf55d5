import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

interface Request {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string | Uint8Array;
}

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Minutes would be a hang: the longest of the commands takes seconds. */
const PATIENCE = 300_000;

/** A thread of its own, where the compiled command is loaded once and runs many command lines: most of what a start takes is loading. */
export class CommandThread {
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private readonly port: MessagePort;

  /** @param program path of lib/cli/program.ts, or of the bundle that has it */
  constructor(program: string, code = join(__dirname, 'command-worker.js'), data: object = {}) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const worker = new Worker(code, {
      workerData: { ...data, program, port: port2, signal: this.signal },
      transferList: [port2],
    });
    worker.unref();
    port1.unref();
  }

  /** Runs one command line, and waits for its end. */
  run(request: Request): Answer {
    const home = process.cwd();
    process.chdir(request.cwd);
    try {
      this.port.postMessage({ ...request, cwd: process.cwd() });
      // The call of the answer before may come late, when it has been taken already.
      while (Atomics.load(this.signal, 0) === 0)
        if (Atomics.wait(this.signal, 0, 0, PATIENCE) === 'timed-out')
          throw new Error(`no end of: ${request.args.join(' ')}`);
      Atomics.store(this.signal, 0, 0);
    } finally {
      process.chdir(home);
    }
    const answer = receiveMessageOnPort(this.port)?.message as Answer | { readonly error: string } | undefined;
    if (answer === undefined || 'error' in answer)
      throw new Error(`the command broke: ${answer?.error ?? 'it gave no answer'}`);
    return answer;
  }
}

/** Without what the terminal of the tester wants, and where the tests run: neither must decide. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TF_BUILD|TEAMCITY_VERSION|GITHUB_\w+|GITLAB_CI|CI_PROJECT_DIR)$/.test(
          name,
        ),
    ),
  );
}
