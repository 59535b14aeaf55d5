import type { IConstruct } from 'constructs';
import type { OperatingSystem } from './ami-family';
import { refuse } from './construction-error';
import type { KeyedVolumeOptions, NodeVolumeOptions, VolumeType } from './node-volume-options';
import { inRange, oneOf } from './number-checks';
import type { TokenTools } from './tokens';

/*
 * Volumes of nodes, at the devices where the AMIs have theirs. Sources: Amazon EC2 API reference, LaunchTemplateEbsBlockDeviceRequest; Amazon EBS user guide,
 * "Amazon EBS volume types"; awslabs/amazon-eks-ami, templates; Bottlerocket, "Default volumes"; Amazon EKS API reference, CreateNodegroup, diskSize.
 */

/** A volume of an instance, encrypted and deleted with it. */
export interface NodeVolume<Key = unknown> {
  readonly deviceName: string;
  readonly type: VolumeType;
  /** GiB; undefined for that of the snapshot. */
  readonly size: number | undefined;
  readonly iops: number | undefined;
  readonly throughput: number | undefined;
  readonly snapshotId: string | undefined;
  readonly kmsKey: Key | undefined;
}

/** What the options of an engine have for keys. */
export type KeyOf<Options extends NodeVolumeOptions> = Exclude<NonNullable<Options['volume']>['kmsKey'], undefined>;

interface Limits {
  /** GiB. */
  readonly size: readonly [number, number];
  readonly iops?: readonly [number, number];
  /** I/O operations per second for each GiB. */
  readonly ratio?: number;
  readonly throughput?: readonly [number, number];
  readonly canBoot: boolean;
  readonly needsIops?: boolean;
}

const TYPES: Readonly<Record<VolumeType, Limits>> = {
  gp3: { size: [1, 65_536], iops: [3000, 80_000], ratio: 500, throughput: [125, 2000], canBoot: true },
  gp2: { size: [1, 16_384], canBoot: true },
  io1: { size: [4, 16_384], iops: [100, 64_000], ratio: 50, canBoot: true, needsIops: true },
  io2: { size: [4, 65_536], iops: [100, 256_000], ratio: 1000, canBoot: true, needsIops: true },
  st1: { size: [125, 16_384], canBoot: false },
  sc1: { size: [125, 16_384], canBoot: false },
};

/** What the AMIs of an operating system have. */
interface Layout {
  /** Device of the volume that holds images and pods. */
  readonly device: string;
  /** Device of the operating system, where that is another one. */
  readonly system?: string;
  /** GiB of EKS's own AMI; a smaller volume is refused at launch. Also what EKS gives nodes if nobody says otherwise. */
  readonly size: number;
}

const LINUX: Layout = { device: '/dev/xvda', size: 20 };
const LAYOUTS: Readonly<Record<OperatingSystem, Layout>> = {
  AL2: LINUX,
  AL2023: LINUX,
  BOTTLEROCKET: { device: '/dev/xvdb', system: '/dev/xvda', size: 20 },
  WINDOWS: { device: '/dev/sda1', size: 50 },
};

/** GiB that EKS gives nodes if nobody says otherwise. */
function defaultDiskSize(os: OperatingSystem): number {
  return LAYOUTS[os].size;
}

/** The volumes of nodes for which nobody has set anything but a size. */
export function plainVolumes(os: OperatingSystem, size = defaultDiskSize(os)): readonly NodeVolume<never>[] {
  return volumesOf(os, { size }).map((volume) => ({ ...volume, kmsKey: undefined }));
}

/** The volumes of a group; refuses what EC2 refuses. */
export function nodeVolumes<Options extends NodeVolumeOptions>(
  scope: IConstruct,
  tokens: TokenTools,
  os: OperatingSystem,
  hasCustomAmi: boolean,
  options: Options,
): readonly NodeVolume<KeyOf<Options>>[] {
  const { diskSize, volume = {}, additionalVolumes = [], amiVolumes = false } = options;
  if (amiVolumes) refuseWithAmiVolumes(scope, hasCustomAmi, options);
  if (diskSize !== undefined && volume.size !== undefined)
    refuse(scope, `diskSize is ${diskSize} and volume.size is ${volume.size}; leave one of them out`);
  const sizeName = diskSize === undefined ? 'volume.size' : 'diskSize';
  const size = diskSize ?? volume.size;
  const { device, system, size: least } = LAYOUTS[os];
  inRange(scope, tokens, sizeName, size, 1);
  // Of other AMIs and snapshots nobody here knows the size.
  const isKnown = !hasCustomAmi && volume.snapshotId === undefined;
  const written = size ?? (isKnown ? least : undefined);
  const { size: _, ...settings } = volume;
  refuseVolume(scope, tokens, 'volume', written === undefined ? settings : { ...settings, size: written }, true);
  if (isKnown && size !== undefined && !tokens.isToken(size) && size < least) {
    refuse(
      scope,
      `${sizeName} is ${size} GiB; the ${system === undefined ? 'root' : 'data'} volume of EKS's ${os} AMI has ${least}, and EC2 starts no instance with a smaller one`,
    );
  }
  const taken = new Set([device, system].flatMap((name) => (name === undefined ? [] : [identityOf(name)])));
  for (const [index, { deviceName, ...additional }] of additionalVolumes.entries()) {
    const at = `additionalVolumes[${index}]`;
    refuseDevice(scope, tokens, at, deviceName, taken);
    if (additional.size === undefined && additional.snapshotId === undefined)
      refuse(scope, `${at} has neither size nor snapshotId; EC2 asks for one of them`);
    refuseVolume(scope, tokens, at, additional, false);
  }
  const all: readonly NodeVolume[] = [
    ...(amiVolumes ? [] : volumesOf(os, { ...settings, size: written })),
    ...additionalVolumes.map(({ deviceName, ...additional }) => volumeOf(deviceName, additional)),
  ];
  return all as readonly NodeVolume<KeyOf<Options>>[];
}

