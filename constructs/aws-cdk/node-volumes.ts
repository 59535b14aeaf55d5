import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { OperatingSystem } from '../engine-neutral/ami-family';

/**
 * The encrypted gp3 volumes of nodes, at the devices where the AMIs have theirs.
 *
 * @param size GiB of the volume that holds images and pods
 */
export function nodeVolumes(os: OperatingSystem, size: number): ec2.BlockDevice[] {
  const encrypted = { encrypted: true, volumeType: ec2.EbsDeviceVolumeType.GP3, deleteOnTermination: true };
  const sized = ec2.BlockDeviceVolume.ebs(size, encrypted);
  switch (os) {
    case 'BOTTLEROCKET':
      // The first device is the operating system, whose size stays the AMI's; images and pods are on the second.
      return [
        { deviceName: '/dev/xvda', volume: VolumeOfImageSize.of(encrypted) },
        { deviceName: '/dev/xvdb', volume: sized },
      ];
    case 'WINDOWS':
      return [{ deviceName: '/dev/sda1', volume: sized }];
    case 'AL2':
    case 'AL2023':
      return [{ deviceName: '/dev/xvda', volume: sized }];
  }
}

/** A volume as large as the AMI's snapshot of it. CDK's own factories ask for a size or a snapshot. */
class VolumeOfImageSize extends ec2.BlockDeviceVolume {
  static of(device: ec2.EbsDeviceProps): ec2.BlockDeviceVolume {
    return new VolumeOfImageSize(device);
  }
}
