import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bulleted, type Rule } from '../../engine';
import { changedLines } from '../../fixes/unified-diff';
import { DIALECTS } from '../../front-ends/registry';
import type { Dialect } from '../../value';
import { examplesOf } from './page-examples';
import { fenced, paragraphs, repairOptions, section } from './rule-page';

/** Lines around the change of an example that are shown. */
const CONTEXT = 2;

/** The most telling stand first. */
const SIGNS = 4;

/**
 * A rule on one screen, in Markdown: what happens, how to recognise it, how to put it right and how to live with it, as somebody who writes a
 * dialect would. Undefined for a rule without a page of its own.
 */
export function ruleSummary(rule: Rule, dialect: Dialect | undefined): string | undefined {
  const examples = examplesOf(rule.id, rule.examples ?? '');
  if (examples.length === 0) return undefined;
  const wanted = dialect ?? DIALECTS[0];
  const heading =
    [wanted?.title, wanted?.deployedBy, '']
      .map((name) => examples.find((one) => name !== undefined && one.heading.startsWith(name))?.heading)
      .find((one) => one !== undefined) ?? '';
  const [wrong, right] = examples.filter((one) => one.heading === heading);
  const changes = changedLines(wrong?.text ?? '', right?.text ?? '', CONTEXT);
  const accepted = wanted?.suppression?.(rule.id);
  const options = repairOptions(rule).map((option) => `\`${option}\``);
  return paragraphs([
    `# ${rule.id}`,
    `${rule.title}. (${[rule.severity, ...(options.length === 0 ? [] : [`fixable with ${options.join(' or ')}`])].join(', ')})`,
    section('What happens', rule.symptom),
    section('How to recognise it', bulleted(rule.signs?.slice(0, SIGNS))),
    section(
      `How to put it right, in ${heading}`,
      fenced('diff', changes.map((lines) => lines.join('\n')).join('\n…\n')),
    ),
    section(
      'When to live with it',
      rule.ignore,
      ...(accepted === undefined ? [] : [`${accepted.where}:`, fenced(wanted?.fixes.language ?? '', accepted.code)]),
    ),
    `Why it is so, all that it reports, and its sources: \`eks-guardrails explain ${rule.id} --full\``,
  ]);
}

/** What people write in a folder, told by its files or by those of the folders above, up to the root of a repository. */
export function dialectOf(folder: string): Dialect | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const names = namesIn(at);
    const found = DIALECTS.find(({ sign }) => sign !== undefined && names.some((name) => sign.test(name)));
    if (found !== undefined || existsSync(join(at, '.git')) || dirname(at) === at) return found;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
