import { always, EksModel, Known, nowhere, type LaunchTemplate, type NodeGroup, type When } from '../../lib/eks';
import { Settling } from '../../lib/engine/settling';
import type { Defect, Judgement, LaunchJudgement } from '../../lib/engine';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { decided } from '../value/conditions';

const { resources } = readTemplates([
  {
    file: 'template.yaml',
    text: `
Parameters: {Stage: {Type: String}}
Conditions: {IsProd: !Equals [!Ref Stage, prod]}
Resources:
  Cluster: {Type: AWS::EKS::Cluster, Condition: IsProd}
  Workers: {Type: AWS::EKS::Nodegroup, Properties: {ClusterName: !Ref Cluster}}
  Alone: {Type: AWS::EKS::Cluster}
`,
  },
]);
const model = new EksModel(resources);
const named = (id: string) => {
  const found = resources.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};
const [cluster, workers, alone] = [named('Cluster'), named('Workers'), named('Alone')];
const place = (line: number) => ({ locate: () => ({ file: 'a', line, column: 1 }) });
const said = (when: When | undefined, more: Partial<Judgement> = {}): Judgement => ({
  verdict: 'fail',
  message: 'bad',
  resource: alone,
  source: nowhere,
  ...(when === undefined ? {} : { when }),
  ...more,
});
const settled = (...judgements: readonly Judgement[]) => {
  const settling = new Settling(model);
  for (const judgement of judgements) settling.add(judgement);
  settling.settle();
  return settling.judgements.map(({ resource, when = always, source }) =>
    `${resource.id} ${source?.locate().line ?? 0} ${when.text}`.trim(),
  );
};
const [A, notA, B] = [decided({ A: true }), decided({ A: false }), decided({ B: true })];
const AandB = decided({ A: true, B: true });

describe('what a rule says of cases', () => {
  it('is said once, without the conditions that tell the cases apart', () => {
    expect(settled(said(A), said(notA))).toEqual(['Alone 1']);
    expect(settled(said(AandB), said(decided({ A: true, B: false })))).toEqual(['Alone 1 A is true']);
    expect(settled(said(A), said(decided({ A: false, B: true })))).toEqual([
      'Alone 1 A is true, or A is false and B is true',
    ]);
  });

  it('names the condition of some of them', () => {
    expect(settled(said(A), said(notA, { verdict: 'pass' }))).toEqual(['Alone 1 A is true']);
  });

  it('stays apart by what only the code of the fix tells, unless lines of the user stand in its place', () => {
    const whens = (...corrected: readonly Judgement['corrected'][]) => {
      const settling = new Settling(model, {
        bad: {
          text: 'It is {{what}}.',
          fix: { summary: 'Write it.', code: { cloudformation: '{{code}}' }, safety: 'safe' },
        },
      });
      settling.add(said(A, { data: { what: 'wrong', code: 'one' }, corrected: corrected[0] }));
      settling.add(said(notA, { data: { what: 'wrong', code: 'two' }, corrected: corrected.at(-1) }));
      settling.settle();
      return settling.judgements.map(({ when = always }) => when.text);
    };
    const lines = { file: 'a', first: 1, before: ['old'], after: ['new'] };
    expect(whens(undefined)).toEqual(['A is true', 'A is false']);
    expect(whens(lines)).toEqual(['']);
    expect(whens(lines, { ...lines, after: ['newer'] })).toEqual(['A is true', 'A is false']);
  });

  it('stays apart in other words, of other resources and about something else', () => {
    expect(settled(said(A), said(notA, { message: 'worse' }))).toHaveLength(2);
    expect(settled(said(A), said(notA, { severity: 'info' }))).toHaveLength(2);
    expect(settled(said(A), said(notA, { data: { name: 'x' } }))).toHaveLength(2);
    expect(settled(said(A), said(notA, { about: 'x' }))).toHaveLength(2);
    expect(settled(said(A), said(notA, { resource: workers }))).toHaveLength(2);
  });

  it('points at each place, or at the first one where all of them together leave nothing out', () => {
    expect(settled(said(A, { source: place(3) }), said(B, { source: place(4) }))).toEqual([
      'Alone 3 A is true',
      'Alone 4 B is true',
    ]);
    expect(settled(said(A, { source: place(3) }), said(notA, { source: place(4) }))).toEqual(['Alone 3']);
  });

  it('is not said again under a condition at a place of which it is said without one', () => {
    expect(settled(said(A), said(undefined))).toEqual(['Alone 1']);
    expect(settled(said(undefined), said(A, { source: place(4) }))).toEqual(['Alone 1', 'Alone 4 A is true']);
  });

  it('depends on no condition under which the resource exists, or its cluster', () => {
    const isProd = cluster.exists;
    expect(settled(said(isProd, { resource: cluster }))).toEqual(['Cluster 1']);
    expect(settled(said(isProd, { resource: workers }))).toEqual(['Workers 1']);
    expect(settled(said(isProd))).toEqual(['Alone 1 condition IsProd is true']);
  });

  it('is listed as it comes where there are more conditions than anybody reads', () => {
    const many = Array.from({ length: 17 }, (_, index) => said(decided({ [`C${index}`]: true })));
    expect(settled(...many)).toEqual([
      `Alone 1 ${Array.from({ length: 17 }, (_, index) => `C${index} is true`).join(', or ')}`,
    ]);
  });
});

