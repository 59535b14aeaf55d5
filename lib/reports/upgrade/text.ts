import { resourceName } from '../../eks';
import type { ClusterPlan, Task, UpgradePlans, UpgradeStep } from '../../upgrade/plan';
import { printable, printableLine, wrap } from '../prose';
import { ansiStyle, plainStyle, type Style } from '../style';
import { knowledgeNotes, position } from '../summary';
import {
  ADDON_HEAD,
  addonRow,
  byPhase,
  PHASE_TITLES,
  stepTitle,
  sumOf,
  supportOfStep,
  titleOf,
  unreadOf,
} from './words';

/** How the text comes out. */
export interface PlanTerminal {
  readonly colour: boolean;
  readonly width: number;
}

/** Plans for people, as text. */
export function* upgradeText(plans: UpgradePlans, terminal: PlanTerminal): Iterable<string> {
  const writer = new Writer(terminal, plans.asOf);
  for (const plan of plans.plans) yield* writer.plan(plan);
  yield* writer.unread(plans);
  for (const note of knowledgeNotes(plans)) yield `${writer.style.dim(note)}\n`;
}

class Writer {
  readonly style: Style;

  constructor(
    private readonly terminal: PlanTerminal,
    private readonly asOf: string,
  ) {
    this.style = terminal.colour ? ansiStyle : plainStyle;
  }

  *unread(plans: UpgradePlans): Iterable<string> {
    const unread = unreadOf(plans);
    if (unread.length === 0) return;
    yield `${this.style.bold('Not everything was read')}\n`;
    for (const diagnostic of unread)
      yield* this.hanging(`${diagnostic.severity}: ${position(diagnostic)} ${diagnostic.message}`, '  ', '    ');
    yield '\n';
  }

  *plan(plan: ClusterPlan): Iterable<string> {
    const { bold, dim } = this.style;
    const { resource, from, fromNote, reason, staying, preparations, steps, unseen } = plan;
    const place = resource === undefined ? '' : `  ${dim(position(resource.source.locate()))}`;
    yield `${bold(printableLine(titleOf(plan)))}${place}\n`;
    yield `  ${dim(`planned for ${this.asOf}${fromNote === undefined ? '' : `; ${from ?? 'its version'} ${fromNote.startsWith('as ') ? fromNote : `is the ${fromNote}`}`}`)}\n\n`;
    if (reason !== undefined) yield* this.hanging(`${capital(reason.text)}.`, '  ', '  ');
    for (const sentence of staying) yield* this.hanging(sentence, '  ', '  ');
    yield '\n';
    if (reason !== undefined) return;
    if (preparations.length > 0) {
      yield `${bold('Before the first step')}\n\n`;
      for (const task of preparations) yield* this.task(task);
    }
    for (const [index, step] of steps.entries()) yield* this.step(step, stepTitle(step, index, plan));
    yield `${bold("What this plan can't see")}\n\n`;
    for (const sentence of unseen) yield* this.hanging(`- ${sentence}`, '  ', '    ');
    yield '\n';
    yield* this.hanging(sumOf(plan), '', '');
    yield '\n';
  }

  private *step(step: UpgradeStep, title: string): Iterable<string> {
    const { bold, dim } = this.style;
    yield `${bold(title)}  ${dim(supportOfStep(step))}\n\n`;
    yield* this.addons(step);
    for (const [phase, tasks] of byPhase(step.tasks)) {
      yield `  ${bold(PHASE_TITLES[phase])}\n`;
      for (const task of tasks) yield* this.task(task);
    }
    if (step.unseen.length === 0) return;
    yield `  ${bold("Can't be told")}\n`;
    for (const sentence of step.unseen) yield* this.hanging(`- ${sentence}`, '  ', '    ');
    yield '\n';
  }

  private *addons({ addons }: UpgradeStep): Iterable<string> {
    if (addons.length === 0) return;
    const rows = [ADDON_HEAD, ...addons.map(addonRow)].map((row) => row.map(printableLine));
    const widths = ADDON_HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const [index, row] of rows.entries()) {
      const line = row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd();
      yield `  ${index === 0 ? this.style.dim(line) : line}\n`;
    }
    yield '\n';
  }

  private *task({ level, text, fix, code, resource, source, rule }: Task): Iterable<string> {
    const { red, yellow, dim, green } = this.style;
    const paint = level === 'must' ? red : level === 'should' ? yellow : dim;
    yield* this.hanging(text, `  ${paint(level)}${' '.repeat(8 - level.length)}`, INDENT);
    if (fix !== undefined) yield* this.hanging(printableLine(fix), `${INDENT}${green('do')}  `, `${INDENT}    `);
    if (code !== undefined) {
      for (const line of code.text.trimEnd().split('\n')) yield `${INDENT}    ${printable(line)}\n`;
    }
    const place = source?.locate() ?? resource?.source.locate();
    const names = [
      ...(rule === undefined ? [] : [rule.id]),
      ...(place === undefined || place.file === '' ? [] : [position(place)]),
      ...(resource === undefined || text.includes(resourceName(resource))
        ? []
        : [printableLine(resourceName(resource))]),
    ];
    if (names.length > 0) yield `${INDENT}${dim(names.join('  '))}\n`;
    yield '\n';
  }

  *hanging(text: string, first: string, rest: string): Iterable<string> {
    const lines = wrap(printableLine(text), this.terminal.width - rest.length);
    for (const [index, line] of lines.entries()) yield `${index === 0 ? first : rest}${line}\n`;
  }
}

/** Under the text of a task. */
const INDENT = ' '.repeat(10);

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
