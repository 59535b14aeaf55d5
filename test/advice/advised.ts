import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AS_OF } from '../as-of';
import { adviceOf, type Advice } from './index';

/** Each advice of a rule for some files as "outcome, and why". */
export function outcomes(files: Readonly<Record<string, string>>, rule: string): readonly string[] {
  return advised(files, rule).map(({ outcome, why }) => [outcome, ...(why === undefined ? [] : [why])].join(': '));
}

/** Each advice of a rule for some files. */
export function advised(files: Readonly<Record<string, string>>, rule: string): readonly Advice[] {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-advice-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return [...adviceOf([folder], AS_OF)].filter(({ finding }) => finding.rule === rule);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
