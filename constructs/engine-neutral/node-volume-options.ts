/** Types of EBS volumes. */
export type VolumeType = 'gp3' | 'gp2' | 'io1' | 'io2' | 'st1' | 'sc1';

/** Settings of a volume, as every engine has them. All volumes are encrypted, and go with their instance. */
export interface VolumeOptions {
  /**
   * Size in GiB.
   *
   * @default - of the volume that holds images and pods 20 on Linux and 50 on Windows, with `customAmi` that of the AMI; of others that of `snapshotId`
   */
  readonly size?: number;
  /**
   * Type of the volume. `st1` and `sc1` are for additional volumes only.
   *
   * @default gp3
   * @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
   */
  readonly type?: string;
  /**
   * I/O operations per second: of gp3 3000 to 80000 and at most 500 for each GiB, of io1 100 to 64000 and 50, of io2 100 to 256000 and 1000. Needed for io1 and io2,
   * and refused for other types.
   *
   * @default - of gp3 3000
   */
  readonly iops?: number;
  /**
   * Throughput in MiB/s, of gp3 only: 125 to 2000, and at most a quarter of `iops`.
   *
   * @default 125
   */
  readonly throughput?: number;
  /**
   * Snapshot from which the volume is made, such as one with images for the data volume of Bottlerocket.
   *
   * @default - that of the AMI; an empty volume for additional ones
   */
  readonly snapshotId?: string;
}

/** A volume with its key, in whatever form the engine has for it. */
export interface KeyedVolumeOptions extends VolumeOptions {
  readonly kmsKey?: unknown;
}

/** A volume besides those of the AMI. */
interface AdditionalVolumeOptions extends KeyedVolumeOptions {
  /** Its device, `/dev/xvdc`. Nobody formats or mounts it: a script, a DaemonSet or Bottlerocket's bootstrap container does. */
  readonly deviceName: string;
}

/** The options of a node group about its volumes. */
export interface NodeVolumeOptions {
  /**
   * Size in GiB of the volume that holds images and pods: the root volume, or the data volume `/dev/xvdb` of Bottlerocket. The same as `volume.size`.
   *
   * @default - 20 on Linux, 50 on Windows: the least that EKS's AMIs take; with `customAmi` the size that the AMI has
   */
  readonly diskSize?: number;
  /**
   * Whether the volumes of `customAmi` are left as the AMI has them, instead of with `volume`. For AMIs whose root volume isn't where those of EKS have it, `/dev/xvda`
   * or on Windows `/dev/sda1`: no instance would start. They are encrypted if the AMI's snapshots are, or the account encrypts by default.
   *
   * @default false - they are encrypted gp3 volumes of the AMI's sizes, unless `volume` says more
   */
  readonly amiVolumes?: boolean;
  readonly volume?: KeyedVolumeOptions;
  readonly additionalVolumes?: readonly AdditionalVolumeOptions[];
}
