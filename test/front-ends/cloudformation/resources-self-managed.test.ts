import { EksModel, type SelfManagedNodeGroup } from '../../../lib/eks';
import { diagnostics, read, resource, show } from './reading';
import { readAll, readIt, showList, target, template } from './resources-reading';

const TYPE = 'AWS::AutoScaling::AutoScalingGroup';

/** An Auto Scaling group of cluster `prod` with more properties. */
function group(properties: string, others: Readonly<Record<string, string>> = {}): SelfManagedNodeGroup {
  return readIt(
    'self-managed-node-group',
    TYPE,
    `{Tags: [{Key: kubernetes.io/cluster/prod, Value: owned, PropagateAtLaunch: true}], ${properties}}`,
    others,
  );
}

/** The cluster that tags tell; undefined if they make no node group. */
function clusterOf(tags: string, others: Readonly<Record<string, string>> = {}): unknown {
  const found = readAll({ It: `{Type: '${TYPE}', Properties: {Tags: ${tags}}}`, ...others }).resources.find(
    ({ id }) => id === 'It',
  );
  if (found === undefined) return undefined;
  if (found.kind !== 'self-managed-node-group') throw new Error();
  return target(found.cluster);
}

const NATIVE = { Cluster: '{Type: AWS::EKS::Cluster, Properties: {}}' };
const NAMED = { Cluster: '{Type: AWS::EKS::Cluster, Properties: {Name: prod}}' };
const CDK = { Cluster: '{Type: Custom::AWSCDK-EKS-Cluster, Properties: {Config: {version: "1.33"}}}' };

