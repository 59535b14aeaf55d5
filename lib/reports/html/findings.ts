import { resourceName } from '../../eks';
import { messageOf } from '../alike';
import { codeFrame } from '../code-frame';
import { LABELS, type Label } from '../listed';
import { count } from '../prose';
import { unjudged, unjudgedText } from '../unjudged';
import { byFile, type Entry, type EntryGroup, type Listing } from './listing';
import { docsLink, html, prose, type Markup } from './markup';
import { countOf } from './marks';

/** Columns of a line of code. */
const FRAME_WIDTH = 130;

const FAILING = ['error', 'warning', 'info'] as const satisfies readonly Label[];

/** Findings with the lines in question, by file and resource, piece by piece. */
export function* findingsSection(listing: Listing): Iterable<Markup> {
  const entries = listing.with(...FAILING);
  yield html`<section id="findings" class="listed"><h2>Findings</h2>
`;
  if (entries.length === 0)
    yield html`<p class="panel">Nothing to correct was found.</p>
`;
  else yield filters(entries);
  for (const [file, groups] of byFile(listing.gathered(entries))) {
    yield html`<h3>${file}</h3>
`;
    for (const group of groups) yield resourceMarkup(group, listing);
  }
  yield html`</section>
`;
}

function filters(entries: readonly Entry[]): Markup {
  const number = (label: Label) => entries.filter((entry) => entry.label === label).length;
  return html`<fieldset class="filters"><legend>Show</legend>${FAILING.map((label) => html`<label><input type="checkbox" id="show-${label}" checked="checked"/> ${countOf(label, number(label))}</label>`)}</fieldset>
`;
}

function resourceMarkup({ resource, entries }: EntryGroup, listing: Listing): Markup {
  const labels = LABELS.filter((label) => entries.some((entry) => entry.label === label));
  let framed = '';
  const findings = entries.map((entry) => {
    const position = listing.position(entry.place);
    const markup = findingMarkup(entry, position, listing, position !== framed);
    framed = position;
    return markup;
  });
  return html`<article class="resource${labels.map((label) => html` has-${label}`)}">${resourceHead({ resource, entries })}
${findings}</article>
`;
}

function resourceHead({ resource }: EntryGroup): Markup {
  const { type, id, path } = resource;
  const name = resourceName(resource);
  return html`<header><h4>${name === '' ? 'The whole input' : name}</h4><span class="soft">${path === undefined ? type : `${type} ${id}`}</span></header>`;
}

function findingMarkup(entry: Entry, position: string, listing: Listing, withFrame: boolean): Markup {
  const { finding, label, place, anchor, others } = entry;
  const { rule, docs, fix, fixCode, related } = finding;
  const message = messageOf({ finding, others: others.map((other) => other.finding) });
  return html`<div class="finding ${label}" id="${anchor}">${others.map((other) => html`<span id="${other.anchor}"></span>`)}<header><span class="label">${label}</span> ${docsLink(docs, rule)} <a class="permalink" href="#${anchor}" aria-label="Link to this finding">#</a> <span class="place">${position}</span></header>
<p>${prose(message)}</p>
${
  place.property === undefined || place.property === 'Properties'
    ? undefined
    : html`<p class="soft">Property <code>${place.property}</code></p>
`
}${withFrame ? frameMarkup(entry, listing) : undefined}${
  fix === ''
    ? undefined
    : html`<p class="fix"><b>Fix</b> ${prose(fix)}</p>
`
}${
  fixCode === undefined
    ? undefined
    : html`<pre class="code">${fixCode.trimEnd()}</pre>
`
}${
  related.length === 0
    ? undefined
    : html`<ul class="related">
${related.map(
  (
    other,
  ) => html`<li>${prose(other.message)} <span class="soft place">${listing.position(other.source.locate())}</span></li>
`,
)}</ul>
`
}</div>
`;
}

/** The lines around the place; the word in question is underlined. */
function frameMarkup({ place }: Entry, listing: Listing): Markup | undefined {
  const source = listing.source(place);
  const frame = source === undefined ? undefined : codeFrame(source, place.line, place.column, FRAME_WIDTH);
  if (frame === undefined) return undefined;
  const lines = frame.map(({ number, mark, text }) => {
    const gutter = html`<span class="number">${number}</span>`;
    if (mark === undefined) return html`${gutter}${text}\n`;
    const { start, end } = mark;
    return html`<span class="hit">${gutter}${text.slice(0, start)}<mark>${text.slice(start, end)}</mark>${text.slice(end)}</span>`;
  });
  return html`<pre class="frame">${lines}</pre>
`;
}

/** What somebody decided to live with, and why. */
export function* acceptedSection(listing: Listing): Iterable<Markup> {
  const entries = listing.with('suppressed');
  if (entries.length === 0) return;
  yield html`<section id="accepted"><h2>Accepted</h2>
<details open="open"><summary>${count(entries.length, 'finding')} that somebody decided to live with</summary>
`;
  yield* compact(
    entries,
    listing,
    ({ finding: { suppressed } }) =>
      html`<p class="why"><b>Reason</b> ${prose(suppressed?.reason ?? '')}${suppressed?.until === undefined ? undefined : html` <span class="soft">(until ${suppressed.until})</span>`}</p>`,
  );
  yield html`</details></section>
`;
}

/** What can't be told before deployment; folded, because there may be much of it. */
export function* unverifiableSection(listing: Listing): Iterable<Markup> {
  const entries = listing.with('unverifiable');
  if (entries.length === 0) return;
  yield html`<section id="unverifiable"><h2>Not verifiable</h2>
<details><summary>${count(entries.length, 'check')} that the input doesn't tell enough for</summary>
`;
  const byFinding = new Map(entries.map((entry) => [entry.finding, entry]));
  for (const one of unjudged(entries.map(({ finding }) => finding))) {
    const isOne = one.findings.length === 1;
    if (!isOne)
      yield html`<details open="open"><summary>${prose(unjudgedText(one))}</summary>
`;
    yield* compact(
      one.findings.flatMap((finding) => byFinding.get(finding) ?? []),
      listing,
      ({ finding: { fix } }) => (fix === '' ? undefined : html`<p class="soft">${prose(fix)}</p>`),
    );
    if (!isOne)
      yield html`</details>
`;
  }
  yield html`</details></section>
`;
}

function* compact(
  entries: readonly Entry[],
  listing: Listing,
  more: (entry: Entry) => Markup | undefined,
): Iterable<Markup> {
  for (const [file, groups] of byFile(entries)) {
    yield html`<h3>${file}</h3>
`;
    for (const group of groups) {
      const findings = group.entries.map(
        (
          entry,
        ) => html`<div class="finding ${entry.label}" id="${entry.anchor}"><header>${docsLink(entry.finding.docs, entry.finding.rule)}${entry.label === 'suppressed' ? html` <span class="label hollow ${entry.finding.severity}">${entry.finding.severity}</span>` : undefined} <a class="permalink" href="#${entry.anchor}" aria-label="Link to this finding">#</a> <span class="place">${listing.position(entry.place)}</span></header>
<p>${prose(entry.finding.message)}</p>${more(entry)}</div>
`,
      );
      yield html`<article class="resource">${resourceHead(group)}
${findings}</article>
`;
    }
  }
}
