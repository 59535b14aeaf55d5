import { checkTemplates, type CheckResult } from '../../lib/check';
import type { Diagnostic, Finding } from '../../lib/engine';
import { planJobs, type Job } from '../../lib/fixes/jobs';
import { problemsOf, type Checked } from '../../lib/fixes/recheck';
import { EksModel } from '../../lib/eks';

const RULE = 'addon-preserve-on-delete';
const addon = (id: string, more = '') =>
  `  ${id}: { Type: AWS::EKS::Addon, Properties: { ClusterName: ${id}, AddonName: coredns${more} } }\n`;
const template = (file: string, ...resources: string[]) => ({ file, text: `Resources:\n${resources.join('')}` });
const only = (result: CheckResult): CheckResult => ({
  ...result,
  findings: result.findings.filter(({ rule }) => rule === RULE),
});

/** Two templates, with an add-on each that shall be repaired, and one that shall not. */
const before = only(
  checkTemplates([
    template('a.yaml', addon('A'), addon('K', ', PreserveOnDelete: true')),
    template('b.yaml', addon('B')),
  ]),
);
const after = only(
  checkTemplates([
    template('a.yaml', addon('A', ', PreserveOnDelete: true'), addon('K', ', PreserveOnDelete: true')),
    template('b.yaml', addon('B', ', PreserveOnDelete: true')),
  ]),
);
const { jobs } = planJobs(before.findings);
const [a, b] = jobs as [Job, Job];
const [ofA, ofB] = before.findings as [Finding, Finding];

/** The problems of an outcome: what they are, and whom they are blamed on. */
function problems(
  change: Partial<Checked>,
  was: Partial<Checked> = {},
  done: readonly Job[] = jobs,
  isUnsafe = false,
): string[] {
  return problemsOf({ ...before, ...was }, { ...after, ...change }, done, isUnsafe).map(
    ({ reason, suspects, next, following }) =>
      `${reason}: ${suspects.map((job) => job.findings[0].resource.id).join(' ')}${next === undefined ? '' : `, ${next.steps.length} steps`}${following === undefined ? '' : ', and goes on'}`,
  );
}

it('has none when all is repaired', () => {
  expect(jobs.map(({ findings }) => findings[0].resource.id)).toEqual(['A', 'B']);
  expect(after.findings).toEqual([]);
  expect(problems({})).toEqual([]);
});

describe('a file that can no longer be read', () => {
  const told = (more: Partial<Diagnostic>): Diagnostic => ({
    severity: 'error',
    message: 'line 3, column 4 is wrong',
    file: 'b.yaml',
    line: 3,
    column: 4,
    ...more,
  });
  it('is blamed on what was done in it, or on all', () => {
    expect(problems({ diagnostics: [told({})] })).toEqual(['the file could no longer be read: B']);
    expect(problems({ diagnostics: [told({}), told({ message: 'more' })] })).toEqual([
      'the file could no longer be read: B',
    ]);
    expect(problems({ diagnostics: [told({ file: 'c.yaml' })] })).toEqual(['the file could no longer be read: A B']);
  });
  it('is one that could be read before, whatever line is wrong', () => {
    expect(
      problems({ diagnostics: [told({ message: 'line 5, column 1 is wrong', line: 5 })] }, { diagnostics: [told({})] }),
    ).toEqual([]);
    expect(problems({ diagnostics: [told({ file: 'a.yaml' })] }, { diagnostics: [told({})] })).toEqual([
      'the file could no longer be read: A',
    ]);
    expect(problems({ diagnostics: [told({})] }, { diagnostics: [told({ severity: 'warning' })] })).toEqual([
      'the file could no longer be read: B',
    ]);
    expect(problems({ diagnostics: [told({ severity: 'warning' })] })).toEqual([]);
  });
});

