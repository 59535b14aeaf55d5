import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver/node';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { Editor, started } from './editor';
import { CLOSED_EARLY, HOP_1, HOP_2, LAUNCH, NODES } from './documents';

const UNCLEAR = nodeGroupTemplate(['HttpTokens: optional', 'HttpPutResponseHopLimit: !ImportValue Hops']);
const PROGRAM = 'module.exports = { rules: { "imds-v1": "info" } };';

const rulesOf = (diagnostics: readonly Diagnostic[]): readonly unknown[] => diagnostics.map(({ code }) => code);

describe('an editor with settings', () => {
  const folder = workspace({ 'tf/nodes.tf': NODES, 'tf/launch.tf': LAUNCH, 'template.yaml': HOP_1 });
  const programmed = workspace({ 'template.yaml': UNCLEAR, 'eks-guardrails.config.js': PROGRAM });
  const configured = workspace({ 'template.yaml': HOP_1 });
  let editor: Editor;

  afterEach(async () => {
    expect(await editor.end()).toBe(0);
  });

  it('has paths judged together, and shows what is unverifiable', async () => {
    editor = await new Editor(folder).start({ paths: ['tf', 'template.yaml'], unverifiable: true });
    const shown = await editor.open('template.yaml', HOP_1);
    const other = editor.shownOf('tf/launch.tf');

    expect([rulesOf(shown), rulesOf(other)]).toEqual([
      expect.arrayContaining(['imds-hop-limit']),
      expect.arrayContaining(['imds-hop-limit']),
    ]);
    expect([...shown, ...other, ...editor.shownOf('tf/nodes.tf')].map(({ severity }) => severity)).toContain(4);
  });

  it('judges user data by itself that nothing of these paths reads', async () => {
    editor = await new Editor(folder).start({ paths: ['tf'] });
    expect(rulesOf(await editor.open('tf/user-data.mime', CLOSED_EARLY))).toEqual(['user-data-mime-structure']);
  });

  it('says that there is no such preset', async () => {
    editor = await new Editor(folder).start({ preset: 'strickt' });
    await editor.open('template.yaml', HOP_1);

    expect(editor.messages).toEqual([expect.stringContaining('there is no preset "strickt"')]);
  });

  it.each([null, 7, { paths: 'tf', preset: 3, configCode: 'yes', unverifiable: 'yes' }, { paths: [1, null] }])(
    'goes by its defaults where %j was sent',
    async (settings) => {
      editor = await new Editor(programmed).start(settings);
      const shown = await editor.open('template.yaml', UNCLEAR);

      // The configuration would have made it information, and what can't be known has severity 4.
      expect(shown.filter(({ code }) => code !== undefined)).toMatchObject([{ code: 'imds-v1', severity: 2 }]);
      expect(editor.messages).toEqual([]);
    },
  );

  it('runs a configuration that is a program if it may, and shows the severity that this sets', async () => {
    editor = await new Editor(programmed).start({ configCode: true });
    expect(await editor.open('template.yaml', UNCLEAR)).toMatchObject([{ code: 'imds-v1', severity: 3 }]);
  });

  it('says once that the configuration is broken, and goes on when it is mended', async () => {
    const configuration = join(configured, 'eks-guardrails.config.json');
    editor = await new Editor(configured).start();
    writeFileSync(configuration, '{"rules": {"imds-hop-limt": "off"}}');
    await editor.open('template.yaml', HOP_2);
    await editor.tell('textDocument/didChange', editor.version('template.yaml', 2, HOP_1));
    await editor.quiet();
    expect(editor.messages).toEqual([expect.stringContaining('imds-hop-limt')]);

    writeFileSync(configuration, '{"rules": {"imds-hop-limit": "off"}}');
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).not.toContain('imds-hop-limit');
    writeFileSync(configuration, '{"rules": {"imds-hop-limt": "off"}}');
    await editor.change('template.yaml', HOP_2);
    expect(editor.messages).toHaveLength(2);
  });
});

describe('an editor that is different', () => {
  const folder = workspace({ 'template.yaml': HOP_1 });

  it('is not asked to watch files if it can not', async () => {
    const editor = await new Editor(folder).start({}, { capabilities: {} });
    await editor.open('template.yaml', HOP_1);
    expect(editor.watched).toEqual([]);
    expect(await editor.end()).toBe(0);
  });

  it('may have no folder open, or one that is no folder of the disk', async () => {
    for (const workspaceFolders of [null, [], [{ uri: 'vscode-vfs://github/shop', name: 'shop' }]]) {
      const editor = await new Editor(folder).start({}, { workspaceFolders });
      expect(rulesOf(await editor.open('template.yaml', HOP_1))).toContain('imds-hop-limit');
      expect(await editor.end()).toBe(0);
    }
  });

  it('may go away without a word', async () => {
    const editor = await new Editor(folder).start();
    await editor.open('template.yaml', HOP_1);
    expect(await editor.goAway()).toBe(1);
  });
});

describe('the command for editors', () => {
  const folder = workspace({ 'template.yaml': HOP_1 });

  it('serves on its standard input and output until the editor says exit', async () => {
    const editor = await new Editor(folder, started()).start();
    expect(rulesOf(await editor.open('template.yaml', HOP_1))).toContain('imds-hop-limit');
    expect(editor.watched).toEqual([expect.stringContaining('tftpl')]);
    expect(await editor.end()).toBe(0);
  });

  it('ends with the editor', async () => {
    const editor = await new Editor(folder, started()).start();
    await editor.open('template.yaml', HOP_1);
    expect(await editor.goAway()).toBe(1);
  });
});
