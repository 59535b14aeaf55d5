import { config, fixCodeIn, managed } from './configs';

describe('code of fixes', () => {
  it.each<readonly [what: string, text: string, rule: string, code: string | undefined]>([
    [
      'an add-on keeps what the cluster has',
      config('addons: [{name: vpc-cni, version: v1.20.0-eksbuild.1, resolveConflicts: overwrite}]', managed()),
      'vpc-cni-resolve-conflicts',
      'resolveConflicts: preserve',
    ],
    [
      'pods reach instance metadata',
      config(managed('disablePodIMDS: true')),
      'imds-hop-limit',
      'disablePodIMDS: false',
    ],
    ['tokens are required', config(managed('disableIMDSv1: false')), 'imds-v1', 'disableIMDSv1: true'],
    [
      'a group has types of one architecture',
      config(managed('instanceTypes: [m5.large, m6g.large]')),
      'ami-type-architecture',
      'instanceTypes:\n  - m5.large',
    ],
  ])('%s', (_, text, rule, code) => {
    expect(fixCodeIn(text, rule)).toBe(code);
  });

  it('is left out where eksctl has no such setting', () => {
    const text = config(managed('amiFamily: Bottlerocket', 'volumeName: /dev/xvda', 'volumeSize: 100'));
    expect(fixCodeIn(text, 'bottlerocket-data-volume')).toBeUndefined();
    expect(fixCodeIn(config('iam: {}'), 'cluster-support-type')).toBe('upgradePolicy:\n  supportType: EXTENDED');
  });
});
