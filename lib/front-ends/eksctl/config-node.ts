import type { DocumentPath } from '../../languages';
import { Absent, Known, Unknown, type Data, type Plain, type Value } from '../../value';
import { FILL_IN, unknownHole, withHoles } from '../../value/fill-ins';
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

  /** The parts of such a text: names to fill in, such as `<cluster-name>`, between what a shell reads. */
  get scriptParts(): readonly (Unknown | { readonly text: string; readonly start: number })[] {
    const { script } = this;
    if (script.kind === 'absent') return [];
    if (script.kind === 'unknown') return [script];
    const parts: (Unknown | { readonly text: string; readonly start: number })[] = [];
    let end = 0;
    for (const { 0: blank, index } of script.value.matchAll(BLANK)) {
      // A tag that is closed is of a document.
      if (script.value.includes(blank.replace('<', '</'))) continue;
      parts.push({ text: script.value.slice(end, index), start: end }, unknownHole(blank, this, BEFORE));
      end = index + blank.length;
    }
    return [...parts, { text: script.value.slice(end), start: end }];
  }

  override get boolean(): Plain<boolean> {
    const filled = typeof this.raw === 'string' ? textWithHoles(this.raw, this) : undefined;
    return filled?.kind === 'unknown' ? filled : super.boolean;
  }

  override get texts(): Plain<readonly Value<string>[]> {
    const { text } = this;
    return !this.isList && text.kind === 'unknown' ? text : super.texts;
  }

  /** Plain data, with what isn't known in it. */
  get data(): Data {
    const { raw } = this;
    if (typeof raw === 'string') {
      const text = textWithHoles(raw, this);
      return text.kind === 'unknown' ? text : raw;
    }
    if (Array.isArray(raw)) return this.items.map(({ data }) => data);
    if (this.isMap) return Object.fromEntries(this.keys.map((key) => [key, this.child(key).data]));
    return typeof raw === 'number' || typeof raw === 'boolean' ? raw : null;
  }
}

const BEFORE = 'eksctl reads the file';

/** What people have filled in before eksctl sees it: `${NAME}`, `$NAME`, `{{ .Name }}`, `<name>`, `@name@`, `__NAME__`. */
const HOLE = new RegExp(
  String.raw`\$\{[^{}]*\}|\$[A-Za-z_]\w*|${FILL_IN}|<(?![\s<=>])[^<>\n]{1,60}>|(?<![\w.])@[A-Za-z]\w{0,60}@(?![\w.])`,
  'g',
);

/** In a script, where `$NAME` is the shell's, and `<<EOF` and `<file` are, too. */
const BLANK = /(?<![<\w])<[A-Za-z][\w-]*>(?![\w>])/g;

function textWithHoles(text: string, source: ConfigNode): Plain<string> {
  return withHoles(text, HOLE, source, BEFORE);
}
