import { isDataMap, textOf, type AttachedPolicy, type Value } from '../../../lib/eks';
import { place, read, resource, show, showData } from './reading';

/** Reads one resource `It` with its properties as YAML flow maps, next to others. */
function readIt(kind: Parameters<typeof resource>[1], type: string, properties: string, others = '') {
  const result = read(`
Parameters: {Open: {Type: String}, Image: {Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>, Default: /aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id}}
Conditions: {C: !Equals [!Ref Open, a]}
Resources:
  It: {Type: '${type}', Properties: ${properties}}
  Cluster: {Type: AWS::EKS::Cluster, Properties: {Name: prod}}
  Role: {Type: AWS::IAM::Role, Properties: {RoleName: nodes}}
  Template: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: workers, LaunchTemplateData: {}}}
  ${others}
`);
  expect(result.diagnostics).toEqual([]);
  return resource(result, kind, 'It');
}

/** A reference in one line: `-> id`, or the text. */
function target(value: Value<{ readonly text: string; readonly target: { readonly id: string } | undefined }>): string {
  if (value.kind !== 'known') return String(show(value));
  return value.value.target === undefined ? value.value.text : `-> ${value.value.target.id}`;
}

/** The texts of a known list. */
function listed(value: Value<readonly Value<string>[]>): (string | undefined)[] {
  return value.kind === 'known'
    ? value.value.map((item) => (item.kind === 'choice' ? undefined : textOf(item)))
    : [value.kind];
}

describe('AWS::EKS::Cluster', () => {
  it('is read', () => {
    const cluster = readIt(
      'cluster',
      'AWS::EKS::Cluster',
      '{Name: a, Version: 1.30, RoleArn: !GetAtt Role.Arn, KubernetesNetworkConfig: {IpFamily: ipv6, ServiceIpv4Cidr: 10.1.0.0/16}, ComputeConfig: {Enabled: "true"}, AccessConfig: {AuthenticationMode: API}, BootstrapSelfManagedAddons: false, UpgradePolicy: {SupportType: STANDARD}, ResourcesVpcConfig: {SubnetIds: [subnet-1], SecurityGroupIds: [sg-1, !Ref Open]}}',
    );
    if (cluster.kind !== 'cluster') throw new Error();
    expect(listed(cluster.securityGroups)).toEqual(['sg-1', '${Open}']);
    const {
      name,
      version,
      ipFamily,
      serviceIpv4Cidr,
      autoMode,
      authenticationMode,
      bootstrapSelfManagedAddons,
      supportType,
    } = cluster;
    expect(
      [
        name,
        version,
        ipFamily,
        serviceIpv4Cidr,
        autoMode,
        authenticationMode,
        bootstrapSelfManagedAddons,
        supportType,
      ].map(show),
    ).toEqual(['a', '1.30', 'ipv6', '10.1.0.0/16', true, 'API', false, 'STANDARD']);
    expect(target(cluster.role)).toBe('-> Role');
  });

  it('AWSQS::EKS::Cluster', () => {
    const cluster = readIt(
      'cluster',
      'AWSQS::EKS::Cluster',
      '{Name: a, Version: 1.30, RoleArn: !GetAtt Role.Arn, ResourcesVpcConfig: {SubnetIds: [subnet-1], SecurityGroupIds: [sg-1]}, EnabledClusterLoggingTypes: [api]}',
    );
    if (cluster.kind !== 'cluster') throw new Error();
    expect([show(cluster.name), show(cluster.version), target(cluster.role), listed(cluster.securityGroups)]).toEqual([
      'a',
      '1.30',
      '-> Role',
      ['sg-1'],
    ]);
  });

  it('of CDK v1 is read from its Config', () => {
    const cluster = readIt(
      'cluster',
      'Custom::AWSCDK-EKS-Cluster',
      '{Config: {name: a, version: "1.30", roleArn: !GetAtt Role.Arn, kubernetesNetworkConfig: {ipFamily: ipv6, serviceIpv4Cidr: 10.1.0.0/16}, computeConfig: {enabled: true}, accessConfig: {authenticationMode: API}, bootstrapSelfManagedAddons: false, upgradePolicy: {supportType: STANDARD}, resourcesVpcConfig: {subnetIds: [subnet-1], securityGroupIds: [sg-1, !Ref Open]}}}',
    );
    if (cluster.kind !== 'cluster') throw new Error();
    expect(listed(cluster.securityGroups)).toEqual(['sg-1', '${Open}']);
    const {
      name,
      version,
      ipFamily,
      serviceIpv4Cidr,
      autoMode,
      authenticationMode,
      bootstrapSelfManagedAddons,
      supportType,
    } = cluster;
    expect(
      [
        name,
        version,
        ipFamily,
        serviceIpv4Cidr,
        autoMode,
        authenticationMode,
        bootstrapSelfManagedAddons,
        supportType,
      ].map(show),
    ).toEqual(['a', '1.30', 'ipv6', '10.1.0.0/16', true, 'API', false, 'STANDARD']);
    expect(target(cluster.role)).toBe('-> Role');
  });
});

