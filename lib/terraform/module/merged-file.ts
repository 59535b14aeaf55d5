import type { ConfigurationFile } from '../configuration-file';
import type { Attribute, Block, Body, Range } from '../../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../languages/hcl/children';

/** A block and the file whose places its ranges are of. */
export interface Declared {
  readonly block: Block;
  readonly file: ConfigurationFile;
}

/** Blocks in which an override replaces single arguments instead of the whole. */
const MERGED_BLOCKS: ReadonlySet<string> = new Set(['lifecycle']);

/**
 * A block with what an override file says of it: arguments replace arguments of the same name, nested blocks all those of their type.
 * See "Override Files" of Terraform's documentation.
 */
export function overridden(original: Declared, override: Declared): Declared {
  const body = mergedBody(original.block.body, override.block.body);
  const ranges = new Set<Range>();
  collect(override.block.body, ranges);
  const fileOf = (range: Range): ConfigurationFile => (ranges.has(range) ? override.file : original.file);
  const file: ConfigurationFile = {
    ...original.file,
    place: (range, property) => fileOf(range).place(range, property),
    textOf: (range) => fileOf(range).textOf?.(range),
  };
  return { block: { ...original.block, body }, file };
}

function mergedBody(original: Body, override: Body): Body {
  const replacing = new Set(override.blocks.map(typeOf));
  const attributes = new Map(
    original.attributes.filter(({ name }) => !replacing.has(name)).map((attribute) => [attribute.name, attribute]),
  );
  for (const attribute of override.attributes) attributes.set(attribute.name, attribute);
  const replaced = new Set(
    [...replacing, ...override.attributes.filter(holdsBlocks).map(({ name }) => name)].filter(
      (type) => !MERGED_BLOCKS.has(type),
    ),
  );
  const blocks = [
    ...original.blocks.filter((block) => !replaced.has(typeOf(block))),
    ...override.blocks.filter((block) => !MERGED_BLOCKS.has(typeOf(block))),
  ];
  return { attributes: [...attributes.values()], blocks, range: original.range };
}

/** Whether an argument may be blocks, as JSON writes them: an object, or a list of objects. None replace none. */
function holdsBlocks({ value }: Attribute): boolean {
  return (
    value.kind === 'object' ||
    (value.kind === 'tuple' && value.items.length > 0 && value.items.every(({ kind }) => kind === 'object'))
  );
}

/** What a nested block makes: a dynamic one makes blocks of its label. */
function typeOf({ type, labels }: Block): string {
  return type === 'dynamic' ? (labels[0] ?? type) : type;
}

function collect(body: Body, ranges: Set<Range>): void {
  for (const attribute of body.attributes) collectAttribute(attribute, ranges);
  for (const block of body.blocks) {
    ranges.add(block.headRange).add(block.body.range);
    collect(block.body, ranges);
  }
}

function collectAttribute({ nameRange, value }: Attribute, ranges: Set<Range>): void {
  ranges.add(nameRange);
  let level: readonly SyntaxNode[] = [value];
  while (level.length > 0) {
    for (const node of level) if ('range' in node) ranges.add(node.range);
    level = level.flatMap(childrenOf);
  }
}
