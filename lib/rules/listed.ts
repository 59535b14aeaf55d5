import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleMetadata } from '../engine';
import { fileText } from '../files/read';
import { allRules } from '.';

/** What a list shows of a rule, and what a configuration is checked against. */
export type ListedRule = Pick<RuleMetadata, 'id' | 'subject' | 'title' | 'severity' | 'strictSeverity' | 'options'>;

/** The build writes it from what stands below (scripts/bundle.mjs). */
const WRITTEN = join(__dirname, 'listed.json');

/** The built-in rules without their code, which takes longer to load than all else that a list of them needs. */
export const listedRules: readonly ListedRule[] = existsSync(WRITTEN)
  ? (JSON.parse(fileText(WRITTEN)) as readonly ListedRule[])
  : allRules.map(({ id, subject, title, severity, strictSeverity, options }) => ({
      id,
      subject,
      title,
      severity,
      ...(strictSeverity === undefined ? {} : { strictSeverity }),
      ...(options === undefined ? {} : { options }),
    }));
