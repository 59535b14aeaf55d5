import { CfnParameter, type Stack } from 'aws-cdk-lib';
import {
  AmiFamily,
  BottlerocketSettings,
  ManagedNodeGroup,
  NodeConfig,
  WindowsBootstrap,
  type ICluster,
} from '../../../constructs/aws-cdk';
import { bootstrapEngine as engine } from '../../../constructs/aws-cdk/bootstrap-engine';
import { dnsAddress } from '../../../constructs/engine-neutral/node-bootstrap';
import { bootstrapOf, readBoot } from './boots';
import { customCluster, importedCluster, importedVpc, nativeCluster, newStack, SERVICE_CIDR } from './clusters';
import { AMI, al2Reason, type Options } from './node-groups';

interface ClusterKind {
  readonly make: (stack: Stack) => ICluster;
  readonly options?: Options;
  readonly name: string | RegExp;
  readonly endpoint: string | RegExp;
  readonly certificateAuthority: string | RegExp;
  readonly cidr: string;
  /** The tenth address of the range; what CloudFormation computes is shown as `…`. */
  readonly dns: string;
  readonly ipFamily: 'ipv4' | 'ipv6';
}

const NATIVE = {
  name: '${ClusterEB0386A7}',
  endpoint: '${ClusterEB0386A7.Endpoint}',
  certificateAuthority: '${ClusterEB0386A7.CertificateAuthorityData}',
};
const CUSTOM = {
  name: /^\$\{Cluster9EE0221C\}$/,
  endpoint: /^\$\{Cluster9EE0221C\.Endpoint\}$/,
  certificateAuthority: /^\$\{Cluster9EE0221C\.CertificateAuthorityData\}$/,
};
const IMPORTED = {
  name: 'production',
  endpoint: 'https://0123456789ABCDEF.gr7.eu-west-1.eks.amazonaws.com',
  certificateAuthority: /^LS0tLS1CRUdJTi/,
};
const CHOSEN = { cidr: SERVICE_CIDR, dns: '10.100.0.10', ipFamily: 'ipv4' as const };

const clusters: Readonly<Record<string, ClusterKind>> = {
  'an aws-eks-v2 cluster': {
    ...NATIVE,
    ...CHOSEN,
    make: (stack) => nativeCluster(stack, { version: '1.32', serviceIpv4Cidr: SERVICE_CIDR }),
  },
  'an aws-eks-v2 cluster whose range is a parameter': {
    ...NATIVE,
    make: (stack) =>
      nativeCluster(stack, { version: '1.32', serviceIpv4Cidr: new CfnParameter(stack, 'Range').valueAsString }),
    cidr: '${Range}',
    dns: '…',
    ipFamily: 'ipv4',
  },
  'an IPv6 aws-eks-v2 cluster': {
    ...NATIVE,
    make: (stack) => nativeCluster(stack, { version: '1.32', ipFamily: 'ipv6' }),
    cidr: '${ClusterEB0386A7.KubernetesNetworkConfig.ServiceIpv6Cidr}',
    dns: '…',
    ipFamily: 'ipv6',
  },
  'an aws-eks cluster': {
    ...CUSTOM,
    make: (stack) => customCluster(stack, { version: '1.32' }),
    options: { serviceCidr: '172.20.0.0/16' },
    cidr: '172.20.0.0/16',
    dns: '172.20.0.10',
    ipFamily: 'ipv4',
  },
  'an IPv6 aws-eks cluster': {
    ...CUSTOM,
    make: (stack) => customCluster(stack, { version: '1.32', ipFamily: 'ipv6' }),
    options: { serviceCidr: 'fd12:3456:789a::/108' },
    cidr: 'fd12:3456:789a::/108',
    dns: 'fd12:3456:789a::a',
    ipFamily: 'ipv6',
  },
  'an imported aws-eks cluster': {
    ...IMPORTED,
    ...CHOSEN,
    make: (stack) => importedCluster(stack, 'aws-eks', { complete: true, vpc: importedVpc(stack) }),
    options: { serviceCidr: SERVICE_CIDR },
  },
  'an imported aws-eks-v2 cluster': {
    ...IMPORTED,
    ...CHOSEN,
    make: (stack) => importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) }),
    options: { serviceCidr: SERVICE_CIDR },
  },
};

