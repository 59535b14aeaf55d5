import { CLUSTER, moduleOf, PLACE, stackOf, written } from './stacks';

/* How values of a template become code, and what points at other constructs of the app. */

describe('a value', () => {
  const codeOf = (KeyName: unknown) =>
    /addPropertyOverride\('LaunchTemplateData\.KeyName', (.*)\);$/m.exec(
      written({}, { KeyName }, undefined, { Sg: ['Net/Sg', { Type: 'AWS::EC2::SecurityGroup' }] }),
    )?.[1];

  it.each<[unknown, string]>([
    ['it\'s "a"\n', "'it\\'s \"a\"\\n'"],
    [7, '7'],
    [false, 'false'],
    [['a', { Ref: 'AWS::Region' }], "['a', Aws.REGION]"],
    [{ 'a-b': 1, c: 2 }, "{ 'a-b': 1, c: 2 }"],
    [{ Ref: 'a', Other: 'b' }, "{ Ref: 'a', Other: 'b' }"],
    [{}, '{  }'],
    [{ Ref: 'Key' }, "Fn.ref('Key')"],
    [{ Ref: 'Sg' }, "(find(stack, 'Net/Sg') as CfnResource).ref"],
    [{ 'Fn::GetAtt': ['Sg', 'GroupId'] }, "(find(stack, 'Net/Sg') as CfnResource).getAtt('GroupId').toString()"],
    [{ 'Fn::GetAtt': 'Sg.GroupId' }, "(find(stack, 'Net/Sg') as CfnResource).getAtt('GroupId').toString()"],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'AWS::StackName' }]] }, "Fn.join('-', ['a', Aws.STACK_NAME])"],
    [{ 'Fn::Select': [0, { 'Fn::Split': ['/', 'a/b'] }] }, "Fn.select(0, Fn.split('/', 'a/b'))"],
    [{ 'Fn::FindInMap': ['M', 'a', 'b'] }, "Fn.findInMap('M', 'a', 'b')"],
    [{ 'Fn::If': ['IsA', 'a', 'b'] }, "Fn.conditionIf('IsA', 'a', 'b').toString()"],
    [{ 'Fn::Sub': 'a-${B}' }, "Fn.sub('a-${B}')"],
    [{ 'Fn::Sub': ['a-${B}', { B: 'b' }] }, "Fn.sub('a-${B}', { B: 'b' })"],
    [{ 'Fn::ImportValue': 'elsewhere' }, "Fn.importValue('elsewhere')"],
    [{ 'Fn::Base64': 'a' }, "Fn.base64('a')"],
  ])('%j is written', (value, code) => {
    expect(codeOf(value)).toBe(code);
  });

  it.each([
    [{ 'Fn::Cidr': ['10.0.0.0/16', 1, 8] }, 'a value is made by Fn::Cidr'],
    [{ 'Fn::GetAtt': ['Nobody', 'Arn'] }, 'a value is made by Fn::GetAtt'],
    [{ a: null }, 'a value is neither text, number, list nor map'],
  ])('%j is not', (KeyName, reason) => {
    expect(written({}, { KeyName })).toContain(`// Not written: ${reason}. It stays as it is.`);
  });

  it('needs the imports of its functions alone', () => {
    const importOf = (KeyName: unknown) =>
      /^import \{ (.*) \} from 'aws-cdk-lib';$/m.exec(written({}, { KeyName }))?.[1];
    expect(importOf('a')).toBe('Annotations, CfnResource, type Stack');
    expect(importOf({ Ref: 'AWS::Region' })).toBe('Annotations, Aws, CfnResource, type Stack');
    expect(importOf({ 'Fn::ImportValue': 'a' })).toBe('Annotations, CfnResource, Fn, type Stack');
  });
});

