import { labelReservedBy, labelsOfFlag } from '../../lib/user-data/node-labels';

describe('labelReservedBy', () => {
  it.each(['tier', 'mycorp.io/tier', 'node.kubernetes.io/role', 'x.node.kubernetes.io/role', 'topology.kubernetes.io/zone', 'kubernetes.io/os', 'notkubernetes.io/x', 'beta.kubernetes.io/instance-type'])('leaves %s to the user', (label) => {
    expect(labelReservedBy(label)).toBeUndefined();
  });

  it.each(['node-role.kubernetes.io/worker', 'k8s.io/foo', 'kubernetes.io/foo', 'node-restriction.kubernetes.io/x', 'autoscaling.k8s.io/x'])('says that kubelet refuses %s', (label) => {
    expect(labelReservedBy(label)).toBe('kubelet');
  });

  it('says that EKS keeps its own prefix', () => {
    expect(labelReservedBy('eks.amazonaws.com/nodegroup')).toBe('eks');
    expect(labelReservedBy('compute.eks.amazonaws.com/x')).toBe('eks');
  });
});

describe('labelsOfFlag', () => {
  it('lists the keys of --node-labels and of nothing else', () => {
    expect(labelsOfFlag('--node-labels=a=b,mycorp.io/c=')).toEqual(['a', 'mycorp.io/c']);
    expect(labelsOfFlag('--node-labels=')).toEqual([]);
    expect(labelsOfFlag('--max-pods=110')).toEqual([]);
  });
});
