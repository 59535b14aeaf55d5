// A CloudFormation template of a platform with many EKS resources: what a check has to read, most of it correct.

/**
 * @param {number} count how many resources, about
 * @returns {{ Resources: Record<string, unknown> }}
 */
export function generateTemplate(count) {
  const resources = {};
  const perCluster = 50;
  for (let cluster = 0; Object.keys(resources).length < count && cluster * perCluster < count; cluster++)
    addCluster(resources, `C${cluster}`, cluster % 20 === 0);
  return { AWSTemplateFormatVersion: '2010-09-09', Resources: resources };
}

/**
 * What large templates mostly are: two in a hundred resources are of EKS, the others belong to applications that have nothing to do with it.
 * @param {number} count how many resources, about
 * @returns {{ Resources: Record<string, unknown> }}
 */
export function generateMixedTemplate(count) {
  const template = generateTemplate(count / 50);
  for (let index = 0; Object.keys(template.Resources).length < count; index++)
    addApplication(template.Resources, `App${index}`);
  return template;
}

/** A function with its role, table, queue, bucket and alarm: ten resources, of which the role and its policy are read. */
function addApplication(resources, id) {
  const arnOf = (part) => ({ 'Fn::GetAtt': [`${id}${part}`, 'Arn'] });
  const tags = [{ Key: 'team', Value: 'payments' }];
  const add = (part, type, properties, others = {}) => {
    resources[`${id}${part}`] = { Type: type, Properties: properties, ...others };
  };
  add('Queue', 'AWS::SQS::Queue', {
    QueueName: { 'Fn::Sub': `\${AWS::StackName}-${id.toLowerCase()}` },
    RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 5 },
    Tags: tags,
  });
  add('Dead', 'AWS::SQS::Queue', { MessageRetentionPeriod: 1209600, Tags: tags });
  add('Topic', 'AWS::SNS::Topic', { Subscription: [{ Protocol: 'sqs', Endpoint: arnOf('Queue') }] });
  add('Table', 'AWS::DynamoDB::Table', {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    SSESpecification: { SSEEnabled: true },
  });
  add(
    'Function',
    'AWS::Lambda::Function',
    {
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Code: { S3Bucket: { 'Fn::Sub': 'assets-${AWS::AccountId}-${AWS::Region}' }, S3Key: `${id}.zip` },
      Role: arnOf('Role'),
      Environment: { Variables: { QUEUE_URL: { Ref: `${id}Queue` }, TABLE: { Ref: `${id}Table` } } },
    },
    { DependsOn: [`${id}Policy`, `${id}Role`] },
  );
  add('Role', 'AWS::IAM::Role', {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    ManagedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole'],
  });
  add('Policy', 'AWS::IAM::Policy', {
    PolicyName: id,
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: arnOf('Table') }],
    },
    Roles: [{ Ref: `${id}Role` }],
  });
  add('Log', 'AWS::Logs::LogGroup', {
    LogGroupName: { 'Fn::Sub': `/aws/lambda/\${${id}Function}` },
    RetentionInDays: 30,
  });
  add('Alarm', 'AWS::CloudWatch::Alarm', {
    MetricName: 'Errors',
    Namespace: 'AWS/Lambda',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: `${id}Function` } }],
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    EvaluationPeriods: 5,
    AlarmActions: [{ Ref: `${id}Topic` }],
  });
  add('Bucket', 'AWS::S3::Bucket', {
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
  });
}

/** One cluster with 49 resources around it; `faulty` ones hold a few pitfalls. */
function addCluster(resources, id, faulty) {
  const nodeRole = { 'Fn::GetAtt': [`${id}NodeRole`, 'Arn'] };
  const tags = [
    { Key: 'team', Value: 'platform' },
    { Key: 'environment', Value: { 'Fn::Sub': '${AWS::StackName}-production' } },
  ];
  resources[`${id}`] = {
    Type: 'AWS::EKS::Cluster',
    Properties: {
      Name: id.toLowerCase(),
      Version: '1.35',
      RoleArn: { 'Fn::GetAtt': [`${id}ClusterRole`, 'Arn'] },
      ResourcesVpcConfig: {
        SubnetIds: [{ Ref: `${id}Subnet0` }, { Ref: `${id}Subnet1` }],
        EndpointPrivateAccess: true,
      },
      KubernetesNetworkConfig: { IpFamily: 'ipv4' },
    },
  };
  resources[`${id}ClusterRole`] = role(['AmazonEKSClusterPolicy'], 'eks.amazonaws.com');
  resources[`${id}NodeRole`] = role(
    ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly'],
    'ec2.amazonaws.com',
  );
  resources[`${id}CniRole`] = {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'pods.eks.amazonaws.com' },
            Action: ['sts:AssumeRole', 'sts:TagSession'],
          },
        ],
      },
      ManagedPolicyArns: [{ 'Fn::Sub': 'arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy' }],
    },
  };
  resources[`${id}Agent`] = addon(id, 'eks-pod-identity-agent', 'v1.3.10-eksbuild.2', {});
  resources[`${id}Cni`] = addon(id, 'vpc-cni', 'v1.21.1-eksbuild.5', {
    ResolveConflicts: faulty ? 'OVERWRITE' : 'PRESERVE',
    PreserveOnDelete: true,
    ...(faulty
      ? {}
      : {
          ConfigurationValues:
            '{"env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"1"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}',
        }),
    PodIdentityAssociations: [{ ServiceAccount: 'aws-node', RoleArn: { 'Fn::GetAtt': [`${id}CniRole`, 'Arn'] } }],
  });
  for (let group = 0; group < 10; group++) {
    resources[`${id}Template${group}`] = {
      Type: 'AWS::EC2::LaunchTemplate',
      Properties: {
        LaunchTemplateData: {
          MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: faulty && group === 0 ? 1 : 2 },
          BlockDeviceMappings: [
            { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80, VolumeType: 'gp3', Encrypted: true } },
          ],
          TagSpecifications: [{ ResourceType: 'instance', Tags: tags }],
        },
      },
    };
    resources[`${id}Workers${group}`] = {
      Type: 'AWS::EKS::Nodegroup',
      Properties: {
        ClusterName: { Ref: id },
        NodeRole: nodeRole,
        Subnets: [{ Ref: `${id}Subnet0` }, { Ref: `${id}Subnet1` }],
        AmiType: 'AL2023_x86_64_STANDARD',
        InstanceTypes: ['m6i.large', 'm6i.xlarge'],
        ScalingConfig: { MinSize: 1, MaxSize: 10, DesiredSize: 3 },
        LaunchTemplate: {
          Id: { Ref: `${id}Template${group}` },
          Version: { 'Fn::GetAtt': [`${id}Template${group}`, 'LatestVersionNumber'] },
        },
        Labels: { 'example.com/pool': `pool-${group}` },
      },
    };
  }
  for (let index = 0; index < 24; index++) {
    resources[`${id}Subnet${index}`] = {
      Type: 'AWS::EC2::Subnet',
      Properties: {
        VpcId: 'vpc-0123456789abcdef0',
        CidrBlock: `10.${index}.0.0/20`,
        AvailabilityZone: { 'Fn::Select': [index % 3, { 'Fn::GetAZs': '' }] },
        Tags: tags,
      },
    };
  }
}

function role(policies, service) {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
      },
      ManagedPolicyArns: policies.map((policy) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${policy}` })),
    },
  };
}

function addon(id, name, version, properties) {
  return {
    Type: 'AWS::EKS::Addon',
    Properties: { ClusterName: { Ref: id }, AddonName: name, AddonVersion: version, ...properties },
  };
}