describe('a security group', () => {
  const Type = 'AWS::EC2::SecurityGroup';
  const groups = (SecurityGroupIds: unknown, path = 'Sg/Resource') =>
    written({}, { SecurityGroupIds }, undefined, { Sg: [path, { Type }] });

  it('is taken from its construct, where that is of the class for it', () => {
    expect(groups([{ 'Fn::GetAtt': ['Sg', 'GroupId'] }])).toContain(
      "securityGroups: [find(stack, 'Sg') as ec2.SecurityGroup],",
    );
    expect(groups([{ 'Fn::GetAtt': ['Sg', 'GroupId'] }], 'Sg')).toContain(
      "securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'WorkersGroup0', (find(stack, 'Sg') as CfnResource).getAtt('GroupId').toString())],",
    );
    expect(
      written({ RemoteAccess: { Ec2SshKey: 'ops', SourceSecurityGroups: [{ Ref: 'Sg' }] } }, undefined, undefined, {
        Sg: ['Sg/Resource', { Type }],
      }),
    ).toContain(
      "remoteAccess: { keyPair: ec2.KeyPair.fromKeyPairName(stack, 'WorkersNodesKey', 'ops'), from: [find(stack, 'Sg') as ec2.SecurityGroup] },",
    );
  });

  it('stays in a list that is decided at deployment', () => {
    expect(groups({ Ref: 'Groups' })).toContain(
      ".addPropertyOverride('LaunchTemplateData.SecurityGroupIds', Fn.ref('Groups'));",
    );
  });

  it('is that of the cluster only where the cluster is a construct that has it', () => {
    const Own = { Type: 'AWS::EKS::Cluster' };
    const other = [{ 'Fn::GetAtt': ['Own', 'ClusterSecurityGroupId'] }];
    expect(written({}, { SecurityGroupIds: other }, undefined, { Own: ['Own/Resource', Own] })).toContain(
      'clusterSecurityGroup: false,',
    );
    expect(groups([{ 'Fn::GetAtt': ['Cluster', 'ClusterSecurityGroupId'] }])).not.toMatch(/ecurityGroups?: /);
  });
});

describe('subnets', () => {
  const SUBNET = 'AWS::EC2::Subnet';
  const subnet = (kind: string | undefined, VpcId = 'vpc'): object => ({
    Type: SUBNET,
    Properties: {
      VpcId,
      Tags: kind === undefined ? [] : [{ Key: 'Name' }, { Key: 'aws-cdk:subnet-type', Value: kind }],
    },
  });
  const NETWORK = { A: 'Private', B: 'Private', C: 'Public', D: 'Public' };

  /** The option for some subnets of a network that its cluster is in. */
  function optionOf(
    names: readonly string[],
    network: Readonly<Record<string, string | undefined>> = NETWORK,
    { of = ['A'], isCustom = false, at = 'Cluster/Resource' } = {},
  ): string | undefined {
    const refs = (ids: readonly string[]) => ids.map((Ref) => ({ Ref }));
    const place = { SubnetIds: refs(of) };
    const { text } = moduleOf(
      stackOf(
        {
          Cluster: {
            Type: isCustom ? 'Custom::AWSCDK-EKS-Cluster' : 'AWS::EKS::Cluster',
            Properties: isCustom
              ? { Config: { resourcesVpcConfig: { subnetIds: place.SubnetIds } } }
              : { ResourcesVpcConfig: place },
          },
          Workers: {
            Type: 'AWS::EKS::Nodegroup',
            Properties: {
              ...PLACE,
              ClusterName: { Ref: 'Cluster' },
              AmiType: 'AL2023_x86_64_STANDARD',
              Subnets: refs(names),
            },
          },
          ...Object.fromEntries(Object.entries(network).map(([id, kind]) => [id, subnet(kind)])),
          Apart: subnet('Private', 'other'),
        },
        {
          Cluster: isCustom ? 'Cluster/Resource/Resource/Default' : at,
          Workers: 'Workers/Resource',
          Apart: 'Other/Subnet',
          ...Object.fromEntries(Object.keys(network).map((id) => [id, `Vpc/${id}/Subnet`])),
        },
      ),
    );
    return /^ {4}subnets: (.*),$/m.exec(text)?.[1];
  }

  const each = (...names: readonly string[]) =>
    `{ subnets: [${names.map((name) => `find(stack, '${name}') as ec2.Subnet`).join(', ')}] }`;

  it('are left out where the construct takes these by itself', () => {
    expect(optionOf(['A', 'B'])).toBeUndefined();
    expect(optionOf(['A', 'B'], NETWORK, { isCustom: true })).toBeUndefined();
    expect(optionOf(['A'], { A: 'Isolated', B: 'Public' })).toBeUndefined();
    expect(optionOf(['A'], { A: 'Public' })).toBeUndefined();
  });

  it.each<[string, readonly string[], Readonly<Record<string, string | undefined>> | undefined, object, string]>([
    ['all of another type', ['C', 'D'], undefined, {}, '{ subnetType: ec2.SubnetType.PUBLIC }'],
    ['isolated ones', ['B'], { A: 'Private', B: 'Isolated' }, {}, '{ subnetType: ec2.SubnetType.PRIVATE_ISOLATED }'],
    ['some of a type', ['A'], undefined, {}, each('Vpc/A')],
    ['all in another order', ['B', 'A'], undefined, {}, each('Vpc/B', 'Vpc/A')],
    ['others than those of a type', ['A', 'C'], undefined, {}, each('Vpc/A', 'Vpc/C')],
    ['ones of no type', ['A'], { A: undefined }, {}, each('Vpc/A')],
    ['ones of a type that nobody knows', ['A'], { A: 'Edge' }, {}, each('Vpc/A')],
    ['ones of another network than that of the cluster', ['Apart'], undefined, {}, each('Other')],
    ['a cluster in another network', ['A', 'B'], undefined, { of: ['Apart'] }, each('Vpc/A', 'Vpc/B')],
    ['a cluster that tells no network', ['A', 'B'], undefined, { at: 'Cluster' }, each('Vpc/A', 'Vpc/B')],
  ])('are written for %s', (_, names, network, where, option) => {
    expect(optionOf(names, network ?? NETWORK, where)).toBe(option);
  });

  it('of elsewhere are taken by their ids', () => {
    const text = written({});
    expect(text).toContain(
      "subnets: { subnets: [subnetOf(stack, 'WorkersNodesSubnet0', 'subnet-1'), subnetOf(stack, 'WorkersNodesSubnet1', 'subnet-2')] },",
    );
    expect(text).toContain('function subnetOf(');
    expect(text).toContain("import { Annotations, type Stack } from 'aws-cdk-lib';");
  });

  it('that are decided at deployment are not written', () => {
    expect(written({ Subnets: { Ref: 'Subnets' } })).toContain(
      '// Not written: its subnets are a list that is decided at deployment.',
    );
  });
});

