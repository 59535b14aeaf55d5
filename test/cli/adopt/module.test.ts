import { CLUSTER, moduleOf, OWN, PLACE, stackOf, written } from './stacks';

/* What becomes of each setting, from templates as the CDK writes them; test/cli/adopt.test.ts compiles and synthesizes what comes out for a whole app. */

describe('a node group without a launch template', () => {
  it('is replaced by one with another id', () => {
    const text = written({ NodegroupName: 'web', Version: '1.32' });
    expect(text).toContain('// Replaced: EKS gives no launch template to a group that was made without one.');
    expect(text).toContain("new ManagedNodeGroup(stack, 'WorkersNodes', {");
    expect(text).toContain('its name, web, stays with the old group until that is gone');
    expect(text).not.toMatch(/overrideLogicalId|nodegroupName|nodegroup\.version/);
  });

  it.each<[string, object, string]>([
    ['AMI type', {}, "amiType: 'AL2023_x86_64_STANDARD',"],
    ['instance types', { InstanceTypes: ['m5.large'] }, "instanceTypes: [new ec2.InstanceType('m5.large')],"],
    ['capacity', { CapacityType: 'SPOT' }, "capacityType: 'SPOT',"],
    ['disk', { DiskSize: 50 }, 'diskSize: 50,'],
    ['disk that is decided later', { DiskSize: { Ref: 'Size' } }, "its disk size isn't a number in the template"],
    ['sizes', { ScalingConfig: { MinSize: 1, MaxSize: '4' } }, 'minSize: 1,\n    maxSize: 4,'],
    ['number of nodes', { ScalingConfig: { MinSize: 1, DesiredSize: 2 } }, 'desiredSize: 2,'],
    ['way of updating', { UpdateConfig: { MaxUnavailablePercentage: 20 } }, 'maxUnavailablePercentage: 20,'],
    ['number of nodes that may be away', { UpdateConfig: { MaxUnavailable: 2 } }, 'maxUnavailable: 2,'],
    [
      'number of nodes that is decided later',
      { ScalingConfig: { MinSize: { Ref: 'Min' } } },
      "minSize: Token.asNumber(Fn.ref('Min')),",
    ],
    [
      'warm pool',
      { WarmPoolConfig: { Enabled: true } },
      ".nodegroup.addPropertyOverride('WarmPoolConfig', { Enabled: true });",
    ],
    ['strategy', { UpdateConfig: { UpdateStrategy: 'MINIMAL' } }, 'updateStrategy: UpdateStrategy.MINIMAL,'],
    ['labels', { Labels: { tier: 'web' } }, "labels: { tier: 'web' },"],
    ['tags', { Tags: { team: 'web' } }, "tags: { team: 'web' },"],
    [
      'taints',
      { Taints: [{ Key: 'dedicated', Effect: 'NO_SCHEDULE' }] },
      "taints: [{ key: 'dedicated', effect: 'NO_SCHEDULE' }],",
    ],
    [
      'repair',
      { NodeRepairConfig: { Enabled: true } },
      ".nodegroup.addPropertyOverride('NodeRepairConfig', { Enabled: true });",
    ],
    [
      'SSH from everywhere',
      { RemoteAccess: { Ec2SshKey: 'ops' } },
      'SSH from everywhere (remoteAccess without source) is left out',
    ],
    ['SSH', { RemoteAccess: { Ec2SshKey: 'ops', SourceSecurityGroups: ['sg-1'] } }, "SshFrom0', 'sg-1')] },"],
    ['old system', { AmiType: 'AL2_x86_64' }, 'its AMI type, AL2_x86_64, becomes AL2023 of the same architecture'],
  ])('keeps its %s', (_, group, code) => {
    expect(written(group)).toContain(code);
  });

  it.each<[string, object, RegExp]>([
    ['no labels, taints and tags', { Labels: {}, Taints: [], Tags: {} }, /labels:|taints:|tags:/],
    ['as many nodes as at least', { ScalingConfig: { MinSize: 2, DesiredSize: 2 } }, /desiredSize/],
    ['no release', { ReleaseVersion: '1.32.0-20250101' }, /releaseVersion/],
    ['no sizes that nobody gave', {}, /minSize|maxSize|maxUnavailable|diskSize|capacityType|instanceTypes/],
  ])('gets %s', (_, group, code) => {
    expect(written(group)).not.toMatch(code);
  });

  it.each([
    ['of an unknown kind', 'AL9_x86_64', 'its AMI type is AL9_x86_64'],
    ['that is decided later', { Ref: 'Type' }, 'its AMI type is decided at deployment'],
  ])('is not written with an AMI type %s', (_, AmiType, reason) => {
    const text = written({ AmiType });
    expect(text).toContain(`// Not written: ${reason}. It stays as it is.`);
    expect(text).not.toContain('new ManagedNodeGroup');
  });

  it('is that of the cluster by default', () => {
    const text = written({}, undefined, 'Cluster/NodegroupDefaultCapacity/Resource');
    expect(text).toContain('// Set defaultCapacity: 0 on the cluster, which makes the old group.');
    expect(text).toContain("new ManagedNodeGroup(stack, 'DefaultCapacity', {");
    expect(written({})).not.toContain('defaultCapacity');
  });
});

