import { takesLinesOut, withLines } from './by-lines';
import type { Finding } from '../../../lib/engine';
import { CannotPaste } from './cannot-paste';
import { pasted } from './hcl-pasted';
import { checkedHcl } from './terraform-findings';
import { undeclared } from './undeclared';

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer R] ? R : [];

/** What comes of an advice that is obeyed: nothing to paste, nothing wrong, or what is. */
export type Outcome = 'prose' | 'works' | `fails: ${string}`;

/** Obeys one finding of a configuration, which is checked again as it was before. */
export function outcomeOf(text: string, finding: Finding, ...how: Tail<Parameters<typeof checkedHcl>>): Outcome {
  const { fixCode } = finding;
  // What goes into a script or a manifest is in their language.
  if (
    fixCode === undefined ||
    /^# in (?:user_data\n|the )/.test(fixCode) ||
    /^(?:kubernetes|kubectl)_/.test(finding.resource.type)
  )
    return 'prose';
  const placeholder = /<[a-z][\w -]*>|…|changeme|\{\{/i.exec(fixCode.replaceAll(/<\/?powershell>/g, ''));
  if (placeholder !== null) return `fails: a placeholder ${placeholder[0]}`;
  let after: string;
  try {
    after = withLines(text, fixCode) ?? pasted(text, placeOf(finding), fixCode);
  } catch (error) {
    if (error instanceof CannotPaste) return `fails: ${error.message}`;
    throw error;
  }
  // The line that is wrong may go as a whole.
  const lost = lostIn(takesLinesOut(fixCode) ? withoutFault(text, finding) : text, after);
  const before = checkedHcl(text, ...how);
  // A key that a finding of it is about may go, or change its name.
  const wrong = before.findings.filter(({ resource }) => resource.id === finding.resource.id);
  if (lost !== undefined && !wrong.some(({ about }) => about?.split('.').includes(lost) === true))
    return `fails: it loses ${lost}`;
  const now = checkedHcl(after, ...how);
  const problem = now.problems.find((one) => !before.problems.includes(one)) ?? undeclared(text, after)[0];
  if (problem !== undefined) return `fails: ${problem}`;
  const same = now.findings.find(
    (one) =>
      one.rule === finding.rule &&
      one.resource.id === finding.resource.id &&
      one.about === finding.about &&
      (one.messageId === finding.messageId || !before.findings.some((old) => idOf(old) === idOf(one))),
  );
  if (same !== undefined) return `fails: still ${same.message}`;
  // A rule may say of the same resource in other words what it said before.
  const known = new Set(before.findings.map(({ rule, resource }) => `${rule} ${resource.id}`));
  const added = now.findings.find((one) => one.severity !== 'info' && !known.has(`${one.rule} ${one.resource.id}`));
  return added === undefined ? 'works' : `fails: now ${added.rule}: ${added.message}`;
}

function idOf({ rule, resource, about, messageId }: Finding): string {
  return JSON.stringify([rule, resource.id, about, messageId]);
}

/** Where somebody would paste who is told nothing else: in the resource, or in the call of the module that makes it. */
function placeOf({ resource }: Finding): string {
  return resource.moduleInputs === undefined ? resource.id : (/^module\.[\w-]+/.exec(resource.id)?.[0] ?? resource.id);
}

/** A text without the line that a finding points at: what an advice may take out, and nothing else. */
function withoutFault(text: string, { source }: Finding): string {
  const { line } = source.locate();
  return text
    .split('\n')
    .filter((_, index) => index + 1 !== line)
    .join('\n');
}

/** What the user had in configuration values or user data, and nobody asked to take out. */
function lostIn(before: string, after: string): string | undefined {
  const words = (text: string): string[] =>
    [
      ...text.matchAll(/^\s*(?:configuration_values|user_data)\s*=\s*(.*(?:\n(?!\s*[\w"]+\s*(?:=|\{)|\s*\}\n).*)*)/gm),
    ].flatMap(([, value = '']) => value.match(/[A-Z][A-Z0-9]*_[A-Z0-9_]{3,}|eniConfig|yum|nodeadm/g) ?? []);
  const now = new Set(after.match(/[A-Za-z_][\w-]{2,}/g));
  return words(before).find((one) => !now.has(one));
}
