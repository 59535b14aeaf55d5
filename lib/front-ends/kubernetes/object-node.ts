import type { DocumentPath, ParsedDocument } from '../../languages';
import type { WrittenLines } from '../../value';
import { DocumentPlace } from '../parts/document-node';

/** An object of a manifest, or a place in it. */
export class ObjectNode extends DocumentPlace {
  /** @param base how many steps of the path lead to the object */
  constructor(document: ParsedDocument, file: string, path: DocumentPath, base = path.length) {
    super(document, file, path, base);
  }

  at(...steps: DocumentPath): ObjectNode {
    return new ObjectNode(this.document, this.file, [...this.path, ...steps], this.base);
  }

  /** The lines of an object that is a document by itself. */
  get ownLines(): WrittenLines | undefined {
    const own = this.path.length === 0 ? this.document.linesOf?.([]) : undefined;
    return own === undefined ? undefined : { file: this.file, ...own };
  }

  /** What stands in a list of objects here. */
  item(...steps: DocumentPath): ObjectNode {
    return new ObjectNode(this.document, this.file, [...this.path, ...steps]);
  }
}
