import type { Dialect } from '../value';
import type { Change, EditedText } from './edited-text';
import { callPlaceOf, type Job, type Step } from './jobs';
import { DocumentsFile } from './documents-file';
import { HclFile, JsonConfigurationFile } from './terraform';
import { TreeFile } from './tree-file';
import { applyEdits, EditsTogether, inSuccession, overlaps, refuse, type EditPlan, type TextEdit } from './text-edit';

/** A file with its repairs. */
export interface RepairedFile {
  /** As the input names it. */
  readonly file: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly jobs: readonly Job[];
}

export interface RefusedJob {
  readonly job: Job;
  readonly reason: string;
}

export interface RepairedTexts {
  readonly files: readonly RepairedFile[];
  readonly refused: readonly RefusedJob[];
}

/** A text to repair, or why it can't be edited. */
export type TextSource = (path: string) => { readonly text: string } | { readonly problem: string };

/** Does jobs in the texts only: nothing is written. */
export function repairTexts(jobs: readonly Job[], read: TextSource): RepairedTexts {
  const byPath = new Map<string, [Job, ...Job[]]>();
  for (const job of jobs) {
    const list = byPath.get(job.path);
    if (list === undefined) byPath.set(job.path, [job]);
    else list.push(job);
  }
  const files: RepairedFile[] = [];
  const refused: RefusedJob[] = [];
  for (const [path, list] of byPath) {
    const [first] = list;
    const content = read(path);
    if ('problem' in content) {
      refused.push(...list.map((job) => ({ job, reason: content.problem })));
      continue;
    }
    const written = writtenFileOf(first);
    const { file } = written;
    let repaired = new TextRepair(written, content.text).repair(list);
    refused.push(...repaired.refused);
    // A job may have been given up half-way.
    while (repaired.refused.some(({ job }) => job.steps.length > 1)) {
      repaired = new TextRepair(written, content.text).repair(repaired.done);
      refused.push(...repaired.refused);
    }
    if (repaired.after !== content.text)
      files.push({ file, path, before: content.text, after: repaired.after, jobs: repaired.done });
    else refused.push(...repaired.done.map((job) => ({ job, reason: 'nothing in the file would change' })));
  }
  return { files, refused };
}

/** The file that a job changes. */
export function writtenFileOf({ findings: [{ resource }] }: Job): WrittenFile {
  return { file: resource.source.locate().file, dialect: resource.dialect };
}

/** A file and what it is written in. */
export interface WrittenFile {
  readonly file: string;
  readonly dialect: Dialect;
}

/** A text as it can be edited; undefined if it can't be read. */
export function editable({ file, dialect }: WrittenFile, text: string): EditedText | undefined {
  const editor = dialect.fixes.editorOf(file);
  switch (editor) {
    case undefined:
      return undefined;
    case 'hcl':
      return HclFile.read(text);
    case 'terraform-json':
      return JsonConfigurationFile.read(text);
    default:
      return editor.documentsIn === undefined
        ? TreeFile.read(text, file, editor)
        : DocumentsFile.read(text, file, editor);
  }
}

/** One step of a job, and what it does to the text. */
interface Move {
  readonly job: Job;
  readonly step: Step;
  readonly edits: readonly TextEdit[];
}

export const FIRST_DEFECTS = 'the file has defects that come first';
export const UNREADABLE = 'the file could no longer be read';

/** Moves that can be made together, and those that meet them. */
function divided(moves: readonly Move[]): readonly [Move[], Move[]] {
  const [clear, meeting]: [Move[], Move[]] = [[], []];
  const together = new EditsTogether();
  for (const move of moves) (together.take(move.edits) ? clear : meeting).push(move);
  return [clear, meeting];
}

/** The repairs of one text. */
class TextRepair {
  private readonly mark: string;
  private text: string;
  private content: EditedText | undefined;
  private readonly failed = new Map<Job, string>();

  constructor(
    private readonly file: WrittenFile,
    before: string,
  ) {
    this.mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    this.text = before.slice(this.mark.length);
    this.content = editable(file, this.text);
  }

