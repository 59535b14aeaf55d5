/** What eksctl calls the family of an AMI type, and of those that it has. Source: eksctl, apis/eksctl.io/v1alpha5/amitype.go. */
export function eksctlFamilyOf(amiType: string): string | undefined {
  if (/^AL2(?:023)?_/.test(amiType)) return amiType.startsWith('AL2_') ? 'AmazonLinux2' : 'AmazonLinux2023';
  if (amiType.startsWith('BOTTLEROCKET_')) return amiType.endsWith('_FIPS') ? 'BottlerocketFips' : 'Bottlerocket';
  const [, edition = '', release] = /^WINDOWS_(CORE|FULL)_(\d+)/.exec(amiType) ?? [];
  return release === undefined ? undefined : `WindowsServer${release}${edition === 'CORE' ? 'Core' : 'Full'}Container`;
}
