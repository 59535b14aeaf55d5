import type { Rule } from '../../lib/engine';
import { planJobs } from '../../lib/fixes/jobs';
import { problemsOf, type Checked } from '../../lib/fixes/recheck';
import { repairTexts, type RepairedFile } from '../../lib/fixes/repairs';
import { unifiedDiff } from '../../lib/fixes/unified-diff';
import type { EksModel } from '../../lib/eks';
import { judge, modelOf, type TemplateVector } from './models';
import { CORRECTED_MESSAGES } from './node-bootstrap/corrected-cases';
import { hclModelOf, jsonModelOf } from './terraform/front-ends';
import { hclText } from './terraform/hcl';

/** A text in one of the languages, and how it is read. */
interface Written {
  readonly language: string;
  readonly text: string;
  readonly read: (text: string) => EksModel;
}

/** Declares tests of `--fix` for a rule with machine edits: in CloudFormation and in both forms of Terraform. */
export function testFixes(rule: Rule, vectors: readonly TemplateVector[]): void {
  const repairable = Object.entries(rule.messages).flatMap(([id, { fix }]) =>
    // What manifests alone can have put right is tried with them.
    fix.repairs === undefined &&
    Object.entries(fix.repairsIn ?? {}).every(([dialect, repairs]) => dialect === 'kubernetes' || repairs.length === 0)
      ? []
      : [id],
  );
  if (repairable.length === 0) return;
  describe('--fix', () => {
    const fixed = new Map<string, Set<string>>(
      ['YAML', 'JSON', 'HCL', 'Terraform in JSON'].map((language) => [language, new Set()]),
    );
    const attempted = new Map<string, Set<string>>([...fixed].map(([language]) => [language, new Set()]));
    const kept = new Set<string>();
    it.each(vectors.map((vector): [string, TemplateVector] => [vector.name, vector]))('%s', (_, vector) => {
      for (const written of everyWriting(vector)) {
        const check = (text: string): Checked => {
          const model = written.read(text);
          return { model, inputs: [], diagnostics: [], findings: judge(model, rule, vector) };
        };
        const before = check(written.text);
        const { file, refused } = repaired(before, written.text);
        for (const finding of before.findings)
          if (finding.repairs !== undefined) attempted.get(written.language)?.add(finding.messageId ?? '');
        for (const { reason, messageId } of refused) {
          expect(reason).toMatch(/^[a-z`]/);
          if (DELIBERATE.test(reason)) kept.add(`${written.language} ${messageId}`);
        }
        if (file === undefined) continue;
        const after = check(file.after);
        const problems = problemsOf(before, after, file.jobs, true);
        // The command leaves such repairs out. Where nobody has to decide, there is nothing to leave out.
        if (
          problems.length > 0 &&
          problems.every(({ suspects }) => suspects.every(({ effect }) => effect !== undefined))
        )
          continue;
        expect([written.language, problems, file.after]).toEqual([written.language, [], file.after]);
        expect(commentsOf(file.after)).toEqual(commentsOf(written.text));
        expect(unifiedDiff('again', file.after, repaired(after, file.after).file?.after ?? file.after)).toBe('');
        expectFewLines(file);
        for (const finding of file.jobs.flatMap(({ findings }) => findings))
          fixed.get(written.language)?.add(finding.messageId ?? '');
      }
    });
    it('repairs every message that it says it repairs', () => {
      const isRepaired = (language: string, id: string): boolean =>
        fixed.get(language)?.has(id) === true || kept.has(`${language} ${id}`);
      // What needs a decision may be about what one language alone can say, or stand in several resources.
      const safe = repairable.filter((id) => rule.messages[id]?.fix.safety === 'safe');
      expect(safe.filter((id) => !isRepaired('YAML', id))).toEqual([]);
      // What puts lines right is tried in files as people write them.
      const isTriedElsewhere = (id: string): boolean => CORRECTED_MESSAGES.has(`${rule.id}/${id}`);
      expect(
        repairable.filter((id) => !isTriedElsewhere(id) && [...fixed.values()].every((ids) => !ids.has(id))),
      ).toEqual([]);
      for (const [language, ids] of attempted)
        expect([language, [...ids].filter((id) => !isRepaired(language, id))]).toEqual([language, []]);
    });
  });
}

/** Refusals that aren't about how something is written, but about what it does. */
const DELIBERATE = /^`ResolveConflicts` is also for the creation/;

function repaired({ findings }: Checked, text: string) {
  const plan = planJobs(findings, undefined, { isUnsafe: true });
  const { files, refused } = repairTexts(plan.jobs, () => ({ text }));
  const reasons = [
    ...plan.refused.map(({ finding, reason }) => ({ findings: [finding], reason })),
    ...refused.map(({ job, reason }) => ({ findings: job.findings, reason })),
  ];
  return {
    file: files[0],
    refused: reasons.flatMap(({ findings: all, reason }) => all.map(({ messageId = '' }) => ({ messageId, reason }))),
  };
}

function everyWriting({ template, translation }: TemplateVector): Written[] {
  return [
    { language: 'YAML', text: template, read: modelOf },
    ...(typeof translation === 'string'
      ? []
      : [
          {
            language: 'HCL',
            text: hclText(translation.configuration),
            read: hclModelOf,
          },
          {
            language: 'Terraform in JSON',
            text: JSON.stringify(translation.configuration, undefined, 2),
            read: jsonModelOf,
          },
        ]),
  ];
}

function commentsOf(text: string): readonly string[] {
  return text.match(/(?<=^|\s)# .*$/gm) ?? [];
}

/** A repair touches the lines that it is about: not more than a handful for each finding. */
function expectFewLines({ before, after, jobs }: RepairedFile): void {
  const changed = unifiedDiff('file', before, after)
    .split('\n')
    .slice(2)
    .filter((line) => /^[-+]/.test(line));
  // A decision may take a launch template with it; what is safe is small.
  const most = jobs.map(({ effect }) => (effect === undefined ? 12 : 24)).reduce((sum, one) => sum + one, 0);
  expect(changed.length).toBeLessThanOrEqual(most);
}
