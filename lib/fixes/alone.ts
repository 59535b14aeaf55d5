import type { Edit } from './edit';
import { callPlaceOf, type Job } from './jobs';
import { editable, FIRST_DEFECTS, UNREADABLE, type WrittenFile } from './repairs';
import type { EditedText } from './edited-text';
import { applyEdits, inSuccession, overlaps, refuse, type EditPlan, type TextEdit } from './text-edit';

/** A job, and what came of it so far. */
interface Course {
  readonly job: Job;
  readonly moves: readonly { readonly repair: Edit; readonly item: number | undefined }[];
  plan: EditPlan;
}

/** Courses that don't meet, in the text that they make together. */
interface Company {
  readonly content: EditedText | undefined;
  readonly courses: readonly Course[];
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
  let companies: readonly Company[] = [{ content: editable(file, text), courses: all }];
  for (let step = 0; companies.length > 0; step++) {
    for (const company of companies) {
      const before = company.courses.map(({ plan }) => editsOf(plan));
      for (const [index, course] of company.courses.entries())
        course.plan = nextPlan(course, step, index, before, company.content);
    }
    const open = all.filter(({ moves, plan }) => moves.length > step + 1 && 'edits' in plan);
    companies = apart(open).map((together) => ({
      content: editable(
        file,
        applyEdits(
          text,
          together.flatMap(({ plan }) => editsOf(plan)),
        ),
      ),
      courses: together,
    }));
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
  made: readonly (readonly TextEdit[])[],
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
  const own = withoutOthers(plan.edits, index, made);
  return own === undefined ? refuse('it meets another repair') : { edits: inSuccession(soFar.edits, own) };
}

/** Edits of a text that several made, in the one that one of them makes; undefined if they touch what another one made. */
function withoutOthers(
  edits: readonly TextEdit[],
  index: number,
  made: readonly (readonly TextEdit[])[],
): readonly TextEdit[] | undefined {
  const all = made
    .flatMap((list, maker) => list.map((edit) => ({ ...edit, isOwn: maker === index })))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  let shift = 0;
  const others = all.flatMap(({ start, end, text, isOwn }) => {
    const at = start + shift;
    const delta = text.length - (end - start);
    shift += delta;
    return isOwn ? [] : [{ start: at, end: at + text.length, delta }];
  });
  const moved: TextEdit[] = [];
  for (const { start, end, text } of edits) {
    if (others.some((other) => start < other.end && end > other.start)) return undefined;
    const by = others.reduce((sum, other) => (other.end <= start ? sum + other.delta : sum), 0);
    moved.push({ start: start - by, end: end - by, text });
  }
  return moved;
}

/** Courses in companies of which no two change the same block, or the same place; those that meet all the same go alone. */
function apart(courses: readonly Course[]): readonly (readonly Course[])[] {
  const companies: Course[][] = [];
  const counts = new Map<string, number>();
  for (const course of courses) {
    const count = counts.get(course.job.target) ?? 0;
    counts.set(course.job.target, count + 1);
    (companies[count] ??= []).push(course);
  }
  return companies.flatMap((company) =>
    meet(company.flatMap(({ plan }) => editsOf(plan))) ? company.map((course) => [course]) : [company],
  );
}

/** Equal edits of two courses are made once, so nobody could tell whose they are. */
function meet(edits: readonly TextEdit[]): boolean {
  const texts = new Set(edits.map(({ start, end, text }) => JSON.stringify([start, end, text])));
  return texts.size < edits.length || overlaps(edits);
}
