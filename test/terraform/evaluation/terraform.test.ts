import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedNote } from '../../needs';

const asked = process.env['EKS_GUARDRAILS_TEST_TERRAFORM'] === '1';
const reason = !asked
  ? 'EKS_GUARDRAILS_TEST_TERRAFORM=1 is not set'
  : spawnSync('terraform', ['version']).status !== 0
    ? 'there is no terraform on the PATH'
    : undefined;

const recorded = JSON.parse(readFileSync(join(__dirname, 'expressions.json'), 'utf8')) as readonly (readonly [
  string,
  string,
])[];

describe('Terraform', () => {
  (reason === undefined ? it : it.skip)(
    `still makes of the expressions what is recorded${skippedNote(reason)}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'console-'));
      try {
        // The console reads one expression, in one line.
        const input = `jsonencode([${recorded.map(([text]) => `try(jsonencode(${text}), "!error")`).join(', ')}])\n`;
        const { stdout } = spawnSync('terraform', ['console'], {
          cwd: folder,
          input,
          encoding: 'utf8',
          maxBuffer: 2 ** 26,
        });
        const results = JSON.parse(JSON.parse(stdout) as string) as readonly string[];
        expect(recorded.map(([text], index) => [text, results[index]])).toEqual(recorded);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    60_000,
  );
});