function refuseWithAmiVolumes(scope: IConstruct, hasCustomAmi: boolean, { diskSize, volume }: NodeVolumeOptions): void {
  if (!hasCustomAmi)
    refuse(scope, "amiVolumes is true without customAmi; leave it out, as the volumes of EKS's AMIs are known");
  const other = diskSize !== undefined ? 'diskSize' : volume !== undefined ? 'volume' : undefined;
  if (other !== undefined) refuse(scope, `amiVolumes is true and ${other} is set; leave one of them out`);
}

function volumesOf(os: OperatingSystem, volume: Sized): NodeVolume[] {
  const { device, system } = LAYOUTS[os];
  return [
    // Bottlerocket's first device is the operating system, whose size stays the AMI's; images and pods are on the second.
    ...(system === undefined ? [] : [volumeOf(system, { kmsKey: volume.kmsKey })]),
    volumeOf(device, volume),
  ];
}

type Sized = Omit<KeyedVolumeOptions, 'size'> & { readonly size?: number | undefined };

function volumeOf(deviceName: string, volume: Sized): NodeVolume {
  const { size, type, iops, throughput, snapshotId, kmsKey } = volume;
  return { deviceName, size, type: (type ?? 'gp3') as VolumeType, iops, throughput, snapshotId, kmsKey };
}

function refuseVolume(
  scope: IConstruct,
  tokens: TokenTools,
  at: string,
  { type = 'gp3', size, iops, throughput, snapshotId }: KeyedVolumeOptions,
  isOfAmi: boolean,
): void {
  oneOf(scope, tokens, `${at}.type`, type, Object.keys(TYPES));
  if (!isVolumeType(type)) return;
  const limits = TYPES[type];
  if (isOfAmi && !limits.canBoot)
    refuse(scope, `${at}.type is "${type}", from which no instance starts; use it for additionalVolumes`);
  inRange(scope, tokens, `${at}.size of a ${type} volume`, size, ...limits.size);
  if (limits.needsIops === true && iops === undefined)
    refuse(scope, `${at}.type is "${type}" without iops; EC2 asks for a number`);
  if (iops !== undefined && limits.iops === undefined)
    refuse(scope, `${at} is a ${type} volume with iops, which EC2 takes for gp3, io1 and io2 only; leave it out`);
  if (throughput !== undefined && limits.throughput === undefined)
    refuse(scope, `${at} is a ${type} volume with throughput, which EC2 takes for gp3 only; leave it out`);
  if (limits.iops !== undefined) inRange(scope, tokens, `${at}.iops of a ${type} volume`, iops, ...limits.iops);
  if (limits.throughput !== undefined) inRange(scope, tokens, `${at}.throughput`, throughput, ...limits.throughput);
  // The lowest number of gp3 comes with every size.
  const isFree = type === 'gp3' && iops === limits.iops?.[0];
  if (
    iops !== undefined &&
    size !== undefined &&
    limits.ratio !== undefined &&
    !isFree &&
    !tokens.isToken(iops) &&
    !tokens.isToken(size) &&
    iops > size * limits.ratio
  ) {
    refuse(
      scope,
      `${at}.iops is ${iops} and the size ${size} GiB; a ${type} volume has at most ${limits.ratio} for each GiB, here ${size * limits.ratio}`,
    );
  }
  const operations = iops ?? 3000;
  if (
    throughput !== undefined &&
    !tokens.isToken(throughput) &&
    !tokens.isToken(operations) &&
    throughput * 4 > operations
  ) {
    refuse(
      scope,
      `${at}.throughput is ${throughput} and iops ${iops === undefined ? 'not set, so 3000' : operations}; gp3 gives a quarter of a MiB/s for each, so set iops to ${throughput * 4} or more`,
    );
  }
  if (
    snapshotId !== undefined &&
    !tokens.isToken(snapshotId) &&
    !/^snap-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(snapshotId)
  )
    refuse(scope, `${at}.snapshotId is "${snapshotId}"; a snapshot id is "snap-" and 8 or 17 hexadecimal digits`);
}

function isVolumeType(type: string): type is VolumeType {
  return Object.hasOwn(TYPES, type);
}

/** `/dev/sdb` and `/dev/xvdb` are one device. */
function identityOf(deviceName: string): string {
  return deviceName.replace(/^(?:\/dev\/)?(?:sd|xvd)/, '').replace(/^a1$/, 'a');
}

function refuseDevice(scope: IConstruct, tokens: TokenTools, at: string, deviceName: string, taken: Set<string>): void {
  if (tokens.isToken(deviceName)) return;
  // Source: Amazon EC2 user guide, "Device names for volumes on Amazon EC2 instances".
  if (!/^(?:\/dev\/(?:sd[a-z]\d{0,2}|xvd[a-z]{1,2})|xvd[a-z]{1,2})$/.test(deviceName))
    refuse(scope, `${at}.deviceName is "${deviceName}"; a device is called as /dev/xvdc or /dev/sdf`);
  const identity = identityOf(deviceName);
  if (taken.has(identity))
    refuse(scope, `${at}.deviceName is "${deviceName}", where another volume of the nodes is; take another letter`);
  taken.add(identity);
}
