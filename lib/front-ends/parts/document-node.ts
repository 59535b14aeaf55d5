import type { DocumentPath, ParsedDocument } from '../../languages';
import { Absent, Known, Unknown, type Plain, type Source, type SourceLocation, type Value } from '../../value';

/** A place in a parsed document, by the steps that lead to it, of which the last are the property of a resource. */
export class DocumentPlace implements Source {
  /** @param base how many steps lead to the resource */
  constructor(
    readonly document: ParsedDocument,
    readonly file: string,
    readonly path: DocumentPath,
    protected readonly base: number,
  ) {}

  locate(): SourceLocation {
    const property = this.path.slice(this.base).join('.');
    const { line, column } = this.document.locate(this.path);
    return { file: this.file, line, column, ...(property === '' ? {} : { property }) };
  }

  inText(_text: string, offset: number): Source {
    const at = this.document.locateInText(this.path, offset);
    if (at === undefined) return this;
    const { property } = this.locate();
    return { locate: () => ({ file: this.file, ...at, ...(property === undefined ? {} : { property }) }) };
  }
}

/**
 * A value of a parsed document, or the place where it would stand, with the types that tables of resources have. `Node` is the class of the front end,
 * which says what a text is there.
 */
export abstract class DocumentNode<Node extends DocumentNode<Node>> extends DocumentPlace {
  constructor(
    document: ParsedDocument,
    file: string,
    path: DocumentPath,
    readonly raw: unknown,
    base = 0,
  ) {
    super(document, file, path, base);
  }

  /** Another value of the same document. */
  protected abstract node(path: DocumentPath, raw: unknown, base: number): Node;

  abstract get text(): Plain<string>;

  /** The same node as a resource of its own. */
  asResource(): Node {
    return this.node(this.path, this.raw, this.path.length);
  }

  child(key: string | number): Node {
    const { raw } = this;
    const inner = Array.isArray(raw)
      ? (raw as readonly unknown[])[Number(key)]
      : isMap(raw) && Object.hasOwn(raw, key)
        ? raw[String(key)]
        : undefined;
    return this.node([...this.path, key], inner, this.base);
  }

  at(...keys: readonly string[]): Node {
    return keys.reduce((node, key) => node.child(key), this.node(this.path, this.raw, this.base));
  }

  /** The block below a key, for tables. */
  block(key: string): Node {
    return this.child(key);
  }

  /** Whether something is written here; `null` stands for nothing. */
  get isWritten(): boolean {
    return this.raw !== undefined && this.raw !== null;
  }

  get isMap(): boolean {
    return isMap(this.raw);
  }

  get isList(): boolean {
    return Array.isArray(this.raw);
  }

  get keys(): readonly string[] {
    return isMap(this.raw) ? Object.keys(this.raw) : [];
  }

  get items(): readonly Node[] {
    return Array.isArray(this.raw) ? this.raw.map((_, index) => this.child(index)) : [];
  }

  /** What stands at this place, of a setting that isn't written the block around it. */
  get place(): Source {
    if (this.isWritten || this.path.length <= this.base) return this;
    return this.node(this.path.slice(0, -1), undefined, this.base);
  }

  /** What is written here as a name; nothing of a list or a map. */
  get label(): string {
    const { raw } = this;
    return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '';
  }

  get number(): Plain<number | string> {
    return typeof this.raw === 'number' ? new Known(this.raw, this) : this.text;
  }

  get boolean(): Plain<boolean> {
    if (!this.isWritten) return new Absent(this.place);
    return typeof this.raw === 'boolean'
      ? new Known(this.raw, this)
      : new Unknown('it is neither true nor false', this);
  }

  /** Whether there is a block, whatever it holds. */
  get presence(): Plain<true> {
    return this.isWritten ? new Known(true, this) : new Absent(this.place);
  }

  /** The items of a list, one by one; what is written and is none has no items. */
  get list(): Plain<readonly Node[]> {
    return this.isWritten ? new Known(this.items, this) : new Absent(this.place);
  }

  get texts(): Plain<readonly Value<string>[]> {
    if (this.isWritten && !this.isList) return new Unknown('it is no list', this);
    const { list } = this;
    return list.kind === 'known'
      ? new Known(
          list.value.map(({ text }) => text),
          this,
        )
      : list;
  }
}

function isMap(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
