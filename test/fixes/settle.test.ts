import { checkTemplates } from '../../lib/check';
import { planJobs, type Job } from '../../lib/fixes/jobs';
import type { Problem } from '../../lib/fixes/recheck';
import { settle, type Trial } from '../../lib/fixes/settle';

const addons = Array.from(
  { length: 9 },
  (_, index) => `  A${index}: { Type: AWS::EKS::Addon, Properties: { ClusterName: a, AddonName: coredns } }\n`,
);
const { jobs } = planJobs(checkTemplates([{ file: 'a.yaml', text: `Resources:\n${addons.join('')}` }]).findings);

const name = (job: Job) => job.findings[0].resource.id;

/** Settles jobs of which some do harm: alone, or together. */
async function settled(problemsOf: (names: ReadonlySet<string>, jobs: readonly Job[]) => readonly Problem[]) {
  let trials = 0;
  const attempt = (tried: readonly Job[]): Promise<Trial & { readonly names: readonly string[] }> => {
    trials++;
    const names = tried.map(name);
    return Promise.resolve({ files: [], refused: [], names, problems: problemsOf(new Set(names), tried) });
  };
  const { trial, refused } = await settle(jobs, attempt);
  return {
    kept: trial?.names.join(' ') ?? '',
    refused: refused.map(({ job, reason }) => `${name(job)} ${reason}`),
    trials,
  };
}

const all = jobs.map(name).join(' ');

it('keeps all when nothing goes wrong', async () => {
  expect(await settled(() => [])).toEqual({ kept: all, refused: [], trials: 1 });
});

it('gives up what a problem names', async () => {
  const left = (names: ReadonlySet<string>, tried: readonly Job[]) =>
    ['A2', 'A5']
      .filter((one) => names.has(one))
      .map((one) => ({ key: one, reason: 'is left', suspects: tried.filter((job) => name(job) === one) }));
  expect(await settled(left)).toEqual({
    kept: 'A0 A1 A3 A4 A6 A7 A8',
    refused: ['A2 is left', 'A5 is left'],
    trials: 2,
  });
});

it('finds who did it among many', async () => {
  const unreadable = (names: ReadonlySet<string>, tried: readonly Job[]) =>
    names.has('A4') || (names.has('A6') && names.has('A7')) ? [{ key: 'x', reason: 'breaks it', suspects: tried }] : [];
  const { kept, refused, trials } = await settled(unreadable);
  expect(kept).toBe('A0 A1 A2 A3 A5 A6 A8');
  expect(refused.sort()).toEqual(['A4 breaks it', 'A7 breaks it']);
  expect(trials).toBeLessThan(15);
});

it('takes the blame from the innocent', async () => {
  const caused = (names: ReadonlySet<string>, tried: readonly Job[]) =>
    names.has('A3')
      ? [
          {
            key: 'x',
            reason: 'causes it',
            suspects: names.has('A8') ? tried.filter((job) => name(job) === 'A8') : tried,
          },
        ]
      : [];
  expect(await settled(caused)).toMatchObject({ kept: 'A0 A1 A2 A4 A5 A6 A7 A8', refused: ['A3 causes it'] });
});

it('takes no blame for several who are likely to have done it', async () => {
  const caused = (names: ReadonlySet<string>, tried: readonly Job[]) =>
    names.has('A3')
      ? [{ key: 'x', reason: 'causes it', suspects: tried.filter((job) => ['A1', 'A8'].includes(name(job))) }]
      : [];
  const { kept, refused } = await settled(caused);
  expect({ kept, refused }).toEqual({ kept: 'A0 A1 A2 A4 A5 A6 A7 A8', refused: ['A3 causes it'] });
});

it('goes on where a rule shows the next finding', async () => {
  const next = (_: ReadonlySet<string>, tried: readonly Job[]): Problem[] => {
    const [first] = tried;
    if (first === undefined || first.steps.length === 3) return [];
    return [
      {
        key: 'x',
        reason: 'is left',
        suspects: [first],
        next: { ...first, steps: [...first.steps, { repairs: [], item: first.steps.length }] },
      },
    ];
  };
  expect(await settled(next)).toEqual({ kept: all, refused: [], trials: 3 });
});

it('comes to an end when nothing helps', async () => {
  const { kept, refused, trials } = await settled((_, tried) => [{ key: 'x', reason: 'always', suspects: tried }]);
  expect(kept).toBe('');
  expect(refused).toHaveLength(9);
  expect(trials).toBeLessThan(100);
});
