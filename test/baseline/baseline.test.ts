import fc from 'fast-check';
import { runs } from '../share';
import {
  applyBaseline,
  baselineOf,
  baselineText,
  inOrder,
  parseBaseline,
  type Baseline,
  type BaselineEntry,
} from '../../lib/baseline';
import { checkTemplates } from '../../lib/check';
import type { Finding } from '../../lib/engine';

/** Inputs are called as they were given. */
const asTyped = (file: string) => file;

function parsed(text: string): Baseline {
  const baseline = parseBaseline(text, 'baseline.json');
  if ('message' in baseline) throw new Error(baseline.message);
  return baseline;
}

function written(findings: readonly Finding[]): Baseline {
  return parsed([...baselineText(baselineOf(findings, asTyped))].join(''));
}

const RESOURCES = {
  One: [
    '    Type: AWS::EC2::LaunchTemplate',
    '    Properties:',
    '      LaunchTemplateData: { MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 1 } }',
  ],
  Two: [
    '    Type: AWS::EC2::LaunchTemplate',
    '    Properties:',
    '      LaunchTemplateData: { MetadataOptions: { HttpTokens: optional, HttpPutResponseHopLimit: 2 } }',
  ],
  GroupOne: group('One'),
  GroupTwo: group('Two'),
  Cluster: [
    '    Type: AWS::EKS::Cluster',
    '    Properties: { Name: main, Version: "1.22", RoleArn: "arn:aws:iam::111122223333:role/c", ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] } }',
  ],
  Cni: [
    '    Type: AWS::EKS::Addon',
    '    Properties: { AddonName: vpc-cni, ClusterName: !Ref Cluster, ResolveConflicts: OVERWRITE, PreserveOnDelete: false }',
  ],
} as const;

function group(template: string): readonly string[] {
  return [
    '    Type: AWS::EKS::Nodegroup',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    '      NodeRole: arn:aws:iam::111122223333:role/nodes',
    '      Subnets: [subnet-1]',
    '      AmiType: AL2_x86_64',
    `      LaunchTemplate: { Id: !Ref ${template}, Version: !GetAtt ${template}.LatestVersionNumber }`,
  ];
}

type Name = keyof typeof RESOURCES;
const NAMES = Object.keys(RESOURCES) as Name[];

/** Findings of a template with its resources in some order, and lines between them. */
function findingsOf(order: readonly Name[], blank: readonly number[] = []): readonly Finding[] {
  const lines = order.flatMap((name, index) => [
    ...Array.from({ length: blank[index] ?? 0 }, () => '  # moved'),
    `  ${name}:`,
    ...RESOURCES[name],
  ]);
  return checkTemplates([{ file: 'nodes.yaml', text: ['Resources:', ...lines, ''].join('\n') }]).findings;
}

const isOpenFailure = ({ verdict, suppressed }: Finding) => verdict === 'fail' && suppressed === undefined;

