import { DataAwsEksCluster } from '@cdktf/provider-aws/lib/data-aws-eks-cluster';
import { App, Testing, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AmiFamily,
  BottlerocketSettings,
  ConstructionError,
  ImdsAccess,
  ManagedNodeGroup,
  NodeConfig,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ICluster,
  type ManagedNodeGroupProps,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { bootCasesOf, bootsByResource, EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { bootstrapOf } from '../aws-cdk/boots';
import { AMI, elsewhere, SERVICE_CIDR, subnets } from './node-groups';
import { addParts } from './part-combinations';
import { ipv6, newCluster, newStack, withProvider } from './stacks';
import { itWithAll } from '../../share';

type Options = Omit<ManagedNodeGroupProps, 'cluster' | 'subnets'>;

const nodeConfig = new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } });
const bottlerocketSettings = new BottlerocketSettings({
  hostContainers: { admin: { enabled: true } },
  sysctl: { 'vm.max_map_count': '262144' },
});
const windowsBootstrap = new WindowsBootstrap({
  scripts: ['Write-Host "${env:USERNAME}"'],
  excludedSnatCidrs: ['10.20.0.0/16'],
});
const shellScripts = ['#!/bin/bash\necho "${HOME}"\n'];

const systems: Options[] = [
  { shellScripts, nodeConfig },
  { amiFamily: AmiFamily.AL2, shellScripts },
  { amiFamily: AmiFamily.BOTTLEROCKET, bottlerocketSettings },
  { amiFamily: AmiFamily.WINDOWS_CORE_2022, windowsBootstrap },
  { instanceTypes: ['m7g.large', 'c7g.large'] },
  { instanceTypes: ['g6.xlarge'] },
  { amiType: 'BOTTLEROCKET_ARM_64_NVIDIA', instanceTypes: ['g5g.xlarge'] },
];
const kubelet: Options = {
  labels: { tier: 'web' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
};
const others: Options[] = [
  {},
  kubelet,
  {
    ...kubelet,
    imds: ImdsAccess.NODE_ONLY,
    imdsReason: 'every pod has its own role',
    nodegroupName: 'web',
    tags: { team: 'web' },
    capacityType: 'SPOT',
    diskSize: 100,
    maxUnavailablePercentage: 33,
    maxSize: 10,
    desiredSize: 4,
    forceUpdate: true,
    forceUpdateReason: 'batch jobs can be repeated',
  },
];
const withTokens = (stack: TerraformStack): Options => ({
  labels: { team: new TerraformVariable(stack, 'team', { type: 'string' }).stringValue },
  taints: [
    {
      key: 'dedicated',
      value: new TerraformVariable(stack, 'taint', { type: 'string' }).stringValue,
      effect: 'NO_EXECUTE',
    },
  ],
  customAmi: new TerraformVariable(stack, 'ami', { type: 'string' }).stringValue,
  maxPods: new TerraformVariable(stack, 'pods', { type: 'number' }).numberValue,
  minSize: new TerraformVariable(stack, 'least', { type: 'number' }).numberValue,
});

const api = { accessConfig: { authenticationMode: 'API' } };
const kinds: Readonly<Record<string, (stack: TerraformStack) => ICluster>> = {
  Resource: (stack) => newCluster(stack, api),
  Old: (stack) =>
    newCluster(stack, { ...api, version: '1.32', kubernetesNetworkConfig: { serviceIpv4Cidr: SERVICE_CIDR } }),
  Ipv6: (stack) => newCluster(stack, { ...api, ...ipv6 }),
  Data: (stack) => new DataAwsEksCluster(stack, 'Cluster', { name: 'main' }),
  Elsewhere: () => ({ ...elsewhere, kubernetesVersion: '1.34' }),
  OfModule: (stack) => {
    const output = (name: string): string => new TerraformVariable(stack, name, { type: 'string' }).stringValue;
    return {
      clusterName: output('cluster_name'),
      endpoint: output('endpoint'),
      certificateAuthority: output('ca'),
      serviceCidr: output('cidr'),
    };
  },
};

const made: string[] = [];
let refused = 0;

/** @returns whether it was accepted */
function tryMake(stack: TerraformStack, id: string, make: () => unknown): boolean {
  try {
    make();
    made.push(`${stack.node.path}/${id}`);
    return true;
  } catch (error) {
    if (!(error instanceof ConstructionError)) throw error;
    refused++;
    stack.node.tryRemoveChild(id);
    return false;
  }
}

/** Every group on one kind of cluster. The names of the stacks differ, so that one app holds them all. */
function addGroups(
  stack: TerraformStack,
  stacks: readonly TerraformStack[],
  cluster: ICluster,
  withAddon: boolean,
  version: string,
): void {
  if (withAddon)
    tryMake(
      stack,
      'Cni',
      () =>
        new VpcCniAddon(stack, 'Cni', {
          cluster,
          windowsIpam: true,
          prefixDelegation: {},
          useNodeRole: true,
          kubernetesVersion: '1.34',
        }),
    );
  const tokens = withTokens(stack);
  const pods: Options[] = [{}, { maxPods: 20 }, { customAmi: AMI }, { customAmi: AMI, maxPods: 8 }, tokens];
  // Each stack has a third of them, another one than the stack before.
  let index = stacks.length;
  for (const system of systems) {
    for (const pod of pods) {
      const id = `Workers${index}`;
      const other = others[index++ % others.length];
      const al2 =
        system.amiFamily === AmiFamily.AL2 && pod.customAmi === undefined
          ? { al2Reason: 'moves next quarter', kubernetesVersion: version }
          : {};
      tryMake(
        stack,
        id,
        () =>
          new ManagedNodeGroup(stack, id, {
            cluster,
            subnets,
            ...system,
            ...pod,
            ...al2,
            ...other,
            ...(pod === tokens ? tokens : {}),
          }),
      );
    }
  }
  for (const options of [
    {},
    { customAmi: AMI, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY, ...kubelet },
    { ...tokens, nodeAccess: WindowsNodeAccess.MANAGED_ELSEWHERE },
  ]) {
    const id = `Windows${index++}`;
    tryMake(
      stack,
      id,
      () =>
        new WindowsNodeGroup(stack, id, {
          cluster,
          subnets,
          windowsIpam: WindowsIpam.MANAGED_ELSEWHERE,
          windowsBootstrap,
          ...options,
        }),
    );
  }
}

describe('every combination of options that the node groups accept', () => {
  const app = new App();
  const stacks: TerraformStack[] = [];

  beforeAll(() => {
    for (const [kind, makeCluster] of Object.entries(kinds)) {
      for (const withAddon of kind === 'Resource' || kind === 'OfModule' ? [true, false] : [false]) {
        const stack = withProvider(newStack('eu-west-1', app, `${kind}${withAddon ? 'WithAddon' : ''}`));
        stacks.push(stack);
        const [cluster, version] = [makeCluster(stack), kind === 'Old' ? '1.32' : '1.34'];
        addGroups(stack, stacks, cluster, withAddon, version);
        if (!withAddon && (kind === 'Resource' || kind === 'OfModule')) addParts(stack, cluster, version, tryMake);
      }
    }
  });

  it('is tested in numbers', () => {
    expect(made.length).toBeGreaterThan(300);
    expect(made.filter((id) => id.includes('/WorkersParts')).length).toBeGreaterThan(60);
    expect(made.filter((id) => id.includes('/OwnWorkersParts')).length).toBeGreaterThan(45);
    expect(refused).toBeGreaterThan(50);
  });

  itWithAll('passes every rule of this library, and says what it decides against one', () => {
    for (const stack of stacks) Testing.synth(stack, true);
    const { resources, diagnostics } = readTerraformStacks(
      stacks.map((stack) => ({
        name: stack.node.id,
        constructPath: stack.node.path,
        app: 'cdktf.out',
        file: `${stack.node.id}/cdk.tf.json`,
        content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
      })),
    );
    expect(diagnostics).toEqual([]);
    const model = new EksModel(resources);
    const boots = bootsByResource(model).flatMap(({ launches }) => launches.flatMap(bootCasesOf));
    expect(boots.length).toBeGreaterThan(150);
    // What a node needs to join stands in what is read back, as a value or as what Terraform fills in.
    const ofNodes = boots.filter((boot) => boot.bootstrapBy === 'user');
    expect(ofNodes.length).toBeGreaterThan(80);
    for (const boot of ofNodes) {
      const { name, endpoint, certificateAuthority, network, problems } = bootstrapOf(boot) ?? {};
      expect([boot.template?.path, name, endpoint, certificateAuthority, network?.[0], problems]).toEqual([
        expect.anything(),
        ...Array.from({ length: 4 }, () => expect.any(String) as string),
        [],
      ]);
    }
    const failed = runRules(model, allRules)
      .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info')
      .filter((finding) => /\/(?:Workers|OwnWorkers|Windows|Cni)/.test(finding.resource.path ?? ''));
    // One of each rule is enough to see.
    const open = new Map(
      failed.filter((finding) => finding.suppressed === undefined).map((finding) => [finding.rule, finding.message]),
    );
    expect(Object.fromEntries(open)).toEqual({});
    expect([...new Set(failed.map((finding) => finding.rule))].sort()).toEqual([
      'ami-type-kubernetes-version',
      'imds-hop-limit',
      'node-group-force-update',
    ]);
  });
});