describe('what a rule says of launches', () => {
  const template = {
    ...alone,
    source: nowhere,
    stack: '',
    exists: always,
    kind: 'launch-template',
    type: 'AWS::EC2::LaunchTemplate',
    id: 'Nodes',
  };
  const launchOf = (id: string, when: When = always, exists: When = always): LaunchJudgement['launch'] => {
    const nodeGroup = { ...workers, id, path: undefined, exists } as NodeGroup;
    const view = model.viewOf(workers as NodeGroup);
    return { nodeGroup, view, template: new Known(template as unknown as LaunchTemplate, place(id.length)), when };
  };
  const ofLaunch = (launch: LaunchJudgement['launch'], when: When, more: Partial<LaunchJudgement> = {}) => ({
    ...said(when, { resource: template, ...more }),
    launch,
  });
  const told = (...judgements: readonly LaunchJudgement[]) => {
    const settling = new Settling(model);
    for (const judgement of judgements) settling.add(judgement);
    settling.settle();
    return settling.judgements.map(({ data = {}, when = always, severity = '' }) =>
      [data['where'] ?? '', when.text, data['extra'] ?? '', severity].filter((text) => text !== '').join(' | '),
    );
  };
  const [blue, green] = [launchOf('Blue'), launchOf('Green')];

  it('is said once of all of them, which it names', () => {
    expect(told(ofLaunch(blue, always), ofLaunch(green, always))).toEqual([
      'Launch template "Nodes" of node groups "Blue" and "Green"',
    ]);
    expect(told(ofLaunch(blue, always, { resource: blue.nodeGroup }))).toEqual(['Node group "Blue"']);
    expect(told(ofLaunch(blue, always, { resource: { ...template, type: 'aws_launch_configuration' } }))).toEqual([
      'Launch configuration "Nodes" of node group "Blue"',
    ]);
  });

  it('depends on no condition that tells only its cases apart, nor on cases that cannot be', () => {
    expect(told(ofLaunch(blue, A), ofLaunch(blue, notA), ofLaunch(green, always))).toEqual([
      'Launch template "Nodes" of node groups "Blue" and "Green"',
    ]);
    const prod = launchOf('Prod', always, A);
    expect(told(ofLaunch(prod, notA), ofLaunch(prod, A, { message: 'worse' }))).toEqual([
      'Launch template "Nodes" of node group "Prod"',
    ]);
    expect(told(ofLaunch(blue, A), ofLaunch(green, always))).toEqual([
      'Launch template "Nodes" of node group "Blue" | A is true',
      'Launch template "Nodes" of node group "Green"',
    ]);
  });

  it('keeps the order of what else the rule says', () => {
    const settling = new Settling(model);
    settling.add(ofLaunch(blue, always));
    settling.add(said(undefined));
    settling.add(ofLaunch(green, always));
    settling.settle();
    expect(settling.judgements.map(({ resource }) => resource.id)).toEqual(['Nodes', 'Alone']);
  });

  it('is one defect at one place, at its highest severity, with what depends on all its launches', () => {
    const defect: Defect = { tell: (launches) => ({ data: { extra: `${launches.length}` } }) };
    expect(
      told(
        ofLaunch(blue, A, { severity: 'info', defect }),
        ofLaunch(blue, notA, { severity: 'warning', defect }),
        ofLaunch(green, B, { severity: 'warning', defect }),
      ),
    ).toEqual(['Launch template "Nodes" of node groups "Blue" and "Green" | A is false, or B is true | 2 | warning']);
    expect(
      told(
        ofLaunch(blue, always, { severity: 'info', defect }),
        ofLaunch(green, always, { severity: 'warning', defect, source: place(9) }),
      ),
    ).toHaveLength(2);
  });
});
