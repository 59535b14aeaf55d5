import type { Edit } from './edit';
import { callPlaceOf, type Job } from './jobs';
import { editable, FIRST_DEFECTS, UNREADABLE, type WrittenFile } from './repairs';
import type { EditedText } from './edited-text';
import { applyEdits, inSuccession, refuse, type EditPlan, type TextEdit } from './text-edit';

/** A job, and what came of it so far. */
interface Course {
  readonly job: Job;
  readonly moves: readonly { readonly repair: Edit; readonly item: number | undefined }[];
  plan: EditPlan;
}

/**
 * The edits that each of several jobs makes in a text by itself, as if there were no other. Those that don't meet share the texts between their
 * steps, because reading one takes most of the time.
 */
export function editsAlone(file: WrittenFile, text: string, jobs: readonly Job[]): readonly EditPlan[] {
  const all = jobs.map(
    (job): Course => ({
      job,
      moves: job.steps.flatMap(({ repairs, item }) => repairs.map((repair) => ({ repair, item }))),
      plan: { edits: [] },
    }),
  );
  let companies: readonly (readonly Course[])[] = [all];
  for (let step = 0; companies.length > 0; step++) {
    for (const courses of companies) {
      const made = courses.map(({ plan }) => editsOf(plan));
      // One text after the other: what was read of a large one takes much memory.
      const content = editable(file, applyEdits(text, made.flat()));
      const places = new MadeEdits(made);
      for (const [index, course] of courses.entries()) course.plan = nextPlan(course, step, index, places, content);
    }
    companies = apart(all.filter(({ moves, plan }) => moves.length > step + 1 && 'edits' in plan));
  }
  return all.map(({ plan }) => plan);
}

function editsOf(plan: EditPlan): readonly TextEdit[] {
  return 'edits' in plan ? plan.edits : [];
}

function nextPlan(
  { job, moves, plan: soFar }: Course,
  step: number,
  index: number,
  made: MadeEdits,
  content: EditedText | undefined,
): EditPlan {
  const move = moves[step];
  if (move === undefined || 'refusal' in soFar) return soFar;
  if (content === undefined) return refuse(step === 0 ? FIRST_DEFECTS : UNREADABLE);
  const { resource } = job.findings[0];
  const { type, id } = resource;
  const undeclared =
    step === 0 ? content.whyNotDeclared?.(type, id, resource.source.locate(), callPlaceOf(resource)) : undefined;
  if (undeclared !== undefined) return refuse(undeclared);
  const plan = content.repair(type, id, move.repair, move.item, callPlaceOf(resource));
  if ('refusal' in plan) return plan;
  const own = made.withoutOthers(plan.edits, index);
  return own === undefined ? refuse('it meets another repair') : { edits: inSuccession(soFar.edits, own) };
}

/** What several have made of a text, together. */
class MadeEdits {
  /** In the order of the text, by their places in what was made. */
  private readonly pieces: readonly { readonly maker: number; readonly start: number; readonly end: number }[];
  /** How much longer the text got by the pieces before each. */
  private readonly growth: readonly number[];
  private readonly ofMaker = new Map<number, number[]>();

  constructor(made: readonly (readonly TextEdit[])[]) {
    const all = made
      .flatMap((list, maker) => list.map((edit) => ({ ...edit, maker })))
      .toSorted((one, other) => one.start - other.start || one.end - other.end);
    const growth = [0];
    this.pieces = all.map(({ start, end, text, maker }, index) => {
      const shift = growth[index] ?? 0;
      growth.push(shift + text.length - (end - start));
      const own = this.ofMaker.get(maker);
      if (own === undefined) this.ofMaker.set(maker, [index]);
      else own.push(index);
      return { maker, start: start + shift, end: start + shift + text.length };
    });
    this.growth = growth;
  }

  /** Edits of what was made, in the text that one of the makers makes alone; undefined if they touch what another one made. */
  withoutOthers(edits: readonly TextEdit[], maker: number): readonly TextEdit[] | undefined {
    const moved: TextEdit[] = [];
    for (const { start, end, text } of edits) {
      const before = this.endingBy(start);
      for (let index = before; (this.pieces[index]?.start ?? Infinity) < end; index++)
        if (this.pieces[index]?.maker !== maker) return undefined;
      const own = (this.ofMaker.get(maker) ?? []).filter((index) => index < before);
      const by = (this.growth[before] ?? 0) - own.reduce((sum, index) => sum + this.growthBy(index), 0);
      moved.push({ start: start - by, end: end - by, text });
    }
    return moved;
  }

  private growthBy(index: number): number {
    return (this.growth[index + 1] ?? 0) - (this.growth[index] ?? 0);
  }

  /** How many pieces end at a place or before it. */
  private endingBy(place: number): number {
    let [from, to] = [0, this.pieces.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.pieces[middle]?.end ?? Infinity) <= place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Courses in companies of which no two change the same block, or the same place; those that meet others all the same go alone. */
function apart(courses: readonly Course[]): readonly (readonly Course[])[] {
  const companies: Course[][] = [];
  const counts = new Map<string, number>();
  for (const course of courses) {
    const count = counts.get(course.job.target) ?? 0;
    counts.set(course.job.target, count + 1);
    (companies[count] ??= []).push(course);
  }
  return companies.flatMap((company) => {
    const meeting = meetingOthers(company.map(({ plan }) => editsOf(plan)));
    const together = company.filter((_, index) => !meeting.has(index));
    return [
      ...(together.length === 0 ? [] : [together]),
      ...[...meeting].flatMap((index) => company[index] ?? []).map((course) => [course]),
    ];
  });
}

/** Which of several lists of edits change a place that another one changes. Equal edits are made once, so nobody could tell whose they are. */
function meetingOthers(lists: readonly (readonly TextEdit[])[]): ReadonlySet<number> {
  const all = lists
    .flatMap((list, maker) => list.map((edit) => ({ edit, maker })))
    .toSorted((one, other) => one.edit.start - other.edit.start || one.edit.end - other.edit.end);
  const meeting = new Set<number>();
  let last = all[0];
  for (const one of all.slice(1)) {
    if (last === undefined) break;
    const isBeside = one.edit.end === last.edit.start && one.edit.end === last.edit.end;
    if (one.maker !== last.maker && (one.edit.start < last.edit.end || isBeside))
      meeting.add(one.maker).add(last.maker);
    if (one.edit.end >= last.edit.end) last = one;
  }
  return meeting;
}
