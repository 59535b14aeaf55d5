import { EksModel, mayRunOn, nowhere, Unknown, type Data, type PodScheduling } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import {
  block,
  CLUSTER,
  launchTemplate,
  nodeGroup,
  onCondition,
  template,
  USES_NODES,
} from '../../rules/node-templates';
import { SELF_MANAGED } from '../../rules/node-bootstrap/user-data-templates';

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const LABELLED = 'Labels: { pool: data, size: !Ref Size }';
const TAINTED = 'Taints: [{ Key: team, Value: data, Effect: NO_SCHEDULE }, { Key: soft, Effect: PREFER_NO_SCHEDULE }]';

/** Whether pods may run on the only group of a template. */
function answer(scheduling: Partial<PodScheduling>, ...blocks: readonly string[]): string {
  const text = template(
    'Parameters:\n  Size: { Type: String }\nConditions:\n  IsBig: !Equals [!Ref Size, big]',
    CLUSTER,
    ...blocks,
  );
  const model = new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources);
  const [group] = [...model.nodeGroups, ...model.selfManagedNodeGroups];
  if (group === undefined) throw new Error('the template has no group');
  return mayRunOn(group, model.viewOf(group), {
    namespace: 'kube-system',
    nodeSelector: undefined,
    affinity: undefined,
    tolerations: undefined,
    ...scheduling,
  });
}

const hidden = new Unknown('it is a parameter', nowhere);
const required = (...terms: readonly Data[]): Data => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const expression = (key: string, operator: string, ...values: readonly string[]): Data => ({
  matchExpressions: [values.length === 0 ? { key, operator } : { key, operator, values }],
});

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
  [
    'one of several terms',
    { affinity: required(expression('pool', 'In', 'web'), expression('pool', 'Exists')) },
    'yes',
  ],
  ['no term that fits', { affinity: required(expression('pool', 'NotIn', 'data')) }, 'no'],
  [
    'anything but Fargate',
    { affinity: required(expression('eks.amazonaws.com/compute-type', 'NotIn', 'fargate')) },
    'yes',
  ],
  ['Linux, by the older label', { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }, 'yes'],
  ['Windows, by the older label', { nodeSelector: { 'beta.kubernetes.io/os': 'windows' } }, 'no'],
  ['an AMI', { nodeSelector: { 'eks.amazonaws.com/nodegroup-image': 'ami-0123456789abcdef0' } }, 'maybe'],
  ['a group of a name', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'workers' } }, 'maybe'],
  ['nothing, as null', { nodeSelector: null }, 'yes'],
  ['nothing that is required', { affinity: required() }, 'yes'],
  [
    'nothing that is required, as an empty map',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: {} } } } },
    'yes',
  ],
  [
    'terms that are not known',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: hidden } } } },
    'maybe',
  ],
  [
    'terms that are no list',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: 'pool' } } } },
    'maybe',
  ],
  ['a term that is not known', { affinity: required(hidden) }, 'maybe'],
  ['a term that is not known, or one that fits', { affinity: required(hidden, expression('pool', 'Exists')) }, 'yes'],
  ['an empty term, which fits nothing', { affinity: required({}) }, 'no'],
  ['a term without expressions', { affinity: required({ matchExpressions: [] }) }, 'no'],
  [
    'a field of the node',
    { affinity: required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['x'] }] }) },
    'maybe',
  ],
  [
    'no field of the node',
    { affinity: required({ matchExpressions: [{ key: 'pool', operator: 'Exists' }], matchFields: [] }) },
    'yes',
  ],
  [
    'a comparison beside something else',
    {
      affinity: required({
        matchExpressions: [
          { key: 'pool', operator: 'Exists' },
          { key: 'cores', operator: 'Lt', values: ['4'] },
        ],
      }),
    },
    'maybe',
  ],
  [
    'a term that fits, and a label that it has not',
    { nodeSelector: { tier: 'web' }, affinity: required(expression('pool', 'Exists')) },
    'no',
  ],
  ['a comparison', { affinity: required(expression('cores', 'Gt', '4')) }, 'maybe'],
  [
    'a preference',
    {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: expression('pool', 'In', 'web') }],
        },
      },
    },
    'yes',
  ],
])('a group with labels, and pods that want %s', (_, scheduling, expected) => {
  expect(answer(scheduling, nodeGroup(AL2023, LABELLED))).toBe(expected);
});

