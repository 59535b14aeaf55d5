import { ConfigurationError, type CustomRule } from '../../lib/engine';
import { defineCustomRule } from '../../lib/engine/custom-rule';
import { EksModel } from '../../lib/eks';

const messages = { bad: { text: 'Bad.', fix: 'Fix.' } };
const own = { id: 'acme-rule', title: 'T', severity: 'error', messages, check: () => [] };
const define = (rule: unknown) => defineCustomRule(rule as CustomRule);

describe('a rule of the user', () => {
  it('is completed', () => {
    const whole = define({ ...own, check: () => ['given'] });
    expect(whole).toMatchObject({
      id: 'acme-rule',
      title: 'T',
      severity: 'error',
      docs: '',
      subject: 'custom',
      messages: { bad: { text: 'Bad.', fix: { summary: 'Fix.', safety: 'needs-decision' } } },
    });
    expect([Object.hasOwn(whole, 'strictSeverity'), Object.hasOwn(whole, 'options')]).toEqual([false, false]);
    expect(whole.check(new EksModel([]), { today: '2026-11-21', options: {} })).toEqual(['given']);
  });

  it('keeps what it says', () => {
    const options = { style: { description: '', allowed: ['short', 'long'], default: 'long' } };
    const fix = {
      summary: 'Fix.',
      code: { terraform: 'a = 1' },
      safety: 'safe',
      repairs: [{ kind: 'remove', field: 'amiType' }],
    };
    const given = {
      ...own,
      strictSeverity: 'error',
      severity: 'warning',
      docs: 'https://example.com',
      options,
      messages: { bad: { text: 'Bad.', fix } },
    };
    expect(define(given)).toMatchObject({
      strictSeverity: 'error',
      severity: 'warning',
      docs: 'https://example.com',
      options,
      messages: { bad: { fix } },
    });
  });

  it('is one rule, however often and in whatever form it comes', () => {
    const given = { ...own };
    const whole = define(given);
    expect(define(given)).toBe(whole);
    expect(define(whole)).toBe(whole);
    expect(define({ ...own })).not.toBe(whole);
  });

  it('may be an instance of a class, with more than is asked for', () => {
    class Rule {
      readonly id = 'acme-rule';
      readonly title = 'T';
      readonly severity = 'error';
      readonly messages = messages;
      readonly region = 'eu-west-1';
      check(): readonly string[] {
        return [this.region];
      }
    }
    expect(define(new Rule()).check(new EksModel([]), { today: '2026-11-21', options: {} })).toEqual(['eu-west-1']);
  });

  it.each<[unknown, string]>([
    [null, 'a custom rule is what defineRule gives, not null'],
    ['acme-rule', 'a custom rule is what defineRule gives, not a string'],
    [5, 'a custom rule is what defineRule gives, not a number'],
    [{ ...own, id: undefined }, 'rule without id is not whole: "id" is missing'],
    [
      { ...own, id: 5 },
      'rule without id is not whole: id: expected an id of small letters, digits and hyphens, found 5',
    ],
    [{ ...own, title: undefined }, 'rule "acme-rule" is not whole: "title" is missing'],
    [{ ...own, severity: undefined }, '"severity" is missing'],
    [{ ...own, messages: undefined }, '"messages" is missing'],
    [{ ...own, check: undefined }, '"check" is missing'],
    [{ ...own, check: 'no' }, 'check: expected a function'],
    [{ ...own, title: ' ' }, 'title: expected a text, found " "'],
    [{ ...own, severity: 'eror' }, 'severity: expected error, warning or info, found "eror"; did you mean "error"?'],
    [{ ...own, strictSeverity: 'off' }, 'strictSeverity: expected error, warning or info, found "off"'],
    [{ ...own, docs: 5 }, 'docs: expected a text, found 5'],
    [{ ...own, messages: { bad: { text: 'Bad.' } } }, 'messages.bad: "fix" is missing'],
    [{ ...own, messages: { bad: { fix: 'Fix.' } } }, 'messages.bad: "text" is missing'],
    [{ ...own, messages: { bad: { text: 'Bad.', fix: {} } } }, 'messages.bad.fix: "summary" is missing'],
    [
      { ...own, messages: { bad: { text: 'Bad.', fix: { summary: 'Fix.', safety: 'save' } } } },
      'messages.bad.fix.safety: expected safe or needs-decision, found "save"; did you mean "safe"?',
    ],
    [
      { ...own, messages: { bad: { text: 'Bad.', fix: { summary: 'Fix.', code: { terraform: 5 } } } } },
      'messages.bad.fix.code.terraform: expected a text, found 5',
    ],
    [{ ...own, options: { style: {} } }, 'options.style: "description" is missing'],
    [
      { ...own, options: { style: { description: '', allowed: ['a'], default: 'b' } } },
      'options.style.default: "b" is not one of the allowed values a',
    ],
    [
      { ...own, options: { style: { description: '', allowed: [1], default: 'b' } } },
      'options.style.allowed[0]: expected a text, found 1',
    ],
    // A name that is near one that is missing, or isn't given
    [{ ...own, title: undefined, titel: 'T' }, 'titel: there is no such setting of a rule; did you mean "title"?'],
    [{ ...own, check: undefined, chek: () => [] }, 'chek: there is no such setting of a rule; did you mean "check"?'],
    [
      { ...own, stictSeverity: 'error' },
      'stictSeverity: there is no such setting of a rule; did you mean "strictSeverity"?',
    ],
    [{ ...own, option: {} }, 'option: there is no such setting of a rule; did you mean "options"?'],
    [{ ...own, doc: '' }, 'doc: there is no such setting of a rule; did you mean "docs"?'],
  ])('%j is refused: %s', (rule, message) => {
    expect(() => define(rule)).toThrow(ConfigurationError);
    expect(() => define(rule)).toThrow(message);
  });

  it.each([
    // A name that is near one that is given
    { ...own, titles: ['T'] },
    { ...own, options: {}, optional: true },
    { ...own, docs: '', doc: 'D' },
    { ...own, id: 'a1-b2' },
    { ...own, options: undefined, docs: undefined, strictSeverity: undefined },
  ])('%j is none to refuse', (rule) => {
    expect(define(rule).subject).toBe('custom');
  });

  it.each(['Acme', 'acme_rule', '1-acme', 'acme-', '-acme', 'acme--rule', 'acme rule', ''])('has no id "%s"', (id) => {
    expect(() => define({ ...own, id })).toThrow('expected an id of small letters, digits and hyphens');
  });
});
