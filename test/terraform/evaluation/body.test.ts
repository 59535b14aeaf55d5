import { TerraformBlock } from '../../../lib/terraform/block';
import { evaluateBody } from '../../../lib/terraform/evaluation/body';
import { parseHcl } from '../../../lib/languages/hcl/parser';
import type { TerraformValue } from '../../../lib/terraform/terraform-value';
import { Known, nowhere } from '../../../lib/value';
import { knownValue, plain, scopeOf } from './scopes';

function read(text: string, values: Readonly<Record<string, TerraformValue>> = {}): TerraformValue {
  const { body, problems } = parseHcl(text);
  expect(problems).toEqual([]);
  return evaluateBody(body, scopeOf(values, {}, text), { source: nowhere, isResource: true });
}

const at = (value: TerraformValue) => {
  const { line, column, property } =
    value.kind === 'choice' ? { line: 0, column: 0, property: '' } : value.source.locate();
  return `${line}:${column} ${property ?? ''}`;
};

describe('a body', () => {
  it('gives attributes and blocks, without meta-arguments', () => {
    const value = read(`
      count    = 2
      for_each = {}
      provider = aws.x
      depends_on = [aws_x.y]
      name = "n\${1}"
      none = null
      lifecycle {
        ignore_changes = [name]
      }
      one { a = 1 }
      many { a = 1 }
      many { a = 2 }
      timeouts { create = "1m" }
    `);
    expect(plain(value)).toEqual({
      name: 'n1',
      none: null,
      one: [{ a: 1 }],
      many: [{ a: 1 }, { a: 2 }],
      timeouts: [{ create: '1m' }],
    });
    expect(new TerraformBlock(value).block('one').number('a')).toMatchObject({ kind: 'known', value: 1 });
  });

  it('gives places and paths', () => {
    const value = read(
      'name = "x"\nblock {\n  inner {\n    port = var.p\n  }\n}\ntags = {\n  Name = "n"\n  "a b" = "c"\n}\nids = ["a",\n "b"]\nfrom = var.tags\n',
      { 'var.tags': knownValue({ k: ['v'] }) },
    );
    const block = new TerraformBlock(value);
    expect(at(block.item('name'))).toBe('1:1 name');
    expect(at(block.block('block').value)).toBe('2:1 block[0]');
    expect(at(block.block('block').block('inner').value)).toBe('3:3 block[0].inner[0]');
    expect(at(block.block('block').block('inner').item('port'))).toBe('4:5 block[0].inner[0].port');
    expect(at(block.block('tags').item('Name'))).toBe('8:3 tags.Name');
    expect(at(block.block('tags').item('a b'))).toBe('9:3 tags["a b"]');
    const ids = block.list('ids');
    expect(ids.kind === 'known' && ids.value.map(at)).toEqual(['11:8 ids[0]', '12:2 ids[1]']);
    const list = block.block('from').list('k');
    expect(at(block.item('from'))).toBe('13:1 from');
    expect(list.kind === 'known' && list.value.map(at)).toEqual(['13:1 from.k[0]']);
  });

  it('expands dynamic blocks', () => {
    const dynamic = (forEach: string, content = 'port = ingress.value', iterator = '') =>
      plain(read(`dynamic "ingress" {\n for_each = ${forEach}\n ${iterator}\n content {\n ${content}\n }\n}\n`));
    expect(dynamic('[80, 443]')).toEqual({ ingress: [{ port: 80 }, { port: 443 }] });
    expect(dynamic('{ a = 1 }', 'name = i.key\nport = i.value', 'iterator = i')).toEqual({
      ingress: [{ name: 'a', port: 1 }],
    });
    expect(dynamic('[]')).toEqual({ ingress: null });
    expect(dynamic('var.x ? [1] : []')).toEqual({
      ingress: { 'var.x is true': [{ port: 1 }], 'var.x is false': null },
    });
    expect(dynamic('var.x')).toEqual({ ingress: { unknown: '?' } });
    expect(
      dynamic(
        '[{ a = [1, 2] }]',
        'dynamic "inner" {\n for_each = ingress.value.a\n content {\n b = inner.value\n }\n }',
      ),
    ).toEqual({ ingress: [{ inner: [{ b: 1 }, { b: 2 }] }] });
    expect(
      plain(read('rule { a = 1 }\ndynamic "rule" {\n for_each = [2]\n content {\n a = rule.value\n }\n}\n')),
    ).toEqual({ rule: [{ a: 1 }, { a: 2 }] });
  });

  it('keeps notes of values that come from elsewhere', () => {
    const noted: TerraformValue = new Known(2, nowhere, 'default of variable hop_limit');
    expect(read('hop = var.hop_limit\n', { 'var.hop_limit': noted })).toMatchObject({
      value: {
        entries: new Map([
          ['hop', expect.objectContaining({ value: 2, note: 'default of variable hop_limit' }) as unknown],
        ]),
      },
    });
  });

  it('that is nested deeply or grows without end is unknown', () => {
    expect(plain(read(`a = ${'!'.repeat(200)}var.x\n`))).toMatchObject({
      a: { unknown: expect.any(String) as unknown },
    });
    expect(
      plain(read(`a = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]\n`)),
    ).toBeDefined();
  });
});
