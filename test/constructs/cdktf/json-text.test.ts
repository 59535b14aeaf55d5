import fc from 'fast-check';
import { Fn, Lazy, TerraformOutput, TerraformVariable, Testing, Token } from 'cdktf';
import { runs } from '../../share';
import { documentText, jsonText } from '../../../constructs/cdktf/json-text';
import { newStack } from './stacks';

/** What is written for a value. */
function written(make: (variable: TerraformVariable) => unknown): string {
  const stack = newStack();
  const variable = new TerraformVariable(stack, 'x', { type: 'any' });
  new TerraformOutput(stack, 'out', { value: jsonText(make(variable)) });
  const { output } = JSON.parse(Testing.synth(stack)) as { output: { out: { value: string } } };
  return output.out.value;
}

describe('JSON for an argument', () => {
  it('is plain text without tokens', () => {
    expect(written(() => ({ a: 'say "x" \\', b: [1, true, null], c: undefined }))).toBe(
      '{"a":"say \\"x\\" \\\\","b":[1,true,null]}',
    );
  });

  it.each<[string, (variable: TerraformVariable) => unknown, string]>([
    ['a text', (x) => ({ a: x.stringValue }), '{"a" = "${var.x}"}'],
    ['a part of a text', (x) => ({ a: `"${x.stringValue}"\n` }), '{"a" = "\\"${var.x}\\"\\n"}'],
    ['two parts of a text', (x) => [`${x.stringValue}-${x.stringValue}`], '["${var.x}-${var.x}"]'],
    ['a number', (x) => ({ a: x.numberValue, b: 1.5 }), '{"a" = "${var.x}", "b" = 1.5}'],
    ['a list', (x) => ({ a: x.listValue }), '{"a" = "${var.x}"}'],
    ['a boolean', (x) => ({ a: x.booleanValue }), '{"a" = "${var.x}"}'],
    ['a key', (x) => ({ [`${x.stringValue}:sub`]: true }), '{"${var.x}:sub" = true}'],
    ['a function', (x) => ({ a: Fn.replace(x.stringValue, 'b', '}') }), '{"a" = "${replace(var.x, "b", "}")}"}'],
    ['everything', (x): unknown => x.value, '"${var.x}"'],
    [
      'what the user has written',
      () => ({ a: 'a "b" ${lookup(var.m, "}")} $${c} %{ if true }', b: null }),
      '{"a" = "a \\"b\\" ${lookup(var.m, "}")} $${c} %{ if true }", "b" = null}',
    ],
    [
      'what is made late',
      () => ({ a: Lazy.stringValue({ produce: () => '"late" ${var.x}' }) }),
      '{"a" = "\\"late\\" ${var.x}"}',
    ],
    [
      'signs that only JSON can escape',
      (x) => ({ a: x.stringValue, b: 'a\u0001b' }),
      '{"a" = "${var.x}", "b" = "a\\u0001b"}',
    ],
  ])('has %s that is decided at deployment in jsonencode', (_, make, expected) => {
    expect(written(make)).toBe(`\${jsonencode(${expected})}`);
  });

  it('is plain text where what is made late is known', () => {
    expect(
      written(() => ({
        a: Lazy.anyValue({ produce: () => ({ b: 1 }) }),
        c: Token.asString(Lazy.stringValue({ produce: () => 'x' })),
      })),
    ).toBe('{"a":{"b":1},"c":"x"}');
  });

  it('of a document has it in place', () => {
    const stack = newStack();
    const variable = new TerraformVariable(stack, 'x', { type: 'string' });
    new TerraformOutput(stack, 'out', {
      value: documentText({
        [`${variable.stringValue}:sub`]: ['a "b"', `arn:${variable.stringValue}:*`, '${f(var.y, "z")}'],
      }),
    });
    expect((JSON.parse(Testing.synth(stack)) as { output: unknown }).output).toEqual({
      out: { value: '{"${var.x}:sub":["a \\"b\\"","arn:${var.x}:*","${f(var.y, "z")}"]}' },
    });
  });

  it('keeps every text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 12 }), { maxKeys: 3 }),
        (texts) => {
          const plain = Object.fromEntries(
            Object.entries(texts)
              .filter(([key]) => key !== '__proto__' && key !== 'token')
              .map(([key, text]) => [key.replaceAll(/[$%]/g, ''), text.replaceAll(/[$%]/g, '')]),
          );
          const made = written((x) => ({ ...plain, token: x.stringValue }));
          // Without interpolations Terraform's quoted texts are read as JSON's.
          const asJson = made
            .replace(/^\$\{jsonencode\((.*)\)\}$/s, '$1')
            .replaceAll(/("(?:[^"\\]|\\.)*") = /gs, '$1: ');
          expect(JSON.parse(asJson)).toEqual({ ...plain, token: '${var.x}' });
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
