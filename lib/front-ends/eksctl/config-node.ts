import type { DocumentPath } from '../../languages';
import { Absent, Known, Unknown, type Data, type Plain, type Source, type Value } from '../../value';
import { compose } from '../../value/composed-text';
import { DocumentNode } from '../parts/document-node';

/** A value of a ClusterConfig, or the place where it would stand. */
export class ConfigNode extends DocumentNode<ConfigNode> {
  protected override node(path: DocumentPath, raw: unknown, base: number): ConfigNode {
    return new ConfigNode(this.document, this.file, path, raw, base);
  }

  /** The same place with nothing written in it. */
  get empty(): ConfigNode {
    return this.node(this.path, undefined, this.path.length);
  }

  /** The same place within the resource that it is a part of. */
  within(resource: ConfigNode): ConfigNode {
    return this.node(this.path, this.raw, resource.path.length);
  }

  /** Whether it is written as a text, as opposed to a number that reads like one (`1.30`). */
  get isText(): boolean {
    return typeof this.raw === 'string' && this.document.scalarText(this.path) === undefined;
  }

  get text(): Plain<string> {
    const { raw } = this;
    if (!this.isWritten || raw === '') return new Absent(this.place);
    if (typeof raw === 'string') return textWithHoles(raw, this);
    if (typeof raw === 'object') return new Unknown('it is no text', this);
    return new Known(this.document.scalarText(this.path) ?? this.label, this);
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

  override get boolean(): Plain<boolean> {
    const { raw } = this;
    return typeof raw === 'string' && holesIn(raw).length > 0 ? unknownHole(raw, this) : super.boolean;
  }

  override get texts(): Plain<readonly Value<string>[]> {
    const { text } = this;
    return !this.isList && text.kind === 'unknown' ? text : super.texts;
  }

  /** Plain data, with what isn't known in it. */
  get data(): Data {
    const { raw } = this;
    if (typeof raw === 'string') return holesIn(raw).length === 0 ? raw : unknownText(this);
    if (Array.isArray(raw)) return this.items.map(({ data }) => data);
    if (this.isMap) return Object.fromEntries(this.keys.map((key) => [key, this.child(key).data]));
    return typeof raw === 'number' || typeof raw === 'boolean' ? raw : null;
  }
}

/** What people have filled in before eksctl sees it: `${NAME}`, `$NAME`, `{{ .Name }}`, `<name>`, `@NAME@`. */
const HOLE =
  /\$\{[^{}]*\}|\$[A-Za-z_]\w*|\{\{[^{}]*\}\}|<(?![\s<=>])[^<>\n]{1,60}>|(?<![\w.])@[A-Za-z]\w{0,60}@(?![\w.])/g;

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
    `\${${hole.replaceAll(/[${}<>@]/g, '').trim()}}`,
    hole,
  );
}
