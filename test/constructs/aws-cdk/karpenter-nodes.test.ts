import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { DefaultTokenResolver, StringConcat, Tokenization } from 'cdktf';
import * as cdktf from '../../../constructs/cdktf';
import {
  ClusterNetworkAddons,
  ImdsAccess,
  KarpenterRoles,
  ManagedNodeGroup,
  PodIdentityAgent,
  type KarpenterNodeClassOptions,
  type KarpenterNodePoolOptions,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import { allRules } from '../../../lib/rules';
import { newCluster, newStack as newTerraformStack } from '../cdktf/stacks';
import { customCluster, nativeCluster, newStack } from './clusters';

const rolesIn = (stack: Stack, version = '1.34') =>
  new KarpenterRoles(stack, 'Karpenter', { cluster: nativeCluster(stack, { version, kubectl: true }) });
const roles = rolesIn(newStack());
/** Of nodes that something else lets in. */
const windowsRoles = (() => {
  const stack = newStack();
  return new KarpenterRoles(stack, 'Karpenter', { cluster: nativeCluster(stack), accessEntry: false });
})();
const al2023 = { amiAlias: 'al2023@v20260813' };

describe('an EC2NodeClass', () => {
  it('has two hops, IMDSv2, a pinned AMI, the role of the nodes, private subnets and the group of the cluster', () => {
    const stack = newStack();
    expect(stack.resolve(rolesIn(stack).nodeClass(al2023))).toEqual({
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default' },
      spec: {
        role: { Ref: expect.stringMatching(/^KarpenterNodeRole/) as string },
        amiSelectorTerms: [{ alias: 'al2023@v20260813' }],
        subnetSelectorTerms: [
          { id: { Ref: expect.stringMatching(/^ClusterDefaultVpcPrivateSubnet1/) as string } },
          { id: { Ref: expect.stringMatching(/^ClusterDefaultVpcPrivateSubnet2/) as string } },
        ],
        securityGroupSelectorTerms: [
          { id: { 'Fn::GetAtt': [expect.stringMatching(/^Cluster/) as string, 'ClusterSecurityGroupId'] } },
        ],
        metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required', httpPutResponseHopLimit: 2 },
      },
    });
  });

  it('of Windows is taken where the nodes are let in by others, with a volume that its AMI fits on', () => {
    expect(windowsRoles.nodeClass({ amiAlias: 'windows2022@latest' }).spec['amiSelectorTerms']).toEqual([
      { alias: 'windows2022@latest' },
    ]);
    expect(() => windowsRoles.nodeClass({ amiAlias: 'windows2022@latest', diskSize: 20 })).toThrow('AMI has 50 GiB');
    const stack = newStack();
    const inAwsAuth = new KarpenterRoles(stack, 'Karpenter', { cluster: customCluster(stack) });
    expect(() => inAwsAuth.nodeClass({ amiAlias: 'windows2022@latest' })).toThrow('let in as Linux');
  });

  it('finds by the tag what a cluster doesn’t tell', () => {
    const stack = newStack();
    const tag = [{ tags: { 'karpenter.sh/discovery': 'main' } }];
    const cluster = eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'main' });
    const { spec } = new KarpenterRoles(stack, 'Karpenter', {
      cluster,
      accessEntry: true,
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
    }).nodeClass(al2023);
    expect(spec).toMatchObject({ subnetSelectorTerms: tag, securityGroupSelectorTerms: tag });
    const terraform = newTerraformStack();
    const known = { clusterName: 'main', securityGroupId: 'sg-0123456789abcdef0' };
    const twin = new cdktf.KarpenterRoles(terraform, 'Karpenter', {
      cluster: known,
      accessEntry: true,
      podIdentityAgent: cdktf.PodIdentityAgent.MANAGED_ELSEWHERE,
    });
    expect(twin.nodeClass(al2023).spec).toMatchObject({
      subnetSelectorTerms: tag,
      securityGroupSelectorTerms: [{ id: 'sg-0123456789abcdef0' }],
    });
  });

  it('takes ids, tags, and a size for the volume that the family keeps images on', () => {
    const { spec } = roles.nodeClass({
      amiAlias: 'bottlerocket@1.59.0',
      name: 'large',
      subnetIds: ['subnet-0a', 'subnet-0b'],
      securityGroupIds: ['sg-0a'],
      diskSize: 100,
      tags: { team: 'web' },
    });
    expect(spec).toMatchObject({
      subnetSelectorTerms: [{ id: 'subnet-0a' }, { id: 'subnet-0b' }],
      securityGroupSelectorTerms: [{ id: 'sg-0a' }],
      tags: { team: 'web' },
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: '4Gi', encrypted: true, volumeType: 'gp3' } },
        { deviceName: '/dev/xvdb', ebs: { volumeSize: '100Gi', encrypted: true, volumeType: 'gp3' } },
      ],
    });
    const deviceOf = (amiAlias: string) =>
      (windowsRoles.nodeClass({ amiAlias, diskSize: 60 }).spec.blockDeviceMappings as { deviceName: string }[])[0]
        ?.deviceName;
    expect([deviceOf('al2023@v20260813'), deviceOf('windows2022@latest')]).toEqual(['/dev/xvda', '/dev/sda1']);
  });

  it.each<[string, KarpenterNodeClassOptions]>([
    ['amiAlias is "al2023@latest", with which each release', { amiAlias: 'al2023@latest' }],
    ['amiAlias is "bottlerocket@latest", with which', { amiAlias: 'bottlerocket@latest' }],
    ['a release of al2023 looks like al2023@v2', { amiAlias: 'al2023@1.34' }],
    ['an alias looks like al2023@v20260813', { amiAlias: 'ubuntu@v1' }],
    ['Karpenter takes only windows2022@latest', { amiAlias: 'windows2022@v20260813' }],
    ['EKS has no AL2 AMI for Kubernetes 1.34', { amiAlias: 'al2@v20241213' }],
    ['imds is NODE_ONLY without imdsReason', { ...al2023, imds: ImdsAccess.NODE_ONLY, imdsReason: ' ' }],
    ['imdsReason is set, but imds is PODS', { ...al2023, imdsReason: 'why not' }],
    ['name is "Default"; Kubernetes takes lower-case', { ...al2023, name: 'Default' }],
    ['subnetIds has 0 ids', { ...al2023, subnetIds: [] }],
    ['role is let in as Linux, without the group eks:kube-proxy-windows', { amiAlias: 'windows2022@latest' }],
    ["diskSize is 10; the volume of EKS's al2023 AMI has 20 GiB", { ...al2023, diskSize: 10 }],
    ['diskSize is 1.5', { ...al2023, diskSize: 1.5 }],
    ['tags has "kubernetes.io/cluster/main"', { ...al2023, tags: { 'kubernetes.io/cluster/main': 'owned' } }],
  ])('is refused: %s', (message, options) => {
    expect(() => roles.nodeClass(options)).toThrow(message);
  });
});

