import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Range } from 'vscode-languageserver/node';
import { nodeGroupTemplate, workspace } from '../cli/workspace';
import { Editor, edited } from './editor';

const HOP_1 = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']);
const HOP_2 = nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 2']);
const NODES = `resource "aws_eks_node_group" "this" {
  cluster_name  = "shop"
  node_role_arn = "arn:aws:iam::123456789012:role/nodes"
  subnet_ids    = ["subnet-1", "subnet-2"]
  ami_type      = "AL2023_x86_64_STANDARD"
  scaling_config {
    desired_size = 2
    max_size     = 4
    min_size     = 1
  }
  update_config {
    max_unavailable = 1
  }
  launch_template {
    id      = aws_launch_template.this.id
    version = aws_launch_template.this.latest_version
  }
}
`;
const LAUNCH = `resource "aws_launch_template" "this" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }
}
`;

const CLOSED_EARLY = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript

#!/bin/bash
echo first
--//--

--//
Content-Type: text/x-shellscript

#!/bin/bash
echo second
--//--
`;
const WITH_USER_DATA = `${NODES}
resource "aws_launch_template" "this" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(templatefile("\${path.module}/user-data/nodes.tftpl", { tier = "web" }))
}
`;

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

  beforeAll(async () => {
    editor = await new Editor(folder).start();
  });
  afterAll(async () => {
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
    expect(rulesOf(await editor.change('template.yaml', HOP_2))).not.toContain('imds-hop-limit');
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('shows what a text that is being written lacks, and is back afterwards', async () => {
    expect(await editor.change('template.yaml', `${HOP_1}\n  Other: [`)).toContainEqual(
      expect.objectContaining({ severity: 1, source: 'eks-guardrails' }),
    );
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('offers the repair, and makes it in the text', async () => {
    const [shown] = editor.shownOf('template.yaml');
    if (shown === undefined) throw new Error('nothing is shown');
    const [fix, accept] = await editor.actions('template.yaml', shown.range);

    expect(fix?.title).toMatch(/^Fix imds-hop-limit \(/);
    expect(edited(HOP_1, fix, editor.uri('template.yaml'))).toBe(HOP_2);
    const accepted = edited(HOP_1, await editor.resolve(accept), editor.uri('template.yaml'));
    expect(accepted).toContain('accepted in the editor, the reason is to be written');
    expect(rulesOf(await editor.change('template.yaml', accepted))).not.toContain('imds-hop-limit');
    await editor.change('template.yaml', HOP_1);
  });

  it('repairs all that is safe on request', async () => {
    const text = HOP_2.replace('MetadataOptions:', 'InstanceInitiatedShutdownBehavior: stop\n        MetadataOptions:');
    await editor.change('template.yaml', text);
    const everything = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const [all] = await editor.actions('template.yaml', everything, ['source.fixAll.eksGuardrails']);

    expect(all?.kind).toBe('source.fixAll.eksGuardrails');
    expect(edited(text, await editor.resolve(all), editor.uri('template.yaml'))).toBe(HOP_2);
    await editor.change('template.yaml', HOP_1);
  });

  it('tells the story of the rule where the pointer is, and nowhere else', async () => {
    const hover = await editor.hover('template.yaml', 13, 15);

    expect(hover?.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringContaining('**Nodes declare an instance metadata hop limit') as string,
    });
    expect(await editor.hover('template.yaml', 0, 0)).toBeNull();
  });

  it('takes away what it showed of a document that is nothing to check any more', async () => {
    expect(await editor.change('template.yaml', 'image: x\n')).toEqual([]);
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).toContain('imds-hop-limit');
  });

  it('takes away what it showed of a document that is closed', async () => {
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

  it('says once that the configuration is broken, and goes on when it is mended', async () => {
    writeFileSync(join(folder, 'eks-guardrails.config.json'), '{"rules": {"imds-hop-limt": "off"}}');
    await editor.change('template.yaml', HOP_2);
    expect(editor.messages).toEqual([expect.stringContaining('imds-hop-limt')]);

    writeFileSync(join(folder, 'eks-guardrails.config.json'), '{"rules": {"imds-hop-limit": "off"}}');
    expect(rulesOf(await editor.change('template.yaml', HOP_1))).not.toContain('imds-hop-limit');
  });
});

describe('an editor with settings', () => {
  const folder = workspace({ 'tf/nodes.tf': NODES, 'tf/launch.tf': LAUNCH, 'template.yaml': HOP_1 });

  it('has paths judged together, and shows what is unverifiable', async () => {
    const editor = await new Editor(folder).start({ paths: ['tf', 'template.yaml'], unverifiable: true });
    const shown = await editor.open('template.yaml', HOP_1);
    const other = editor.shownOf('tf/launch.tf');

    expect([rulesOf(shown), rulesOf(other)]).toEqual([
      expect.arrayContaining(['imds-hop-limit']),
      expect.arrayContaining(['imds-hop-limit']),
    ]);
    expect([...shown, ...other, ...editor.shownOf('tf/nodes.tf')].map(({ severity }) => severity)).toContain(4);
    expect(await editor.end()).toBe(0);
  });

  it('judges user data by itself that nothing of these paths reads', async () => {
    const editor = await new Editor(folder).start({ paths: ['tf'] });
    expect(rulesOf(await editor.open('tf/user-data.mime', CLOSED_EARLY))).toEqual(['user-data-mime-structure']);
    expect(await editor.end()).toBe(0);
  });

  it('says that there is no such preset', async () => {
    const editor = await new Editor(folder).start({ preset: 'strickt' });
    await editor.open('template.yaml', HOP_1);

    expect(editor.messages).toEqual([expect.stringContaining('there is no preset "strickt"')]);
    expect(await editor.end()).toBe(0);
  });
});
