import type { Attribute, Block, Body, Range, SyntaxProblem } from '../../languages/hcl/ast';
import { JsonExpressions, withoutRepetition } from './expressions';
import {
  holdsDynamic,
  isDynamic,
  itemsOf,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  type JsonOutline,
} from './node';
import type { JsonPlaces } from './places';
import { DYNAMIC_BLOCK, SCHEMA_BODY, type BlockSyntax, type BodySyntax } from './syntax';

/** A key of which Terraform says that it is a comment. */
export const COMMENT = '//';

export type BlockHead = Omit<Block, 'body'>;

/** How to look into a value. */
interface View<Node extends JsonOutline> {
  /** Members of an object, items of an array. */
  readonly membersOf: (
    node: Node,
  ) => readonly { readonly name: string; readonly nameRange: Range; readonly value: Node }[];
  readonly isNull: (node: Node) => boolean;
}

/**
 * Finds the blocks of a type: an object for each label, and objects or arrays of objects everywhere; null stands for no block.
 * @param found gets each block, always an object
 */
export function unpack<Node extends JsonOutline>(
  view: View<Node>,
  node: Node,
  head: BlockHead,
  labels: number,
  problems: SyntaxProblem[],
  found: (node: Node, head: BlockHead) => void,
): void {
  const visit = (value: Node, at: BlockHead, inArray: boolean): void => {
    if (value.kind === 'array' && !inArray) {
      // In an array a block without labels has no other place.
      for (const { value: item } of view.membersOf(value))
        visit(item, labels === 0 ? { ...at, headRange: firstOf(item.range) } : at, true);
    } else if (value.kind !== 'object') {
      if (!view.isNull(value)) problems.push({ message: notABlock(at, value), offset: value.range.start });
    } else if (at.labels.length < labels) {
      for (const { name, nameRange, value: inner } of view.membersOf(value)) {
        if (name !== COMMENT) visit(inner, { ...at, labels: [...at.labels, name], headRange: nameRange }, false);
      }
    } else {
      found(value, at);
    }
  };
  visit(node, head, false);
}

function notABlock({ type, labels }: BlockHead, { kind }: JsonOutline): string {
  return `${[type, ...labels.map((label) => JSON.stringify(label))].join(' ')} is a block: it takes an object, or a list of objects, not ${kind === 'array' ? 'a list in a list' : 'a plain value'}`;
}

function firstOf({ start }: Range): Range {
  return { start, end: start + 1 };
}

const NODES: View<JsonNode> = {
  membersOf: (node) =>
    node.kind === 'object' ? node.members : itemsOf(node).map((value) => ({ name: '', nameRange: value.range, value })),
  isNull,
};

export function isNull(node: JsonNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** Makes bodies and blocks of JSON objects: "Block Mapping" of Terraform's JSON Configuration Syntax. */
export class JsonBodies {
  private readonly expressions: JsonExpressions;

  constructor(
    places: JsonPlaces,
    private readonly problems: SyntaxProblem[],
  ) {
    this.expressions = new JsonExpressions(places, problems);
  }

  body({ members, range }: JsonObject, syntax: BodySyntax): Body {
    const attributes: Attribute[] = [];
    const blocks: Block[] = [];
    const named: JsonMember[] = [];
    const made = syntax.hasDynamic ? dynamicTypes(members) : undefined;
    for (const member of members) {
      const { name } = member;
      if (name === COMMENT) continue;
      const block = syntax.blocks.get(name) ?? (made === undefined ? undefined : schemaBlock(member, made));
      if (block !== undefined) this.blocks(member, block, blocks);
      else named.push(member);
    }
    for (const { name, nameRange, value } of withoutRepetition(named, (message, offset) =>
      this.problems.push({ message, offset }),
    )) {
      attributes.push({
        name,
        nameRange,
        value: this.expressions.read(value, syntax.arguments.get(name) ?? syntax.others),
      });
    }
    return { attributes, blocks, range };
  }

  private blocks({ name, nameRange, value }: JsonMember, syntax: BlockSyntax, blocks: Block[]): void {
    unpack(
      NODES,
      value,
      { type: name, labels: [], headRange: nameRange },
      syntax.labels,
      this.problems,
      (node, head) => {
        if (node.kind === 'object') blocks.push({ ...head, body: this.body(node, syntax.body()) });
      },
    );
  }
}

const BLOCK_OF_SCHEMA: BlockSyntax = { labels: 0, body: SCHEMA_BODY };

/** What is a block although only the provider's schema says so: those with `dynamic` blocks in them or next to them. */
function schemaBlock({ name, value }: JsonMember, made: ReadonlySet<string>): BlockSyntax | undefined {
  if (isDynamic(name, value)) return DYNAMIC_BLOCK;
  return (made.has(name) || holdsDynamic(value)) && isBlocks(value) ? BLOCK_OF_SCHEMA : undefined;
}

/** Types of blocks that `dynamic` blocks of a body make; others of such a type are blocks too, not an argument. */
function dynamicTypes(members: readonly JsonMember[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { name, value } of members) {
    if (!isDynamic(name, value)) continue;
    for (const item of itemsOf(value))
      if (item.kind === 'object') for (const member of item.members) types.add(member.name);
  }
  return types;
}

function isBlocks(node: JsonNode): boolean {
  return itemsOf(node).every(({ kind }) => kind === 'object');
}
