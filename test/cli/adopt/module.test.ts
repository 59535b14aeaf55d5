import type { TemplateInput } from '../../../lib/cloudformation/template-input';
import { SynthesizedApp } from '../../../lib/cli/adopt/app';
import { adoptedModule } from '../../../lib/cli/adopt/module';

/* What becomes of each setting, from templates as the CDK writes them; test/cli/adopt.test.ts compiles and synthesizes what comes out for a whole app. */

const CLUSTER = { Type: 'AWS::EKS::Cluster', Properties: { Version: '1.32' } };
const PLACE = { NodeRole: 'arn:aws:iam::111122223333:role/nodes', Subnets: ['subnet-1', 'subnet-2'] };
const OWN = { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } };

/** A stack with constructs at the paths of `at`, by logical id. */
function stackOf(
  resources: Readonly<Record<string, object>>,
  at: Readonly<Record<string, string>>,
  more: { readonly path?: string; readonly outputs?: object; readonly parameters?: object } = {},
): TemplateInput {
  const { path = 'Shop', outputs = {}, parameters = {} } = more;
  return {
    file: `${path}.template.json`,
    stack: path,
    text: JSON.stringify({ Parameters: parameters, Resources: resources, Outputs: outputs }),
    assembly: {
      stackPath: path,
      constructPaths: new Map(Object.entries(at).map(([id, construct]) => [id, `${path}/${construct}`])),
      nestedTemplates: new Map(),
      acknowledgements: [],
    },
  };
}

const module = (...stacks: readonly TemplateInput[]) => adoptedModule(new SynthesizedApp(stacks));

/** What is written of a group with the given properties, and of its launch template if it has one. */
function written(group: object, template?: object, path = 'Workers/Resource'): string {
  const { text } = module(
    stackOf(
      {
        Cluster: CLUSTER,
        Workers: {
          Type: 'AWS::EKS::Nodegroup',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            AmiType: 'AL2023_x86_64_STANDARD',
            ...PLACE,
            ...(template === undefined ? {} : { LaunchTemplate: OWN }),
            ...group,
          },
        },
        ...(template === undefined
          ? {}
          : { Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: template } } }),
      },
      { Cluster: 'Cluster/Resource', Workers: path, Template: 'Template/Resource' },
    ),
  );
  return text;
}

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
    const shared = module(stackOf({ Cluster: CLUSTER, Template, A: workers, B: workers }, at));
    expect(shared.counts).toEqual({ kept: 0, replaced: 2, left: 0 });
    expect(shared.text).toContain('// Replaced: its launch template, Template, serves others too');

    const base = stackOf({ Cluster: CLUSTER, Template }, at, {
      path: 'Base',
      outputs: { Out: { Value: { Ref: 'Template' }, Export: { Name: 'Base:Template' } } },
    });
    const LaunchTemplate = { Id: { 'Fn::ImportValue': 'Base:Template' }, Version: '1' };
    const apart = module(
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

describe('the launch template of a group that stays', () => {
  const override = (name: string, value: string): string =>
    `.addPropertyOverride('LaunchTemplateData.${name}', ${value});`;
  const OWN_AMI = {
    ImageId: 'ami-0123456789abcdef0',
    UserData: { 'Fn::Base64': '#!/bin/sh\n/etc/eks/bootstrap.sh prod\ncidr: 172.20.0.0/16\n' },
  };

  it.each<[string, object, string]>([
    [
      'hop limit',
      { MetadataOptions: { HttpPutResponseHopLimit: 3 } },
      override('MetadataOptions.HttpPutResponseHopLimit', '3'),
    ],
    [
      'hop limit of 1, with a reason',
      { MetadataOptions: { HttpPutResponseHopLimit: 1 } },
      'imds: ImdsAccess.NODE_ONLY,\n    imdsReason: ',
    ],
    [
      'tokens, which become required',
      { MetadataOptions: { HttpTokens: 'optional' } },
      '// Note: tokens, which it has as optional, become required',
    ],
    ['instance type', { InstanceType: 'm6i.large' }, override('InstanceType', "'m6i.large'")],
    [
      'spot market',
      { InstanceMarketOptions: { MarketType: 'spot' } },
      override('InstanceMarketOptions', "{ MarketType: 'spot' }"),
    ],
    ['key', { KeyName: 'ops' }, override('KeyName', "'ops'")],
    ['monitoring', { Monitoring: { Enabled: false } }, 'detailedMonitoring: false,'],
    [
      'reservation',
      { CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } } },
      "capacityReservation: { id: 'cr-1' },",
    ],
    [
      'preference of reservations',
      { CapacityReservationSpecification: { CapacityReservationPreference: 'none' } },
      override('CapacityReservationSpecification', "{ CapacityReservationPreference: 'none' }"),
    ],
    ['security groups, which are all it has', { SecurityGroupIds: ['sg-1'] }, 'clusterSecurityGroup: false,'],
    [
      'security group beside that of the cluster',
      { SecurityGroupIds: ['sg-1', { 'Fn::GetAtt': ['Cluster', 'ClusterSecurityGroupId'] }] },
      "securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'WorkersGroup0', 'sg-1')],",
    ],
    [
      'volume',
      {
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80, VolumeType: 'gp3', Encrypted: true } }],
      },
      "volume: { size: 80, type: 'gp3' },",
    ],
    [
      'other volumes',
      {
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvda', Ebs: {} },
          { DeviceName: '/dev/sdb', Ebs: { Iops: 3000 } },
        ],
      },
      "additionalVolumes: [{ deviceName: '/dev/sdb', iops: 3000 }],",
    ],
    [
      'volumes without one of the system, and says that they are not encrypted',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 8 } }] },
      'its volumes stay as they were, and not all of them are written as encrypted',
    ],
    [
      'tags of instances',
      { TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'cost', Value: '1' }] }] },
      override('TagSpecifications', "[{ ResourceType: 'instance', Tags: [{ Key: 'cost', Value: '1' }] }]"),
    ],
    ['own AMI', OWN_AMI, "customAmi: 'ami-0123456789abcdef0',"],
    ['own AMI, with the system that its user data tells', OWN_AMI, 'amiFamily: AmiFamily.AL2,\n    serviceCidr: '],
    ['own AMI, with its volumes', OWN_AMI, 'amiVolumes: true,'],
  ])('keeps its %s', (_, template, code) => {
    expect(written({}, template)).toContain(code);
  });

  it.each<[string, object, RegExp]>([
    [
      'metadata options that it has by itself',
      { MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 2 } },
      /MetadataOptions|imds/,
    ],
    [
      'the market of a capacity block',
      { InstanceMarketOptions: { MarketType: 'capacity-block' } },
      /InstanceMarketOptions/,
    ],
    [
      'a switch for the security group of the cluster, where it has that',
      { SecurityGroupIds: ['sg-1', { 'Fn::GetAtt': ['Cluster', 'ClusterSecurityGroupId'] }] },
      /clusterSecurityGroup: /,
    ],
    [
      'a note of encryption, where all volumes are',
      { BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs: { VolumeSize: 8, Encrypted: true } }] },
      /not all of them are written as encrypted/,
    ],
    [
      'the tag with which the CDK names instances',
      { TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'Name', Value: 'Shop/Template' }] }] },
      /TagSpecifications/,
    ],
    [
      'tags of volumes among those of instances',
      { TagSpecifications: [{ ResourceType: 'volume', Tags: [{ Key: 'cost', Value: '1' }] }] },
      /TagSpecifications|tags:/,
    ],
  ])('gets no %s', (_, template, code) => {
    expect(written({}, template)).not.toMatch(code);
  });

  it.each([
    [
      'does not tell its system',
      { ImageId: 'ami-1' },
      "its AMI is your own, and its user data doesn't tell which operating system",
    ],
    [
      'does not tell the service range',
      { ImageId: 'ami-1', UserData: { 'Fn::Base64': '/etc/eks/bootstrap.sh prod' } },
      "its AMI is your own, and the cluster's code doesn't tell the service range",
    ],
  ])('is not written where an AMI %s', (_, template, reason) => {
    expect(written({}, template)).toContain(`// Not written: ${reason}`);
  });

  it('has no other volumes than it had', () => {
    const volume = { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80 } };
    expect(written({}, { BlockDeviceMappings: [volume] })).not.toContain('additionalVolumes');
  });

  it('has the instance type of its group where that has one', () => {
    expect(written({ InstanceTypes: ['m5.large'] }, { InstanceType: 'm5.large' })).not.toContain(
      override('InstanceType', "'m5.large'"),
    );
  });
});

