import type { CheckResult } from '../../lib/check';
import type { Diagnostic, Finding } from '../../lib/engine';
import { findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const yaml = `Resources:
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      ForceUpdateEnabled: true
      LaunchTemplate: {Id: !Ref WorkersTemplate, Version: $Latest}
  WorkersTemplate:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions:
          HttpPutResponseHopLimit: 1
          HttpTokens: optional
`;
const roles = '{ "Resources": { "Role": { "Type": "AWS::IAM::Role", "Properties": { "Path": "/<&>" } } } }\n';

/** With the names that people give to files. */
export const files = { 'cluster.yaml': yaml, './team 1/roles & 100%.json': roles };

const at = (text: string, property?: string) => placeOf('cluster.yaml', yaml, text, property);
const atRole = placeOf('./team 1/roles & 100%.json', roles, '"Role"');
const template = resourceAt(at('WorkersTemplate:'));
const workers = resourceAt(at('Workers:'), {
  type: 'AWS::EKS::Nodegroup',
  id: 'Workers',
  path: 'Prod/Cluster/Workers',
});
const role = resourceAt(atRole, { type: 'AWS::IAM::Role', id: 'Role', frontEnd: 'aws-cdk' });

export const hopLimit = findingOn(template, {
  message:
    'Launch template "WorkersTemplate" sets the hop limit to 1, so pods without a role of their own get no credentials and fail with `Unable to locate credentials`.',
  fix: 'Declare 2, or keep 1 and give every pod a role of its own.',
  fixCode: 'MetadataOptions:\n  HttpPutResponseHopLimit: 2\n',
  source: at('HttpPutResponseHopLimit', 'Properties.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit'),
  related: [
    {
      message: 'node group "Workers" [of prod] uses the launch template',
      source: at('LaunchTemplate: {Id', 'Properties.LaunchTemplate'),
    },
  ],
});
const tokens = findingOn(template, {
  rule: 'imds-v1',
  severity: 'warning',
  message: 'IMDSv1 answers.',
  source: at('HttpTokens', 'Properties.LaunchTemplateData.MetadataOptions.HttpTokens'),
});
const sameAgain = { ...tokens, message: 'IMDSv1 answers, in another case.' };
const evil = findingOn(role, {
  rule: 'my-own-rule',
  severity: 'error',
  message:
    'Role "<b>|]]>&amp;\u0000\u001b[2J\u202e" *lets* @everyone in: 100%, [really](javascript:x).\r\n::warning::and more\ud800',
  fix: '',
  fixCode: "const fence = '```';",
  docs: 'https://example.com/my-own-rule',
});
export const unverifiable = findingOn(workers, {
  rule: 'addon-version',
  severity: 'info',
  verdict: 'unverifiable',
  messageId: undefined,
  message: "Can't tell whether it is supported.",
  cause: 'its version is not known',
});
const info = findingOn(role, {
  rule: 'node-group-force-update',
  severity: 'info',
  message: 'The node role carries the CNI policy.',
});
export const suppressed = findingOn(role, {
  rule: 'irsa-subject',
  message: 'Any pod may assume it.',
  suppressed: { reason: 'one tenant', until: '2027-01-31' },
});
const unused = findingOn(workers, {
  rule: 'suppression-unused',
  severity: 'warning',
  messageId: undefined,
  message: 'The suppression matches nothing.',
  fix: 'Remove it.',
});

const diagnostics: readonly Diagnostic[] = [
  { severity: 'error', message: 'the file ends inside a string', file: 'broken.json', line: 3, column: 9 },
  { severity: 'warning', message: 'there is no resource "Gone"', file: 'cluster.yaml', line: 7, column: 32 },
];

/** Something of everything. */
export const sample: CheckResult = {
  ...resultOf([hopLimit, tokens, sameAgain, evil, unverifiable, info, suppressed, unused], diagnostics),
  inputs: [
    { path: 'cluster.yaml', kind: 'cloudformation-template', resources: 2 },
    { path: './team 1/roles & 100%.json', kind: 'cloudformation-template', resources: 1 },
    { path: 'network.yaml', kind: 'cloudformation-template', resources: 9 },
  ],
};

/** More of everything than any format lists one by one. */
export function many(count: number): CheckResult {
  const findings: Finding[] = Array.from({ length: count }, (_, index) => {
    const severity = index % 3 === 0 ? 'error' : 'warning';
    return findingOn(resourceAt(at('Workers:'), { id: `Workers${index}` }), {
      severity,
      rule: index % 2 === 0 ? 'imds-hop-limit' : 'imds-v1',
      message: `Launch template "Workers" sets the hop limit to -${index}.`,
      fixCode: 'a: 1\n',
    });
  });
  return resultOf(findings);
}

export const everything = { info: true, unverifiable: true, suppressed: true };
