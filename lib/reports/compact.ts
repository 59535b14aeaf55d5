import type { Diagnostic } from '../engine';
import { alikeByPlace, messageOf } from './alike';
import { inOrder } from './blocks';
import type { Format } from './format';
import { isListed, labelOf } from './listed';
import { count, printableLine } from './prose';
import { fixableText, repairMark } from './repairs';
import { position, summaryLine } from './summary';

export const compact: Format = {
  description: 'one line per finding, errors first, FILE:LINE:COLUMN: LEVEL RULE MESSAGE, for editors and grep',
  *render(result, context) {
    const shown = result.diagnostics.filter(({ severity }) => severity !== 'warning' || context.list.warning !== false);
    for (const diagnostic of shown) {
      yield `${position(diagnostic)}: ${diagnostic.severity} input ${printableLine(diagnostic.message)}\n`;
    }
    const listed = result.findings.filter((finding) => isListed(finding, context.list));
    const alike = alikeByPlace(
      inOrder(listed).map(({ finding }) => finding),
      result,
    );
    for (const one of alike.slice(0, context.most)) {
      const { finding, place, others } = one;
      const mark = repairMark([finding, ...others], context);
      yield `${position(place)}: ${labelOf(finding)} ${finding.rule} ${mark === '' ? '' : `[${mark}] `}${printableLine(messageOf(one))}\n`;
    }
    const more = alike.length - (context.most ?? alike.length);
    if (more > 0) yield `... and ${count(more, 'more finding')}\n`;
    const fixable = fixableText(result, context);
    yield `${summaryLine(result, false)}${ofInputText(shown)}${fixable === '' ? '' : `. ${fixable}`}\n`;
  },
};

/** How many of the lines are about the input, which the counts of findings leave out: `, and 2 warnings about the input`. */
function ofInputText(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).flatMap((level) => {
    const number = diagnostics.filter(({ severity }) => severity === level).length;
    return number === 0 ? [] : [count(number, level)];
  });
  return counts.length === 0 ? '' : `, and ${counts.join(' and ')} about the input`;
}
