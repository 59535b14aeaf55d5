import { Known, Unknown, type Source } from '../../value';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import type { Declared } from './merged-file';

/**
 * A resource that a module declares twice, which Terraform refuses: which of the two its author keeps isn't known, so only what both say in the same words is.
 * Of configurations in JSON the first counts.
 */
export function whatBothSay(
  attributes: TerraformValue,
  one: Declared,
  other: Declared,
  source: Source,
): TerraformValue {
  if (attributes.kind !== 'known' || !(attributes.value instanceof TerraformMap)) return attributes;
  const [own, theirs] = [wordsOf(one), wordsOf(other)];
  if (own === undefined || theirs === undefined) return attributes;
  const reason = 'its resource is declared twice in one module, in different words, and Terraform refuses that';
  const entries = new Map(attributes.value.entries);
  for (const name of new Set([...own.keys(), ...theirs.keys()]))
    if (own.get(name) !== theirs.get(name)) entries.set(name, new Unknown(reason, source));
  return new Known<TerraformItem>(
    new TerraformMap(entries, attributes.value.more, attributes.value.unsure),
    attributes.source,
  );
}

/** The words of each argument, and of all nested blocks of a type. */
function wordsOf({ block: { body }, file }: Declared): ReadonlyMap<string, string> | undefined {
  if (file.textOf === undefined) return undefined;
  const found = new Map<string, string>();
  const add = (name: string, words: string | undefined) => {
    found.set(name, `${found.get(name) ?? ''}${(words ?? '').replace(/\s+/g, ' ')}\n`);
  };
  for (const { name, value } of body.attributes) add(name, file.textOf(value.range));
  for (const { type, labels, body: inner } of body.blocks)
    add(type === 'dynamic' ? (labels[0] ?? type) : type, file.textOf(inner.range));
  return found;
}
