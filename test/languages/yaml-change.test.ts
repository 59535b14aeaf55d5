import * as fc from 'fast-check';
import { runs } from '../share';
import { parseDocument, type ParsedDocument } from '../../lib/languages';
import { parseDocuments } from '../../lib/languages/parse-document';
import { LastReading, rereading } from '../../lib/languages/reread';
import { YamlDocument } from '../../lib/languages/yaml/yaml-document';

/*
 * A text that is read again after a change says the same as if it were read for the first time.
 */

const TEMPLATE = `AWSTemplateFormatVersion: '2010-09-09'
# A comment at the left.
Parameters:
  Hops: { Type: Number,
    Default: 1 }
Resources:
  # eks-guardrails:ignore imds-v1 -- all of it
  Template:
    Type: AWS::EC2::LaunchTemplate # what it is
    Properties:
      UserData: !Sub |
        #!/bin/bash
        echo "\${AWS::Region}" && true
      "quoted key": 'it''s'
      List: [1, !Ref Hops, {a: b}]

  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      Subnets:
      - subnet-1
      - !Ref Subnet
      Text: one line
        and another
      Version: 1.30
  Last: {}
Outputs:
  Name:
    Value: !GetAtt Template.Arn
`;

const CLUSTER = `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: shop, region: eu-west-1 }
managedNodeGroups:
- name: one
  labels: {a: yes}
  # eks-guardrails:ignore imds-v1 -- why
  desiredCapacity: 2
- name: two
  taints:
    - key: a
      value: b
-   name: three
    minSize: 1
`;

const PIECES = [
  ...[
    'x',
    '\n',
    ' ',
    '  ',
    ':',
    ': ',
    '- ',
    '#',
    ' # eks-guardrails:ignore a -- b',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '|',
    '>',
  ],
  ...[
    '&a ',
    '*a',
    '!Ref ',
    '!Unknown ',
    '---\n',
    '...',
    '%',
    '\t',
    '\r\n',
    ',',
    '<<: {q: 1}',
    '? ',
    '\n  New: 1\n',
    'Workers:',
    '😀',
  ],
];

/** All paths of a value. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((one, index) => pathsOf(one, [...path, index]))
    : Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return [path, ...inner];
}

/** All that a document says. */
function said(document: ParsedDocument): unknown {
  const paths = pathsOf(document.root);
  return {
    root: document.root,
    diagnostics: document.diagnostics,
    places: paths.map((path) => [
      path,
      document.locate(path),
      document.locateInText(path, 1),
      document.scalarText(path),
    ]),
    comments: document.comments?.placed.map(({ comment, item }) => [comment, item?.name, item?.start, item?.end]),
  };
}

interface Edit {
  readonly at: number;
  readonly gone: number;
  readonly piece: string;
}

const edits = fc.array(
  fc.record({
    at: fc.nat(),
    gone: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
    piece: fc.constantFrom('', ...PIECES),
  }),
  { minLength: 1, maxLength: 6 },
);

const edited = (text: string, { at, gone, piece }: Edit): string => {
  const start = at % (text.length + 1);
  return text.slice(0, start) + piece + text.slice(start + gone);
};

describe('a text that is read again', () => {
  it.each([
    ['a template', TEMPLATE, (text: string) => [parseDocument(text, 'template.yaml', true, 'last')]],
    ['a ClusterConfig', CLUSTER, (text: string) => [...parseDocuments(text, 'cluster.yaml')]],
  ])('says what it says when it is read for the first time: %s', (_, begin, parse) => {
    fc.assert(
      fc.property(edits, (all) => {
        const last = new LastReading();
        rereading(last, () => parse(begin));
        let text = begin;
        for (const edit of all) {
          text = edited(text, edit);
          const now = rereading(last, () => parse(text));
          expect(now.map(said)).toEqual(parse(text).map(said));
        }
      }),
      // Lines above the first entry, which has the place of all.
      {
        numRuns: runs(400),
        examples: [
          [
            [
              { at: 0, gone: 0, piece: '\r\n' },
              { at: 0, gone: 0, piece: '' },
            ],
          ],
        ],
      },
    );
  });

  it('is the same where it did not change', () => {
    const last = new LastReading();
    const parse = (): ParsedDocument => rereading(last, () => parseDocument(TEMPLATE, 'a.yaml'));
    expect(parse()).toBe(parse());
    // What a reading doesn't ask for is forgotten.
    const first = parse();
    rereading(last, () => undefined);
    expect(parse()).not.toBe(first);
    expect(parseDocument(TEMPLATE, 'a.yaml')).not.toBe(parseDocument(TEMPLATE, 'a.yaml'));
  });

  it.each([
    ['in a resource', 'Version: 1.30', 'Version: 1.31', ['Resources', 'Template']],
    ['longer', 'echo "', 'echo and\n        echo "', ['Resources', 'Workers']],
    ['in a comment', '# what it is', '# what', ['Parameters']],
    ['in an entry of the document', 'Default: 1', 'Default: 2', ['Resources']],
  ])('takes over what stands beside a change %s', (_, from, to, path) => {
    const last = new LastReading();
    const parse = (text: string) => rereading(last, () => parseDocument(text, 'a.yaml'));
    const at = (document: ParsedDocument): unknown =>
      path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document.root);
    expect(at(parse(TEMPLATE.replace(from, to)))).toEqual(at(parseDocument(TEMPLATE, 'a.yaml')));
    const before = parse(TEMPLATE);
    const after = parse(TEMPLATE.replace(from, to));
    expect(before).toBeInstanceOf(YamlDocument);
    expect(at(after)).toBe(at(before));
  });
});