interface Family {
  readonly amiFamily: AmiFamily;
  /** What of the service network the family is told. */
  readonly network: (kind: ClusterKind) => readonly string[];
  readonly ipFamily?: boolean;
  readonly own: Options;
}

const families: Readonly<Record<string, Family>> = {
  AL2: {
    amiFamily: AmiFamily.AL2,
    network: (kind) => [kind.ipFamily === 'ipv6' ? kind.cidr : kind.dns],
    ipFamily: true,
    own: { shellScripts: ['#!/bin/bash\necho hello\n'] },
  },
  AL2023: {
    amiFamily: AmiFamily.AL2023,
    network: (kind) => [kind.cidr],
    own: {
      shellScripts: ['#!/bin/bash\necho hello\n'],
      nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } }),
    },
  },
  BOTTLEROCKET: {
    amiFamily: AmiFamily.BOTTLEROCKET,
    network: (kind) => [kind.dns],
    own: {
      bottlerocketSettings: new BottlerocketSettings({
        hostContainers: { admin: { enabled: true } },
        sysctl: { 'vm.max_map_count': '262144' },
      }),
    },
  },
  WINDOWS: {
    amiFamily: AmiFamily.WINDOWS_CORE_2022,
    network: (kind) => [kind.cidr, kind.dns],
    own: {
      windowsBootstrap: new WindowsBootstrap({
        scripts: ['Set-TimeZone -Id "UTC"'],
        excludedSnatCidrs: ['10.20.0.0/16'],
      }),
    },
  },
};

const cases = Object.entries(families).flatMap(([family, { amiFamily }]) =>
  Object.entries(clusters)
    .filter(([, kind]) => amiFamily !== AmiFamily.WINDOWS_CORE_2022 || kind.ipFamily === 'ipv4')
    .map(([cluster]) => [family, cluster] as const),
);

/** As an exact text or a pattern. */
function like(text: string | RegExp): unknown {
  return typeof text === 'string' ? text : (expect.stringMatching(text) as unknown);
}

