import type { CheckResult } from '../../check';
import type { Diagnostic } from '../../engine';
import type { ReportContext } from '../format';
import { LABELS, type Label } from '../listed';
import { repositoryPath } from '../places';
import { count } from '../prose';
import { kindText } from '../../front-ends/registry';
import { rulesOf } from '../rule-information';
import { skippedText } from '../summary';
import type { Entry, Listing } from './listing';
import { docsLink, html, prose, type Markup } from './markup';
import { countOf } from './marks';

/** Inputs that are shown without unfolding. */
const MOST_INPUTS = 12;

/** Problems with the input that one page lists. */
const MOST_PROBLEMS = 500;

const TILES: Readonly<Record<Label, readonly [one: string, many: string, section: string]>> = {
  error: ['error', 'errors', 'findings'],
  warning: ['warning', 'warnings', 'findings'],
  info: ['info', 'info', 'findings'],
  unverifiable: ['not verifiable', 'not verifiable', 'unverifiable'],
  suppressed: ['accepted', 'accepted', 'accepted'],
};

/** The head of the page: what was checked, and how it went. */
export function headMarkup(result: CheckResult, { version, date }: ReportContext, listing: Listing): Markup {
  const { asOf } = result;
  const day = asOf ?? date;
  return html`<header class="top"><h1>EKS guardrails report</h1>
<p class="soft">${scopeOf(result)}, checked${day === undefined ? undefined : html` ${asOf === undefined ? 'on' : 'as of'} <time datetime="${day}">${day}</time>`} by eks-guardrails ${version}</p>
<ul class="tiles">
${LABELS.map((label) => tile(label, result.summary[label], listing))}</ul>
</header>
`;
}

function tile(label: Label, number: number, listing: Listing): Markup {
  const [one, many, section] = TILES[label];
  const content = html`<b>${number}</b> ${number === 1 ? one : many}`;
  const isThere = listing.entries.some((entry) => entry.label === label);
  return html`<li class="${number === 0 ? 'none' : label}">${isThere ? html`<a href="#${section}">${content}</a>` : content}</li>
`;
}

function scopeOf({ inputs }: CheckResult): string {
  const resources = inputs.reduce((sum, input) => sum + input.resources, 0);
  return `${count(inputs.length, 'input')} with ${count(resources, 'resource')}`;
}

/** What makes the report incomplete comes before all else. */
export function verdictMarkup({ diagnostics, summary }: CheckResult, listing: Listing): Markup {
  const unread = diagnostics.filter(({ severity }) => severity === 'error').length;
  const hints: Markup[] = [];
  if (unread > 0)
    hints.push(html`<div class="panel alert"><p class="verdict"><strong>Not everything was checked:</strong> there ${unread === 1 ? 'is a problem' : `are ${unread} problems`} with the input. <a href="#problems">See which</a></p></div>
`);
  const skipped = skippedText(diagnostics);
  if (skipped !== '')
    hints.push(html`<div class="panel"><p class="verdict">Not checked: ${skipped}. <a href="#problems">See which</a></p></div>
`);
  if (unread === 0 && skipped === '' && summary.error + summary.warning + summary.info === 0)
    hints.push(html`<div class="panel"><p class="verdict">No findings.</p></div>
`);
  if (listing.left > 0)
    hints.push(html`<p class="soft">The worst ${listing.entries.length} findings are listed; ${listing.left} more had no room. The JSON report has them all.</p>
`);
  return html`${hints}`;
}

/** Which rules have findings, the worst first. */
export function rulesTable(context: ReportContext, listing: Listing): Markup | undefined {
  const entries = listing.with('error', 'warning', 'info');
  if (entries.length === 0) return undefined;
  const byRule = new Map<string, (typeof entries)[number][]>();
  for (const entry of entries) {
    const known = byRule.get(entry.finding.rule);
    if (known === undefined) byRule.set(entry.finding.rule, [entry]);
    else known.push(entry);
  }
  const rows = rulesOf(
    entries.map(({ finding }) => finding),
    context.rules,
  ).map((rule) => {
    const found = byRule.get(rule.id) ?? [];
    const rank = Math.min(...found.map(({ label }) => LABELS.indexOf(label)));
    return { rule, found, rank };
  });
  rows.sort((a, b) => a.rank - b.rank || b.found.length - a.found.length);
  return html`<section><h2>By rule</h2>
<div class="panel wide" tabindex="0"><table class="rules"><thead><tr><th scope="col">Severity</th><th scope="col">Rule</th><th scope="col">What must hold</th><th scope="col">Findings</th></tr></thead><tbody>
${rows.map(({ rule, found, rank }) => {
  const label = LABELS[rank] ?? 'info';
  return html`<tr><td><span class="label ${label}">${label}</span></td><td>${docsLink(rule.docs, rule.id)}</td><td>${rule.title === rule.id ? undefined : prose(rule.title)}</td><td><a href="#${found.find((entry) => entry.label === label)?.anchor ?? 'findings'}">${countsOf(found)}</a></td></tr>
`;
})}</tbody></table></div></section>
`;
}

/** `1 warning, 4 info`. */
function countsOf(entries: readonly Entry[]): string {
  return LABELS.flatMap((label) => {
    const number = entries.filter((entry) => entry.label === label).length;
    return number === 0 ? [] : [countOf(label, number)];
  }).join(', ');
}

/** What was read. */
export function inputsTable({ inputs }: CheckResult, { repository }: ReportContext): Markup | undefined {
  if (inputs.length === 0) return undefined;
  const table = html`<table><thead><tr><th scope="col">Input</th><th scope="col">Kind</th><th scope="col" class="number">Resources</th></tr></thead><tbody>
${inputs.map(
  ({
    path,
    kind,
    resources,
  }) => html`<tr><td>${repositoryPath(path, repository)}</td><td>${kindText(kind)}</td><td class="number">${resources}</td></tr>
`,
)}</tbody></table>`;
  return html`<section><h2>What was checked</h2>
<div class="panel wide" tabindex="0">${inputs.length <= MOST_INPUTS ? table : html`<details><summary>${inputs.length} inputs</summary>${table}</details>`}</div></section>
`;
}

export function problemsSection({ diagnostics }: CheckResult, listing: Listing): Markup | undefined {
  if (diagnostics.length === 0) return undefined;
  const ordered = [
    ...diagnostics.filter(({ severity }) => severity === 'error'),
    ...diagnostics.filter(({ severity }) => severity === 'warning'),
  ];
  const left = ordered.length - MOST_PROBLEMS;
  return html`<section id="problems"><h2>Problems with the input</h2>
${ordered.slice(0, MOST_PROBLEMS).map((diagnostic) => problemMarkup(diagnostic, listing))}${
  left > 0
    ? html`<p class="soft">and ${count(left, 'more problem')}</p>
`
    : undefined
}</section>
`;
}

function problemMarkup({ severity, message, file, line, column }: Diagnostic, listing: Listing): Markup {
  return html`<div class="panel alert${severity === 'error' ? '' : ' doubt'}"><p><span class="label ${severity}">${severity}</span> <span class="place soft">${listing.position({ file, line, column })}</span></p><p>${prose(message)}</p></div>
`;
}