describe('an Auto Scaling group', () => {
  it.each([
    // Forms of a reference to a cluster of the template.
    [`[{Key: {Fn::Join: ['', [kubernetes.io/cluster/, !Ref Cluster]]}, Value: owned}]`, NATIVE, '-> Cluster'],
    [
      `[{Key: {Fn::Join: ['', [kubernetes.io/cluster/, !Ref Cluster]]}, PropagateAtLaunch: true, Value: owned}]`,
      CDK,
      '-> Cluster',
    ],
    [`[{Key: {Fn::Join: ['/', [kubernetes.io, cluster, !Ref Cluster]]}, Value: owned}]`, NATIVE, '-> Cluster'],
    ["[{Key: !Sub 'kubernetes.io/cluster/${Cluster}', Value: shared}]", NATIVE, '-> Cluster'],
    ["[{Key: !Sub 'kubernetes.io/cluster/${Cluster}', Value: owned}]", NAMED, '-> Cluster'],
    ["[{Key: !Sub ['kubernetes.io/cluster/${Name}', {Name: !Ref Cluster}], Value: owned}]", NATIVE, '-> Cluster'],
    ['[{Key: kubernetes.io/cluster/prod, Value: owned}]', NAMED, '-> Cluster'],
    // Names that lead out of the input.
    ['[{Key: kubernetes.io/cluster/other, Value: owned}]', NAMED, 'other'],
    ["[{Key: !Sub 'kubernetes.io/cluster/${Open}', Value: owned}]", NATIVE, '?${Open}'],
    ["[{Key: !Sub 'kubernetes.io/cluster/${Default}', Value: owned}]", NATIVE, 'given'],
    ["[{Key: !Sub 'kubernetes.io/cluster/${Open}-blue', Value: owned}]", NATIVE, '?${Open}-blue'],
    ["[{Key: !Sub 'kubernetes.io/cluster/eu-${Open}', Value: owned}]", NATIVE, '?eu-${Open}'],
    // Other tags around it, and values.
    ['[{Key: Name, Value: x}, {Key: !Ref Open, Value: y}, {Key: kubernetes.io/cluster/a, Value: owned}]', {}, 'a'],
    ['[{Key: kubernetes.io/cluster/a, Value: !Ref Open}]', {}, 'a'],
    [
      "[{Key: kubernetes.io/cluster/a, Value: !If [C, owned, 'no']}]",
      {},
      { 'condition C is true': 'a', 'condition C is false': 'absent' },
    ],
    [
      '[!If [C, {Key: kubernetes.io/cluster/a, Value: owned}, !Ref AWS::NoValue]]',
      {},
      { 'condition C is true': 'a', 'condition C is false': 'absent' },
    ],
    [
      '!If [C, [{Key: kubernetes.io/cluster/a, Value: owned}], [{Key: kubernetes.io/cluster/b, Value: owned}]]',
      {},
      { 'condition C is true': 'a', 'condition C is false': 'b' },
    ],
    [
      '[{Key: !If [C, kubernetes.io/cluster/a, kubernetes.io/cluster/b], Value: owned}]',
      {},
      { 'condition C is true': 'a', 'condition C is false': 'b' },
    ],
  ])('with tags %s is a node group', (tags, others, expected) => {
    expect(clusterOf(tags, others as Readonly<Record<string, string>>)).toEqual(expected);
  });

  it.each([
    ['[]'],
    ['!Ref Open'],
    ['!Ref AWS::NoValue'],
    ['[{Key: Name, Value: x}]'],
    ['[{Key: !Ref Open, Value: owned}]'],
    ['[{Key: kubernetes.io/cluster/, Value: owned}]'],
    ['[{Key: kubernetes.io/cluster/a, Value: other}]'],
    ['[{Key: kubernetes.io/cluster/a}]'],
    ['[{Key: k8s.io/cluster-autoscaler/enabled, Value: owned}]'],
    ["[{Key: !Sub 'k8s.io/cluster/${Open}', Value: owned}]"],
    ["[{Key: !Sub '${Open}/kubernetes.io/cluster/', Value: owned}]"],
  ])('with tags %s is none', (tags) => {
    expect(clusterOf(tags, NATIVE)).toBeUndefined();
  });

  it('without tags is none', () => {
    expect(readAll({ It: `{Type: '${TYPE}', Properties: {}}`, Bare: `{Type: '${TYPE}'}` }).resources).toEqual([]);
  });

  it('finds its cluster wherever that stands', () => {
    const tags = `{Tags: [{Key: {Fn::Join: ['', [kubernetes.io/cluster/, !ImportValue name]]}, Value: owned}]}`;
    const { resources } = read(
      `Resources: {It: {Type: '${TYPE}', Properties: ${tags}}, Cluster: {Type: AWS::EKS::Cluster, Properties: {}}}\nOutputs: {N: {Value: !Ref Cluster, Export: {Name: name}}}`,
    );
    expect(resources.flatMap((one) => (one.kind === 'self-managed-node-group' ? [target(one.cluster)] : []))).toEqual([
      '-> Cluster',
    ]);
  });

  it('belongs to the view of its cluster, and to that of an unknown name', () => {
    const known = new EksModel(
      readAll({
        It: `{Type: '${TYPE}', Properties: {Tags: [{Key: !Sub 'kubernetes.io/cluster/\${Cluster}', Value: owned}]}}`,
        ...NAMED,
      }).resources,
    );
    expect(
      known.clusterViews.map(({ name, selfManagedNodeGroups }) => [name, selfManagedNodeGroups.map(({ id }) => id)]),
    ).toEqual([['Cluster', ['It']]]);
    const imported = new EksModel(
      readAll({
        It: `{Type: '${TYPE}', Properties: {Tags: [{Key: !Sub 'kubernetes.io/cluster/\${Open}', Value: owned}]}}`,
        Addon: '{Type: AWS::EKS::Addon, Properties: {ClusterName: !Ref Open, AddonName: vpc-cni}}',
        Entry: '{Type: AWS::EKS::AccessEntry, Properties: {ClusterName: !Ref Open}}',
      }).resources,
    );
    expect(
      imported.clusterViews.map(({ name, addons, selfManagedNodeGroups, accessEntries }) => [
        name,
        addons.length,
        selfManagedNodeGroups.length,
        accessEntries.length,
      ]),
    ).toEqual([['${Open}', 1, 1, 1]]);
  });

  it('is left out where its condition can not hold', () => {
    const never = read(
      `Conditions: {Never: !Equals [a, b]}\nResources: {It: {Type: '${TYPE}', Condition: Never, Properties: {Tags: [{Key: kubernetes.io/cluster/a, Value: owned}]}}}`,
    );
    expect(never.resources).toEqual([]);
  });

  it('has tags of the wrong shape told', () => {
    const result = read(
      template({ It: `{Type: '${TYPE}', Properties: {Tags: {kubernetes.io/cluster/a: owned}, LaunchTemplate: lt-1}}` }),
    );
    expect(diagnostics(result).map((line) => line.replace(/^error \S+ /, ''))).toEqual([
      'Tags is a map where a list belongs',
      'LaunchTemplate is "lt-1" where a map belongs',
    ]);
    expect(result.resources).toEqual([]);
  });
});

