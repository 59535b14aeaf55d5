import { configurations } from './configurations';

const FILES = { 'groups/a.json': '{"hop":1}', 'groups/b.json': '{"hop":2}', 'groups/b.yaml': '', 'top.json': '{}' };

function filesOf(call: string): unknown {
  return configurations({ ...FILES, 'main.tf': `resource "aws_x" "y" {\n  it = ${call}\n}\n` }, { named: ['.'] }).show(
    'aws_x.y',
    'it',
  );
}

describe('fileset()', () => {
  it.each([
    ['fileset(path.module, "groups/*.json")', ['groups/a.json', 'groups/b.json']],
    ['fileset("${path.module}/groups", "*.json")', ['a.json', 'b.json']],
    ['fileset("groups", "b.*")', ['b.json', 'b.yaml']],
    ['fileset("groups", "*b*a*l")', ['b.yaml']],
    ['fileset("groups", "*b*.json")', ['b.json']],
    ['fileset("groups", "a.json")', ['a.json']],
    ['fileset(".", "*.json")', ['top.json']],
  ])('%s', (call, expected) => {
    expect(filesOf(call)).toEqual(expected);
  });

  it.each([
    ['fileset("groups", "**/*.json")'],
    ['fileset("groups", "**")'],
    ['fileset(".", "*/*.json")'],
    ['fileset("groups", "{a,b}.json")'],
    ['fileset("groups", "?.json")'],
    ['fileset("groups", "[ab].json")'],
    ['fileset("groups", "*.txt")'],
    ['fileset("none", "*")'],
    ['fileset("/etc", "*")'],
    ['fileset("groups", "../*.json")'],
    ['fileset("groups", var.pattern)'],
  ])('%s is not known', (call) => {
    const read = configurations(
      { ...FILES, 'main.tf': `variable "pattern" {}\nresource "aws_x" "y" {\n  it = ${call}\n}\n` },
      { named: ['.'] },
    );
    expect(read.value('aws_x.y', 'it').kind).toBe('unknown');
  });

  it('makes instances', () => {
    const read = configurations(
      {
        ...FILES,
        'main.tf':
          'resource "aws_x" "y" {\n  for_each = fileset(path.module, "groups/*.json")\n  hop = jsondecode(file(each.value)).hop\n}\n',
      },
      { named: ['.'] },
    );
    expect(read.addresses).toEqual(['aws_x.y["groups/a.json"]', 'aws_x.y["groups/b.json"]']);
    expect(read.show('aws_x.y["groups/b.json"]', 'hop')).toBe(2);
  });
});
