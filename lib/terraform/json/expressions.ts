import type { Expression, ObjectEntry, Range, SyntaxProblem } from '../../languages/hcl/ast';
import { parseExpression, parseTemplate } from '../../languages/hcl/parser';
import { isDeeperThan } from '../../languages/hcl/children';
import { MAX_DEPTH, TOO_DEEP } from '../../languages/hcl/token-stream';
import type { JsonArray, JsonMember, JsonNode, JsonObject, JsonString } from './node';
import type { JsonPlaces } from './places';

/**
 * How strings are meant: as templates, as they are written (`default` of a variable), or as a reference or keyword that needs no `${…}`
 * (`depends_on`).
 */
export type StringMode = 'template' | 'literal' | 'reference';

/** Makes expressions of JSON values: "Expression Mapping" of Terraform's JSON Configuration Syntax. */
export class JsonExpressions {
  constructor(
    private readonly places: JsonPlaces,
    private readonly problems: SyntaxProblem[],
  ) {}

  read(node: JsonNode, mode: StringMode): Expression {
    const value = this.convert(node, mode);
    // A text alone is as deep as its parser lets it be; within lists and objects it adds to their depth.
    if (node.kind === 'string' || node.kind === 'scalar' || !isDeeperThan(value, MAX_DEPTH)) return value;
    this.problems.push({ message: TOO_DEEP, offset: node.range.start });
    return { kind: 'invalid', text: '', range: node.range };
  }

  private convert(node: JsonNode, mode: StringMode): Expression {
    switch (node.kind) {
      case 'scalar':
        return { kind: 'literal', value: node.value, range: node.range };
      case 'string':
        return this.string(node, mode);
      case 'array':
        return { kind: 'tuple', items: node.items.map((item) => this.convert(item, mode)), range: node.range };
      case 'object':
        return this.object(node, mode);
    }
  }

  private object({ members, range }: JsonObject, mode: StringMode): Expression {
    const entries = withoutRepetition(members, (message, offset) => this.problems.push({ message, offset })).map(
      ({ name, nameRange, value }): ObjectEntry => {
        const key: JsonString = { kind: 'string', range: nameRange, value: name };
        return { key: this.string(key, mode === 'template' ? mode : 'literal'), value: this.convert(value, mode) };
      },
    );
    return { kind: 'object', entries, range };
  }

  private string(node: JsonString, mode: StringMode): Expression {
    const { value, range } = node;
    if (mode === 'reference') return this.reference(node);
    // Most strings are no templates, and need no parser.
    if (mode === 'literal' || !(value.includes('${') || value.includes('%{')))
      return { kind: 'literal', value: mode === 'literal' ? value : value.normalize('NFC'), range };
    const parsed = parseTemplate(value, this.places.baseOf(range, value));
    this.problems.push(...parsed.problems);
    return withoutQuotes(parsed.value, range);
  }

  /** What is no reference is left to whoever reads it: a text may stand there too. */
  private reference(node: JsonString): Expression {
    const { value, range } = node;
    if (value.includes('${')) return this.string(node, 'template');
    const parsed = parseExpression(value, this.places.baseOf(range, value));
    return parsed.problems.length === 0 ? parsed.value : { kind: 'literal', value, range };
  }
}

/** What a string stands for: a single interpolation is its value, anything else has the place of its quotes. */
function withoutQuotes(value: Expression, range: Range): Expression {
  if (value.kind !== 'template') return { ...value, range };
  const [only, ...others] = value.parts;
  return only?.kind === 'interpolation' && others.length === 0 ? only.value : { ...value, range };
}

/**
 * Members of which no two have the same name. Objects and arrays under one name are the blocks of that name, in their order; of other values
 * only the first counts.
 */
export function withoutRepetition(
  members: readonly JsonMember[],
  problem: (message: string, offset: number) => unknown,
): readonly JsonMember[] {
  const byName = new Map<string, JsonMember>();
  for (const member of members) {
    const first = byName.get(member.name);
    if (first === undefined) byName.set(member.name, member);
    else if (isCollection(first.value) && isCollection(member.value))
      byName.set(member.name, { ...first, value: together(first.value, member.value) });
    else problem(`"${member.name}" is set twice in one block; only the first counts`, member.nameRange.start);
  }
  return byName.size === members.length ? members : [...byName.values()];
}

function isCollection(node: JsonNode): node is JsonObject | JsonArray {
  return node.kind === 'object' || node.kind === 'array';
}

function together(one: JsonObject | JsonArray, other: JsonObject | JsonArray): JsonArray {
  const items = [one, other].flatMap((node) => (node.kind === 'array' ? node.items : [node]));
  return { kind: 'array', items, range: one.range, hasDynamic: one.hasDynamic || other.hasDynamic };
}