describe('resources that are gone', () => {
  it('are blamed on what was done in their file', () => {
    expect(problems({ model: new EksModel(after.model.resources.filter(({ id }) => id !== 'B')) })).toEqual([
      'B would be gone: B',
    ]);
    expect(problems({ model: new EksModel(after.model.resources.filter(({ id }) => id !== 'K')) })).toEqual([
      'K would be gone: A',
    ]);
  });
  it('are counted where several have a name', () => {
    const twice = [...before.model.resources, ...before.model.resources];
    expect(
      problems(
        { model: new EksModel([...after.model.resources, ...after.model.resources.slice(1)]) },
        { model: new EksModel(twice) },
      ),
    ).toEqual(['A would be gone: A']);
    expect(
      problems(
        { model: new EksModel([...after.model.resources, ...after.model.resources]) },
        { model: new EksModel(twice) },
      ),
    ).toEqual([]);
  });
  it('are noticed by their number, too, unless it is told which they are', () => {
    const inputs = after.inputs.map((input) =>
      input.path === 'b.yaml' ? { ...input, resources: input.resources - 1 } : input,
    );
    expect(problems({ inputs })).toEqual(['resources would be gone: A B']);
    expect(problems({ inputs, model: new EksModel(after.model.resources.slice(1)) })).toEqual(['A would be gone: A']);
  });
  it('are told before anything else', () => {
    expect(problems({ findings: before.findings, model: new EksModel(after.model.resources.slice(1)) })).toEqual([
      'A would be gone: A',
    ]);
  });
});

describe('a finding that is left', () => {
  it('is blamed on who should have repaired it', () => {
    expect(problems({ findings: [ofA] })).toEqual(['the finding would still be there: A']);
    expect(problems({ findings: [ofB, ofA] })).toEqual([
      'the finding would still be there: A',
      'the finding would still be there: B',
    ]);
    expect(problems({ findings: [ofB] }, {}, [a])).toEqual([]);
  });
  it('may be told in other words, and may be one of several that were there', () => {
    expect(problems({ findings: [{ ...ofA, messageId: 'other', repairs: [] }] })).toEqual([
      'the finding would still be there: A',
    ]);
    const other = { ...ofA, repairs: undefined, message: 'other' };
    expect(problems({ findings: [other] }, { findings: [ofA, other, ofB] })).toEqual([]);
    expect(problems({ findings: [other, other] }, { findings: [ofA, other, ofB] })).toEqual([
      'the finding would still be there: A',
    ]);
  });
  it('may be accepted', () => {
    expect(problems({ findings: [{ ...ofA, suppressed: { reason: 'so' } }] })).toEqual([]);
  });
  it('may be in the way of what is not known', () => {
    const unknown = { ...ofA, verdict: 'unverifiable' as const };
    expect(problems({ findings: [unknown] })).toEqual(['it could no longer be told whether the rule is followed: A']);
    expect(problems({ findings: [unknown] }, { findings: [ofA, unknown, ofB] })).toEqual([]);
    expect(problems({ findings: [{ ...unknown, suppressed: { reason: 'so' } }] })).toEqual([]);
  });
});

describe('the next finding of a kind', () => {
  const step = (item: number): Finding => ({
    ...ofA,
    source: { ...ofA.source, from: undefined, locate: () => ({ ...ofA.source.locate(), property: `List.${item}` }) },
  });
  const first: Job = { ...a, findings: [step(0)], steps: [{ repairs: ofA.repairs ?? [], item: 0 }] };
  const was = { findings: [step(0), ofB] };
  it('is repaired in another step', () => {
    expect(problems({ findings: [step(1)] }, was, [first, b])).toEqual([
      'the finding would still be there: A, 2 steps',
    ]);
  });
  it('belongs to the job that says the same, or to the first that does the same', () => {
    const other: Job = { ...first, findings: [{ ...step(0), message: 'other' }], target: 'other' };
    const { suspects: [one] = [] } =
      problemsOf(
        { ...before, findings: [step(0), step(0)] },
        { ...after, findings: [step(1)] },
        [other, first],
        false,
      )[0] ?? {};
    expect(one).toBe(first);
    const { suspects: [two] = [] } =
      problemsOf(
        { ...before, findings: [step(0), step(0)] },
        { ...after, findings: [{ ...step(1), message: 'new' }] },
        [other, first],
        false,
      )[0] ?? {};
    expect(two).toBe(other);
  });
  it('is none that was there before, that no machine can repair, or that nobody repairs so', () => {
    expect(problems({ findings: [step(1), step(1)] }, { findings: [step(0), step(1), ofB] }, [first, b])).toEqual([
      'the finding would still be there: A',
    ]);
    expect(problems({ findings: [{ ...step(1), repairs: [] }] }, was, [first, b])).toEqual([
      'the finding would still be there: A',
    ]);
    expect(
      problems({ findings: [{ ...step(1), repairs: [{ kind: 'remove', field: 'amiType' }] }] }, was, [first, b]),
    ).toEqual(['the finding would still be there: A']);
  });
  it('that somebody has to decide is repaired only where everything is', () => {
    const decided = { findings: [{ ...step(1), repairEffect: 'nodes are replaced' }] };
    expect(problems(decided, was, [first, b])).toEqual(['the finding would still be there: A']);
    expect(problems(decided, was, [first, b], true)).toEqual(['the finding would still be there: A, 2 steps']);
  });
  it('may be where nothing is edited', () => {
    const decided = { ...step(1), source: { ...step(1).source, from: 'default of parameter P' } } as unknown as Finding;
    expect(problems({ findings: [decided] }, was, [first, b])).toEqual([
      'it is decided by the default of parameter P: A',
    ]);
  });
});

