import { checkTemplates, type Configuration, type Ignore } from '../../lib';
import { nodeGroupTemplate } from '../cli/workspace';

const today = '2026-11-21';
const text = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const reason = 'Every workload has its own role';

function check(ignores: readonly Ignore[], more: Configuration = {}) {
  const { findings, summary } = checkTemplates([{ file: 'stacks/nodes.yaml', text }], { today, ignores, ...more });
  return { hop: findings.find(({ rule }) => rule === 'imds-hop-limit'), own: findings.filter(({ rule }) => rule.startsWith('suppression-')), summary };
}

describe('ignores', () => {
  it.each<Partial<Ignore>>([
    {},
    { resource: 'Templ*' },
    { resource: 'Template' },
    { rule: 'imds-*' },
    { file: 'stacks/*.yaml' },
    { file: 'nodes.yaml' },
    { file: '**/nodes.yaml' },
    { until: today },
  ])('accept what they cover: %j', (more) => {
    const { hop, own, summary } = check([{ rule: 'imds-hop-limit', resource: '*', reason, ...more }]);
    expect(hop?.suppressed).toMatchObject({ reason });
    expect(own).toEqual([]);
    expect(summary.error).toBe(0);
  });

  it.each<[Partial<Ignore>, string, string]>([
    [{ resource: 'Workers' }, 'suppression-unused', 'The ignore of imds-hop-limit on "Workers" matches no finding.'],
    [{ rule: 'imds-v1' }, 'suppression-unused', 'The ignore of imds-v1 on "*" matches no finding.'],
    [{ rule: 'imds-hop-limits' }, 'suppression-unknown-rule', 'did you mean "imds-hop-limit"?'],
    [{ rule: 'imsd-*' }, 'suppression-unknown-rule', 'no rule has an id like "imsd-*".'],
    [{ until: '2026-11-20' }, 'suppression-expired', 'ended on 2026-11-20'],
    [{ reason: ' ' }, 'suppression-without-reason', 'gives no reason'],
  ])('have no effect otherwise, which is told once: %j', (more, rule, message) => {
    const { hop, own, summary } = check([{ rule: 'imds-hop-limit', resource: '*', reason, source: { locate: () => ({ file: 'eks-guardrails.config.yaml', line: 7, column: 3 }) }, ...more }]);
    expect(hop?.suppressed).toBeUndefined();
    expect(summary.error).toBe(1);
    expect(own).toMatchObject([{ rule, severity: 'warning', message: expect.stringContaining(message) as string }]);
    expect(own[0]?.source.locate()).toMatchObject({ file: 'eks-guardrails.config.yaml', line: 7 });
  });

  it('say nothing of files that are not part of the run, and of rules that are off', () => {
    expect(check([{ rule: 'imds-hop-limit', resource: '*', file: 'stacks/other.yaml', reason }]).own).toEqual([]);
    expect(check([{ rule: 'imds-v1', resource: '*', reason }], { rules: { 'imds-v1': 'off' } }).own).toEqual([]);
  });

  it('tell files from their own folder', () => {
    expect(check([{ rule: 'imds-hop-limit', resource: '*', file: 'nodes.*', folder: 'stacks', reason }]).hop?.suppressed).toBeDefined();
    expect(check([{ rule: 'imds-hop-limit', resource: '*', file: './stacks/nodes.yaml', reason }]).hop?.suppressed).toBeDefined();
  });

  it('never hide with a pattern that a rule crashed, or that another ignore has no use', () => {
    const crashing = { id: 'my-rule', subject: 'custom', title: 'T', severity: 'error', since: '', symptom: '', why: '', limits: '', ignore: '', sources: [], messages: {}, check: () => { throw new Error('no luck'); } } as const;
    const { findings, summary } = checkTemplates([{ file: 'a.yaml', text }], { today, customRules: [crashing], ignores: [{ rule: '*', resource: '*', reason }] });
    expect(findings.filter(({ suppressed }) => suppressed === undefined)).toMatchObject([{ rule: 'rule-crashed', message: expect.stringContaining('no luck') as string }]);
    expect(summary.error).toBe(1);
  });
});
