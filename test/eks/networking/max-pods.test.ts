import fc from 'fast-check';
import { instanceType, instanceTypeNames } from '../../../lib/knowledge';
import { maxPods, type MaxPodsMode } from '../../../lib/eks/networking';

describe('maxPods', () => {
  const listed = instanceTypeNames().filter((name) => instanceType(name)?.maxPodsAws !== undefined);

  it("gives AWS's own figure for every type that AWS lists", () => {
    expect(listed.length).toBeGreaterThan(1100);
    expect(listed.filter((name) => maxPods(name).capacity !== instanceType(name)?.maxPodsAws)).toEqual([]);
  });

  type Row = [type: string, mode: MaxPodsMode, capacity: number, recommended: number];
  it.each<Row>([
    ['m5.large', {}, 29, 29],
    ['c5.4xlarge', {}, 234, 110],
    ['m5.24xlarge', {}, 737, 250],
    ['m5.large', { prefixDelegation: true }, 434, 110],
    ['c5.4xlarge', { prefixDelegation: true }, 3714, 110],
    ['m5.24xlarge', { prefixDelegation: true }, 11762, 250],
    ['m5.large', { customNetworking: true }, 20, 20],
    ['c5.4xlarge', { customNetworking: true }, 205, 110],
    ['m5.24xlarge', { customNetworking: true }, 688, 250],
    ['m5.large', { customNetworking: true, prefixDelegation: true }, 290, 110],
    ['c5.4xlarge', { customNetworking: true, prefixDelegation: true }, 3250, 110],
    ['m5.24xlarge', { customNetworking: true, prefixDelegation: true }, 10978, 250],
    ['m5.large', { windows: true }, 9, 9],
    ['m5.large', { windows: true, prefixDelegation: true }, 144, 110],
    ['c5.4xlarge', { windows: true, prefixDelegation: true }, 464, 110],
    ['m5.24xlarge', { windows: true, prefixDelegation: true }, 784, 250],
    ['t3.medium', {}, 17, 17],
    // MAX_ENI, also above what the type has.
    ['m5.large', { maxEnis: 2 }, 20, 20],
    ['m5.large', { maxEnis: 100 }, 29, 29],
    // Xen: the CNI falls back to single addresses.
    ['m4.large', { prefixDelegation: true }, 20, 20],
    // A trunk interface takes the place of one interface; t3 has none.
    ['m5.large', { podSecurityGroups: true }, 20, 20],
    ['t3.medium', { podSecurityGroups: true }, 17, 17],
  ])('%s %j: %d, recommended %d', (type, mode, capacity, recommended) => {
    expect(maxPods(type, mode)).toMatchObject({ capacity, recommended });
  });

  it('tells the branch interfaces when pods have their own security groups', () => {
    expect(maxPods('m5.large', { podSecurityGroups: true }).branchEnis).toBe(9);
    expect(maxPods('t3.medium', { podSecurityGroups: true }).branchEnis).toBe(0);
    expect(maxPods('m5.large')).not.toHaveProperty('branchEnis');
    expect(maxPods('trn2.48xlarge', { podSecurityGroups: true })).not.toHaveProperty('branchEnis');
  });

  it('recommends nothing when the ceiling depends on a vCPU count that no source tells', () => {
    const unsure = instanceTypeNames().filter(
      (name) => instanceType(name)?.vcpus === undefined && maxPods(name).capacity > 110,
    );
    expect(unsure.length).toBeGreaterThan(0);
    expect(unsure.map((name) => maxPods(name).recommended).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each<[string, MaxPodsMode, RegExp]>([
    ['m99.large', {}, /"m99\.large" isn't known \(table of \d{4}-\d\d-\d\d\)/],
    ['', {}, /isn't known/],
    ['__proto__', {}, /isn't known/],
    ['m5.large', { maxEnis: 0 }, /maxEnis is 0/],
    ['m5.large', { maxEnis: 1.5 }, /maxEnis is 1\.5/],
    ['m5.large', { windows: true, customNetworking: true }, /Windows nodes have no custom networking/],
    ['m5.large', { windows: true, podSecurityGroups: true }, /Windows nodes have no security groups for pods/],
    [
      'm7g.medium',
      { customNetworking: true, podSecurityGroups: true },
      /custom networking and the trunk interface leave no interface of m7g\.medium/,
    ],
    ['m5.large', { customNetworking: true, maxEnis: 1 }, /custom networking leave/],
  ])('refuses %s %j', (type, mode, message) => {
    expect(() => maxPods(type, mode)).toThrow(RangeError);
    expect(() => maxPods(type, mode)).toThrow(message);
  });

  it('never recommends more than the capacity or 250, and prefixes never shrink it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...listed), fc.boolean(), (type, customNetworking) => {
        fc.pre((instanceType(type)?.enis ?? 0) > 1);
        const plain = maxPods(type, { customNetworking });
        const prefixes = maxPods(type, { customNetworking, prefixDelegation: true });
        expect(prefixes.capacity).toBeGreaterThanOrEqual(plain.capacity);
        for (const { capacity, recommended } of [plain, prefixes])
          if (recommended !== undefined) expect(recommended).toBeLessThanOrEqual(Math.min(capacity, 250));
      }),
    );
  });
});