describe("with an AMI of the user's own", () => {
  const labels = { tier: 'web', 'mycorp.io/team': 'a' };
  const taints = [
    { key: 'dedicated', value: 'web', effect: 'NO_EXECUTE' },
    { key: 'x', effect: 'PREFER_NO_SCHEDULE' },
  ] as const;

  it.each(cases)('%s gets the complete bootstrap of %s', (name, clusterName) => {
    const family = families[name];
    const kind = clusters[clusterName];
    if (family === undefined || kind === undefined) throw new Error('no such case');
    const stack = newStack('eu-west-1');
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: kind.make(stack),
      amiFamily: family.amiFamily,
      customAmi: AMI,
      labels,
      taints,
      maxPods: 20,
      ...kind.options,
      ...family.own,
    });
    const { boot, reported } = readBoot(stack);
    expect(boot.bootstrapBy).toBe('user');
    expect(boot.family).toMatchObject({ kind: 'known', value: name });
    const bootstrap = bootstrapOf(boot);
    expect(bootstrap).toEqual({
      name: like(kind.name),
      endpoint: like(kind.endpoint),
      certificateAuthority: like(kind.certificateAuthority),
      network: family.network(kind).map((text) => (text === '…' ? (expect.stringMatching(/…|\$\{/) as unknown) : text)),
      ipFamily: family.ipFamily === true ? kind.ipFamily : undefined,
      maxPods: '20',
      labels,
      taints: ['dedicated=web:NoExecute', 'x=:PreferNoSchedule'],
      problems: [],
    });
    expect(reported).toEqual([]);
  });

  it.each(Object.entries(families))('%s needs nothing but the AMI', (name, { amiFamily, network }) => {
    const stack = newStack('eu-west-1');
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
      amiFamily,
      customAmi: AMI,
    });
    const { boot, reported } = readBoot(stack);
    expect(bootstrapOf(boot)).toMatchObject({
      ...NATIVE,
      network: network({
        ...NATIVE,
        ...CHOSEN,
        make: () => {
          throw new Error('unused');
        },
      }),
      maxPods: undefined,
      labels: {},
      taints: [],
      problems: [],
    });
    expect(boot.family).toMatchObject({ value: name });
    expect(reported).toEqual([]);
  });

  it("AL2 runs the user's scripts first, and Windows too, all in one block", () => {
    const { document } = bootOf({ amiFamily: AmiFamily.AL2, customAmi: AMI, ...families.AL2?.own });
    expect(document?.parts.map((part) => part.body.text.includes('/etc/eks/bootstrap.sh'))).toEqual([false, true]);
    const windows = textOfBoot({ amiFamily: AmiFamily.WINDOWS_CORE_2022, customAmi: AMI, ...families.WINDOWS?.own });
    expect(windows.indexOf('Set-TimeZone')).toBeLessThan(windows.indexOf('Start-EKSBootstrap.ps1'));
    expect(windows.match(/<powershell>/g)).toHaveLength(1);
    expect(windows).toContain('-ExcludedSnatCIDRs "10.20.0.0/16"');
  });

  it("kubelet's flags on Windows come from the user too", () => {
    const text = textOfBoot({
      amiFamily: AmiFamily.WINDOWS_CORE_2022,
      customAmi: AMI,
      maxPods: 9,
      windowsBootstrap: new WindowsBootstrap({ kubeletExtraArgs: ['--v=4'] }),
    });
    expect(text).toContain('-KubeletExtraArgs "--max-pods=9 --v=4"');
  });

  it('Bottlerocket takes another DNS address from the user, and what an imported cluster lacks', () => {
    const settings = new BottlerocketSettings({ clusterDns: ['169.254.20.10', '10.100.0.10'] });
    const { network } = bootstrapOf(
      bootOf({ amiFamily: AmiFamily.BOTTLEROCKET, customAmi: AMI, bottlerocketSettings: settings }),
    ) ?? { network: [] };
    expect(network).toEqual(['["169.254.20.10","10.100.0.10"]']);
    const stack = newStack('eu-west-1');
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString(
      'base64',
    );
    const details = new BottlerocketSettings({
      settings: { kubernetes: { 'api-server': 'https://example.org', 'cluster-certificate': certificate } },
    });
    new ManagedNodeGroup(stack, 'Workers', {
      cluster,
      amiFamily: AmiFamily.BOTTLEROCKET,
      customAmi: AMI,
      serviceCidr: SERVICE_CIDR,
      bottlerocketSettings: details,
    });
    expect(bootstrapOf(readBoot(stack).boot)).toMatchObject({
      name: 'production',
      endpoint: 'https://example.org',
      certificateAuthority: certificate,
      network: ['10.100.0.10'],
      problems: [],
    });
  });

  it.each(Object.entries(families))('%s takes a number of pods that is decided at deployment', (_, { amiFamily }) => {
    const stack = newStack('eu-west-1');
    const maxPods = new CfnParameter(stack, 'MaxPods', { type: 'Number' }).valueAsNumber;
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
      amiFamily,
      customAmi: AMI,
      maxPods,
    });
    expect(bootstrapOf(readBoot(stack).boot)).toMatchObject({ maxPods: '${MaxPods}', problems: [] });
  });
});

