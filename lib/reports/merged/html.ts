import { docsLink, html, Markup, prose } from '../html/markup';
import { pageFoot, pageHead } from '../html/page';
import { STYLE } from '../html/style';
import { LABELS, labelOf, type Label } from '../listed';
import { count } from '../prose';
import { ruleCounts, unreadIn, type MergedFinding, type MergedPart, type MergedReport } from './merged-report';
import {
  fixWords,
  mergedSummary,
  PART_HEAD,
  partCounts,
  placeOf,
  problemText,
  runCount,
  totalCounts,
  unreadOf,
} from './words';

/** Findings that one page lists; beyond that browsers get slow. */
const MOST = 2000;

const TILES: Readonly<Record<Label, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['info', 'info'],
  unverifiable: ['not verifiable', 'not verifiable'],
  suppressed: ['accepted', 'accepted'],
};

/** The dashboard of an organization as one page that needs nothing else: which parts have what, which rules fail where, and the findings of each part. */
export function* mergedHtml(report: MergedReport, version: string, date: string): Iterable<string> {
  for (const piece of pieces(report, version, date)) yield piece.text;
}

function* pieces(report: MergedReport, version: string, date: string): Iterable<Markup> {
  const { parts, summary } = report;
  yield pageHead(`EKS guardrails: ${mergedSummary(report)}`, new Markup(`${STYLE}\n`));
  yield html`<header class="top"><h1>EKS guardrails dashboard</h1>
<p class="soft">${count(parts.length, 'part')} with ${count(runCount(report), 'report')}, merged on <time datetime="${date}">${date}</time> by eks-guardrails ${version}</p>
<ul class="tiles">
${LABELS.map((label) => {
  const number = summary[label];
  return html`<li class="${number === 0 ? 'none' : label}"><b>${number}</b> ${TILES[label][number === 1 ? 0 : 1]}</li>
`;
})}</ul>
</header>
<main>
`;
  yield problemsMarkup(report);
  yield partsTable(report);
  yield rulesTable(report);
  let room = MOST;
  for (const [index, part] of parts.entries()) {
    const shown = part.findings.slice(0, room);
    room -= shown.length;
    yield partSection(part, index, shown);
  }
  yield html`</main>
`;
  yield pageFoot(version);
}

function problemsMarkup({ problems, parts }: MergedReport): Markup {
  const unread = parts.filter((part) => unreadIn(part) > 0).length;
  if (problems.length + unread === 0) return html``;
  return html`<div class="panel alert"><p class="verdict"><strong>Not everything was checked:</strong> ${[
    ...(problems.length > 0 ? [`${count(problems.length, 'report')} could not be read`] : []),
    ...(unread > 0 ? [`${count(unread, 'part has', 'parts have')} input that could not be read`] : []),
  ].join(
    ', ',
  )}.</p>${problems.length === 0 ? undefined : html`<ul class="plain">${problems.map((problem) => html`<li>${problemText(problem)}</li>`)}</ul>`}</div>
`;
}

function partsTable(report: MergedReport): Markup {
  const { parts } = report;
  if (parts.length === 0) return html``;
  const cells = (numbers: readonly string[]) => numbers.map((number) => html`<td class="number">${number}</td>`);
  return html`<section><h2>By part</h2>
<div class="panel wide" tabindex="0"><table><thead><tr>${PART_HEAD.map((name, index) => (index === 0 ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="number">${name}</th>`))}</tr></thead><tbody>
${parts.map(
  (part, index) => html`<tr><td><a href="#part-${index + 1}">${part.name}</a></td>${cells(partCounts(part))}</tr>
`,
)}${parts.length < 2 ? undefined : html`<tr><td><b>all</b></td>${cells(totalCounts(report))}</tr>`}</tbody></table></div></section>
`;
}

function rulesTable(report: MergedReport): Markup {
  const rules = ruleCounts(report);
  if (rules.length === 0) return html``;
  return html`<section><h2>By rule</h2>
<div class="panel wide" tabindex="0"><table class="rules"><thead><tr><th scope="col">Severity</th><th scope="col">Rule</th><th scope="col" class="number">Findings</th><th scope="col" class="number">Parts</th></tr></thead><tbody>
${rules.map(
  ({
    rule,
    docs,
    severity,
    findings,
    parts,
  }) => html`<tr><td><span class="label ${severity}">${severity}</span></td><td>${docsLink(docs, rule)}</td><td class="number">${findings}</td><td class="number">${parts}</td></tr>
`,
)}</tbody></table></div></section>
`;
}

function partSection(part: MergedPart, index: number, shown: readonly MergedFinding[]): Markup {
  const failed = shown.filter((finding) => finding.suppressed === undefined && finding.verdict === 'fail');
  const rest = shown.filter((finding) => !failed.includes(finding));
  const unread = unreadOf(part);
  const left = part.findings.length - shown.length;
  return html`<section id="part-${index + 1}"><h2>${part.name}</h2>
<p class="soft">${count(part.inputs.length, 'input')}, from ${part.reports.map(({ file }) => file).join(', ')}</p>
${unread.map(
  (sentence) => html`<div class="panel alert"><p><span class="label error">error</span> ${sentence}</p></div>
`,
)}${part.findings.length + unread.length === 0 ? html`<p>No findings.</p>\n` : undefined}${list(failed)}${
  rest.length === 0
    ? undefined
    : html`<details><summary>${count(rest.length, 'finding')} that can't be told or ${rest.length === 1 ? 'is' : 'are'} accepted</summary>${list(rest)}</details>
`
}${left === 0 ? undefined : html`<p class="soft">${count(left, 'more finding')} had no room. The JSON report has them all.</p>\n`}</section>
`;
}

function list(findings: readonly MergedFinding[]): Markup | undefined {
  if (findings.length === 0) return undefined;
  return html`<ul class="short">
${findings.map(findingMarkup)}</ul>
`;
}

function findingMarkup(finding: MergedFinding): Markup {
  const { rule, docs, resource, message, suppressed } = finding;
  const label = labelOf(finding);
  const fix = fixWords(finding);
  return html`<li class="${label}"><header><span class="label">${label}</span> <span class="rule">${docsLink(docs, rule)}</span> <strong>${resource.path ?? resource.id}</strong> <span class="place">${placeOf(finding)}</span></header><p>${prose(message)}</p>${fix === '' ? undefined : html`<p class="fix"><b>Fix</b> ${prose(fix)}</p>`}${suppressed === undefined ? undefined : html`<p class="soft">Accepted: ${suppressed.reason}</p>`}</li>
`;
}
