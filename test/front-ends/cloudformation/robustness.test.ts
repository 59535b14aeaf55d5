import * as fc from 'fast-check';
import { runRules } from '../../../lib/engine';
import { EksModel, type EksResource } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { runs, share } from '../../share';

/** A template with everything that the reader looks at. */
const TEMPLATE = {
  Parameters: {
    P: { Type: 'String' },
    D: { Type: 'String', Default: 'x', AllowedValues: ['x', 'y'] },
    L: { Type: 'CommaDelimitedList', Default: 'a,b' },
  },
  Conditions: {
    C: { 'Fn::Equals': [{ Ref: 'P' }, 'a'] },
    E: { 'Fn::Equals': [{ Ref: 'D' }, 'y'] },
    N: { 'Fn::Not': [{ Condition: 'C' }] },
    O: { 'Fn::Or': [{ Condition: 'C' }, { 'Fn::Equals': ['a', 'b'] }] },
  },
  Mappings: { M: { a: { b: 'c' } } },
  Resources: {
    Cluster: {
      Type: 'AWS::EKS::Cluster',
      Properties: { Name: { 'Fn::Sub': '${P}-x' }, KubernetesNetworkConfig: { IpFamily: 'ipv6' } },
    },
    V1: {
      Type: 'Custom::AWSCDK-EKS-Cluster',
      Properties: { Config: { version: { 'Fn::FindInMap': ['M', 'a', 'b'] } } },
    },
    Nodes: {
      Type: 'AWS::EKS::Nodegroup',
      Condition: 'C',
      Properties: {
        ClusterName: { Ref: 'Cluster' },
        NodeRole: { 'Fn::GetAtt': ['Role', 'Arn'] },
        InstanceTypes: { 'Fn::If': ['N', ['m5.large'], { Ref: 'L' }] },
        LaunchTemplate: { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } },
      },
    },
    Template: {
      Type: 'AWS::EC2::LaunchTemplate',
      Properties: {
        LaunchTemplateData: {
          ImageId: '{{resolve:ssm:/a/b}}',
          MetadataOptions: {
            'Fn::If': [
              'O',
              { HttpPutResponseHopLimit: 1, HttpEndpoint: { 'Fn::If': ['E', 'disabled', { Ref: 'D' }] } },
              { Ref: 'AWS::NoValue' },
            ],
          },
          UserData: { 'Fn::Base64': { 'Fn::Join': ['', ['a', { Ref: 'P' }]] } },
          TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'a' }] }],
        },
      },
    },
    Addon: {
      Type: 'AWS::EKS::Addon',
      Properties: {
        ConfigurationValues: { 'Fn::ToJsonString': { a: [{ Ref: 'P' }] } },
        PodIdentityAssociations: [{ RoleArn: { Ref: 'P' } }],
      },
    },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Effect: 'Allow',
              Principal: { Federated: { Ref: 'Oidc' } },
              Action: 'a',
              Condition: { StringEquals: { 'Fn::GetAtt': ['Json', 'Value'] } },
            },
          ],
        },
        ManagedPolicyArns: [{ Ref: 'Policy' }],
      },
      Metadata: {
        'eks-guardrails': { suppress: [{ rule: 'a', reason: 'b', until: '2027-01-01' }] },
        'aws:cdk:path': 'A/B',
      },
    },
    Policy: {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { Roles: ['role'], PolicyDocument: { Statement: { Effect: 'Allow', Action: ['a'], Resource: '*' } } },
    },
    Oidc: { Type: 'Custom::AWSCDKOpenIdConnectProvider', Properties: { Url: 'https://x', ClientIDList: ['a'] } },
    Json: {
      Type: 'Custom::AWSCDKCfnJson',
      Properties: { Value: { 'Fn::Join': ['', ['{"', { Ref: 'P' }, ':sub":"x"}']] } },
    },
    Manifest: {
      Type: 'Custom::AWSCDK-EKS-KubernetesResource',
      Properties: { Manifest: { 'Fn::Join': ['', ['[{"a":"', { Ref: 'P' }, '"}]']] } },
    },
    Patch: { Type: 'Custom::AWSCDK-EKS-KubernetesPatch', Properties: { ApplyPatchJson: '{}' } },
    Chart: { Type: 'Custom::AWSCDK-EKS-HelmChart', Properties: { Values: '{}' } },
    Association: { Type: 'AWS::EKS::PodIdentityAssociation', Properties: { RoleArn: { 'Fn::ImportValue': 'e' } } },
  },
  Outputs: { O: { Value: { Ref: 'Role' }, Export: { Name: 'e' } } },
};

