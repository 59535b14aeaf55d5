import { runRules, type Rule } from '../../lib/engine';
import { EksModel } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { irsaTrustPolicy } from '../../lib/rules/iam/irsa-trust-policy';
import { imdsHopLimit } from '../../lib/rules/imds/imds-hop-limit';
import { imdsV1 } from '../../lib/rules/imds/imds-v1';
import { nodeUserDataFormat } from '../../lib/rules/launch-template/node-user-data-format';
import { nodeUserDataMissingBootstrap } from '../../lib/rules/launch-template/node-user-data-missing-bootstrap';
import { vpcCniNetworkPolicy } from '../../lib/rules/vpc-cni/vpc-cni-network-policy';
import { launchTemplateNodeGroupConflict } from '../../lib/rules/launch-template/launch-template-node-group-conflict';
import { userDataAmiFamily } from '../../lib/rules/node-bootstrap/user-data-ami-family';
import { amiTypeKubernetesVersion } from '../../lib/rules/node-group/ami-type-kubernetes-version';
import { clusterSupportType } from '../../lib/rules/node-group/cluster-support-type';
import { clusterVersionPinned } from '../../lib/rules/node-group/cluster-version-pinned';
import { clusterVersionSupport } from '../../lib/rules/node-group/cluster-version-support';
import { nodeGroupForceUpdate } from '../../lib/rules/node-group/node-group-force-update';
import { vpcCniResolveConflicts } from '../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { hclFile } from '../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../lib/terraform/module/root-modules';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import { AS_OF } from '../as-of';

/** The code that a rule prints about a template of these resources, in the language of the file. */
function codeIn(file: string, resources: object, rule: Rule): (string | undefined)[] {
  const { resources: read } = readTemplates([{ file, text: JSON.stringify({ Resources: resources }) }]);
  return runRules(new EksModel(read), [rule], { asOf: AS_OF }).flatMap(({ verdict, fixCode }) =>
    verdict === 'fail' ? [fixCode] : [],
  );
}

/** What the lines in the braces of an object are, without its comments. */
const parsed = (members: string): unknown => JSON.parse(`{${members}}`);

const cluster = (properties: object) => ({
  Cluster: {
    Type: 'AWS::EKS::Cluster',
    Properties: { RoleArn: 'arn:aws:iam::111122223333:role/cluster', ...properties },
  },
});
const customCluster = (config: object) => ({
  Cluster: {
    Type: 'Custom::AWSCDK-EKS-Cluster',
    Properties: {
      ServiceToken: 'arn:aws:lambda:eu-west-1:111122223333:function:cluster',
      Config: { roleArn: 'arn:aws:iam::111122223333:role/cluster', ...config },
    },
  },
});
const group = (properties: object) => ({
  Workers: {
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: 'main',
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-1'],
      ...properties,
    },
  },
});

