import { Aws, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { NodeVolume } from '../engine-neutral/node-volumes';

/** Volumes of nodes as CDK's launch template takes them, but for the throughput, of which older versions of CDK have other limits. */
export function blockDevices(volumes: readonly NodeVolume<kms.IKey>[]): ec2.BlockDevice[] {
  return volumes.map(({ deviceName, type, size, iops, snapshotId, kmsKey }) => ({
    deviceName,
    volume: VolumeWithAnySize.of({
      encrypted: true,
      volumeType: type as ec2.EbsDeviceVolumeType,
      deleteOnTermination: true,
      ...(size === undefined ? {} : { volumeSize: size }),
      ...(iops === undefined ? {} : { iops }),
      ...(snapshotId === undefined ? {} : { snapshotId }),
      ...(kmsKey === undefined ? {} : { kmsKey }),
    }),
  }));
}

/** A volume that may be as large as its snapshot. CDK's own factories ask for a size or a snapshot. */
class VolumeWithAnySize extends ec2.BlockDeviceVolume {
  static of(device: ec2.EbsDeviceProps): ec2.BlockDeviceVolume {
    return new VolumeWithAnySize(device);
  }
}

const granted = new WeakSet<kms.IKey>();

/**
 * Lets EC2 Auto Scaling start instances with volumes of a key, once for each key that the app defines.
 * Source: Amazon EC2 Auto Scaling user guide, "Required AWS KMS key policy for use with encrypted volumes".
 */
export function letAutoScalingUse(scope: Construct, volumes: readonly NodeVolume<kms.IKey>[]): void {
  const keys = new Set(volumes.flatMap(({ kmsKey }) => (kmsKey instanceof kms.Key ? [kmsKey] : [])));
  for (const key of keys) {
    if (granted.has(key)) continue;
    granted.add(key);
    const principal = new iam.ArnPrincipal(
      `arn:${Aws.PARTITION}:iam::${Stack.of(scope).account}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`,
    );
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [principal],
        actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        resources: ['*'],
      }),
    );
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [principal],
        actions: ['kms:CreateGrant'],
        resources: ['*'],
        conditions: { Bool: { 'kms:GrantIsForAWSResource': true } },
      }),
    );
  }
}
