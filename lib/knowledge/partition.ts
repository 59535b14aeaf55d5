/** Partitions other than `aws`, by the first part of their regions' names. Source: botocore's partitions.json. */
const PARTITIONS: readonly (readonly [prefix: string, partition: string, urlSuffix: string])[] = [
  ['cn-', 'aws-cn', 'amazonaws.com.cn'],
  ['us-gov-', 'aws-us-gov', 'amazonaws.com'],
  ['us-isob-', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['us-isof-', 'aws-iso-f', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'aws-iso-e', 'cloud.adc-e.uk'],
  ['us-iso-', 'aws-iso', 'c2s.ic.gov'],
  ['eusc-', 'aws-eusc', 'amazonaws.eu'],
];

export function partitionOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'aws';
}

/** Domain of the service endpoints of a region, which `AWS::URLSuffix` stands for. */
export function urlSuffixOf(region: string): string {
  return PARTITIONS.find(([prefix]) => region.startsWith(prefix))?.[2] ?? 'amazonaws.com';
}
