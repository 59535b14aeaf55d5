import { type Data, isDataMap, Known, type Source, sourceOf, Unknown } from '../../../value';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../terraform/terraform-value';
import type { Registry } from './registry';

/** A value as plain data; what depends on conditions is unknown in it. */
export function dataOf(value: TerraformValue, registry: Registry): Data {
  const linked = registry.link(value);
  switch (linked.kind) {
    case 'choice':
      return new Unknown('it depends on conditions', sourceOf(linked));
    case 'unknown':
      return linked;
    case 'absent':
      return null;
    case 'known':
      break;
  }
  const { value: item } = linked;
  if (item instanceof TerraformList) return item.items.map((one) => dataOf(one, registry));
  if (!(item instanceof TerraformMap)) return item;
  // Which keys there are can't be told, and data has no way to say so of a part.
  if (item.more !== undefined) return item.more;
  const result: Record<string, Data> = {};
  for (const [key, entry] of item.entries) if (key !== '__proto__') result[key] = dataOf(entry, registry);
  return result;
}

/** Data that was read out of a text, as a value. */
export function valueOf(data: Data, source: Source): TerraformValue {
  if (data instanceof Unknown) return data;
  if (Array.isArray(data))
    return new Known(
      new TerraformList((data as readonly Data[]).filter((item) => item !== null).map((item) => valueOf(item, source))),
      source,
    );
  if (isDataMap(data))
    return new Known(
      new TerraformMap(
        new Map(
          Object.entries(data).flatMap(([key, item]) => (item === null ? [] : [[key, valueOf(item, source)] as const])),
        ),
      ),
      source,
    );
  return new Known(data as string | number | boolean, source);
}
