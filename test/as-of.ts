/** The day for which tests that name no other are judged: that of scripts/as-of.js, which Jest loads. */
export const AS_OF = process.env['EKS_GUARDRAILS_AS_OF'] ?? '';

/** A report without what it says of that day, which its reader doesn't give. */
export function withoutDay(report: string): string {
  const line = `Judged as of ${AS_OF}.\n`;
  return report.replaceAll(`\n\n${line}`, '\n').replaceAll(line, '');
}
