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
  /** Why the file is left alone, which is asked for each finding. */
  private generated: { readonly why: string | undefined } | undefined;
  /** Which parts have a word, in their order. */
  private words: ReadonlyMap<string, readonly Part[]> | undefined;

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
    return (this.generated ??= { why: this.places.whyGenerated?.(this.text) }).why;
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
    return this.partsWith(name).findLast(({ content }) => content()?.has(type, id) === true);
  }

  /** Parts whose text has a name in it, as a word where it is one. */
  private partsWith(name: string): readonly Part[] {
    if (!/^[\w.-]+$/.test(name)) return this.parts.filter(({ text }) => text.includes(name));
    return (this.words ??= wordsOf(this.parts)).get(name) ?? [];
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

function wordsOf(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const words = new Map<string, Part[]>();
  for (const part of parts)
    for (const word of new Set(part.text.match(/[\w.-]+/g))) {
      const others = words.get(word);
      if (others === undefined) words.set(word, [part]);
      else others.push(part);
    }
  return words;
}
