import {
  isReadByCode,
  placeByTable,
  type PlainSetting,
  type ReadByCode,
  type ReadByTable,
  type ResourceTable,
  type Setting,
} from '../../../eks/resources/table';
import { mapValue, sourceOf, type Source } from '../../../value';
import type { LinkedBlock } from './linked-block';
import { clusterReference, roleReference, subnetReferences, type ReferenceScope } from './references';
import { groupReferences } from './security-group-peers';
import { TerraformResource } from './terraform-resource';

type Read = (block: LinkedBlock, key: string, scope: ReferenceScope) => unknown;

const READ: Readonly<Record<Exclude<PlainSetting['type'], ReadByCode>, Read>> = {
  text: (block, key) => block.text(key),
  word: (block, key) => block.string(key),
  number: (block, key) => block.number(key),
  amount: (block, key) => block.amount(key),
  texts: (block, key) => block.texts(key),
  securityGroups: (block, key, scope) => groupReferences(block.texts(key), scope),
  boolean: (block, key) => block.boolean(key),
  present: (block, key) => mapValue(block.block(key).value, () => true),
  cluster: (block, key, scope) => clusterReference(block.item(key), scope),
  role: (block, key, scope) => roleReference(block.text(key), scope),
  subnets: (block, key, scope) => subnetReferences(block.list(key), scope),
};

type Base<T extends ResourceTable> = abstract new (
  ...args: ConstructorParameters<typeof TerraformResource>
) => TerraformResource & ReadByTable<T, 'terraform'>;

/** The class whose getters a table describes; what it leaves to code the class that extends it adds. */
export function byTable<T extends ResourceTable>(table: T): Base<T> {
  abstract class Described extends TerraformResource {}
  for (const [name, setting] of Object.entries(table.settings)) {
    const read = placedReader(setting);
    if (read === undefined) continue;
    Object.defineProperty(Described.prototype, name, {
      configurable: true,
      get(this: Described) {
        return read(this.attributes, this.scope);
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
  const content = (block: LinkedBlock, source: Source, scope: ReferenceScope): unknown => ({
    ...Object.fromEntries(inner.map(({ name, read }) => [name, read(block, scope)])),
    source,
  });
  switch (setting.type) {
    case 'block':
      return (block, key, scope) => block.whole(key, (one, source) => content(one, source, scope));
    case 'blocks':
      return (block, key, scope) =>
        mapValue(block.blocks(key), (blocks) => blocks.map((one) => content(one, sourceOf(one.value), scope)));
    case 'each':
      return (block, key, scope) => block.allBlocks(key).map((one) => content(one, sourceOf(one.value), scope));
  }
}

function plainReader({ type }: PlainSetting): Read {
  if (isReadByCode(type)) throw new Error(`settings of type ${type} are read by code`);
  return READ[type];
}

/** Reads a setting that may stand in further blocks. */
function placedReader(setting: Setting): ((block: LinkedBlock, scope: ReferenceScope) => unknown) | undefined {
  const steps = placeByTable(setting, 'terraform');
  if (steps === undefined) return undefined;
  const read = readerOf(setting);
  const outer = steps.slice(0, -1);
  const key = steps.at(-1) ?? '';
  return (block, scope) =>
    read(
      outer.reduce((within, name) => within.block(name), block),
      key,
      scope,
    );
}
