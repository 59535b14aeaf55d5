import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAssuming } from '../../lib/check';
import { planUpgrades, type UpgradeRequest } from '../../lib/upgrade/planner';
import type { Task, UpgradePlans } from '../../lib/upgrade/plan';
import { workspace } from '../cli/workspace';
import { TEMPLATES } from './known-clusters';
import { OTHER_INPUTS } from './other-inputs';
import { LOOKED_UP } from './looked-up-inputs';
import { QUIET_INPUTS } from './quiet-inputs';

interface Planned {
  readonly plans: UpgradePlans;
  readonly folder: string;
}

function planned(files: Readonly<Record<string, string>>, request: UpgradeRequest): Planned {
  const folder = workspace(files);
  const check = { asOf: request.asOf };
  return {
    folder,
    plans: planUpgrades((whatIf) => checkAssuming([folder], whatIf, check), request),
  };
}

describe.each(
  [...TEMPLATES, ...OTHER_INPUTS, ...QUIET_INPUTS, ...LOOKED_UP].map((cluster) => [cluster.title, cluster] as const),
)('the plan of %s', (_, cluster) => {
  const { files, to, from, asOf, tasks, staying, unseen, never = [] } = cluster;
  const { plans } = planned(files, { to, from, asOf });
  const [plan] = plans.plans;
  const all = [
    ...(plan?.preparations ?? []).map((task) => ({ step: 'before', task })),
    ...(plan?.steps ?? []).flatMap((step) => step.tasks.map((task) => ({ step: step.to, task }))),
  ];
  const tell = ({ step, task }: { step: string; task: Task }) => {
    const place = task.source?.locate();
    return `${step} ${task.phase} ${task.level} [${place?.line ?? ''}] ${task.text}`;
  };

  it.each(tasks.map((task) => [`${task.step} ${task.phase} ${task.level} ${String(task.says)}`, task] as const))(
    'says %s',
    (__, { step, phase, level, says, does, at }) => {
      const found = all.filter(
        ({ step: of, task }) => of === step && task.phase === phase && task.level === level && says.test(task.text),
      );
      if (found.length !== 1) throw new Error(`${found.length} tasks fit; there are\n${all.map(tell).join('\n')}`);
      if (does !== undefined) expect(`${found[0]?.task.fix ?? ''}\n${found[0]?.task.code?.text ?? ''}`).toMatch(does);
      if (at === undefined) return;
      const { file = '', line = 0 } = found[0]?.task.source?.locate() ?? {};
      expect(readFileSync(join(file), 'utf8').split('\n')[line - 1]).toContain(at);
    },
  );

  it('says of nothing else that it must be done', () => {
    const others = all.filter(
      ({ step, task }) =>
        task.level === 'must' &&
        !tasks.some(
          (one) => one.step === step && one.phase === task.phase && one.level === 'must' && one.says.test(task.text),
        ),
    );
    expect(others.map(tell)).toEqual([]);
  });

  it('says what it cannot see, and nothing that it must not say', () => {
    for (const expected of unseen) expect(plan?.unseen.join('\n')).toMatch(expected);
    for (const wrong of never) expect(all.map(tell).join('\n')).not.toMatch(wrong);
    if (staying !== undefined)
      expect(plan?.staying.map((sentence, index) => staying[index]?.test(sentence) === true || sentence)).toEqual(
        staying.map(() => true),
      );
  });
});

describe('an input with a module that nothing calls', () => {
  const { to = '', asOf = '', files = {} } = QUIET_INPUTS.at(-1) ?? {};
  const both = planned(files, { to, asOf }).plans;
  const alone = planned({ 'modules/eks/main.tf': files['modules/eks/main.tf'] ?? '' }, { to, asOf }).plans;

  it('gets no plan for it, and is told why', () => {
    expect(both.plans.map(({ cluster }) => cluster)).toEqual(['live']);
    expect(both.diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', expect.stringMatching(/^no plan for the cluster of \S*modules.eks: .* variable name has no default/)],
    ]);
  });

  it('gets one if it is all that there is', () => {
    expect(alone.plans.map(({ from }) => from)).toEqual(['1.32']);
  });
});
