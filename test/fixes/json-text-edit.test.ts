import { replaceTextLines } from '../../lib/fixes/json-text-edit';
import { jsonTree } from '../../lib/fixes/json-tree';
import { applyEdits } from '../../lib/fixes/text-edit';
import type { Tree } from '../../lib/fixes/tree';

/** The value at `a`, after lines in it were replaced. */
function replaced(
  value: unknown,
  before: readonly string[],
  after: readonly string[],
  first = 99,
  space?: number,
): unknown {
  const text = JSON.stringify({ a: value }, undefined, space);
  const plan = replaceTextLines(jsonTree(text) as Tree, ['a'], { first, before, after });
  return 'refusal' in plan ? `! ${plan.refusal}` : (JSON.parse(applyEdits(text, plan.edits)) as { a: unknown }).a;
}

const joined = (...pieces: readonly unknown[]) => ({ 'Fn::Base64': { 'Fn::Join': ['', pieces] } });
const CLUSTER = { Ref: 'Cluster' };
const ENDPOINT = { 'Fn::GetAtt': ['Cluster', 'Endpoint'] };

describe('lines of a text that stands in JSON', () => {
  it.each<[string, unknown, readonly string[], readonly string[], unknown]>([
    [
      'are replaced with their escapes',
      { 'Fn::Base64': 'a\n"b"\t\\\nc\n' },
      ['"b"\t\\'],
      ['"d"', 'e'],
      { 'Fn::Base64': 'a\n"d"\ne\nc\n' },
    ],
    ['go with their end', 'a\nb\nc\n', ['b'], [], 'a\nc\n'],
    [
      'keep what refers to others in them',
      joined('a\nname: ', CLUSTER, ' b\nc'),
      ['name: ${Cluster} b'],
      ['name: ${Cluster} d'],
      joined('a\nname: ', CLUSTER, ' d\nc'),
    ],
    [
      'go with what refers to others in them',
      joined('a\n/bin/x ', CLUSTER, '\nb'),
      ['/bin/x ${Cluster}'],
      [],
      joined('a\nb'),
    ],
    [
      'become pieces where they refer to others',
      joined('a ', CLUSTER, '\nb'),
      ['a ${Cluster}'],
      ['c ${Cluster.Endpoint} "d"', 'e ${Cluster}'],
      joined('c ', ENDPOINT, ' "d"\ne ', CLUSTER, '\nb'),
    ],
    [
      'are not cut within a reference',
      joined('a ', ENDPOINT, ' b'),
      ['a ${Cluster.Endpoint} b'],
      ['a ${Cluster} b'],
      joined('a ', CLUSTER, ' b'),
    ],
    [
      'of Fn::Sub refer as they are',
      { 'Fn::Sub': 'a\n${Cluster}\n' },
      ['a'],
      ['b ${Cluster.Arn}'],
      { 'Fn::Sub': 'b ${Cluster.Arn}\n${Cluster}\n' },
    ],
    [
      'of Fn::Sub with variables, too',
      { 'Fn::Sub': ['a\n${B}', { B: 'c' }] },
      ['a'],
      ['d'],
      { 'Fn::Sub': ['d\n${B}', { B: 'c' }] },
    ],
  ])('%s', (_, value, before, after, expected) => {
    expect(replaced(value, before, after)).toEqual(expected);
    expect(replaced(value, before, after, 99, 2)).toEqual(expected);
  });

  it('are those that are expected there, of several', () => {
    expect(replaced('a\nb\na\n', ['a'], ['c'], 3)).toBe('a\nb\nc\n');
  });

  it.each<[string, unknown, readonly string[], readonly string[]]>([
    ['there twice', 'a\nb\na\n', ['a'], ['c']],
    ['not there', 'a\nb\n', ['c'], ['d']],
    ['a part of a line', 'ab\n', ['a'], ['c']],
    ['a text of which nothing fills in references', 'a\n', ['a'], ['${Cluster}']],
    ['pieces with something between them', { 'Fn::Join': ['\n', ['a', 'b']] }, ['a'], ['c']],
    ['another function', { 'Fn::If': ['A', 'a', 'b'] }, ['a'], ['c']],
    ['filled in by a function in the list', joined('a', { 'Fn::ImportValue': 'b' }), ['a${b}'], ['c']],
    ['no text', ['a'], ['a'], ['c']],
    ['all that a function fills in', joined(CLUSTER), ['${Cluster}'], ['c']],
  ])('are refused if they are %s', (_, value, before, after) => {
    expect(replaced(value, before, after)).toBe('! the lines that it is about are written otherwise than they read');
  });
});
