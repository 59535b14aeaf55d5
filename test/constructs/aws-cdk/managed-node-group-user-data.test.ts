import { CfnParameter, Token, type Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { Template } from 'aws-cdk-lib/assertions';
import { parse } from 'yaml';
import { AmiFamily, ConstructionError, ManagedNodeGroup, NodeConfig, VpcCniAddon, type ManagedNodeGroupProps, type VpcCniAddonProps } from '../../../constructs/aws-cdk';
import { readStrictMime } from '../../user-data/strict-mime';
import { customCluster, importedCluster, importedVpc, launchTemplateData, nativeCluster, newStack, resourceOf, SERVICE_CIDR, textOf, type ClusterOptions } from './clusters';
import { AMI, al2Reason, launchTemplate, makeGroup, types, type Options } from './node-groups';

// CDK's own validation of each template is the subject of option-combinations.test.ts.
process.env.CDK_VALIDATION = 'false';

describe('user data', () => {
  const nodeConfig = new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } });

  function parts(stack: Stack): { type: string | undefined; content: unknown }[] {
    return readStrictMime(textOf(launchTemplateData(stack).UserData)).map((part) => {
      const type = part.headers.get('content-type');
      return { type, content: type === 'application/node.eks.aws' ? (parse(part.body) as unknown) : part.body };
    });
  }

  it('holds the whole bootstrap with a custom AMI, then the user\'s parts', () => {
    const { stack } = makeGroup(
      {
        customAmi: AMI,
        maxPods: 110,
        nodeConfig,
        shellScripts: ['#!/bin/bash\necho hello\n'],
        labels: { tier: 'web', 'mycorp.io/team': 'a' },
        taints: [{ key: 'dedicated', value: 'web', effect: eksv2.TaintEffect.NO_EXECUTE }, { key: 'x', effect: 'PREFER_NO_SCHEDULE' }],
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
              config: { maxPods: 110, registerWithTaints: [{ key: 'dedicated', value: 'web', effect: 'NoExecute' }, { key: 'x', effect: 'PreferNoSchedule' }] },
              flags: ['--node-labels=tier=web,mycorp.io/team=a'],
            },
          },
        },
      },
      { type: 'application/node.eks.aws', content: { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec: nodeConfig.spec } },
      { type: 'text/x-shellscript', content: '#!/bin/bash\necho hello' },
    ]);
    expect(launchTemplateData(stack).ImageId).toBe(AMI);
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties.AmiType).toBeUndefined();
  });

  it.each<[string, (stack: Stack) => { cluster: ManagedNodeGroupProps['cluster']; options?: Options }, string]>([
    ['an aws-eks cluster', (stack) => ({ cluster: customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }) }), SERVICE_CIDR],
    ['an IPv6 aws-eks-v2 cluster', (stack) => ({ cluster: nativeCluster(stack, { ipFamily: 'ipv6' }) }), '${ClusterEB0386A7.KubernetesNetworkConfig.ServiceIpv6Cidr}'],
    ['a cluster whose range is a parameter', (stack) => ({ cluster: nativeCluster(stack, { serviceIpv4Cidr: new CfnParameter(stack, 'Range').valueAsString }) }), '${Range}'],
    ['serviceCidr', (stack) => ({ cluster: nativeCluster(stack), options: { serviceCidr: '172.20.0.0/16' } }), '172.20.0.0/16'],
    ['serviceCidr, when it repeats the cluster\'s', (stack) => ({ cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }), options: { serviceCidr: SERVICE_CIDR } }), SERVICE_CIDR],
    ['a complete imported aws-eks cluster', (stack) => ({ cluster: importedCluster(stack, 'aws-eks', { complete: true, vpc: importedVpc(stack) }), options: { serviceCidr: SERVICE_CIDR } }), SERVICE_CIDR],
    ['a complete imported aws-eks-v2 cluster', (stack) => ({ cluster: importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) }), options: { serviceCidr: SERVICE_CIDR } }), SERVICE_CIDR],
  ])('takes the service CIDR from %s', (_, make, cidr) => {
    const stack = newStack();
    const { cluster, options } = make(stack);
    new ManagedNodeGroup(stack, 'Workers', { cluster, customAmi: AMI, ...options });
    const content = parts(stack)[0]?.content as { spec: { cluster: Record<string, string> } };
    expect(content.spec.cluster.cidr).toBe(cidr);
    expect(Object.values(content.spec.cluster).every((value) => value !== '')).toBe(true);
    expect(Object.keys(content.spec.cluster)).toEqual(['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr']);
  });

  it('takes what an imported cluster lacks from the user\'s NodeConfig', () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    const details = { apiServerEndpoint: 'https://example.org', certificateAuthority: 'Y2VydGlmaWNhdGVBdXRob3JpdHk=' };
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, customAmi: AMI, serviceCidr: SERVICE_CIDR })).toThrow('lacks apiServerEndpoint, certificateAuthority');
    new ManagedNodeGroup(stack, 'B', { cluster, customAmi: AMI, nodeConfig: new NodeConfig({ cluster: { ...details, cidr: SERVICE_CIDR } }) });
    const clusters = parts(stack).map((part) => (part.content as { spec: { cluster: unknown } }).spec.cluster);
    expect(clusters).toEqual([{ name: 'production' }, { ...details, cidr: SERVICE_CIDR }]);
  });

  it('is MIME without the cluster when EKS does the bootstrap', () => {
    const { stack } = makeGroup({ nodeConfig, shellScripts: ['#!/bin/bash\necho hello'] });
    expect(parts(stack).map((part) => part.type)).toEqual(['application/node.eks.aws', 'text/x-shellscript']);
    expect(textOf(launchTemplateData(stack).UserData)).not.toContain('cluster');
  });

  it('holds scripts on AL2', () => {
    const { stack } = makeGroup({ amiFamily: AmiFamily.AL2, al2Reason, shellScripts: ['#!/bin/bash\necho hello'] }, { version: '1.32' });
    expect(parts(stack).map((part) => part.type)).toEqual(['text/x-shellscript']);
  });

  it('holds max pods on Bottlerocket as TOML', () => {
    expect(textOf(launchTemplate({ amiFamily: AmiFamily.BOTTLEROCKET, maxPods: 58 }).UserData)).toBe('[settings.kubernetes]\nmax-pods = 58\n');
  });

  it('writes a number that is decided later without quotes', () => {
    const stack = newStack();
    const maxPods = new CfnParameter(stack, 'MaxPods', { type: 'Number', default: 110 }).valueAsNumber;
    new ManagedNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }), customAmi: AMI, maxPods });
    expect(textOf(launchTemplateData(stack).UserData)).toContain('maxPods: ${MaxPods}\n');
  });

  it('takes CDK machine images', () => {
    const image = ec2.MachineImage.fromSsmParameter('/my/image');
    const { stack } = makeGroup({ customAmi: image }, { serviceIpv4Cidr: SERVICE_CIDR });
    expect(launchTemplateData(stack).ImageId).toEqual({ Ref: expect.stringContaining('SsmParameterValue') as string });
    expect(parts(stack)).toHaveLength(1);
  });

  it.each<[string, Options, ClusterOptions, string]>([
    ['a service CIDR that nobody tells', { customAmi: AMI }, {}, 'set serviceCidr here, or serviceIpv4Cidr on a new cluster'],
    ['a service CIDR off its boundary', { customAmi: AMI, serviceCidr: '10.100.5.7/16' }, {}, 'serviceCidr is "10.100.5.7/16"; it doesn\'t begin at a /16 boundary'],
    ['a service CIDR that isn\'t the cluster\'s', { customAmi: AMI, serviceCidr: '172.20.0.0/16' }, { serviceIpv4Cidr: SERVICE_CIDR }, `serviceCidr is "172.20.0.0/16" and the cluster has "${SERVICE_CIDR}"`],
    ['a service CIDR of the other family', { customAmi: AMI, serviceCidr: 'fd00::/108' }, {}, 'the cluster\'s IP family is ipv4'],
    ['a service CIDR without custom AMI', { serviceCidr: SERVICE_CIDR }, {}, 'serviceCidr is set without customAmi'],
    ['maxPods on AL2023 without custom AMI', { maxPods: 110 }, {}, 'maxPods is 110 without customAmi; on AL2023 EKS computes the number'],
    ['maxPods on Windows', { maxPods: 110, amiFamily: AmiFamily.WINDOWS_CORE_2022 }, {}, 'maxPods is 110 and the operating system is WINDOWS'],
    ['maxPods 0', { maxPods: 0, amiFamily: AmiFamily.BOTTLEROCKET }, {}, 'maxPods is 0; a whole number'],
    ['maxPods as a token on Bottlerocket', { maxPods: Token.asNumber({ Ref: 'X' }), amiFamily: AmiFamily.BOTTLEROCKET }, {}, 'maxPods is a token'],
    ['maxPods in the NodeConfig', { nodeConfig: new NodeConfig({ kubelet: { config: { maxPods: 110 }, maxPodsExpression: 'max_pods', flags: ['--max-pods=1'] } }) }, {}, 'nodeConfig sets kubelet.maxPodsExpression, kubelet.config.maxPods, kubelet.flags --max-pods without customAmi'],
    ['a cluster in the NodeConfig', { nodeConfig: new NodeConfig({ cluster: { name: 'x' } }) }, {}, 'nodeConfig sets cluster without customAmi'],
    ['a NodeConfig on Bottlerocket', { nodeConfig, amiFamily: AmiFamily.BOTTLEROCKET }, {}, 'nodeConfig is set and the operating system is BOTTLEROCKET'],
    ['scripts on Windows', { shellScripts: ['#!/bin/bash\necho'], amiFamily: AmiFamily.WINDOWS_CORE_2022 }, {}, 'shellScripts is set and the operating system is WINDOWS'],
    ['a script without #!', { shellScripts: ['echo hello'] }, {}, 'shellScripts can\'t be rendered'],
    ['too much', { shellScripts: [`#!/bin/bash\n# ${'x'.repeat(17000)}`] }, {}, 'EC2 accepts 16384'],
    ['a custom AMI of another system', { customAmi: AMI, amiFamily: AmiFamily.BOTTLEROCKET }, {}, 'customAmi is set and the operating system is BOTTLEROCKET'],
    ['an AMI that is resolved at launch', { customAmi: ec2.MachineImage.resolveSsmParameterAtLaunch('/x') }, { serviceIpv4Cidr: SERVICE_CIDR }, 'can\'t resolve an SSM parameter at launch'],
    ['an AMI id that is none', { customAmi: 'my-image' }, { serviceIpv4Cidr: SERVICE_CIDR }, 'customAmi is "my-image"'],
    ['a release of a custom AMI', { customAmi: AMI, releaseVersion: '1.34.1-20251007' }, { serviceIpv4Cidr: SERVICE_CIDR }, 'releaseVersion is "1.34.1-20251007" and customAmi is set'],
  ])('refuses %s', (_, options, cluster, message) => {
    expect(() => makeGroup(options, cluster)).toThrow(ConstructionError);
    expect(() => makeGroup(options, cluster)).toThrow(message);
  });
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
    [{ customAmi: AMI, nodeConfig: new NodeConfig({ kubelet: { maxPodsExpression: '(default_enis * (ips_per_eni - 1)) * 16 + 2' } }) }, { prefixDelegation: {} }],
    [{ customAmi: AMI, maxPods: 29 }, {}],
    [{ customAmi: AMI, maxPods: 28 }, { podSecurityGroups: {} }],
    [{ customAmi: AMI, instanceTypes: types('z99.large'), architecture: ec2.InstanceArchitecture.X86_64, maxPods: 5000 }, {}],
    [{ customAmi: AMI }, {}],
    [{}, { prefixDelegation: {} }],
  ])('%j go with %j', (options, cni) => {
    expect(() => Template.fromStack(make(options, cni))).not.toThrow();
  });

  it.each<[string, Options, Partial<VpcCniAddonProps>, string]>([
    ['are needed where nodeadm doesn\'t know of prefix delegation', { customAmi: AMI }, { prefixDelegation: {} }, 'customAmi is set without maxPods, and the vpc-cni add-on Test/Cni has prefixDelegation, of which nodeadm knows nothing when it computes the number of pods: set maxPods; AWS recommends 110'],
    ['above the addresses are refused', { customAmi: AMI, maxPods: 30 }, {}, 'maxPods is 30, but with the vpc-cni add-on Test/Cni a m5.large has addresses for 29 pods'],
    ['count for the smallest instance type', { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('m5.4xlarge', 'm5.large'), maxPods: 100 }, {}, 'a m5.large has addresses for 29 pods'],
    ['count interfaces that are capped', { customAmi: AMI, maxPods: 29 }, { warmTargets: { maxEni: 2 } }, 'addresses for 20 pods'],
  ])('%s', (_, options, cni, message) => {
    expect(() => Template.fromStack(make(options, cni))).toThrow(message);
  });

  it('need an interface that is left for pods', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const subnet = ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a');
    new VpcCniAddon(stack, 'Cni', { cluster, podSecurityGroups: {}, customNetworking: { subnets: [{ subnet, availabilityZone: 'eu-west-1a' }] } });
    new ManagedNodeGroup(stack, 'Workers', { cluster, instanceTypes: types('m6g.medium') });
    expect(() => Template.fromStack(stack)).toThrow('instanceTypes has m6g.medium, which can\'t run pods with the vpc-cni add-on Test/Cni');
  });
});
