import type { CheckResult } from '../../check';
import { count } from '../prose';
import type { Format, ReportContext } from '../format';
import { knowledgeNotes } from '../summary';
import { drawn } from './drawing';
import { acceptedSection, unverifiableSection } from './findings';
import { drawingOf } from './graph';
import { Listing } from './listing';
import { html as markup, Markup } from './markup';
import { Marks } from './marks';
import { pageFoot, pageHead } from './page';
import { STYLE } from './style';
import { headMarkup, inputsTable, problemsSection, rulesTable, verdictMarkup } from './summary';
import { Todo } from './todo';

/** So many entries are an overview of themselves. */
const MOST_WITHOUT_TABLE = 12;

/**
 * One page that needs nothing else: no network, no script. It is well-formed XML after the first line, too, so that a strict parser can tell that
 * nothing of the input got out of its place.
 */
export const html: Format = {
  description: 'one page to send around: what to do, and a drawing of what the input declares',
  *render(result, context) {
    for (const piece of pieces(result, context)) yield piece.text;
  },
};

function* pieces(result: CheckResult, context: ReportContext): Iterable<Markup> {
  const listing = new Listing(result, context);
  const drawing = drawn(drawingOf(result.model, new Marks(result.findings, listing.entries)));
  yield pageHead(titleOf(result), new Markup(`${STYLE}${drawing?.css ?? ''}\n`));
  yield headMarkup(result, context, listing);
  yield markup`<main>
${verdictMarkup(result, listing)}`;
  const todo = new Todo(result, context, listing);
  yield* todo.section();
  if (drawing !== undefined)
    yield markup`<section id="drawing"><h2>What the input declares</h2>
${drawing.body}
</section>
`;
  yield* acceptedSection(listing);
  yield* unverifiableSection(listing);
  yield markup`${problemsSection(result, listing)}${todo.blocks.length > MOST_WITHOUT_TABLE ? rulesTable(context, listing) : undefined}${inputsTable(result, context)}${knowledgeNotes(result).map((note) => markup`<p class="soft">${note}</p>\n`)}</main>
`;
  yield pageFoot(context.version);
}

/** What the page is called: how the check went. */
function titleOf({ summary }: CheckResult): string {
  const verdict =
    [
      ...(summary.error > 0 ? [count(summary.error, 'error')] : []),
      ...(summary.warning > 0 ? [count(summary.warning, 'warning')] : []),
    ].join(', ') || 'no errors';
  return `EKS guardrails report: ${verdict}`;
}
