import { AS_OF } from '../as-of';
import type { Finding, Rule, Severity } from '../../lib/engine';
import { Settling } from '../../lib/engine/settling';
import type { Source } from '../../lib/eks';
import { allRules } from '../../lib/rules';
import { testFixes } from './fixes';
import { allFindingsOf, findingsOf, forgetModels, isTemplate, modelOf, once, type TemplateVector } from './models';
import { expectToReadWell } from './reads-well';
import { testInTerraform } from './terraform/same-verdict';
import { translate } from './terraform/translate';
import { testObeyed } from './obeyed';
import { testUnderCondition } from './under-condition';

/** A named CloudFormation template, in YAML, or a plan of Terraform (see `plan` in plan-templates.ts). */
export interface Vector {
  /** A sentence about behaviour: "AL2023 node group without metadata options fails". */
  readonly name: string;
  readonly template: string;
  /** @default - the rule's own defaults */
  readonly options?: Readonly<Record<string, string>>;
  /** @default '2026-11-21' */
  readonly today?: string;
}

export interface InvalidVector extends Vector {
  readonly findings: readonly ExpectedFinding[];
  /** The template after the fix that the finding proposes: the rule must then be silent. */
  readonly fixed?: string;
  /**
   * Other rules of the same subject that rightly find an error in the template. A defect is to be told by one rule, so any other
   * second error fails the vector.
   */
  readonly also?: readonly string[];
}

export interface ExpectedFinding {
  /** Message id. */
  readonly message: string;
  readonly severity: Severity;
  /** Logical id or address of the primary resource. */
  readonly resource: string;
  /** Text in the template at which the finding must point, exactly. */
  readonly at: string;
  /** Texts in the template at which the other places of the finding begin, in their order. @default - any places */
  readonly related?: readonly string[];
  /** Texts that the message must contain, such as the value that was found or the condition's name. */
  readonly says?: readonly string[];
  /** Texts that the message must not contain. */
  readonly omits?: readonly string[];
  /** A text that the fix must contain, in words as well as in code. */
  readonly fix?: string;
  /** Texts that the code of the fix must contain. */
  readonly code?: readonly string[];
  /** A text that the fix must contain in words. */
  readonly advises?: string;
  /** A text that the fix must not contain, neither in words nor in code. */
  readonly fixOmits?: string;
}

interface UnverifiableVector extends Vector {
  /** Logical ids or addresses of the resources that can't be judged. */
  readonly resources: readonly string[];
  /** Text that the reason must contain. */
  readonly because?: string;
}

export interface RuleVectors {
  /** First the correct configurations that a naive rule would fail. */
  readonly valid: readonly Vector[];
  readonly invalid: readonly InvalidVector[];
  readonly unverifiable: readonly UnverifiableVector[];
  /** Resources that the rule doesn't concern; it must not even say "pass". */
  readonly notApplicable: readonly Vector[];
}

/** A vector of a rule, for tests of all of them. */
export interface CollectedVector extends Vector {
  readonly rule: string;
}

let collected: CollectedVector[] | undefined;

/** The vectors of the suites that an action loads, in place of their tests. */
export function collectVectors(load: () => void): readonly CollectedVector[] {
  const found: CollectedVector[] = (collected = []);
  try {
    load();
  } finally {
    collected = undefined;
  }
  return found;
}

