import type { DocumentPath, ParsedDocument } from '../../languages';
import type { Source, SourceLocation } from '../../value';

/** An object of a manifest, or a place in it. */
export class ObjectNode implements Source {
  /** @param base how many steps of the path lead to the object */
  constructor(
    readonly document: ParsedDocument,
    readonly file: string,
    readonly path: DocumentPath,
    private readonly base = path.length,
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

  at(...steps: DocumentPath): ObjectNode {
    return new ObjectNode(this.document, this.file, [...this.path, ...steps], this.base);
  }

  /** What stands in a list of objects here. */
  item(...steps: DocumentPath): ObjectNode {
    return new ObjectNode(this.document, this.file, [...this.path, ...steps]);
  }
}
