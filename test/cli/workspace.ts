import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder with files, removed after the tests of the file that asked for it. */
export function workspace(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  const write = () => {
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  };
  write();
  // What runs the tests one at a time, as `npm run mutation` does, has removed it after the one before.
  beforeAll(() => {
    if (!existsSync(folder)) write();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A node group with a launch template of its own; `metadata` is the body of its metadata options. */
export function nodeGroupTemplate(
  metadata: readonly string[],
  more: { suppress?: readonly string[]; parameters?: readonly string[] } = {},
): string {
  return [
    ...(more.parameters === undefined ? [] : ['Parameters:', ...more.parameters.map((line) => `  ${line}`)]),
    'Resources:',
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Properties: {',
    '      Version: "1.36", UpgradePolicy: { SupportType: STANDARD },',
    '      RoleArn: !GetAtt ClusterRole.Arn,',
    '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] } }',
    '  Template:',
    '    Type: AWS::EC2::LaunchTemplate',
    ...(more.suppress === undefined ? [] : ['    Metadata:', ...more.suppress.map((line) => `      ${line}`)]),
    '    Properties:',
    '      LaunchTemplateData:',
    '        MetadataOptions:',
    ...metadata.map((line) => `          ${line}`),
    '  Workers:',
    '    Type: AWS::EKS::Nodegroup',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    '      NodeRole: !GetAtt NodeRole.Arn',
    '      Subnets: [subnet-1, subnet-2]',
    '      AmiType: AL2023_x86_64_STANDARD',
    '      LaunchTemplate:',
    '        Id: !Ref Template',
    '        Version: !GetAtt Template.LatestVersionNumber',
    '  NodeRole:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    '      AssumeRolePolicyDocument:',
    '        Statement: [{ Effect: Allow, Principal: { Service: ec2.amazonaws.com }, Action: sts:AssumeRole }]',
    '      ManagedPolicyArns:',
    '        - arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy',
    '        - arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy',
    '        - arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly',
    '  ClusterRole:',
    '    Type: AWS::IAM::Role',
    '    Properties:',
    '      AssumeRolePolicyDocument:',
    '        Statement: [{ Effect: Allow, Principal: { Service: eks.amazonaws.com }, Action: sts:AssumeRole }]',
    '      ManagedPolicyArns: [arn:aws:iam::aws:policy/AmazonEKSClusterPolicy]',
    '',
  ].join('\n');
}
