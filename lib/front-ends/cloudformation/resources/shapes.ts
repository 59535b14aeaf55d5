/**
 * What the properties that the reader looks at must be. CloudFormation itself is lenient about scalars (`"2"` is a
 * number, `1.33` a version), but a list never stands for a map.
 */
export type Shape =
  | 'text'
  | 'boolean'
  /** Anything; checked by whoever reads it. */
  | 'any'
  | { readonly list: Shape }
  /** One value where a list may stand, as IAM allows. */
  | { readonly oneOrMore: Shape }
  | { readonly map: Readonly<Record<string, Shape>> }
  /** A map, or its JSON text. */
  | { readonly mapOrText: Readonly<Record<string, Shape>> };

const texts: Shape = { list: 'text' };

const tags: Shape = { list: { map: { Key: 'text' } } };

const policyDocument: Shape = {
  mapOrText: {
    Statement: {
      oneOrMore: {
        map: {
          Effect: 'text',
          Action: { oneOrMore: 'text' },
          NotAction: { oneOrMore: 'text' },
          Resource: { oneOrMore: 'text' },
          NotResource: { oneOrMore: 'text' },
          Condition: { map: {} },
        },
      },
    },
  },
};

const launchTemplateSpecification: Shape = {
  map: { LaunchTemplateId: 'text', LaunchTemplateName: 'text', Version: 'text' },
};

const metadataOptions: Shape = {
  map: { HttpTokens: 'text', HttpPutResponseHopLimit: 'text', HttpEndpoint: 'text', InstanceMetadataTags: 'text' },
};

const blockDevices: Shape = { list: { map: { DeviceName: 'text', Ebs: { map: { VolumeSize: 'text' } } } } };

const ingressPeer = {
  SourceSecurityGroupId: 'text',
  SourceSecurityGroupName: 'text',
  SourcePrefixListId: 'text',
  CidrIp: 'text',
  CidrIpv6: 'text',
} as const;

const egressPeer = {
  DestinationSecurityGroupId: 'text',
  DestinationPrefixListId: 'text',
  CidrIp: 'text',
  CidrIpv6: 'text',
} as const;

const clusterPart = { ClusterName: 'text' } as const;

/** Shapes of `Properties`, by resource type. */
export const PROPERTY_SHAPES: ReadonlyMap<unknown, Readonly<Record<string, Shape>>> = new Map<
  string,
  Readonly<Record<string, Shape>>