describe('a node group with a launch template of its own', () => {
  it('stays the same resource, with what EKS takes no other value of', () => {
    const text = written({ NodegroupName: 'web', Version: '1.32', ReleaseVersion: '1.32.0-20250101' }, {});
    expect(text).toContain('// Kept: the same resource.');
    expect(text).toContain("const workers = new ManagedNodeGroup(stack, 'Workers', {");
    for (const code of [
      "nodegroupName: 'web',",
      "releaseVersion: '1.32.0-20250101',",
      "workers.nodegroup.version = '1.32';",
      "workers.nodegroup.overrideLogicalId('Workers');",
      "overrideLogicalId('Template');",
      "instanceTypes: [new ec2.InstanceType('t3.medium')],",
      "workers.nodegroup.addPropertyDeletionOverride('InstanceTypes');",
      "workers.nodegroup.addPropertyDeletionOverride('ScalingConfig');",
      "workers.nodegroup.addPropertyDeletionOverride('UpdateConfig');",
    ])
      expect(text).toContain(code);
    expect(text).not.toContain("addPropertyDeletionOverride('AmiType')");
  });

  it('has no AMI type where EKS has chosen it', () => {
    expect(written({ AmiType: undefined }, {})).toContain("workers.nodegroup.addPropertyDeletionOverride('AmiType');");
  });

  it('keeps its role, and imports what it needs', () => {
    const text = written({}, {});
    expect(text).toContain(`role: iam.Role.fromRoleArn(stack, 'WorkersNodeRole', '${PLACE.NodeRole}'),`);
    expect(text).toContain("import { ManagedNodeGroup, type ICluster } from 'eks-guardrails/aws-cdk';");
    expect(text).toContain("import * as iam from 'aws-cdk-lib/aws-iam';");
  });

  it('may stay AL2 where its Kubernetes has that', () => {
    expect(written({ AmiType: 'AL2_x86_64' }, {})).toContain(
      "amiType: 'AL2_x86_64',\n    al2Reason: 'Adopted as it was",
    );
  });

  it('is replaced where others use its template, and where it is of another stack', () => {
    const workers = {
      Type: 'AWS::EKS::Nodegroup',
      Properties: { ...PLACE, ClusterName: { Ref: 'Cluster' }, LaunchTemplate: OWN, AmiType: 'AL2023_x86_64_STANDARD' },
    };
    const Template = { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: {} } };
    const at = { Cluster: 'Cluster/Resource', Template: 'Template/Resource', A: 'A/Resource', B: 'B/Resource' };
    const shared = moduleOf(stackOf({ Cluster: CLUSTER, Template, A: workers, B: workers }, at));
    expect(shared.counts).toEqual({ kept: 0, replaced: 2, left: 0 });
    expect(shared.text).toContain('// Replaced: its launch template, Template, serves others too');

    const base = stackOf({ Cluster: CLUSTER, Template }, at, {
      path: 'Base',
      outputs: { Out: { Value: { Ref: 'Template' }, Export: { Name: 'Base:Template' } } },
    });
    const LaunchTemplate = { Id: { 'Fn::ImportValue': 'Base:Template' }, Version: '1' };
    const apart = moduleOf(
      base,
      stackOf({ A: { ...workers, Properties: { ...workers.Properties, LaunchTemplate } } }, at),
    );
    expect(apart.text).toContain('// Replaced: its launch template is in another stack, Base, and would have to move');
  });

  it('is not written where the template is none of the app', () => {
    const text = written({ LaunchTemplate: { Id: 'lt-0123456789abcdef0', Version: '3' } });
    expect(text).toContain("// Not written: its launch template, lt-0123456789abcdef0, isn't a resource of this app");
    expect(text).toContain('version 3 of lt-0123456789abcdef0');
  });
});

