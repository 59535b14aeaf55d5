import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic, Range } from 'vscode-languageserver/node';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { Editor, edited } from './editor';
import { CLOSED_EARLY, HOP_1, HOP_2, LAUNCH, NODES, WITH_USER_DATA } from './documents';

const WHOLE: Range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
const rulesOf = (diagnostics: readonly Diagnostic[]): readonly unknown[] => diagnostics.map(({ code }) => code);

describe('an editor', () => {
  const folder = workspace({
    'template.yaml': HOP_1,
    'package.json': '{"name": "shop"}',
    'tf/nodes.tf': NODES,
    'tf/launch.tf': LAUNCH,
    'values.yaml': 'image: x\n',
    'own/nodes.tf': WITH_USER_DATA,
    'own/user-data/nodes.tftpl': CLOSED_EARLY,
  });
  let editor: Editor;

  beforeEach(async () => {
    editor = await new Editor(folder).start();
  });
  afterEach(async () => {
    expect(await editor.end()).toBe(0);
  });

  it('shows a finding at its value, with the rule, its page and what takes part', async () => {
    const [shown] = await editor.open('template.yaml', HOP_1);

    expect(shown).toMatchObject({
      range: { start: { line: 13, character: 10 }, end: { line: 13, character: 33 } },
      severity: 1,
      source: 'eks-guardrails',
      code: 'imds-hop-limit',
      codeDescription: { href: expect.stringMatching(/\/rules\/imds-hop-limit\.md$/) as string },
      message: expect.stringContaining('Set the hop limit to 2') as string,
      relatedInformation: [{ location: { uri: editor.uri('template.yaml') } }],
    });
  });

  it('tells what is in the editor, not what the disk holds', async () => {
    expect(rulesOf(await editor.open('template.yaml', HOP_2))).not.toContain('imds-hop-limit');
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('shows what a text that is being written lacks, and is back afterwards', async () => {
    expect(await editor.open('template.yaml', `${HOP_1}\n  Other: [`)).toContainEqual(
      expect.objectContaining({ severity: 1, source: 'eks-guardrails' }),
    );
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('offers the repair, and makes it in the text', async () => {
    const [shown] = await editor.open('template.yaml', HOP_1);
    if (shown === undefined) throw new Error('nothing is shown');
    const [fix, accept] = await editor.actions('template.yaml', shown.range);

    expect(fix?.title).toMatch(/^Fix imds-hop-limit \(/);
    expect(edited(HOP_1, fix, editor.uri('template.yaml'))).toBe(HOP_2);
    const accepted = edited(HOP_1, await editor.resolve(accept), editor.uri('template.yaml'));
    expect(accepted).toContain('accepted in the editor, the reason is to be written');
    expect(rulesOf(await editor.change('template.yaml', accepted))).not.toContain('imds-hop-limit');
  });

  it('repairs all that is safe on request', async () => {
    const text = HOP_2.replace('MetadataOptions:', 'InstanceInitiatedShutdownBehavior: stop\n        MetadataOptions:');
    await editor.open('template.yaml', text);
    expect((await editor.actions('template.yaml', WHOLE, ['source'])).map(({ kind }) => kind)).toEqual([
      'source.fixAll.eksGuardrails',
    ]);
    expect(await editor.actions('template.yaml', WHOLE, ['refactor', 'source.organizeImports'])).toEqual([]);
    const [all] = await editor.actions('template.yaml', WHOLE, ['source.fixAll.eksGuardrails']);

    expect(all?.kind).toBe('source.fixAll.eksGuardrails');
    expect(edited(text, await editor.resolve(all), editor.uri('template.yaml'))).toBe(HOP_2);
  });

  it('tells the story of the rule where the pointer is, and nowhere else', async () => {
    await editor.open('template.yaml', HOP_1);
    const hover = await editor.hover('template.yaml', 13, 15);

    expect(hover?.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('**Nodes declare an instance metadata hop limit') as string,
    });
    expect(await editor.hover('template.yaml', 0, 0)).toBeNull();
  });

  it('takes away what it showed of a document that is nothing to check any more', async () => {
    await editor.open('template.yaml', HOP_1);
    expect(await editor.change('template.yaml', 'image: x\n')).toEqual([]);
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('takes away what it showed of a document that is closed', async () => {
    await editor.open('template.yaml', HOP_1);
    expect(await editor.close('template.yaml')).toEqual([]);
  });

  it('judges the files of a Terraform folder together, and shows each its own', async () => {
    expect(rulesOf(await editor.open('tf/nodes.tf', NODES))).not.toContain('imds-hop-limit');
    expect(rulesOf(editor.shownOf('tf/launch.tf'))).toContain('imds-hop-limit');

    expect(rulesOf(await editor.open('tf/launch.tf', LAUNCH.replace('= 1', '= 2')))).not.toContain('imds-hop-limit');
  });

  it('judges a template of user data with the Terraform configuration that reads it', async () => {
    const shown = await editor.open('own/user-data/nodes.tftpl', CLOSED_EARLY);
    expect(shown).toMatchObject([{ code: 'user-data-mime-structure', range: { start: { line: 8 } } }]);
    expect(shown[0]?.message).toContain('this');
    const mended = CLOSED_EARLY.replace('--//--\n\n', '');
    expect(await editor.change('own/user-data/nodes.tftpl', mended)).toEqual([]);
  });

  it('judges user data by itself, and accepts what it finds in a comment', async () => {
    const shown = await editor.open('user-data.mime', CLOSED_EARLY);
    expect(shown).toMatchObject([{ code: 'user-data-mime-structure', range: { start: { line: 8 } } }]);
    expect(shown[0]?.message).toContain('"user-data.mime"');

    const [accept, ...others] = await editor.actions('user-data.mime', shown[0]?.range as Range, ['quickfix']);
    expect(others).toEqual([]);
    const text = edited(CLOSED_EARLY, await editor.resolve(accept), editor.uri('user-data.mime'));
    expect(text).toContain('# eks-guardrails:ignore user-data-mime-structure -- ');
    expect(await editor.change('user-data.mime', text)).toEqual([]);
  });

  it('judges a NodeConfig that is in a file of its own', async () => {
    const text = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet:\n    flag: [--v=2]\n';
    expect(await editor.open('node-config.yaml', text)).toMatchObject([
      { code: 'node-config-unknown-field', range: { start: { line: 4 } } },
    ]);
  });

  it('leaves files alone that are something else', async () => {
    // What is told of the next document shows that nothing was told of these.
    void editor.open('package.json', '{"name": "shop"}');
    void editor.open('values.yaml', 'image: y\n');
    void editor.open('deploy.sh', '#!/bin/bash\naws eks update-kubeconfig --name shop\n');
    void editor.open('own/motd.tftpl', 'Welcome\n');
    await editor.open('template.yaml', HOP_1);

    const others = ['package.json', 'values.yaml', 'deploy.sh', 'own/motd.tftpl'];
    expect(others.flatMap((name) => editor.shownOf(name))).toEqual([]);
  });

  it('shows what a rule makes of it: errors, warnings, and nothing that is accepted or can not be known', async () => {
    const text = nodeGroupTemplate(['HttpTokens: optional', 'HttpPutResponseHopLimit: 2']);
    const severities = (shown: readonly Diagnostic[]) => shown.map(({ code, severity }) => [code, severity]);
    expect(severities(await editor.open('template.yaml', HOP_1))).toEqual([['imds-hop-limit', 1]]);
    expect(severities(await editor.change('template.yaml', text))).toEqual([['imds-v1', 2]]);
    const accepted = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1'], {
      suppress: ['eks-guardrails: { suppress: [{ rule: imds-hop-limit, reason: own roles }] }'],
    });
    expect(await editor.change('template.yaml', accepted)).toEqual([]);
    expect(await editor.change('template.yaml', HOP_1.replace('Limit: 1', 'Limit: !ImportValue Hops'))).toEqual([]);
  });

  it('checks once where somebody types quickly, and not what is closed meanwhile', async () => {
    await editor.open('template.yaml', HOP_2);
    editor.told.length = 0;
    for (const [index, text] of [HOP_2, `${HOP_2}\n`, HOP_1].entries())
      await editor.tell('textDocument/didChange', editor.version('template.yaml', index + 2, text));
    await editor.quiet();
    expect([editor.told.length, rulesOf(editor.shownOf('template.yaml'))]).toEqual([1, ['imds-hop-limit']]);

    await editor.tell('textDocument/didChange', editor.version('template.yaml', 5, `${HOP_1}\n`));
    await editor.close('template.yaml');
    await editor.quiet();
    expect(editor.shownOf('template.yaml')).toEqual([]);
  });

  it('checks again what is open when files change that it watches', async () => {
    const launch = join(folder, 'tf/launch.tf');
    await editor.open('tf/nodes.tf', NODES);
    expect(rulesOf(editor.shownOf('tf/launch.tf'))).toEqual(['imds-hop-limit']);
    writeFileSync(launch, LAUNCH.replace('= 1', '= 2'));
    await editor.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uri('tf/launch.tf'), type: 2 }] });
    await editor.quiet();
    writeFileSync(launch, LAUNCH);
    expect(editor.shownOf('tf/launch.tf')).toEqual([]);
  });

  it('keeps what it showed of a folder while one of its documents is open', async () => {
    await editor.open('tf/nodes.tf', NODES);
    await editor.open('tf/launch.tf', LAUNCH);
    await editor.tell('textDocument/didClose', { textDocument: { uri: editor.uri('tf/nodes.tf') } });
    expect(rulesOf(await editor.change('tf/launch.tf', LAUNCH))).toEqual(['imds-hop-limit']);
    await editor.close('tf/launch.tf');
    expect([...editor.shownOf('tf/nodes.tf'), ...editor.shownOf('tf/launch.tf')]).toEqual([]);
  });

  it('takes what is typed, where it is typed', async () => {
    const at = (line: number, from: number, to = from, end = line): Range => ({
      start: { line, character: from },
      end: { line: end, character: to },
    });
    await editor.open('template.yaml', HOP_1);
    // The 1 of the hop limit, with something before it that goes again, and a position behind the end of its line.
    const value = HOP_1.split('\n')[13]?.length ?? 0;
    expect(
      await editor.type(
        'template.yaml',
        { range: at(0, 0), text: '# 😀\r\n' },
        { range: at(14, value - 1, 99), text: '2' },
        { range: at(0, 0, 0, 1), text: '' },
        { range: at(999, 7), text: '# end\n' },
      ),
    ).toEqual([]);
    expect(rulesOf(await editor.type('template.yaml', { range: at(13, value - 1, value), text: '1' }))).toEqual([
      'imds-hop-limit',
    ]);
  });

  it('leaves documents alone that are no files and become none, and changes of what is not open', async () => {
    const old = { uri: 'git:/template.yaml', languageId: 'yaml', version: 1, text: HOP_1 };
    await editor.tell('textDocument/didOpen', { textDocument: old });
    await editor.tell('textDocument/didChange', { ...editor.version('template.yaml', 1, ''), contentChanges: [] });
    await editor.tell('textDocument/didChange', editor.version('template.yaml', 1, HOP_1));
    await editor.tell('textDocument/didClose', { textDocument: { uri: old.uri } });
    await editor.quiet();
    expect([editor.told, editor.messages]).toEqual([[], []]);
  });

  it('judges a document that is not saved yet, under the name that it is to have', async () => {
    const [shown] = await editor.open('new.yaml', HOP_1);
    expect(shown).toMatchObject({ code: 'imds-hop-limit', range: { start: { line: 13 } } });
    const [fix, accept] = await editor.actions('new.yaml', shown?.range as Range);
    expect(edited(HOP_1, fix, editor.uri('new.yaml'))).toBe(HOP_2);
    expect(edited(HOP_1, await editor.resolve(accept), editor.uri('new.yaml'))).toContain(
      'the reason is to be written',
    );
    expect(await editor.change('new.yaml', HOP_2)).toEqual([]);

    const to = `untitled:${join(folder, 'other.yaml')}`;
    expect(rulesOf(await editor.openAt(to, HOP_1))).toEqual(['imds-hop-limit']);
    expect(await editor.closeAt(to)).toEqual([]);
  });

  it('judges a new file together with those beside it', async () => {
    expect(rulesOf(await editor.open('tf/more.tf', LAUNCH.replaceAll('this', 'more')))).toEqual([]);
    expect(rulesOf(editor.shownOf('tf/launch.tf'))).toEqual(['imds-hop-limit']);
    const others = `${NODES}${LAUNCH}`.replaceAll('this', 'more');
    expect(rulesOf(await editor.change('tf/more.tf', others))).toEqual(['imds-hop-limit']);
  });

  it.each([
    ['untitled:Untitled-1', 'yaml', HOP_1, 'imds-hop-limit'],
    ['untitled:Untitled-2', 'terraform', `${NODES}${LAUNCH}`, 'imds-hop-limit'],
    ['untitled:Untitled-3.yaml', 'plaintext', HOP_1, 'imds-hop-limit'],
    ['untitled:Untitled-4', 'plaintext', CLOSED_EARLY, 'user-data-mime-structure'],
  ])('judges a document without a name by what its language is: %s, %s', async (uri, language, text, rule) => {
    const shown = await editor.openAt(uri, text, language);
    expect(rulesOf(shown)).toEqual([rule]);
    expect(editor.messages).toEqual([]);
    expect(await editor.closeAt(uri)).toEqual([]);
  });

  it('offers nothing in a document that it does not check', async () => {
    expect(await editor.actions('values.yaml', WHOLE)).toEqual([]);
    expect(await editor.hover('values.yaml', 0, 0)).toBeNull();
  });

  it('leads to the other files that take part', async () => {
    await editor.open('tf/nodes.tf', NODES);
    const [shown] = editor.shownOf('tf/launch.tf');
    expect(shown?.relatedInformation?.map(({ location: { uri } }) => uri)).toContain(editor.uri('tf/nodes.tf'));
  });

  it('says where a decision can not be made any more, because the finding is gone', async () => {
    const [shown] = await editor.open('template.yaml', HOP_1);
    const [, accept] = await editor.actions('template.yaml', shown?.range as Range, ['quickfix']);
    await editor.change('template.yaml', HOP_2);
    expect(edited(HOP_2, await editor.resolve(accept), editor.uri('template.yaml'))).toBe(HOP_2);
    expect(editor.messages).toEqual([expect.stringContaining("imds-hop-limit can't be accepted here by itself")]);
  });

  it('says before a repair is chosen what it takes, and prefers the one that is safe', async () => {
    const text = HOP_1.replace('MetadataOptions:', 'InstanceInitiatedShutdownBehavior: stop\n        MetadataOptions:');
    await editor.open('template.yaml', text);
    const actions = await editor.actions('template.yaml', WHOLE, ['quickfix']);
    const fixes = actions.filter(({ title }) => title.startsWith('Fix '));
    expect(fixes.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      [expect.stringMatching(/^Fix imds-hop-limit \(makes a new version of the launch template: /), false],
      ['Fix launch-template-forbidden-field', true],
    ]);
  });

  it('tells no story where only the text is wrong', async () => {
    const [shown] = await editor.open('template.yaml', `${HOP_1}\n  Other: [`);
    const { line, character } = shown?.range.start ?? { line: 0, character: 0 };
    expect(await editor.hover('template.yaml', line, character)).toBeNull();
    const actions = await editor.actions('template.yaml', shown?.range as Range, ['quickfix']);
    expect(actions.filter(({ diagnostics }) => diagnostics?.[0]?.code === undefined)).toEqual([]);
  });
});

