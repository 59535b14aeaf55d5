import type { Diagnostic } from '../../engine';
import { resourceName } from '../../eks';
import { capitalized } from '../../text/in-words';
import type { ClusterPlan, Task, UpgradePlans } from '../../upgrade/plan';
import { printable, printableLine, wrap } from '../prose';
import { ansiStyle, plainStyle, type Style } from '../style';
import { position } from '../summary';
import { writePlans, type HeadingLevel, type PlanWriter } from './frame';
import { ADDON_HEAD, titleOf } from './words';

/** How the text comes out. */
export interface PlanTerminal {
  readonly colour: boolean;
  readonly width: number;
}

/** Plans for people, as text. */
export function upgradeText(plans: UpgradePlans, terminal: PlanTerminal): Iterable<string> {
  return writePlans(plans, new Writer(terminal));
}

class Writer implements PlanWriter<string> {
  private readonly style: Style;

  constructor(private readonly terminal: PlanTerminal) {
    this.style = terminal.colour ? ansiStyle : plainStyle;
  }

  *opening(plan: ClusterPlan, asOf: string): Iterable<string> {
    const { bold, dim } = this.style;
    const { resource, from, fromNote, reason, staying } = plan;
    const place = resource === undefined ? '' : `  ${dim(position(resource.source.locate()))}`;
    yield `${bold(printableLine(titleOf(plan)))}${place}\n`;
    yield `  ${dim(`planned for ${asOf}${fromNote === undefined ? '' : `; ${from ?? 'its version'} ${originOf(fromNote)}`}`)}\n\n`;
    if (reason !== undefined) yield* this.hanging(`${capitalized(reason.text)}.`, '  ', '  ');
    for (const sentence of staying) yield* this.hanging(sentence, '  ', '  ');
    yield '\n';
  }

  *heading(level: HeadingLevel, title: string, detail?: string): Iterable<string> {
    const { bold, dim } = this.style;
    const beside = detail === undefined ? '' : `  ${dim(detail)}`;
    yield level === 'phase' ? `  ${bold(title)}\n` : `${bold(title)}${beside}\n\n`;
  }

  *tasks(tasks: readonly Task[]): Iterable<string> {
    for (const task of tasks) yield* this.task(task);
  }

  *addons(given: readonly (readonly string[])[]): Iterable<string> {
    const rows = [ADDON_HEAD, ...given].map((row) => row.map(printableLine));
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

  *list(sentences: readonly string[]): Iterable<string> {
    for (const sentence of sentences) yield* this.hanging(`- ${sentence}`, '  ', '    ');
    yield '\n';
  }

  *sum(sentence: string): Iterable<string> {
    yield* this.hanging(sentence, '', '');
    yield '\n';
  }

  closing(): Iterable<string> {
    return [];
  }

  *unread(title: string, diagnostics: readonly Diagnostic[]): Iterable<string> {
    yield `${this.style.bold(title)}\n`;
    for (const diagnostic of diagnostics)
      yield* this.hanging(`${diagnostic.severity}: ${position(diagnostic)} ${diagnostic.message}`, '  ', '    ');
    yield '\n';
  }

  note(text: string): Iterable<string> {
    return [`${this.style.dim(text)}\n`];
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

  private *hanging(text: string, first: string, rest: string): Iterable<string> {
    const lines = wrap(printableLine(text), this.terminal.width - rest.length);
    for (const [index, line] of lines.entries()) yield `${index === 0 ? first : rest}${line}\n`;
  }
}

/** Under the text of a task. */
const INDENT = ' '.repeat(10);

/** What tells where the present version is from: a phrase such as `as --from says`, what it is (`default of variable x`), or the file that says it. */
function originOf(note: string): string {
  if (note.startsWith('as ')) return note;
  return /\.[A-Za-z]\w*$/.test(note) ? `comes from ${note}` : `is the ${note}`;
}
