import { checkTemplates } from '../../lib/check';
import type { Repair } from '../../lib/engine';
import { planJobs, type Job } from '../../lib/fixes/jobs';
import { repairTexts } from '../../lib/fixes/repairs';
import { cpuTime } from '../cpu-time';
import { share } from '../share';

const PRESERVE: Repair = { kind: 'set', field: 'preserveOnDelete', to: true };
const MODE: Repair = { kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' };

const addon = (id: string, properties: string) =>
  `  ${id}:\n    Type: AWS::EKS::Addon\n    Properties: { ClusterName: a, AddonName: ${properties} }\n`;
const template = (...resources: string[]) => `Resources:\n${resources.join('')}`;

/** A job for each add-on of a template, with other steps than it was planned with. */
function jobsOf(text: string, ...steps: (readonly (readonly Repair[])[])[]): Job[] {
  const { jobs } = planJobs(
    checkTemplates([{ file: 'a.yaml', text }]).findings.filter(({ rule }) => rule === 'addon-preserve-on-delete'),
  );
  return jobs.map((job, index) => ({
    ...job,
    path: 'a.yaml',
    steps: (steps[index] ?? [[PRESERVE]]).map((repairs) => ({ repairs, item: undefined })),
  }));
}

function repaired(text: string, ...steps: (readonly (readonly Repair[])[])[]) {
  const { files, refused } = repairTexts(jobsOf(text, ...steps), () => ({ text }));
  return {
    after: files[0]?.after,
    done: files.flatMap(({ jobs }) => jobs.map(({ findings }) => findings[0].resource.id)),
    refused: refused.map(({ job, reason }) => `${job.findings[0].resource.id}: ${reason}`),
  };
}

const KEPT = template(addon('A', 'coredns'), addon('B', 'coredns, ResolveConflicts: overwrite'));
const REFUSED =
  '`ResolveConflicts` is also for the creation of the add-on, where only OVERWRITE takes over a copy that differs';

it('makes all repairs of a step, or none', () => {
  expect(repaired(KEPT, [[PRESERVE, MODE]], [[PRESERVE, MODE]])).toEqual({
    after: template(
      addon('A', 'coredns, PreserveOnDelete: true, ResolveConflicts: PRESERVE'),
      addon('B', 'coredns, ResolveConflicts: overwrite'),
    ),
    done: ['A'],
    refused: [`B: ${REFUSED}`],
  });
});

it('makes all steps of a job, or none', () => {
  expect(repaired(KEPT, [[PRESERVE], [MODE]], [[PRESERVE], [MODE]])).toEqual({
    after: template(
      addon('A', 'coredns, PreserveOnDelete: true, ResolveConflicts: PRESERVE'),
      addon('B', 'coredns, ResolveConflicts: overwrite'),
    ),
    done: ['A'],
    refused: [`B: ${REFUSED}`],
  });
});

it('changes lines in brackets that are indented less than what holds them', () => {
  const text = template(
    '  A:\n    Type: AWS::EKS::Addon\n    Properties: {\n  ClusterName: a,\n  AddonName: coredns\n    }\n',
  );
  expect(repaired(text)).toEqual({
    after: text.replace('coredns', 'coredns,\n  PreserveOnDelete: true'),
    done: ['A'],
    refused: [],
  });
});

it('tells what changes nothing', () => {
  const text = template(addon('A', 'coredns, PreserveOnDelete: false'));
  expect(repaired(text, [[{ ...PRESERVE, unlessSet: true }]])).toEqual({
    after: undefined,
    done: [],
    refused: ['A: nothing in the file would change'],
  });
});

it('tells why a text is not there, or can not be edited', () => {
  const jobs = jobsOf(KEPT);
  const reasons = (source: { text: string } | { problem: string }) => {
    const { files, refused } = repairTexts(jobs, () => source);
    expect(files).toEqual([]);
    return refused.map(({ reason }) => reason);
  };
  expect(reasons({ problem: 'gone' })).toEqual(['gone', 'gone']);
  expect(reasons({ text: 'Resources: {' })).toEqual([
    'the file has defects that come first',
    'the file has defects that come first',
  ]);
  expect(reasons({ text: 'Resources: {}' })).toEqual([
    "A isn't written as a resource of its own",
    "B isn't written as a resource of its own",
  ]);
});

it('asks for each file once, and leaves the others out', () => {
  const [a, b] = jobsOf(KEPT) as [Job, Job];
  const asked: string[] = [];
  const { files } = repairTexts([a, { ...b, path: 'b.yaml' }, a], (path) => {
    asked.push(path);
    return { text: KEPT };
  });
  expect(asked).toEqual(['a.yaml', 'b.yaml']);
  expect(files.map(({ path, jobs }) => [path, jobs.length])).toEqual([
    ['a.yaml', 2],
    ['b.yaml', 1],
  ]);
});

describe('node groups that get launch templates', () => {
  const group = (id: string, ...more: string[]) =>
    [
      `  ${id}:`,
      '    Type: AWS::EKS::Nodegroup',
      '    Properties:',
      '      ClusterName: c',
      '      NodeRole: arn:aws:iam::111122223333:role/nodes',
      '      Subnets: [subnet-1]',
      '      AmiType: AL2023_x86_64_STANDARD',
      ...more,
      '',
    ].join('\n');
  const inJson = (ids: readonly string[]) => {
    const properties = {
      ClusterName: 'c',
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-1'],
      AmiType: 'AL2023_x86_64_STANDARD',
    };
    return Object.fromEntries(
      ids.map((id, index) => [
        id,
        { Type: 'AWS::EKS::Nodegroup', Properties: { ...properties, ...(index === 1 ? { DiskSize: 30 } : {}) } },
      ]),
    );
  };
  const jobsIn = (file: string, text: string) =>
    planJobs(checkTemplates([{ file, text }]).findings, ({ rule }) => rule === 'imds-hop-limit', {
      isUnsafe: true,
    }).jobs;
  /** What each makes of the text that the one before it made. */
  const inTurn = (jobs: readonly Job[], text: string) =>
    jobs.reduce((before, job) => repairTexts([job], () => ({ text: before })).files[0]?.after ?? '', text);
  const disk = '      DiskSize: 30';
  const resources = inJson(['A', 'B', 'C', 'D']);

  it.each([
    ['a.yaml', template(group('A'), group('B', disk, '      Version: "1.33"'), group('C', disk), group('D'))],
    ['a.yaml', template(group('A'), group('B'), group('C', '      # the last'))],
    ['a.yaml', `${template(group('A'), group('B'), group('C', disk))}Outputs: {}\n`],
    ['a.yaml', template(group('A'), group('B'), group('"C"')).replaceAll('\n', '\r\n')],
    ['a.yaml', template(group('0A'), group('1B'), group('C'))],
    ['a.yaml', `Resources: ${JSON.stringify(resources)}\n`],
    ['a.json', JSON.stringify({ Resources: resources })],
    ['a.json', JSON.stringify({ Resources: resources }, undefined, 2)],
    ['a.json', JSON.stringify({ Resources: resources }, undefined, 2).replace(/\n {2}\}\n\}$/, '  \n  }\n}')],
  ])('are written as if each came alone: %s %j', (file, text) => {
    const jobs = jobsIn(file, text);
    expect(jobs.length).toBeGreaterThan(2);
    const { files, refused } = repairTexts(jobs, () => ({ text }));
    expect(refused).toEqual([]);
    expect(files[0]?.after).toBe(inTurn(jobs, text));
  });

  it('get one each, where two could have one of the same name', () => {
    const text = template(group('G'), group('GLaunch'), group('C'), '  GTemplate: { Type: AWS::SNS::Topic }\n');
    const after = repairTexts(jobsIn('a.yaml', text), () => ({ text })).files[0]?.after ?? '';
    expect(after.match(/(?<=!Ref )\w+/g)).toEqual(['GLaunchTemplate', 'GLaunchLaunchTemplate', 'CTemplate']);
  });

  it.each(
    share([
      ['a.yaml', template(...Array.from({ length: 300 }, (_, index) => group(`G${index}`)))],
      [
        'a.json',
        JSON.stringify({ Resources: inJson(Array.from({ length: 700 }, (_, index) => `G${index}`)) }, undefined, 1),
      ],
    ]),
  )('cost time that grows with their number: %s', (file, text) => {
    const jobs = jobsIn(file, text);
    const elapsed = cpuTime();
    const { files } = repairTexts(jobs, () => ({ text }));
    expect(files[0]?.jobs).toHaveLength(jobs.length);
    expect(elapsed()).toBeLessThan(6000);
  });
});