describe('an editor with addresses that lead nowhere', () => {
  const folder = workspace({ 'template.yaml': HOP_1 });

  it('is served, and told that its folder is not there', async () => {
    const editor = await new Editor(folder).start(
      {},
      { workspaceFolders: [{ uri: `${pathToFileURL(folder).href}/none`, name: 'shop' }] },
    );
    expect(await editor.message()).toContain('ENOENT');
    expect(rulesOf(await editor.open('template.yaml', HOP_1))).toContain('imds-hop-limit');
    expect(await editor.end()).toBe(0);
  });

  it('is told of documents that are not checked', async () => {
    const editor = await new Editor(folder).start({}, { workspaceFolders: [{ uri: 'file:///a%2Fb', name: 'shop' }] });
    expect(await editor.message()).toBe('eks-guardrails: no path of this machine leads to file:///a%2Fb');
    for (const uri of ['file:///a%2Fb/template.yaml', 'file:///a/%zz.yaml']) {
      expect(await editor.openAt(uri, HOP_1)).toMatchObject([
        { severity: 1, message: `not checked: no path of this machine leads to ${uri}` },
      ]);
      expect(await editor.closeAt(uri)).toEqual([]);
    }
    expect(rulesOf(await editor.open('template.yaml', HOP_1))).toContain('imds-hop-limit');
    expect(await editor.end()).toBe(0);
  });
});