describe('the launch template of a self-managed node group', () => {
  const others = {
    Lt: '{Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: workers, LaunchTemplateData: {}}}',
    Second: '{Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: others, LaunchTemplateData: {}}}',
    Lc: '{Type: AWS::AutoScaling::LaunchConfiguration, Properties: {LaunchConfigurationName: config}}',
  };
  const shown = (properties: string): unknown => {
    const one = (value: SelfManagedNodeGroup['launchTemplate']): unknown => {
      if (value.kind === 'choice')
        return Object.fromEntries(value.alternatives.map(({ when, value: plain }) => [when.text, one(plain)]));
      if (value.kind !== 'known') return show(value);
      const { template: named, version, id, name } = value.value;
      return [named.target === undefined ? named.text : `-> ${named.target.id}`, show(version), show(id), show(name)];
    };
    return one(group(properties, others).launchTemplate);
  };
  const mixed = (main: string, ...overrides: string[]) =>
    `MixedInstancesPolicy: {LaunchTemplate: {LaunchTemplateSpecification: ${main}, Overrides: [${overrides.join(', ')}]}}`;
  const override = (specification: string) => `{InstanceType: m5.large, LaunchTemplateSpecification: ${specification}}`;
  const latest = { text: 'Lt.LatestVersionNumber', tracks: 'latest' };

  it.each([
    ['', 'absent'],
    ['LaunchTemplate: !Ref AWS::NoValue', 'absent'],
    ['LaunchTemplate: !Ref Open', '?${Open}'],
    [
      'LaunchTemplate: {LaunchTemplateId: !Ref Lt, Version: !GetAtt Lt.LatestVersionNumber}',
      ['-> Lt', latest, '?${Lt}', 'absent'],
    ],
    [
      'LaunchTemplate: {LaunchTemplateName: workers, Version: "3"}',
      ['-> Lt', { text: '3', tracks: undefined }, 'absent', 'workers'],
    ],
    ['LaunchTemplate: {LaunchTemplateId: lt-1}', ['lt-1', 'absent', 'lt-1', 'absent']],
    ['LaunchTemplate: {LaunchTemplateId: !Ref Open}', ['${Open}', 'absent', '?${Open}', 'absent']],
    ['LaunchTemplate: {LaunchTemplateName: config}', ['config', 'absent', 'absent', 'config']],
    ['LaunchTemplate: {Version: "1"}', '? it names no launch template'],
    ['LaunchConfigurationName: !Ref Lc', ['-> Lc', 'absent', 'absent', '?${Lc}']],
    ['LaunchConfigurationName: config', ['-> Lc', 'absent', 'absent', 'config']],
    ['LaunchConfigurationName: workers', ['workers', 'absent', 'absent', 'workers']],
    ['LaunchConfigurationName: !Ref Open', ['${Open}', 'absent', 'absent', '?${Open}']],
    [mixed('{LaunchTemplateId: !Ref Lt}'), ['-> Lt', 'absent', '?${Lt}', 'absent']],
    [mixed('{LaunchTemplateId: !Ref Lt}', '{InstanceType: m5.large}'), ['-> Lt', 'absent', '?${Lt}', 'absent']],
    [
      mixed('{LaunchTemplateId: !Ref Lt}', override('{LaunchTemplateId: !Ref Lt}')),
      ['-> Lt', 'absent', '?${Lt}', 'absent'],
    ],
    [
      mixed('{LaunchTemplateId: !Ref Lt}', override('{LaunchTemplateName: workers}')),
      ['-> Lt', 'absent', '?${Lt}', 'absent'],
    ],
    [mixed('{LaunchTemplateId: !Ref Lt}', override('{LaunchTemplateId: !Ref Second}')), 'absent'],
    [mixed('{LaunchTemplateId: lt-1}', override('{LaunchTemplateId: lt-1}')), ['lt-1', 'absent', 'lt-1', 'absent']],
    [mixed('{LaunchTemplateId: lt-1}', override('{LaunchTemplateId: lt-2}')), 'absent'],
    [mixed('{LaunchTemplateId: !Ref Lt}', override('!Ref Open')), '?${Open}'],
    ['MixedInstancesPolicy: !Ref Open', '?${Open}'],
    [
      'LaunchTemplate: !If [C, {LaunchTemplateId: !Ref Lt}, !Ref AWS::NoValue], LaunchConfigurationName: !If [C, !Ref AWS::NoValue, !Ref Lc]',
      {
        'condition C is true': ['-> Lt', 'absent', '?${Lt}', 'absent'],
        'condition C is false': [
          '-> Lc',
          'absent',
          'absent',
          { 'condition C is true': 'absent', 'condition C is false': '?${Lc}' },
        ],
      },
    ],
  ])('with %s', (properties, expected) => {
    expect(shown(properties)).toEqual(expected);
  });
});

