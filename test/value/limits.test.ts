import { beyondLimit, LIMITS, nowhere, parseWithin, Steps, unpackWithin, withLimits } from '../../lib/value';

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

  it('are fewer for work that has only a share of them', () => {
    const { shared, free } = LIMITS.steps;
    withLimits(() => {
      const steps = new Steps();
      expect(steps.take(free)).toBe(true);
      expect(steps.take(shared / 2)).toBe(true);
      expect(steps.take()).toBe(false);
    }, 0.5);
  });

  it('are taken from each input anew, and without an input never end', () => {
    withLimits(() => {
      expect(new Steps().take(LIMITS.steps.shared + 1)).toBe(false);
      withLimits(() => {
        expect(new Steps().take(LIMITS.steps.shared)).toBe(true);
      });
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
    expect(
      withLimits(() => {
        for (let i = 0; i < 1001; i++) beyondLimit('it is', nowhere);
      }).beyond,
    ).toHaveLength(1000);
    expect(() =>
      withLimits(() => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    expect(new Steps().take(LIMITS.steps.shared * 2)).toBe(true);
  });
});

describe('data that a text holds', () => {
  const lengthOf = (text: string) => text.length;
  const read = (language: 'json' | 'yaml', length: number, count: number) =>
    withLimits(
      () =>
        Array.from({ length: count }, (_, index) => parseWithin(`${index}`.padEnd(length), language, lengthOf)).filter(
          (one) => one !== undefined,
        ).length,
      0.01,
    ).result;

  it('is limited for all texts of an input together, but for short ones; JSON is twenty times as cheap', () => {
    expect(read('yaml', 10_000, 10)).toBe(4);
    expect(read('json', 10_000, 100)).toBe(80);
    expect(read('yaml', 4000, 100)).toBe(100);
  });

  it('is parsed once, and costs little from then on', () => {
    let parsed = 0;
    const count = (text: string) => text.length + parsed++;
    withLimits(() => {
      const text = ' '.repeat(10_000);
      for (let i = 0; i < 50; i++) expect(parseWithin(text, 'yaml', count)).toEqual({ data: 10_000 });
    }, 0.01);
    expect(parsed).toBe(1);
  });
});

describe('a text that is unpacked', () => {
  const packed = new Uint8Array(10);
  const bytes = (length: number) => () => new Uint8Array(length);
  const failing = (error: unknown) => () => {
    throw error;
  };

  it('may be as long as a text, or what is left of all of an input', () => {
    const allowed: number[] = [];
    const unpack = (length: number) =>
      unpackWithin(packed, (_, most) => {
        allowed.push(most);
        return new Uint8Array(length);
      });
    withLimits(() => {
      for (let i = 0; i < 7; i++) expect(unpack(LIMITS.text)).toHaveLength(LIMITS.text);
      expect(unpack(LIMITS.text - 5)).toHaveLength(LIMITS.text - 5);
      expect(unpack(5)).toHaveLength(5);
      // Nothing is left, and nothing is tried.
      expect(unpack(1)).toBeUndefined();
    });
    expect(allowed).toEqual([...Array.from({ length: 8 }, () => LIMITS.text), 5]);
    expect(unpack(1)).toHaveLength(1);
  });

  it('costs what it could have been if it is too long or damaged', () => {
    const left = (): number => {
      let most = 0;
      unpackWithin(packed, (_, allowed) => {
        most = allowed;
        return new Uint8Array(0);
      });
      return most;
    };
    withLimits(() => {
      for (let i = 0; i < 7; i++) unpackWithin(packed, bytes(LIMITS.text));
      expect(left()).toBe(LIMITS.text);
      expect(
        unpackWithin(packed, failing(Object.assign(new Error('x'), { code: 'ERR_BUFFER_TOO_LARGE' }))),
      ).toBeUndefined();
      expect(left()).toBe(LIMITS.text - 10 * 1032);
      expect(() =>
        unpackWithin(packed, failing(Object.assign(new Error('damaged'), { code: 'Z_DATA_ERROR' }))),
      ).toThrow('damaged');
      expect(left()).toBe(LIMITS.text - 20 * 1032);
      expect(unpackWithin(new Uint8Array(10_000), failing({ code: 'ERR_BUFFER_TOO_LARGE' }))).toBeUndefined();
      expect(unpackWithin(packed, bytes(0))).toBeUndefined();
    });
  });

  it.each([[null], [undefined], ['ERR_BUFFER_TOO_LARGE'], [{}]])('is not too long because of %p', (error) => {
    let caught: unknown = 'nothing';
    try {
      unpackWithin(packed, failing(error));
    } catch (thrown) {
      caught = thrown;
    }
    expect(caught).toBe(error);
  });
});
