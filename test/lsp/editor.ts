import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type Diagnostic,
  type DidChangeWatchedFilesRegistrationOptions,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  type PublishDiagnosticsParams,
  type Range,
  type RegistrationParams,
} from 'vscode-languageserver/node';
import { serve } from '../../lib/lsp/server';
import { builtCommand } from '../cli/built-command';
import { AS_OF } from '../as-of';

/** What an editor talks to. */
interface Server {
  readonly input: Writable;
  readonly output: Readable;
  readonly exitCode: Promise<number | null>;
  /** Whether there is a process that ends when the editor says exit. */
  readonly isProcess: boolean;
}

/** A server in a process of its own, as editors start it. */
export function started(command: readonly string[] = [builtCommand(), 'lsp', '--stdio']): Server {
  const server = spawn(process.execPath, command, {
    env: { ...process.env, EKS_GUARDRAILS_AS_OF: AS_OF },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exitCode = once(server, 'exit').then(([code]) => code as number | null);
  return { input: server.stdin, output: server.stdout, exitCode, isProcess: true };
}

/** A server in this process, which works in the folder of the editor until that is gone. */
function inThisProcess(): Server {
  const [input, output, home] = [new PassThrough(), new PassThrough(), process.cwd()];
  const exitCode = serve(input, output).finally(() => {
    process.chdir(home);
  });
  return { input, output, exitCode, isProcess: false };
}

/** An editor that has a folder open, as far as the protocol goes. */
export class Editor {
  private readonly connection: MessageConnection;
  private readonly root: string;
  private readonly shown = new Map<string, readonly Diagnostic[]>();
  /** Of which files something was told, in order. */
  readonly told: string[] = [];
  private readonly waiting: (() => void)[] = [];
  /** What the server wants people to read. */
  readonly messages: string[] = [];
  /** Patterns of files that the server wants to hear of. */
  readonly watched: string[] = [];
  capabilities: InitializeResult['capabilities'] = {};

  constructor(
    folder: string,
    private readonly server = inThisProcess(),
  ) {
    this.root = realpathSync(folder);
    this.connection = createMessageConnection(
      new StreamMessageReader(server.output),
      new StreamMessageWriter(server.input),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.shown.set(params.uri, params.diagnostics);
      this.told.push(params.uri);
      for (const wake of this.waiting.splice(0)) wake();
    });
    this.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.messages.push(message);
      for (const wake of this.waiting.splice(0)) wake();
    });
    this.connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
      for (const { registerOptions } of registrations)
        for (const { globPattern } of (registerOptions as DidChangeWatchedFilesRegistrationOptions).watchers)
          if (typeof globPattern === 'string') this.watched.push(globPattern);
      for (const wake of this.waiting.splice(0)) wake();
      return null;
    });
    this.connection.listen();
  }

  /** @param other what else is said at the begin, in place of what most editors say */
  async start(initializationOptions: unknown = {}, other: Partial<InitializeParams> = {}): Promise<this> {
    const { capabilities } = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(this.root).href, name: 'shop' }],
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
      initializationOptions,
      ...other,
    });
    this.capabilities = capabilities;
    await this.connection.sendNotification('initialized', {});
    return this;
  }

  uri(name: string): string {
    return pathToFileURL(join(this.root, name)).href;
  }

  async open(name: string, text: string): Promise<readonly Diagnostic[]> {
    return this.openAt(this.uri(name), text);
  }

  async openAt(uri: string, text: string, languageId = 'any'): Promise<readonly Diagnostic[]> {
    return this.say(uri, 'textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** The first message for people. */
  async message(): Promise<string> {
    for (;;) {
      const [first] = this.messages;
      if (first !== undefined) return first;
      await this.woken();
    }
  }

  async change(name: string, text: string): Promise<readonly Diagnostic[]> {
    return this.say(this.uri(name), 'textDocument/didChange', this.version(name, 2, text));
  }

  /** Types in a place of a document, or in several one after another. */
  async type(name: string, ...contentChanges: readonly { readonly range: Range; readonly text: string }[]) {
    const textDocument = { uri: this.uri(name), version: 2 };
    return this.say(this.uri(name), 'textDocument/didChange', { textDocument, contentChanges });
  }

  /** What an editor says when a document has another text. */
  version(name: string, version: number, text: string): object {
    return { textDocument: { uri: this.uri(name), version }, contentChanges: [{ text }] };
  }

  /** Waits longer than the server waits for the next keystroke. */
  async quiet(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 400));
  }

  /** Says something without waiting for what it brings. */
  async tell(method: string, params: object): Promise<void> {
    await this.connection.sendNotification(method, params);
  }

  async close(name: string): Promise<readonly Diagnostic[]> {
    return this.closeAt(this.uri(name));
  }

  async closeAt(uri: string): Promise<readonly Diagnostic[]> {
    return this.say(uri, 'textDocument/didClose', { textDocument: { uri } });
  }

  /** What is shown of a file that the editor may not have open. */
  shownOf(name: string): readonly Diagnostic[] {
    return this.shown.get(this.uri(name)) ?? [];
  }

  async actions(name: string, range: Range, only?: readonly string[]): Promise<readonly CodeAction[]> {
    return this.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: this.uri(name) },
      range,
      context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
    });
  }

  async resolve(action: CodeAction | undefined): Promise<CodeAction> {
    return this.connection.sendRequest('codeAction/resolve', action);
  }

  async hover(name: string, line: number, character: number): Promise<Hover | null> {
    return this.connection.sendRequest('textDocument/hover', {
      textDocument: { uri: this.uri(name) },
      position: { line, character },
    });
  }

  /** Says goodbye, and gives the exit code of the server. */
  async end(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    if (this.server.isProcess) await this.connection.sendNotification('exit');
    return this.goAway();
  }

  /** Ends without a word, as an editor that crashes, and gives the exit code of the server. */
  async goAway(): Promise<number | null> {
    this.connection.dispose();
    this.server.input.destroy();
    return this.server.exitCode;
  }

  /** Waits until something is published of a file, or until the server has a message. */
  private async say(uri: string, method: string, params: object): Promise<readonly Diagnostic[]> {
    const messages = this.messages.length;
    this.shown.delete(uri);
    await this.connection.sendNotification(method, params);
    while (!this.shown.has(uri) && this.messages.length === messages) await this.woken();
    return this.shown.get(uri) ?? [];
  }

  private async woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
    });
  }
}

/** A text with an edit of an action made in it. */
export function edited(text: string, action: CodeAction | undefined, uri: string): string {
  const edits = action?.edit?.changes?.[uri] ?? [];
  const lines = text.split('\n');
  const at = ({ line, character }: Range['start']): number =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return edits
    .toSorted((one, other) => at(other.range.start) - at(one.range.start))
    .reduce((all, { range, newText }) => all.slice(0, at(range.start)) + newText + all.slice(at(range.end)), text);
}
