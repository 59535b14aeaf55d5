import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { Offers } from '../../lib/fixes/offers';
import { fixFiles } from '../../lib/fixes/run';
import { workspace } from '../cli/workspace';
import { templateVectors } from '../metamorphic/vectors';

/** So many vectors are drawn. */
const DRAWN = 80;

/** What only a second check tells, which a report doesn't make. */
const SEEN_AFTERWARDS = /^(?:it would cause |the finding would still be there)/;

const file = join(workspace({ 'template.yaml': '' }), 'template.yaml');

it('what a report offers is refused for nothing that could be seen before', async () => {
  const wrong: string[] = [];
  let offered = 0;
  const drawn = fc.sample(fc.constantFrom(...templateVectors()), {
    numRuns: DRAWN,
    seed: fc.readConfigureGlobal().seed ?? 0,
  });
  for (const { rule, name, template } of drawn) {
    writeFileSync(file, template);
    const result = checkPaths([file]);
    const offers = new Offers(result);
    const told = new Set(result.findings.filter((finding) => offers.of(finding) !== undefined));
    if (told.size === 0) continue;
    offered += told.size;
    const { refused } = await fixFiles(result, {
      check: (texts) => Promise.resolve(checkPaths([file], {}, { texts })),
      isUnsafe: true,
      isDryRun: true,
      write: () => Promise.reject(new Error('nothing is written')),
      whyNotWritten: () => undefined,
    });
    for (const { finding, reason } of refused)
      if (told.has(finding) && !SEEN_AFTERWARDS.test(reason))
        wrong.push(`${rule}: ${name}: ${finding.rule}: ${reason}`);
  }
  expect(offered).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