/** Declares the tests of a rule from its vectors, and tests that the vectors are complete. */
export function testRule(rule: Rule, vectors: RuleVectors): void {
  if (collected !== undefined) {
    for (const vector of Object.values(vectors).flat() as Vector[]) collected.push({ ...vector, rule: rule.id });
    return;
  }
  describe(rule.id, () => {
    afterAll(forgetModels);
    describe('valid', () => {
      it.each(named(vectors.valid))('%s', (_, vector) => {
        expect(summaryOf(findingsOf(rule, vector))).toEqual([]);
        expect(judgements(rule, vector).length).toBeGreaterThan(0);
      });
    });
    describe('invalid', () => {
      it.each(named(vectors.invalid))('%s', (_, vector) => {
        const findings = findingsOf(rule, vector);
        expect(findings.map((finding) => actual(finding))).toEqual(
          vector.findings.map((expected) => wanted(expected, vector.template)),
        );
        vector.findings.forEach((expected, index) => {
          if (expected.related !== undefined)
            expect(relatedTexts(findings[index], vector.template, expected.related)).toEqual(expected.related);
          for (const text of expected.says ?? []) expect(findings[index]?.message).toContain(text);
          for (const text of expected.omits ?? []) expect(findings[index]?.message).not.toContain(text);
          for (const text of expected.code ?? []) expect(findings[index]?.fixCode).toContain(text);
          if (expected.advises !== undefined) expect(findings[index]?.fix).toContain(expected.advises);
          if (expected.fixOmits !== undefined)
            expect(`${findings[index]?.fix ?? ''}\n${findings[index]?.fixCode ?? ''}`).not.toContain(expected.fixOmits);
          if (expected.fix !== undefined) {
            expect(findings[index]?.fix).toContain(expected.fix);
            // Where code would lose something, words alone say it.
            expect(findings[index]?.fixCode ?? expected.fix).toContain(expected.fix);
          }
        });
      });
      it.each(named(vectors.invalid))('the message reads well: %s', (_, vector) => {
        expectToReadWell(findingsOf(rule, vector));
      });
      it.each(named([...vectors.invalid, ...vectors.unverifiable]))(
        'other places are told, and are there: %s',
        (_, vector) => {
          for (const { related } of findingsOf(rule, vector))
            for (const { message, source } of related) {
              expect(message).toMatch(/\S/);
              expect(textAt(vector.template, source)).toMatch(/\S/);
            }
        },
      );
      it.each(named(vectors.invalid))('what a release is told is about the values of its chart: %s', (_, vector) => {
        for (const { resource, fix, fixCode = '' } of findingsOf(rule, vector))
          if ('kind' in resource && resource.kind === 'helm-release')
            for (const text of [fix, fixCode]) expect(text).not.toMatch(/configuration.?values/i);
      });
      it.each(named(vectors.invalid))('no other rule calls it an error: %s', (_, vector) => {
        const others = allFindingsOf(rule, vector)
          .filter((finding) => finding.rule !== rule.id && finding.verdict === 'fail' && finding.severity === 'error')
          .map((finding) => finding.rule);
        const related = new Set(allRules.filter((other) => area(other) === area(rule)).map((other) => other.id));
        expect([...new Set(others.filter((id) => related.has(id)))].sort()).toEqual([...(vector.also ?? [])].sort());
      });
      if (area(rule) === 'node-bootstrap') testOneDefectOneFinding(rule, vectors.invalid);
      it.each(named(vectors.invalid))('texts are complete for every front end: %s', (_, vector) => {
        const settling = new Settling(modelOf(vector.template));
        for (const judgement of judgements(rule, vector)) settling.add(judgement);
        settling.settle();
        const failures = settling.judgements.filter((judgement) => judgement.verdict === 'fail');
        expect(failures.length).toBeGreaterThan(0);
        for (const { message = '', data = {} } of failures) {
          expect(placeholdersOf(rule, message).filter((name) => !Object.hasOwn(data, name))).toEqual([]);
          for (const text of Object.values(data)) expect(text).not.toMatch(/\bundefined\b|\[object /);
        }
      });
      const fixable = vectors.invalid.filter((vector) => vector.fixed !== undefined);
      if (fixable.length > 0) {
        it.each(named(fixable))('the fix works: %s', (_, vector) => {
          expect(vector.fixed).not.toBe(vector.template);
          expect(summaryOf(findingsOf(rule, { ...vector, template: vector.fixed ?? '' }))).toEqual([]);
        });
      }
    });
    if (vectors.unverifiable.length > 0) {
      describe('unverifiable', () => {
        it.each(named(vectors.unverifiable))('%s', (_, vector) => {
          const findings = findingsOf(rule, vector);
          expect(findings.map((finding) => [finding.verdict, finding.resource.id])).toEqual(
            vector.resources.map((id) => ['unverifiable', id]),
          );
          if (vector.because !== undefined) expect(findings[0]?.message).toContain(vector.because);
        });
      });
    }
    describe('not applicable', () => {
      it.each(named(vectors.notApplicable))('%s', (_, vector) => {
        expect(judgements(rule, vector)).toEqual([]);
      });
    });
    const invalid = templatesOf(vectors.invalid);
    const templates = [
      ...templatesOf(vectors.valid),
      ...invalid,
      ...templatesOf([...vectors.unverifiable, ...vectors.notApplicable]),
    ];
    testInTerraform(rule, templates);
    testUnderCondition(rule, templates);
    testObeyed(rule, invalid);
    testFixes(rule, invalid);
    describe('the vectors themselves', () => {
      it('test every message of the rule', () => {
        const tested = new Set(vectors.invalid.flatMap((vector) => vector.findings.map((finding) => finding.message)));
        expect([...tested].sort()).toEqual(Object.keys(rule.messages).sort());
      });
      it('hold no template twice and show that a fix works', () => {
        const all = [...vectors.valid, ...vectors.invalid, ...vectors.unverifiable, ...vectors.notApplicable];
        const keys = all.map((vector) => JSON.stringify([vector.template, vector.options, vector.today]));
        expect(new Set(keys).size).toBe(keys.length);
        expect(vectors.invalid.some((vector) => vector.fixed !== undefined)).toBe(true);
        expect(vectors.valid.length).toBeGreaterThan(0);
        expect(vectors.notApplicable.length).toBeGreaterThan(0);
      });
    });
  });
}

/** User data goes through many hands, and each of them has a rule: no two may speak of one place, or contradict each other. */
function testOneDefectOneFinding(rule: Rule, vectors: readonly InvalidVector[]): void {
  const ids = new Set(allRules.filter((other) => area(other) === area(rule)).map(({ id }) => id));
  const failuresIn = (vector: Vector) =>
    allFindingsOf(rule, vector).filter((finding) => finding.verdict === 'fail' && ids.has(finding.rule));

  it.each(named(vectors))('no other rule speaks of the same place: %s', (_, vector) => {
    const failures = failuresIn(vector);
    const placeOf = ({ source }: Finding): string => Object.values(source.locate()).slice(0, 3).join(':');
    const places = new Set(failures.filter((finding) => finding.rule === rule.id).map(placeOf));
    const others = failures.filter((finding) => finding.rule !== rule.id && places.has(placeOf(finding)));
    expect(others.map((finding) => finding.rule).filter((id) => vector.also?.includes(id) !== true)).toEqual([]);
  });

  // Under a condition, each of two rules may be right in its own case.
  const scripted = vectors.filter(
    (vector) => SHEBANG.test(vector.template) && !vector.template.includes('!If') && isTemplate(vector),
  );
  if (scripted.length > 0) {
    it.each(named(scripted))('nothing is said of what a script does that does not run: %s', (_, vector) => {
      const lines = vector.template.replaceAll(SHEBANG_LINES, '$1set -x').split('\n');
      const failures = failuresIn({ ...vector, template: lines.join('\n') });
      for (const shebang of failures.filter((finding) => finding.rule === 'user-data-shebang')) {
        const { line } = shebang.source.locate();
        const length = lines.slice(line).findIndex((text) => /^\s*--/.test(text) || /^ {0,8}\S/.test(text));
        const inScript = failures.filter(
          ({ source }) =>
            source.locate().line > line && source.locate().line <= line + (length < 0 ? lines.length : length),
        );
        expect(inScript.map((finding) => finding.rule)).toEqual([]);
      }
    });
  }
}

const SHEBANG = /^[ \t]*#!\/bin\/(?:ba)?sh$/m;
const SHEBANG_LINES = /^([ \t]*)#!\/bin\/(?:ba)?sh$/gm;

/** Rules that look at the same things: what a launch template holds, and the bootstrap in it. */
function area(rule: Rule): string {
  return rule.subject === 'launch-template' ? 'node-bootstrap' : rule.subject;
}

/** Vectors that are templates, with what they are in Terraform. */
function templatesOf(vectors: readonly Vector[]): TemplateVector[] {
  return vectors.filter(isTemplate).map((vector) => ({
    ...vector,
    get translation() {
      return once(['translation', vector.template], () => translate(vector.template));
    },
  }));
}

function named<V extends Vector>(vectors: readonly V[]): [string, V][] {
  return vectors.map((vector) => [vector.name, vector]);
}

function judgements(rule: Rule, vector: Vector) {
  const options = Object.fromEntries(
    Object.entries(rule.options ?? {}).map(([name, option]) => [name, option.default]),
  );
  return [
    ...rule.check(modelOf(vector.template), {
      today: vector.today ?? AS_OF,
      options: { ...options, ...vector.options },
    }),
  ];
}

/** The placeholders of a message and of its fix in every language, because the vectors only ever show one of them. */
function placeholdersOf(rule: Rule, messageId: string): string[] {
  const message = rule.messages[messageId];
  if (message === undefined) throw new Error(`rule ${rule.id} has no message "${messageId}"`);
  const texts = [message.text, message.fix.summary, ...Object.values(message.fix.code ?? {})];
  return texts.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? ''));
}

