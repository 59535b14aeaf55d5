import { decidedAt, Known, type Plain, type Source, Unknown, type Value } from '../value';
import { isMap, type Cursor } from './cursor';
import type { Evaluator } from './evaluator';
import type { Item } from './item';
import type { Template } from './template';

/**
 * The value of a mapping.
 * @param keys the mapping's name, the key of the row (often a region) and the key within it
 * @param fallback what stands for keys that the mapping lacks
 */
export function mappedValue(
  evaluator: Evaluator,
  keys: readonly Plain<string>[],
  fallback: Cursor | undefined,
  template: Template,
  source: Source,
): Value<Item> {
  const [name, first, second] = keys.map((key) => (key.kind === 'known' ? key.value : undefined));
  const mapping = name === undefined ? undefined : template.named('Mappings', name);
  let found: Cursor | undefined;
  if (name !== undefined && first !== undefined && second !== undefined) {
    found = mapping?.child(first).child(second);
    if (found?.raw === undefined) {
      if (fallback?.raw !== undefined) return evaluator.evaluate(fallback, source);
      return new Unknown(`mapping ${name} has no ${first}.${second}`, source);
    }
  } else if (second !== undefined && keys[1]?.kind === 'unknown' && fallback?.raw === undefined) {
    found = agreed(mapping, second);
  }
  if (found === undefined) {
    const service = second === undefined || !isPartition(keys[1]) ? undefined : serviceIn(mapping, second);
    return unknownKey(keys, template, source, service);
  }
  const value = evaluator.evaluate(found, source);
  return value.kind === 'known'
    ? new Known(
        value.value,
        decidedAt(source, { by: `mapping ${name ?? ''}`, at: found }),
        `from mapping ${name ?? ''}`,
      )
    : value;
}

/** The value that all rows of a mapping have under a key; whichever row is meant, it is this. */
function agreed(mapping: Cursor | undefined, key: string): Cursor | undefined {
  if (mapping === undefined || !isMap(mapping.raw)) return undefined;
  const [first, ...others] = Object.keys(mapping.raw).map((row) => mapping.child(row).child(key));
  if (first?.raw === undefined) return undefined;
  const text = JSON.stringify(first.raw);
  return others.every(({ raw }) => raw !== undefined && JSON.stringify(raw) === text) ? first : undefined;
}

function isPartition(key: Plain<string> | undefined): boolean {
  return key?.kind === 'unknown' && key.text === '${AWS::Partition}';
}

/** The name of a service by the domain of the partition, `ec2.${AWS::URLSuffix}`, where every row of a mapping of partitions has just that. */
function serviceIn(mapping: Cursor | undefined, key: string): string | undefined {
  if (mapping === undefined || !isMap(mapping.raw)) return undefined;
  const names = Object.keys(mapping.raw).map((partition) => {
    const { raw } = mapping.child(partition).child(key);
    const [, service, china] = /^([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(typeof raw === 'string' ? raw : '') ?? [];
    return (china === undefined) === (partition !== 'aws-cn') ? service : undefined;
  });
  const [first] = names;
  return first !== undefined && names.every((name) => name === first) ? `${first}.\${AWS::URLSuffix}` : undefined;
}

function unknownKey(
  keys: readonly Plain<string>[],
  template: Template,
  source: Source,
  text = '${Fn::FindInMap}',
): Unknown {
  const unknown = keys.find((key) => key.kind !== 'known');
  const reason = unknown?.kind === 'unknown' ? unknown.reason : 'a key of the mapping is missing';
  const symbols = keys.map((key) =>
    key.kind === 'known' ? key.value : key.kind === 'unknown' ? key.symbol : undefined,
  );
  const symbol = symbols.includes(undefined) ? undefined : `${template.id}/map(${symbols.join(',')})`;
  return new Unknown(reason, source, text, symbol);
}
