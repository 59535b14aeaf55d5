import { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { IConstruct } from 'constructs';
import { ConstructionError, type ICluster } from '../../../../constructs/aws-cdk';
import { customCluster, importedCluster, nativeCluster, SERVICE_CIDR } from '../clusters';

export const ENVIRONMENT = { region: 'eu-west-1', account: '123456789012' };

export const vpcIn = (stack: Stack): ec2.Vpc => new ec2.Vpc(stack, 'Vpc', { maxAzs: 2 });

export const clusterKinds: Readonly<Record<string, (stack: Stack) => ICluster>> = {
  Native: (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
  NativeOld: (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, version: '1.32' }),
  NativeIpv6: (stack) => nativeCluster(stack, { ipFamily: 'ipv6' }),
  Custom: (stack) => customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
  CustomOldApi: (stack) =>
    customCluster(stack, {
      serviceIpv4Cidr: SERVICE_CIDR,
      version: '1.32',
      authenticationMode: eks.AuthenticationMode.API,
    }),
  ImportedNative: (stack) => importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: vpcIn(stack) }),
  ImportedCustom: (stack) => importedCluster(stack, 'aws-eks', { complete: true, vpc: vpcIn(stack) }),
};

/** The constructs under test; everything else in the app is scenery, and its own business. */
export const underTest: IConstruct[] = [];
let refused = 0;

/** How many combinations were refused. */
export const countRefused = (): number => refused;

/** Makes a construct, or takes it away again when its options are refused. */
export function tryMake(scope: Stack, id: string, make: () => IConstruct): IConstruct | undefined {
  try {
    const made = make();
    underTest.push(made);
    return made;
  } catch (error) {
    if (!(error instanceof ConstructionError)) throw error;
    refused++;
    scope.node.tryRemoveChild(id);
    return undefined;
  }
}

/** What constructs accepted or refused against expectation. */
export const surprises: string[] = [];

/** Makes a construct whose options are to be accepted. */
export function makeAccepted(make: () => IConstruct): void {
  const message = refusalOf(() => underTest.push(make()));
  if (message !== undefined) surprises.push(message);
}

/** Makes a construct, in an app that is of no further use, whose options are to be refused. */
export function makeRefused(words: RegExp, make: () => void): void {
  const message = refusalOf(make);
  if (message === undefined || !words.test(message)) surprises.push(`not ${String(words)}: ${message ?? 'accepted'}`);
  refused++;
}

function refusalOf(make: () => void): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (error instanceof ConstructionError) return error.message;
    throw error;
  }
}