describe('AWS::EKS::Nodegroup', () => {
  const nodes = (properties: string, others = '') => {
    const found = readIt('node-group', 'AWS::EKS::Nodegroup', properties, others);
    if (found.kind !== 'node-group') throw new Error();
    return found;
  };

  it('is read', () => {
    const found = nodes(
      '{ClusterName: !Ref Cluster, NodegroupName: n, AmiType: AL2_x86_64, InstanceTypes: [m5.large, !Ref Open], CapacityType: SPOT, Version: "1.33", ReleaseVersion: r, NodeRole: !GetAtt Role.Arn, ForceUpdateEnabled: "true"}',
    );
    expect(target(found.cluster)).toBe('-> Cluster');
    expect(target(found.nodeRole)).toBe('-> Role');
    expect(
      [
        found.name,
        found.amiType,
        found.capacityType,
        found.version,
        found.releaseVersion,
        found.forceUpdate,
        found.launchTemplate,
      ].map(show),
    ).toEqual(['n', 'AL2_x86_64', 'SPOT', '1.33', 'r', true, 'absent']);
    expect((show(found.instanceTypes) as Value<string>[]).map(show)).toEqual(['m5.large', '?${Open}']);
  });

  it.each([
    ['!GetAtt Role.Arn', '-> Role'],
    ['!Ref Role', '-> Role'],
    ['!Sub "${Role.Arn}"', '-> Role'],
    ['arn:aws:iam::111122223333:role/nodes', '-> Role'],
    ['arn:aws:iam::111122223333:role/some/path/nodes', '-> Role'],
    ["!Sub 'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/nodes'", '-> Role'],
    ['arn:aws:iam::111122223333:role/other', 'arn:aws:iam::111122223333:role/other'],
    ["!Sub 'arn:aws:iam::1:role/${Open}'", '?arn:aws:iam::1:role/${Open}'],
    ['!Ref Open', '?${Open}'],
  ])('with node role %s', (role, expected) => {
    expect(target(nodes(`{NodeRole: ${role}}`).nodeRole)).toBe(expected);
  });

  it.each([
    [
      '{Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber}',
      '-> Template',
      { text: 'Template.LatestVersionNumber', tracks: 'latest' },
    ],
    [
      '{Id: !Ref Template, Version: !GetAtt Template.DefaultVersionNumber}',
      '-> Template',
      { text: 'Template.DefaultVersionNumber', tracks: 'default' },
    ],
    [
      '{Id: !Ref Template, Version: !Sub "${Template.LatestVersionNumber}"}',
      '-> Template',
      { text: 'Template.LatestVersionNumber', tracks: 'latest' },
    ],
    ["{Id: !Ref Template, Version: '$Latest'}", '-> Template', { text: '$Latest', tracks: undefined }],
    ['{Name: workers, Version: 3}', '-> Template', { text: '3', tracks: undefined }],
    ['{Name: others}', 'others', 'absent'],
    ['{Id: lt-1, Version: !Ref Open}', 'lt-1', '?${Open}'],
    ['{Id: !Ref Open, Version: 1}', '${Open}', { text: '1', tracks: undefined }],
  ])('with launch template %s', (specification, template, version) => {
    const { launchTemplate } = nodes(`{LaunchTemplate: ${specification}}`);
    if (launchTemplate.kind !== 'known') throw new Error();
    const use = launchTemplate.value;
    expect(use.template.target === undefined ? use.template.text : `-> ${use.template.target.id}`).toBe(template);
    expect(show(use.version)).toEqual(version);
  });

  it('with launch templates under a condition', () => {
    const { launchTemplate } = nodes('{LaunchTemplate: {Id: !If [C, !Ref Template, lt-1], Version: "1"}}');
    if (launchTemplate.kind !== 'choice') throw new Error();
    expect(
      launchTemplate.alternatives.map(({ when, value }) => [
        when.text,
        value.kind === 'known' && (value.value.template.target?.id ?? value.value.template.text),
      ]),
    ).toEqual([
      ['condition C is true', 'Template'],
      ['condition C is false', 'lt-1'],
    ]);
  });

  it('with a launch template that names nothing', () => {
    expect(show(nodes('{LaunchTemplate: {Version: "1"}}').launchTemplate)).toBe('? it names no launch template');
  });
});