describe('the module', () => {
  const group = {
    Type: 'AWS::EKS::Nodegroup',
    Properties: { ...PLACE, ClusterName: { Ref: 'Cluster' }, AmiType: 'AL2023_x86_64_STANDARD' },
  };
  const at = { Cluster: 'Cluster/Resource', A: 'A/Resource' };

  const named = (...paths: readonly string[]) =>
    moduleOf(
      stackOf(
        { Cluster: CLUSTER, ...Object.fromEntries(paths.map((_, index) => [`G${index}`, group])) },
        {
          Cluster: 'Cluster/Resource',
          ...Object.fromEntries(paths.map((path, index) => [`G${index}`, `${path}/Resource`])),
        },
      ),
    ).text;

  it('gives each group an id that nothing else has', () => {
    const ids = (text: string) => Array.from(text.matchAll(/new ManagedNodeGroup\(stack, '(.*)'/g), ([, id]) => id);
    expect(ids(named('Web'))).toEqual(['WebNodes']);
    expect(ids(named('Cluster/NodegroupWeb', 'Cluster/Nodegroup', 'Cluster/Plain'))).toEqual([
      'Web',
      'Nodegroup',
      'Plain',
    ]);
    expect(ids(named('Cluster/NodegroupWeb', 'Other/NodegroupWeb'))).toEqual(['Web', 'WebNodes']);
    const beside = { Web: ['Web/Inner/Resource', { Type: 'AWS::SNS::Topic' }] } as const;
    expect(ids(written({}, undefined, 'Cluster/NodegroupWeb/Resource', beside))).toEqual(['WebNodes']);
    const within = { Role: ['Cluster/NodegroupWeb/Role/Resource', { Type: 'AWS::SNS::Topic' }] } as const;
    expect(ids(written({}, undefined, 'Cluster/NodegroupWeb/Resource', within))).toEqual(['Web']);
  });

  it('gives each group a variable that may be one, and that nothing else is', () => {
    const ownRole = (path: string) =>
      written({ NodeRole: { 'Fn::GetAtt': ['Role', 'Arn'] } }, undefined, `Cluster/Nodegroup${path}/Resource`, {
        Role: [`Cluster/Nodegroup${path}/Role/Resource`, { Type: 'AWS::IAM::Role' }],
      });
    const variable = (path: string) => /const (\w+) = new ManagedNodeGroup/.exec(ownRole(path))?.[1];
    expect(['web-a', 'Stack', 'Default', '1st'].map(variable)).toEqual([
      'webA',
      'stackGroup',
      'nodesDefault',
      'nodes1st',
    ]);
  });

  it('says where a group is made', () => {
    const createdAt = (path: string) =>
      path === 'Shop/A/Resource' ? { file: 'app.ts', line: 7, column: 1 } : undefined;
    const { text } = moduleOf(
      stackOf({ Cluster: CLUSTER, A: group, B: group }, { ...at, B: 'B/Resource' }, { assembly: { createdAt } }),
    );
    expect(text).toContain('// A/Resource (A), made at app.ts:7\n');
    expect(text).toContain('// B/Resource (B)\n');
  });

  it('tells of groups in nested stacks', () => {
    const nested = stackOf({ A: group, Topic: { Type: 'AWS::SNS::Topic' } }, at, { path: 'Shop/Inner' });
    const { text, counts } = moduleOf(
      stackOf({ Cluster: CLUSTER }, at, { assembly: { nestedTemplates: new Map([['Inner', nested]]) } }),
    );
    expect(text).toContain('// Not written: Shop/Inner/A/Resource: in a nested stack');
    expect(counts).toEqual({ kept: 0, replaced: 0, left: 1 });
  });

  it('replaces AL2 where its Kubernetes has none any more, or nobody knows which it has', () => {
    const replaced = (properties: object) =>
      moduleOf(
        stackOf(
          {
            Cluster: { Type: 'AWS::EKS::Cluster', Properties: properties },
            A: { ...group, Properties: { ...group.Properties, AmiType: 'AL2_x86_64', LaunchTemplate: OWN } },
            Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: {} } },
          },
          { ...at, Template: 'Template/Resource' },
        ),
      ).counts.replaced;
    expect([{ Version: '1.32' }, { Config: { version: '1.32' } }, { Version: '1.33' }, {}].map(replaced)).toEqual([
      0, 0, 1, 1,
    ]);
  });

  it('has one function for stacks that are alike, and one for each that is not', () => {
    const stage = (path: string, more: object = {}) =>
      stackOf({ Cluster: CLUSTER, A: { ...group, Properties: { ...group.Properties, ...more } } }, at, { path });
    const alike = moduleOf(stage('Staging/Nodes'), stage('Production/Nodes'));
    expect(alike.text).toContain('/** The node groups of Staging/Nodes, Production/Nodes for the cluster Cluster. */');
    expect(alike.text.match(/export function \w+/g)).toEqual(['export function addNodesNodeGroups']);
    const apart = moduleOf(stage('Staging/Nodes'), stage('Production/Nodes', { DiskSize: 50 }));
    expect(apart.text.match(/export function \w+/g)).toEqual([
      'export function addStagingNodesClusterNodeGroups',
      'export function addProductionNodesClusterNodeGroups',
    ]);
  });

  it('tells of stacks whose constructs have no paths, where they have node groups', () => {
    const { text, counts } = moduleOf(
      { file: 'old.json', text: JSON.stringify({ Resources: { A: group } }), stack: 'Old' },
      { file: 'other.json', text: '{"Resources":{}}', stack: 'Other' },
    );
    expect(text).toContain('// Not written: stack Old: its constructs have no paths.');
    expect(counts).toEqual({ kept: 0, replaced: 0, left: 1 });
  });

  it('leaves alone what is a ManagedNodeGroup already', () => {
    const Own = { Type: 'AWS::EC2::LaunchTemplate', Properties: {} };
    expect(
      moduleOf(stackOf({ Cluster: CLUSTER, A: group, Own }, { ...at, Own: 'A/LaunchTemplate/Resource' })).counts,
    ).toEqual({ kept: 0, replaced: 0, left: 0 });
  });

  it('asks for a cluster that the app does not have by its name', () => {
    const { text } = moduleOf(
      stackOf({ A: { ...group, Properties: { ...group.Properties, ClusterName: 'elsewhere' } } }, at),
    );
    expect(text).toContain('for the cluster "elsewhere". As cluster, give eks.Cluster.fromClusterAttributes(');
  });
});
