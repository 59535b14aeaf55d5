import fc from 'fast-check';
import { runs } from '../share';
import { topLevelKeys } from '../../lib/text/json-keys';
import { cpuTime } from '../cpu-time';

describe('keys of a JSON text', () => {
  it.each([
    ['{"a" : {"b": ["c", {"d": 1}]}, "e"\n: "f:", "g": 1}', ['a', 'e', 'g']],
    ['{"a\\\\": 1, "b\\"c": 2}', ['a\\\\', 'b\\"c']],
    ['  {"a": 1', ['a']],
    ['[{"a": 1}]', []],
    ['x {"a": 1}', []],
    ['{"a": "b" "c": 1}', ['a', 'c']],
  ])('%j has %j', (text, keys) => {
    expect([...topLevelKeys(text)]).toEqual(keys);
  });

  it('are those of its object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: fc.constantFrom('a', 'b', '{', ']', ':', ' ') }), fc.jsonValue()),
        (object) => {
          // Names such as `__proto__` are no own keys of what is written.
          const text = JSON.stringify(object);
          expect([...topLevelKeys(`\uFEFF ${text}`)]).toEqual(Object.keys(JSON.parse(text) as object));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it.each(['{"a": "never ended', '{"a"', '{', '}', '{]', '{"a\\', '{"a": 1}}{"b": 2}'])(
    'of a broken one end somewhere: %s',
    (text) => {
      expect([...topLevelKeys(text)].filter((key) => key !== 'a')).toEqual([]);
    },
  );

  it('are found in time', () => {
    const elapsed = cpuTime();
    expect([...topLevelKeys(`{"a": "${'\\\\\\"'.repeat(300_000)}", "b": ${'['.repeat(300_000)}`)]).toEqual(['a', 'b']);
    expect(elapsed()).toBeLessThan(2000);
  });
});
