import { EksModel, mayRunOn, type Data, type PodScheduling } from '../../lib/model';
import { readTemplates } from '../../lib/readers/cloudformation';
import { block, CLUSTER, launchTemplate, nodeGroup, template, USES_NODES } from '../rules/node-templates';
import { SELF_MANAGED } from '../rules/node-bootstrap/user-data-templates';

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const LABELLED = 'Labels: { pool: data, size: !Ref Size }';
const TAINTED = 'Taints: [{ Key: team, Value: data, Effect: NO_SCHEDULE }, { Key: soft, Effect: PREFER_NO_SCHEDULE }]';

/** Whether pods may run on the only group of a template. */
function answer(scheduling: Partial<PodScheduling>, ...blocks: readonly string[]): string {
  const text = template('Parameters:\n  Size: { Type: String }', CLUSTER, ...blocks);
  const model = new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources);
  const [group] = [...model.nodeGroups, ...model.selfManagedNodeGroups];
  if (group === undefined) throw new Error('the template has no group');
  return mayRunOn(group, model.viewOf(group), { namespace: 'kube-system', nodeSelector: undefined, affinity: undefined, tolerations: undefined, ...scheduling });
}

const required = (...terms: readonly Data[]): Data => ({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } });
const expression = (key: string, operator: string, ...values: readonly string[]): Data => ({ matchExpressions: [values.length === 0 ? { key, operator } : { key, operator, values }] });

test.each<[string, Partial<PodScheduling>, string]>([
  ['no wishes', {}, 'yes'],
  ['a label that the group has', { nodeSelector: { pool: 'data' } }, 'yes'],
  ['another value of it', { nodeSelector: { pool: 'web' } }, 'no'],
  ['a label that it has not', { nodeSelector: { tier: 'web' } }, 'no'],
  ['a label with a value that is not known', { nodeSelector: { size: 'big' } }, 'maybe'],
  ['Linux', { nodeSelector: { 'kubernetes.io/os': 'linux' } }, 'yes'],
  ['Windows', { nodeSelector: { 'kubernetes.io/os': 'windows' } }, 'no'],
  ['a zone', { nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1a' } }, 'maybe'],
  ['nodes of Karpenter', { nodeSelector: { 'karpenter.sh/nodepool': 'default' } }, 'no'],
  ['on-demand capacity', { nodeSelector: { 'eks.amazonaws.com/capacityType': 'ON_DEMAND' } }, 'yes'],
  ['spot capacity', { nodeSelector: { 'eks.amazonaws.com/capacityType': 'SPOT' } }, 'no'],
  ['a required term that fits', { affinity: required(expression('pool', 'In', 'data', 'web')) }, 'yes'],
  ['one of several terms', { affinity: required(expression('pool', 'In', 'web'), expression('pool', 'Exists')) }, 'yes'],
  ['no term that fits', { affinity: required(expression('pool', 'NotIn', 'data')) }, 'no'],
  ['anything but Fargate', { affinity: required(expression('eks.amazonaws.com/compute-type', 'NotIn', 'fargate')) }, 'yes'],
  ['a comparison', { affinity: required(expression('cores', 'Gt', '4')) }, 'maybe'],
  ['a preference', { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: expression('pool', 'In', 'web') }] } } }, 'yes'],
])('a group with labels, and pods that want %s', (_, scheduling, expected) => {
  expect(answer(scheduling, nodeGroup(AL2023, LABELLED))).toBe(expected);
});

test.each<[string, Data | undefined, string]>([
  ['nothing', undefined, 'no'],
  ['everything', [{ operator: 'Exists' }], 'yes'],
  ['the key', [{ key: 'team', operator: 'Exists' }], 'yes'],
  ['the value', [{ key: 'team', value: 'data', effect: 'NoSchedule' }], 'yes'],
  ['another value', [{ key: 'team', operator: 'Equal', value: 'web' }], 'no'],
  ['another effect', [{ operator: 'Exists', effect: 'NoExecute' }], 'no'],
])('a group with taints, and pods that tolerate %s', (_, tolerations, expected) => {
  expect(answer({ tolerations }, nodeGroup(AL2023, TAINTED))).toBe(expected);
});

test('what the user data may add is not known', () => {
  const kubelet = (flag: string) => launchTemplate('UserData:', '  Fn::Base64: |', `    ${flag}=team=data`);
  expect(answer({ nodeSelector: { team: 'data' } }, nodeGroup(AL2023, USES_NODES), kubelet('--node-labels'))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023, USES_NODES), kubelet('--register-with-taints'))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '3' }"))).toBe('maybe');
  expect(answer({}, SELF_MANAGED, launchTemplate('ImageId: ami-0123456789abcdef0'))).toBe('yes');
});

test('Linux pods do not run on Windows', () => {
  expect(answer({}, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64'))).toBe('no');
});

test.each([
  ['{ Namespace: kube-system }', 'no'],
  ['{ Namespace: "kube-*" }', 'no'],
  ['{ Namespace: default }', 'yes'],
  ['{ Namespace: !Ref Size }', 'maybe'],
  ['{ Namespace: kube-system, Labels: [{ Key: a, Value: b }] }', 'maybe'],
])('a Fargate profile with the selector %s', (selector, expected) => {
  expect(answer({}, nodeGroup(AL2023), block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster', `Selectors: [${selector}]`]))).toBe(expected);
});

test('taints of a group that are decided at deployment leave it open', () => {
  const group = (taint: string) => answer({ tolerations: [{ key: 'team', operator: 'Exists' }] }, nodeGroup(AL2023, `Taints: [${taint}]`));
  expect(group('{ Key: !Ref Size, Effect: NO_SCHEDULE }')).toBe('maybe');
  expect(group('{ Key: other, Effect: !Ref Size }')).toBe('maybe');
  expect(group('{ Key: team, Effect: NO_EXECUTE }')).toBe('yes');
});