describe('AWS::EC2::LaunchTemplate', () => {
  const template = (data: string) => {
    const found = readIt(
      'launch-template',
      'AWS::EC2::LaunchTemplate',
      `{LaunchTemplateName: x, LaunchTemplateData: ${data}}`,
    );
    if (found.kind !== 'launch-template') throw new Error();
    return found;
  };

  it('is read', () => {
    const found = template(
      '{InstanceType: m5.large, MetadataOptions: {HttpTokens: required, HttpPutResponseHopLimit: "2", HttpEndpoint: enabled, InstanceMetadataTags: disabled}, TagSpecifications: [{ResourceType: instance, Tags: [{Key: a, Value: b}, {Key: !Ref Open}]}, {ResourceType: volume, Tags: [{Key: v}]}]}',
    );
    const { metadata } = found;
    expect(
      [
        found.name,
        found.instanceType,
        metadata.httpTokens,
        metadata.hopLimit,
        metadata.httpEndpoint,
        metadata.instanceTags,
      ].map(show),
    ).toEqual(['x', 'm5.large', 'required', 2, 'enabled', 'disabled']);
    expect(found.instanceTagKeys.map(show)).toEqual(['a', '?${Open}']);
  });

  it.each([
    ['1', 1],
    ["'2.0'", 2],
    ['two', 'two'],
    ['!Ref Open', '?${Open}'],
  ])('with hop limit %s', (written, expected) => {
    expect(show(template(`{MetadataOptions: {HttpPutResponseHopLimit: ${written}}}`).metadata.hopLimit)).toBe(expected);
  });

  it.each([
    ['{}', 'LaunchTemplateData'],
    ['{MetadataOptions: {HttpTokens: required}}', 'MetadataOptions'],
  ])('without hop limit in %s points at %s', (data, key) => {
    const { hopLimit } = template(data).metadata;
    expect(hopLimit.kind).toBe('absent');
    expect(hopLimit.kind === 'absent' && hopLimit.source.locate().property?.split('.').at(-1)).toBe(key);
  });

  it.each([
    ['ami-0123456789abcdef0', { text: 'ami-0123456789abcdef0', family: undefined }],
    [
      '!Ref Image',
      {
        text: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/arm64/standard/recommended/image_id',
        family: 'AL2023',
        architecture: 'arm64',
        kubernetesVersion: '1.33',
        isPublished: true,
      },
    ],
    [
      "'{{resolve:ssm:/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id}}'",
      {
        text: '/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id',
        family: 'AL2',
        architecture: 'x86_64',
        kubernetesVersion: '1.32',
        isPublished: true,
      },
    ],
    [
      "'resolve:ssm:/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id'",
      {
        text: '/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id',
        family: 'BOTTLEROCKET',
        architecture: 'x86_64',
        kubernetesVersion: '1.33',
        resolvedAtLaunch: true,
        isPublished: true,
      },
    ],
    [
      "'{{resolve:ssm:/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.33/image_id}}'",
      {
        text: '/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.33/image_id',
        family: 'WINDOWS',
        architecture: 'x86_64',
        kubernetesVersion: '1.33',
        isPublished: true,
      },
    ],
    [
      "!Sub '{{resolve:ssm:/aws/service/eks/optimized-ami/${Open}/amazon-linux-2023/x86_64/standard/recommended/image_id}}'",
      {
        text: '/aws/service/eks/optimized-ami/${Open}/amazon-linux-2023/x86_64/standard/recommended/image_id',
        family: 'AL2023',
        architecture: 'x86_64',
        isPublished: true,
      },
    ],
    ["'resolve:ssm:/mine/golden'", { text: '/mine/golden', family: undefined, resolvedAtLaunch: true }],
    ['!Ref Open', '?${Open}'],
  ])('with image %s', (image, expected) => {
    expect(show(template(`{ImageId: ${image}}`).imageId)).toEqual(expected);
  });
});

