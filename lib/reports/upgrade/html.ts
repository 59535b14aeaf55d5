import { resourceName } from '../../eks';
import type { ClusterPlan, Task, TaskLevel, UpgradePlans, UpgradeStep } from '../../upgrade/plan';
import { docsLink, html, Markup, prose } from '../html/markup';
import { pageFoot, pageHead } from '../html/page';
import { STYLE } from '../html/style';
import { knowledgeNotes, position } from '../summary';
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

/** The colours of the report of a check, for what has to be done. */
const CLASSES: Readonly<Record<TaskLevel, string>> = { must: 'error', should: 'warning', note: 'info' };

/** Plans as one page that needs nothing else. */
export function* upgradeHtml(plans: UpgradePlans, version: string): Iterable<string> {
  for (const piece of pieces(plans, version)) yield piece.text;
}

function* pieces(plans: UpgradePlans, version: string): Iterable<Markup> {
  const title = `EKS upgrade to Kubernetes ${plans.to}`;
  yield pageHead(title, new Markup(`${STYLE}\n`));
  yield html`<header class="top"><h1>${title}</h1>
<p class="soft">${plans.plans.length === 1 ? 'one cluster' : `${plans.plans.length} clusters`}, planned for <time datetime="${plans.asOf}">${plans.asOf}</time></p>
</header>
<main>
`;
  for (const plan of plans.plans) yield* planMarkup(plan);
  const unread = unreadOf(plans);
  if (unread.length > 0)
    yield html`<section><h2>Not everything was read</h2>
${unread.map(
  (
    diagnostic,
  ) => html`<div class="panel alert"><p><span class="label ${diagnostic.severity}">${diagnostic.severity}</span> <span class="place soft">${position(diagnostic)}</span></p><p>${prose(diagnostic.message)}</p></div>
`,
)}</section>
`;
  yield html`${knowledgeNotes(plans).map((note) => html`<p class="soft">${note}</p>\n`)}</main>
`;
  yield pageFoot(version);
}

function* planMarkup(plan: ClusterPlan): Iterable<Markup> {
  const { resource, reason, staying, preparations, steps, unseen } = plan;
  yield html`<section><h2>${titleOf(plan)}</h2>
<div class="panel">${resource === undefined ? undefined : html`<p class="place">${position(resource.source.locate())}</p>`}${reason === undefined ? undefined : html`<p>${prose(`${reason.text}.`)}</p>`}${staying.map((sentence) => html`<p>${prose(sentence)}</p>`)}</div>
`;
  if (reason === undefined) {
    if (preparations.length > 0) yield html`<h3>Before the first step</h3>\n${tasksMarkup(preparations)}`;
    for (const [index, step] of steps.entries()) yield* stepMarkup(step, stepTitle(step, index, plan));
    yield html`<h3>What this plan can't see</h3>
<ul class="plain">${unseen.map((sentence) => html`<li>${prose(sentence)}</li>`)}</ul>
<p>${sumOf(plan)}</p>
`;
  }
  yield html`</section>
`;
}

function* stepMarkup(step: UpgradeStep, title: string): Iterable<Markup> {
  yield html`<h2>${title}</h2>
<p class="soft">${supportOfStep(step)}</p>
`;
  if (step.addons.length > 0)
    yield html`<div class="panel wide" tabindex="0"><table><thead><tr>${ADDON_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${step.addons.map((addon) => html`<tr>${addonRow(addon).map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>
`;
  for (const [phase, tasks] of byPhase(step.tasks)) yield html`<h3>${PHASE_TITLES[phase]}</h3>\n${tasksMarkup(tasks)}`;
  if (step.unseen.length > 0)
    yield html`<h3>Can't be told</h3>
<ul class="plain">${step.unseen.map((sentence) => html`<li>${prose(sentence)}</li>`)}</ul>
`;
}

function tasksMarkup(tasks: readonly Task[]): Markup {
  return html`<ol class="todo">
${tasks.map(taskMarkup)}</ol>
`;
}

function taskMarkup({ level, text, fix, code, source, rule, resource }: Task): Markup {
  const place = source?.locate();
  return html`<li class="entry ${CLASSES[level]}"><header><span class="label">${level}</span>${rule === undefined ? undefined : html` <span class="rule">${docsLink(rule.docs, rule.id)}</span>`}</header>
<p>${prose(text)}</p>
${place === undefined || place.file === '' ? undefined : html`<p class="where">${resource === undefined ? undefined : html`<strong>${resourceName(resource)}</strong> `}<span class="place">${position(place)}</span></p>\n`}${fix === undefined ? undefined : html`<p class="fix"><b>Do</b> ${prose(fix)}</p>\n`}${code === undefined ? undefined : html`<pre class="code" tabindex="0">${code.text.trimEnd()}</pre>\n`}</li>
`;
}