describe('the code of a fix for a template', () => {
  const old = cluster({ Version: '1.24' });

  it('is YAML in a template in YAML, and JSON in one in JSON, with comments as sentences', () => {
    expect(codeIn('main.yaml', old, clusterVersionSupport)).toEqual([
      "Version: '1.36' # in the end; one minor version at a time",
    ]);
    expect(codeIn('main.json', old, clusterVersionSupport)).toEqual([
      'In the end; one minor version at a time.\n"Version": "1.36"',
    ]);
  });

  it('has the long forms of functions in JSON, and each place apart', () => {
    const [code = ''] = codeIn('main.template.json', group({ AmiType: 'AL2_x86_64', DiskSize: 50 }), imdsV1);
    const [template = '', use = ''] = code.split(
      '\nIn the Properties of a group that takes its place, under another logical id, without DiskSize:\n',
    );
    expect(parsed(template)).toEqual({
      NodeTemplate: {
        Type: 'AWS::EC2::LaunchTemplate',
        Properties: {
          LaunchTemplateData: {
            MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
            BlockDeviceMappings: [
              { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, VolumeType: 'gp3', Encrypted: true } },
            ],
          },
        },
      },
    });
    expect(parsed(use)).toEqual({
      LaunchTemplate: {
        Id: { Ref: 'NodeTemplate' },
        Version: { 'Fn::GetAtt': ['NodeTemplate', 'LatestVersionNumber'] },
      },
    });
  });

  it('keeps lists and the sentences above them', () => {
    const nodes = {
      Nodes: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: { EbsOptimized: true } } },
    };
    const [code = ''] = codeIn(
      'main.json',
      { ...nodes, ...group({ DiskSize: 50, LaunchTemplate: { Id: { Ref: 'Nodes' }, Version: '1' } }) },
      launchTemplateNodeGroupConflict,
    );
    const [first, second, ...rest] = code.split('\n');
    expect([first, second]).toEqual([
      'In the Properties, without DiskSize:',
      'In the LaunchTemplateData of the launch template:',
    ]);
    expect(parsed(rest.join('\n'))).toEqual({
      BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50, VolumeType: 'gp3', Encrypted: true } }],
    });
  });

  describe('beside what the user has', () => {
    const cni = (properties: object) => ({
      Cni: { Type: 'AWS::EKS::Addon', Properties: { AddonName: 'vpc-cni', ClusterName: 'main', ...properties } },
    });
    const noAgent = {
      enableNetworkPolicy: 'true',
      nodeAgent: { enabled: false, logLevel: 'debug' },
      eniConfig: { create: true },
    };
    const kept = { ...noAgent, nodeAgent: { enabled: true, logLevel: 'debug' } };
    const valuesIn = (code = ''): unknown =>
      JSON.parse((parsed(code) as { readonly ConfigurationValues: string }).ConfigurationValues);

    it('keeps the other configuration values', () => {
      const [code] = codeIn('main.json', cni({ ConfigurationValues: JSON.stringify(noAgent) }), vpcCniNetworkPolicy);
      expect(valuesIn(code)).toEqual(kept);
    });

    it('keeps those that refer to something', () => {
      const text = JSON.stringify({ ...noAgent, eniConfig: { region: '${AWS::Region}' } });
      const [code = ''] = codeIn('main.json', cni({ ConfigurationValues: { 'Fn::Sub': text } }), vpcCniNetworkPolicy);
      const { ConfigurationValues: values } = parsed(code) as {
        readonly ConfigurationValues: { readonly 'Fn::Sub': string };
      };
      expect(JSON.parse(values['Fn::Sub'])).toMatchObject({
        eniConfig: { region: '${AWS::Region}' },
        nodeAgent: { enabled: true },
      });
    });

    it('keeps the other options of a launch template', () => {
      const nodes = {
        Nodes: {
          Type: 'AWS::EC2::LaunchTemplate',
          Properties: {
            LaunchTemplateData: {
              MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1, HttpProtocolIpv6: 'enabled' },
            },
          },
        },
        ...cluster({ Version: '1.35' }),
        ...group({ AmiType: 'AL2023_x86_64_STANDARD', LaunchTemplate: { Id: { Ref: 'Nodes' }, Version: '1' } }),
      };
      expect(codeIn('main.yaml', nodes, imdsHopLimit)).toEqual([
        'MetadataOptions:\n  HttpTokens: required\n  HttpPutResponseHopLimit: 2\n  HttpProtocolIpv6: enabled',
      ]);
    });

    it('is none where a script of the user would go', () => {
      const script = {
        Nodes: {
          Type: 'AWS::EC2::LaunchTemplate',
          Properties: { LaunchTemplateData: { UserData: { 'Fn::Base64': 'echo hello' } } },
        },
        ...group({ LaunchTemplate: { Id: { Ref: 'Nodes' }, Version: '1' } }),
      };
      expect(codeIn('main.yaml', script, nodeUserDataFormat)).toEqual([undefined]);
    });

    it('is none for a value that depends on a condition', () => {
      const values = { 'Fn::If': ['IsA', JSON.stringify(noAgent), JSON.stringify(noAgent)] };
      expect(codeIn('main.yaml', cni({ ConfigurationValues: values }), vpcCniNetworkPolicy)).toEqual([undefined]);
    });
  });

  it('takes the issuer of a cluster that the same stack creates', () => {
    const trust = {
      Statement: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Federated: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC' },
          Condition: {
            StringEquals: { 'oidc.eks.eu-west-1.amazonaws.com/id/ABC:sub': 'system:serviceaccount:apps:web' },
          },
        },
      ],
    };
    const role = { Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: trust } } };
    const [yamlCode = ''] = codeIn('main.yaml', { ...role, ...cluster({}) }, irsaTrustPolicy);
    expect(yamlCode.split('\n').at(-1)).toBe(
      '    - OIDC: !Select [1, !Split ["//", !GetAtt Cluster.OpenIdConnectIssuerUrl]]',
    );
    const [code = ''] = codeIn('main.json', { ...role, ...cluster({}) }, irsaTrustPolicy);
    const { AssumeRolePolicyDocument: document } = parsed(code.split('\n').slice(1).join('\n')) as {
      AssumeRolePolicyDocument: { 'Fn::Sub': [string, object] };
    };
    expect(document['Fn::Sub'][1]).toEqual({
      OIDC: { 'Fn::Select': [1, { 'Fn::Split': ['//', { 'Fn::GetAtt': ['Cluster', 'OpenIdConnectIssuerUrl'] }] }] },
    });
    expect(JSON.parse(document['Fn::Sub'][0])).toMatchObject({
      Statement: [
        {
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: { StringEquals: { '${OIDC}:sub': 'system:serviceaccount:apps:web' } },
        },
      ],
    });
    // Nobody but the user knows the issuer.
    expect(codeIn('main.yaml', role, irsaTrustPolicy)).toEqual([undefined]);
  });

  describe('that refers to the cluster', () => {
    const OWN_AMI = {
      ImageId: 'resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id',
    };
    const launch = (id: string) => ({
      [id]: {
        Type: 'AWS::EC2::LaunchTemplate',
        Properties: { LaunchTemplateData: OWN_AMI },
      },
    });
    const named = (id: string) => ({ [id]: cluster({ Version: '1.35' }).Cluster });
    const groupOf = (clusterId: string, template: string) => ({
      [`${clusterId}Workers`]: {
        Type: 'AWS::EKS::Nodegroup',
        Properties: {
          ...group({ LaunchTemplate: { Id: { Ref: template }, Version: '1' } }).Workers.Properties,
          ClusterName: { Ref: clusterId },
        },
      },
    });
    const references = (resources: object): string[] =>
      codeIn('main.yaml', resources, nodeUserDataMissingBootstrap).flatMap((code = '') =>
        [...code.matchAll(/\$\{(\w+)\}/g)].map(([, id = '']) => id),
      );

    it('has the logical id that it has in the template', () => {
      expect(references({ ...named('ControlPlane'), ...launch('A'), ...groupOf('ControlPlane', 'A') })).toEqual([
        'ControlPlane',
      ]);
    });

    it('has that of the cluster whose nodes the launch template starts, where there are several', () => {
      const two = { ...named('Blue'), ...named('Green') };
      expect(
        references({ ...two, ...launch('A'), ...groupOf('Blue', 'A'), ...launch('B'), ...groupOf('Green', 'B') }),
      ).toEqual(['Blue', 'Green']);
    });

    it('is none where a template is used by nodes of two clusters, or of one that is elsewhere', () => {
      const two = { ...named('Blue'), ...named('Green') };
      expect(references({ ...two, ...launch('A'), ...groupOf('Blue', 'A'), ...groupOf('Green', 'A') })).toEqual([]);
    });
  });

  it('is none where it is no part of the template, such as settings of Bottlerocket', () => {
    const nodes = {
      Nodes: {
        Type: 'AWS::EC2::LaunchTemplate',
        Properties: {
          LaunchTemplateData: {
            ImageId: 'resolve:ssm:/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id',
            UserData: { 'Fn::Base64': '#!/bin/bash\n/etc/eks/bootstrap.sh main\n' },
          },
        },
      },
    };
    const codes = codeIn(
      'main.json',
      {
        ...nodes,
        ...group({ LaunchTemplate: { Id: { Ref: 'Nodes' }, Version: '1' } }),
      },
      userDataAmiFamily,
    );
    expect(codes).toEqual([undefined]);
  });

  it('stands in `Config` of the custom resource that the AWS CDK makes of a cluster', () => {
    const custom = customCluster({ version: '1.24' });
    expect(codeIn('main.yaml', custom, clusterVersionSupport)).toEqual([
      "# in the Config of the Properties:\nversion: '1.36' # in the end; one minor version at a time",
    ]);
    expect(
      codeIn('main.json', custom, clusterVersionSupport).map((code = '') =>
        parsed(code.split('\n').slice(2).join('\n')),
      ),
    ).toEqual([{ version: '1.36' }]);
  });
});

