import { AS_OF } from '../as-of';
import { runRules, type Rule } from '../../lib/engine';
import { planJobs } from '../../lib/fixes/jobs';
import { problemsOf, type Checked } from '../../lib/fixes/recheck';
import { repairTexts, type RepairedFile } from '../../lib/fixes/repairs';
import { unifiedDiff } from '../../lib/fixes/unified-diff';
import { EksModel, type EksResource } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { parseJsonConfiguration } from '../../lib/terraform/json';
import { hclFile } from '../../lib/terraform/module/hcl-file';
import { readInstances } from '../../lib/front-ends/terraform/resources';
import { instancesOf } from './terraform/front-ends';
import { hclText } from './terraform/hcl';
import { translate } from './terraform/translate';

interface FixableVector {
  readonly name: string;
  readonly template: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly today?: string;
}

/** A text in one of the languages, and how it is read. */
interface Written {
  readonly language: string;
  readonly file: string;
  readonly text: string;
  readonly read: (text: string) => readonly EksResource[];
}

/** Declares tests of `--fix` for a rule with machine edits: in CloudFormation and in both forms of Terraform. */
export function testFixes(rule: Rule, vectors: readonly FixableVector[]): void {
  const repairable = Object.entries(rule.messages).flatMap(([id, { fix }]) => (fix.repairs === undefined ? [] : [id]));
  if (repairable.length === 0) return;
  describe('--fix', () => {
    const fixed = new Map<string, Set<string>>(
      ['YAML', 'JSON', 'HCL', 'Terraform in JSON'].map((language) => [language, new Set()]),
    );
    const attempted = new Map<string, Set<string>>([...fixed].map(([language]) => [language, new Set()]));
    const kept = new Set<string>();
    it.each(vectors.map((vector): [string, FixableVector] => [vector.name, vector]))('%s', (_, vector) => {
      for (const written of everyWriting(vector.template)) {
        const judge = (text: string): Checked => {
          const model = new EksModel(written.read(text));
          return {
            model,
            inputs: [],
            diagnostics: [],
            findings: runRules(model, [rule], {
              asOf: vector.today ?? AS_OF,
              rules: { [rule.id]: { options: vector.options ?? {} } },
            }),
          };
        };
        const before = judge(written.text);
        const { file, refused } = repaired(before, written.text);
        for (const finding of before.findings)
          if (finding.repairs !== undefined) attempted.get(written.language)?.add(finding.messageId ?? '');
        for (const { reason, messageId } of refused) {
          expect(reason).toMatch(/^[a-z`]/);
          if (DELIBERATE.test(reason)) kept.add(`${written.language} ${messageId}`);
        }
        if (file === undefined) continue;
        const after = judge(file.after);
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
      expect(repairable.filter((id) => [...fixed.values()].every((ids) => !ids.has(id)))).toEqual([]);
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

function everyWriting(template: string): Written[] {
  const fromTemplate = (file: string) => (text: string) => {
    const { resources, diagnostics } = readTemplates([{ file, text }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return resources;
  };
  const translation = translate(template);
  return [
    { language: 'YAML', file: 'template.yaml', text: template, read: fromTemplate('template.yaml') },
    ...(typeof translation === 'string'
      ? []
      : [
          {
            language: 'HCL',
            file: 'main.tf',
            text: hclText(translation.configuration),
            read: (text: string) => readInstances(instancesOf(hclFile(text, 'main.tf'))),
          },
          {
            language: 'Terraform in JSON',
            file: 'main.tf.json',
            text: JSON.stringify(translation.configuration, undefined, 2),
            read: (text: string) => readInstances(instancesOf(parseJsonConfiguration(text, 'main.tf.json'))),
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
