import { render, type JsonReport } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const text = 'Resources:\n  Workers: 1\n  Role: 2\n';
const workers = resourceAt(placeOf('cluster.yaml', text, 'Workers'), { path: 'Prod/Workers' });
const role = resourceAt(placeOf('cluster.yaml', text, 'Role'), { type: 'AWS::IAM::Role', id: 'Role' });

function report(...args: Parameters<typeof resultOf>): JsonReport {
  return JSON.parse(render('json', resultOf(...args), contextWith({}))) as JsonReport;
}

describe('the JSON report', () => {
  it('has every key, in the order of the contract, when there is nothing to report', () => {
    const nothing = '{"error":0,"warning":0,"info":0,"unverifiable":0,"suppressed":0}';
    expect(JSON.stringify(report([]))).toBe(
      `{"version":"1.2.3","asOf":null,"inputs":[{"path":"cluster.yaml","kind":"cloudformation-template","resources":12}],"findings":[],"diagnostics":[],"gone":[],"summary":${nothing}}`,
    );
  });

  it('gives null for what does not exist, and leaves out only "suppressed"', () => {
    const [finding] = report([findingOn(role)]).findings;
    expect(finding).toEqual({
      rule: 'imds-hop-limit',
      severity: 'error',
      verdict: 'fail',
      message: 'Launch template "WorkersTemplate" sets the hop limit to 1.',
      fix: 'Declare 2.',
      docs: 'https://example.com/imds-hop-limit',
      repair: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      resource: { type: 'AWS::IAM::Role', id: 'Role', path: null },
      location: { file: 'cluster.yaml', line: 3, column: 3, property: null },
      related: [],
    });
  });

  it('holds construct paths, properties, related places, suppressions and diagnostics', () => {
    const finding = findingOn(workers, {
      source: placeOf('cluster.yaml', text, '1', 'Properties.Version'),
      related: [{ message: 'its role', source: role.source }],
      suppressed: { reason: 'known', until: '2027-01-31' },
    });
    const diagnostic = { severity: 'warning', message: 'dangling', file: 'cluster.yaml', line: 1, column: 2 } as const;
    const { findings, diagnostics, summary } = report([finding], [diagnostic]);
    expect(findings[0]).toMatchObject({
      resource: { path: 'Prod/Workers' },
      location: { line: 2, column: 12, property: 'Properties.Version' },
      related: [{ message: 'its role', location: { file: 'cluster.yaml', line: 3, column: 3, property: null } }],
      suppressed: { reason: 'known', until: '2027-01-31' },
    });
    expect(diagnostics).toEqual([diagnostic]);
    expect(summary).toEqual({ error: 0, warning: 0, info: 0, unverifiable: 0, suppressed: 1 });
  });

  it('holds what is gone from the baseline', () => {
    const gone = [
      { file: 'cluster.yaml', resource: 'Workers', rule: 'imds-v1', fingerprint: '0123456789abcdef0123456789abcdef' },
    ];
    expect((JSON.parse(render('json', resultOf([]), contextWith({}, { gone }))) as JsonReport).gone).toEqual(gone);
  });

  it('puts the code of a fix behind its words, fenced', () => {
    const inYaml = findingOn(role, { fixCode: 'MetadataOptions:\n  HttpPutResponseHopLimit: 2\n' });
    const inTypeScript = findingOn(resourceAt(role.source, { frontEnd: 'aws-cdk' }), { fixCode: 'imds: 2' });
    expect(report([inYaml, inTypeScript]).findings.map((finding) => finding.fix)).toEqual([
      'Declare 2.\n\n```yaml\nMetadataOptions:\n  HttpPutResponseHopLimit: 2\n```',
      'Declare 2.\n\n```ts\nimds: 2\n```',
    ]);
  });

  it('writes one finding per line', () => {
    const findings = Array.from({ length: 5 }, (_, index) => findingOn(role, { message: `number ${index}` }));
    const lines = render('json', resultOf(findings), contextWith({})).split('\n');
    expect(lines.filter((line) => line.startsWith('    {"rule":"imds-hop-limit"'))).toHaveLength(5);
  });
});
