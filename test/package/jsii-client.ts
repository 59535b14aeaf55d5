import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A reference to an object that lives in the process of jsii. */
export interface ObjectReference {
  readonly '$jsii.byref': string;
}

/** A module of jsii, packed. */
export interface Module {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
}

/**
 * Speaks with the process in which CDK apps of other languages run their constructs, as the libraries of these languages do: a line of JSON each way.
 * Source: aws/jsii, packages/@jsii/kernel/src/api.ts and packages/@jsii/runtime/lib/host.ts.
 */
export class JsiiClient {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  /** What the process says besides. */
  errors = '';

  /** @param program of the package `@jsii/runtime` */
  constructor(program: string, options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }) {
    this.process = spawn(process.execPath, [program], { ...options, stdio: 'pipe' });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** Waits until the process is there. */
  async start(): Promise<void> {
    await this.answer();
  }

  async load({ name, version, tarball }: Module): Promise<void> {
    await this.ask({ api: 'load', name, version, tarball });
  }

  /** @param frames of the language: file, line, column (0 if it has none), function */
  async create(fqn: string, args: readonly unknown[], frames?: readonly unknown[]): Promise<ObjectReference> {
    const trace = frames === undefined ? {} : { '$jsii.stacktrace': frames };
    return (await this.ask({ api: 'create', fqn, args, ...trace })) as ObjectReference;
  }

  async invoke(objref: ObjectReference, method: string, args: readonly unknown[] = []): Promise<unknown> {
    return ((await this.ask({ api: 'invoke', objref, method, args })) as { readonly result?: unknown }).result;
  }

  async invokeStatic(fqn: string, method: string, args: readonly unknown[]): Promise<ObjectReference> {
    const { result } = (await this.ask({ api: 'sinvoke', fqn, method, args })) as { readonly result: ObjectReference };
    return result;
  }

  async get(objref: ObjectReference, property: string): Promise<unknown> {
    return ((await this.ask({ api: 'get', objref, property })) as { readonly value?: unknown }).value;
  }

  /** Ends the process; gives its exit code. */
  async stop(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    this.process.stdin.end(`${JSON.stringify({ exit: 0 })}\n`);
    return ended;
  }

  private async ask(request: object): Promise<unknown> {
    this.process.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = (await this.answer()) as { readonly ok?: unknown; readonly error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.ok;
  }

  private async answer(): Promise<unknown> {
    const line = await this.lines.next();
    if (line.done === true) throw new Error(`the process of jsii has ended\n${this.errors}`);
    return JSON.parse(line.value);
  }
}
