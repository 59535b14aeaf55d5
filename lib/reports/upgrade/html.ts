import type { Diagnostic } from '../../engine';
import { resourceName } from '../../eks';
import type { ClusterPlan, Task, TaskLevel, UpgradePlans } from '../../upgrade/plan';
import { docsLink, html, Markup, prose } from '../html/markup';
import { pageFoot, pageHead } from '../html/page';
import { STYLE } from '../html/style';
import { position } from '../summary';
import { writePlans, type HeadingLevel, type PlanWriter } from './frame';
import { ADDON_HEAD, titleOf } from './words';

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
  yield* writePlans(plans, WRITER);
  yield html`</main>
`;
  yield pageFoot(version);
}

const WRITER: PlanWriter<Markup> = {
  *opening(plan: ClusterPlan) {
    const { resource, reason, staying } = plan;
    yield html`<section><h2>${titleOf(plan)}</h2>
<div class="panel">${resource === undefined ? undefined : html`<p class="place">${position(resource.source.locate())}</p>`}${reason === undefined ? undefined : html`<p>${prose(`${reason.text}.`)}</p>`}${staying.map((sentence) => html`<p>${prose(sentence)}</p>`)}</div>
`;
  },
  *heading(level: HeadingLevel, title: string, detail?: string) {
    yield level === 'step' ? html`<h2>${title}</h2>\n` : html`<h3>${title}</h3>\n`;
    if (detail !== undefined) yield html`<p class="soft">${detail}</p>\n`;
  },
  *tasks(tasks: readonly Task[]) {
    yield html`<ol class="todo">
${tasks.map(taskMarkup)}</ol>
`;
  },
  *addons(rows: readonly (readonly string[])[]) {
    yield html`<div class="panel wide" tabindex="0"><table><thead><tr>${ADDON_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>
`;
  },
  *list(sentences: readonly string[]) {
    yield html`<ul class="plain">${sentences.map((sentence) => html`<li>${prose(sentence)}</li>`)}</ul>
`;
  },
  *sum(sentence: string) {
    yield html`<p>${sentence}</p>
`;
  },
  *closing() {
    yield html`</section>
`;
  },
  *unread(title: string, diagnostics: readonly Diagnostic[]) {
    yield html`<section><h2>${title}</h2>
${diagnostics.map(
  (
    diagnostic,
  ) => html`<div class="panel alert"><p><span class="label ${diagnostic.severity}">${diagnostic.severity}</span> <span class="place soft">${position(diagnostic)}</span></p><p>${prose(diagnostic.message)}</p></div>
`,
)}</section>
`;
  },
  *note(text: string) {
    yield html`<p class="soft">${text}</p>\n`;
  },
};

function taskMarkup({ level, text, fix, code, source, rule, resource }: Task): Markup {
  const place = source?.locate();
  return html`<li class="entry ${CLASSES[level]}"><header><span class="label">${level}</span>${rule === undefined ? undefined : html` <span class="rule">${docsLink(rule.docs, rule.id)}</span>`}</header>
<p>${prose(text)}</p>
${place === undefined || place.file === '' ? undefined : html`<p class="where">${resource === undefined ? undefined : html`<strong>${resourceName(resource)}</strong> `}<span class="place">${position(place)}</span></p>\n`}${fix === undefined ? undefined : html`<p class="fix"><b>Do</b> ${prose(fix)}</p>\n`}${code === undefined ? undefined : html`<pre class="code" tabindex="0">${code.text.trimEnd()}</pre>\n`}</li>
`;
}
