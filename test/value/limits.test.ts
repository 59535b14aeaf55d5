import { beyondLimit, LIMITS, nowhere, Steps, withLimits } from '../../lib/value';

describe('steps', () => {
  it('are free up to a number, and of all values of an input together beyond', () => {
    const { shared, free } = LIMITS.steps;
    withLimits(() => {
      const first = new Steps();
      expect(first.take(free - 1)).toBe(true);
      expect(first.take()).toBe(true);
      expect(first.take(shared - 1)).toBe(true);
      const second = new Steps();
      expect(second.take(free)).toBe(true);
      expect(second.take()).toBe(true);
      expect(second.take()).toBe(false);
      expect(first.take()).toBe(false);
      expect(new Steps().take(free)).toBe(true);
    });
  });

  it('are taken from each input anew, and without an input never end', () => {
    withLimits(() => {
      expect(new Steps().take(LIMITS.steps.shared + 1)).toBe(false);
      withLimits(() => { expect(new Steps().take(LIMITS.steps.shared)).toBe(true); });
      expect(new Steps().take(LIMITS.steps.free + 1)).toBe(false);
    });
    expect(new Steps().take(LIMITS.steps.shared * 2)).toBe(true);
  });
});

describe('what goes beyond a limit', () => {
  it('is told of the input that is worked on', () => {
    const { result, beyond } = withLimits(() => {
      const inner = withLimits(() => beyondLimit('it is deep', nowhere));
      expect(inner.beyond).toEqual([inner.result]);
      return beyondLimit('it is long', nowhere);
    });
    expect(beyond).toEqual([result]);
    expect(result).toMatchObject({ kind: 'unknown', reason: 'it is long', source: nowhere });
    expect(beyondLimit('nobody asks', nowhere).reason).toBe('nobody asks');
  });

  it('is told a thousand times, and not after an error', () => {
    expect(withLimits(() => { for (let i = 0; i < 1001; i++) beyondLimit('it is', nowhere); }).beyond).toHaveLength(1000);
    expect(() => withLimits(() => { throw new Error('broken'); })).toThrow('broken');
    expect(new Steps().take(LIMITS.steps.shared * 2)).toBe(true);
  });
});