describe('AWS::EKS::Addon', () => {
  const addon = (properties: string) => {
    const found = readIt('addon', 'AWS::EKS::Addon', properties);
    if (found.kind !== 'addon') throw new Error();
    return found;
  };

  it('is read', () => {
    const found = addon(
      '{ClusterName: prod, AddonName: vpc-cni, AddonVersion: v1.19.0-eksbuild.1, ResolveConflicts: PRESERVE, ServiceAccountRoleArn: !GetAtt Role.Arn, PodIdentityAssociations: [{ServiceAccount: aws-node, RoleArn: !GetAtt Role.Arn}], PreserveOnDelete: true}',
    );
    expect(
      [
        found.name,
        found.version,
        found.resolveConflictsOnCreate,
        found.resolveConflictsOnUpdate,
        found.preserveOnDelete,
      ].map(show),
    ).toEqual(['vpc-cni', 'v1.19.0-eksbuild.1', 'PRESERVE', 'PRESERVE', true]);
    expect([target(found.cluster), target(found.serviceAccountRole)]).toEqual(['prod', '-> Role']);
    const { podIdentityAssociations: associations } = found;
    expect(
      associations.kind === 'known' &&
        associations.value.map(({ serviceAccount, role }) => [show(serviceAccount), target(role)]),
    ).toEqual([['aws-node', '-> Role']]);
  });

  it.each([
    [`'{"env": {"A": "1"}, "n": 2}'`, { env: { A: '1' }, n: 2 }],
    ['"env:\\n  A: 1\\n"', { env: { A: 1 } }],
    ["''", {}],
    [
      `!Sub '{"env": {"A": "\${Open}", "B": "x-\${Open}", "\${Open}": 1}}'`,
      { env: { A: '?${Open}', B: '?x-${Open}', '${Open}': 1 } },
    ],
    [`!Sub '{"n": \${Open}, "l": [\${Open}, 2]}'`, { n: '?${Open}', l: ['?${Open}', 2] }],
    [`!Sub "env:\\n  A: \${Open}\\n  B: 2\\n"`, { env: { A: '?${Open}', B: 2 } }],
    [`{Fn::ToJsonString: {env: {A: !Ref Open, B: true}}}`, { env: { A: '?${Open}', B: true } }],
  ])('with configuration %s', (text, expected) => {
    const { configuration } = addon(`{ConfigurationValues: ${text}}`);
    expect(
      configuration.kind === 'known' && configuration.value.kind === 'parsed' && showData(configuration.value.data),
    ).toEqual(expected);
  });

  it.each([[`'{"env": '`], [`'a: b: c'`], [`'{"a": 1, "a": 2,}'`]])('with malformed configuration %s', (text) => {
    const { configuration } = addon(`{ConfigurationValues: ${text}}`);
    expect(configuration).toMatchObject({ kind: 'known', value: { kind: 'malformed' } });
  });

  it.each([['!Ref Open'], [`!Sub '{"a": "b" \${Open}'`]])('with configuration %s that can not be known', (text) => {
    expect(addon(`{ConfigurationValues: ${text}}`).configuration.kind).toBe('unknown');
  });
});

