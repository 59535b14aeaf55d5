import { isActionable, type ClusterDrift, type DriftItem, type DriftReport } from '../../drift/drift';
import { printable, printableLine, wrap } from '../prose';
import { ansiStyle, plainStyle, type Paint, type Style } from '../style';
import { position } from '../summary';
import { bitesText, byPart, headline, partTitle, STATUS_NAMES, sumOf, valuesText } from './words';

export interface DriftTerminal {
  readonly width: number;
  readonly colour: boolean;
  /** Lists what is the same as well. */
  readonly verbose: boolean;
}

/** The result for people. */
export function* driftText({ clusters, diagnostics }: DriftReport, terminal: DriftTerminal): Iterable<string> {
  const style = terminal.colour ? ansiStyle : plainStyle;
  for (const cluster of clusters) yield* clusterText(cluster, terminal, style);
  for (const diagnostic of diagnostics)
    yield* hanging(`${diagnostic.severity}: ${position(diagnostic)} ${diagnostic.message}`, '', '  ', terminal.width);
}

function* clusterText(cluster: ClusterDrift, terminal: DriftTerminal, style: Style): Iterable<string> {
  const { items, pin, same, unseen } = cluster;
  yield `${style.bold(printableLine(headline(cluster)))}\n\n`;
  for (const part of byPart(items)) {
    yield `${style.bold(printableLine(partTitle(part)))}\n`;
    for (const item of part.items) yield* itemText(item, terminal, style);
    yield '\n';
  }
  if (pin !== undefined) {
    yield `${style.bold('Configuration values that keep what the cluster has, in every conflict mode')}\n`;
    for (const line of JSON.stringify(pin, undefined, 2).split('\n')) yield `  ${printable(line)}\n`;
    yield '\n';
  }
  if (terminal.verbose && same.length > 0) {
    yield `${style.bold('The same')}\n`;
    for (const one of same) yield `  ${printableLine(one)}\n`;
    yield '\n';
  }
  for (const sentence of unseen) yield* hanging(`note: ${sentence}`, '', '  ', terminal.width);
  if (unseen.length > 0) yield '\n';
  yield* hanging(sumOf(cluster), '', '  ', terminal.width);
  yield '\n';
}

const INDENT = ' '.repeat(15);

function* itemText(item: DriftItem, { width }: DriftTerminal, style: Style): Iterable<string> {
  const name = STATUS_NAMES[item.status];
  const what = [item.setting ?? '', valuesText(item)].filter((text) => text !== '').join('  ');
  const lines = wrap(printableLine(what), width - INDENT.length);
  const text = wrap(printableLine(item.text), width - INDENT.length);
  const [first = '', ...rest] = what === '' ? text : [...lines, ...text];
  yield `  ${paintOf(item, style)(name)}${' '.repeat(INDENT.length - 2 - name.length)}${first}\n`;
  for (const line of rest) yield `${INDENT}${line}\n`;
  const bites = bitesText(item);
  if (bites !== undefined) yield* hanging(bites, INDENT, INDENT, width);
  const places = [item.inCode, item.inLive]
    .flatMap((source) => source?.locate() ?? [])
    .filter(({ file }) => file !== '')
    .map(position);
  if (places.length > 0) yield `${INDENT}${style.dim([...new Set(places)].join('  '))}\n`;
}

function paintOf(item: DriftItem, { red, yellow, cyan }: Style): Paint {
  if (isActionable(item)) return red;
  return item.status === 'unknown' ? yellow : cyan;
}

function* hanging(text: string, first: string, rest: string, width: number): Iterable<string> {
  for (const [index, line] of wrap(printableLine(text), width - rest.length).entries())
    yield `${index === 0 ? first : rest}${line}\n`;
}
