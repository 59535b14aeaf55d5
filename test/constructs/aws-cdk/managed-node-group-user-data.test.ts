import { CfnParameter, Token, type Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { Template } from 'aws-cdk-lib/assertions';
import { parse } from 'yaml';
import {
  AmiFamily,
  BottlerocketSettings,
  ConstructionError,
  ManagedNodeGroup,
  NodeConfig,
  VpcCniAddon,
  WindowsBootstrap,
  type ManagedNodeGroupProps,
  type VpcCniAddonProps,
} from '../../../constructs/aws-cdk';
import { readStrictMime } from '../../eks/user-data/strict-mime';
import {
  customCluster,
  importedCluster,
  importedVpc,
  launchTemplateData,
  nativeCluster,
  newStack,
  resourceOf,
  SERVICE_CIDR,
  textOf,
  type ClusterOptions,
} from './clusters';
import { AMI, al2Reason, launchTemplate, makeGroup, types, type Options } from './node-groups';

describe('user data', () => {
  const nodeConfig = new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } });

  function parts(stack: Stack): { type: string | undefined; content: unknown }[] {
    return readStrictMime(textOf(launchTemplateData(stack).UserData)).map((part) => {
      const type = part.headers.get('content-type');
      return { type, content: type === 'application/node.eks.aws' ? (parse(part.body) as unknown) : part.body };
    });
  }

  it("holds the whole bootstrap with a custom AMI, then the user's parts", () => {
    const { stack } = makeGroup(
      {
        customAmi: AMI,
        maxPods: 110,
        nodeConfig,
        shellScripts: ['#!/bin/bash\necho hello\n'],
        labels: { tier: 'web', 'mycorp.io/team': 'a' },
        taints: [
          { key: 'dedicated', value: 'web', effect: eksv2.TaintEffect.NO_EXECUTE },
          { key: 'x', effect: 'PREFER_NO_SCHEDULE' },
        ],
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
    );
    const [cluster] = Object.keys(Template.fromStack(stack).findResources('AWS::EKS::Cluster'));
    expect(parts(stack)).toEqual([
      {
        type: 'application/node.eks.aws',
        content: {
          apiVersion: 'node.eks.aws/v1alpha1',
          kind: 'NodeConfig',
          spec: {
            cluster: {
              name: `\${${cluster}}`,
              apiServerEndpoint: `\${${cluster}.Endpoint}`,
              certificateAuthority: `\${${cluster}.CertificateAuthorityData}`,
              cidr: SERVICE_CIDR,
            },
            kubelet: {
              config: {
                maxPods: 110,
                registerWithTaints: [
                  { key: 'dedicated', value: 'web', effect: 'NoExecute' },
                  { key: 'x', effect: 'PreferNoSchedule' },
                ],
              },
              flags: ['--node-labels=tier=web,mycorp.io/team=a'],
            },
          },
        },
      },
      {
        type: 'application/node.eks.aws',
        content: { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec: nodeConfig.spec },
      },
      { type: 'text/x-shellscript', content: '#!/bin/bash\necho hello' },
    ]);
    expect(launchTemplateData(stack).ImageId).toBe(AMI);
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties.AmiType).toBeUndefined();
  });

  it.each<[string, (stack: Stack) => { cluster: ManagedNodeGroupProps['cluster']; options?: Options }, string]>([
    [
      'an aws-eks cluster',
      (stack) => ({ cluster: customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }) }),
      SERVICE_CIDR,
    ],
    [
      'an IPv6 aws-eks-v2 cluster',
      (stack) => ({ cluster: nativeCluster(stack, { ipFamily: 'ipv6' }) }),
      '${ClusterEB0386A7.KubernetesNetworkConfig.ServiceIpv6Cidr}',
    ],
    [
      'a cluster whose range is a parameter',
      (stack) => ({
        cluster: nativeCluster(stack, { serviceIpv4Cidr: new CfnParameter(stack, 'Range').valueAsString }),
      }),
      '${Range}',
    ],
    [
      'serviceCidr',
      (stack) => ({ cluster: nativeCluster(stack), options: { serviceCidr: '172.20.0.0/16' } }),
      '172.20.0.0/16',
    ],
    [
      "serviceCidr, when it repeats the cluster's",
      (stack) => ({
        cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
        options: { serviceCidr: SERVICE_CIDR },
      }),
      SERVICE_CIDR,
    ],
    [
      'a complete imported aws-eks cluster',
      (stack) => ({
        cluster: importedCluster(stack, 'aws-eks', { complete: true, vpc: importedVpc(stack) }),
        options: { serviceCidr: SERVICE_CIDR },
      }),
      SERVICE_CIDR,
    ],
    [
      'a complete imported aws-eks-v2 cluster',
      (stack) => ({
        cluster: importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) }),
        options: { serviceCidr: SERVICE_CIDR },
      }),
      SERVICE_CIDR,
    ],
  ])('takes the service CIDR from %s', (_, make, cidr) => {
    const stack = newStack();
    const { cluster, options } = make(stack);
    new ManagedNodeGroup(stack, 'Workers', { cluster, customAmi: AMI, ...options });
    const content = parts(stack)[0]?.content as { spec: { cluster: Record<string, string> } };
    expect(content.spec.cluster.cidr).toBe(cidr);
    expect(Object.values(content.spec.cluster).every((value) => value !== '')).toBe(true);
    expect(Object.keys(content.spec.cluster)).toEqual(['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr']);
  });

  it("takes what an imported cluster lacks from the user's NodeConfig", () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    const details = { apiServerEndpoint: 'https://example.org', certificateAuthority: 'Y2VydGlmaWNhdGVBdXRob3JpdHk=' };
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, customAmi: AMI, serviceCidr: SERVICE_CIDR })).toThrow(
      'lacks apiServerEndpoint, certificateAuthority',
    );
    new ManagedNodeGroup(stack, 'B', {
      cluster,
      customAmi: AMI,
      nodeConfig: new NodeConfig({ cluster: { ...details, cidr: SERVICE_CIDR } }),
    });
    const clusters = parts(stack).map((part) => (part.content as { spec: { cluster: unknown } }).spec.cluster);
    expect(clusters).toEqual([{ name: 'production' }, { ...details, cidr: SERVICE_CIDR }]);
  });

  it('is MIME without the cluster when EKS does the bootstrap', () => {
    const { stack } = makeGroup({ nodeConfig, shellScripts: ['#!/bin/bash\necho hello'] });
    expect(parts(stack).map((part) => part.type)).toEqual(['application/node.eks.aws', 'text/x-shellscript']);
    expect(textOf(launchTemplateData(stack).UserData)).not.toContain('cluster');
  });

  it('holds scripts on AL2', () => {
    const { stack } = makeGroup(
      { amiFamily: AmiFamily.AL2, al2Reason, shellScripts: ['#!/bin/bash\necho hello'] },
      { version: '1.32' },
    );
    expect(parts(stack).map((part) => part.type)).toEqual(['text/x-shellscript']);
  });

  it('holds max pods on Bottlerocket as TOML', () => {
    expect(textOf(launchTemplate({ amiFamily: AmiFamily.BOTTLEROCKET, maxPods: 58 }).UserData)).toBe(
      '[settings.kubernetes]\nmax-pods = 58\n',
    );
  });

  it('writes a number that is decided later without quotes', () => {
    const stack = newStack();
    const maxPods = new CfnParameter(stack, 'MaxPods', { type: 'Number', default: 110 }).valueAsNumber;
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
      customAmi: AMI,
      maxPods,
    });
    expect(textOf(launchTemplateData(stack).UserData)).toContain('maxPods: ${MaxPods}\n');
  });

  it('takes CDK machine images', () => {
    const image = ec2.MachineImage.fromSsmParameter('/my/image');
    const { stack } = makeGroup({ customAmi: image }, { serviceIpv4Cidr: SERVICE_CIDR });
    expect(launchTemplateData(stack).ImageId).toEqual({ Ref: expect.stringContaining('SsmParameterValue') as string });
    expect(parts(stack)).toHaveLength(1);
  });

  it.each<[string, Options, ClusterOptions, string]>([
    [
      'a service CIDR that nobody tells',
      { customAmi: AMI },
      {},
      'set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    ],
    [
      'a service CIDR off its boundary',
      { customAmi: AMI, serviceCidr: '10.100.5.7/16' },
      {},
      'serviceCidr is "10.100.5.7/16"; it doesn\'t begin at a /16 boundary',
    ],
    [
      "a service CIDR that isn't the cluster's",
      { customAmi: AMI, serviceCidr: '172.20.0.0/16' },
      { serviceIpv4Cidr: SERVICE_CIDR },
      `serviceCidr is "172.20.0.0/16" and the cluster has "${SERVICE_CIDR}"`,
    ],
    [
      'a service CIDR of the other family',
      { customAmi: AMI, serviceCidr: 'fd00::/108' },
      {},
      "the cluster's IP family is ipv4",
    ],
    ['a service CIDR without custom AMI', { serviceCidr: SERVICE_CIDR }, {}, 'serviceCidr is set without customAmi'],
    [
      'maxPods on AL2023 without custom AMI',
      { maxPods: 110 },
      {},
      'maxPods is 110 without customAmi; on AL2023 EKS computes the number',
    ],
    [
      'maxPods on AL2 without custom AMI',
      { maxPods: 110, amiFamily: AmiFamily.AL2, al2Reason },
      { version: '1.32' },
      'maxPods is 110 without customAmi; on AL2 EKS computes the number and starts kubelet with it',
    ],
    [
      'maxPods on Windows without custom AMI',
      { maxPods: 110, amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      {},
      'maxPods is 110 without customAmi; on Windows EKS starts kubelet',
    ],
    ['maxPods 0', { maxPods: 0, amiFamily: AmiFamily.BOTTLEROCKET }, {}, 'maxPods is 0; a whole number'],
    [
      'maxPods twice',
      {
        maxPods: 20,
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({ maxPods: 20 }),
      },
      {},
      'maxPods is set, and bottlerocketSettings sets settings.kubernetes.max-pods',
    ],
    [
      'maxPods of two numbers',
      { customAmi: AMI, maxPods: 20, nodeConfig: new NodeConfig({ kubelet: { config: { maxPods: 30 } } }) },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'nodeConfig sets kubelet.config.maxPods to something else',
    ],
    [
      'two lists of taints',
      {
        customAmi: AMI,
        taints: [{ key: 'a', effect: 'NO_SCHEDULE' }],
        nodeConfig: new NodeConfig({ kubelet: { config: { registerWithTaints: [] } } }),
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'taints is set, and nodeConfig sets kubelet.config.registerWithTaints',
    ],
    [
      'Bottlerocket settings elsewhere',
      { bottlerocketSettings: new BottlerocketSettings({}) },
      {},
      'bottlerocketSettings is set and the operating system is AL2023',
    ],
    [
      'PowerShell elsewhere',
      { windowsBootstrap: new WindowsBootstrap({}), amiFamily: AmiFamily.BOTTLEROCKET },
      {},
      'windowsBootstrap is set and the operating system is BOTTLEROCKET',
    ],
    [
      "Windows flags that EKS doesn't pass on",
      {
        windowsBootstrap: new WindowsBootstrap({ kubeletExtraArgs: ['--v=4'] }),
        amiFamily: AmiFamily.WINDOWS_CORE_2022,
      },
      {},
      'windowsBootstrap has kubeletExtraArgs without customAmi',
    ],
    [
      'Bottlerocket labels beside those of the group',
      {
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({ settings: { kubernetes: { 'node-labels': { a: 'b' } } } }),
      },
      {},
      'bottlerocketSettings sets settings.kubernetes.node-labels without customAmi; EKS writes that setting itself: use labels',
    ],
    [
      "Bottlerocket's cluster, which EKS fills in",
      {
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({ settings: { kubernetes: { 'cluster-name': 'main' } } }),
      },
      {},
      'bottlerocketSettings sets settings.kubernetes.cluster-name without customAmi',
    ],
    [
      'a Bottlerocket setting that the bootstrap writes',
      {
        customAmi: AMI,
        amiFamily: AmiFamily.BOTTLEROCKET,
        labels: { a: 'b' },
        bottlerocketSettings: new BottlerocketSettings({ settings: { kubernetes: { 'node-labels': { a: 'c' } } } }),
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      "bottlerocketSettings doesn't go with the other options: `settings.kubernetes.node-labels.a` is set twice",
    ],
    [
      'a Bottlerocket label that kubelet refuses',
      {
        customAmi: AMI,
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({
          settings: { kubernetes: { 'node-labels': { 'node-role.kubernetes.io/web': '' } } },
        }),
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'bottlerocketSettings sets the label "node-role.kubernetes.io/web"',
    ],
    [
      'too much TOML',
      {
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({ settings: { motd: 'x'.repeat(17000) } }),
      },
      {},
      'bottlerocketSettings make',
    ],
    [
      "a label that Kubernetes doesn't take",
      { labels: { a: 'b c' } },
      {},
      'labels has "a" with the value "b c"; a value has letters',
    ],
    [
      'a label that is two in a list',
      { customAmi: AMI, labels: { a: 'b,c=d' } },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'labels has "a" with the value "b,c=d"',
    ],
    ['a label whose key has two slashes', { labels: { 'a/b/c': '' } }, {}, 'labels has "a/b/c"; a key is a name'],
    [
      'a label of a domain in capitals',
      { labels: { 'Example.com/a': '' } },
      {},
      'labels has "Example.com/a"; a key is a name',
    ],
    ['a label that is too long', { labels: { a: 'x'.repeat(64) } }, {}, 'at most 63 characters'],
    [
      "a taint that Kubernetes doesn't take",
      {
        customAmi: AMI,
        amiFamily: AmiFamily.WINDOWS_CORE_2022,
        taints: [{ key: 'a', value: '$b', effect: 'NO_SCHEDULE' }],
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'taints has "a" with the value "$b"',
    ],
    ['a taint without key', { taints: [{ key: '', effect: 'NO_SCHEDULE' }] }, {}, 'taints has ""; a key is a name'],
    [
      'a taint twice',
      {
        taints: [
          { key: 'a', value: 'b', effect: 'NO_SCHEDULE' },
          { key: 'a', value: 'c', effect: 'NO_SCHEDULE' },
        ],
      },
      {},
      'taints has "a" with the effect NO_SCHEDULE twice',
    ],
    [
      '21 instance types',
      {
        instanceTypes: types(
          ...['m5', 'm5a', 'm6i', 'm6a', 'c5', 'c6i', 'r5'].flatMap((family) =>
            ['large', 'xlarge', '2xlarge'].map((size) => `${family}.${size}`),
          ),
        ),
      },
      {},
      'instanceTypes has 21 types; EKS takes at most 20',
    ],
    [
      "AL2's bootstrap in a script, which EKS runs",
      {
        amiFamily: AmiFamily.AL2,
        al2Reason,
        shellScripts: ['#!/bin/bash\ntrue', '#!/bin/bash\n/etc/eks/bootstrap.sh main'],
      },
      { version: '1.32' },
      'shellScripts[1] calls /etc/eks/bootstrap.sh, as EKS does itself',
    ],
    [
      "AL2's bootstrap in a script, which the group runs",
      { customAmi: AMI, amiFamily: AmiFamily.AL2, shellScripts: ['#!/bin/bash\n/etc/eks/bootstrap.sh main'] },
      { version: '1.32', serviceIpv4Cidr: SERVICE_CIDR },
      'as the node group does itself',
    ],
    [
      "AL2's bootstrap on AL2023",
      { shellScripts: ['#!/bin/bash\n/etc/eks/bootstrap.sh main'] },
      {},
      'shellScripts[0] calls /etc/eks/bootstrap.sh, which only fails on AL2023',
    ],
    ['nodeadm in a script', { shellScripts: ['#!/bin/bash\nnodeadm init'] }, {}, 'shellScripts[0] calls nodeadm init'],
    [
      'a feature gate that is gone',
      {
        nodeConfig: new NodeConfig({
          kubelet: { config: { featureGates: { DisableKubeletCloudCredentialProviders: true } } },
        }),
      },
      { version: '1.33' },
      'nodeConfig sets the feature gate DisableKubeletCloudCredentialProviders, which Kubernetes has up to 1.32, and the cluster has 1.33',
    ],
    [
      'a feature gate that is gone, as a flag',
      {
        nodeConfig: new NodeConfig({
          kubelet: { flags: ['--v=2 --feature-gates=A=true,DisableKubeletCloudCredentialProviders=true'] },
        }),
      },
      { version: '1.33' },
      'the feature gate DisableKubeletCloudCredentialProviders',
    ],
    [
      'maxPods and a flag',
      { customAmi: AMI, maxPods: 20, nodeConfig: new NodeConfig({ kubelet: { flags: ['--v=2 --max-pods', '30'] } }) },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'nodeConfig sets --max-pods in kubelet.flags, which would win',
    ],
    [
      'maxPods and an expression',
      { customAmi: AMI, maxPods: 20, nodeConfig: new NodeConfig({ kubelet: { maxPodsExpression: 'max_pods' } }) },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'kubelet.maxPodsExpression, which would have no effect',
    ],
    [
      'taints and a flag',
      {
        customAmi: AMI,
        taints: [{ key: 'a', effect: 'NO_SCHEDULE' }],
        nodeConfig: new NodeConfig({ kubelet: { flags: ['--register-with-taints=b=c:NoSchedule'] } }),
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'nodeConfig sets --register-with-taints in kubelet.flags',
    ],
    [
      'a label of two values',
      {
        customAmi: AMI,
        labels: { tier: 'web' },
        nodeConfig: new NodeConfig({ kubelet: { flags: ['--node-labels=a=b,tier=db'] } }),
      },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'labels has "tier" with the value "web", and nodeConfig sets it to "db"',
    ],
    [
      'another service range',
      { customAmi: AMI, nodeConfig: new NodeConfig({ cluster: { cidr: '172.20.0.0/16' } }) },
      { serviceIpv4Cidr: SERVICE_CIDR },
      `nodeConfig sets cluster.cidr to "172.20.0.0/16", and the node group's cluster has "${SERVICE_CIDR}"`,
    ],
    [
      'a reason for AL2 with an own AMI',
      { customAmi: AMI, amiFamily: AmiFamily.AL2, al2Reason },
      { serviceIpv4Cidr: SERVICE_CIDR, version: '1.32' },
      'al2Reason is set and customAmi too',
    ],
    [
      'Windows on IPv6',
      { customAmi: AMI, amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      { ipFamily: 'ipv6' },
      'EKS has no Windows nodes in IPv6 clusters',
    ],
    [
      'maxPods in the NodeConfig',
      {
        nodeConfig: new NodeConfig({
          kubelet: { config: { maxPods: 110 }, maxPodsExpression: 'max_pods', flags: ['--max-pods=1'] },
        }),
      },
      {},
      'nodeConfig sets kubelet.maxPodsExpression, kubelet.config.maxPods, kubelet.flags --max-pods without customAmi',
    ],
    [
      'a cluster in the NodeConfig',
      { nodeConfig: new NodeConfig({ cluster: { name: 'x' } }) },
      {},
      'nodeConfig sets cluster without customAmi',
    ],
    [
      'a NodeConfig on Bottlerocket',
      { nodeConfig, amiFamily: AmiFamily.BOTTLEROCKET },
      {},
      'nodeConfig is set and the operating system is BOTTLEROCKET',
    ],
    [
      'scripts on Windows',
      { shellScripts: ['#!/bin/bash\necho'], amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      {},
      'shellScripts is set and the operating system is WINDOWS',
    ],
    ['a script without #!', { shellScripts: ['echo hello'] }, {}, "shellScripts can't be rendered"],
    ['too much', { shellScripts: [`#!/bin/bash\n# ${'x'.repeat(17000)}`] }, {}, 'EC2 accepts 16384'],
    [
      "AL2's bootstrap without a service CIDR",
      { customAmi: AMI, amiFamily: AmiFamily.AL2 },
      { version: '1.32' },
      'set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    ],
    [
      "Windows' bootstrap without a service CIDR",
      { customAmi: AMI, amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      {},
      'set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    ],
    [
      "Bottlerocket's bootstrap without a service CIDR",
      { customAmi: AMI, amiFamily: AmiFamily.BOTTLEROCKET },
      {},
      'set serviceCidr here, or serviceIpv4Cidr on a new cluster',
    ],
    [
      'an AMI that is resolved at launch',
      { customAmi: ec2.MachineImage.resolveSsmParameterAtLaunch('/x') },
      { serviceIpv4Cidr: SERVICE_CIDR },
      "can't resolve an SSM parameter at launch",
    ],
    ['an AMI id that is none', { customAmi: 'my-image' }, { serviceIpv4Cidr: SERVICE_CIDR }, 'customAmi is "my-image"'],
    [
      'a release of a custom AMI',
      { customAmi: AMI, releaseVersion: '1.34.1-20251007' },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'releaseVersion is "1.34.1-20251007" and customAmi is set',
    ],
  ])('refuses %s', (_, options, cluster, message) => {
    expect(() => makeGroup(options, cluster)).toThrow(ConstructionError);
    expect(() => makeGroup(options, cluster)).toThrow(message);
  });
});

it.each<[string, Options, ClusterOptions?]>([
  [
    'labels and taints of all kinds',
    {
      labels: {
        a: '',
        'example.com/A_b.c-1': 'Web_1.a-b',
        'topology.kubernetes.io/zone': 'eu-west-1a',
        [Token.asString({ Ref: 'Key' })]: Token.asString({ Ref: 'Value' }),
      },
      taints: [
        { key: 'a', effect: 'NO_SCHEDULE' },
        { key: 'a', effect: 'NO_EXECUTE' },
        { key: 'node.kubernetes.io/x', value: '', effect: 'NO_EXECUTE' },
      ],
    },
  ],
  [
    'a bootstrap for another AMI',
    { shellScripts: ['#!/bin/bash\nif ! command -v nodeadm; then /etc/eks/bootstrap.sh main; fi'] },
  ],
  [
    "a bootstrap in a comment, and nodeadm's other commands",
    { shellScripts: ['#!/bin/bash\n# /etc/eks/bootstrap.sh main\nnodeadm config check'] },
  ],
  [
    'nodeadm on an own AMI, which may not start it by itself',
    { customAmi: AMI, shellScripts: ['#!/bin/bash\nnodeadm init'] },
    { serviceIpv4Cidr: SERVICE_CIDR },
  ],
  [
    'a feature gate that is still there',
    {
      nodeConfig: new NodeConfig({
        kubelet: { config: { featureGates: { DisableKubeletCloudCredentialProviders: true } } },
      }),
    },
    { version: '1.32' },
  ],
  [
    'a feature gate of an own AMI, whose kubelet may be older',
    {
      customAmi: AMI,
      nodeConfig: new NodeConfig({
        kubelet: { config: { featureGates: { DisableKubeletCloudCredentialProviders: true } } },
      }),
    },
    { version: '1.33', serviceIpv4Cidr: SERVICE_CIDR },
  ],
  [
    'a label that is said twice, and others',
    {
      customAmi: AMI,
      labels: { tier: 'web' },
      nodeConfig: new NodeConfig({ kubelet: { flags: ['--node-labels=tier=web,a=b'] } }),
    },
    { serviceIpv4Cidr: SERVICE_CIDR },
  ],
  [
    'the cluster again',
    { customAmi: AMI, nodeConfig: new NodeConfig({ cluster: { name: 'main', cidr: SERVICE_CIDR } }) },
    { serviceIpv4Cidr: SERVICE_CIDR },
  ],
])('accepts %s', (_, options, cluster = {}) => {
  expect(() => makeGroup(options, cluster)).not.toThrow();
});

it('refuses another cluster than an imported one', () => {
  const stack = newStack();
  const cluster = importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) });
  const nodeConfig = new NodeConfig({ cluster: { name: 'staging' } });
  expect(
    () => new ManagedNodeGroup(stack, 'Workers', { cluster, customAmi: AMI, serviceCidr: SERVICE_CIDR, nodeConfig }),
  ).toThrow('nodeConfig sets cluster.name to "staging", and the node group\'s cluster has "production"');
});

describe('max pods', () => {
  const make = (options: Options, cni: Partial<VpcCniAddonProps>): Stack => {
    const stack = newStack();
    const cluster = nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR });
    new ManagedNodeGroup(stack, 'Workers', { cluster, ...options });
    new VpcCniAddon(stack, 'Cni', { cluster, ...cni });
    return stack;
  };

  it.each<[Options, Partial<VpcCniAddonProps>]>([
    [{ customAmi: AMI, maxPods: 110 }, { prefixDelegation: {} }],
    [
      {
        customAmi: AMI,
        nodeConfig: new NodeConfig({ kubelet: { maxPodsExpression: '(default_enis * (ips_per_eni - 1)) * 16 + 2' } }),
      },
      { prefixDelegation: {} },
    ],
    [{ customAmi: AMI, maxPods: 29 }, {}],
    [{ customAmi: AMI, maxPods: 28 }, { podSecurityGroups: {} }],
    [
      {
        customAmi: AMI,
        instanceTypes: types('z99.large'),
        architecture: ec2.InstanceArchitecture.X86_64,
        maxPods: 5000,
      },
      {},
    ],
    [{ customAmi: AMI }, {}],
    [{}, { prefixDelegation: {} }],
    [
      { customAmi: AMI, amiFamily: AmiFamily.WINDOWS_CORE_2022, maxPods: 144 },
      { windowsIpam: true, configurationValues: { enableWindowsPrefixDelegation: 'true' } },
    ],
  ])('%j go with %j', (options, cni) => {
    expect(() => Template.fromStack(make(options, cni))).not.toThrow();
  });

  const ofUserData = (stack: Stack): string => textOf(launchTemplateData(stack).UserData);

  it.each<[string, Options, Partial<VpcCniAddonProps>, string]>([
    ['AL2023', {}, { prefixDelegation: {} }, 'maxPods: 110'],
    ['AL2023', { instanceTypes: types('m5.16xlarge') }, { prefixDelegation: {} }, 'maxPods: 250'],
    [
      'the smallest instance type',
      { instanceTypes: types('m5.16xlarge', 'm5.large') },
      { prefixDelegation: {} },
      'maxPods: 110',
    ],
    [
      'AL2',
      { amiFamily: AmiFamily.AL2 },
      { prefixDelegation: {} },
      '--use-max-pods false \\\n  --kubelet-extra-args "--max-pods=110"',
    ],
    ['Bottlerocket', { amiFamily: AmiFamily.BOTTLEROCKET }, { prefixDelegation: {} }, 'max-pods = 110'],
    ['custom networking', {}, { customNetworking: { subnets: [] } }, 'maxPods: 20'],
    ['fewer interfaces', {}, { warmTargets: { maxEni: 2 } }, 'maxPods: 20'],
  ])("are what AWS recommends where no bootstrap knows of the add-on's mode: %s", (_, options, cni, text) => {
    for (const order of ['add-on first', 'add-on last']) {
      const stack = newStack();
      const cluster = nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, version: '1.32' });
      const subnets = [
        { subnet: ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a'), availabilityZone: 'eu-west-1a' },
      ];
      const add = (): VpcCniAddon =>
        new VpcCniAddon(stack, 'Cni', {
          cluster,
          ...cni,
          ...(cni.customNetworking === undefined ? {} : { customNetworking: { subnets } }),
        });
      if (order === 'add-on first') add();
      const group = new ManagedNodeGroup(stack, 'Workers', { cluster, customAmi: AMI, ...options });
      if (order === 'add-on last') add();
      expect(Token.isUnresolved(group.userData)).toBe(true);
      expect(ofUserData(stack)).toContain(text);
    }
  });

  it.each<[string, Options, Partial<VpcCniAddonProps>]>([
    ['without such a mode', { customAmi: AMI }, {}],
    ['with as many interfaces as there are', { customAmi: AMI }, { warmTargets: { maxEni: 3 } }],
    [
      'when an expression sets them',
      { customAmi: AMI, nodeConfig: new NodeConfig({ kubelet: { maxPodsExpression: '110' } }) },
      { prefixDelegation: {} },
    ],
    [
      'when a flag sets them',
      { customAmi: AMI, nodeConfig: new NodeConfig({ kubelet: { flags: ['--max-pods=50'] } }) },
      { prefixDelegation: {} },
    ],
    [
      'on Windows, which has modes of its own',
      { customAmi: AMI, amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      { prefixDelegation: {}, windowsIpam: true },
    ],
  ])('are left to the bootstrap %s', (_, options, cni) => {
    expect(ofUserData(make(options, cni))).not.toMatch(/maxPods:|max-pods=110/);
  });

  it('of a Bottlerocket group are what its settings say', () => {
    const options = {
      customAmi: AMI,
      amiFamily: AmiFamily.BOTTLEROCKET,
      bottlerocketSettings: new BottlerocketSettings({ maxPods: 40 }),
    };
    expect(ofUserData(make(options, { prefixDelegation: {} }))).toContain('max-pods = 40');
    expect(() => Template.fromStack(make(options, {}))).toThrow(
      'maxPods is 40, but with the vpc-cni add-on Test/Cni a m5.large has addresses for 29 pods',
    );
  });

  it.each<[string, Options, Partial<VpcCniAddonProps>, string]>([
    [
      'are needed where AWS recommends none',
      { customAmi: AMI, instanceTypes: types('z99.large'), architecture: ec2.InstanceArchitecture.X86_64 },
      { prefixDelegation: {} },
      "customAmi is set without maxPods, and the vpc-cni add-on Test/Cni has prefixDelegation, of which the bootstrap of AL2023 knows nothing when it computes the number of pods; AWS's recommendation isn't known for z99.large: set maxPods",
    ],
    [
      'above the addresses of a Windows node are refused',
      { customAmi: AMI, amiFamily: AmiFamily.WINDOWS_CORE_2022, maxPods: 10 },
      { windowsIpam: true },
      'maxPods is 10, but with the vpc-cni add-on Test/Cni a m5.large has addresses for 9 pods',
    ],
    [
      'above the addresses are refused',
      { customAmi: AMI, maxPods: 30 },
      {},
      'maxPods is 30, but with the vpc-cni add-on Test/Cni a m5.large has addresses for 29 pods',
    ],
    [
      'count for the smallest instance type',
      { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('m5.4xlarge', 'm5.large'), maxPods: 100 },
      {},
      'a m5.large has addresses for 29 pods',
    ],
    [
      'count interfaces that are capped',
      { customAmi: AMI, maxPods: 29 },
      { warmTargets: { maxEni: 2 } },
      'addresses for 20 pods',
    ],
  ])('%s', (_, options, cni, message) => {
    expect(() => Template.fromStack(make(options, cni))).toThrow(message);
  });

  it('need an interface that is left for pods', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const subnet = ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a');
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      podSecurityGroups: {},
      customNetworking: { subnets: [{ subnet, availabilityZone: 'eu-west-1a' }] },
    });
    new ManagedNodeGroup(stack, 'Workers', { cluster, instanceTypes: types('m6g.medium') });
    expect(() => Template.fromStack(stack)).toThrow(
      "instanceTypes has m6g.medium, which can't run pods with the vpc-cni add-on Test/Cni",
    );
  });
});
