import { App, Aspects, NestedStack, Stack, Stage, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { checkScope } from '../../../aspects/aws-cdk/scope-check';
import {
  EksGuardrailsAspect,
  Repairs,
  SafeDefault,
  SafeDefaults,
  type SafeDefaultsProps,
} from '../../../constructs/aws-cdk';
import { AddonUpdateStack } from '../../../examples/aws-cdk/misconfigured/addon-update';
import { CniRoleStack } from '../../../examples/aws-cdk/misconfigured/cni-role';
import { CustomNetworkingStack } from '../../../examples/aws-cdk/misconfigured/custom-networking';
import { ImdsHopLimitStack } from '../../../examples/aws-cdk/misconfigured/imds-hop-limit';
import { NodeBootstrapStack } from '../../../examples/aws-cdk/misconfigured/node-bootstrap';
import { NodeUpdatesStack } from '../../../examples/aws-cdk/misconfigured/node-updates';
import { PodSecurityGroupsStack } from '../../../examples/aws-cdk/misconfigured/pod-security-groups';
import { nativeCluster } from './clusters';

/** Rules about the cluster, which nothing here sets. */
const SCENERY = { rules: { 'cluster-version-support': 'off', 'cluster-support-type': 'off' } } as const;

/** What the rules say of an app, as `rule resource`. */
function said(app: App): string[] {
  app.synth({ force: true });
  return checkScope(app, SCENERY)
    .findings.filter(
      ({ severity, verdict, suppressed }) => verdict === 'fail' && severity !== 'info' && suppressed === undefined,
    )
    .map(({ rule, resource }) => `${rule} ${resource.path ?? ''}`)
    .sort();
}

function misconfigured(props: SafeDefaultsProps = {}): { app: App; defaults: SafeDefaults } {
  const app = new App();
  const defaults = SafeDefaults.of(app, props);
  new ImdsHopLimitStack(app, 'ImdsHopLimit');
  new AddonUpdateStack(app, 'AddonUpdate');
  new CustomNetworkingStack(app, 'CustomNetworking');
  new CniRoleStack(app, 'CniRole');
  new NodeUpdatesStack(app, 'NodeUpdates');
  new NodeBootstrapStack(app, 'NodeBootstrap');
  new PodSecurityGroupsStack(app, 'PodSecurityGroups');
  return { app, defaults };
}

/** AL2023 has to be told the range of Services, which nothing in the app tells. */
const OPEN = ['user-data-ami-family NodeBootstrap/BootstrapScriptTemplate/Resource'];

const HARMLESS = ['vpc-cni-configuration-schema CustomNetworking/VpcCni'];

const WRITTEN = [
  'ami-type-architecture NodeUpdates/Builders',
  'custom-networking-eni-config CustomNetworking/VpcCni',
  'imds-hop-limit ImdsHopLimit/Hardened/Resource',
  'irsa-subject CniRole/VpcCniRole/Resource',
  'launch-template-version NodeUpdates/Builders',
  'pod-security-groups-instance-types PodSecurityGroups/Workers/Resource',
  'pod-security-groups-cluster-role PodSecurityGroups/Cluster/Role/Resource',
  'user-data-mime-structure NodeBootstrap/ClosedEarlyTemplate/Resource',
  'vpc-cni-configuration-schema CustomNetworking/VpcCni',
  'vpc-cni-resolve-conflicts AddonUpdate/VpcCni',
  'vpc-cni-role-ip-family CniRole/VpcCniRole/Resource',
  'vpc-cni-tcp-early-demux PodSecurityGroups/VpcCni',
];

interface LaunchTemplateResource {
  readonly Properties: { readonly LaunchTemplateData: { readonly UserData: UserData } };
}

interface UserData {
  readonly 'Fn::Base64': {
    readonly 'Fn::Join': readonly [string, readonly (string | Readonly<Record<string, unknown>>)[]];
  };
}

/** User data, with the names of what is filled in. */
function userDataOf({ Properties }: LaunchTemplateResource): string {
  const [, pieces] = Properties.LaunchTemplateData.UserData['Fn::Base64']['Fn::Join'];
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : `<${Object.values(piece).flat().join('.')}>`))
    .join('');
}

