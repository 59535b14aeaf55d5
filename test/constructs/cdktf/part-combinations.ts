import type { TerraformStack } from 'cdktf';
import {
  AmiFamily,
  CapacityReservationPreference,
  InstanceStore,
  ManagedNodeGroup,
  SelfManagedNodeGroup,
  type ICluster,
  type ManagedNodeGroupProps,
} from '../../../constructs/cdktf';
import { combinations, Untried } from '../aws-cdk/combinations/choices';
import { AMI, SERVICE_CIDR, subnets } from './node-groups';
import { UPDATES } from '../shared-axes';

type Options = Partial<ManagedNodeGroupProps>;

/** What groups of their own have, too: the rest is EKS's part, and the role, which is the resource there. */
type OfNodes = Omit<ManagedNodeGroupProps, 'nodeRepair' | 'role' | 'updateStrategy' | 'warmPool'>;

interface Parts {
  readonly os: Options;
  readonly network: Options;
  readonly volume: Options;
  readonly instances: Options;
  readonly updates: Options;
  readonly more: Options;
}

const GROUP = 'sg-0123456789abcdef0';
const kmsKey = { arn: 'arn:aws:kms:eu-west-1:111122223333:key/0123abcd' };

const partCombinations = combinations<Parts>({
  os: [
    {},
    { instanceTypes: ['p5.48xlarge'] },
    { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: ['trn1.32xlarge'] },
    { amiFamily: AmiFamily.WINDOWS_CORE_2022 },
    { customAmi: AMI, serviceCidr: SERVICE_CIDR, instanceTypes: ['p4d.24xlarge'] },
  ],
  network: [
    {},
    { securityGroups: [GROUP] },
    { securityGroups: [GROUP], clusterSecurityGroup: false },
    { remoteAccess: { keyName: 'operators', from: [GROUP] } },
  ],
  volume: [
    {},
    { volume: { size: 200, iops: 6000, throughput: 500 } },
    { volume: { kmsKey, type: 'io2', iops: 5000 } },
    { amiVolumes: true, additionalVolumes: [{ deviceName: '/dev/xvdf', size: 500, type: 'st1' }] },
  ],
  instances: [
    {},
    { capacityType: 'CAPACITY_BLOCK', capacityReservation: { id: 'cr-0123456789abcdef0' }, efa: {} },
    { efa: { interfaces: 1 }, detailedMonitoring: true },
    {
      instanceStore: InstanceStore.RAID0,
      capacityReservation: { preference: CapacityReservationPreference.NONE },
    },
  ],
  updates: UPDATES,
  more: [
    {},
    {
      managedPolicies: [{ arn: 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore' }],
      permissionsBoundary: { arn: 'arn:aws:iam::111122223333:policy/boundary' },
      placementGroup: 'close',
      tags: { team: 'web' },
    },
  ],
});

/**
 * Groups with the options about network, volumes, instances, updates and role, every two of which meet.
 * @param tryMake makes a construct, and tells whether its options were accepted
 */
export function addParts(
  stack: TerraformStack,
  cluster: ICluster,
  kubernetesVersion: string,
  tryMake: (stack: TerraformStack, id: string, make: () => unknown) => boolean,
): void {
  const [untried, untriedAlone] = [new Untried(2), new Untried(2)];
  for (const { options, number, choices } of partCombinations) {
    const { updates, more, ...nodes } = options;
    const ofNodes = Object.assign({ cluster, subnets }, ...Object.values(nodes), more) as OfNodes;
    const id = `WorkersParts${number}`;
    if (untried.has(choices) && tryMake(stack, id, () => new ManagedNodeGroup(stack, id, { ...ofNodes, ...updates })))
      untried.accept(choices);
    if (number % 4 !== 0 || !untriedAlone.has(choices)) continue;
    const make = () =>
      new SelfManagedNodeGroup(stack, `Own${id}`, { accessEntry: false, kubernetesVersion, ...ofNodes });
    if (tryMake(stack, `Own${id}`, make)) untriedAlone.accept(choices);
  }
}
