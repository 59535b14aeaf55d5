import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parseHcl } from '../../../lib/languages/hcl/parser';
import { skippedNote } from '../../needs';
import { bodies } from './arbitraries';
import { Renderer } from './render';

const asked = process.env['EKS_GUARDRAILS_TEST_TERRAFORM'] === '1';
const reason = !asked
  ? 'EKS_GUARDRAILS_TEST_TERRAFORM=1 is not set'
  : spawnSync('terraform', ['version']).status !== 0
    ? 'there is no terraform on the PATH'
    : undefined;

/** Files, of which the second has a bit too many or too few in it. */
const mutations = fc
  .tuple(
    bodies,
    fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 30 }),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom(
      '',
      '"',
      '${',
      '}',
      '{',
      '(',
      ')',
      '[',
      ']',
      '\n',
      ',',
      '.',
      '=',
      ':',
      '~}',
      '%{ if a }',
      '%{endif}',
      '<<A\n',
      '\\',
      '$',
      '#',
      '/*',
      '*',
      '...',
      '=>',
      '1',
      'x',
      'for',
    ),
  )
  .map(([tree, choices, place, removed, bit]) => {
    let index = 0;
    const text = new Renderer((count) => (choices[index++ % choices.length] ?? 0) % count).file(tree);
    const at = place % (text.length + 1);
    // A cut through a character leaves half of it, which a file can't hold.
    return [text, (text.slice(0, at) + bit + text.slice(at + removed)).replaceAll(/\p{Cs}/gu, '')];
  });

describe('the HCL parser and Terraform', () => {
  (reason === undefined ? it : it.skip)(
    `find problems in the same files${skippedNote(reason)}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'hcl-'));
      try {
        const texts = fc.sample(mutations, 300).flat();
        for (const [index, text] of texts.entries()) writeFileSync(join(folder, `f${index}.tf`), text);
        const { stderr } = spawnSync('terraform', ['fmt', '-no-color', '-write=false', '-list=false', folder], {
          encoding: 'utf8',
          maxBuffer: 2 ** 28,
        });
        const refused = new Set([...stderr.matchAll(/ on \S*f(\d+)\.tf line/g)].map(([, index]) => Number(index)));
        const differing = texts.filter((text, index) => parseHcl(text).problems.length > 0 !== refused.has(index));
        expect(differing).toEqual([]);
        expect(refused.size).toBeGreaterThan(50);
        expect(refused.size).toBeLessThan(texts.length - 50);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});
