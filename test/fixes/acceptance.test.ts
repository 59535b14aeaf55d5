import { acceptInTemplate } from '../../lib/fixes/accept-edit';
import { JsonConfigurationFile } from '../../lib/fixes/terraform';
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
