import { checkTemplates } from '../../lib/check';
import type { Diagnostic, Finding } from '../../lib/engine';
import { acceptanceProblems, planAcceptance } from '../../lib/fixes/acceptance';
import { acceptInHcl, acceptInTemplate } from '../../lib/fixes/accept-edit';
import { HclText } from '../../lib/fixes/hcl-text';
import { HclFile, JsonConfigurationFile } from '../../lib/fixes/terraform';
import { jsonTree } from '../../lib/fixes/json-tree';
import { applyEdits, type EditPlan } from '../../lib/fixes/text-edit';
import type { Tree } from '../../lib/fixes/tree';
import { yamlTree } from '../../lib/fixes/yaml-tree';

const decision = { rules: ['imds-v1', 'imds-hop-limit'], reason: 'because "so"', until: '2027-01-31' };

function made(text: string, plan: EditPlan | undefined): string {
  if (plan === undefined) return 'unreadable';
  return 'refusal' in plan ? plan.refusal : applyEdits(text, plan.edits);
}

const inTemplate = (text: string) =>
  made(text, acceptInTemplate((jsonTree(text) ?? yamlTree(text)) as Tree, 'R', decision));

describe('a decision', () => {
  it('is a comment above the resource in YAML, with the line breaks and the indentation of the file', () => {
    expect(inTemplate('Resources:\r\n    R:\r\n        Type: A\r\n')).toBe(
      'Resources:\r\n    # eks-guardrails:ignore imds-v1, imds-hop-limit -- because "so" (until 2027-01-31)\r\n    R:\r\n        Type: A\r\n',
    );
  });

  it('is in the metadata in JSON, behind what is there', () => {
    const after = inTemplate('{\n  "Resources": {\n    "R": {\n      "Type": "A"\n    }\n  }\n}\n');
    expect(JSON.parse(after)).toEqual({
      Resources: {
        R: {
          Type: 'A',
          Metadata: {
            'eks-guardrails': {
              suppress: [
                { rule: 'imds-v1', reason: 'because "so"', until: '2027-01-31' },
                { rule: 'imds-hop-limit', reason: 'because "so"', until: '2027-01-31' },
              ],
            },
          },
        },
      },
    });
    expect(after).toContain('\n      "Metadata": {\n        "eks-guardrails": {\n          "suppress": [\n');
    const twice = inTemplate(after);
    expect(twice.split('"rule"')).toHaveLength(5);
    expect(JSON.parse(twice)).toBeDefined();
  });

  it('is not written where the resource is made by something else', () => {
    expect(inTemplate('Resources:\n  Fn::ForEach::R: [A, [b], { "R${A}": { Type: A } }]\n')).toMatch(
      /function|of its own/,
    );
  });

  it.each([
    ['a setting of an entry', 5, '      # eks-guardrails:ignore'],
    ['a line of a text, above that', 8, '      # eks-guardrails:ignore'],
  ])('stands in the call of a module above %s', (_, line, comment) => {
    const text =
      'module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  eks_managed_node_groups = {\n    a = {\n      metadata_options = { http_tokens = "optional" }\n      content = <<-EOT\n        kind: NodeConfig\n        spec: {}\n      EOT\n    }\n  }\n}\n';
    const call = { at: 'module.eks.eks_managed_node_groups["a"]', inputs: new Map<string, string>() };
    const [type, id] = ['aws_launch_template', 'module.eks.aws_launch_template.this[0]'];
    const accept = { kind: 'accept', line, ...decision } as const;
    const file = HclFile.read(text);
    const after = made(text, file?.repair(type, id, accept, undefined, call));
    expect(after.split('\n').find((one) => one.includes('eks-guardrails'))).toMatch(new RegExp(`^${comment}`));
    expect(after.replaceAll(/ *# eks-guardrails.*\n/g, '')).toBe(text);
    const changes = [{ type, id, repair: accept, item: undefined, call }];
    const repaired = HclFile.read(after) as HclFile;
    expect(file?.differsBeyond(repaired, changes)).toBe(false);
    expect(file?.differsBeyond(HclFile.read(after.replace('optional', 'required')) as HclFile, changes)).toBe(true);
    expect(after.indexOf('eks-guardrails')).toBeLessThan(after.indexOf(line === 5 ? 'metadata_options' : 'content ='));
  });

  it.each([
    ['above it, where the line is its first', { line: 2, isCall: true }, 1],
    ['above it, where the line is beyond it', { line: 6, isCall: true }, 1],
    ['above it, where the line is before it', { line: 1, isCall: true }, 1],
    ['above its last line', { line: 4, isCall: true }, 3],
    ['above it, where it is no call', { line: 3, isCall: false }, 1],
  ])('of a block of HCL stands %s', (_, { line, isCall }, at) => {
    const text = '\nmodule "eks" {\n  a = 1\n}\n\n\n';
    const file = HclText.read(text) as HclText;
    const after = made(text, acceptInHcl(file, file.body.blocks[0], { ...decision, line }, isCall));
    expect(after.split('\n').findIndex((one) => one.includes('# eks-guardrails:ignore'))).toBe(at);
    expect(after.replace(/ *# eks-guardrails.*\n/, '')).toBe(text);
  });

  it('joins other comments of the JSON syntax', () => {
    const accept = { kind: 'accept', line: 1, ...decision } as const;
    const of = (note: string) => {
      const text = `{"resource":{"a":{"r":{"//":${note},"b":1}}}}`;
      const after = made(text, JsonConfigurationFile.read(text)?.repair('a', 'a.r', accept, undefined));
      return (JSON.parse(after) as { resource: { a: { r: { '//': unknown } } } }).resource.a.r['//'];
    };
    const written = 'eks-guardrails:ignore imds-v1, imds-hop-limit -- because "so" (until 2027-01-31)';
    expect(of('"note"')).toEqual(['note', written]);
    expect(of('["note", "more"]')).toEqual(['note', 'more', written]);
    expect(of('[]')).toEqual([written]);
  });
});

describe('what decisions do', () => {
  const addon = (id: string) =>
    `  ${id}: { Type: AWS::EKS::Addon, Properties: { ClusterName: c, AddonName: coredns } }\n`;
  const files = { 'a.yaml': `${addon('A')}${addon('B')}`, 'c.yaml': addon('C') };
  const checked = checkTemplates(
    Object.entries(files).map(([file, resources]) => ({ file, text: `Resources:\n${resources}` })),
  );
  const before = {
    ...checked,
    findings: checked.findings.filter(({ rule }) => rule === 'addon-preserve-on-delete'),
  };
  const [ofA, ofB, ofC] = before.findings as [Finding, Finding, Finding];
  const accepted = (finding: Finding): Finding => ({ ...finding, suppressed: { reason: 'so' } });
  const { jobs } = planAcceptance([ofA, ofC], { reason: 'so' });
  const problems = (findings: readonly Finding[], was: readonly Finding[] = before.findings) =>
    acceptanceProblems({ ...before, findings: was }, { ...before, findings }, jobs).map(
      ({ reason, suspects }) => `${reason}: ${suspects.map(({ findings: [one] }) => one.resource.id).join(' ')}`,
    );
  const other = (finding: Finding): Finding => ({ ...finding, rule: 'suppression-unused' });

  it('is wrong nowhere, if they cover what they are about', () => {
    expect(problems([accepted(ofA), ofB, accepted(ofC)])).toEqual([]);
  });

  it('must cover what they are about, but not what looks the same', () => {
    expect(problems([ofA, ofB, accepted(ofC)])).toEqual(['a decision there would not cover it: A']);
    expect(problems([accepted(ofA), ofA, ofB, accepted(ofC)], [ofA, ofA, ofB, ofC])).toEqual([]);
  });

  it('must cause no finding, which is blamed on the decisions in its file, or on all', () => {
    const done = [accepted(ofA), ofB, accepted(ofC)];
    expect(problems([...done, other(ofB)])).toEqual(['it would cause suppression-unused: A']);
    expect(problems([...done, other(ofB)], [...before.findings, other(ofB)])).toEqual([]);
    expect(problems([...done, accepted(other(ofB))])).toEqual([]);
    const elsewhere = { ...ofB.source, locate: () => ({ ...ofB.source.locate(), file: 'd.yaml' }) };
    expect(problems([...done, { ...other(ofB), source: elsewhere }])).toEqual([
      'it would cause suppression-unused: A C',
    ]);
  });

  it('must cause no message', () => {
    const told: Diagnostic = { severity: 'warning', message: 'not read', file: 'c.yaml', line: 1, column: 1 };
    const after = { ...before, findings: [accepted(ofA), ofB, accepted(ofC)], diagnostics: [told] };
    expect(acceptanceProblems(before, after, jobs)).toMatchObject([{ reason: 'not read', suspects: [jobs[1]] }]);
    const elsewhere = { ...after, diagnostics: [{ ...told, file: 'd.yaml' }] };
    expect(acceptanceProblems(before, elsewhere, jobs)).toMatchObject([{ suspects: jobs }]);
    expect(acceptanceProblems({ ...before, diagnostics: [told] }, after, jobs)).toEqual([]);
  });
});