describe('the version in the AWS CDK', () => {
  const inApp = (resources: Readonly<Record<string, { readonly Type: string; readonly Properties: object }>>) =>
    Object.fromEntries(
      Object.entries(resources).map(([id, resource]) => [
        id,
        { ...resource, Metadata: { 'aws:cdk:path': `App/${id}/Resource` } },
      ]),
    );

  it('is that of the construct where this renders a custom resource', () => {
    expect(codeIn('main.json', inApp(customCluster({})), clusterVersionPinned)).toEqual([
      "// in the options of the Cluster:\nversion: eks.KubernetesVersion.of('1.36'),",
    ]);
    expect(codeIn('main.json', inApp(cluster({})), clusterVersionPinned)).toEqual([
      "// in the options of the Cluster:\nversion: eks.KubernetesVersion.of('1.36'),",
    ]);
  });
});

it('comes with the advice to leave launch configurations, which new accounts can not create', () => {
  const nodes = {
    Nodes: {
      Type: 'AWS::AutoScaling::LaunchConfiguration',
      Properties: { ImageId: 'ami-1', MetadataOptions: { HttpTokens: 'optional' } },
    },
    Group: {
      Type: 'AWS::AutoScaling::AutoScalingGroup',
      Properties: {
        MinSize: '1',
        MaxSize: '2',
        LaunchConfigurationName: { Ref: 'Nodes' },
        Tags: [{ Key: 'kubernetes.io/cluster/main', Value: 'owned', PropagateAtLaunch: true }],
      },
    },
  };
  const text = JSON.stringify({ Resources: nodes });
  const { resources } = readTemplates([{ file: 'main.json', text }]);
  const [finding] = runRules(new EksModel(resources), [imdsV1], { asOf: AS_OF });
  expect(finding?.fix).toMatch(/since 1 October 2024 .* better move to a launch template\.$/);
});

