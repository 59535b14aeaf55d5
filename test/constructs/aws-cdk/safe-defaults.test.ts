import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnParameter, PropertyInjectors, Stack, Stage, Token } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { ManagedNodeGroup, SafeDefault, SafeDefaults, VpcCniAddon } from '../../../constructs/aws-cdk';
import { checkScope } from '../../../aspects/aws-cdk/scope-check';

import { goldenValues } from '../../golden';
import { customCluster, nativeCluster } from './clusters';

const MODULES = [
  ['aws-eks', eks, customCluster],
  ['aws-eks-v2', eksv2, nativeCluster],
] as const;

const KUBECTL = 'arn:aws:lambda:eu-west-1:123456789012:layer:kubectl:1';

/** Rules about the cluster, which nothing here sets. */
const SCENERY = { rules: { 'cluster-version-support': 'off', 'cluster-support-type': 'off' } } as const;

/** What the rules say of an app, as `rule resource`. */
function said(app: App, severities: readonly string[] = ['error', 'warning']): string[] {
  app.synth({ force: true });
  return checkScope(app, SCENERY)
    .findings.filter(({ severity, verdict }) => verdict === 'fail' && severities.includes(severity))
    .map(({ rule, resource }) => `${rule} ${resource.path ?? ''}`)
    .sort();
}

function groupsOf(stack: Stack): Record<string, { Properties: Record<string, unknown> }> {
  return Template.fromStack(stack).findResources('AWS::EKS::Nodegroup') as ReturnType<typeof groupsOf>;
}

const expectGolden = goldenValues(join(__dirname, 'golden/safe-defaults.json'));

describe.each(MODULES)('SafeDefaults on plain constructs of %s', (name, module, newCluster) => {
  function plainApp(prepare: (app: App) => void): { app: App; stack: Stack } {
    const app = new App();
    prepare(app);
    const stack = new Stack(app, 'Test');
    const cluster = newCluster(stack) as eks.Cluster;
    cluster.addNodegroupCapacity('General', { instanceTypes: [new ec2.InstanceType('m6i.large')], diskSize: 80 });
    const Nodegroup = module.Nodegroup as typeof eks.Nodegroup;
    new Nodegroup(stack, 'Graviton', { cluster, instanceTypes: [new ec2.InstanceType('m7g.large')] });
    new Nodegroup(stack, 'Default', { cluster });
    const template = new ec2.LaunchTemplate(stack, 'Hardened', { requireImdsv2: true });
    new Nodegroup(stack, 'Own', {
      cluster,
      amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    const Addon = module.Addon as typeof eks.Addon;
    new Addon(stack, 'Cni', { cluster, addonName: 'vpc-cni', addonVersion: 'v1.21.1-eksbuild.5' });
    return { app, stack };
  }

  it('takes away what the rules say of their defaults', () => {
    const before = said(plainApp(() => undefined).app);
    expect(new Set(before.map((each) => each.split(' ')[0]))).toEqual(
      new Set([
        'ami-type-kubernetes-version',
        'imds-hop-limit',
        'imds-v1',
        'node-group-force-update',
        'vpc-cni-resolve-conflicts',
      ]),
    );
    const after = said(plainApp((app) => void SafeDefaults.of(app)).app);
    expect(after).toEqual([]);
  });

  it("reaches a cluster's default capacity, too", () => {
    const saidOf = (prepare: (app: App) => void): string[] => {
      const app = new App();
      prepare(app);
      const stack = new Stack(app, 'Test');
      if (name === 'aws-eks')
        new eks.Cluster(stack, 'Cluster', {
          version: eks.KubernetesVersion.V1_34,
          kubectlLayer: lambda.LayerVersion.fromLayerVersionArn(stack, 'Kubectl', KUBECTL),
        });
      else
        new eksv2.Cluster(stack, 'Cluster', {
          version: eksv2.KubernetesVersion.V1_34,
          defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
        });
      return said(app).map((each) => each.split(' ')[0] ?? '');
    };
    expect(saidOf(() => undefined)).toEqual(expect.arrayContaining(['ami-type-kubernetes-version', 'imds-v1']));
    expect(saidOf((app) => void SafeDefaults.of(app))).toEqual([]);
  });

  it('lists each change on its construct', () => {
    const { app, stack } = plainApp((root) => void SafeDefaults.of(root));
    const defaults = SafeDefaults.of(app);
    expect(defaults.changes).toEqual([]);
    app.synth();
    expectGolden(name, defaults.changes.map(({ construct, setting }) => `${construct.node.path} ${setting}`).sort());
    expect(defaults.left).toEqual([]);
    Annotations.fromStack(stack).hasInfo(
      '/Test/Graviton',
      Match.stringLikeRegexp('^SafeDefaults sets forceUpdate: false: '),
    );
  });

  it("moves the disk's size into the template, and makes another group of one without a template", () => {
    const [plain, safe] = [plainApp(() => undefined).stack, plainApp((app) => void SafeDefaults.of(app)).stack];
    const safeIds = Object.keys(groupsOf(safe));
    expect(safeIds.sort()).toEqual(
      Object.keys(groupsOf(plain))
        .map((id) => (id.startsWith('Own') ? id : `${id}WithLaunchTemplate`))
        .sort(),
    );
    const general = Object.entries(groupsOf(safe)).find(([id]) => id.includes('General'))?.[1].Properties;
    expect(general).toMatchObject({ AmiType: 'AL2023_x86_64_STANDARD', ForceUpdateEnabled: false });
    expect(general).not.toHaveProperty('DiskSize');
    const { Ref: id } = (general?.LaunchTemplate as { Id: { Ref: string } }).Id;
    Template.fromStack(safe).templateMatches({
      Resources: {
        [id]: {
          Properties: {
            LaunchTemplateData: {
              BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 80, Encrypted: true } }],
              MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
            },
          },
        },
      },
    });
  });
});

