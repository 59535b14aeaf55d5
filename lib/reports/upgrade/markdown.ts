import { codeLanguage } from '../../text/code-language';
import type { Diagnostic } from '../../engine';
import type { ClusterPlan, Task, UpgradePlans } from '../../upgrade/plan';
import { code as inCode, codeBlock, inline } from '../markdown-text';
import { position } from '../summary';
import { webAddress } from '../web-address';
import { writePlans, type HeadingLevel, type PlanWriter } from './frame';
import { ADDON_HEAD, titleOf } from './words';

/** Plans for a change request: each task has a box to tick off. */
export function* upgradeMarkdown(plans: UpgradePlans, version: string): Iterable<string> {
  yield* writePlans(plans, WRITER);
  yield `Planned by eks-guardrails ${version}.\n`;
}

const WRITER: PlanWriter<string> = {
  *opening(plan: ClusterPlan, asOf: string) {
    const { resource, reason, staying } = plan;
    yield `## ${inline(titleOf(plan))}\n\n`;
    const place = resource === undefined ? '' : `, ${inCode(position(resource.source.locate()))}`;
    yield `Planned for ${asOf}${place}.\n\n`;
    if (reason !== undefined) yield `${inline(reason.text)}.\n\n`;
    for (const sentence of staying) yield `${inline(sentence)}\n\n`;
  },
  *heading(level: HeadingLevel, title: string, detail?: string) {
    yield level === 'phase' ? `**${title}**\n\n` : `### ${inline(title)}\n\n`;
    if (detail !== undefined) yield `${inline(detail)}\n\n`;
  },
  *tasks(tasks: readonly Task[]) {
    for (const task of tasks) yield taskMarkdown(task);
    yield '\n';
  },
  *addons(rows: readonly (readonly string[])[]) {
    yield `| ${ADDON_HEAD.join(' | ')} |\n|${ADDON_HEAD.map(() => '---|').join('')}\n`;
    for (const row of rows) yield `| ${row.map(inline).join(' | ')} |\n`;
    yield '\n';
  },
  *list(sentences: readonly string[]) {
    for (const sentence of sentences) yield `- ${inline(sentence)}\n`;
    yield '\n';
  },
  *sum(sentence: string) {
    yield `${inline(sentence)}\n\n`;
  },
  closing: () => [],
  *unread(title: string, diagnostics: readonly Diagnostic[]) {
    yield `## ${title}\n\n`;
    for (const diagnostic of diagnostics)
      yield `- ${diagnostic.severity}: ${inCode(position(diagnostic))} ${inline(diagnostic.message)}\n`;
    yield '\n';
  },
  *note(text: string) {
    yield `${inline(text)}\n\n`;
  },
};

/** What is only good to know has no box. */
function taskMarkdown({ level, text, fix, code, source, rule }: Task): string {
  const box = level === 'note' ? '-' : '- [ ]';
  const place = source?.locate();
  const address = rule === undefined ? undefined : webAddress(rule.docs);
  const ends = [
    ...(rule === undefined ? [] : [address === undefined ? inline(rule.id) : `[${inline(rule.id)}](${address})`]),
    ...(place === undefined || place.file === '' ? [] : [inCode(position(place))]),
  ];
  const lines = [
    `${box} **${level}** ${inline(text)}${ends.length === 0 ? '' : ` (${ends.join(', ')})`}`,
    ...(fix === undefined ? [] : [`  ${inline(fix)}`]),
    ...(code === undefined
      ? []
      : [
          '',
          ...codeBlock(codeLanguage(code.text, code.language), code.text)
            .split('\n')
            .map((line) => `  ${line}`.trimEnd()),
          '',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