describe('a baseline', () => {
  const findings = findingsOf(NAMES);

  it('holds all failures, and nothing that is unverifiable', () => {
    expect(findings.filter(isOpenFailure).length).toBeGreaterThan(5);
    expect(findings.some(({ verdict }) => verdict === 'unverifiable')).toBe(true);
    expect(written(findings).entries).toHaveLength(findings.filter(isOpenFailure).length);
  });

  it('accepts what it holds, with its reason, and has no entry too many', () => {
    const { findings: accepted, gone } = applyBaseline(findings, written(findings), asTyped);
    expect(accepted.filter(isOpenFailure)).toEqual([]);
    expect(accepted.filter(({ suppressed }) => suppressed?.reason === 'baseline')).toHaveLength(
      written(findings).entries.length,
    );
    expect(
      accepted.filter(({ verdict }) => verdict === 'unverifiable').every(({ suppressed }) => suppressed === undefined),
    ).toBe(true);
    expect(gone).toEqual([]);
  });

  it('holds whatever order resources have and wherever they stand, and its file stays the same', () => {
    const text = [...baselineText(baselineOf(findings, asTyped))].join('');
    const baseline = parsed(text);
    const orders = fc.tuple(
      fc.shuffledSubarray(NAMES, { minLength: NAMES.length }),
      fc.array(fc.nat(5), { minLength: NAMES.length, maxLength: NAMES.length }),
    );
    fc.assert(
      fc.property(orders, ([order, blank]) => {
        const moved = findingsOf(order, blank);
        const { findings: accepted, gone } = applyBaseline(moved, baseline, asTyped);
        expect(accepted.filter(isOpenFailure).map(({ message }) => message)).toEqual([]);
        expect(gone).toEqual([]);
        expect([...baselineText(baselineOf(moved, asTyped))].join('')).toBe(text);
      }),
      { numRuns: runs(25) },
    );
  });

  it('lets a new finding through, and tells which are gone', () => {
    const before = written(findingsOf(NAMES.filter((name) => !name.endsWith('Two'))));
    const { findings: accepted } = applyBaseline(findings, before, asTyped);
    const open = accepted.filter(isOpenFailure);
    expect(open.length).toBeGreaterThan(0);
    expect(new Set(open.map(({ resource }) => resource.id))).toEqual(new Set(['Two', 'GroupTwo']));
    const { gone } = applyBaseline(findingsOf(['Cluster', 'Cni']), written(findings), asTyped);
    expect(new Set(gone.map(({ resource }) => resource))).toEqual(new Set(['One', 'Two', 'GroupOne', 'GroupTwo']));
    expect(
      applyBaseline(
        findingsOf(['Cluster', 'Cni']),
        written(findings),
        asTyped,
        ({ resource }) => resource === 'One',
      ).gone.map(({ resource }) => resource),
    ).toEqual(gone.map(({ resource }) => resource).filter((id) => id === 'One'));
  });

  it('holds for a finding in its own file only', () => {
    const { entries } = written(findings);
    const moved = { entries: entries.map((entry) => ({ ...entry, file: 'other.yaml' })) };
    expect(applyBaseline(findings, moved, asTyped).findings).toEqual(findings);
    expect(applyBaseline(findings, moved, asTyped).gone).toHaveLength(entries.length);
  });

  it('leaves findings alone that are accepted otherwise, and a rule that crashed', () => {
    const [finding] = findings.filter(isOpenFailure);
    if (finding === undefined) throw new Error('there is no finding');
    const others: Finding[] = [
      { ...finding, suppressed: { reason: 'meant' } },
      { ...finding, rule: 'rule-crashed' },
    ];
    expect(written(others).entries).toEqual([]);
    expect(applyBaseline(others, written([finding]), asTyped).findings).toEqual(others);
  });

  it('is written an entry to a line, in an order of its own', () => {
    expect([...baselineText({ entries: [] })].join('')).toBe('{\n  "version": 1,\n  "entries": []\n}\n');
    const lines = [...baselineText(baselineOf(findings, asTyped))].join('').split('\n');
    expect(lines[3]).toMatch(
      /^ {4}\{"file":"nodes\.yaml","resource":"Cluster","rule":"[a-z-]+","fingerprint":"[0-9a-f]{32}"\},$/,
    );
    expect(lines.slice(-3)).toEqual(['  ]', '}', '']);
    const resources = lines.flatMap((line) => /"resource":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(resources).toEqual(resources.toSorted());
  });
});

describe('the order of entries', () => {
  const entry = (file: string, resource: string, rule: string, fingerprint: string): BaselineEntry => ({
    file,
    resource,
    rule,
    fingerprint,
  });

  it('is that of files, then of resources, rules and fingerprints, by code units', () => {
    const ordered = [
      entry('B', 'z', 'z', 'z'),
      entry('a', 'B', 'z', 'z'),
      entry('a', 'a', 'a', 'b'),
      entry('a', 'a', 'b', 'a'),
      entry('a', 'a', 'b', 'b'),
      entry('a', 'a', 'b', 'b'),
      entry('a', 'b', 'a', 'a'),
      entry('b', 'a', 'a', 'a'),
    ];
    for (const given of [ordered, ordered.toReversed(), [...ordered.slice(3), ...ordered.slice(0, 3)]]) {
      const before = [...given];
      expect(inOrder(given).entries).toEqual(ordered);
      expect(given).toEqual(before);
    }
  });

  it('is that of what is written for resources with a construct path', () => {
    const [finding] = findingsOf(NAMES).filter(isOpenFailure);
    if (finding === undefined) throw new Error('there is no finding');
    const withPath: Finding = {
      ...finding,
      resource: Object.create(finding.resource, { path: { value: 'Prod/Cluster' } }) as Finding['resource'],
    };
    expect(baselineOf([withPath], (file) => `infra/${file}`)).toEqual({
      entries: [
        {
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          rule: finding.rule,
          resource: 'Prod/Cluster',
          file: 'infra/nodes.yaml',
        },
      ],
    });
  });
});

describe('a file that is no baseline', () => {
  const entry = '{"file": "a", "resource": "b", "rule": "c", "fingerprint": "0123456789abcdef0123456789abcdef"}';

  it('is one if it has all that it needs', () => {
    expect(parsed(`\uFEFF{"version": 1, "entries": [${entry}], "note": "kept"}`).entries).toHaveLength(1);
  });

  it.each([
    ['', '1:1 the file is empty'],
    ['[]', '1:1 a baseline is a JSON object, and this is a list'],
    [' \n', '1:1 the file is empty; write it with --write-baseline'],
    ['\uFEFF', '1:1 the file is empty'],
    ['3', '1:1 a baseline is a JSON object, and this is a number'],
    ['"a"', '1:1 a baseline is a JSON object, and this is a string'],
    ['null', '1:1 a baseline is a JSON object, and this is null'],
    ['{"version": "1", "entries": []}', '1:2 version "1" of baselines'],
    ['{"version": null, "entries": []}', '1:2 version null of baselines'],
    ['{"version": 1, "entries": null}', '1:16 "entries" is no list'],
    ['{"version": 1, "entries": [null]}', '1:28 an entry is an object'],
    ['{"version": 1, "entries": [[]]}', '1:28 an entry is an object'],
    [`{"version": 1, "entries": [${entry},\n {}]}`, '2:2 the entry has no "fingerprint"'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"file": "a", ', '')}]}`, '2:3 the entry has no "file"'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"resource": "b", ', '')}]}`, '2:3 the entry has no "resource"'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"a"', 'null')}]}`, '2:4 "file" is no string'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"b"', '{}')}]}`, '2:17 "resource" is no string'],
    [
      `{"version": 1, "entries": [${entry.replace('abcdef"', 'abcdef0"')}]}`,
      'is no fingerprint of 32 hexadecimal digits',
    ],
    [`{"version": 1, "entries": [${entry.replace('0123', '123')}]}`, 'is no fingerprint of 32 hexadecimal digits'],
    [`{"version": 1, "entries": [${entry.replace('abcdef', 'ABCDEF')}]}`, 'is no fingerprint of 32 hexadecimal digits'],
    [`{"version": 1, "entries": [${entry.replace('0123', 'x'.repeat(50))}]}`, `"${'x'.repeat(40)}" is no fingerprint`],
    ['{"entries": []}', '1:1 this is no baseline'],
    ['{\n  "version": 2}', '2:3 version 2 of baselines'],
    ['{\n  "version": 1,\n  "entries": {}}', '3:3 "entries" is no list'],
    ['{"version": 1}', '1:1 "entries" is no list'],
    ['{"version": 1, "entries": [\n  3]}', '2:3 an entry is an object'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"rule": "c", ', '')}]}`, '2:3 the entry has no "rule"'],
    [`{"version": 1, "entries": [\n  ${entry.replace('"c"', '7')}]}`, '2:34 "rule" is no string'],
    [`{"version": 1, "entries": [\n  ${entry.replace('0123', 'wxyz')}]}`, '2:47 "wxyz'],
    ['{"version": 1, "entries": [\n<<<<<<< ours\n]}', '2:1 '],
    ['{"version": 1, "version": 1, "entries": []}', '1:16 "version" is written twice'],
  ])('%j is told with its place', (text, expected) => {
    const problem = parseBaseline(text, 'baseline.json');
    if (!('message' in problem)) throw new Error('it was read');
    expect(`${problem.line}:${problem.column} ${problem.message}`).toContain(expected);
  });

  it('is never an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ version: 1, entries: [value] })),
        ),
        (text) => {
          const baseline = parseBaseline(text, 'baseline.json');
          expect('message' in baseline || Array.isArray(baseline.entries)).toBe(true);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
