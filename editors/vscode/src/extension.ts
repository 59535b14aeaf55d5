import {
  commands,
  window,
  workspace,
  type ExtensionContext,
  type LogOutputChannel,
  type WorkspaceFolder,
} from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { serverOf } from './command';
import { SECTION, settingsOf } from './settings';

/** Names of files that the server may have something to say of: it looks at what they hold. */
const FILES = '**/*.{tf,tofu,tfvars,tftpl,tpl,json,yaml,yml,template,sh,ps1,toml,mime}';

/** A server for each folder, because it judges one. Started and stopped one after another. */
class Servers {
  private clients: readonly LanguageClient[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly log: LogOutputChannel) {}

  /** Starts all anew, with the settings of now. */
  restart(): Promise<void> {
    return this.after(async () => {
      await this.stopAll();
      const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
      this.clients = folders.flatMap((folder, index) => this.clientOf(folder, index === 0) ?? []);
      // What fails is told by the client.
      await Promise.allSettled(this.clients.map((client) => client.start()));
    });
  }

  stop(): Promise<void> {
    return this.after(() => this.stopAll());
  }

  private after(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step, step);
    return this.last;
  }

  private async stopAll(): Promise<void> {
    const { clients } = this;
    this.clients = [];
    // One that never started has nothing to stop.
    await Promise.allSettled(clients.map((client) => client.dispose()));
  }

  /** @param isFirst also has the documents that belong to no folder yet */
  private clientOf(folder: WorkspaceFolder, isFirst: boolean): LanguageClient | undefined {
    const { enable, path, server: initializationOptions } = settingsOf(folder);
    if (!enable) return undefined;
    const server = serverOf(folder.uri.fsPath, path);
    if (server === undefined) {
      // Not every folder with a YAML file has to do with EKS: nobody is interrupted.
      this.log.info(
        `${folder.name}: eks-guardrails is not installed there. "npm install --save-dev eks-guardrails vscode-languageserver" does that, or name the command in the setting ${SECTION}.path.`,
      );
      return undefined;
    }
    return new LanguageClient(SECTION, `eks-guardrails (${folder.name})`, server, {
      workspaceFolder: folder,
      documentSelector: [
        { scheme: 'file', pattern: { baseUri: folder.uri.toString(), pattern: FILES } },
        ...(isFirst ? [{ scheme: 'untitled' }] : []),
      ],
      initializationOptions,
      outputChannel: this.log,
    });
  }
}

let servers: Servers | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('eks-guardrails', { log: true });
  const all = new Servers(log);
  servers = all;
  context.subscriptions.push(
    log,
    commands.registerCommand(`${SECTION}.restart`, () => all.restart()),
    workspace.onDidChangeWorkspaceFolders(() => all.restart()),
    workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration(SECTION) ? all.restart() : undefined)),
  );
  await all.restart();
}

export function deactivate(): Promise<void> | undefined {
  return servers?.stop();
}
