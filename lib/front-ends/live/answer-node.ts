import type { DocumentPath, ParsedDocument } from '../../languages';
import { Absent, Known, Unknown, type Data, type Plain } from '../../value';
import { DocumentNode } from '../parts/document-node';

/** A value of an answer of AWS or Kubernetes, or the place where it would stand. All of it is known, and what an answer leaves out isn't set. */
export class AnswerNode extends DocumentNode<AnswerNode> {
  static root(document: ParsedDocument, file: string): AnswerNode {
    return new AnswerNode(document, file, [], document.root);
  }

  protected override node(path: DocumentPath, raw: unknown, base: number): AnswerNode {
    return new AnswerNode(this.document, this.file, path, raw, base);
  }

  /** AWS answers empty texts where it means none. */
  get text(): Plain<string> {
    if (!this.isWritten || this.raw === '') return new Absent(this.place);
    return typeof this.raw === 'object' ? new Unknown('it is no text', this) : new Known(this.label, this);
  }

  /** AWS answers empty lists where it means none. */
  override get list(): Plain<readonly AnswerNode[]> {
    const { items } = this;
    return items.length > 0 ? new Known(items, this) : new Absent(this.place);
  }

  /** Plain data. */
  get data(): Data {
    return (this.raw ?? null) as Data;
  }
}