describe('the address of cluster DNS', () => {
  /** What CloudFormation makes of it. */
  function evaluate(value: unknown, range: string): unknown {
    if (Array.isArray(value)) return value.map((item) => evaluate(item, range));
    if (typeof value !== 'object' || value === null) return value;
    const [name = '', argument]: [string?, unknown?] = Object.entries(value)[0] ?? [];
    const values = evaluate(argument, range);
    if (name === 'Ref') return range;
    if (!Array.isArray(values)) throw new Error(`no list: ${name}`);
    const [first, second] = values as unknown[];
    if (name === 'Fn::Split') return String(second).split(String(first));
    if (name === 'Fn::Select' && Array.isArray(second)) return second[Number(first)] as unknown;
    if (name === 'Fn::Join' && Array.isArray(second)) return second.join(String(first));
    throw new Error(name);
  }

  it.each<['ipv4' | 'ipv6', string, string]>([
    ['ipv4', '10.100.0.0/16', '10.100.0.10'],
    ['ipv4', '192.168.128.0/20', '192.168.128.10'],
    ['ipv6', 'fd12:3456:789a::/108', 'fd12:3456:789a::a'],
  ])('is the tenth of an %s range, known or decided at deployment: %s', (ipFamily, cidr, dns) => {
    const stack = newStack();
    const token = new CfnParameter(stack, 'Range').valueAsString;
    expect(dnsAddress({ cidr, ipFamily }, { engine })).toBe(dns);
    expect(evaluate(stack.resolve(dnsAddress({ cidr: token, ipFamily }, { engine })), cidr)).toBe(dns);
  });
});

describe("with EKS's AMI", () => {
  const labels = { tier: 'web' };
  const taints = [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }] as const;

  it.each(Object.entries(families))(
    '%s gets no user data without options of the system, and the labels and taints of the group through EKS',
    (_, { amiFamily }) => {
      const boot = bootOf({ amiFamily, labels, taints, ...(amiFamily === AmiFamily.AL2 ? { al2Reason } : {}) });
      expect(boot.bootstrapBy).toBe('eks');
      expect(boot.userData.kind).toBe('absent');
    },
  );

  it.each(Object.entries(families))('%s gets only what EKS merges', (name, { amiFamily, own }) => {
    const boot = bootOf({ amiFamily, labels, taints, ...(amiFamily === AmiFamily.AL2 ? { al2Reason } : {}), ...own });
    expect(boot.document?.format).toBe(name === 'BOTTLEROCKET' ? 'toml' : name === 'WINDOWS' ? 'windows' : 'multipart');
    expect(boot.document?.text.unknownParts).toEqual([]);
    const bootstrap = bootstrapOf(boot);
    const nothing = { name: undefined, network: [], labels: {}, taints: [] };
    if (name === 'AL2023')
      expect(bootstrap).toMatchObject({
        ...nothing,
        problems: ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr'],
      });
    else if (name === 'BOTTLEROCKET') expect(bootstrap).toMatchObject({ ...nothing, problems: [] });
    else expect(bootstrap).toBeUndefined();
  });

  it('Windows sets the ranges without address translation for the whole machine', () => {
    expect(
      textOfBoot({
        amiFamily: AmiFamily.WINDOWS_CORE_2022,
        windowsBootstrap: new WindowsBootstrap({ excludedSnatCidrs: ['10.20.0.0/16', '10.30.0.0/16'] }),
      }),
    ).toBe(
      '<powershell>\n[Environment]::SetEnvironmentVariable("EXCLUDED_SNAT_CIDRS", "10.20.0.0/16,10.30.0.0/16", "Machine")\n</powershell>\n',
    );
  });
});

function bootOf(options: Options): ReturnType<typeof readBoot>['boot'] {
  const stack = newStack('eu-west-1');
  new ManagedNodeGroup(stack, 'Workers', {
    cluster: nativeCluster(stack, { version: '1.32', serviceIpv4Cidr: SERVICE_CIDR }),
    ...options,
  });
  const { boot, reported } = readBoot(stack);
  expect(reported).toEqual([]);
  return boot;
}

function textOfBoot(options: Options): string {
  return bootOf(options).document?.text.show() ?? '';
}
