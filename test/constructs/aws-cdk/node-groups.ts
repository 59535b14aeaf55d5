import type { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { ManagedNodeGroup, type ManagedNodeGroupProps } from '../../../constructs/aws-cdk';
import { launchTemplateData, nativeCluster, newStack, resourceOf, type ClusterOptions } from './clusters';

export const AMI = 'ami-0123456789abcdef0';
export const al2Reason = 'moves to AL2023 next quarter';
export const types = (...names: string[]): ec2.InstanceType[] => names.map((name) => new ec2.InstanceType(name));

export type Options = Omit<ManagedNodeGroupProps, 'cluster'>;

export function makeGroup(
  options: Options = {},
  cluster: ClusterOptions = {},
): { stack: Stack; group: ManagedNodeGroup } {
  const stack = newStack();
  return {
    stack,
    group: new ManagedNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack, cluster), ...options }),
  };
}

export function nodegroup(options: Options = {}, cluster: ClusterOptions = {}): Readonly<Record<string, unknown>> {
  return resourceOf(makeGroup(options, cluster).stack, 'AWS::EKS::Nodegroup').Properties;
}

export function launchTemplate(options: Options = {}, cluster: ClusterOptions = {}): Readonly<Record<string, unknown>> {
  return launchTemplateData(makeGroup(options, cluster).stack);
}