  /**
   * Makes the repairs in rounds: one block after the other, each of which gets one step in a round, so that the places of the next are those
   * of the changed text.
   */
  repair(jobs: readonly Job[]): {
    readonly after: string;
    readonly done: readonly Job[];
    readonly refused: readonly RefusedJob[];
  } {
    for (const job of jobs) this.refuseElsewhere(job);
    let open = jobs.flatMap((job) => job.steps.map((step) => ({ job, step })));
    while (open.length > 0) {
      const later: typeof open = [];
      const moves: Move[] = [];
      const busy = new Set<string>();
      for (const one of open) {
        const { job, step } = one;
        if (this.failed.has(job)) continue;
        if (busy.has(job.target)) {
          later.push(one);
          continue;
        }
        const plan = this.planOf(job, step);
        // A refused repair changes nothing, so the block isn't marked as busy and its next repair is planned in the same round.
        if ('refusal' in plan) this.failed.set(job, plan.refusal);
        else {
          busy.add(job.target);
          moves.push({ job, step, edits: plan.edits });
        }
      }
      this.make(moves);
      open = later;
    }
    const refused = jobs.flatMap((job): RefusedJob[] => {
      const reason = this.failed.get(job);
      return reason === undefined ? [] : [{ job, reason }];
    });
    return { after: this.mark + this.text, done: jobs.filter((job) => !this.failed.has(job)), refused };
  }

  /** What stands in another file than the finding says isn't changed. */
  private refuseElsewhere(job: Job): void {
    const { resource } = job.findings[0];
    const reason = this.content?.whyNotDeclared?.(
      resource.type,
      resource.id,
      resource.source.locate(),
      callPlaceOf(resource),
    );
    if (reason !== undefined) this.failed.set(job, reason);
  }

  /** All repairs of a step, each in the text that the one before it made, or none. */
  private planOf(job: Job, { repairs, item }: Step): EditPlan {
    const { resource } = job.findings[0];
    const { type, id } = resource;
    let content = this.content;
    let edits: readonly TextEdit[] = [];
    for (const [index, repair] of repairs.entries()) {
      if (content === undefined) return refuse(index === 0 ? FIRST_DEFECTS : UNREADABLE);
      const plan = content.repair(type, id, repair, item, callPlaceOf(resource));
      if ('refusal' in plan || repairs.length === 1) return plan;
      edits = inSuccession(edits, plan.edits);
      if (index < repairs.length - 1) content = editable(this.file, applyEdits(this.text, edits));
    }
    return { edits };
  }

  /** Makes moves together, or one by one if that doesn't go well. */
  private make(moves: readonly Move[]): void {
    if (moves.length === 0) return;
    if (moves.length > 1 && overlaps(moves.flatMap(({ edits }) => edits))) {
      const [clear, meeting] = divided(moves);
      this.make(clear);
      this.makeAgain(meeting);
      return;
    }
    const text = applyEdits(
      this.text,
      moves.flatMap(({ edits }) => edits),
    );
    const content = editable(this.file, text);
    const reason = this.whatWentWrong(content, moves);
    if (reason === undefined) {
      this.text = text;
      this.content = content;
    } else if (moves.length === 1) for (const { job } of moves) this.failed.set(job, reason);
    else this.makeOneByOne(moves);
  }

  /** Makes moves that met others, in the text that is there now. After the first of its kind there may be room for all. */
  private makeAgain(moves: readonly Move[]): void {
    const planned = moves.flatMap((move): Move[] => {
      const plan = this.planOf(move.job, move.step);
      return 'refusal' in plan ? [] : [{ ...move, edits: plan.edits }];
    });
    const clear = new Set(divided(planned)[0].map(({ job }) => job));
    if (clear.size < 2) {
      this.makeOneByOne(moves);
      return;
    }
    this.make(planned.filter(({ job }) => clear.has(job)));
    this.makeAgain(moves.filter(({ job }) => !clear.has(job)));
  }

  private makeOneByOne(moves: readonly Move[]): void {
    for (const { job, step } of moves) {
      const plan = this.planOf(job, step);
      if ('refusal' in plan) this.failed.set(job, plan.refusal);
      else this.make([{ job, step, edits: plan.edits }]);
    }
  }

  private whatWentWrong(after: EditedText | undefined, moves: readonly Move[]): string | undefined {
    if (after === undefined) return UNREADABLE;
    const changes = moves.flatMap(({ job, step: { repairs, item } }) => {
      const { resource } = job.findings[0];
      const { type, id } = resource;
      return repairs.map((repair): Change => ({ type, id, repair, item, call: callPlaceOf(resource) }));
    });
    return this.content?.differsBeyond?.(after, changes) === true ? 'more than this would change' : undefined;
  }
}
