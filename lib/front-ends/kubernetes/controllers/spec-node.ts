import type { DocumentPath, ParsedDocument } from '../../../languages';
import { parseDocument } from '../../../languages';
import { Absent, Known, Unknown, type Plain, type SourceLocation, type Value } from '../../../value';
import { documentPolicies } from '../../parts/document-policies';
import { DocumentNode } from '../../parts/document-node';
import { textOf } from '../object-data';

/** A value in an object from which a controller makes something of AWS. */
export class SpecNode extends DocumentNode<SpecNode> {
  private owner: SpecNode | undefined;
  private others: SpecNode | undefined;
  private isAdopted = false;

  /** The same of an object that takes over what exists: what isn't written is what that has. */
  asAdopted(): SpecNode {
    const node = this.node(this.path, this.raw, this.base);
    node.isAdopted = true;
    return node;
  }

  /** The same block, with members of another one where it has none. */
  or(others: SpecNode): SpecNode {
    const node = this.node(this.path, this.raw, this.base);
    node.isAdopted = this.isAdopted;
    node.others = others;
    return node;
  }

  protected node(path: DocumentPath, raw: unknown, base: number): SpecNode {
    return new SpecNode(this.document, this.file, path, raw, base);
  }

  /** Older APIs of Crossplane have blocks as lists of one. */
  override child(key: string | number): SpecNode {
    if (typeof key === 'string' && Array.isArray(this.raw) && this.raw.length === 1 && !/^\d+$/.test(key))
      return super.child(0).child(key);
    const child = super.child(key);
    child.isAdopted = this.isAdopted;
    const other = child.isWritten ? undefined : this.others?.child(key);
    if (other?.isWritten === true) return other;
    child.owner = this;
    return child;
  }

  get text(): Plain<string> {
    const { raw } = this;
    if (!this.isWritten || raw === '') return this.absence;
    if (typeof raw === 'string') {
      const data = textOf(raw, this);
      return data instanceof Unknown ? data : new Known(raw, this);
    }
    if (typeof raw === 'object') return new Unknown('it is no text', this);
    return new Known(this.document.scalarText(this.path) ?? this.label, this);
  }

  override get boolean(): Plain<boolean> {
    const { text } = this;
    return text.kind === 'unknown' ? text : super.boolean;
  }

  override get texts(): Plain<readonly Value<string>[]> {
    if (!this.isWritten) return this.absence;
    return !this.isList && this.text.kind === 'unknown' ? this.text : super.texts;
  }

  override get presence(): Plain<true> {
    return this.isWritten ? super.presence : this.absence;
  }

  override get list(): Plain<readonly SpecNode[]> {
    return this.isWritten ? super.list : this.absence;
  }

  /** What it means that nothing is written here. */
  get absence(): Absent | Unknown {
    return this.decidedElsewhere() ?? this.adopted() ?? new Absent(this.place);
  }

  /** What decides all that an object that takes over what exists doesn't say. */
  adopted(): Unknown | undefined {
    return this.isAdopted ? new Unknown('the object takes over what exists, which says it', this.place) : undefined;
  }

  /** What stands beside it and names an object, whose value it gets: `roleRef` or `roleSelector` for `roleARN`. */
  get reference(): SpecNode | undefined {
    const { owner } = this;
    const key = String(this.path.at(-1)).toLowerCase();
    const found = owner?.keys.find((other) => {
      const base = /^(\w+?)(?:Refs?|Selector)$/.exec(other)?.[1]?.toLowerCase();
      return base !== undefined && key.startsWith(base) && owner.child(other).isWritten;
    });
    return found === undefined ? undefined : owner?.child(found);
  }

  private decidedElsewhere(): Unknown | undefined {
    const { reference } = this;
    return reference === undefined
      ? undefined
      : new Unknown(`\`${String(reference.path.at(-1))}\` decides it`, reference);
  }
}

/** What a text of JSON holds: all of it stands where the text does. */
class NodeInText extends SpecNode {
  constructor(
    document: ParsedDocument,
    private readonly outer: SpecNode,
    path: DocumentPath,
    raw: unknown,
  ) {
    super(document, outer.file, path, raw, 0);
  }

  protected override node(path: DocumentPath, raw: unknown): SpecNode {
    return new NodeInText(this.document, this.outer, path, raw);
  }

  /** In a policy, an empty text is one. */
  override get text(): Plain<string> {
    return this.raw === '' ? new Known('', this) : super.text;
  }

  override locate(): SourceLocation {
    return this.outer.locate();
  }
}

/** The policy document that a text holds. */
export const policyDocument = documentPolicies<SpecNode>((text, node) => {
  const document = parseDocument(text, node.file, false);
  const { root } = document;
  return typeof root === 'object' && root !== null ? new NodeInText(document, node, [], root) : undefined;
});
