import { allowanceOf, nowhere, Unknown, type Data } from '../../../lib/eks';

type Amount = number | string;

/** As the disruption controller counts, pod by pod: evict while enough of them stay. */
function evictable(setting: 'minAvailable' | 'maxUnavailable', amount: Amount, replicas: number): number {
  const scaled = typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) / 100) * replicas - 1e-9);
  const desiredHealthy = setting === 'minAvailable' ? scaled : Math.max(0, replicas - scaled);
  let healthy = replicas;
  while (healthy > 0 && healthy - 1 >= desiredHealthy) healthy--;
  return replicas - healthy;
}

const AMOUNTS: readonly Amount[] = [0, 1, 2, 3, 7, '0%', '1%', '10%', '33%', '50%', '51%', '67%', '90%', '99%', '100%'];

describe('what a budget allows', () => {
  describe.each(['minAvailable', 'maxUnavailable'] as const)('%s', (setting) => {
    it.each(AMOUNTS)('%s', (amount) => {
      for (let replicas = 1; replicas <= 12; replicas++) {
        const found = allowanceOf({ minAvailable: undefined, maxUnavailable: undefined, [setting]: amount }, replicas);
        const count = evictable(setting, amount, replicas);
        expect([replicas, found.kind === 'some' ? count > 0 : found]).toEqual([
          replicas,
          found.kind === 'some' ? true : { kind: 'pods', count },
        ]);
      }
    });

    it.each(AMOUNTS)('%s of a number that is not known is what holds for every number', (amount) => {
      const found = allowanceOf({ minAvailable: undefined, maxUnavailable: undefined, [setting]: amount }, undefined);
      const counts = new Set(Array.from({ length: 300 }, (_, index) => evictable(setting, amount, index + 1) > 0));
      expect(found.kind).toBe(counts.size > 1 ? 'unknown' : counts.has(true) ? 'some' : 'pods');
    });

    it.each<Data>([-1, 1.5, '1', '101%', '-1%', '5 %', 'all', true, []])('the API server refuses %s', (amount) => {
      expect(allowanceOf({ minAvailable: undefined, maxUnavailable: undefined, [setting]: amount }, 3).kind).toBe(
        'refused',
      );
    });
  });

  it('both settings are refused', () => {
    expect(allowanceOf({ minAvailable: 1, maxUnavailable: 1 }, 3).kind).toBe('refused');
  });

  it('neither holds nothing back', () => {
    expect(allowanceOf({ minAvailable: undefined, maxUnavailable: undefined }, 3).kind).toBe('some');
  });

  it('a setting that is not known', () => {
    const open = new Unknown('the parameter Amount has no default', nowhere);
    expect(allowanceOf({ minAvailable: open, maxUnavailable: undefined }, 3)).toEqual({
      kind: 'unknown',
      reason: 'the parameter Amount has no default',
    });
  });
});
