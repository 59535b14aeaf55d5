/** The day for which tests that name no other are judged: that of scripts/as-of.js, which Jest loads. */
export const AS_OF = process.env['EKS_GUARDRAILS_AS_OF'] ?? '';

/** A report without what it says of the day, which its reader doesn't give, and of the age of tables on it. */
export function withoutDay(report: string, day = AS_OF): string {
  const line = `Judged as of ${day}.\n`;
  return report
    .replaceAll(`\n\n${line}`, '\n')
    .replaceAll(line, '')
    .replaceAll(/^More than 90 days old: .*\n/gm, '');
}
