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
import { compose } from '../../value/composed-text';

/** A value of a ClusterConfig, or the place where it would stand. */
export class ConfigNode implements Source {
  constructor(
    readonly document: ParsedDocument,
    readonly file: string,
    readonly path: DocumentPath,
    readonly raw: unknown,
    /** How many steps of the path lead to the resource that it belongs to. */
    private readonly base = 0,
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

  /** The same node as a resource of its own. */
  asResource(): ConfigNode {
    return new ConfigNode(this.document, this.file, this.path, this.raw, this.path.length);
  }

  /** The same place with nothing written in it. */
  get empty(): ConfigNode {
    return new ConfigNode(this.document, this.file, this.path, undefined, this.path.length);
  }

  /** The same place within the resource that it is a part of. */
  within(resource: ConfigNode): ConfigNode {
    return new ConfigNode(this.document, this.file, this.path, this.raw, resource.path.length);
  }

  child(key: string | number): ConfigNode {
    const { raw } = this;
    const inner = Array.isArray(raw)
      ? (raw as readonly unknown[])[Number(key)]
      : isMap(raw) && Object.hasOwn(raw, key)
        ? raw[String(key)]
        : undefined;
    return new ConfigNode(this.document, this.file, [...this.path, key], inner, this.base);
  }

  at(...keys: readonly string[]): ConfigNode {
    return keys.reduce<ConfigNode>((node, key) => node.child(key), this);
  }

  /** The block below a key, for tables. */
  block(key: string): ConfigNode {
    return this.child(key);
  }

  /** Whether something is written here; eksctl takes `null` for nothing. */
  get isWritten(): boolean {
    return this.raw !== undefined && this.raw !== null;
  }

  /** Whether it is written as a text, as opposed to a number that reads like one (`1.30`). */
  get isText(): boolean {
    return typeof this.raw === 'string' && this.document.scalarText(this.path) === undefined;
  }

  get keys(): readonly string[] {
    return isMap(this.raw) ? Object.keys(this.raw) : [];
  }

  get items(): readonly ConfigNode[] {
    return Array.isArray(this.raw) ? this.raw.map((_, index) => this.child(index)) : [];
  }

  /** What stands at this place, of a setting that isn't written the block around it. */
  get place(): Source {
    if (this.isWritten || this.path.length <= this.base) return this;
    return new ConfigNode(this.document, this.file, this.path.slice(0, -1), undefined, this.base);
  }

  get text(): Plain<string> {
    const { raw } = this;
    if (!this.isWritten || raw === '') return new Absent(this.place);
    if (typeof raw === 'string') return textWithHoles(raw, this);
    if (typeof raw === 'object') return new Unknown('it is no text', this);
    return new Known(this.document.scalarText(this.path) ?? this.label, this);
  }

  /** What is written here as a name; nothing of a list or a map. */
  get label(): string {
    const { raw } = this;
    return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : '';
  }

  /** A text that is handed on as it stands, such as a script: `$NAME` isn't filled in there. */
  get script(): Plain<string> {
    const { raw } = this;
    return typeof raw === 'string'
      ? new Known(raw, this)
      : this.isWritten
        ? new Unknown('it is no text', this)
        : new Absent(this.place);
  }

  get number(): Plain<number | string> {
    const { raw } = this;
    return typeof raw === 'number' ? new Known(raw, this) : this.text;
  }

  get boolean(): Plain<boolean> {
    const { raw } = this;
    if (!this.isWritten) return new Absent(this.place);
    if (typeof raw === 'boolean') return new Known(raw, this);
    return typeof raw === 'string' && holesIn(raw).length > 0
      ? unknownHole(raw, this)
      : new Unknown('it is neither true nor false', this);
  }

  get texts(): Plain<readonly Value<string>[]> {
    if (!this.isWritten) return new Absent(this.place);
    if (Array.isArray(this.raw))
      return new Known(
        this.items.map(({ text }) => text),
        this,
      );
    const { text } = this;
    return text.kind === 'unknown' ? text : new Unknown('it is no list', this);
  }

  /** Plain data, with what isn't known in it. */
  get data(): Data {
    const { raw } = this;
    if (typeof raw === 'string') return holesIn(raw).length === 0 ? raw : unknownText(this);
    if (Array.isArray(raw)) return this.items.map(({ data }) => data);
    if (isMap(raw)) return Object.fromEntries(this.keys.map((key) => [key, this.child(key).data]));
    return typeof raw === 'number' || typeof raw === 'boolean' ? raw : null;
  }
}

function isMap(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** What people have filled in before eksctl sees it: `${NAME}`, `$NAME`, `{{ .Name }}`, `<name>`. */
const HOLE = /\$\{[^{}]*\}|\$[A-Za-z_]\w*|\{\{[^{}]*\}\}|<(?![\s<=>])[^<>\n]{1,60}>/g;

function holesIn(text: string): readonly RegExpMatchArray[] {
  return [...text.matchAll(HOLE)];
}

function textWithHoles(text: string, source: ConfigNode): Plain<string> {
  const holes = holesIn(text);
  if (holes.length === 0) return new Known(text, source);
  const parts: Plain<string>[] = [];
  let end = 0;
  for (const hole of holes) {
    parts.push(new Known(text.slice(end, hole.index), source), unknownHole(hole[0], source));
    end = (hole.index ?? 0) + hole[0].length;
  }
  parts.push(new Known(text.slice(end), source));
  return compose(parts, source);
}

function unknownText(node: ConfigNode): Data {
  const { text } = node;
  return text.kind === 'unknown' ? text : node.label;
}

function unknownHole(hole: string, source: Source): Unknown {
  return new Unknown(
    `${hole} is filled in before eksctl reads the file`,
    source,
    `\${${hole.replaceAll(/[${}<>]/g, '').trim()}}`,
    hole,
  );
}
