import { checkAssuming } from '../../lib/check';
import { PLAN_FORMATS, type PlanFormat } from '../../lib/reports/upgrade';
import type { JsonUpgrade } from '../../lib/reports/upgrade/json';
import { sumOf } from '../../lib/reports/upgrade/words';
import type { ClusterPlan, Phase, Task } from '../../lib/upgrade/plan';
import { planUpgrades } from '../../lib/upgrade/planner';
import { workspace } from '../cli/workspace';
import { AL2 } from '../upgrade/known-clusters';
import { readXml } from './xml';

const CONTEXT = { version: '0.0.0', colour: false, width: 80 };

const NAME = '<script>alert(1)</script>';
const folder = workspace(AL2.files);
const hostile = workspace(
  Object.fromEntries(
    Object.entries(AL2.files).map(([file, text]) => [file, text.replace('Name: main', `Name: '${NAME}'`)]),
  ),
);

function plansOf(place: string) {
  const request = { to: '1.34', asOf: '2026-11-26' };
  return planUpgrades((whatIf) => checkAssuming([place], whatIf, { asOf: request.asOf }), request);
}

function rendered(format: PlanFormat, place = folder): string {
  return [...PLAN_FORMATS[format](plansOf(place), CONTEXT)].join('');
}

describe('the plan of an upgrade', () => {
  it('says the same tasks in all formats', () => {
    const report = JSON.parse(rendered('json')) as JsonUpgrade;
    const [cluster] = report.clusters;
    expect(cluster?.steps.map(({ to }) => to)).toEqual(['1.32', '1.33', '1.34']);
    const tasks = [...(cluster?.preparations ?? []), ...(cluster?.steps.flatMap((step) => step.tasks) ?? [])];
    expect(tasks.length).toBeGreaterThan(10);
    // Whatever is around the words: breaks of lines, quotes and what each format writes code with.
    const words = (text: string) => text.replaceAll(/<[^>]*>|&[#\w]+;/g, '').replaceAll(/\W/g, '');
    for (const format of ['text', 'markdown', 'html'] as const) {
      const text = words(rendered(format));
      expect(tasks.filter((task) => !text.includes(words(task.text))).map((task) => task.text)).toEqual([]);
    }
  });

  it('is a page of well-formed markup, in which nothing of the input is markup', () => {
    const page = rendered('html', hostile);
    expect(page).not.toContain('<script');
    const root = readXml(page.replace('<!doctype html>', '<?xml version="1.0" encoding="UTF-8"?>'));
    expect(root.name).toBe('html');
    expect(rendered('markdown', hostile)).not.toContain(NAME);
  });

  it('keeps the NodeConfig as a block of its own in Markdown', () => {
    expect(rendered('markdown')).toMatch(/\n\n {2}```yaml\n {2}apiVersion: "node.eks.aws\/v1alpha1"\n[^]*\n {2}```\n/);
  });

  it('sums up by level what there is to do besides the control plane', () => {
    const [plan] = plansOf(folder).plans;
    const task = (phase: Phase, level: Task['level']): Task => ({
      phase,
      level,
      text: '',
      resource: undefined,
      source: undefined,
    });
    const tasks = [
      task('control-plane', 'must'),
      task('nodes', 'must'),
      task('add-ons', 'should'),
      task('nodes', 'should'),
      task('nodes', 'note'),
    ];
    const steps = plan?.steps.slice(0, 1).map((step) => ({ ...step, tasks })) ?? [];
    const sum = (others: ClusterPlan['others']) =>
      plan === undefined ? '' : sumOf({ ...plan, preparations: [task('before', 'should')], steps, others });
    const start = '1 step; besides the control plane 1 task that must be done, and 3 that should.';
    expect(sum({ errors: 0, warnings: 0 })).toBe(start);
    expect(sum({ errors: 1, warnings: 0 })).toMatch(
      /should\. Of today's input, check tells 1 error and 0 warnings more,/,
    );
  });

  it('puts colours around levels only where they are wanted', () => {
    const plans = plansOf(folder);
    expect([...PLAN_FORMATS.text(plans, { ...CONTEXT, colour: true })].join('')).toContain('\u001b[31mmust\u001b[39m');
    expect([...PLAN_FORMATS.text(plans, CONTEXT)].join('')).not.toContain('\u001b');
  });
});