function summaryOf(findings: readonly Finding[]): string[] {
  return findings.map((finding) => `${finding.verdict} ${finding.resource.id}: ${finding.message}`);
}

function actual(finding: Finding): Record<string, unknown> {
  const { line, column } = finding.source.locate();
  return {
    message: finding.messageId,
    severity: finding.severity,
    resource: finding.resource.id,
    at: `${line}:${column}`,
  };
}

/** What stands at the other places of a finding, as far as it is the text that is expected there. */
function relatedTexts(finding: Finding | undefined, template: string, expected: readonly string[]): string[] {
  return (finding?.related ?? []).map(({ source }, index) => {
    const text = textAt(template, source);
    return text.startsWith(expected[index] ?? '') ? (expected[index] ?? text) : text;
  });
}

/** The rest of the line at a place. */
function textAt(template: string, source: Source): string {
  const { line, column } = source.locate();
  return template.split('\n')[line - 1]?.slice(column - 1) ?? '';
}

function wanted(expected: ExpectedFinding, template: string): Record<string, unknown> {
  const offset = template.indexOf(expected.at);
  if (offset < 0) throw new Error(`the template doesn't contain "${expected.at}"`);
  const before = template.slice(0, offset).split('\n');
  return {
    message: expected.message,
    severity: expected.severity,
    resource: expected.resource,
    at: `${before.length}:${(before.at(-1) ?? '').length + 1}`,
  };
}
