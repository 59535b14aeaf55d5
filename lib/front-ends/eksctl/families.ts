import { acceleratorOf, instanceType } from '../../knowledge';
import type { AmiFamily } from '../../eks';

/*
 * What eksctl calls operating systems, and the AMI types that it gives to managed groups. Source: apis/eksctl.io/v1alpha5/types.go and amitype.go.
 */

const UBUNTU = ['2004', '2204', '2404', '2604'].flatMap((release) => [`Ubuntu${release}`, `UbuntuPro${release}`]);
const WINDOWS = ['2019', '2022', '2025'].flatMap((release) => [
  `WindowsServer${release}CoreContainer`,
  `WindowsServer${release}FullContainer`,
]);

const FAMILIES: readonly string[] = [
  'AmazonLinux2023',
  'AmazonLinux2',
  ...UBUNTU,
  'Bottlerocket',
  'BottlerocketFips',
  ...WINDOWS,
];

/** Every Kubernetes version has it since v0.219.0. */
export const DEFAULT_FAMILY = 'AmazonLinux2023';

/** A family as eksctl spells it: it takes any case. Undefined of one that it doesn't have. */
export function familyNamed(name: string): string | undefined {
  return FAMILIES.find((family) => family.toLowerCase() === name.toLowerCase());
}

export function isUbuntu(family: string): boolean {
  return family.startsWith('Ubuntu');
}

export function isWindows(family: string): boolean {
  return family.startsWith('Windows');
}

export function isBottlerocket(family: string): boolean {
  return family.startsWith('Bottlerocket');
}

/** How EKS calls the family; undefined of Ubuntu, which is nobody's but eksctl's. */
export function amiFamilyOf(family: string): AmiFamily | undefined {
  if (isBottlerocket(family)) return 'BOTTLEROCKET';
  if (isWindows(family)) return 'WINDOWS';
  return family === 'AmazonLinux2023' ? 'AL2023' : family === 'AmazonLinux2' ? 'AL2' : undefined;
}

/** The instance type that eksctl goes by: the first with a GPU or a Neuron device, else the first. */
export function decidingType(types: readonly string[]): string | undefined {
  return types.find((type) => acceleratorOf(type) !== undefined) ?? types[0];
}

/** The AMI type that eksctl gives to a managed group. Types that it doesn't know count as x86 without accelerator. */
export function amiTypeFor(family: string, type: string): string {
  const isArm = instanceType(type)?.architecture === 'arm64';
  const accelerator = acceleratorOf(type);
  if (family === 'AmazonLinux2023') {
    if (isArm) return accelerator === 'nvidia' ? 'AL2023_ARM_64_NVIDIA' : 'AL2023_ARM_64_STANDARD';
    return `AL2023_x86_64_${accelerator === undefined ? 'STANDARD' : accelerator.toUpperCase()}`;
  }
  if (family === 'AmazonLinux2')
    return isArm ? 'AL2_ARM_64' : accelerator === undefined ? 'AL2_x86_64' : 'AL2_x86_64_GPU';
  if (isBottlerocket(family)) {
    const nvidia = accelerator === 'nvidia' ? '_NVIDIA' : '';
    return `BOTTLEROCKET_${isArm ? 'ARM_64' : 'x86_64'}${nvidia}${family === 'BottlerocketFips' ? '_FIPS' : ''}`;
  }
  const [, release = '', edition = ''] = /^WindowsServer(\d+)(Core|Full)/.exec(family) ?? [];
  return release === '' ? 'CUSTOM' : `WINDOWS_${edition.toUpperCase()}_${release}_x86_64`;
}
