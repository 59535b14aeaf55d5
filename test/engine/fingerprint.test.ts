import fc from 'fast-check';
import { fingerprints, type Finding } from '../../lib/engine';
import type { Source } from '../../lib/eks';
import { findingOn, resourceAt } from '../reports/hand-made';

function at(line: number, property?: string, file = 'infra/cluster.yaml'): Source {
  return { locate: () => ({ file, line, column: 3, ...(property === undefined ? {} : { property }) }) };
}

const asGiven = (file: string) => file;

function fingerprintOf(finding: Finding, placeOf = asGiven): string {
  return fingerprints([finding], placeOf).get(finding) ?? '';
}

const resource = resourceAt(at(4));
const finding = findingOn(resource, { source: at(7, 'Properties.LaunchTemplateData') });
const original = fingerprintOf(finding);

function inTerraform(stack: string, file: string): Finding {
  const place = at(1, 'name', file);
  return findingOn(resourceAt(place, { frontEnd: 'terraform', stack, id: 'aws_launch_template.workers' }), {
    source: place,
  });
}

describe('the fingerprint of a finding', () => {
  it('is 32 hexadecimal digits, the same on every machine and in every version', () => {
    expect(original).toMatch(/^[0-9a-f]{32}$/);
    expect(original).toBe('421c0aa4a2654ad87d7366175b9cc343');
  });

  it.each<[string, Finding]>([
    ['lines move', { ...finding, source: at(70, 'Properties.LaunchTemplateData') }],
    [
      'the message is reworded',
      { ...finding, message: 'The hop limit is 1.', fix: 'Set 2.', docs: 'https://example.com/new' },
    ],
    ['the severity is set', { ...finding, severity: 'info' }],
    ['the user accepts it', { ...finding, suppressed: { reason: 'known' } }],
  ])('stays when %s', (_, changed) => {
    expect(fingerprintOf(changed)).toBe(original);
  });

  it.each<[string, Finding]>([
    ['the rule', { ...finding, rule: 'imds-v1' }],
    ['the message that is meant', { ...finding, messageId: 'tooHigh' }],
    ['the verdict', { ...finding, messageId: undefined, verdict: 'unverifiable' }],
    ['the file', { ...finding, resource: { ...resource, source: at(4, undefined, 'staging/cluster.yaml') } }],
    ['the stack', { ...finding, resource: { ...resource, stack: 'staging' } }],
    ['the resource', { ...finding, resource: { ...resource, id: 'Other' } }],
    ['the construct path', { ...finding, resource: { ...resource, path: 'Prod/WorkersTemplate' } }],
    ['the property', { ...finding, source: at(7, 'Properties.TagSpecifications') }],
    ['what it is about', { ...finding, about: 'env.NOPE' }],
  ])('tells %s apart', (_, changed) => {
    expect(fingerprintOf(changed)).not.toBe(original);
  });

  it.each([
    ['Properties.InstanceTypes.0', 'Properties.InstanceTypes.12', true],
    ['ebs[0].size', 'ebs[3].size', true],
    ['Properties.Tags.0.Key', 'Properties.Tags.0.Value', false],
    ['Properties.Fn::If.1.Size', 'Properties.Fn::If.2.Size', false],
    ['Properties.Port443', 'Properties.Port80', false],
    ['0.Key', '12.Key', true],
    ['0', '12', true],
    ['Properties.Ports.443x', 'Properties.Ports.80x', false],
    ['Properties.Tags.10', 'Properties.Tags.10.Key', false],
    ['a[x]', 'a[y]', false],
  ])('of %s and %s is the same: %s', (one, other, isSame) => {
    expect(
      fingerprintOf({ ...finding, source: at(7, one) }) === fingerprintOf({ ...finding, source: at(7, other) }),
    ).toBe(isSame);
  });

  it('is about a place that is told by whoever knows how files are called', () => {
    const absolute = {
      ...finding,
      resource: { ...resource, source: at(4, undefined, '/srv/repo/infra/cluster.yaml') },
    };
    expect(fingerprintOf(absolute, (file) => file.replace('/srv/repo/', ''))).toBe(original);
  });

  it('is about a root module of Terraform, whichever of its files is read, named or holds the resource', () => {
    const original = fingerprintOf(inTerraform('envs/dev', 'envs/dev/main.tf'));
    for (const [stack, file] of [
      ['envs/dev', 'envs/dev/nodes.tf.json'],
      ['envs/dev', 'modules/nodes/main.tf'],
      ['envs/dev/main.tf', 'envs/dev/main.tf'],
      ['envs/dev/x.tf.json', 'modules/a.tf'],
    ] as const) {
      expect(fingerprintOf(inTerraform(stack, file))).toBe(original);
    }
    expect(fingerprintOf(inTerraform('envs/prod', 'modules/nodes/main.tf'))).not.toBe(original);
    expect(fingerprintOf(inTerraform('main.tf', 'main.tf'))).toBe(fingerprintOf(inTerraform('.', 'main.tf')));
  });

  it('is about the file of a plan', () => {
    expect(fingerprintOf(inTerraform('envs/dev', 'envs/dev.json'))).toBe(
      fingerprintOf(inTerraform('./envs/dev', 'envs/dev.json')),
    );
    expect(fingerprintOf(inTerraform('envs/dev', 'envs/dev.json'))).not.toBe(
      fingerprintOf(inTerraform('envs/dev', 'envs/dev/main.tf')),
    );
  });
});

describe('fingerprints', () => {
  it('number equal findings, whatever stands between them', () => {
    const again = { ...finding };
    const other = { ...finding, rule: 'imds-v1' };
    const map = fingerprints([finding, other, again], asGiven);
    expect([map.get(finding), map.get(other)]).toEqual([original, fingerprintOf(other)]);
    expect(map.get(again)).not.toBe(original);
    expect(fingerprints([again, finding], asGiven).get(finding)).toBe(map.get(again));
  });

  it('are never the same for two findings, whatever their parts hold', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '"', '\\', '|', '\n', ',', '.', '/', '0', '[', ']'),
      maxLength: 4,
    });
    const any = fc.record({ rule: part, messageId: part, stack: part, id: part, property: part, about: part });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (parts) => {
        const findings = parts.map(({ rule, messageId, stack, id, property, about }) =>
          findingOn(resourceAt(at(1), { stack, id }), { rule, messageId, source: at(1, property), about }),
        );
        expect(new Set(fingerprints(findings, asGiven).values()).size).toBe(findings.length);
      }),
    );
  });
});
