import { App, Mixins, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { checkScope } from '../../../aspects/aws-cdk/scope-check';
import { Repairs, SafeDefault, SafeDefaults, SafeDefaultsMixin } from '../../../constructs/aws-cdk';
import { customCluster, nativeCluster } from './clusters';

const MODULES = [
  ['aws-eks', eks, customCluster],
  ['aws-eks-v2', eksv2, nativeCluster],
] as const;

/** Rules about the cluster, which nothing here sets. */
const SCENERY = { rules: { 'cluster-version-support': 'off', 'cluster-support-type': 'off' } } as const;

/** What the rules say of an app, as `rule resource`. */
function said(app: App): string[] {
  app.synth({ force: true });
  return checkScope(app, SCENERY)
    .findings.filter(({ severity, verdict }) => verdict === 'fail' && severity !== 'info')
    .map(({ rule, resource }) => `${rule} ${resource.path ?? ''}`)
    .sort();
}

const newStack = (): Stack => new Stack(new App(), 'Test');
const rootOf = (stack: Stack): App => stack.node.root as App;

const VERSION = 'v1.21.1-eksbuild.5';

/** Node groups and an add-on of L1, without and with a launch template of their own, in another stack. */
function withL1(
  stack: Stack,
  templates = stack,
): { workers: eks.CfnNodegroup; own: eks.CfnNodegroup; cni: eks.CfnAddon } {
  const group = { clusterName: 'main', nodeRole: 'arn:aws:iam::111122223333:role/nodes', subnets: ['subnet-0a1b2c3d'] };
  const template = new ec2.CfnLaunchTemplate(templates, 'Template', {
    launchTemplateData: { instanceType: 'm6i.large' },
  });
  return {
    workers: new eks.CfnNodegroup(stack, 'Workers', { ...group, diskSize: 40 }),
    own: new eks.CfnNodegroup(stack, 'Own', {
      ...group,
      launchTemplate: { id: template.ref, version: template.attrLatestVersionNumber },
    }),
    cni: new eks.CfnAddon(stack, 'Cni', { clusterName: 'main', addonName: 'vpc-cni', addonVersion: VERSION }),
  };
}

const metadata = { HttpTokens: 'required', HttpPutResponseHopLimit: 2 };

describe('SafeDefaultsMixin', () => {
  it('makes of L1 constructs what SafeDefaults make of them', () => {
    const [plain, byMixin, byAspect] = [newStack(), newStack(), newStack()];
    for (const stack of [plain, byMixin]) withL1(stack);
    Mixins.of(byMixin).apply(new SafeDefaultsMixin());
    SafeDefaults.of(rootOf(byAspect), { includeL1: true });
    withL1(byAspect);
    expect(said(rootOf(plain))).not.toEqual([]);
    expect(said(rootOf(byMixin))).toEqual([]);
    expect(said(rootOf(byAspect))).toEqual([]);
    expect(Template.fromStack(byMixin).toJSON()).toEqual(Template.fromStack(byAspect).toJSON());
  });

  it('changes at once what it is applied to, and the template that this uses, in whichever stack', () => {
    const stack = newStack();
    const { workers, own, cni } = withL1(stack, new Stack(rootOf(stack), 'Templates'));
    const mixin = new SafeDefaultsMixin();
    own.with(mixin);
    expect(mixin.changes.map(({ construct, setting }) => `${construct.node.path} ${setting}`)).toEqual([
      'Templates/Template LaunchTemplateData.MetadataOptions.HttpTokens: required',
      'Templates/Template LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit: 2',
    ]);
    expect(mixin.left).toEqual([]);
    const template = Template.fromStack(Stack.of(workers));
    template.hasResourceProperties('AWS::EKS::Nodegroup', { DiskSize: 40, LaunchTemplate: Match.absent() });
    template.hasResourceProperties('AWS::EKS::Addon', { ResolveConflicts: Match.absent() });
    const templates = rootOf(stack).node.findChild('Templates') as Stack;
    Template.fromStack(templates).hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: { MetadataOptions: metadata },
    });
    Annotations.fromStack(templates).hasInfo('/Templates/Template', Match.stringLikeRegexp('^SafeDefaults sets '));
    expect([workers, own, cni].map((one) => mixin.supports(one))).toEqual([true, true, true]);
  });

  it('is for node groups, add-ons and what a cluster starts nodes from; with repairs for every resource', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    cluster.addAutoScalingGroupCapacity('Self', { instanceType: new ec2.InstanceType('m6i.large') });
    new ec2.LaunchTemplate(stack, 'OfOthers', {});
    const selected = (mixin: SafeDefaultsMixin): string[] =>
      stack.node
        .findAll()
        .filter((one) => mixin.supports(one))
        .map(({ node }) => node.path);
    expect(selected(new SafeDefaultsMixin())).toEqual([expect.stringMatching(/^Test\/Cluster\/Self\/Launch/)]);
    expect(selected(new SafeDefaultsMixin({ repairs: Repairs.SAFE }))).toEqual(
      expect.arrayContaining(['Test/Cluster/Role/Resource', 'Test/OfOthers/Resource']),
    );
    expect(new SafeDefaultsMixin({ repairs: Repairs.SAFE }).supports(stack)).toBe(false);
    Mixins.of(stack).apply(new SafeDefaultsMixin());
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::AutoScaling::LaunchConfiguration', { MetadataOptions: metadata });
    template.hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: { MetadataOptions: Match.absent() },
    });
  });

  it('takes the options of SafeDefaults', () => {
    const stack = newStack();
    const { workers, cni } = withL1(stack);
    workers.nodegroupName = 'workers';
    cni.addonVersion = undefined;
    const mixin = new SafeDefaultsMixin({
      except: [SafeDefault.PRESERVE_ON_DELETE],
      addonVersions: { 'vpc-cni': VERSION },
    });
    stack.with(mixin, mixin);
    expect(mixin.left.map(({ construct, setting }) => [construct, setting])).toEqual([[workers, 'launchTemplate']]);
    expect(mixin.changes.filter(({ construct }) => construct === cni).map(({ setting }) => setting)).toEqual([
      'ResolveConflicts: PRESERVE',
      `AddonVersion: ${VERSION}`,
    ]);
  });
});

