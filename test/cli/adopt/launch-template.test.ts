import { moduleOf, OWN, PLACE, stackOf, written } from './stacks';

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
    ['metadata options that are none', { MetadataOptions: 'x' }, override('MetadataOptions', "'x'")],
    ['instance type', { InstanceType: 'm6i.large' }, override('InstanceType', "'m6i.large'")],
    [
      'spot market',
      { InstanceMarketOptions: { MarketType: 'spot' } },
      override('InstanceMarketOptions', "{ MarketType: 'spot' }"),
    ],
    ['key', { KeyName: 'ops' }, override('KeyName', "'ops'")],
    ['monitoring', { Monitoring: { Enabled: false } }, 'detailedMonitoring: false,'],
    [
      'monitoring that is decided later',
      { Monitoring: { Enabled: { Ref: 'M' } } },
      override('Monitoring', "{ Enabled: Fn.ref('M') }"),
    ],
    [
      'reservation of a group of resources',
      {
        CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationResourceGroupArn: 'arn' } },
      },
      "capacityReservation: { resourceGroupArn: 'arn' },",
    ],
    [
      'volume at a device that is decided later',
      {
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvda', Ebs: {} },
          { DeviceName: { Ref: 'Device' }, Ebs: {} },
        ],
      },
      override(
        'BlockDeviceMappings',
        "[{ DeviceName: '/dev/xvda', Ebs: {  } }, { DeviceName: Fn.ref('Device'), Ebs: {  } }]",
      ),
    ],
    [
      'volume with a setting for which there is no option',
      { BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { KmsKeyId: 'key', Encrypted: true } }] },
      override('BlockDeviceMappings', "[{ DeviceName: '/dev/xvda', Ebs: { KmsKeyId: 'key', Encrypted: true } }]"),
    ],
    [
      'volumes that are decided later',
      { BlockDeviceMappings: { Ref: 'Volumes' } },
      override('BlockDeviceMappings', "Fn.ref('Volumes')"),
    ],
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

  it.each<[string, readonly object[], string]>([
    ['of its data', [{ DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 80 } }], 'volume: { size: 80 },'],
    [
      'beside one of its system that has nothing written',
      [
        { DeviceName: '/dev/xvda', Ebs: { Encrypted: true } },
        { DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 80 } },
      ],
      'volume: { size: 80 },',
    ],
    [
      'of its system, which stay as they are',
      [
        { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 4 } },
        { DeviceName: '/dev/xvdb', Ebs: { VolumeSize: 80 } },
      ],
      "addPropertyOverride('LaunchTemplateData.BlockDeviceMappings', [{",
    ],
  ])('has the volumes of Bottlerocket %s', (_, BlockDeviceMappings, code) => {
    const text = written({ AmiType: 'BOTTLEROCKET_x86_64' }, { BlockDeviceMappings });
    expect(text).toContain(code);
    expect(text).not.toContain('additionalVolumes');
  });

  it('has an AMI of its own with the system and the service range that its code tells', () => {
    const UserData = { 'Fn::Base64': 'apiVersion: node.eks.aws/v1alpha1\n' };
    const text = (data: object, properties: object, parameters = {}) =>
      moduleOf(
        stackOf(
          {
            Cluster: { Type: 'AWS::EKS::Cluster', Properties: properties },
            Workers: {
              Type: 'AWS::EKS::Nodegroup',
              Properties: { ...PLACE, ClusterName: { Ref: 'Cluster' }, LaunchTemplate: OWN },
            },
            Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: data } },
          },
          { Cluster: 'Cluster/Resource', Workers: 'Workers/Resource', Template: 'Template/Resource' },
          { parameters },
        ),
      ).text;
    const ranges = [
      { KubernetesNetworkConfig: { ServiceIpv4Cidr: '10.100.0.0/16' } },
      { Config: { kubernetesNetworkConfig: { serviceIpv4Cidr: '10.100.0.0/16' } } },
    ];
    for (const range of ranges) {
      const told = text({ ImageId: 'ami-1', UserData }, range);
      expect(told).toContain("customAmi: 'ami-1',");
      expect(told).not.toMatch(/serviceCidr|amiFamily/);
    }
    const lookedUp = (Type: string) =>
      text({ ImageId: { Ref: 'Ami' }, UserData }, ranges[0] ?? {}, { Ami: { Type, Default: '/my/ami' } });
    expect(lookedUp('AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>')).toContain(
      "customAmi: ec2.MachineImage.fromSsmParameter('/my/ami'),",
    );
    expect(lookedUp('String')).toContain("customAmi: Fn.ref('Ami'),");
    const volumes = [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80 } }];
    expect(text({ ImageId: 'ami-1', UserData, BlockDeviceMappings: volumes }, ranges[0] ?? {})).not.toContain(
      'amiVolumes',
    );
  });

  it('is overridden only where its tags are others than those of the group', () => {
    const TagSpecifications = [{ ResourceType: 'instance', Tags: [{ Key: 'cost', Value: '1' }] }];
    expect(written({ Tags: { cost: '1' } }, { TagSpecifications })).not.toContain('TagSpecifications');
    expect(written({ Tags: { cost: '2' } }, { TagSpecifications })).toContain('TagSpecifications');
  });

  it('may be named by its name', () => {
    const text = written({ LaunchTemplate: { Name: 'mine', Version: '1' } }, undefined, undefined, {
      Mine: [
        'Mine/Resource',
        { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateName: 'mine', LaunchTemplateData: {} } },
      ],
      Other: ['Other/Resource', { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateName: 'other' } }],
    });
    for (const code of [
      '// Kept: ',
      "overrideLogicalId('Mine');",
      "addPropertyOverride('LaunchTemplateName', 'mine');",
      "workers.nodegroup.addPropertyDeletionOverride('LaunchTemplate.Id');",
      "workers.nodegroup.addPropertyOverride('LaunchTemplate.Name', 'mine');",
    ])
      expect(text).toContain(code);
    expect(written({}, {})).not.toMatch(/LaunchTemplate\.Id|LaunchTemplateName/);
  });

  it('is not written where its data depends on a condition', () => {
    const text = written({ LaunchTemplate: OWN }, undefined, undefined, {
      Template: ['Template/Resource', { Type: 'AWS::EC2::LaunchTemplate' }],
    });
    expect(text).toContain('// Not written: its launch template depends on a condition.');
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
