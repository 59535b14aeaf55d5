import { alikeByPlace, messageOf } from './alike';
import type { Format } from './format';
import { isListed, labelOf } from './listed';
import { count, printableLine } from './prose';
import { fixableText, repairMark } from './repairs';
import { position, summaryLine } from './summary';

export const compact: Format = {
  description: 'one line per finding, FILE:LINE:COLUMN: LEVEL RULE MESSAGE, for editors and grep',
  *render(result, context) {
    for (const diagnostic of result.diagnostics) {
      if (diagnostic.severity === 'warning' && context.list.warning === false) continue;
      yield `${position(diagnostic)}: ${diagnostic.severity} input ${printableLine(diagnostic.message)}\n`;
    }
    const listed = result.findings.filter((finding) => isListed(finding, context.list));
    const alike = alikeByPlace(listed, result);
    for (const one of alike.slice(0, context.most)) {
      const { finding, place, others } = one;
      const mark = repairMark([finding, ...others], context);
      yield `${position(place)}: ${labelOf(finding)} ${finding.rule} ${mark === '' ? '' : `[${mark}] `}${printableLine(messageOf(one))}\n`;
    }
    const more = alike.length - (context.most ?? alike.length);
    if (more > 0) yield `... and ${count(more, 'more finding')}\n`;
    const fixable = fixableText(result, context);
    yield `${summaryLine(result, false)}${fixable === '' ? '' : `. ${fixable}`}\n`;
  },
};
