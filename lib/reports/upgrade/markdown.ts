import type { ClusterPlan, Task, UpgradePlans, UpgradeStep } from '../../upgrade/plan';
import { code as inCode, codeBlock, inline } from '../markdown-text';
import { knowledgeNotes, position } from '../summary';
import { webAddress } from '../web-address';
import {
  ADDON_HEAD,
  addonRow,
  byPhase,
  PHASE_TITLES,
  stepTitle,
  sumOf,
  supportOfStep,
  titleOf,
  unreadOf,
} from './words';

/** Plans for a change request: each task has a box to tick off. */
export function* upgradeMarkdown(plans: UpgradePlans, version: string): Iterable<string> {
  for (const plan of plans.plans) yield* planMarkdown(plan, plans.asOf);
  const unread = unreadOf(plans);
  if (unread.length > 0) {
    yield '## Not everything was read\n\n';
    for (const diagnostic of unread)
      yield `- ${diagnostic.severity}: ${inCode(position(diagnostic))} ${inline(diagnostic.message)}\n`;
    yield '\n';
  }
  for (const note of knowledgeNotes(plans)) yield `${inline(note)}\n\n`;
  yield `Planned by eks-guardrails ${version}.\n`;
}

function* planMarkdown(plan: ClusterPlan, asOf: string): Iterable<string> {
  const { resource, reason, staying, preparations, steps, unseen } = plan;
  yield `## ${inline(titleOf(plan))}\n\n`;
  const place = resource === undefined ? '' : `, ${inCode(position(resource.source.locate()))}`;
  yield `Planned for ${asOf}${place}.\n\n`;
  if (reason !== undefined) yield `${inline(reason.text)}.\n\n`;
  for (const sentence of staying) yield `${inline(sentence)}\n\n`;
  if (reason !== undefined) return;
  if (preparations.length > 0) {
    yield '### Before the first step\n\n';
    for (const task of preparations) yield taskMarkdown(task);
    yield '\n';
  }
  for (const [index, step] of steps.entries()) yield* stepMarkdown(step, stepTitle(step, index, plan));
  yield "### What this plan can't see\n\n";
  for (const sentence of unseen) yield `- ${inline(sentence)}\n`;
  yield `\n${inline(sumOf(plan))}\n\n`;
}

function* stepMarkdown(step: UpgradeStep, title: string): Iterable<string> {
  yield `### ${inline(title)}\n\n${inline(supportOfStep(step))}\n\n`;
  if (step.addons.length > 0) {
    yield `| ${ADDON_HEAD.join(' | ')} |\n|${ADDON_HEAD.map(() => '---|').join('')}\n`;
    for (const addon of step.addons) yield `| ${addonRow(addon).map(inline).join(' | ')} |\n`;
    yield '\n';
  }
  for (const [phase, tasks] of byPhase(step.tasks)) {
    yield `**${PHASE_TITLES[phase]}**\n\n`;
    for (const task of tasks) yield taskMarkdown(task);
    yield '\n';
  }
  if (step.unseen.length === 0) return;
  yield "**Can't be told**\n\n";
  for (const sentence of step.unseen) yield `- ${inline(sentence)}\n`;
  yield '\n';
}

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
          ...codeBlock(code.language, code.text)
            .split('\n')
            .map((line) => `  ${line}`.trimEnd()),
          '',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