describe('AWS::EKS::AccessEntry', () => {
  const entry = (properties: string) =>
    readIt('access-entry', 'AWS::EKS::AccessEntry', properties, {
      ...NAMED,
      Role: '{Type: AWS::IAM::Role, Properties: {RoleName: nodes}}',
    });
  const shown = (properties: string) => {
    const { cluster, principal, entryType, groups } = entry(properties);
    return [target(cluster), target(principal), show(entryType), showList(groups, show)];
  };

  it.each([
    ['{}', ['absent', 'absent', 'absent', 'absent']],
    [
      '{ClusterName: !Ref Cluster, PrincipalArn: !GetAtt Role.Arn, Type: EC2_LINUX, KubernetesGroups: [a, !Ref Open]}',
      ['-> Cluster', '-> Role', 'EC2_LINUX', ['a', '?${Open}']],
    ],
    [
      '{ClusterName: other, PrincipalArn: "arn:aws:iam::111122223333:role/nodes", Type: !Ref Default, KubernetesGroups: []}',
      ['other', '-> Role', 'given', []],
    ],
    [
      '{ClusterName: !Ref Open, PrincipalArn: !Ref Open, Type: !Ref Open, KubernetesGroups: !Ref Open}',
      ['?${Open}', '?${Open}', '?${Open}', '?${Open}'],
    ],
    [
      '{Type: !If [C, EC2_LINUX, !Ref AWS::NoValue], PrincipalArn: !If [C, !GetAtt Role.Arn, "arn:aws:iam::111122223333:role/x"], KubernetesGroups: [!If [C, a, !Ref AWS::NoValue]]}',
      [
        'absent',
        { 'condition C is true': '-> Role', 'condition C is false': 'arn:aws:iam::111122223333:role/x' },
        { 'condition C is true': 'EC2_LINUX', 'condition C is false': 'absent' },
        [{ 'condition C is true': 'a', 'condition C is false': 'absent' }],
      ],
    ],
  ])('%s is read', (properties, expected) => {
    expect(shown(properties)).toEqual(expected);
  });

  it.each([
    ['Type: [a]', 'Type is a list where a string belongs'],
    ['KubernetesGroups: a', 'KubernetesGroups is "a" where a list belongs'],
    ['PrincipalArn: {a: b}', 'PrincipalArn is a map where a string belongs'],
  ])('the wrong shape %s is told', (property, message) => {
    const result = read(template({ It: `{Type: AWS::EKS::AccessEntry, Properties: {${property}}}` }));
    expect(diagnostics(result).map((line) => line.replace(/^error \S+ /, ''))).toEqual([message]);
    expect(resource(result, 'access-entry', 'It').entryType).toBeDefined();
  });
});
