/** An element as a strict reader of XML 1.0 sees it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Text of the element itself. */
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a document without comments, processing instructions and CDATA. Throws if it isn't well formed. */
export function readXml(document: string): Element {
  // Production 2 of XML 1.0: what a document may hold at all.
  const bad = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(document);
  if (bad !== null) throw new Error(`character ${bad[0].codePointAt(0)?.toString(16) ?? ''} at ${bad.index}`);
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new Error('no XML declaration');
  const reader = new Reader(document, declaration.length);
  const root = reader.element();
  if (document.slice(reader.at).trim() !== '') throw new Error('text after the root');
  return root;
}

class Reader {
  constructor(
    private readonly document: string,
    public at: number,
  ) {}

  element(): Element {
    const name = this.match(/<([A-Za-z][\w-]*)/y)[1] ?? '';
    const attributes: Record<string, string> = {};
    for (
      let found = this.find(/\s+([\w-]+)="([^"<]*)"/y);
      found !== undefined;
      found = this.find(/\s+([\w-]+)="([^"<]*)"/y)
    ) {
      const [, key = '', value = ''] = found;
      if (key in attributes) throw new Error(`attribute ${key} twice`);
      // Production 3.3.3: line breaks and tabs that are not references become spaces.
      attributes[key] = unescape(value.replaceAll(/[\n\t\r]/g, ' '));
    }
    if (this.find(/\s*\/>/y) !== undefined) return { name, attributes, children: [], text: '' };
    this.match(/\s*>/y);
    const children: Element[] = [];
    let text = '';
    while (!this.document.startsWith('</', this.at)) {
      if (this.document.startsWith('<', this.at)) children.push(this.element());
      else text += this.text();
    }
    this.match(new RegExp(`</${name}\\s*>`, 'y'));
    return { name, attributes, children, text };
  }

  private text(): string {
    const [found] = this.match(/[^<]+/y);
    if (found.includes(']]>')) throw new Error(']]> in text');
    return unescape(found);
  }

  private match(pattern: RegExp): RegExpExecArray {
    const found = this.find(pattern);
    if (found === undefined)
      throw new Error(`expected ${pattern.source} at ${this.at}: ${this.document.slice(this.at, this.at + 60)}`);
    return found;
  }

  private find(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.document);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }
}

function unescape(text: string): string {
  return text.replaceAll(
    /&(#\d+|#x[0-9a-fA-F]+|\w+)?(;?)/g,
    (whole: string, entity: string | undefined, end: string) => {
      if (entity === undefined || end !== ';') throw new Error(`a bare & in ${text}`);
      if (entity.startsWith('#x')) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
      if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
      const known = ENTITIES[entity];
      if (known === undefined) throw new Error(`unknown entity ${whole}`);
      return known;
    },
  );
}