test.each<[string, Data | undefined, string]>([
  ['nothing', undefined, 'no'],
  ['everything', [{ operator: 'Exists' }], 'yes'],
  ['the key', [{ key: 'team', operator: 'Exists' }], 'yes'],
  ['the value', [{ key: 'team', value: 'data', effect: 'NoSchedule' }], 'yes'],
  ['another value', [{ key: 'team', operator: 'Equal', value: 'web' }], 'no'],
  ['what is not known', hidden, 'maybe'],
  ['something that is not known', [hidden], 'maybe'],
  ['a key that is not known', [{ key: hidden, operator: 'Exists' }], 'maybe'],
  ['another key', [{ key: 'other', operator: 'Exists' }], 'no'],
  ['a value that is not known', [{ key: 'team', value: hidden }], 'maybe'],
  ['the key without a value', [{ key: 'team' }], 'no'],
  ['no key', [{ operator: 'Equal', value: 'data' }], 'no'],
  ['by an operator that there is not', [{ key: 'team', operator: 'Like', value: 'data' }], 'maybe'],
  ['everything of an effect', [{ operator: 'Exists', effect: 'NoSchedule' }], 'yes'],
  ['everything of any effect', [{ operator: 'Exists', effect: '' }], 'yes'],
  ['everything of an effect that is not known', [{ operator: 'Exists', effect: hidden }], 'maybe'],
  ['everything of an effect that is no text', [{ operator: 'Exists', effect: 5 }], 'no'],
  [
    'one of two',
    [
      { key: 'other', operator: 'Exists' },
      { key: 'team', operator: 'Exists' },
    ],
    'yes',
  ],
  ['what is no list', { operator: 'Exists' }, 'no'],
  ['another effect', [{ operator: 'Exists', effect: 'NoExecute' }], 'no'],
])('a group with taints, and pods that tolerate %s', (_, tolerations, expected) => {
  expect(answer({ tolerations }, nodeGroup(AL2023, TAINTED))).toBe(expected);
});

test('what the user data may add is not known', () => {
  const kubelet = (flag: string) => launchTemplate('UserData:', '  Fn::Base64: |', `    ${flag}=team=data`);
  expect(answer({ nodeSelector: { team: 'data' } }, nodeGroup(AL2023, USES_NODES), kubelet('--node-labels'))).toBe(
    'maybe',
  );
  expect(answer({}, nodeGroup(AL2023, USES_NODES), kubelet('--register-with-taints'))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '3' }"))).toBe('maybe');
  expect(answer({}, SELF_MANAGED, launchTemplate('ImageId: ami-0123456789abcdef0'))).toBe('yes');
});

test.each<[string, string, Record<string, string>, string]>([
  ['of spot capacity', 'CapacityType: SPOT', { 'eks.amazonaws.com/capacityType': 'SPOT' }, 'yes'],
  ['of spot capacity', 'CapacityType: SPOT', { 'eks.amazonaws.com/capacityType': 'ON_DEMAND' }, 'no'],
  ['of a capacity that is not known', 'CapacityType: !Ref Size', { 'eks.amazonaws.com/capacityType': 'SPOT' }, 'maybe'],
  ['with a name', 'NodegroupName: main', { 'eks.amazonaws.com/nodegroup': 'main' }, 'yes'],
  ['with a name', 'NodegroupName: main', { 'eks.amazonaws.com/nodegroup': 'other' }, 'no'],
  ['with labels that are not known', 'Labels: !Ref Size', { pool: 'data' }, 'maybe'],
  ['with a label by a condition', 'Labels: { pool: !If [IsBig, data, web] }', { pool: 'data' }, 'maybe'],
  [
    'with labels by a condition',
    'Labels: !If [IsBig, { pool: data }, { pool: data, size: small }]',
    { pool: 'data' },
    'yes',
  ],
  ['with labels by a condition', 'Labels: !If [IsBig, { pool: data }, { size: small }]', { pool: 'data' }, 'maybe'],
])('a group %s: %s', (_, properties, nodeSelector, expected) => {
  expect(answer({ nodeSelector }, nodeGroup(AL2023, properties))).toBe(expected);
});

