import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PRESETS } from '../../lib/engine';
import { packageVersion } from '../../lib/version';
import { builtCommand, projectRoot } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { skippedNote } from '../needs';
import { Editor, started } from './editor';
import { VsCode } from './vscode';

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown; readonly enum?: readonly string[] }>>;
    };
  };
}

const source = join(projectRoot, 'editors/vscode');
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
const TEMPLATE = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']).replace(
  '      AmiType:',
  '      ForceUpdateEnabled: true\n      AmiType:',
);

const asked = process.env['EKS_GUARDRAILS_TEST_VSCODE'] === '1';

describe('the extension for VS Code', () => {
  const folder = workspace({ 'shop/template.yaml': TEMPLATE, 'other/values.yaml': 'image: x\n' });
  const shop = join(folder, 'shop');
  const other = join(folder, 'other');

  beforeAll(() => {
    builtCommand();
    mkdirSync(join(shop, 'node_modules'), { recursive: true });
    symlinkSync(projectRoot, join(shop, 'node_modules/eks-guardrails'), 'dir');
  });

  it('has the settings and commands that its code asks for, with the same defaults', async () => {
    const { asked: settings, commands } = await new VsCode([shop]).start();
    const { properties } = manifest.contributes.configuration;

    expect(Object.fromEntries(settings)).toEqual(
      Object.fromEntries(Object.entries(properties).map(([name, { default: value }]) => [name, value])),
    );
    expect(properties['eksGuardrails.preset']?.enum).toEqual(['', ...PRESETS]);
    expect(manifest.contributes.commands.map(({ command }) => command)).toEqual([...commands.keys()]);
  });

  it('is told of in the guide with these settings alone', () => {
    const guide = readFileSync(join(projectRoot, 'docs/guides/editors.md'), 'utf8');
    const told = [...new Set(guide.match(/\beksGuardrails\.\w+/g))];

    expect(told).toContain('eksGuardrails.paths');
    expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(expect.arrayContaining(told));
  });

  it('has the version of the package, and the editor that its libraries ask for', () => {
    const { packages } = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; engines?: { vscode?: string } }>;
    };

    expect(manifest.version).toBe(packageVersion());
    expect(manifest.scripts['bundle']).toContain(`--outfile=${manifest.main.slice(2)}`);
    expect(manifest.engines.vscode).toBe(packages['node_modules/vscode-languageclient']?.engines?.vscode);
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('starts the server that the folder has installed, with its settings', async () => {
    const settings = { 'eksGuardrails.preset': 'strict', 'eksGuardrails.unverifiable': true };
    const { clients } = await new VsCode([shop], settings).start();
    const [client] = clients;
    const { module = '', args = [] } = client?.server ?? {};

    expect(clients).toHaveLength(1);
    expect(client).toMatchObject({ state: 'started', server: { transport: 0, options: { cwd: shop } } });
    // vscode-languageclient adds both to the arguments of a module.
    const command = [module, ...args, '--stdio', `--clientProcessId=${process.pid}`];
    const editor = await new Editor(shop, started(command)).start(client?.options.initializationOptions);
    const shown = await editor.open('template.yaml', TEMPLATE);

    expect(shown.map(({ code }) => code)).toContain('imds-hop-limit');
    // An error with the strict preset alone.
    expect(shown.find(({ code }) => code === 'node-group-force-update')?.severity).toBe(1);
    expect(await editor.end()).toBe(0);
  });

  it('gives the server the files that it watches, of this folder', async () => {
    const { clients } = await new VsCode([shop]).start();
    const editor = await new Editor(shop, started()).start();
    await editor.open('template.yaml', TEMPLATE);

    expect(clients[0]?.options.documentSelector).toEqual([
      { scheme: 'file', pattern: { baseUri: pathToFileURL(shop).href, pattern: editor.watched[0] } },
      // One server has the documents that aren't saved yet.
      { scheme: 'untitled' },
    ]);
    expect(await editor.end()).toBe(0);
  });

  it('interrupts nobody whose folder has nothing installed', async () => {
    const { clients, log } = await new VsCode([other, shop]).start();

    expect(clients.map(({ options }) => options.workspaceFolder.name)).toEqual([shop]);
    expect(log).toEqual([expect.stringContaining('npm install --save-dev eks-guardrails vscode-languageserver')]);
  });

  it.each([
    ['eks-guardrails', { command: 'eks-guardrails' }],
    ['bin/check', { command: join(other, 'bin/check') }],
    ['../tools/main.js', { module: join(folder, 'tools/main.js') }],
  ])('starts %s if it is told to', async (path, server) => {
    const { clients } = await new VsCode([other], { 'eksGuardrails.path': path }).start();

    expect(clients.map((client) => client.server)).toEqual([
      expect.objectContaining({ ...server, args: ['lsp'], transport: 0 }),
    ]);
  });

  it('starts anew with other settings, and stops when it is switched off or the editor ends', async () => {
    const code = await new VsCode([shop]).start();
    const states = () => code.clients.map(({ state }) => state);
    await code.change({ 'eksGuardrails.preset': 'all' });

    expect(states()).toEqual(['disposed', 'started']);
    expect(code.clients[1]?.options.initializationOptions).toMatchObject({ preset: 'all' });
    await code.end();
    expect(states()).toEqual(['disposed', 'disposed']);
    await code.change({ 'eksGuardrails.enable': false });
    expect(code.clients).toHaveLength(2);
    await code.change({});
    await code.commands.get('eksGuardrails.restart')?.();
    expect(states()).toEqual(['disposed', 'disposed', 'disposed', 'started']);
  });

  (asked ? it : it.skip)(
    `compiles with the types of VS Code, and is packaged${skippedNote(asked ? undefined : 'EKS_GUARDRAILS_TEST_VSCODE=1 is not set')}`,
    () => {
      const copy = join(folder, 'vscode');
      cpSync(source, copy, {
        recursive: true,
        filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
      });
      const npm = (...args: readonly string[]) => execFileSync('npm', args, { cwd: copy, encoding: 'utf8' });
      npm('ci', '--ignore-scripts');
      npm('run', 'package');
      const packed = readFileSync(join(copy, `eks-guardrails-${manifest.version}.vsix`), 'latin1');

      // Names stand in a zip as they are.
      const names = new Set(packed.match(/(?<=PK\x01\x02[^]{42})extension\/[\w./-]+\.(?:json|js|md|txt)/g));
      expect([...names].toSorted()).toEqual([
        'extension/LICENSE.txt',
        'extension/dist/extension.js',
        'extension/package.json',
        'extension/readme.md',
      ]);
    },
    600_000,
  );
});
