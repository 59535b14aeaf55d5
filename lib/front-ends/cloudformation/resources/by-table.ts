import {
  isReadByCode,
  placeByTable,
  type PlainSetting,
  type ReadByCode,
  type ReadByTable,
  type ResourceTable,
  type Setting,
} from '../../../eks/resources/table';
import { Block } from '../../../cloudformation/block';
import type { Item } from '../../../cloudformation/item';
import type { Template } from '../../../cloudformation/template';
import { flatMapValue, Known, mapValue, sourceOf, type Plain, type Source, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { ResourceByTable } from './resource-by-table';
import { clusterReference, roleReference, subnetReferences } from './references';

type Read = (block: Block, key: string, template: Template) => unknown;

const text: Read = (block, key) => block.string(key);
const number: Read = (block, key) => block.number(key);
const texts: Read = (block, key) => block.strings(key);

const READ: Readonly<Record<Exclude<PlainSetting['type'], ReadByCode>, Read>> = {
  text,
  word: text,
  number,
  amount: number,
  texts,
  securityGroups: texts,
  boolean: (block, key) => block.boolean(key),
  present: (block, key) => mapValue(block.block(key).map, () => true),
  cluster: (block, key) => clusterReference(block.item(key)),
  role: (block, key, template) => roleReference(block.item(key), template),
  subnets: (block, key) => subnetReferences(block.list(key)),
};

type Base<T extends ResourceTable> = abstract new (
  ...args: ConstructorParameters<typeof ResourceByTable>
) => ResourceByTable & ReadByTable<T, 'cloudFormation'>;

/** The class whose getters a table describes; what it leaves to code the class that extends it adds. */
export function byTable<T extends ResourceTable>(table: T): Base<T> {
  abstract class Described extends ResourceByTable {
    protected override get rootKey(): string | undefined {
      return table.root;
    }
  }
  for (const [name, setting] of Object.entries(table.settings)) {
    const read = placedReader(setting);
    if (read === undefined) continue;
    const isBeside = setting.isBesideRoot === true;
    Object.defineProperty(Described.prototype, name, {
      configurable: true,
      get(this: Described) {
        return read(isBeside ? this.properties : this.settings, this.template);
      },
    });
  }
  // What stands in the table is what the getters give.
  return Described as unknown as Base<T>;
}

function readerOf(setting: Setting): Read {
  if (!('settings' in setting)) return plainReader(setting);
  const inner = Object.entries(setting.settings).flatMap(([name, one]) => {
    const read = placedReader(one);
    return read === undefined ? [] : [{ name, read }];
  });
  const content = (value: Value<Item>, source: Source, template: Template): unknown => {
    const block = Block.of(value, template.set.evaluator);
    return { ...Object.fromEntries(inner.map(({ name, read }) => [name, read(block, template)])), source };
  };
  switch (setting.type) {
    case 'block':
      return (block, key, template) =>
        flatMapValue(
          block.block(key).map,
          (plain): Plain<unknown> =>
            plain.kind === 'known' ? new Known(content(plain, plain.source, template), plain.source) : plain,
        );
    case 'blocks':
      return (block, key, template) =>
        mapValue(block.list(key), (items) => items.map((item) => content(item, sourceOf(item), template)));
    case 'each':
      return (block, key, template) =>
        conditionalItems(block.list(key)).map((item) => content(item, sourceOf(item), template));
  }
}

function plainReader({ type }: PlainSetting): Read {
  if (isReadByCode(type)) throw new Error(`settings of type ${type} are read by code`);
  return READ[type];
}

/** Reads a setting that may stand in further blocks. */
function placedReader(setting: Setting): ((block: Block, template: Template) => unknown) | undefined {
  const steps = placeByTable(setting, 'cloudFormation');
  if (steps === undefined) return undefined;
  const read = readerOf(setting);
  const outer = steps.slice(0, -1);
  const key = steps.at(-1) ?? '';
  return (block, template) =>
    read(
      outer.reduce((within, name) => within.block(name), block),
      key,
      template,
    );
}
