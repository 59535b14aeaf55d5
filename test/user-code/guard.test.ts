import { isPromise, messageOf, runUserCode } from '../../lib/user-code/guard';

describe('code of the user', () => {
  const exit = (): unknown => Reflect.get(process, 'exit');
  const own = exit();

  it('gives what it gives', () => {
    expect(runUserCode(() => 5)).toBe(5);
    expect(exit()).toBe(own);
  });

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no luck');
      },
      'no luck',
    ],
    ['ends the process', () => process.exit(3), 'it calls process.exit(3)'],
    ['ends the process without a code', () => process.exit(), 'it calls process.exit()'],
  ])('that %s ends with an error, and the process goes on', (_, work, message) => {
    expect(() => runUserCode(work)).toThrow(message);
    expect(exit()).toBe(own);
  });

  it('is what the error points at that ends the process', () => {
    const leave = () => process.exit(1);
    let stack = '';
    try {
      runUserCode(leave);
    } catch (error) {
      ({ stack = '' } = error as Error);
    }
    const [, first = ''] = stack.split('\n');
    expect(first).toMatch(/guard\.test\.ts/);
    expect(stack).not.toContain('refuseExit');
  });
});

describe('a promise', () => {
  it.each<[string, unknown, boolean]>([
    ['a promise', Promise.resolve(1), true],
    ['something like one', { then: () => undefined }, true],
    ['something that only has the name', { then: 5 }, false],
    ['a map', { catch: () => undefined }, false],
    ['a function with it', Object.assign(() => 1, { then: () => undefined }), false],
    ['null', null, false],
    ['nothing', undefined, false],
    ['a text', 'then', false],
  ])('%s', (_, value, expected) => {
    expect(isPromise(value)).toBe(expected);
  });

  it("that fails is nobody's concern", async () => {
    const heard: unknown[] = [];
    const hear = (error: unknown) => heard.push(error);
    process.on('unhandledRejection', hear);
    expect(isPromise(Promise.reject(new Error('no luck')))).toBe(true);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    process.off('unhandledRejection', hear);
    expect(heard).toEqual([]);
  });
});

describe('what an error says', () => {
  class Unprintable {
    toString(): string {
      throw new Error('no text');
    }
  }
  it.each<[string, unknown, string]>([
    ['an error', new Error('no luck'), 'no luck'],
    ['several lines', new Error('  no luck \n\n   at all\nnow  '), 'no luck at all now'],
    ['a map with a message', { message: 5 }, '5'],
    ['a map without', { a: 1 }, '[object Object]'],
    ['a text', 'no luck', 'no luck'],
    ['null', null, 'null'],
    ['nothing', undefined, 'undefined'],
    ['an error without text', new Error(' \n '), 'it says nothing'],
    ['an empty text', '', 'it says nothing'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['what has no text', new Unprintable(), 'what was thrown has no text'],
    ['a function with a message', Object.assign(() => 1, { message: 'no' }), '() => 1'],
  ])('%s', (_, error, message) => {
    expect(messageOf(error)).toBe(message);
  });
});
