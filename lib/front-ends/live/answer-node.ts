import type { DocumentPath, ParsedDocument } from '../../languages';
import {
  Absent,
  Known,
  Unknown,
  type Data,
  type Plain,
  type Source,
  type SourceLocation,
  type Value,
} from '../../value';

/** A value of an answer of AWS or Kubernetes, or the place where it would stand. All of it is known, and what an answer leaves out isn't set. */
export class AnswerNode implements Source {
  constructor(
    readonly document: ParsedDocument,
    readonly file: string,
    readonly path: DocumentPath,
    readonly raw: unknown,
    /** How many steps of the path lead to the resource that it belongs to. */
    private readonly base = 0,
  ) {}

  static root(document: ParsedDocument, file: string): AnswerNode {
    return new AnswerNode(document, file, [], document.root);
  }

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

  /** The same node as a resource of its own. */
  asResource(): AnswerNode {
    return new AnswerNode(this.document, this.file, this.path, this.raw, this.path.length);
  }

  child(key: string | number): AnswerNode {
    const { raw } = this;
    const inner = Array.isArray(raw)
      ? (raw as readonly unknown[])[Number(key)]
      : isMap(raw) && Object.hasOwn(raw, key)
        ? raw[String(key)]
        : undefined;
    return new AnswerNode(this.document, this.file, [...this.path, key], inner, this.base);
  }

  at(...keys: readonly string[]): AnswerNode {
    return keys.reduce<AnswerNode>((node, key) => node.child(key), this);
  }

  /** The block below a key, for tables. */
  block(key: string): AnswerNode {
    return this.child(key);
  }

  /** The command line prints `null` for what isn't set, or leaves it out. */
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

  get items(): readonly AnswerNode[] {
    return Array.isArray(this.raw) ? this.raw.map((_, index) => this.child(index)) : [];
  }

  /** What stands at this place, of a setting that isn't written the block around it. */
  get place(): Source {
    if (this.isWritten || this.path.length <= this.base) return this;
    return new AnswerNode(this.document, this.file, this.path.slice(0, -1), undefined, this.base);
  }

  /** What is written here as a name; nothing of a list or a map. */
  get label(): string {
    const { raw } = this;
    return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '';
  }

  /** AWS answers empty texts where it means none. */
  get text(): Plain<string> {
    if (!this.isWritten || this.raw === '') return new Absent(this.place);
    return typeof this.raw === 'object' ? new Unknown('it is no text', this) : new Known(this.label, this);
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

  get texts(): Plain<readonly Value<string>[]> {
    if (!this.isWritten) return new Absent(this.place);
    if (!this.isList) return new Unknown('it is no list', this);
    return this.items.length === 0
      ? new Absent(this)
      : new Known(
          this.items.map(({ text }) => text),
          this,
        );
  }

  /** Plain data. */
  get data(): Data {
    return (this.raw ?? null) as Data;
  }
}

function isMap(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