describe('AWS::IAM::Role', () => {
  const role = (properties: string, others = '') => {
    const found = readIt('role', 'AWS::IAM::Role', properties, others);
    if (found.kind !== 'role') throw new Error();
    return found;
  };
  const showPolicy = (policy: AttachedPolicy): unknown => {
    if (policy.kind === 'managed') return show(policy.arn);
    const actions = (value: Value<unknown>): unknown => {
      if (value.kind === 'choice')
        return Object.fromEntries(value.alternatives.map(({ when, value: plain }) => [when.text, actions(plain)]));
      return value.kind === 'known'
        ? (value.value as { statements: { actions: Value<string>[] }[] }).statements.flatMap((statement) =>
            statement.actions.map(show),
          )
        : show(value);
    };
    return [policy.name, actions(policy.document)];
  };
  const document = (action: string) =>
    `{Version: 2012-10-17, Statement: [{Effect: Allow, Action: '${action}', Resource: '*'}]}`;

  it('has its inline policies and those that name it', () => {
    const found = role(
      `{RoleName: it, Policies: [{PolicyName: inline, PolicyDocument: ${document('a:a')}}], ManagedPolicyArns: [arn:aws:iam::aws:policy/X, !Ref Mine, !Ref Open]}`,
      `Mine: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: ${document('m:m')}}}
  Attached: {Type: AWS::IAM::Policy, Properties: {Roles: [!Ref It, !Ref Role], PolicyDocument: ${document('p:p')}}}
  Conditional: {Type: AWS::IAM::Policy, Condition: C, Properties: {Roles: [it], PolicyDocument: ${document('c:c')}}}
  Named: {Type: AWS::IAM::ManagedPolicy, Properties: {Roles: [!Ref It], PolicyDocument: ${document('n:n')}}}
  Single: {Type: AWS::IAM::RolePolicy, Properties: {RoleName: !Ref It, PolicyDocument: ${document('s:s')}}}
  Foreign: {Type: AWS::IAM::Policy, Properties: {Roles: [!Ref Role], PolicyDocument: ${document('f:f')}}}`,
    );
    expect(found.policies.map(showPolicy)).toEqual([
      ['inline', ['a:a']],
      'arn:aws:iam::aws:policy/X',
      ['Mine', ['m:m']],
      '?${Open}',
      ['Attached', ['p:p']],
      ['Conditional', { 'condition C is true': ['c:c'], 'condition C is false': 'absent' }],
      ['Named', ['n:n']],
      ['Single', ['s:s']],
    ]);
    expect(found.policies).toBe(found.policies);
  });

  it('has policies under conditions', () => {
    const found = role(
      '{ManagedPolicyArns: [!If [C, arn:x, !Ref AWS::NoValue], !If [C, !Ref Mine, arn:y]]}',
      `Mine: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: ${document('m:m')}}}`,
    );
    expect(found.policies.map(showPolicy)).toEqual([
      { 'condition C is true': 'arn:x', 'condition C is false': 'absent' },
      { 'condition C is true': 'absent', 'condition C is false': 'arn:y' },
      ['Mine', { 'condition C is true': ['m:m'], 'condition C is false': 'absent' }],
    ]);
  });

  it('has one list of policies or another', () => {
    const found = role('{ManagedPolicyArns: !If [C, [arn:x, arn:z], [arn:y]]}');
    expect(found.policies.map(showPolicy)).toEqual([
      { 'condition C is true': 'arn:x', 'condition C is false': 'absent' },
      { 'condition C is true': 'arn:z', 'condition C is false': 'absent' },
      { 'condition C is true': 'absent', 'condition C is false': 'arn:y' },
    ]);
  });

  it('has a trust policy', () => {
    const found = role(
      `{AssumeRolePolicyDocument: {Statement: {Effect: Allow, Action: [sts:AssumeRoleWithWebIdentity, sts:TagSession], Principal: {Federated: !GetAtt Oidc.Arn, Service: [a.amazonaws.com, b.amazonaws.com], AWS: !Ref Open}, Condition: {StringEquals: {'issuer:sub': [one, !Ref Open]}, Null: {'issuer:aud': false}}}}}`,
      'Oidc: {Type: AWS::IAM::OIDCProvider, Properties: {Url: https://issuer, ClientIdList: [sts.amazonaws.com]}}',
    );
    const { trust } = found;
    const [statement] = trust.kind === 'known' ? trust.value.statements : [];
    if (statement === undefined || 'kind' in statement.conditions) throw new Error();
    expect(statement.actions.map(show)).toEqual(['sts:AssumeRoleWithWebIdentity', 'sts:TagSession']);
    expect(statement.principals.map(({ type, id, target: to }) => [type, show(id), to?.id])).toEqual([
      ['Federated', '?${Oidc.Arn}', 'Oidc'],
      ['Service', 'a.amazonaws.com', undefined],
      ['Service', 'b.amazonaws.com', undefined],
      ['AWS', '?${Open}', undefined],
    ]);
    expect(
      (statement.conditions as readonly { operator: string; key: string; values: readonly Value<string>[] }[]).map(
        ({ operator, key, values }) => [operator, key, values.map(show)],
      ),
    ).toEqual([
      ['StringEquals', 'issuer:sub', ['one', '?${Open}']],
      ['Null', 'issuer:aud', ['false']],
    ]);
  });

  it('follows CfnJson to the conditions behind it', () => {
    const found = role(
      `{AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: '*', Action: x, Condition: {StringEquals: !GetAtt Json.Value}}]}}`,
      `Json: {Type: Custom::AWSCDKCfnJson, Properties: {Value: {Fn::Join: ['', ['{"', !Select [1, !Split ['/', !Ref Open]], ':sub":"system:serviceaccount:apps:a"}']]}}}`,
    );
    const { trust } = found;
    const [statement] = trust.kind === 'known' ? trust.value.statements : [];
    expect(statement?.conditions).toMatchObject([{ operator: 'StringEquals', key: '${Open[1]}:sub' }]);
    expect(statement?.principals.map(({ type, id }) => [type, show(id)])).toEqual([['*', '*']]);
  });

  it.each([
    ['!Ref Open', 'unknown'],
    ['{StringEquals: !Ref Open}', 'unknown'],
    ['{StringEquals: !If [C, {a: b}, {c: d}]}', 'unknown'],
  ])('says that conditions %s are unreadable', (condition) => {
    const { trust } = role(`{AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Condition: ${condition}}]}}`);
    expect(trust).toMatchObject({
      kind: 'known',
      value: { statements: [{ conditions: { kind: 'unknown-conditions' } }] },
    });
  });

  it.each([
    [
      `{Statement: [!If [C, {Effect: Allow, Action: a}, !Ref AWS::NoValue], {Effect: Deny, Action: b}]}`,
      { 'condition C is true': 2, 'condition C is false': 1 },
    ],
    [`'{"Statement": [{"Effect": "Allow", "Action": "a"}]}'`, { '': 1 }],
    [
      `!If [C, {Statement: []}, {Statement: [{Effect: Allow}]}]`,
      { 'condition C is true': 0, 'condition C is false': 1 },
    ],
  ])('with trust %s', (written, expected) => {
    const { trust } = role(`{AssumeRolePolicyDocument: ${written}}`);
    const alternatives = trust.kind === 'choice' ? trust.alternatives : [{ when: { text: '' }, value: trust }];
    expect(
      Object.fromEntries(
        alternatives.map(({ when, value }) => [
          when.text,
          value.kind === 'known' ? value.value.statements.length : value.kind,
        ]),
      ),
    ).toEqual(expected);
  });
});