describe('a NodePool', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `example.com/k${index}`, operator: 'Exists' as const }));

  it('has limits, and a default for what it is not told', () => {
    expect(roles.nodePool({ limits: { cpu: 100 } })).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: {
        template: {
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
            requirements: [
              { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
              { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
              { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
              { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
              { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
            ],
            expireAfter: '720h',
          },
        },
        limits: { cpu: 100 },
        disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '1m' },
      },
    });
  });

  it('takes labels, taints, and requirements in place of the defaults of their keys', () => {
    const arch = { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] } as const;
    const { spec } = roles.nodePool({
      limits: { cpu: 100, memory: '400Gi' },
      labels: { 'example.com/tier': 'web' },
      taints: [{ key: 'example.com/dedicated', value: 'web', effect: 'NoSchedule' }],
      requirements: [arch],
      expireAfter: 'Never',
    });
    const template = spec.template as { metadata: unknown; spec: { requirements: { key: string }[] } };
    expect(template.metadata).toEqual({ labels: { 'example.com/tier': 'web' } });
    expect(template.spec).toMatchObject({ taints: [{ key: 'example.com/dedicated' }], expireAfter: 'Never' });
    expect(template.spec.requirements.filter(({ key }) => key === arch.key)).toEqual([arch]);
  });

  it.each<[string, Omit<KarpenterNodePoolOptions, 'limits'>, KarpenterNodePoolOptions['limits']?]>([
    ['quantities', {}, { cpu: '500m', memory: '1.5Ti', nodes: 10, 'nvidia.com/gpu': '8', 'ephemeral-storage': '1e3' }],
    [
      'every kind of requirement',
      {
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand', 'reserved'] },
          { key: 'karpenter.k8s.aws/instance-family', operator: 'NotIn', values: ['t3'] },
          { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['4'] },
          { key: 'karpenter.k8s.aws/instance-local-nvme', operator: 'Exists' },
          { key: 'example.com/team', operator: 'DoesNotExist', values: [] },
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m7i.large'] },
        ],
      },
    ],
    ['a hundred requirements', { requirements: many(95) }],
  ])('takes %s', (_, options, limits = { cpu: 100 }) => {
    expect(roles.nodePool({ limits, ...options }).kind).toBe('NodePool');
  });

  const limits = { cpu: 100 };
  it.each<[string, KarpenterNodePoolOptions]>([
    ['limits is empty', { limits: {} }],
    ['limits has cpu with "lots"', { limits: { cpu: 'lots' } }],
    ['limits has memory with "800GB"', { limits: { memory: '800GB' } }],
    ['limits has cpu with 1.5; the API takes a whole number', { limits: { cpu: 1.5 } }],
    ['requirements has 101 with the defaults', { limits, requirements: many(96) }],
    [
      'requirements has "karpenter.k8s.aws/instance-familly", a label that Karpenter doesn\'t have',
      { limits, requirements: [{ key: 'karpenter.k8s.aws/instance-familly', operator: 'In', values: ['m7i'] }] },
    ],
    [
      'of karpenter.sh the API takes karpenter.sh/capacity-type alone',
      { limits, requirements: [{ key: 'karpenter.sh/initialized', operator: 'Exists' }] },
    ],
    [
      'with the value "SPOT", which no node of Karpenter has; the values are on-demand, spot, reserved',
      { limits, requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['SPOT'] }] },
    ],
    [
      'with Exists and values',
      { limits, requirements: [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Exists', values: ['1'] }] },
    ],
    [
      'with Gt and "four"',
      { limits, requirements: [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['four'] }] },
    ],
    ['expireAfter is "30d"; a time looks like 720h', { limits, expireAfter: '30d' }],
    ['consolidateAfter is "soon"', { limits, consolidateAfter: 'soon' }],
    ['labels has "karpenter.sh/nodepool", which Karpenter sets', { limits, labels: { 'karpenter.sh/nodepool': 'x' } }],
    ['labels has "a b"', { limits, labels: { 'a b': 'c' } }],
    ['taints has "a/b/c"', { limits, taints: [{ key: 'a/b/c', effect: 'NoSchedule' }] }],
    [
      'requirements has "kubernetes.io/hostname"',
      { limits, requirements: [{ key: 'kubernetes.io/hostname', operator: 'Exists' }] },
    ],
    ['with In and 0 values', { limits, requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [] }] }],
    ['with Gt and 2 values', { limits, requirements: [{ key: 'example.com/x', operator: 'Gt', values: ['1', '2'] }] }],
  ])('is refused: %s', (message, options) => {
    expect(() => roles.nodePool(options)).toThrow(message);
  });
});

