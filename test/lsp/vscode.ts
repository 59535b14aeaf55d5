import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { buildSync } from 'esbuild';
import { projectRoot } from '../cli/built-command';

const ofNode = createRequire(__filename);

/** What `vscode-languageclient` of the extension's lock file is asked for, as far as the extension does. */
interface ServerOptions {
  /** A file that runs in the Node.js of the editor. */
  readonly module?: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly transport: number;
  readonly options: { readonly cwd: string };
}

interface ClientOptions {
  readonly workspaceFolder: { readonly name: string };
  readonly documentSelector: readonly {
    readonly scheme: string;
    readonly pattern?: { readonly baseUri: string; readonly pattern: string };
  }[];
  readonly initializationOptions: object;
}

export interface StartedClient {
  readonly id: string;
  readonly server: ServerOptions;
  readonly options: ClientOptions;
  state: 'started' | 'disposed';
}

interface Extension {
  activate(context: { readonly subscriptions: object[] }): Promise<void>;
  deactivate(): Promise<void> | undefined;
}

/** VS Code with the extension, whose code is bundled as for its package, and folders that it has open. Stands in for the API and the client of the protocol. */
export class VsCode {
  readonly clients: StartedClient[] = [];
  readonly commands = new Map<string, () => unknown>();
  readonly log: string[] = [];
  /** Settings that were asked for, with the value that counts where nothing is set. */
  readonly asked = new Map<string, unknown>();
  private readonly listeners: ((change: { affectsConfiguration: () => boolean }) => unknown)[] = [];
  private readonly extension: Extension;

  constructor(
    private readonly folders: readonly string[],
    private settings: Readonly<Record<string, unknown>> = {},
  ) {
    const { outputFiles } = buildSync({
      entryPoints: [join(projectRoot, 'editors/vscode/src/extension.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode', 'vscode-languageclient/node'],
      write: false,
    });
    const module = { exports: {} };
    const run = compileFunction(outputFiles[0]?.text ?? '', ['require', 'module', 'exports']) as (
      ...parts: readonly unknown[]
    ) => void;
    run((name: string) => this.required(name), module, module.exports);
    this.extension = module.exports as Extension;
  }

  async start(): Promise<this> {
    await this.extension.activate({ subscriptions: [] });
    return this;
  }

  async change(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = settings;
    for (const listener of this.listeners) await listener({ affectsConfiguration: () => true });
  }

  async end(): Promise<void> {
    await this.extension.deactivate();
  }

  private required(name: string): unknown {
    if (name === 'vscode') return this.api();
    if (name === 'vscode-languageclient/node')
      return { LanguageClient: clientsOf(this.clients), TransportKind: { stdio: 0 } };
    return ofNode(name);
  }

  private api(): object {
    const { asked, commands, folders, listeners, log } = this;
    return {
      window: {
        createOutputChannel: () => ({ info: (line: string) => log.push(line) }),
      },
      commands: { registerCommand: (name: string, run: () => unknown) => commands.set(name, run) },
      workspace: {
        workspaceFolders: folders.map((path) => ({
          name: path,
          uri: { scheme: 'file', fsPath: path, toString: () => pathToFileURL(path).href },
        })),
        onDidChangeWorkspaceFolders: () => ({}),
        onDidChangeConfiguration: (listener: (typeof listeners)[number]) => listeners.push(listener),
        getConfiguration: (section: string) => ({
          get: (key: string, otherwise: unknown) => {
            asked.set(`${section}.${key}`, otherwise);
            return this.settings[`${section}.${key}`] ?? otherwise;
          },
        }),
      },
    };
  }
}

/** A class as `LanguageClient` of the library, which notes what it is made with. */
function clientsOf(clients: StartedClient[]): new (...parts: never[]) => object {
  return class {
    private readonly client: StartedClient;

    constructor(id: string, _name: string, server: ServerOptions, options: ClientOptions) {
      this.client = { id, server, options, state: 'disposed' };
      clients.push(this.client);
    }

    start(): Promise<void> {
      this.client.state = 'started';
      return Promise.resolve();
    }

    dispose(): Promise<void> {
      this.client.state = 'disposed';
      return Promise.resolve();
    }
  };
}
