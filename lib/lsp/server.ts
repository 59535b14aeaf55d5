import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type Connection,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type Range,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { allRules } from '../rules';
import { packageVersion } from '../version';
import { Check, type Settings } from './check';
import { shownOf, type Shown } from './diagnostics';
import { Documents, realPathOf } from './documents';
import { editOfFiles, workspaceEdit } from './edits';

const FIX_ALL = `${CodeActionKind.SourceFixAll}.eksGuardrails`;

/** A pause in typing: longer than a keystroke takes, shorter than anybody waits for. */
const PAUSE_MS = 150;

/** Serves an editor on standard input and output until it says goodbye. Gives the exit code, after the protocol: 1 if it just went away. */
export async function serve(): Promise<number> {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  );
  const session = new Session(connection);
  return session.run();
}

/** What an editor and the checks have with each other. */
class Session {
  private readonly documents = new Documents();
  private settings: Settings = {};
  private watches = false;
  /** The last check of what belongs together, and what it showed, by its paths. */
  private readonly checks = new Map<string, { readonly check: Check; readonly shown: readonly Shown[] }>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private lastProblem = '';

  constructor(private readonly connection: Connection) {}

  run(): Promise<number> {
    const { connection, documents } = this;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => {
      this.watchFiles();
    });
    connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
      this.changed(documents.put(uri, version, text), 0);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const text = contentChanges.at(-1)?.text;
      if (text !== undefined) this.changed(documents.put(uri, version, text), PAUSE_MS);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      this.closed(documents.close(uri));
    });
    connection.onDidChangeWatchedFiles(() => {
      for (const { path } of documents.all()) this.changed(path, PAUSE_MS);
    });
    connection.onCodeAction((params) => this.actions(params));
    connection.onCodeActionResolve((action) => this.resolved(action));
    connection.onHover((params) => this.hover(params));
    return new Promise((fulfil) => {
      // The library ends the process when the editor then says exit.
      connection.onShutdown(() => {
        fulfil(0);
      });
      process.stdin.once('close', () => {
        fulfil(1);
      });
      connection.listen();
    });
  }

  private initialize({ workspaceFolders, capabilities, initializationOptions }: InitializeParams): InitializeResult {
    const root = workspaceFolders?.[0]?.uri;
    if (root?.startsWith('file:') === true) process.chdir(fileURLToPath(root));
    this.settings = settingsOf(initializationOptions);
    this.watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'eks-guardrails', version: packageVersion() },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: false },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL], resolveProvider: true },
      },
    };
  }

  private watchFiles(): void {
    if (!this.watches) return;
    void this.connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*.{tf,tfvars,json,yaml,yml,template}' }],
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
    for (const [key, { check }] of this.checks) {
      const isStillOpen = this.documents.all().some((open) => this.keyAround(open.path) === key);
      if (isStillOpen) continue;
      if (check.paths.length > 0) this.publish(key, undefined);
    }
  }

  private keyAround(path: string): string {
    return JSON.stringify(Check.pathsAround(path, this.documents, this.settings) ?? []);
  }

  private checkAround(path: string): void {
    const key = this.keyAround(path);
    try {
      const check = Check.around(path, this.documents, this.settings);
      const { unverifiable = false } = this.settings;
      this.publish(key, check && { check, shown: shownOf(check.result, this.documents, unverifiable) });
      this.lastProblem = '';
    } catch (error) {
      // A configuration that is being written is broken at every other keystroke.
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.lastProblem) this.show(MessageType.Error, problem);
      this.lastProblem = problem;
    }
  }

  /** Shows what a check found, and takes away what the one before has shown of the same. */
  private publish(key: string, now: { readonly check: Check; readonly shown: readonly Shown[] } | undefined): void {
    const before = this.checks.get(key);
    if (now === undefined) this.checks.delete(key);
    else this.checks.set(key, now);
    const shown = [...(before?.shown ?? []), ...(now?.shown ?? [])].map(({ path }) => path);
    const open = this.documents.all().flatMap(({ path }) => (this.keyAround(path) === key ? [path] : []));
    // What somebody looks at comes last, so that all is there when that is.
    for (const path of new Set([...shown.filter((one) => !open.includes(one)), ...open])) {
      const version = this.documents.at(path)?.version;
      void this.connection.sendDiagnostics({
        uri: this.documents.uriOf(path),
        ...(version === undefined ? {} : { version }),
        diagnostics: [...this.checks.values()].flatMap(({ shown }) =>
          shown.filter((one) => one.path === path).map(({ diagnostic }) => diagnostic),
        ),
      });
    }
  }

  private show(type: MessageType, message: string): void {
    void this.connection.sendNotification(ShowMessageNotification.type, {
      type,
      message: `eks-guardrails: ${message}`,
    });
  }

  /** What is shown in a document and touches a range, with the check that found it. */
  private at(uri: string, range: Range): readonly (Shown & { readonly check: Check })[] {
    return [...this.checks.values()].flatMap(({ check, shown }) =>
      shown
        .filter(({ path, diagnostic }) => this.documents.uriOf(path) === uri && touches(diagnostic.range, range))
        .map((one) => ({ ...one, check })),
    );
  }

  private actions({ textDocument: { uri }, range, context }: CodeActionParams): CodeAction[] {
    const wants = (kind: string): boolean =>
      context.only === undefined || context.only.some((one) => kind === one || kind.startsWith(`${one}.`));
    const actions: CodeAction[] = [];
    if (wants(CodeActionKind.QuickFix))
      for (const { check, finding, diagnostic } of this.at(uri, range)) {
        if (finding === undefined) continue;
        const { safety, effect, edits = [] } = check.offers.withEdits(finding) ?? {};
        const common = { kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] };
        if (edits.length > 0)
          actions.push({
            ...common,
            title: `Fix ${finding.rule}${safety === 'unsafe' ? ` (${effect ?? 'needs a decision'})` : ''}`,
            isPreferred: safety === 'safe',
            edit: workspaceEdit(edits, (file) => realPathOf(resolve(file)), this.documents),
          });
        actions.push({
          ...common,
          title: `Accept ${finding.rule} for 30 days, and write the reason`,
          data: { uri, rule: finding.rule, range: diagnostic.range },
        });
      }
    const path = this.documents.all().find((document) => document.uri === uri)?.path;
    if (wants(FIX_ALL) && path !== undefined && this.checks.has(this.keyAround(path)))
      actions.push({ title: 'Fix everything that is safe to fix', kind: FIX_ALL, data: { uri } });
    return actions;
  }

  /** Works out an edit that takes checks of its own. */
  private async resolved(action: CodeAction): Promise<CodeAction> {
    const { uri, rule, range } = action.data as {
      readonly uri: string;
      readonly rule?: string;
      readonly range?: Range;
    };
    if (rule === undefined || range === undefined) {
      const path = this.documents.all().find((document) => document.uri === uri)?.path;
      const check = path === undefined ? undefined : this.checks.get(this.keyAround(path))?.check;
      return { ...action, edit: editOfFiles((await check?.repaired()) ?? [], this.documents) };
    }
    const found = this.at(uri, range).find(({ finding }) => finding?.rule === rule);
    const files = found?.finding === undefined ? [] : await found.check.accepted(found.finding);
    if (files.length === 0)
      this.show(
        MessageType.Warning,
        `${rule} can't be accepted here by itself: eks-guardrails explain ${rule} tells how`,
      );
    return { ...action, edit: editOfFiles(files, this.documents) };
  }

  private hover({ textDocument: { uri }, position }: TextDocumentPositionParams): Hover | undefined {
    const [first] = this.at(uri, { start: position, end: position }).filter(({ finding }) => finding !== undefined);
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

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** What an editor sends is anybody's JSON. */
function settingsOf(given: unknown): Settings {
  const { paths, configCode, unverifiable } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  return {
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
    configCode: configCode === true,
    unverifiable: unverifiable === true,
  };
}