test('self-managed nodes have no labels of EKS', () => {
  const own = launchTemplate('ImageId: ami-0123456789abcdef0');
  expect(answer({ nodeSelector: { 'eks.amazonaws.com/capacityType': 'ON_DEMAND' } }, SELF_MANAGED, own)).toBe('no');
  expect(answer({ nodeSelector: { 'kubernetes.io/os': 'linux' } }, SELF_MANAGED, own)).toBe('yes');
});

test('user data that is not known may add anything', () => {
  expect(
    answer({ nodeSelector: { team: 'data' } }, nodeGroup(AL2023, USES_NODES), launchTemplate('UserData: !Ref Size')),
  ).toBe('maybe');
  expect(answer({ nodeSelector: { team: 'data' } }, nodeGroup(AL2023, USES_NODES), launchTemplate())).toBe('no');
  expect(
    answer(
      {},
      nodeGroup(AL2023, USES_NODES),
      launchTemplate('UserData: !If [IsBig, !ImportValue data, !Ref "AWS::NoValue"]'),
    ),
  ).toBe('maybe');
});

test('Linux pods do not run on Windows', () => {
  expect(answer({}, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64'))).toBe('no');
});

test.each([
  ['{ Namespace: kube-system }', 'no'],
  ['{ Namespace: "kube-*" }', 'no'],
  ['{ Namespace: "kube-syste?" }', 'no'],
  ['{ Namespace: "kube-system?" }', 'yes'],
  ['{ Namespace: "kube.system" }', 'yes'],
  ['{ Namespace: system }', 'yes'],
  ['{ Namespace: !If [IsBig, kube-system, default] }', 'maybe'],
  ['{ Namespace: !If [IsBig, kube-system, "kube-*"] }', 'no'],
  ['{ Namespace: default }, { Namespace: kube-system }', 'no'],
  ['{ Namespace: default }, { Namespace: !Ref Size }', 'maybe'],
  ['{ Labels: [] }', 'yes'],
  ['', 'yes'],
  ['{ Namespace: default }', 'yes'],
  ['{ Namespace: !Ref Size }', 'maybe'],
  ['{ Namespace: kube-system, Labels: [{ Key: a, Value: b }] }', 'maybe'],
])('a Fargate profile with the selector %s', (selector, expected) => {
  expect(
    answer(
      {},
      nodeGroup(AL2023),
      block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster', `Selectors: [${selector}]`]),
    ),
  ).toBe(expected);
});

test('taints of a group that are decided at deployment leave it open', () => {
  const group = (taint: string) =>
    answer({ tolerations: [{ key: 'team', operator: 'Exists' }] }, nodeGroup(AL2023, `Taints: [${taint}]`));
  expect(group('{ Key: !Ref Size, Effect: NO_SCHEDULE }')).toBe('maybe');
  expect(group('{ Key: other, Effect: !Ref Size }')).toBe('maybe');
  expect(group('{ Key: team, Effect: NO_EXECUTE }')).toBe('yes');
});

test('a Fargate profile takes pods away for certain only where it is there for certain, and their namespace is known', () => {
  const profile = (...more: readonly string[]) =>
    block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster', ...more]);
  const SYSTEM = 'Selectors: [{ Namespace: kube-system }]';
  expect(answer({}, nodeGroup(AL2023), onCondition('IsBig', profile(SYSTEM)))).toBe('maybe');
  expect(answer({ namespace: undefined }, nodeGroup(AL2023), profile(SYSTEM))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023), profile('Selectors: !Ref Size'))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023), profile())).toBe('yes');
});

test('taints that are not known leave it open', () => {
  expect(answer({}, nodeGroup(AL2023, 'Taints: !Ref Size'))).toBe('maybe');
  expect(answer({}, nodeGroup(AL2023, 'Taints: [{ Key: soft, Effect: PREFER_NO_SCHEDULE }]'))).toBe('yes');
});