describe('the code of a fix for a construct of the AWS CDK', () => {
  const at = (path: string, resources: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(resources).map(([id, resource]) => [id, { ...resource, Metadata: { 'aws:cdk:path': path } }]),
    );
  const addon = {
    Cni: {
      Type: 'AWS::EKS::Addon',
      Properties: { AddonName: 'vpc-cni', ClusterName: 'main', ResolveConflicts: 'OVERWRITE' },
    },
  };

  it('sets the property of an L1 itself, and goes through the child of an L2', () => {
    expect(codeIn('main.json', at('App/vpc-cni', addon), vpcCniResolveConflicts)).toEqual([
      "// in the properties of the CfnAddon:\nresolveConflicts: 'PRESERVE',",
    ]);
    expect(codeIn('main.json', at('App/vpc-cni/Resource', addon), vpcCniResolveConflicts)).toEqual([
      expect.stringContaining("(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'PRESERVE';"),
    ]);
  });

  it('has what stands in blocks as objects, and the names of an L1', () => {
    expect(codeIn('main.json', at('App/Main', cluster({ Version: '1.36' })), clusterSupportType)).toEqual([
      "// in the properties of the CfnCluster:\nupgradePolicy: {\n  supportType: 'STANDARD',\n},",
    ]);
    expect(codeIn('main.json', at('App/Workers', group({ ForceUpdateEnabled: true })), nodeGroupForceUpdate)).toEqual([
      '// in the properties of the CfnNodegroup:\nforceUpdateEnabled: false,',
    ]);
  });

  it('keeps code for an L2 where that for a template has more than properties', () => {
    expect(codeIn('main.json', at('App/Workers', group({ AmiType: 'AL2_x86_64' })), imdsV1)).toEqual([
      expect.stringContaining('new ec2.LaunchTemplate('),
    ]);
  });

  it('has a new launch template beside a group that moves to AL2023, for an L1 and an L2', () => {
    const old = { ...cluster({ Version: '1.33' }), ...group({ AmiType: 'AL2_x86_64', DiskSize: 50 }) };
    const [l2 = ''] = codeIn('main.json', at('App/Workers/Resource', old), amiTypeKubernetesVersion);
    expect(l2).toContain(
      '// in the options of a group that takes its place, under another id, without diskSize:\namiType: eks.Node',
    );
    expect(l2).toContain('ec2.BlockDeviceVolume.ebs(50,');
    const [l1 = ''] = codeIn('main.json', at('App/Workers', old), amiTypeKubernetesVersion);
    expect(l1).toContain("under another id, without diskSize:\namiType: 'AL2023_x86_64_STANDARD',");
    expect(l1).toContain('\nlaunchTemplate: { id: nodeTemplate.launchTemplateId!');
  });

  describe('of the default capacity of a cluster', () => {
    const path = 'App/Main/NodegroupDefaultCapacity/Resource';

    it('sets the property of the group that the cluster made', () => {
      expect(codeIn('main.json', at(path, group({ ForceUpdateEnabled: true })), nodeGroupForceUpdate)).toEqual([
        expect.stringMatching(
          /^\/\/ .*\n\(cluster\.defaultNodegroup!\.node\.defaultChild as eks\.CfnNodegroup\)\.forceUpdateEnabled = false;$/,
        ),
      ]);
    });

    it('puts a group of its own in its place where that needs a launch template', () => {
      const [code = ''] = codeIn('main.json', at(path, group({ AmiType: 'AL2_x86_64' })), imdsV1);
      expect(code).toMatch(/\ndefaultCapacity: 0,\n/);
      expect(code).toContain("cluster.addNodegroupCapacity('Workers', {\n  launchTemplateSpec: ");
    });
  });
});

