import { runRules, type Finding, type Rule } from '../../lib/engine';
import { repairFindings, type RepairedFile } from '../../lib/fix/repairs';
import { whatWentWrong } from '../../lib/fix/run';
import { unifiedDiff } from '../../lib/fix/unified-diff';
import { EksModel, type EksResource } from '../../lib/model';
import { readTemplates } from '../../lib/readers/cloudformation';
import { parseJsonConfiguration } from '../../lib/readers/terraform/json';
import { hclFile } from '../../lib/readers/terraform/module/hcl-file';
import { readInstances } from '../../lib/readers/terraform/resources';
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
    const fixed = new Map<string, Set<string>>(['YAML', 'JSON', 'HCL', 'Terraform in JSON'].map((language) => [language, new Set()]));
    const attempted = new Map<string, Set<string>>([...fixed].map(([language]) => [language, new Set()]));
    it.each(vectors.map((vector): [string, FixableVector] => [vector.name, vector]))('%s', (_, vector) => {
      for (const written of everyWriting(vector.template)) {
        const judge = (text: string): Finding[] => runRules(new EksModel(written.read(text)), [rule], { today: vector.today ?? '2026-11-21', rules: { [rule.id]: { options: vector.options ?? {} } } });
        const before = judge(written.text);
        const { files, refused } = repairFindings(before, () => ({ text: written.text }));
        for (const finding of before) if (finding.repairs !== undefined) attempted.get(written.language)?.add(finding.messageId ?? '');
        for (const { reason } of refused) expect(reason).toMatch(/^[a-z`]/);
        const [file] = files;
        if (file === undefined) continue;
        const after = judge(file.after);
        expect([written.language, whatWentWrong(file, { findings: before, diagnostics: [] }, { findings: after, diagnostics: [] }), file.after]).toEqual([written.language, undefined, file.after]);
        expect(commentsOf(file.after)).toEqual(commentsOf(written.text));
        expect(repairFindings(after, () => ({ text: file.after })).files.map((again) => unifiedDiff('again', file.after, again.after))).toEqual([]);
        expectFewLines(file);
        for (const finding of file.findings) fixed.get(written.language)?.add(finding.messageId ?? '');
      }
    });
    it('repairs every message that it says it repairs', () => {
      expect([...(fixed.get('YAML') ?? [])].sort()).toEqual(repairable.sort());
      for (const [language, ids] of attempted) expect([language, [...ids].filter((id) => fixed.get(language)?.has(id) !== true)]).toEqual([language, []]);
    });
  });
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
          { language: 'HCL', file: 'main.tf', text: hclText(translation.configuration), read: (text: string) => readInstances(instancesOf(hclFile(text, 'main.tf'))) },
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
function expectFewLines({ before, after, findings }: RepairedFile): void {
  const changed = unifiedDiff('file', before, after).split('\n').slice(2).filter((line) => /^[-+]/.test(line));
  expect(changed.length).toBeLessThanOrEqual(findings.length * 12);
}
