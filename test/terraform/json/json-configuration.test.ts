import type { Body } from '../../../lib/languages/hcl/ast';
import { parseHcl } from '../../../lib/languages/hcl/parser';
import { jsonConfiguration, parseJsonConfiguration, parseJsonVariables } from '../../../lib/terraform/json';
import { bare, short } from '../../languages/hcl/syntax-helpers';

/** The body of a JSON text that has no problems. */
function json(content: unknown): Body {
  const { body, diagnostics } = parseJsonConfiguration(
    typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    'main.tf.json',
  );
  expect(diagnostics).toEqual([]);
  return body;
}

function diagnosticsOf(text: string): string[] {
  return parseJsonConfiguration(text, 'main.tf.json').diagnostics.map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`,
  );
}

/** Asserts that JSON says what HCL says. */
function same(content: unknown, hcl: string): void {
  const { body, problems } = parseHcl(hcl);
  expect(problems).toEqual([]);
  expect(bare(json(content))).toEqual(bare(body));
}

describe('blocks', () => {
  test('labels are keys, and blocks of one type may stand in lists or not', () => {
    const hcl = 'resource "a" "one" { x = 1 }\nresource "a" "two" { x = 2 }\nresource "b" "one" { x = 3 }\n';
    same({ resource: { a: { one: { x: 1 }, two: { x: 2 } }, b: { one: { x: 3 } } } }, hcl);
    same({ resource: [{ a: [{ one: [{ x: 1 }] }, { two: { x: 2 } }] }, { b: { one: { x: 3 } } }] }, hcl);
    same(
      [
        { resource: { a: { one: { x: 1 } } } },
        { resource: { a: { two: { x: 2 } } } },
        { resource: { b: { one: { x: 3 } } } },
      ],
      hcl,
    );
  });

  test('keys may be written twice where they are blocks', () => {
    same(
      '{"resource": {"a": {"one": {"x": 1}}, "a": {"two": {"x": 2}}}, "resource": {"b": {"one": {"x": 3}}}}',
      'resource "a" "one" { x = 1 }\nresource "a" "two" { x = 2 }\nresource "b" "one" { x = 3 }\n',
    );
  });

  test('the configurations of a provider', () => {
    same(
      { provider: { aws: [{ region: 'eu-west-1' }, { alias: 'far', region: '${var.region}' }] } },
      'provider "aws" { region = "eu-west-1" }\nprovider "aws" {\n  alias = "far"\n  region = var.region\n}\n',
    );
  });

  test('null stands for no block, and comments for nothing', () => {
    same(
      {
        '//': { metadata: 'anything ${' },
        locals: null,
        resource: { '//': 'types', a: { '//': 'names', one: { '//': 'broken ${', x: 1 } } },
      },
      'resource "a" "one" { x = 1 }',
    );
  });

  test('settings of Terraform, and texts in them that would be templates elsewhere', () => {
    same(
      {
        terraform: {
          required_version: '>= 1.5',
          backend: { s3: { key: '$${x' } },
          required_providers: { aws: { source: 'hashicorp/aws', version: '~> 6.0' } },
        },
      },
      'terraform {\n  required_version = ">= 1.5"\n  backend "s3" { key = "$$${x" }\n  required_providers { aws = { source = "hashicorp/aws", version = "~> 6.0" } }\n}\n',
    );
  });

  test('conditions, checks and moves', () => {
    same(
      {
        variable: {
          port: { type: 'number', validation: [{ condition: '${var.port > 0}', error_message: 'Port ${var.port}' }] },
        },
        output: { o: { value: '${a.b.c}', precondition: { condition: true, error_message: 'x' } } },
        check: {
          c: { data: { http: { d: { url: 'u' } } }, assert: { condition: '${data.http.d.ok}', error_message: 'x' } },
        },
        moved: [{ from: 'a.b', to: 'module.m["k"].a.b' }],
      },
      `variable "port" {
        type = number
        validation {
          condition     = var.port > 0
          error_message = "Port \${var.port}"
        }
      }
      output "o" {
        value = a.b.c
        precondition {
          condition     = true
          error_message = "x"
        }
      }
      check "c" {
        data "http" "d" { url = "u" }
        assert {
          condition     = data.http.d.ok
          error_message = "x"
        }
      }
      moved {
        from = a.b
        to   = module.m["k"].a.b
      }
      `,
    );
  });
});

describe('resources', () => {
  test('meta-arguments are references without an interpolation', () => {
    same(
      {
        resource: {
          aws_eks_addon: {
            cni: {
              provider: 'aws.far',
              depends_on: ['aws_eks_cluster.main', 'module.net'],
              for_each: '${toset(["a"])}',
              lifecycle: {
                ignore_changes: ['addon_version', 'tags["x"]'],
                create_before_destroy: true,
                replace_triggered_by: ['a.b.id'],
                precondition: { condition: '${a.b.id != ""}', error_message: 'x' },
              },
              provisioner: [
                { 'local-exec': { command: 'echo ${self.id}', when: 'destroy' } },
                { file: { content: 'x', connection: { host: 'h' } } },
              ],
            },
          },
        },
      },
      `resource "aws_eks_addon" "cni" {
        provider   = aws.far
        depends_on = [aws_eks_cluster.main, module.net]
        for_each   = toset(["a"])
        lifecycle {
          ignore_changes        = [addon_version, tags["x"]]
          create_before_destroy = true
          replace_triggered_by  = [a.b.id]
          precondition {
            condition     = a.b.id != ""
            error_message = "x"
          }
        }
        provisioner "local-exec" {
          command = "echo \${self.id}"
          when    = destroy
        }
        provisioner "file" {
          content = "x"
          connection { host = "h" }
        }
      }`,
    );
    same(
      { resource: { a: { b: { lifecycle: { ignore_changes: 'all' } } } } },
      'resource "a" "b" {\n  lifecycle { ignore_changes = all }\n}',
    );
  });

  test('a reference that is none stays the text that it is', () => {
    const { blocks } = json({ resource: { a: { b: { depends_on: ['a.b', 'what is this?', '${a.c}'] } } } });
    expect(short(blocks[0]?.body.attributes[0]?.value)).toBe('[a.b "what is this?" a.c]');
  });

  test('objects and lists are arguments', () => {
    same(
      { resource: { a: { b: { metadata_options: { http_tokens: 'required' }, tags: { '${var.key}': null } } } } },
      'resource "a" "b" {\n  metadata_options = { http_tokens = "required" }\n  tags = { (var.key) = null }\n}',
    );
  });

  test('dynamic blocks are blocks, and so are others of their type and those around them', () => {
    same(
      {
        resource: {
          a: {
            b: {
              ingress: [{ port: 1 }],
              dynamic: { ingress: { for_each: '${var.ports}', iterator: 'port', content: { port: '${port.value}' } } },
              other: [{ x: { dynamic: { y: [{ for_each: [1], content: [{ z: '${y.key}' }] }] } } }, { q: 1 }],
            },
          },
        },
      },
      `resource "a" "b" {
        ingress { port = 1 }
        dynamic "ingress" {
          for_each = var.ports
          iterator = port
          content { port = port.value }
        }
        other {
          x {
            dynamic "y" {
              for_each = [1]
              content { z = y.key }
            }
          }
        }
        other { q = 1 }
      }`,
    );
  });

  test('a key of a map may be called dynamic', () => {
    same(
      { resource: { a: { b: { tags: { dynamic: 'yes' }, labels: { dynamic: { x: { y: 1 } } } } } } },
      'resource "a" "b" {\n  tags = { dynamic = "yes" }\n  labels = { dynamic = { x = { y = 1 } } }\n}',
    );
  });

  test('blocks of one name written as several keys are all there', () => {
    same(
      '{"resource": {"a": {"b": {"filter": {"name": "x"}, "filter": [{"name": "y"}]}}}}',
      'resource "a" "b" {\n  filter = [{ name = "x" }, { name = "y" }]\n}',
    );
  });
});

describe('texts', () => {
  test('are templates', () => {
    same(
      {
        locals: {
          a: 'x-${var.y}',
          b: '${var.y}',
          c: '%{ if var.z }1%{ else }2%{ endif }',
          d: '$${x} %%{y}',
          e: 'a "quoted" \\ line\n',
        },
      },
      'locals {\n a = "x-${var.y}"\n b = var.y\n c = "%{ if var.z }1%{ else }2%{ endif }"\n d = "$${x} %%{y}"\n e = "a \\"quoted\\" \\\\ line\\n"\n}',
    );
  });

  test('of a variable and of the place of a module are taken as they are', () => {
    same(
      { variable: { v: { type: 'list(string)', default: ['${x}', { '${k}': '%{' }], description: 'see ${y' } } },
      'variable "v" {\n type = list(string)\n default = ["$${x}", { "$${k}" = "%%{" }]\n description = "see $${y"\n}',
    );
    same(
      { module: { m: { source: './${x', version: '1', providers: { aws: 'aws.far' }, name: '${var.n}' } } },
      'module "m" {\n source = "./$${x"\n version = "1"\n providers = { aws = aws.far }\n name = var.n\n}',
    );
  });

  test('of a file of variables too', () => {
    const { body, diagnostics } = parseJsonVariables(
      '{"a": "${x}", "b": {"c": [1, null]}, "//": 1}',
      'terraform.tfvars.json',
    );
    expect(diagnostics).toEqual([]);
    expect(bare(body)).toEqual(bare(parseHcl('a = "$${x}"\nb = { c = [1, null] }\n').body));
    expect(parseJsonVariables('[1]', 'terraform.tfvars.json').diagnostics).toHaveLength(1);
  });
});

describe('places', () => {
  const text = `{
  "resource": {
    "aws_launch_template": {
      "nodes": {
        "image_id": "ami-\${var.ami}",
        "user_data": "#!/bin/sh\\n\\techo \\"\${upper(var.name)}\\" \\u0041$\${b}\\nlast",
        "tag_specifications": [
          {"tags": {"a": "b"}}
        ]
      }
    }
  }
}
`;
  const file = parseJsonConfiguration(`\uFEFF${text}`, 'main.tf.json');
  const block = file.body.blocks[0];
  const at = (offset: number, property?: string): string => {
    const { line, column, property: path } = file.place({ start: offset, end: offset + 1 }, property).locate();
    return `${line}:${column}${path === undefined ? '' : ` ${path}`}`;
  };

  test('are those of the key', () => {
    expect(at(block?.headRange.start ?? 0)).toBe('4:7');
    expect(block?.body.attributes.map(({ name, nameRange }) => at(nameRange.start, name))).toEqual([
      '5:9 image_id',
      '6:9 user_data',
      '7:9 tag_specifications',
    ]);
  });

  test('of the parts of a template, with the escapes of JSON in front of them', () => {
    const [image, data] = block?.body.attributes ?? [];
    expect(file.diagnostics).toEqual([]);
    if (image?.value.kind !== 'template' || data?.value.kind !== 'template') throw new Error('these are templates');
    const [, variable] = image.value.parts;
    expect(variable?.kind === 'interpolation' && at(variable.value.range.start)).toBe('5:28');
    const [head, call, tail] = data.value.parts;
    if (head?.kind !== 'text' || call?.kind !== 'interpolation' || tail?.kind !== 'text')
      throw new Error('text, a call, text');
    expect(head.text).toBe('#!/bin/sh\n\techo "');
    const line = text.split('\n')[5] ?? '';
    expect(at(head.range.start)).toBe(`6:${line.indexOf('#!') + 1}`);
    expect(at(call.value.range.start)).toBe(`6:${line.indexOf('upper') + 1}`);
    expect(file.place(head.range).inText?.(head.text, head.text.indexOf('echo')).locate()).toMatchObject({
      line: 6,
      column: line.indexOf('echo') + 1,
    });
    expect(tail.text).toBe('" A${b}\nlast');
    expect(file.place(tail.range).inText?.(tail.text, tail.text.indexOf('last')).locate()).toMatchObject({
      line: 6,
      column: line.indexOf('last') + 1,
    });
    // From the key, too, somebody may ask for a place in the value.
    expect(file.place(data.nameRange, 'user_data').inText?.('#!/bin/sh', 2).locate()).toMatchObject({
      line: 6,
      column: line.indexOf('/bin') + 1,
      property: 'user_data',
    });
  });

  test('of entries and items', () => {
    const tags = block?.body.attributes[2]?.value;
    if (tags?.kind !== 'tuple' || tags.items[0]?.kind !== 'object') throw new Error('a list of objects');
    expect(at(tags.items[0].range.start)).toBe('8:11');
    expect(at(tags.items[0].entries[0]?.key.range.start ?? 0)).toBe('8:12');
  });

  test('of blocks in a list are those of the items', () => {
    const read = parseJsonConfiguration(
      '{"provider": {"aws": [\n {"region": "a"},\n {"region": "b"}]},\n"locals": [{"x": 1}]}',
      'p.tf.json',
    );
    expect(read.body.blocks.map(({ headRange }) => read.place(headRange).locate().line)).toEqual([1, 1, 4]);
  });

  test('of what was never a file are the first line', () => {
    const read = jsonConfiguration(
      { resource: { a: { b: { x: '${c.d}\n', '//': { metadata: { path: 'S/B' } } } } } },
      'Stack',
    );
    expect(read.diagnostics).toEqual([]);
    expect(read.constructPaths?.get('a.b')).toBe('S/B');
    expect(
      read.body.blocks[0]?.body.attributes.map(({ name, nameRange }) => read.place(nameRange, name).locate()),
    ).toEqual([{ file: 'Stack', line: 1, column: 1, property: 'x' }]);
    expect(jsonConfiguration(undefined, 'Stack').diagnostics).toHaveLength(1);
    const circle: Record<string, unknown> = {};
    circle['a'] = circle;
    expect(jsonConfiguration(circle, 'Stack').diagnostics).toEqual([
      expect.objectContaining({ severity: 'error', line: 1 }),
    ]);
    expect(jsonConfiguration(1n, 'Stack').diagnostics).toHaveLength(1);
  });

  test('that is no JSON say why', () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = circle;
    const thrower = {
      toJSON: (): never => {
        throw 'no\nluck' as unknown as Error;
      },
    };
    expect(
      [circle, thrower, 1n, () => 1].map((content) =>
        jsonConfiguration(content, 'Stack').diagnostics.map(({ message }) => message),
      ),
    ).toEqual([
      ["the configuration can't be written as JSON: Converting circular structure to JSON"],
      ["the configuration can't be written as JSON: no\nluck"],
      ["the configuration can't be written as JSON: Do not know how to serialize a BigInt"],
      ['the configuration is no object'],
    ]);
  });
});

describe('construct paths', () => {
  test('are known by address', () => {
    const metadata = (path: string): unknown => ({ '//': { metadata: { path, uniqueId: 'x' } } });
    const { constructPaths } = parseJsonConfiguration(
      JSON.stringify({
        resource: { a: { b: metadata('Prod/B'), c: { '//': 'a comment' } } },
        data: { d: { e: metadata('Prod/E') } },
        module: { m: metadata('Prod/M') },
        output: { o: metadata('Prod/O') },
      }),
      'x',
    );
    expect([...(constructPaths ?? [])]).toEqual([
      ['a.b', 'Prod/B'],
      ['data.d.e', 'Prod/E'],
      ['module.m', 'Prod/M'],
    ]);
  });
});

describe('problems', () => {
  test('of JSON itself', () => {
    expect(diagnosticsOf('{\n  "resource": {,}\n}')).toEqual([expect.stringMatching(/^error 2:16 /)]);
    expect(diagnosticsOf(' ')).toEqual(['error 1:1 the file is empty']);
    expect(diagnosticsOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual([expect.stringContaining('deep')]);
  });

  test('of templates, at their place in the string', () => {
    expect(diagnosticsOf('{\n"locals": {"a": "x\\n\\"${1 +}"}}')).toEqual([
      expect.stringMatching(/^error 2:28 expected/),
    ]);
    expect(diagnosticsOf('{"locals": {"a": "x${b"}}')).toEqual([expect.stringMatching(/^error 1:20 /)]);
  });

  test('of what is no block', () => {
    expect(diagnosticsOf('{"resource": {"a": {"b": 1}}}')).toEqual([
      'error 1:26 resource "a" "b" is a block: it takes an object, or a list of objects, not a plain value',
    ]);
    expect(diagnosticsOf('{"resource": [[]]}')).toEqual([
      expect.stringMatching(/^error 1:15 resource is a block: .* not a list in a list$/),
    ]);
    expect(diagnosticsOf('{"resource": {"a": {"b": {"lifecycle": "x"}}}}')).toEqual([
      expect.stringMatching(/^error 1:40 lifecycle is a block/),
    ]);
    expect(diagnosticsOf('[1]')).toEqual([expect.stringMatching(/^error 1:2 /)]);
    expect(diagnosticsOf('{"Resources": {}}')).toEqual([expect.stringMatching(/^warning 1:2 "Resources" is no block/)]);
  });

  test('of an expression and the lists around it that are too deep together', () => {
    const nested = (depth: number, inner: string) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
    const text = (depth: number) => `{"locals": {"a": ${nested(depth, `"\${${nested(depth, '1')}}"`)}}}`;
    expect(diagnosticsOf(text(100))).toEqual([]);
    expect(diagnosticsOf(text(200))).toEqual([expect.stringMatching(/^error 1:18 nested more than/)]);
  });

  test('of an argument that is set twice', () => {
    expect(diagnosticsOf('{"resource": {"a": {"b": {"x": 1,\n "x": 2}}}}')).toEqual([
      'error 2:2 "x" is set twice in one block; only the first counts',
    ]);
  });
});
