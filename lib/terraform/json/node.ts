import { skipBlank, skipString, skipValue, stringAt } from '../../languages/json/json-scanner';
import type { Range } from '../../languages/hcl/ast';

/** A value of a JSON text, with its place. Unlike what JSON.parse gives it keeps keys that are written twice, which Terraform allows for blocks. */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonScalar;

export interface JsonObject {
  readonly kind: 'object';
  readonly range: Range;
  readonly members: readonly JsonMember[];
  /** There are `dynamic` blocks in it, at any depth. */
  readonly hasDynamic: boolean;
}

export interface JsonArray {
  readonly kind: 'array';
  readonly range: Range;
  readonly items: readonly JsonNode[];
  readonly hasDynamic: boolean;
}

export interface JsonString {
  readonly kind: 'string';
  /** The quotes included. */
  readonly range: Range;
  readonly value: string;
}

interface JsonScalar {
  readonly kind: 'scalar';
  readonly range: Range;
  readonly value: number | boolean | null;
}

export interface JsonMember {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: JsonNode;
}

/** What of a value can be told without reading it whole. */
export interface JsonOutline {
  readonly kind: JsonNode['kind'];
  readonly range: Range;
}

/** A member of an object, or an item of an array, that isn't read yet. */
export interface OutlineMember {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: JsonOutline;
}

/** Reads a valid JSON text of limited depth. */
export class JsonText {
  constructor(readonly text: string) {}

  /** The outermost value. */
  outline(): JsonOutline {
    return this.outlineAt(skipBlank(this.text, 0));
  }

  /** Members of an object, or items of an array by their index, each passed over without a look into it. */
  membersOf({ kind, range }: JsonOutline): readonly OutlineMember[] {
    const { text } = this;
    const members: OutlineMember[] = [];
    if (kind !== 'object' && kind !== 'array') return members;
    let i = skipBlank(text, range.start + 1);
    while (i < range.end - 1) {
      let name = String(members.length);
      const start = i;
      let nameRange: Range | undefined;
      if (kind === 'object') {
        nameRange = { start, end: skipString(text, start) };
        name = stringAt(text, start, nameRange.end);
        i = this.behindColon(nameRange.end);
      }
      const value = this.outlineAt(i);
      members.push({ name, nameRange: nameRange ?? { start, end: start + 1 }, value });
      i = this.behindComma(value.range.end);
    }
    return members;
  }

  /** A value with all that is in it. */
  read({ range }: JsonOutline): JsonNode {
    return this.nodeAt(range.start);
  }

  /** A value as JSON.parse gives it. */
  plain({ range }: JsonOutline): unknown {
    return JSON.parse(this.text.slice(range.start, range.end)) as unknown;
  }

  private outlineAt(start: number): JsonOutline {
    return { kind: kindAt(this.text, start), range: { start, end: skipValue(this.text, start) } };
  }

  private behindColon(offset: number): number {
    return skipBlank(this.text, skipBlank(this.text, offset) + 1);
  }

  private behindComma(offset: number): number {
    const next = skipBlank(this.text, offset);
    return this.text[next] === ',' ? skipBlank(this.text, next + 1) : next;
  }

  private nodeAt(start: number): JsonNode {
    switch (kindAt(this.text, start)) {
      case 'object':
        return this.objectAt(start);
      case 'array':
        return this.arrayAt(start);
      case 'string': {
        const range = { start, end: skipString(this.text, start) };
        return { kind: 'string', range, value: stringAt(this.text, start, range.end) };
      }
      case 'scalar': {
        const range = { start, end: skipValue(this.text, start) };
        return {
          kind: 'scalar',
          range,
          value: JSON.parse(this.text.slice(start, range.end)) as number | boolean | null,
        };
      }
    }
  }

  private objectAt(start: number): JsonObject {
    const { text } = this;
    const members: JsonMember[] = [];
    let hasDynamic = false;
    let i = skipBlank(text, start + 1);
    while (i < text.length && text[i] !== '}') {
      const nameRange = { start: i, end: skipString(text, i) };
      const name = stringAt(text, nameRange.start, nameRange.end);
      const value = this.nodeAt(this.behindColon(nameRange.end));
      hasDynamic ||= holdsDynamic(value) || isDynamic(name, value);
      members.push({ name, nameRange, value });
      i = this.behindComma(value.range.end);
    }
    return { kind: 'object', range: { start, end: i + 1 }, members, hasDynamic };
  }

  private arrayAt(start: number): JsonArray {
    const { text } = this;
    const items: JsonNode[] = [];
    let i = skipBlank(text, start + 1);
    while (i < text.length && text[i] !== ']') {
      const item = this.nodeAt(i);
      items.push(item);
      i = this.behindComma(item.range.end);
    }
    return { kind: 'array', range: { start, end: i + 1 }, items, hasDynamic: items.some(holdsDynamic) };
  }
}

/** Whether a value holds `dynamic` blocks, so that it is itself a block, or a list of blocks. */
export function holdsDynamic(node: JsonNode): boolean {
  return (node.kind === 'object' || node.kind === 'array') && node.hasDynamic;
}

/** Whether a member is a `dynamic` block, or several of them, and not an entry of a map that has that name. */
export function isDynamic(name: string, value: JsonNode): boolean {
  if (name !== 'dynamic') return false;
  const blocks = itemsOf(value).flatMap((item) =>
    item.kind === 'object' ? item.members.flatMap((member) => itemsOf(member.value)) : [item],
  );
  return (
    blocks.length > 0 &&
    blocks.every((block) => block.kind === 'object' && block.members.some((member) => member.name === 'for_each'))
  );
}

/** The objects where one or a list of them may stand. */
export function itemsOf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' ? node.items : [node];
}

/** Whether a text is nested more than `limit` levels deep. */
export function isDeepJson(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = skipString(text, i) - 1;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

function kindAt(text: string, offset: number): JsonNode['kind'] {
  switch (text.charAt(offset)) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    default:
      return 'scalar';
  }
}