>([
  [
    'AWS::EKS::Cluster',
    {
      Name: 'text',
      Version: 'text',
      RoleArn: 'text',
      KubernetesNetworkConfig: { map: { IpFamily: 'text', ServiceIpv4Cidr: 'text' } },
      ResourcesVpcConfig: { map: { SecurityGroupIds: texts } },
      ComputeConfig: { map: { Enabled: 'boolean' } },
      AccessConfig: { map: { AuthenticationMode: 'text' } },
      BootstrapSelfManagedAddons: 'boolean',
      UpgradePolicy: { map: { SupportType: 'text' } },
      OutpostConfig: { map: {} },
    },
  ],
  [
    'Custom::AWSCDK-EKS-Cluster',
    {
      Config: {
        map: {
          name: 'text',
          version: 'text',
          roleArn: 'text',
          kubernetesNetworkConfig: { map: { ipFamily: 'text', serviceIpv4Cidr: 'text' } },
          resourcesVpcConfig: { map: { securityGroupIds: texts } },
          computeConfig: { map: { enabled: 'boolean' } },
          accessConfig: { map: { authenticationMode: 'text' } },
          bootstrapSelfManagedAddons: 'boolean',
          upgradePolicy: { map: { supportType: 'text' } },
          outpostConfig: { map: {} },
        },
      },
    },
  ],
  [
    'AWS::EKS::Nodegroup',
    {
      ...clusterPart,
      NodegroupName: 'text',
      AmiType: 'text',
      InstanceTypes: texts,
      Subnets: texts,
      CapacityType: 'text',
      Version: 'text',
      ReleaseVersion: 'text',
      NodeRole: 'text',
      ForceUpdateEnabled: 'boolean',
      LaunchTemplate: { map: { Id: 'text', Name: 'text', Version: 'text' } },
      DiskSize: 'text',
      RemoteAccess: { map: { Ec2SshKey: 'text', SourceSecurityGroups: texts } },
      Labels: { map: {} },
      Taints: { list: { map: { Key: 'text', Value: 'text', Effect: 'text' } } },
      UpdateConfig: { map: { MaxUnavailable: 'text', MaxUnavailablePercentage: 'text', UpdateStrategy: 'text' } },
      ScalingConfig: { map: { MinSize: 'text', MaxSize: 'text', DesiredSize: 'text' } },
    },
  ],
  [
    'AWS::EC2::LaunchTemplate',
    {
      LaunchTemplateName: 'text',
      LaunchTemplateData: {
        map: {
          ImageId: 'text',
          InstanceType: 'text',
          UserData: 'text',
          MetadataOptions: metadataOptions,
          TagSpecifications: { list: { map: { ResourceType: 'text', Tags: tags } } },
          IamInstanceProfile: { map: { Arn: 'text', Name: 'text' } },
          InstanceInitiatedShutdownBehavior: 'text',
          HibernationOptions: { map: {} },
          InstanceRequirements: { map: {} },
          InstanceMarketOptions: { map: { MarketType: 'text' } },
          KeyName: 'text',
          SecurityGroupIds: texts,
          SecurityGroups: texts,
          NetworkInterfaces: { list: { map: { SubnetId: 'text', Groups: texts } } },
          BlockDeviceMappings: blockDevices,
        },
      },
    },
  ],
  [
    'AWS::AutoScaling::LaunchConfiguration',
    {
      LaunchConfigurationName: 'text',
      ImageId: 'text',
      InstanceType: 'text',
      UserData: 'text',
      MetadataOptions: metadataOptions,
      IamInstanceProfile: 'text',
      KeyName: 'text',
      SecurityGroups: texts,
      BlockDeviceMappings: blockDevices,
    },
  ],
  [
    'AWS::AutoScaling::AutoScalingGroup',
    {
      Tags: { list: { map: { Key: 'text', Value: 'text' } } },
      LaunchTemplate: launchTemplateSpecification,
      LaunchConfigurationName: 'text',
      VPCZoneIdentifier: texts,
      MixedInstancesPolicy: {
        map: {
          LaunchTemplate: {
            map: {
              LaunchTemplateSpecification: launchTemplateSpecification,
              Overrides: {
                list: { map: { InstanceType: 'text', LaunchTemplateSpecification: launchTemplateSpecification } },
              },
            },
          },
        },
      },
    },
  ],
  ['AWS::EKS::AccessEntry', { ...clusterPart, PrincipalArn: 'text', Type: 'text', KubernetesGroups: texts }],
  [
    'AWS::EC2::SecurityGroup',
    { SecurityGroupIngress: { list: { map: ingressPeer } }, SecurityGroupEgress: { list: { map: egressPeer } } },
  ],
  ['AWS::EC2::Subnet', { CidrBlock: 'text', AvailabilityZone: 'text', MapPublicIpOnLaunch: 'boolean', Tags: tags }],
  ['AWS::EC2::SecurityGroupIngress', { GroupId: 'text', ...ingressPeer }],
  ['AWS::EC2::SecurityGroupEgress', { GroupId: 'text', ...egressPeer }],
  [
    'AWS::EKS::Addon',
    {
      ...clusterPart,
      AddonName: 'text',
      AddonVersion: 'text',
      ResolveConflicts: 'text',
      ConfigurationValues: 'text',
      ServiceAccountRoleArn: 'text',
      PodIdentityAssociations: { list: { map: { ServiceAccount: 'text', RoleArn: 'text' } } },
      PreserveOnDelete: 'boolean',
    },
  ],
  ['AWS::EKS::PodIdentityAssociation', { ...clusterPart, Namespace: 'text', ServiceAccount: 'text', RoleArn: 'text' }],
  ['AWS::EKS::FargateProfile', { ...clusterPart, Selectors: { list: { map: { Namespace: 'text' } } } }],
  [
    'Custom::AWSCDK-EKS-FargateProfile',
    { Config: { map: { clusterName: 'text', selectors: { list: { map: { namespace: 'text' } } } } } },
  ],
  [
    'AWS::IAM::Role',
    {
      RoleName: 'text',
      AssumeRolePolicyDocument: policyDocument,
      ManagedPolicyArns: texts,
      Policies: { list: { map: { PolicyName: 'text', PolicyDocument: policyDocument } } },
    },
  ],
  ['AWS::IAM::Policy', { Roles: texts, PolicyDocument: policyDocument }],
  ['AWS::IAM::ManagedPolicy', { Roles: texts, PolicyDocument: policyDocument }],
  ['AWS::IAM::RolePolicy', { RoleName: 'text', PolicyDocument: policyDocument }],
  ['AWS::IAM::OIDCProvider', { Url: 'text', ClientIdList: texts }],
  ['Custom::AWSCDKOpenIdConnectProvider', { Url: 'text', ClientIDList: texts }],
  ['Custom::AWSCDK-EKS-KubernetesResource', clusterPart],
  ['Custom::AWSCDK-EKS-KubernetesPatch', { ...clusterPart, ResourceName: 'text', ResourceNamespace: 'text' }],
  [
    'Custom::AWSCDK-EKS-HelmChart',
    { ...clusterPart, Chart: 'text', Release: 'text', Namespace: 'text', Version: 'text' },
  ],
]);

/** Keys of a decision in a resource's metadata. */
export const SUPPRESSION_KEYS = ['rule', 'reason', 'until'] as const;

/** Shape of the `eks-guardrails` entry in a resource's metadata. The engine says what is wrong with a day. */
export const SUPPRESSION_SHAPE: Shape = {
  map: { suppress: { list: { map: { rule: 'text', reason: 'text', until: 'any' } } } },
};
