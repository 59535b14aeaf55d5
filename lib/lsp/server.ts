import type { Readable, Writable } from 'node:stream';
import {
  createConnection,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  type Connection,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import type { Preset } from '../engine';
import { LastReading } from '../languages/reread';
import { allRules } from '../rules';
import { packageVersion } from '../version';
import { checkAround, type Settings } from './check';
import { ACTION_KINDS, actionsAt, withEdit } from './code-actions';
import { shownOf } from './diagnostics';
import { Documents, isFile, leadsNowhere, pathOf } from './documents';
import { ShownChecks } from './shown-checks';

/** A pause in typing: longer than a keystroke takes, shorter than anybody waits for. */
const PAUSE_MS = 150;

/**
 * Serves an editor until it says goodbye. Gives the exit code, after the protocol: 1 if it just went away.
 * @param input what the editor says
 * @param output what it is told
 */
export async function serve(input: Readable = process.stdin, output: Writable = process.stdout): Promise<number> {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  return new Session(connection).run(input);
}

/** What an editor and the checks have with each other. */
class Session {
  private readonly documents = new Documents();
  private settings: Settings = {};
  private watches = false;
  private readonly checks: ShownChecks;
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  /** What was read for each document, of which its next check takes over what stays. */
  private readonly read = new Map<string, LastReading>();
  private lastProblem = '';
  /** Why the folder that the editor has open isn't where paths of the settings begin. */
  private rootProblem: string | undefined;

  constructor(private readonly connection: Connection) {
    this.checks = new ShownChecks(this.documents, (params) => void connection.sendDiagnostics(params));
  }

  /** @param input tells by its end that the editor went away */
  run(input: Readable): Promise<number> {
    const { connection, documents } = this;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => {
      this.watchFiles();
      if (this.rootProblem !== undefined) this.show(MessageType.Warning, this.rootProblem);
    });
    connection.onDidOpenTextDocument(({ textDocument: { uri, version, text, languageId } }) => {
      this.changed(documents.put(uri, version, text, languageId), 0);
      if (leadsNowhere(uri)) this.tellUnchecked(uri);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      this.changed(documents.change(uri, version, contentChanges), PAUSE_MS);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = documents.close(uri);
      this.closed(path);
      // What was shown of a document without a file is taken away under its own address.
      if (leadsNowhere(uri) || (path !== undefined && !isFile(uri)))
        void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
    connection.onDidChangeWatchedFiles(() => {
      for (const { path } of documents.all()) this.changed(path, PAUSE_MS);
    });
    connection.onCodeAction((params) => actionsAt(params, this.checks, documents));
    connection.onCodeActionResolve((action) =>
      withEdit(action, this.checks, documents, (why) => {
        this.show(MessageType.Warning, why);
      }),
    );
    connection.onHover((params) => this.hover(params));
    return new Promise((fulfil) => {
      // The library ends the process when the editor then says exit.
      connection.onShutdown(() => {
        fulfil(0);
      });
      input.once('close', () => {
        fulfil(1);
      });
      connection.listen();
    });
  }

  private initialize({ workspaceFolders, capabilities, initializationOptions }: InitializeParams): InitializeResult {
    const root = workspaceFolders?.[0]?.uri;
    if (root !== undefined && isFile(root)) this.rootProblem = enter(root);
    this.settings = settingsOf(initializationOptions);
    this.watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'eks-guardrails', version: packageVersion() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ACTION_KINDS, resolveProvider: true },
      },
    };
  }

  /** Tells it of a document for as long as that is open. */
  private tellUnchecked(uri: string): void {
    const start = { line: 0, character: 0 };
    const message = `not checked: ${NO_PATH} ${uri}`;
    const diagnostic = {
      severity: DiagnosticSeverity.Error,
      source: 'eks-guardrails',
      range: { start, end: start },
      message,
    };
    void this.connection.sendDiagnostics({ uri, diagnostics: [diagnostic] });
  }

  private watchFiles(): void {
    if (!this.watches) return;
    void this.connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*.{tf,tofu,tfvars,tftpl,tpl,json,yaml,yml,template,sh,ps1,toml,mime}' }],
    });
  }

  /** Has a document checked, after a pause. */
  private changed(path: string | undefined, pause: number): void {
    if (path === undefined) return;
    clearTimeout(this.waiting.get(path));
    this.waiting.set(
      path,
      setTimeout(() => {
        this.waiting.delete(path);
        this.checkAround(path);
      }, pause),
    );
  }

  private closed(path: string | undefined): void {
    if (path === undefined) return;
    clearTimeout(this.waiting.get(path));
    this.waiting.delete(path);
    this.read.delete(path);
    this.checks.removeUnused();
  }

  private checkAround(path: string): void {
    const { documents, settings } = this;
    try {
      const last = this.read.get(path) ?? new LastReading();
      this.read.set(path, last);
      const check = checkAround(path, documents, settings, last);
      if (check === undefined) this.checks.remove(path);
      else this.checks.put({ check, shown: shownOf(check.result, documents, settings.unverifiable === true) });
      this.lastProblem = '';
    } catch (error) {
      // A configuration that is being written is broken at every other keystroke.
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.lastProblem) this.show(MessageType.Error, problem);
      this.lastProblem = problem;
    }
  }

  private show(type: MessageType, message: string): void {
    void this.connection.sendNotification(ShowMessageNotification.type, {
      type,
      message: `eks-guardrails: ${message}`,
    });
  }

  private hover({ textDocument: { uri }, position }: TextDocumentPositionParams): Hover | undefined {
    const [first] = this.checks
      .at(uri, { start: position, end: position })
      .filter(({ finding }) => finding !== undefined);
    const rule = allRules.find(({ id }) => id === first?.finding?.rule);
    if (first?.finding === undefined || rule === undefined) return undefined;
    const { fix, fixCode, docs } = first.finding;
    const value = [
      `**${rule.title}**`,
      rule.symptom,
      fix,
      ...(fixCode === undefined ? [] : [`\`\`\`\n${fixCode}\n\`\`\``]),
      `[${rule.id}](${docs})`,
    ].join('\n\n');
    return { contents: { kind: 'markdown', value }, range: first.diagnostic.range };
  }
}

const NO_PATH = 'no path of this machine leads to';

/** Makes a folder the one in which paths begin. Gives why not. */
function enter(uri: string): string | undefined {
  const folder = pathOf(uri);
  if (folder === undefined) return `${NO_PATH} ${uri}`;
  try {
    process.chdir(folder);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What an editor sends is anybody's JSON. */
function settingsOf(given: unknown): Settings {
  const { paths, preset, configCode, unverifiable } = (
    typeof given === 'object' && given !== null ? given : {}
  ) as Record<string, unknown>;
  return {
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    // One that isn't there is told when it is used.
    ...(typeof preset === 'string' ? { preset: preset as Preset } : {}),
    configCode: configCode === true,
    unverifiable: unverifiable === true,
  };
}
