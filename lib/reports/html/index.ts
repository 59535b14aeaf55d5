import { createHash } from 'node:crypto';
import type { CheckResult } from '../../check';
import { count } from '../prose';
import type { Format, ReportContext } from '../format';
import { drawn } from './drawing';
import { acceptedSection, unverifiableSection } from './findings';
import { drawingOf } from './graph';
import { Listing } from './listing';
import { html as markup, Markup } from './markup';
import { Marks } from './marks';
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
  yield pageHead(result, new Markup(`${STYLE}${drawing?.css ?? ''}\n`));
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
  yield markup`${problemsSection(result, listing)}${todo.blocks.length > MOST_WITHOUT_TABLE ? rulesTable(context, listing) : undefined}${inputsTable(result, context)}</main>
<footer>Written by eks-guardrails ${context.version}. This page loads nothing and runs no script.</footer>
</body>
</html>
`;
}

/** The policy allows this style sheet and nothing else, so that even markup that got through could neither load nor run anything. */
function pageHead({ summary }: CheckResult, style: Markup): Markup {
  const hash = createHash('sha256').update(style.text).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const verdict =
    [
      ...(summary.error > 0 ? [count(summary.error, 'error')] : []),
      ...(summary.warning > 0 ? [count(summary.warning, 'warning')] : []),
    ].join(', ') || 'no errors';
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="referrer" content="no-referrer"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>EKS guardrails report: ${verdict}</title>
<style>${style}</style>
</head>
<body>
`;
}
