import { config, fixCodeIn, managed } from './configs';

const NAME =
  'name: workers-2 # a new group, as eksctl changes none that exists: "eksctl delete nodegroup" drains workers then';

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
      `${NAME}\ndisablePodIMDS: false`,
    ],
    ['tokens are required', config(managed('disableIMDSv1: false')), 'imds-v1', `${NAME}\ndisableIMDSv1: true`],
    [
      'a group has types of one architecture',
      config(managed('instanceTypes: [m5.large, m6g.large]')),
      'ami-type-architecture',
      `${NAME}\ninstanceTypes:\n  - m5.large`,
    ],
  ])('%s', (_, text, rule, code) => {
    expect(fixCodeIn(text, rule)).toBe(code);
  });

  it('is left out where eksctl has no such setting', () => {
    const text = config(managed('amiFamily: Bottlerocket', 'volumeName: /dev/xvda', 'volumeSize: 100'));
    expect(fixCodeIn(text, 'bottlerocket-data-volume')).toBeUndefined();
    expect(fixCodeIn(config('iam: {}'), 'cluster-support-type')).toBe('upgradePolicy:\n  supportType: EXTENDED');
  });

  it('gives a group no name of another one, and none where eksctl takes the setting over', () => {
    const taken = config(managed('disablePodIMDS: true'), '  - name: workers-2', 'nodeGroups:', '  - name: workers-3');
    expect(fixCodeIn(taken, 'imds-hop-limit')).toBe(`${NAME.replace('-2', '-4')}\ndisablePodIMDS: false`);
    const filledIn = config('managedNodeGroups:', '  - name: ${NAME}-workers', '    disablePodIMDS: true');
    expect(fixCodeIn(filledIn, 'imds-hop-limit')).toMatch(/^name: "\$\{NAME\}-workers-2" # /);
    const atOnce = config(managed('maxSize: 2', 'updateConfig: {maxUnavailable: 2}'));
    expect(fixCodeIn(atOnce, 'node-group-update-config')).not.toContain('name:');
  });

  it('names the new group beside the part of it that changes, which keeps its anchor', () => {
    const ARN = 'arn:aws:iam::aws:policy';
    const policies = ['AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'].map((name) => `        - ${ARN}/${name}`);
    const text = config(
      'iam: {withOIDC: true}',
      managed('iam:', '  attachPolicyARNs: &policies'),
      ...policies,
      '  - name: others',
      '    iam: {attachPolicyARNs: *policies}',
    );
    expect(fixCodeIn(text, 'vpc-cni-role-on-nodes')).toBe(
      `attachPolicyARNs: &policies
  - arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy
# in the group "workers":
${NAME}`,
    );
  });
});
