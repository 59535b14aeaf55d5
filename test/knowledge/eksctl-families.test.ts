import { eksctlFamilyOf } from '../../lib/knowledge/eksctl-families';

describe('families of eksctl', () => {
  // eksctl, apis/eksctl.io/v1alpha5/amitype.go.
  it.each([
    ['AL2_x86_64_GPU', 'AmazonLinux2'],
    ['AL2023_ARM_64_STANDARD', 'AmazonLinux2023'],
    ['BOTTLEROCKET_x86_64', 'Bottlerocket'],
    ['BOTTLEROCKET_ARM_64_FIPS', 'BottlerocketFips'],
    ['WINDOWS_CORE_2022_x86_64', 'WindowsServer2022CoreContainer'],
    ['WINDOWS_FULL_2019_x86_64', 'WindowsServer2019FullContainer'],
    ['CUSTOM', undefined],
  ])('of %s: %s', (amiType, family) => {
    expect(eksctlFamilyOf(amiType)).toBe(family);
  });
});
