import { TerraformMap } from '../../../lib/terraform/terraform-value';
import { cpuTime } from '../../cpu-time';
import { configurations } from './configurations';
import { itWithAll, share } from '../../share';

/** Locals of which each holds the one before twice. */
function doubled(name: string, first: string, next: (before: string) => string, levels = 40): string {
  const lines = Array.from(
    { length: levels },
    (_, index) => `  ${name}${index + 1} = ${next(`local.${name}${index}`)}`,
  );
  return `locals {\n  ${name}0 = ${first}\n${lines.join('\n')}\n}\n`;
}

const LISTS =
  doubled('l', '["x"]', (before) => `[${before}, ${before}]`) +
  doubled('o', '["x"]', (before) => `[${before}, ${before}]`);
const MAPS = doubled('m', '{ a = "x" }', (before) => `{ a = ${before}, b = ${before} }`);

function used(value: string): string {
  return `resource "aws_x" "y" {\n  it = ${value}\n}\n`;
}

it.each(
  share([
    ['jsonencode(local.l40)'],
    ['yamlencode(local.m40)'],
    ['local.l40 == local.o40'],
    ['local.m40'],
    ['toset([local.l40, local.o40])'],
    ['flatten(local.l40)'],
    ['local.c40'],
    ['local.f40'],
    ['module.m.v'],
    ['module.m.given'],
  ]),
)('%s does not grow without end', (value) => {
  const locals =
    LISTS +
    MAPS +
    doubled('c', '["x"]', (before) => `concat(${before}, ${before})`) +
    doubled('f', '["x", "y"]', (before) => `[for one in ${before} : ${before}]`);
  const files = {
    'main.tf': `${locals}module "m" {\n  source = "./m"\n  given = local.m16\n}\n${used(value)}`,
    'm/main.tf': `${LISTS}variable "given" {\n  type = map(any)\n}\noutput "v" {\n  value = local.l40\n}\noutput "given" {\n  value = { a = var.given, b = var.given, c = var.given, d = var.given }\n}\n`,
  };
  // Without a limit: hours, or no memory left.
  const read = configurations(files, { named: ['.'] });
  const it = read.value('aws_x.y', 'it');
  expect(['unknown', 'known']).toContain(it.kind);
  expect(JSON.stringify(read.show('aws_x.y', 'it')).length).toBeLessThan(5_000_000);
});

it('what is too large says so', () => {
  const read = configurations(`${LISTS}resource "aws_x" "y" {\n  it = local.l17\n  fits = jsonencode(local.l8)\n}\n`);
  expect(read.value('aws_x.y', 'it')).toMatchObject({ kind: 'unknown', reason: 'it is too large' });
  expect(read.value('aws_x.y', 'fits').kind).toBe('known');
});

itWithAll('blocks that are repeated within repeated ones end', () => {
  const repeated = (name: string, content: string) =>
    `dynamic "${name}" {\n  for_each = range(1000)\n  content {\n    ${content}\n  }\n}\n`;
  const read = configurations(
    `resource "aws_x" "y" {\n  ${repeated('a', repeated('b', repeated('c', 'd = 1')))}\n  ${repeated('e', 'f = 1')}\n}\nresource "aws_x" "z" {\n  ${repeated('a', 'b = 1')}\n}`,
  );
  // Without a limit: a billion blocks.
  expect(read.value('aws_x.y', 'a', 999, 'b')).toMatchObject({ kind: 'unknown', reason: 'it makes too many blocks' });
  expect(read.show('aws_x.z', 'a')).toHaveLength(1000);
});

itWithAll('a large value is encoded a few times, not hundreds of times', () => {
  const read = configurations(
    `${LISTS}${used(`[${Array.from({ length: 3000 }, () => 'jsonencode(local.l15)').join(', ')}]`)}`,
  );
  const elapsed = cpuTime();
  read.value('aws_x.y', 'it');
  expect(elapsed()).toBeLessThan(60_000);
});

it('ten thousand items are what they are', () => {
  const items = Array.from({ length: 10_000 }, (_, index) => `    { name = "n${index}", size = ${index} }`).join(',\n');
  const read = configurations(
    `locals {\n  items = [\n${items}\n  ]\n  by_name = { for item in local.items : item.name => item }\n}\nresource "aws_x" "y" {\n  json = jsonencode({ items = local.items, by_name = local.by_name })\n  map = local.by_name\n  same = local.by_name == { for item in local.items : item.name => merge(item, { other = 1 }) }\n  size = length(local.items)\n}\n`,
  );
  const json = read.value('aws_x.y', 'json');
  const data = JSON.parse(json.kind === 'known' && typeof json.value === 'string' ? json.value : '{}') as {
    readonly items: readonly unknown[];
    readonly by_name: Readonly<Record<string, unknown>>;
  };
  expect(data.items).toHaveLength(10_000);
  expect(data.by_name['n9999']).toEqual({ name: 'n9999', size: 9999 });
  const map = read.value('aws_x.y', 'map');
  expect(map.kind === 'known' && map.value instanceof TerraformMap ? map.value.entries.size : 0).toBe(10_000);
  expect(read.show('aws_x.y', 'same')).toBe(false);
  expect(read.show('aws_x.y', 'size')).toBe(10_000);
});