describe('the module', () => {
  const group = {
    Type: 'AWS::EKS::Nodegroup',
    Properties: { ...PLACE, ClusterName: { Ref: 'Cluster' }, AmiType: 'AL2023_x86_64_STANDARD' },
  };
  const at = { Cluster: 'Cluster/Resource', A: 'A/Resource' };

  it('has one function for stacks that are alike, and one for each that is not', () => {
    const stage = (path: string, more: object = {}) =>
      stackOf({ Cluster: CLUSTER, A: { ...group, Properties: { ...group.Properties, ...more } } }, at, { path });
    const alike = module(stage('Staging/Nodes'), stage('Production/Nodes'));
    expect(alike.text).toContain('/** The node groups of Staging/Nodes, Production/Nodes for the cluster Cluster. */');
    expect(alike.text.match(/export function \w+/g)).toEqual(['export function addNodesNodeGroups']);
    const apart = module(stage('Staging/Nodes'), stage('Production/Nodes', { DiskSize: 50 }));
    expect(apart.text.match(/export function \w+/g)).toEqual([
      'export function addStagingNodesClusterNodeGroups',
      'export function addProductionNodesClusterNodeGroups',
    ]);
  });

  it('tells of stacks whose constructs have no paths, where they have node groups', () => {
    const { text, counts } = module(
      { file: 'old.json', text: JSON.stringify({ Resources: { A: group } }), stack: 'Old' },
      { file: 'other.json', text: '{"Resources":{}}', stack: 'Other' },
    );
    expect(text).toContain('// Not written: stack Old: its constructs have no paths.');
    expect(counts).toEqual({ kept: 0, replaced: 0, left: 1 });
  });

  it('leaves alone what is a ManagedNodeGroup already', () => {
    const Own = { Type: 'AWS::EC2::LaunchTemplate', Properties: {} };
    expect(
      module(stackOf({ Cluster: CLUSTER, A: group, Own }, { ...at, Own: 'A/LaunchTemplate/Resource' })).counts,
    ).toEqual({ kept: 0, replaced: 0, left: 0 });
  });

  it('asks for a cluster that the app does not have by its name', () => {
    const { text } = module(
      stackOf({ A: { ...group, Properties: { ...group.Properties, ClusterName: 'elsewhere' } } }, at),
    );
    expect(text).toContain('for the cluster "elsewhere". As cluster, give eks.Cluster.fromClusterAttributes(');
  });
});