describe('the objects', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-karpenter-'));
  afterAll(() => {
    rmSync(outdir, { recursive: true, force: true });
  });

  function failedIn(path: string): string[] {
    const { resources, diagnostics } = readPaths([path]);
    expect(diagnostics).toEqual([]);
    return runRules(new EksModel(resources), allRules, { preset: 'strict' })
      .filter(({ verdict, rule }) => verdict === 'fail' && !rule.startsWith('cluster-'))
      .map(({ rule, suppressed }) => `${rule}: ${suppressed?.reason ?? 'open'}`);
  }

  it('pass the strict rules when the cluster gets them', () => {
    const app = new App({ outdir });
    const stack = new Stack(app, 'Test', { env: { region: 'eu-west-1', account: '123456789012' } });
    const cluster = nativeCluster(stack, { version: '1.35', kubectl: true });
    new ClusterNetworkAddons(stack, 'Network', { cluster });
    new ManagedNodeGroup(stack, 'System', { cluster });
    const karpenter = new KarpenterRoles(stack, 'Karpenter', { cluster });
    cluster.addManifest('Nodes', karpenter.nodeClass(al2023), karpenter.nodePool({ limits: { cpu: 100 } }));
    app.synth();
    expect(failedIn(outdir)).toEqual([]);
  });

  it('have the reason for a hop limit of 1 where rules look for it in a manifest', () => {
    const folder = mkdtempSync(join(outdir, 'manifests-'));
    const hardened = { imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has\na role of its own' };
    const subnets = { subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] };
    const manifest = roles.nodeClass({ ...al2023, ...hardened, ...subnets });
    const spec = { ...manifest.spec, role: 'nodes' };
    writeFileSync(join(folder, 'nodes.json'), JSON.stringify({ ...manifest, spec }));
    expect(failedIn(folder)).toEqual(['imds-hop-limit: every pod has a role of its own']);
  });

  it('are those of the twin for Terraform', () => {
    const stack = newTerraformStack();
    const twin = new cdktf.KarpenterRoles(stack, 'Karpenter', {
      cluster: newCluster(stack, { accessConfig: { authenticationMode: 'API' } }),
    });
    const given = { ...al2023, subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'], diskSize: 50 };
    const { role, ...spec } = twin.nodeClass(given).spec;
    const resolver = new DefaultTokenResolver(new StringConcat());
    expect(Tokenization.resolve(role, { scope: stack, resolver, preparing: false })).toMatch(
      /^\$\{aws_iam_role\.Karpenter_NodeRole_\w+\.name\}$/,
    );
    expect({ ...spec, role: roles.nodeRole.roleName }).toEqual(roles.nodeClass(given).spec);
    expect(twin.nodePool({ limits: { cpu: 1 } })).toEqual(roles.nodePool({ limits: { cpu: 1 } }));
    expect(() => twin.nodeClass({ amiAlias: 'al2023@latest' })).toThrow('Test/Karpenter: amiAlias is "al2023@latest"');
  });
});
