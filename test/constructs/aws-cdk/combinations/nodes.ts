import { Stack, type App } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import {
  AmiFamily,
  BottlerocketSettings,
  CniPermissions,
  ImdsAccess,
  ManagedNodeGroup,
  NodeConfig,
  PodIdentityAgent,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ICluster,
  type ManagedNodeGroupProps,
} from '../../../../constructs/aws-cdk';
import { SERVICE_CIDR } from '../clusters';
import { AMI, types } from '../node-groups';
import { ALL, combinations, SHARE, Untried } from './choices';
import { clusterKinds, ENVIRONMENT, tryMake } from './made';

interface Nodes {
  readonly os: Partial<ManagedNodeGroupProps>;
  readonly imds: Partial<ManagedNodeGroupProps>;
  readonly bootstrap: Partial<ManagedNodeGroupProps>;
  readonly rest: Partial<ManagedNodeGroupProps>;
}
const nodeConfig = new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } });

const nodeCombinations = combinations<Nodes>({
  os: [
    {},
    { instanceTypes: types('m7g.large', 'c7g.large') },
    { instanceTypes: types('g6.xlarge') },
    { amiFamily: AmiFamily.AL2, al2Reason: 'moves next quarter' },
    { amiFamily: AmiFamily.BOTTLEROCKET },
    { amiType: 'BOTTLEROCKET_ARM_64_NVIDIA', instanceTypes: types('g5g.xlarge') },
    { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m5.large') },
  ],
  imds: [{}, { imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has its own role' }],
  bootstrap: [
    {},
    { nodeConfig, shellScripts: ['#!/bin/bash\necho hello\n'] },
    { maxPods: 20 },
    { customAmi: 'ami-0123456789abcdef0' },
    { customAmi: 'ami-0123456789abcdef0', maxPods: 20, nodeConfig, serviceCidr: SERVICE_CIDR },
  ],
  rest: [
    {},
    {
      labels: { tier: 'web' },
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
      tags: { team: 'web' },
      capacityType: 'SPOT',
      diskSize: 100,
      maxUnavailablePercentage: 33,
      maxSize: 10,
      desiredSize: 4,
      forceUpdate: true,
      forceUpdateReason: 'batch jobs can be repeated',
    },
  ],
});
const shellScripts = ['#!/bin/bash\necho hello\n'];
const bottlerocketSettings = new BottlerocketSettings({
  hostContainers: { admin: { enabled: true } },
  sysctl: { 'vm.max_map_count': '262144' },
});
const windowsBootstrap = new WindowsBootstrap({ scripts: ['Get-Date'], excludedSnatCidrs: ['10.20.0.0/16'] });
const KUBELET: Partial<ManagedNodeGroupProps> = {
  labels: { tier: 'web' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
  maxPods: 8,
};

/** Every operating system with its own options and an AMI of the user's own, without and with all that kubelet is told. */
const familyCombinations = [
  { amiFamily: AmiFamily.AL2, shellScripts },
  { amiFamily: AmiFamily.AL2023, shellScripts, nodeConfig },
  { amiFamily: AmiFamily.BOTTLEROCKET, bottlerocketSettings },
  { amiFamily: AmiFamily.WINDOWS_CORE_2022, windowsBootstrap },
].flatMap((family): Partial<ManagedNodeGroupProps>[] => [
  { ...family, customAmi: AMI },
  { ...family, ...KUBELET, customAmi: AMI },
  { ...family, amiFamily: family.amiFamily },
]);

/** Node groups on every kind of cluster, with an add-on that has its own role and without any; those of each operating system in one of the two. */
export function addNodeGroups(app: App): void {
  const untried = new Untried(2);
  for (const [turn, [kind, makeCluster]] of Object.entries(clusterKinds).entries()) {
    for (const withAddon of [true, false]) {
      const stack = new Stack(app, `${kind}${withAddon ? 'WithAddon' : 'Alone'}`, { env: ENVIRONMENT });
      // Half of the stacks have CDK's recommended feature flags, which change what its constructs render.
      if (withAddon)
        for (const [flag, value] of Object.entries(CURRENTLY_RECOMMENDED_FLAGS)) stack.node.setContext(flag, value);
      const cluster = makeCluster(stack);
      if (withAddon) {
        const options = kind.startsWith('Imported')
          ? { podIdentityAgent: PodIdentityAgent.INSTALL, kubernetesVersion: '1.34' }
          : {};
        tryMake(
          stack,
          'Cni',
          () => new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: !kind.endsWith('Ipv6'), ...options }),
        );
      }
      const permissions = withAddon
        ? [CniPermissions.AUTOMATIC, CniPermissions.OWN_ROLE]
        : [CniPermissions.AUTOMATIC, CniPermissions.NODE_ROLE];
      for (const {
        options: { os, imds, bootstrap, rest },
        number,
        choices,
      } of nodeCombinations) {
        const place = [turn, withAddon ? 1 : 0, ...choices];
        if ((number + turn) % SHARE !== 0 || !untried.has(place)) continue;
        const id = `Nodes${number}`;
        const made = tryMake(
          stack,
          id,
          () =>
            new ManagedNodeGroup(stack, id, {
              cluster,
              ...os,
              ...imds,
              ...bootstrap,
              ...rest,
              cniPermissions: permissions[number % 2] ?? CniPermissions.AUTOMATIC,
            }),
        );
        if (made !== undefined) untried.accept(place);
      }
      const serviceCidr = kind.startsWith('Imported') ? { serviceCidr: SERVICE_CIDR } : {};
      familyCombinations.forEach((options, index) => {
        if (!ALL && (index + turn) % 2 === (withAddon ? 1 : 0)) return;
        const cidr = options.customAmi === undefined ? {} : serviceCidr;
        const id = `Family${index}`;
        tryMake(stack, id, () => new ManagedNodeGroup(stack, id, { cluster, ...options, ...cidr }));
      });
      addWindowsGroups(stack, cluster, kind, serviceCidr);
    }
  }
}

/** Windows with its prerequisites. The ConfigMap needs kubectl, which only clusters of `aws-eks` have here. */
function addWindowsGroups(
  stack: Stack,
  cluster: ICluster,
  kind: string,
  serviceCidr: Partial<ManagedNodeGroupProps>,
): void {
  const ipam = kind.startsWith('Custom') ? {} : { windowsIpam: WindowsIpam.MANAGED_ELSEWHERE };
  const access = kind.startsWith('Imported') ? { nodeAccess: WindowsNodeAccess.ACCESS_ENTRY } : {};
  [
    {},
    { windowsBootstrap },
    { customAmi: AMI, ...serviceCidr, ...access },
    { ...KUBELET, windowsBootstrap, customAmi: AMI, ...serviceCidr, ...access },
  ].forEach((options, index) => {
    const id = `Windows${index}`;
    tryMake(stack, id, () => new WindowsNodeGroup(stack, id, { cluster, ...ipam, ...options }));
  });
}
