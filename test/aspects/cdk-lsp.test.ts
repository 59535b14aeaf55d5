import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { builtCommand, projectRoot } from '../cli/built-command';
import { itWithAll } from '../share';

interface Diagnostic {
  readonly range: { readonly start: { readonly line: number } };
  readonly severity: number;
  readonly source: string;
  readonly code?: string;
  readonly message: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** An editor, as far as the language server of the CDK's command needs one. */
class Editor {
  /** The last ones of each file, by its name. */
  readonly diagnostics = new Map<string, readonly Diagnostic[]>();
  private readonly server: ChildProcess;
  private readonly answers = new Map<number, (result: unknown) => void>();
  private received = Buffer.alloc(0);
  private requests = 0;

  constructor(private readonly folder: string) {
    this.server = spawn(process.execPath, [join(projectRoot, 'node_modules/aws-cdk/bin/cdk'), 'lsp'], {
      cwd: folder,
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    });
    this.server.stdout?.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
      for (let message = this.take(); message !== undefined; message = this.take()) this.hear(message);
    });
  }

  async open(file: string): Promise<void> {
    const uri = pathToFileURL(this.folder).href;
    await this.request('initialize', {
      processId: process.pid,
      rootUri: uri,
      initializationOptions: { applicationDir: this.folder },
      capabilities: { textDocument: { publishDiagnostics: {} } },
    });
    this.say({ method: 'initialized', params: {} });
    const text = readFileSync(file, 'utf8');
    this.say({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text } },
    });
  }

  request(method: string, params?: object): Promise<unknown> {
    const id = ++this.requests;
    return new Promise((resolve) => {
      this.answers.set(id, resolve);
      this.say({ id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  async close(): Promise<void> {
    await this.request('shutdown');
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.say({ method: 'exit' });
    await ended;
  }

  kill(): void {
    this.server.kill();
  }

  private say(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  private take(): Message | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    const [, length = ''] = /Content-Length: (\d+)/i.exec(this.received.subarray(0, Math.max(end, 0)).toString()) ?? [];
    if (end < 0 || this.received.length < end + 4 + Number(length)) return undefined;
    const text = this.received.subarray(end + 4, end + 4 + Number(length)).toString();
    this.received = this.received.subarray(end + 4 + Number(length));
    return JSON.parse(text) as Message;
  }

  private hear({ id, method, params, result }: Message): void {
    if (id !== undefined && method === undefined) this.answers.get(id)?.(result);
    // Whatever the server asks for, this editor has nothing to say.
    else if (id !== undefined) this.say({ id, result: null });
    if (method !== 'textDocument/publishDiagnostics') return;
    const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
    this.diagnostics.set(basename(fileURLToPath(uri)), diagnostics);
  }
}

describe('the language server of the CDK', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-lsp-')));
  const editor = { current: undefined as Editor | undefined };

  afterAll(() => {
    editor.current?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  itWithAll('shows the findings of the plugin in the editor, at the constructs', async () => {
    builtCommand();
    cpSync(join(projectRoot, 'examples/aws-cdk/misconfigured'), folder, { recursive: true });
    for (const [name, target] of [
      ...['aws-cdk-lib', 'constructs'].map((name) => [name, join(projectRoot, 'node_modules', name)] as const),
      ['eks-guardrails', projectRoot] as const,
    ]) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(target, join(folder, 'node_modules', name), 'dir');
    }
    const tsx = join(projectRoot, 'node_modules/tsx/dist/cli.mjs');
    writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app: `"${process.execPath}" "${tsx}" app.ts` }));
    const file = join(folder, 'imds-hop-limit.ts');

    const server = (editor.current = new Editor(folder));
    await server.open(file);
    await server.request('workspace/executeCommand', { command: 'cdk.explorer.synthNow', arguments: [] });
    for (let waited = 0; waited < 60_000 && !server.diagnostics.has(basename(file)); waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();

    const lines = readFileSync(file, 'utf8').split('\n');
    const shown = (server.diagnostics.get(basename(file)) ?? [])
      .filter(({ severity }) => severity < 3)
      .map(({ source, code, severity, range }) => [source, code, severity, lines[range.start.line]?.trim()]);
    expect(shown).toEqual([
      ['EksGuardrails', 'imds-hop-limit', 1, "const hardened = new ec2.LaunchTemplate(this, 'Hardened', {"],
      ['EksGuardrails', 'imds-hop-limit', 1, "new eks.Nodegroup(this, 'Batch', {"],
    ]);
  });
});