describe('the code of a fix for an object of Kubernetes in Terraform', () => {
  const nodeClass =
    '{ apiVersion = "karpenter.k8s.aws/v1", kind = "EC2NodeClass", metadata = { name = "main" }, spec = { amiFamily = "AL2023" } }';
  const yamlText =
    'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata:\n  name: main\nspec:\n  amiFamily: AL2023\n';

  it.each([
    ['YAML', 'kubectl_manifest', `yaml_body = <<-EOT\n${yamlText}EOT`, 'metadataOptions:\n'],
    [
      'an object that becomes JSON',
      'kubectl_manifest',
      `yaml_body = jsonencode(${nodeClass})`,
      'metadataOptions = {\n',
    ],
    ['an object', 'kubernetes_manifest', `manifest = ${nodeClass}`, 'metadataOptions = {\n'],
  ])('is in the language of %s', (_, type, written, code) => {
    const file = hclFile(`resource "${type}" "main" {\n  ${written}\n}\n`, 'main.tf');
    const [root] = readRootModules(
      [{ folder: '.', files: [file], variableFiles: [], stack: 'main', frontEnd: 'terraform' }],
      { access: { files: () => undefined, read: () => ({ problem: 'there are no files' }) } },
    );
    const findings = runRules(new EksModel(readInstances(root?.instances ?? [])), [imdsHopLimit], { asOf: AS_OF });
    expect(
      findings.map(({ messageId, fixCode }) => [
        messageId,
        fixCode?.replace(/^# in the spec of .*\n/, '').slice(0, code.length),
      ]),
    ).toEqual([['nodeClassDefault', code]]);
  });
});
