import { resourceName } from '../../eks';
import { count } from '../prose';
import { unjudged, unjudgedText } from '../unjudged';
import type { Entry, Listing } from './listing';
import { docsLink, html, prose, type Markup } from './markup';
import { givenName } from './names';

/** What somebody decided to live with, and why. */
export function* acceptedSection(listing: Listing): Iterable<Markup> {
  const entries = listing.with('suppressed');
  if (entries.length === 0) return;
  yield html`<section id="accepted"><h2>Accepted</h2>
<details open="open"><summary>${count(entries.length, 'finding')} that somebody decided to live with</summary>
`;
  yield* list(
    entries,
    listing,
    ({ finding: { suppressed } }) =>
      html`<p class="why"><b>Reason</b> ${prose(suppressed?.reason ?? '')}${suppressed?.until === undefined ? undefined : html` <span class="soft">(until ${suppressed.until})</span>`}</p>`,
  );
  yield html`</details></section>
`;
}

/** What can't be told before deployment, by what causes it; folded, because there may be much of it. */
export function* unverifiableSection(listing: Listing): Iterable<Markup> {
  const entries = listing.with('unverifiable');
  if (entries.length === 0) return;
  yield html`<section id="unverifiable"><h2>Not verifiable</h2>
<details><summary>${count(entries.length, 'check')} that the input doesn't tell enough for</summary>
`;
  for (const one of unjudged(entries.map(({ finding }) => finding))) {
    const isOne = one.findings.length === 1;
    if (!isOne)
      yield html`<details class="cause"><summary>${prose(unjudgedText(one))}</summary>
`;
    yield* list(
      one.findings.flatMap((finding) => listing.of(finding) ?? []),
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

function* list(
  entries: readonly Entry[],
  listing: Listing,
  more: (entry: Entry) => Markup | undefined,
): Iterable<Markup> {
  yield html`<ul class="short">
`;
  for (const entry of entries) {
    const { finding, label, anchor, place } = entry;
    const { resource, rule, docs, severity, message } = finding;
    const name = givenName(resource);
    yield html`<li class="finding ${label}" id="${anchor}"><header><strong title="${resourceName(resource)}">${name === '' ? 'The whole input' : name}</strong> ${docsLink(docs, rule)}${label === 'suppressed' ? html` <span class="label hollow ${severity}">${severity}</span>` : undefined} <a class="permalink" href="#${anchor}" aria-label="Link to this finding">#</a> <span class="place">${listing.position(place)}</span></header>
<p>${prose(message)}</p>${more(entry)}</li>
`;
  }
  yield html`</ul>
`;
}
