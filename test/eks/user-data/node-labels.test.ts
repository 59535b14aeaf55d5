import { labelMaybeReservedBy, labelReservedBy, UNKNOWN_IN_LABEL } from '../../../lib/eks/user-data/node-labels';

describe('labelReservedBy', () => {
  it.each([
    'tier',
    'mycorp.io/tier',
    'node.kubernetes.io/role',
    'x.node.kubernetes.io/role',
    'topology.kubernetes.io/zone',
    'kubernetes.io/os',
    'notkubernetes.io/x',
    'beta.kubernetes.io/instance-type',
  ])('leaves %s to the user', (label) => {
    expect(labelReservedBy(label)).toBeUndefined();
  });

  it.each([
    'node-role.kubernetes.io/worker',
    'k8s.io/foo',
    'kubernetes.io/foo',
    'node-restriction.kubernetes.io/x',
    'autoscaling.k8s.io/x',
  ])('says that kubelet refuses %s', (label) => {
    expect(labelReservedBy(label)).toBe('kubelet');
  });

  it('says that EKS keeps its own prefix', () => {
    expect(labelReservedBy('eks.amazonaws.com/nodegroup')).toBe('eks');
    expect(labelReservedBy('compute.eks.amazonaws.com/x')).toBe('eks');
  });
});

describe('labelMaybeReservedBy', () => {
  it.each<readonly [key: string, owner: string | undefined]>([
    ['mycorp.io/tier', undefined],
    ['kubernetes.io/foo', 'kubelet'],
    ['?', 'unknown'],
    ['tier-?', 'unknown'],
    ['?/tier', 'unknown'],
    ['?.io/tier', 'unknown'],
    ['?.mycorp.io/tier', undefined],
    ['?.kubernetes.io/tier', 'unknown'],
    ['?.node.kubernetes.io/tier', undefined],
    ['?.k8s.io/tier', 'unknown'],
    ['?.amazonaws.com/tier', 'unknown'],
    ['mycorp.io/?', undefined],
    ['node-role.kubernetes.io/?', 'kubelet'],
    ['node.kubernetes.io/?', undefined],
    ['kubernetes.io/?', 'unknown'],
    ['kubernetes.io/foo-?', 'kubelet'],
    ['eks.amazonaws.com/?', 'eks'],
  ])('says of %s that its owner is %s', (key, owner) => {
    expect(labelMaybeReservedBy(key.replace('?', UNKNOWN_IN_LABEL))).toBe(owner);
  });
});