describe('a finding that was not there before', () => {
  const like = (more: object) =>
    Object.create(ofA.resource, Object.getOwnPropertyDescriptors(more)) as Finding['resource'];
  const found = (more: Partial<Finding>): Finding => ({
    ...ofA,
    rule: 'imds-v1',
    severity: 'error',
    repairs: undefined,
    ...more,
  });
  it('is blamed on what was done to its resource, or on all', () => {
    expect(problems({ findings: [found({})] })).toEqual(['it would cause imds-v1 on A: A']);
    expect(problems({ findings: [found({ resource: ofB.resource })] })).toEqual(['it would cause imds-v1 on B: B']);
    expect(problems({ findings: [found({ resource: like({ stack: 'other' }) })] })).toEqual([
      'it would cause imds-v1 on A: A B',
    ]);
    expect(problems({ findings: [found({ resource: like({ id: 'K' }) })] })).toEqual([
      'it would cause imds-v1 on K: A B',
    ]);
    expect(problems({ findings: [found({ resource: like({ path: 'Stack/A' }) })] })).toEqual([
      'it would cause imds-v1 on Stack/A: A',
    ]);
  });
  it('is repaired, too, if a machine can, and nobody has to decide it or everything is repaired', () => {
    const repairable = found({ repairs: ofA.repairs ?? [] });
    expect(problems({ findings: [repairable] })).toEqual(['it would cause imds-v1 on A: A, and goes on']);
    const decided = { findings: [{ ...repairable, repairEffect: 'nodes are replaced' }] };
    expect(problems(decided)).toEqual(['it would cause imds-v1 on A: A']);
    expect(problems(decided, {}, jobs, true)).toEqual(['it would cause imds-v1 on A: A, and goes on']);
    expect(problems({ findings: [found({ repairs: ofA.repairs ?? [], resource: like({ id: 'new' }) })] })).toEqual([
      'it would cause imds-v1 on new: A B',
    ]);
  });
  it('is an error or a warning, and is not accepted', () => {
    expect(problems({ findings: [found({ severity: 'warning' })] })).toEqual(['it would cause imds-v1 on A: A']);
    expect(problems({ findings: [found({ severity: 'info' })] })).toEqual([]);
    expect(problems({ findings: [found({ suppressed: { reason: 'so' } })] })).toEqual([]);
    expect(problems({ findings: [found({ verdict: 'unverifiable' })] })).toEqual([]);
  });
  it('is counted, and may be worse than it was', () => {
    expect(problems({ findings: [found({})] }, { findings: [ofA, ofB, found({})] })).toEqual([]);
    expect(problems({ findings: [found({}), found({})] }, { findings: [ofA, ofB, found({})] })).toEqual([
      'it would cause imds-v1 on A: A',
    ]);
    expect(problems({ findings: [found({ messageId: 'x' })] }, { findings: [ofA, ofB, found({})] })).toEqual([
      'it would cause imds-v1 on A: A',
    ]);
    expect(problems({ findings: [found({})] }, { findings: [ofA, ofB, found({ severity: 'warning' })] })).toEqual([
      'it would cause imds-v1 on A: A',
    ]);
    expect(problems({ findings: [found({ severity: 'warning' })] }, { findings: [ofA, ofB, found({})] })).toEqual([]);
  });
});