describe('a role', () => {
  const POLICY = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${name}` });
  const NodeRole = { 'Fn::GetAtt': ['Role', 'Arn'] };
  const role = (path: string, more: object = {}, others = {}) =>
    written({ NodeRole }, undefined, 'Cluster/NodegroupWorkers/Resource', {
      Role: [path, { Type: 'AWS::IAM::Role', Properties: more }],
      ...others,
    });
  const OWN = 'Cluster/NodegroupWorkers/NodeGroupRole/Resource';

  it('is taken from its construct', () => {
    expect(role('Role/Resource')).toContain("role: find(stack, 'Role') as iam.Role,");
    expect(role('Role')).toContain(
      "role: iam.Role.fromRoleArn(stack, 'WorkersNodeRole', (find(stack, 'Role') as CfnResource).getAtt('Arn').toString()),",
    );
  });

  it('of the old construct is made again by the new one, with its logical id', () => {
    const text = role(OWN);
    expect(text).toContain("(workers.role.node.defaultChild as CfnResource).overrideLogicalId('Role');");
    expect(text).not.toMatch(/role: |managedPolicies|aws-iam|Note: /);
  });

  it('of the old construct keeps its name, its boundary and its further policies', () => {
    const text = role(OWN, {
      RoleName: 'nodes',
      PermissionsBoundary: 'arn:aws:iam::111122223333:policy/edge',
      ManagedPolicyArns: [POLICY('AmazonEKSWorkerNodePolicy'), POLICY('AmazonSSMManagedInstanceCore'), 'arn:of:ours'],
    });
    for (const code of [
      "addPropertyOverride('RoleName', 'nodes');",
      "addPropertyOverride('PermissionsBoundary', 'arn:aws:iam::111122223333:policy/edge');",
      "managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore'), iam.ManagedPolicy.fromManagedPolicyArn(stack, 'WorkersPolicy1', 'arn:of:ours')],",
      "import * as iam from 'aws-cdk-lib/aws-iam';",
    ])
      expect(text).toContain(code);
    expect(text).not.toContain("'Path'");
  });

  it('of the old construct loses what is written inline or beside it, and says so', () => {
    const text = role(
      OWN,
      { Policies: [{}] },
      {
        Beside: ['Cluster/NodegroupWorkers/NodeGroupRole/DefaultPolicy/Resource', { Type: 'AWS::IAM::Policy' }],
        Other: ['Cluster/Other/Resource', { Type: 'AWS::IAM::Policy' }],
      },
    );
    expect(text.match(/Note: .*/g)).toEqual([
      "Note: Beside (AWS::IAM::Policy) goes with the old construct: give what it allows to the new group's role.",
      'Note: the old role has inline policies: give what they allow to the role of the new group.',
    ]);
  });

  it.each([
    ['Base', 'Shop', '../Base/Role'],
    ['Staging/Base', 'Staging/Nodes', '../Base/Role'],
    ['Base', 'Staging/Nodes', '../../Base/Role'],
  ])('of stack %s is found from %s', (base, path, way) => {
    const { text } = moduleOf(
      stackOf(
        { Role: { Type: 'AWS::IAM::Role' } },
        { Role: 'Role/Resource' },
        {
          path: base,
          outputs: { Out: { Value: NodeRole, Export: { Name: 'role' } } },
        },
      ),
      stackOf(
        {
          Cluster: CLUSTER,
          A: {
            Type: 'AWS::EKS::Nodegroup',
            Properties: {
              ...PLACE,
              ClusterName: { Ref: 'Cluster' },
              AmiType: 'AL2023_x86_64_STANDARD',
              NodeRole: { 'Fn::ImportValue': 'role' },
            },
          },
        },
        { Cluster: 'Cluster/Resource', A: 'A/Resource' },
        { path },
      ),
    );
    expect(text).toContain(`role: find(stack, '${way}') as iam.Role,`);
  });
});

describe('user data', () => {
  const part = (type: string, body: string): string => `--B\nContent-Type: ${type}\n\n${body}\n`;
  const SCRIPT = part('text/x-shellscript', '#!/bin/sh\necho it');
  const config = (spec: string): string =>
    part('application/node.eks.aws', `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n${spec}`);
  const GATE = config('  featureGates: { InstanceIdNodeName: true }');
  const of = (text: unknown, AmiType = 'AL2023_x86_64_STANDARD'): string =>
    written({ AmiType }, { UserData: { 'Fn::Base64': text } });
  const mime = (...parts: readonly string[]): string =>
    `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n${parts.join('')}--B--\n`;

  it.each<[string, string, string, string]>([
    ['scripts', mime(SCRIPT, SCRIPT), 'AL2023_x86_64_STANDARD', 'shellScripts: ['],
    ['a script of AL2', mime(SCRIPT), 'AL2_x86_64', "shellScripts: ['#!/bin/sh\\necho it'],"],
    [
      'a NodeConfig',
      mime(GATE),
      'AL2023_x86_64_STANDARD',
      'nodeConfig: new NodeConfig({ featureGates: { InstanceIdNodeName: true } }),',
    ],
  ])('of %s is written as options', (_, text, type, code) => {
    const result = of(text, type);
    expect(result).toContain(code);
    expect(result).not.toContain('LaunchTemplateData.UserData');
    expect(result.includes('NodeConfig, type ICluster')).toBe(code.startsWith('nodeConfig'));
    expect(/shellScripts/.test(result)).toBe(code.startsWith('shellScripts'));
  });

  it.each<[string, unknown, string?]>([
    ['a script alone', '#!/bin/sh\necho it'],
    ['what is decided at deployment', { Ref: 'UserData' }],
    ['Bottlerocket', mime(SCRIPT), 'BOTTLEROCKET_x86_64'],
    ['a NodeConfig for AL2', mime(GATE), 'AL2_x86_64'],
    ['two NodeConfigs', mime(GATE, GATE)],
    ['a NodeConfig without spec', mime(config(''))],
    ['a NodeConfig that nodeadm refuses', mime(config('  nothing: 1'))],
    ['a NodeConfig in a part of another type', mime(GATE.replace('application/node.eks.aws', 'text/plain'))],
    ['a part of another kind', mime(SCRIPT, part('text/cloud-config', '#cloud-config'))],
    ['a script that no program runs', mime(part('text/x-shellscript', 'echo it'))],
    ['a document with defects', mime(SCRIPT).replace('--B--\n', '')],
    ['settings that the construct writes', mime(SCRIPT.replace('echo it', 'echo maxPods'))],
  ])('of %s stays as it is', (_, ...[text, type]) => {
    const result = of(text, type);
    expect(result).toContain(".addPropertyOverride('LaunchTemplateData.UserData', ");
    expect(result).not.toMatch(/shellScripts|nodeConfig:/);
  });
});
