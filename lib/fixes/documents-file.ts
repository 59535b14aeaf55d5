import type { SettingPlaces } from '../value';
import type { Edit } from './edit';
import type { Change, EditedText } from './edited-text';
import { replaceLines } from './lines-edit';
import { refuse, type EditPlan } from './text-edit';
import { TreeFile } from './tree-file';

/** A document of a file. */
interface Part {
  readonly start: number;
  readonly text: string;
  /** Undefined if it can't be read without problems. */
  readonly content: () => TreeFile | undefined;
}

/** A file of several documents in YAML, or of one in JSON, that is repaired. */
export class DocumentsFile implements EditedText {
  private constructor(
    private readonly text: string,
    private readonly parts: readonly Part[],
    private readonly places: SettingPlaces,
  ) {}

  static read(text: string, file: string, places: SettingPlaces): DocumentsFile {
    const parts = (places.documentsIn?.(text) ?? [{ start: 0, text }]).map((part): Part => {
      let content: { readonly read: TreeFile | undefined } | undefined;
      return { ...part, content: () => (content ??= { read: TreeFile.read(part.text, file, places) }).read };
    });
    return new DocumentsFile(text, parts, places);
  }

  whyNotDeclared(): string | undefined {
    return this.places.whyGenerated?.(this.text);
  }

  /** @param item index of the item of a list that the finding is about */
  repair(type: string, id: string, repair: Edit, item: number | undefined): EditPlan {
    if (repair.kind === 'lines') return replaceLines(this.text, repair.lines);
    const part = this.partOf(type, id);
    const plan = part?.content()?.repair(type, id, repair, item);
    if (part === undefined || plan === undefined) return refuse(`${id} isn't written as an object of its own`);
    if ('refusal' in plan) return plan;
    const { start } = part;
    return { edits: plan.edits.map((edit) => ({ ...edit, start: edit.start + start, end: edit.end + start })) };
  }

  /** The last of equal objects is the one that counts. */
  private partOf(type: string, id: string): Part | undefined {
    const name = id.slice(id.lastIndexOf('/') + 1);
    return this.parts.findLast(({ text, content }) => text.includes(name) && content()?.has(type, id) === true);
  }

  differsBeyond(after: DocumentsFile, changes: readonly Change[]): boolean {
    if (after.parts.length !== this.parts.length) return true;
    return this.parts.some((part, index) => {
      const other = after.parts[index];
      if (other === undefined || other.text === part.text) return other === undefined;
      const [one, next] = [part.content(), other.content()];
      return one === undefined || next === undefined || one.differsBeyond(next, changes);
    });
  }
}