describe('the misconfigured example', () => {
  it.each([
    ['what is written stays without repairs', {}, [...OPEN, ...HARMLESS, ...HARMLESS, ...WRITTEN]],
    ['safe repairs do what changes nothing that runs', { repairs: Repairs.SAFE }, [...OPEN, ...WRITTEN]],
    ['unsafe ones leave what nothing in the app tells', { repairs: Repairs.UNSAFE }, OPEN],
    ['and nothing when it is told', { repairs: Repairs.UNSAFE, serviceCidr: '172.20.0.0/16' }, []],
  ])('%s', (_, props, left) => {
    const { app, defaults } = misconfigured(props);
    expect(said(app)).toEqual([...left].sort());
    const decisions = defaults.left.filter(
      ({ reason, setting }) =>
        reason.startsWith('that is for a person to decide. ') && !/what cluster-[\w-]+ asks for/.test(setting),
    );
    expect(
      new Set(decisions.map(({ construct, setting }) => `${setting.split(' ')[1] ?? ''} ${construct.node.path}`)),
    ).toEqual(new Set(Object.keys(props).length === 0 ? [] : left));
  });

  it('closes the user data behind its last part, and makes a NodeConfig of a call of bootstrap.sh', () => {
    const { app } = misconfigured({ repairs: Repairs.UNSAFE, serviceCidr: '172.20.0.0/16' });
    app.synth();
    const template = Template.fromStack(app.node.findChild('NodeBootstrap') as Stack);
    const [closed, script] = Object.values(template.findResources('AWS::EC2::LaunchTemplate')).map((one) =>
      userDataOf(one as LaunchTemplateResource),
    );
    expect(closed).toMatch(/mkdir -p \/var\/cache\/images\n--nodes\nContent-Type: application\/node.eks.aws\n/);
    expect(script?.replaceAll(/Cluster\w+/g, 'Cluster')).toBe(
      [
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="//"',
        '',
        '--//',
        'Content-Type: application/node.eks.aws',
        '',
        'apiVersion: "node.eks.aws/v1alpha1"',
        'kind: "NodeConfig"',
        'spec:',
        '  cluster:',
        '    name: "<Cluster>"',
        '    apiServerEndpoint: "<Cluster.Endpoint>"',
        '    certificateAuthority: "<Cluster.CertificateAuthorityData>"',
        '    cidr: "172.20.0.0/16"',
        '--//--',
        '',
      ].join('\n'),
    );
    // The range isn't written where a cluster would be replaced for it.
    template.hasResourceProperties('AWS::EKS::Cluster', {
      KubernetesNetworkConfig: { ServiceIpv4Cidr: Match.absent() },
    });
  });

  it('starts instances of the same size that can carry a trunk interface', () => {
    const { app } = misconfigured({ repairs: Repairs.UNSAFE });
    app.synth();
    Template.fromStack(app.node.findChild('PodSecurityGroups') as Stack).hasResourceProperties('AWS::EKS::Nodegroup', {
      InstanceTypes: ['m5.large'],
    });
  });

  it('gives roles the policies of AWS in any partition, and trusts one more service account beside the one that is there', () => {
    const { app } = misconfigured({ repairs: Repairs.UNSAFE });
    app.synth();
    const rolesOf = (id: string) => Template.fromStack(app.node.findChild(id) as Stack);
    const policy = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${name}` });
    rolesOf('PodSecurityGroups').hasResourceProperties('AWS::IAM::Role', {
      ManagedPolicyArns: Match.arrayWith([policy('AmazonEKSVPCResourceController')]),
    });
    rolesOf('CniRole').hasResourceProperties('AWS::IAM::Role', {
      ManagedPolicyArns: [{ Ref: Match.anyValue() }, policy('AmazonEKS_CNI_Policy')],
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Condition: {
              StringEquals: {
                'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE0123456789:sub': [
                  'system:serviceaccount:default:aws-node',
                  'system:serviceaccount:kube-system:aws-node',
                ],
              },
            },
          },
        ],
      },
    });
  });

  it('lists what was repaired, why, and what that does', () => {
    const { app, defaults } = misconfigured({ repairs: Repairs.UNSAFE });
    app.synth();
    const repaired = defaults.changes.filter(({ reason }) => reason.includes(' asks for it: '));
    expect(repaired.map(({ construct, setting }) => `${construct.node.path} ${setting.slice(0, 40)}`)).toEqual([
      'ImdsHopLimit/Hardened/Resource LaunchTemplateData.MetadataOptions.HttpP',
      'NodeUpdates/Builders AmiType: AL2023_ARM_64_STANDARD',
      'NodeUpdates/Builders LaunchTemplate.Version: {"Fn::GetAtt":["',
      'NodeBootstrap/ClosedEarlyTemplate/Resource LaunchTemplateData.UserData: {"Fn::Base6',
      'AddonUpdate/VpcCni ResolveConflicts: PRESERVE',
      'CustomNetworking/VpcCni ConfigurationValues: {"env":{"AWS_VPC_K8',
      'PodSecurityGroups/Cluster/Role/Resource ManagedPolicyArns: [{"Fn::Join":["",["ar',
      'PodSecurityGroups/Workers/Resource InstanceTypes: ["m5.large"]',
      'PodSecurityGroups/VpcCni ConfigurationValues: {"env":{"ENABLE_POD',
      'CniRole/VpcCniRole/Resource AssumeRolePolicyDocument.Statement: [{"A',
      'CniRole/VpcCniRole/Resource ManagedPolicyArns: [{"Ref":"VpcCniPolicy',
    ]);
    expect(repaired[0]?.reason).toMatch(
      /^imds-hop-limit asks for it: Set the hop limit to 2\. .* It makes a new version/,
    );
    Annotations.fromStack(Stack.of(repaired[4]?.construct ?? app)).hasInfo(
      '/AddonUpdate/VpcCni',
      Match.stringLikeRegexp('^SafeDefaults sets ResolveConflicts: PRESERVE: vpc-cni-resolve-conflicts asks for it: '),
    );
  });
});

describe('repairs', () => {
  function platform(props: Parameters<typeof SafeDefaults.of>[1] = { repairs: Repairs.UNSAFE }): {
    app: App;
    stack: Stack;
    cluster: eksv2.Cluster;
    defaults: SafeDefaults;
  } {
    const app = new App();
    const defaults = SafeDefaults.of(app, props);
    const stack = new Stack(app, 'Test');
    return { app, stack, cluster: nativeCluster(stack), defaults };
  }

  function addHardenedGroup(stack: Stack, cluster: eksv2.ICluster, templates = stack): ec2.LaunchTemplate {
    const template = new ec2.LaunchTemplate(templates, 'Hardened', { requireImdsv2: true, httpPutResponseHopLimit: 1 });
    new eksv2.Nodegroup(stack, 'Workers', {
      cluster,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    return template;
  }

  const hopLimit = (limit: number) => ({ LaunchTemplateData: { MetadataOptions: { HttpPutResponseHopLimit: limit } } });

  it('leave what is acknowledged', () => {
    const { app, stack, cluster, defaults } = platform();
    Validations.of(addHardenedGroup(stack, cluster)).acknowledge({
      id: 'EksGuardrails::imds-hop-limit',
      reason: 'every workload has its own role',
    });
    expect(said(app)).toEqual([]);
    Template.fromStack(stack).hasResourceProperties('AWS::EC2::LaunchTemplate', hopLimit(1));
    expect(defaults.changes.map(({ setting }) => setting)).toEqual(['forceUpdate: false']);
  });

  it('reach a template in another stack, and keep the link to it', () => {
    const { app, stack, cluster } = platform();
    const templates = new Stack(app, 'Templates');
    addHardenedGroup(stack, cluster, templates);
    expect(said(app)).toEqual([]);
    Template.fromStack(templates).hasResourceProperties('AWS::EC2::LaunchTemplate', hopLimit(2));
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::Nodegroup', {
      LaunchTemplate: { Id: { 'Fn::ImportValue': Match.anyValue() } },
    });
  });

  it('reach nested stacks and stages', () => {
    const app = new App();
    SafeDefaults.of(app, { repairs: Repairs.UNSAFE });
    const stack = new Stack(new Stage(app, 'Prod'), 'Test');
    const nested = new NestedStack(stack, 'Nodes');
    addHardenedGroup(nested, nativeCluster(stack));
    expect(said(app)).toEqual([]);
    Template.fromStack(nested).hasResourceProperties('AWS::EC2::LaunchTemplate', hopLimit(2));
  });

  it('change nothing outside of their scope', () => {
    const app = new App();
    const stack = new Stack(app, 'Test');
    const other = new Stack(app, 'Other');
    SafeDefaults.of(stack, { repairs: Repairs.UNSAFE });
    addHardenedGroup(stack, nativeCluster(stack));
    addHardenedGroup(other, nativeCluster(other));
    expect(said(app).filter((one) => one.startsWith('imds-hop-limit'))).toEqual([
      'imds-hop-limit Other/Hardened/Resource',
    ]);
  });

  it('come before the aspect judges', () => {
    const { app, stack, cluster } = platform();
    Aspects.of(app).add(new EksGuardrailsAspect());
    addHardenedGroup(stack, cluster);
    app.synth();
    Annotations.fromStack(stack).hasNoError('*', Match.anyValue());
  });

  it('leave a setting that is to stay', () => {
    const { app, stack, cluster } = platform({ repairs: Repairs.UNSAFE, except: [SafeDefault.METADATA_OPTIONS] });
    addHardenedGroup(stack, cluster);
    expect(said(app)).toEqual(['imds-hop-limit Test/Hardened/Resource']);
  });

  it('leave what would replace a group with a name, and say so', () => {
    const { app, stack, cluster, defaults } = platform();
    const own = addHardenedGroup(stack, cluster);
    new eks.CfnNodegroup(stack, 'Named', {
      clusterName: cluster.clusterName,
      nodegroupName: 'named',
      nodeRole: 'arn:aws:iam::111122223333:role/nodes',
      subnets: ['subnet-0a1b2c3d4e5f60718'],
      amiType: 'AL2_x86_64',
      launchTemplate: { id: own.launchTemplateId ?? '', version: own.latestVersionNumber },
    });
    expect(said(app)).toEqual(['ami-type-kubernetes-version Test/Named']);
    expect(defaults.left.map(({ construct, setting }) => `${construct.node.path}: ${setting}`)).toEqual([
      'Test/Named: what ami-type-kubernetes-version asks for',
      // What nothing here can tell, such as how long the version of a cluster is to stay.
      'Test/Cluster/Resource: what cluster-version-support asks for',
      'Test/Cluster/Resource: what cluster-support-type asks for',
    ]);
  });

  it('reach stages with L1 constructs alone by defaults of their own', () => {
    const app = new App();
    SafeDefaults.of(app, { repairs: Repairs.SAFE });
    new eks.CfnAddon(new Stack(new Stage(app, 'Prod'), 'Test'), 'Cni', { clusterName: 'main', addonName: 'vpc-cni' });
    expect(() => app.synth()).toThrow("SafeDefaults don't reach the L1 constructs of the stage Prod");
  });
});