describe('SafeDefaults', () => {
  function platform(props?: Parameters<typeof SafeDefaults.of>[1]): {
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

  it('leaves what somebody has said', () => {
    const { app, stack, cluster, defaults } = platform();
    const template = new ec2.LaunchTemplate(stack, 'Hardened', { requireImdsv2: true, httpPutResponseHopLimit: 1 });
    new eksv2.Nodegroup(stack, 'Own', {
      cluster,
      forceUpdate: true,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    new eks.CfnAddon(stack, 'Cni', {
      clusterName: cluster.clusterName,
      addonName: 'vpc-cni',
      resolveConflicts: 'OVERWRITE',
    });
    expect(said(app, ['error'])).toEqual([
      'imds-hop-limit Test/Hardened/Resource',
      'vpc-cni-resolve-conflicts Test/Cni',
    ]);
    expect(defaults.changes).toEqual([]);
    expect(Object.values(groupsOf(stack))[0]?.Properties).toMatchObject({ ForceUpdateEnabled: true });
  });

  it('changes nothing of the safe constructs', () => {
    const { app, stack, cluster, defaults } = platform({ includeL1: true });
    new ManagedNodeGroup(stack, 'Workers', { cluster });
    new VpcCniAddon(stack, 'Cni', { cluster });
    app.synth();
    // The add-on of the agent is one of CDK.
    expect(defaults.changes.map(({ construct }) => construct.node.path)).toEqual([
      'Test/Cluster/EksPodIdentityAgentAddon/Resource',
      'Test/Cluster/EksPodIdentityAgentAddon/Resource',
    ]);
  });

  it.each(Object.values(SafeDefault))('can leave %s out', (setting) => {
    const { app, stack, cluster, defaults } = platform({ except: [setting] });
    new eksv2.Nodegroup(stack, 'Workers', { cluster, instanceTypes: [new ec2.InstanceType('m6i.large')] });
    const template = new ec2.LaunchTemplate(stack, 'Template', {});
    new eksv2.Nodegroup(stack, 'Own', {
      cluster,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    new eksv2.Addon(stack, 'Dns', { cluster, addonName: 'coredns' });
    app.synth();
    const changed = (name: string): boolean =>
      defaults.changes.some(({ setting: text }) => new RegExp(`(?:^|\\.)${name}[.:]`, 'i').test(text));
    expect(Object.values(SafeDefault).filter((each) => !changed(each))).toEqual([setting]);
  });

  it('leaves node groups with a name, and says why', () => {
    const { app, stack, cluster, defaults } = platform();
    new eksv2.Nodegroup(stack, 'Workers', {
      cluster,
      nodegroupName: 'workers',
      instanceTypes: [new ec2.InstanceType('m6i.large')],
    });
    app.synth();
    expect(defaults.left.map(({ setting }) => setting)).toEqual(['amiType: AL2023_x86_64_STANDARD', 'launchTemplate']);
    expect(defaults.left[0]?.reason).toContain('namedNodeGroups');
    expect(Object.keys(groupsOf(stack))[0]).not.toContain('WithLaunchTemplate');
  });

  it('gives them a template where that is wanted', () => {
    const { app, stack, cluster, defaults } = platform({ namedNodeGroups: true });
    new eksv2.Nodegroup(stack, 'Workers', { cluster, nodegroupName: 'workers' });
    expect(said(app)).toEqual([]);
    expect(defaults.left).toEqual([]);
  });

  it('leaves remote access and capacity blocks, which stand in the way of a template', () => {
    const { app, stack, cluster, defaults } = platform();
    new eksv2.Nodegroup(stack, 'Ssh', { cluster, remoteAccess: { sshKeyName: 'key' } });
    new eksv2.Nodegroup(stack, 'Block', { cluster, capacityType: eksv2.CapacityType.CAPACITY_BLOCK });
    new eksv2.Nodegroup(stack, 'Given', {
      cluster,
      amiType: Token.asString({ Ref: 'AmiType' }) as eksv2.NodegroupAmiType,
      diskSize: 50,
    });
    new CfnParameter(stack, 'AmiType');
    app.synth();
    expect(defaults.left.map(({ construct, reason }) => [construct.node.id, reason.slice(0, 30)])).toEqual([
      ['Ssh', 'the group has remoteAccess, wh'],
      ['Block', 'a capacity block needs a templ'],
      ['Given', "the group's diskSize has to mo"],
    ]);
    Template.fromStack(stack).resourceCountIs('AWS::EC2::LaunchTemplate', 0);
  });

  it.each([
    ['g5.xlarge', undefined, 'AL2023_x86_64_NVIDIA', ['/dev/xvda']],
    ['inf2.xlarge', undefined, 'AL2023_x86_64_NEURON', ['/dev/xvda']],
    ['m6i.large', eksv2.NodegroupAmiType.BOTTLEROCKET_X86_64, 'BOTTLEROCKET_x86_64', ['/dev/xvda', '/dev/xvdb']],
    ['m6i.large', eksv2.NodegroupAmiType.WINDOWS_CORE_2022_X86_64, 'WINDOWS_CORE_2022_x86_64', ['/dev/sda1']],
  ])('gives %s with AMI type %s the type %s and its volumes', (type, amiType, expected, devices) => {
    const { stack, cluster } = platform();
    new eksv2.Nodegroup(stack, 'Workers', {
      cluster,
      instanceTypes: [new ec2.InstanceType(type)],
      ...(amiType === undefined ? {} : { amiType }),
    });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::EKS::Nodegroup', { AmiType: expected });
    template.hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: { BlockDeviceMappings: devices.map((DeviceName) => Match.objectLike({ DeviceName })) },
    });
  });

  it('finds the template of a group in another stack', () => {
    const { app, cluster } = platform();
    const templates = new Stack(app, 'Templates');
    const template = new ec2.LaunchTemplate(templates, 'Nodes');
    new eksv2.Nodegroup(new Stack(app, 'Nodes'), 'Workers', {
      cluster,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    Template.fromStack(templates).hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } },
    });
  });

  it('leaves launch templates that no node group uses', () => {
    const { app, stack, defaults } = platform();
    new ec2.LaunchTemplate(stack, 'Database', { instanceType: new ec2.InstanceType('m6i.large') });
    app.synth();
    expect(defaults.changes).toEqual([]);
  });

  it('reaches self-managed nodes of the cluster', () => {
    const { stack, cluster } = platform();
    cluster.addAutoScalingGroupCapacity('Own', { instanceType: new ec2.InstanceType('m6i.large') });
    const nodes = { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } };
    const template = Template.fromStack(stack);
    const configurations = Object.values(template.findResources('AWS::AutoScaling::LaunchConfiguration'));
    if (configurations.length > 0) template.hasResourceProperties('AWS::AutoScaling::LaunchConfiguration', nodes);
    else template.hasResourceProperties('AWS::EC2::LaunchTemplate', { LaunchTemplateData: nodes });
  });

  it.each([
    ['1.34', undefined, ['machineImageType']],
    ['1.32', undefined, []],
    ['1.34', eksv2.MachineImageType.BOTTLEROCKET, []],
  ])('says why AL2 of self-managed nodes stays, where there is no image of it: %s, %s', (version, type, settings) => {
    const app = new App();
    const defaults = SafeDefaults.of(app);
    const stack = new Stack(app, 'Test');
    const cluster = new eksv2.Cluster(stack, 'Cluster', {
      version: eksv2.KubernetesVersion.of(version),
      defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    cluster.addAutoScalingGroupCapacity('Own', {
      instanceType: new ec2.InstanceType('m6i.large'),
      ...(type === undefined ? {} : { machineImageType: type }),
    });
    app.synth();
    expect(defaults.left.map(({ setting }) => setting)).toEqual(settings);
    for (const { reason } of defaults.left) expect(reason).toContain('SelfManagedNodeGroup with serviceCidr');
  });

  it('works in stages', () => {
    const app = new App();
    const defaults = SafeDefaults.of(app);
    const stage = new Stage(app, 'Prod');
    const stack = new Stack(stage, 'Test');
    const cluster = nativeCluster(stack);
    const template = new ec2.LaunchTemplate(stack, 'Template');
    new eksv2.Nodegroup(stack, 'Own', {
      cluster,
      launchTemplateSpec: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
    });
    new eksv2.Nodegroup(stack, 'Workers', { cluster });
    app.synth();
    expect(defaults.changes.map(({ construct, setting }) => `${construct.node.path} ${setting}`)).toEqual([
      'Prod/Test/Own forceUpdate: false',
      'Prod/Test/Template/Resource LaunchTemplateData.MetadataOptions.HttpTokens: required',
      'Prod/Test/Template/Resource LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit: 2',
      'Prod/Test/Workers forceUpdate: false',
      'Prod/Test/Workers launchTemplate: Prod/Test/WorkersLaunchTemplate',
    ]);
  });

  it('keeps an injector that is there already', () => {
    const app = new App();
    PropertyInjectors.of(app).add({
      constructUniqueId: eksv2.Nodegroup.PROPERTY_INJECTION_ID,
      inject: (props: eksv2.NodegroupProps) => ({ ...props, labels: { team: 'platform' } }),
    });
    SafeDefaults.of(app);
    const stack = new Stack(app, 'Test');
    new eksv2.Nodegroup(stack, 'Workers', { cluster: nativeCluster(stack) });
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::Nodegroup', {
      Labels: { team: 'platform' },
      ForceUpdateEnabled: false,
    });
  });

  it('gives add-ons the versions that they are to have', () => {
    const { stack, cluster } = platform({ addonVersions: { coredns: 'v1.11.4-eksbuild.2' } });
    new eksv2.Addon(stack, 'Dns', { cluster, addonName: 'coredns' });
    new eksv2.Addon(stack, 'Proxy', { cluster, addonName: 'kube-proxy' });
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::EKS::Addon', { AddonName: 'coredns', AddonVersion: 'v1.11.4-eksbuild.2' });
    template.hasResourceProperties('AWS::EKS::Addon', { AddonName: 'kube-proxy', AddonVersion: Match.absent() });
  });

  describe('with L1 constructs', () => {
    function withL1(stack: Stack, cluster: eksv2.Cluster): void {
      new eks.CfnNodegroup(stack, 'Workers', {
        clusterName: cluster.clusterName,
        nodeRole: 'arn:aws:iam::111122223333:role/nodes',
        subnets: ['subnet-0a1b2c3d4e5f60718'],
        diskSize: 40,
      });
      new eks.CfnAddon(stack, 'Cni', { clusterName: cluster.clusterName, addonName: 'vpc-cni' });
    }

    it('changes none unless asked to', () => {
      const { app, stack, cluster, defaults } = platform();
      withL1(stack, cluster);
      app.synth();
      expect(defaults.changes).toEqual([]);
    });

    it('fills in what they leave out', () => {
      const { app, stack, cluster } = platform({ includeL1: true });
      withL1(stack, cluster);
      expect(said(app, ['error'])).toEqual([]);
      const template = Template.fromStack(stack);
      template.hasResourceProperties('AWS::EKS::Addon', { ResolveConflicts: 'PRESERVE', PreserveOnDelete: true });
      template.hasResourceProperties('AWS::EKS::Nodegroup', {
        DiskSize: Match.absent(),
        LaunchTemplate: { Id: { Ref: Match.stringLikeRegexp('^WorkersLaunchTemplate') }, Version: Match.anyValue() },
      });
      expect(Object.keys(groupsOf(stack))).toEqual(['WorkersWithLaunchTemplate']);
      template.hasResourceProperties('AWS::EC2::LaunchTemplate', {
        LaunchTemplateData: { BlockDeviceMappings: [Match.objectLike({ Ebs: Match.objectLike({ VolumeSize: 40 }) })] },
      });
    });

    it('changes templates that are included', () => {
      const { app, stack } = platform({ includeL1: true });
      const file = join(mkdtempSync(join(tmpdir(), 'safe-defaults-')), 'nodes.json');
      writeFileSync(file, JSON.stringify(INCLUDED));
      new CfnInclude(stack, 'Included', { templateFile: file });
      expect(said(app, ['error'])).toEqual([]);
      Template.fromStack(stack).hasResourceProperties('AWS::EC2::LaunchTemplate', {
        LaunchTemplateData: {
          InstanceType: 'm6i.large',
          MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
        },
      });
    });

    it('leaves a setting that depends on a condition', () => {
      const { app, stack, defaults } = platform({ includeL1: true });
      const file = join(mkdtempSync(join(tmpdir(), 'safe-defaults-')), 'conditional.json');
      const { Template: launchTemplate, ...others } = INCLUDED.Resources;
      const options = { 'Fn::If': ['Strict', { HttpTokens: 'required' }, { Ref: 'AWS::NoValue' }] };
      const Template = {
        ...launchTemplate,
        Properties: {
          LaunchTemplateData: { ...launchTemplate.Properties.LaunchTemplateData, MetadataOptions: options },
        },
      };
      const Conditions = { Strict: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] } };
      writeFileSync(file, JSON.stringify({ Conditions, Resources: { ...others, Template } }));
      new CfnInclude(stack, 'Included', { templateFile: file });
      app.synth();
      expect(defaults.left.map(({ setting, reason }) => [setting, reason])).toEqual([
        ['LaunchTemplateData.MetadataOptions.HttpTokens', 'it depends on Fn::If'],
        ['LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit', 'it depends on Fn::If'],
      ]);
    });

    it('says where a stage of L1 constructs alone is out of reach', () => {
      const app = new App();
      SafeDefaults.of(app, { includeL1: true });
      const stage = new Stage(app, 'Prod');
      new eks.CfnAddon(new Stack(stage, 'Test'), 'Cni', { clusterName: 'main', addonName: 'vpc-cni' });
      expect(() => app.synth()).toThrow(/don't reach the L1 constructs of the stage Prod.*SafeDefaults\.of\(stage, /);
    });

    it('reaches it with defaults of its own', () => {
      const app = new App();
      SafeDefaults.of(app, { includeL1: true });
      const stage = new Stage(app, 'Prod');
      const defaults = SafeDefaults.of(stage, { includeL1: true });
      new eks.CfnAddon(new Stack(stage, 'Test'), 'Cni', { clusterName: 'main', addonName: 'vpc-cni' });
      expect(() => app.synth()).not.toThrow();
      expect(defaults.changes).toHaveLength(2);
    });
  });

  it('takes its props once', () => {
    const app = new App();
    const defaults = SafeDefaults.of(app, { includeL1: true });
    expect(SafeDefaults.of(app)).toBe(defaults);
    expect(() => SafeDefaults.of(app, {})).toThrow('has SafeDefaults already');
  });
});

/** A template of CloudFormation that says nothing of the instance metadata service. */
const INCLUDED = {
  Resources: {
    Template: {
      Type: 'AWS::EC2::LaunchTemplate',
      Properties: { LaunchTemplateData: { InstanceType: 'm6i.large' } },
    },
    Workers: {
      Type: 'AWS::EKS::Nodegroup',
      Properties: {
        ClusterName: 'main',
        NodeRole: 'arn:aws:iam::111122223333:role/nodes',
        Subnets: ['subnet-0a1b2c3d4e5f60718'],
        AmiType: 'AL2023_x86_64_STANDARD',
        LaunchTemplate: { Id: { Ref: 'Template' }, Version: '1' },
      },
    },
  },
};