describe('resources of CDK that apply things to a cluster', () => {
  it('give one manifest per object', () => {
    const result = read(`
Resources:
  Role: {Type: AWS::IAM::Role}
  M:
    Type: Custom::AWSCDK-EKS-KubernetesResource
    Properties:
      ClusterName: prod
      Manifest: !Join ['', ['[{"kind":"A","role":"', !GetAtt Role.Arn, '"},{"kind":"B"}]']]
`);
    const manifests = result.resources.filter((one) => one.kind === 'manifest');
    expect(manifests.map(({ id, object, cluster }) => [id, showData(object), target(cluster)])).toEqual([
      ['M', { kind: 'A', role: '?${Role.Arn}' }, 'prod'],
      ['M', { kind: 'B' }, 'prod'],
    ]);
    const role = isDataMap(manifests[0]?.object) ? manifests[0].object.role : undefined;
    expect(role).toMatchObject({ kind: 'unknown', reference: { resource: { id: 'Role' }, attribute: 'Arn' } });
  });

  it('give patches and Helm releases', () => {
    const patch = readIt(
      'kubernetes-patch',
      'Custom::AWSCDK-EKS-KubernetesPatch',
      `{ClusterName: !Ref Cluster, ResourceName: daemonset/aws-node, ResourceNamespace: kube-system, ApplyPatchJson: '{"spec":{}}'}`,
    );
    const chart = readIt(
      'helm-release',
      'Custom::AWSCDK-EKS-HelmChart',
      `{ClusterName: !Ref Cluster, Chart: c, Release: r, Namespace: n, Version: 1.2.3, Values: !Sub '{"a":"\${Open}"}'}`,
    );
    if (patch.kind !== 'kubernetes-patch' || chart.kind !== 'helm-release') throw new Error();
    expect([show(patch.target), show(patch.namespace), showData(patch.patch), target(patch.cluster)]).toEqual([
      'daemonset/aws-node',
      'kube-system',
      { spec: {} },
      '-> Cluster',
    ]);
    expect([chart.chart, chart.release, chart.namespace, chart.version].map(show)).toEqual(['c', 'r', 'n', '1.2.3']);
    expect(showData(chart.values)).toEqual({ a: '?${Open}' });
  });

  it.each([
    [
      'AWS::EKS::FargateProfile',
      '{ClusterName: !Ref Cluster, Selectors: [{Namespace: web}, {Namespace: jobs, Labels: [{Key: a, Value: b}]}]}',
    ],
    [
      'Custom::AWSCDK-EKS-FargateProfile',
      '{Config: {clusterName: !Ref Cluster, selectors: [{namespace: web}, {namespace: jobs, labels: {a: b}}]}}',
    ],
  ])('%s belongs to its cluster', (type, properties) => {
    const profile = readIt('fargate-profile', type, properties);
    expect(profile.kind === 'fargate-profile' && target(profile.cluster)).toBe('-> Cluster');
    const selectors =
      profile.kind === 'fargate-profile' && profile.selectors.kind === 'known' ? profile.selectors.value : [];
    expect(selectors.map(({ namespace, hasLabels }) => [show(namespace), hasLabels])).toEqual([
      ['web', false],
      ['jobs', true],
    ]);
  });

  it.each([
    ['AWS::IAM::OIDCProvider', 'ClientIdList'],
    ['Custom::AWSCDKOpenIdConnectProvider', 'ClientIDList'],
  ])('%s is an OIDC provider', (type, key) => {
    const provider = readIt('oidc-provider', type, `{Url: https://issuer, ${key}: [sts.amazonaws.com]}`);
    if (provider.kind !== 'oidc-provider') throw new Error();
    expect([show(provider.url), provider.clientIds.kind === 'known' && provider.clientIds.value.map(show)]).toEqual([
      'https://issuer',
      ['sts.amazonaws.com'],
    ]);
  });

  it('AWS::EKS::PodIdentityAssociation is read', () => {
    const association = readIt(
      'pod-identity-association',
      'AWS::EKS::PodIdentityAssociation',
      '{ClusterName: !Ref Cluster, Namespace: n, ServiceAccount: s, RoleArn: !GetAtt Role.Arn}',
    );
    if (association.kind !== 'pod-identity-association') throw new Error();
    expect([
      target(association.cluster),
      show(association.namespace),
      show(association.serviceAccount),
      target(association.role),
    ]).toEqual(['-> Cluster', 'n', 's', '-> Role']);
  });
});