/** Reads every property of every resource, down to the places. */
function touch(value: unknown, seen: Set<unknown>, depth = 0): void {
  if (typeof value !== 'object' || value === null || seen.has(value) || depth > 8) return;
  seen.add(value);
  if ('locate' in value && typeof value.locate === 'function') {
    (value as { locate(): unknown }).locate();
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) touch(item, seen, depth + 1);
    return;
  }
  for (
    let one: object | null = value;
    one !== null && one !== Object.prototype;
    one = Object.getPrototypeOf(one) as object | null
  ) {
    for (const key of Object.getOwnPropertyNames(one)) {
      // Only what the model promises; the reader's own fields lead to the whole template.
      if (
        [
          'constructor',
          'template',
          'raw',
          'declaration',
          'evaluator',
          'cursor',
          'properties',
          'propertiesMemo',
        ].includes(key)
      )
        continue;
      const member = (value as Record<string, unknown>)[key];
      if (typeof member !== 'function') touch(member, seen, depth + 1);
    }
  }
}

function readAll(text: string, file: string): readonly EksResource[] {
  const result = readTemplates([{ file, text }]);
  for (const { line, column, message, file: where } of result.diagnostics) {
    expect([line > 0, column > 0, message.length > 0, where]).toEqual([true, true, true, file]);
  }
  for (const resource of result.resources) touch(resource, new Set());
  new EksModel(result.resources);
  return result.resources;
}

/** Ways to a value of a template. */
function waysIn(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([key, item]) => waysIn(item, [...way, key]))];
}

function changed(value: unknown, way: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = way;
  if (key === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  copy[key] = changed(copy[key], rest, replacement);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const ways = waysIn(TEMPLATE);
const replacement = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[
      'Cluster',
      'Role',
      'Template',
      'Nodes',
      'P',
      'L',
      'AWS::NoValue',
      'AWS::Region',
      'constructor',
      '__proto__',
      'Nothing',
    ].map((Ref) => ({ Ref })),
    ...[
      'Ref',
      'Fn::GetAtt',
      'Fn::Sub',
      'Fn::Join',
      'Fn::If',
      'Fn::Select',
      'Fn::Split',
      'Fn::FindInMap',
      'Fn::Base64',
      'Fn::ImportValue',
      'Fn::ToJsonString',
      'Fn::Length',
      'Fn::GetStackOutput',
    ].flatMap((name) =>
      [null, 1, '', [], {}, ['C'], ['C', 1, 2], [['C'], {}], ['', [{ Ref: 'P' }]], 'e'].map((argument) => ({
        [name]: argument,
      })),
    ),
  ),
);

describe('the reader', () => {
  it('reads the whole of a good template', () => {
    expect(readTemplates([{ file: 'a.json', text: JSON.stringify(TEMPLATE) }]).diagnostics).toEqual([]);
    expect(readAll(JSON.stringify(TEMPLATE), 'a.json')).toHaveLength(11);
  });

  it.each<[string, unknown]>([
    ['a map that looks like it can be text', { toString: 'x', valueOf: 'y', toJSON: 'z', length: 1 }],
    ['a list of such', [{ toString: 'x', valueOf: 'y' }]],
    ['nothing', null],
    ['a map that looks like a list', { 0: 'a', length: 2, map: 'b', flatMap: 'c', join: 'd' }],
  ])('never throws, and no rule does, on a template of which one value is replaced by %s', (_, value) => {
    for (const [, way] of share(
      ways.map((way) => [way.join('.'), way] as const),
      6,
    )) {
      const text = JSON.stringify(changed(TEMPLATE, way, value));
      const findings = runRules(new EksModel(readAll(text, 'a.json')), allRules);
      expect(
        findings.filter(({ rule }) => rule === 'rule-crashed').map(({ message }) => [way.join('.'), message]),
      ).toEqual([]);
    }
  });

  it('never throws on a template of which some values are replaced by anything', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...ways), replacement), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const template = changes.reduce<unknown>((value, [way, to]) => changed(value, way, to), TEMPLATE);
          readAll(JSON.stringify(template), 'a.json');
        },
      ),
      { numRuns: runs(200) },
    );
  }, 60_000);

  it('never throws on a template that is cut off or has a hole', () => {
    const text = JSON.stringify(TEMPLATE, null, 1);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(40), fc.constantFrom('a.json', 'a.yaml'), (start, length, file) => {
        readAll(text.slice(0, start) + text.slice(start + length), file);
      }),
      { numRuns: runs(120) },
    );
  }, 60_000);

  it('never throws on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        readAll(JSON.stringify({ Resources: value }), 'a.json');
        readAll(JSON.stringify(value), 'a.json');
      }),
    );
  });

  it('finds the same in JSON and in YAML', () => {
    // JSON is YAML: the same text, told to be YAML by what stands before it.
    const json = readAll(JSON.stringify(TEMPLATE), 'a.json').map(({ kind, id }) => `${kind} ${id}`);
    expect(readAll(`# YAML\n${JSON.stringify(TEMPLATE)}`, 'a.json').map(({ kind, id }) => `${kind} ${id}`)).toEqual(
      json,
    );
  });
});
