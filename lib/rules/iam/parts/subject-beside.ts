import type { Role, Source } from '../../../eks';
import type { WrittenLine } from '../../../value';
import type { CorrectedLines } from '../../../eks/user-data/correction';

/*
 * The user's own line of a trust policy with one more subject: one more item where the line has a list of them, and a list where it has a single one.
 */

interface WrittenSubject {
  readonly text: string;
  readonly source: Source;
}

const PREFIX = 'system:serviceaccount:';

/** Undefined where the line doesn't tell how it goes on. */
export function subjectBeside(
  subjects: readonly WrittenSubject[],
  subject: string,
  { id }: Role,
): CorrectedLines | undefined {
  for (const { text, source } of subjects.toReversed()) {
    const { file } = source.locate();
    if (!/\.(?:tf|tofu)$/.test(file)) continue;
    const changed =
      withLiteral(source, text, subject) ?? (isForSeveral(id) ? undefined : withExpression(source, subject));
    if (changed !== undefined) return { file, first: changed.line, before: [changed.text], after: [changed.after] };
  }
  return undefined;
}

interface ChangedLine extends WrittenLine {
  readonly after: string;
}

/** Beside the subject as it is written, in full or as modules have it, without what all of them begin with. */
function withLiteral(source: Source, text: string, subject: string): ChangedLine | undefined {
  for (const prefix of ['', PREFIX]) {
    if (!text.startsWith(prefix) || !subject.startsWith(prefix)) continue;
    const literal = JSON.stringify(text.slice(prefix.length));
    const line = source.lineWith?.(literal);
    const [before, behind, ...others] = line?.text.split(literal) ?? [];
    if (line === undefined || before === undefined || behind === undefined || others.length > 0) continue;
    const both = `${literal}, ${JSON.stringify(subject.slice(prefix.length))}`;
    if (/[[,]\s*$|^\s*$/.test(before)) return { ...line, after: before + both + behind };
    return /[=:]\s*$/.test(before) ? { ...line, after: `${before}[${both}]${behind}` } : undefined;
  }
  return undefined;
}

/** What has the subjects of a condition, and an equals sign behind it. */
const SETTING = /(:sub"|\bvalues)[ \t]{0,99}[=:][ \t]{0,9}/;

/** Behind what a line gives a single key, or in its list. */
function withExpression(source: Source, subject: string): ChangedLine | undefined {
  const line = source.lineWith?.(SETTING);
  const found = line === undefined ? null : SETTING.exec(line.text);
  if (line === undefined || found === null) return undefined;
  const head = line.text.slice(0, found.index) + found[0];
  const value = line.text.slice(head.length).trimEnd().replace(/,$/, '');
  const end = line.text.slice(head.length + value.length);
  const list = /^\[ ?("[^"]*"(?:, *"[^"]*")*) ?\]$/.exec(value)?.[1];
  const isSingle = found[1] === ':sub"' && /^(?:"[^"]*"|[a-z][\w.]*)$/i.test(value);
  const items = list ?? (isSingle ? value : undefined);
  return items === undefined ? undefined : { ...line, after: `${head}[${items}, ${JSON.stringify(subject)}]${end}` };
}

/** Whether one text stands for several roles, which an expression in it gives different subjects. */
function isForSeveral(id: string): boolean {
  return id.startsWith('module.') || id.endsWith(']');
}