describe('what every resource has', () => {
  const result = read(`
Resources:
  Plain:
    Type: AWS::EKS::Addon
  Built:
    Type: AWS::EKS::Addon
    Metadata:
      aws:cdk:path: App/Built/Resource
      eks-guardrails:
        suppress:
          - {rule: addon-version, reason: pinned by hand, until: 2027-01-31}
          - {rule: imds-v1}
`);

  it('its place is its logical id', () => {
    expect(result.resources.map((one) => [one.id, place(one.source), one.path, one.stack, one.frontEnd])).toEqual([
      ['Plain', '3:3', undefined, 'template', 'aws-cdk'],
      ['Built', '5:3', 'App/Built/Resource', 'template', 'aws-cdk'],
    ]);
    expect(read('Resources: {A: {Type: AWS::EKS::Addon}}').resources[0]?.frontEnd).toBe('cloudformation');
  });

  it('its suppressions are those of its metadata', () => {
    const built = resource(result, 'addon', 'Built');
    expect(built.suppressions.map(({ rule, reason, until, source }) => [rule, reason, until, place(source)])).toEqual([
      ['addon-version', 'pinned by hand', '2027-01-31', '11:13'],
      ['imds-v1', undefined, undefined, '12:13'],
    ]);
    expect(resource(result, 'addon', 'Plain').suppressions).toEqual([]);
    expect(built.suppressions).toBe(built.suppressions);
  });

  it('absent properties point at the innermost block that there is', () => {
    const plain = resource(result, 'addon', 'Plain').version;
    expect(plain.kind === 'absent' && place(plain.source)).toBe('3:3');
  });
});
