import { fails, isCrash } from '../engine';
import { alikeByPlace, messageOf } from './alike';
import type { Format } from './format';
import { isListed, labelOf } from './listed';
import { count, printableLine } from './prose';
import { position, summaryLine } from './summary';

/*
 * What a custom policy check of Atlantis reads: it fails a plan for a line that begins with FAIL or counts failures, asks for approval of each
 * (`policy_item_regex: (?m)^FAIL.*`), and drops the output of a command that ends with another code than 0. Source: runatlantis/atlantis,
 * server/events/project_command_runner.go and runtime/run_step_runner.go.
 */

export const atlantis: Format = {
  description: 'for a custom policy check of Atlantis: FAIL lines, and exit code 0',
  *render(result, context) {
    let failures = 0;
    for (const diagnostic of result.diagnostics) {
      if (diagnostic.severity !== 'error') continue;
      failures++;
      yield `FAIL - ${position(diagnostic)} - input - ${printableLine(diagnostic.message)}\n`;
    }
    for (const one of alikeByPlace(result.findings, result)) {
      const { finding, place } = one;
      const isFailure = isCrash(finding) || fails(finding, context.failOn);
      if (isFailure) failures++;
      else if (!isListed(finding, context.list)) continue;
      const verdict = isFailure ? 'FAIL' : labelOf(finding).toUpperCase();
      yield `${verdict} - ${position(place)} - ${finding.rule} - ${printableLine(messageOf(one))}\n`;
    }
    yield `${summaryLine(result, false)}\n`;
    yield failures === 0 ? 'No failures\n' : `${count(failures, 'failure')}\n`;
  },
};
