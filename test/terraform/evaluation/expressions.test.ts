import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeJson } from '../../../lib/terraform/evaluation/functions/json';
import { InvalidValue } from '../../../lib/terraform/evaluation/unknowns';
import { nowhere } from '../../../lib/value';
import { valueOf } from './scopes';

/** Expressions with what Terraform 1.11 makes of them, as JSON; `!error` is what it refuses. */
const recorded = JSON.parse(readFileSync(join(__dirname, 'expressions.json'), 'utf8')) as readonly (readonly [
  string,
  string,
])[];

/** What is left unknown on purpose, because nothing here tells types apart or the answer isn't sure. */
const LEFT_OPEN: ReadonlySet<string> = new Set([
  '1.1 * 3',
  '1 / 3',
  '1.1 + 2.2',
  '"${1.1 * 3}"',
  '0.3 - 0.1 == 0.2',
  '0.3 % 0.1',
  'tonumber("1p0")',
  'tonumber("1.5p1")',
  '"1p0" + 1',
  '"1p1" + 0',
  'format("%d", 1e21)',
  'title("ǆ ß ﬁx")',
  'title("ǆ")',
  'upper("ᾳ")',
  'yamldecode("a: !!int \'1\'")',
  'yamldecode("a: !!int 1.0")',
  'yamldecode("a: !!float 1")',
  'yamldecode("a: !!float \'1.5\'")',
  'yamldecode("a: !!bool \'true\'")',
  'yamldecode("a: !!bool yes")',
  'yamldecode("a: !!null \'\'")',
  'yamldecode("a: !!binary aGVsbG8=")',
  'yamldecode("a: !!binary \'####\'")',
  'yamldecode("a: !!timestamp 2020-01-01")',
  'contains(["1"], 1)',
  'range(0.5, 3)',
  'sum([0.1, 0.2])',
  'pow(2, -1)',
  'cidrsubnet("10.0.0.0/16", 8, -1)',
  'jsondecode("[1e2, -0]")',
  'yamldecode("a: 010")',
  'yamldecode("a: 2020-01-01")',
  'yamldecode("a: [")',
  'yamldecode("a: 1_000")',
  'yamldecode("a: -")',
  'yamldecode("a: 1:30")',
  '[1] == [1]',
  '{a = 1} == {a = 1}',
  '"1" == 1',
  'tolist([]) == []',
  'yamlencode({a="\\nx"})',
  'yamlencode({a="\\n"})',
]);

/** The value as JSON. */
function encoded(text: string): string {
  const value = valueOf(text);
  if (value instanceof InvalidValue) return '!error';
  try {
    const json = encodeJson(value, nowhere);
    return json.kind === 'known' ? json.value : json.kind === 'unknown' ? `unknown: ${json.reason}` : 'absent';
  } catch (error) {
    return `unknown: ${String(error)}`;
  }
}

describe('expressions without references', () => {
  it.each(recorded)('%s', (text, expected) => {
    const found = encoded(text);
    if (LEFT_OPEN.has(text)) expect(found).toMatch(/^unknown: /);
    else expect(found).toBe(expected);
  });
});