describe.each(MODULES)('SafeDefaultsMixin on constructs of %s that exist already', (_, module, newCluster) => {
  function plainStack(): { stack: Stack; general: eks.Nodegroup } {
    const stack = newStack();
    const cluster = newCluster(stack) as eks.Cluster;
    const general = cluster.addNodegroupCapacity('General', {
      instanceTypes: [new ec2.InstanceType('m6i.large')],
      diskSize: 80,
    });
    const Addon = module.Addon as typeof eks.Addon;
    new Addon(stack, 'Cni', { cluster, addonName: 'vpc-cni', addonVersion: VERSION });
    return { stack, general };
  }

  it('sets what they lack, and leaves what looks as if somebody had written it', () => {
    const { stack } = plainStack();
    stack.with(new SafeDefaultsMixin());
    expect(said(rootOf(stack)).map((one) => one.split(' ')[0])).toEqual([
      'ami-type-kubernetes-version',
      'node-group-force-update',
    ]);
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: {
        MetadataOptions: metadata,
        BlockDeviceMappings: [Match.objectLike({ Ebs: Match.objectLike({ VolumeSize: 80 }) })],
      },
    });
    expect(Object.keys(template.findResources('AWS::EKS::Nodegroup'))).toEqual([
      expect.stringMatching(/General.*WithLaunchTemplate$/),
    ]);
    template.hasResourceProperties('AWS::EKS::Addon', { ResolveConflicts: 'PRESERVE', PreserveOnDelete: true });
  });

  it('repairs that when the app is synthesized', () => {
    const { stack } = plainStack();
    const mixin = new SafeDefaultsMixin({ repairs: Repairs.UNSAFE });
    Mixins.of(stack).apply(mixin);
    expect(said(rootOf(stack))).toEqual([]);
    expect(mixin.changes.map(({ setting }) => setting)).toEqual(
      expect.arrayContaining(['ForceUpdateEnabled: false', 'AmiType: AL2023_x86_64_STANDARD']),
    );
  });

  it('repairs nothing that it was not applied to', () => {
    const { stack, general } = plainStack();
    const cluster = newCluster(new Stack(rootOf(stack), 'Other')) as eks.Cluster;
    const other = cluster.addNodegroupCapacity('Other', {});
    general.with(new SafeDefaultsMixin({ repairs: Repairs.UNSAFE }));
    const paths = said(rootOf(stack)).map((one) => one.split(' ')[1]);
    expect(paths).toEqual(expect.arrayContaining([`${other.node.path}/Resource`, 'Test/Cni/Resource']));
    expect(paths.filter((path) => path?.startsWith(general.node.path))).toEqual([]);
  });

  it('reaches stages', () => {
    const app = new App();
    const stack = new Stack(new Stage(app, 'Prod'), 'Test');
    (newCluster(stack) as eks.Cluster).addNodegroupCapacity('General', {});
    Mixins.of(app).apply(new SafeDefaultsMixin({ repairs: Repairs.UNSAFE }));
    app.synth();
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::Nodegroup', {
      ForceUpdateEnabled: false,
      LaunchTemplate: Match.anyValue(),
    });
  });
});
