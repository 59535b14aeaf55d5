import { alternativesOf, defineRule } from '../../lib';
import { checkRule } from '../../lib/testing';

const clusterName = defineRule({
  id: 'acme-cluster-name',
  title: 'Clusters have a name',
  severity: 'error',
  messages: { nameless: { text: 'Cluster "{{cluster}}" has no name.', fix: 'Give it one.' } },
  *check(model) {
    for (const cluster of model.clusters) {
      for (const { value } of alternativesOf(cluster.name)) {
        if (value.kind === 'absent') yield { verdict: 'fail', resource: cluster, message: 'nameless', data: { cluster: cluster.id } };
        else if (value.kind === 'unknown') yield { verdict: 'unverifiable', resource: cluster, reason: value.reason, source: value.source };
      }
    }
  },
});

const named = { template: { Resources: { Main: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'main' } } } } };
const nameless = { template: 'Resources:\n  Main:\n    Type: AWS::EKS::Cluster\n    Properties: {}\n' };
const inTerraform = { terraform: 'resource "aws_eks_cluster" "main" {\n  name = "main"\n}\n' };

describe('checkRule', () => {
  it('is silent when all is as wanted', () => {
    expect(() => {
      checkRule(clusterName, { valid: [named, inTerraform], invalid: [nameless, { ...nameless, findings: [{ message: 'nameless', severity: 'error', resource: 'Main', text: '"Main"' }] }] });
    }).not.toThrow();
    const open = { template: { Parameters: { Name: { Type: 'String' } }, Resources: { Main: { Type: 'AWS::EKS::Cluster', Properties: { Name: { Ref: 'Name' } } } } }, findings: [{ verdict: 'unverifiable' as const }] };
    expect(() => {
      checkRule(clusterName, { valid: [named], invalid: [open] });
    }).not.toThrow();
  });

  it.each<[string, Parameters<typeof checkRule>[1], string]>([
    ['a valid input fails', { valid: [{ ...nameless, name: 'no name' }], invalid: [nameless] }, 'valid case "no name": expected nothing, found:\n    error nameless on Main: Cluster "Main" has no name.'],
    ['an invalid input passes', { valid: [named], invalid: [named] }, 'invalid case 1: expected something wrong, found nothing'],
    ['another finding is wanted', { valid: [named], invalid: [{ ...nameless, findings: [{ resource: 'Other' }] }] }, 'expected:\n    {"resource":"Other"}\n  found:\n    error nameless on Main'],
    ['the input is broken', { valid: [{ template: 'Resources: [' }], invalid: [nameless] }, "valid case 1: the input can't be read: line 1"],
    ['there is no input', { valid: [{}], invalid: [nameless] }, 'expected one of template, terraform and plan, found 0'],
    ['nothing is tested', { valid: [], invalid: [] }, 'a rule that always fails would pass'],
  ])('throws when %s', (_, cases, message) => {
    expect(() => {
      checkRule(clusterName, cases);
    }).toThrow(message);
  });

  it('throws when the rule does', () => {
    const crashing = defineRule({ id: 'acme-crash', title: 'T', severity: 'error', messages: {}, check: () => { throw new Error('no luck'); } });
    expect(() => {
      checkRule(crashing, { valid: [named], invalid: [nameless] });
    }).toThrow(/Rule acme-crash stopped with an error \(no luck, in test\/configuration\/check-rule\.test\.ts:\d+:\d+\)/);
  });

  it.each<[string, unknown, string]>([
    ['a wanted finding', { valid: [named], invalid: [{ ...nameless, findings: [{ messag: 'nope' }] }] }, 'invalid[0].findings[0].messag: there is no part of a finding "messag"; did you mean "message"?'],
    ['a case', { valid: [{ ...named, nam: 'a' }], invalid: [nameless] }, 'valid[0].nam: there is no part of a valid case "nam"; did you mean "name"?'],
    ['a kind of cases', { valids: [named], invalid: [nameless] }, 'valids: there is no kind of cases "valids"; did you mean "valid"?'],
    ['nothing but valid cases', { valid: [named] }, '"invalid" is missing; it is a list'],
    ['no finding at all', { valid: [named], invalid: [{ ...named, findings: [] }] }, '"findings" is empty'],
  ])('throws for %s that wants nothing', (_, cases, message) => {
    expect(() => {
      checkRule(clusterName, cases as Parameters<typeof checkRule>[1]);
    }).toThrow(message);
  });

  it('takes a rule that nobody has defined, and refuses what the check would refuse', () => {
    const own = { id: 'acme-own', title: 'T', severity: 'error' as const, messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, check: () => [] };
    const cases = { valid: [named], invalid: [] };
    expect(() => {
      checkRule(own, cases);
    }).toThrow('a rule that never fails would pass');
    expect(() => {
      checkRule({ ...own, id: 'imds-v1' }, cases);
    }).toThrow('the custom rule "imds-v1" has the id of a built-in rule');
    expect(() => {
      checkRule({ ...own, title: ' ' }, cases);
    }).toThrow('rule "acme-own" is not whole: title: expected a text');
  });
});
