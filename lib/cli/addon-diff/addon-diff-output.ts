import type { Diagnostic } from '../../engine';
import type { AddonEffect } from '../../knowledge';
import type { AddonDiff, LiveEnvironment, SettingEffect, SettingStatus } from '../../eks/networking';
import { EFFECT_TIMES, effectText } from '../../reports/effects';
import { count, printable, printableLine, wrap } from '../../reports/prose';
import { ansiStyle, plainStyle, type Paint, type Style } from '../../reports/style';
import { jsonText } from '../../text/json-text';
import type { DataMap } from '../../value';
import { packageVersion } from '../../version';
import type { Read } from './addon-diff-input';
import type { Terminal } from '../output/terminal';

/** What `addon-diff` has found out. */
export interface AddonDiffReport {
  readonly addon: string;
  readonly diff: AddonDiff;
  readonly configuration: NamedRead<DataMap> | undefined;
  readonly live: NamedRead<LiveEnvironment> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

type NamedRead<T> = Read<T> & { readonly name: string };

const STATUS_NAMES: Readonly<Record<SettingStatus, string>> = {
  reset: 'reset',
  fails: 'may fail',
  refused: 'refused',
  unknown: 'unknown',
  changed: 'changed',
  kept: 'kept',
};

/** What needs a decision comes first. */
const ORDER: readonly SettingStatus[] = ['refused', 'reset', 'fails', 'unknown', 'changed', 'kept'];

/** The result for people. */
export function* addonDiffText(
  report: AddonDiffReport,
  terminal: Terminal & { readonly verbose: boolean },
): Iterable<string> {
  const style = terminal.colour ? ansiStyle : plainStyle;
  const { addon, diff, diagnostics } = report;
  yield `${style.bold(`${addon} ${diff.from} → ${diff.to}`)}  ${style.dim(`conflict mode ${diff.mode}, schemas of ${diff.asOf}`)}\n\n`;
  yield* schemaLines(diff, style, terminal);
  yield* effectLines(report, style, terminal);
  if (diff.pin !== undefined) {
    yield `${style.bold('Configuration values to pin, which keep these settings in every mode')}\n`;
    for (const line of JSON.stringify(diff.pin, undefined, 2).split('\n')) yield `  ${printable(line)}\n`;
    yield '\n';
  }
  for (const { severity, file, line, column, message } of diagnostics)
    yield* hanging(`${severity}: ${file}:${line}:${column}: ${message}`, '', '  ', terminal.width);
  for (const note of diff.notes) yield* hanging(`note: ${note}`, '', '  ', terminal.width);
}

function* schemaLines(
  { added, removed, hasDefaults, changed }: AddonDiff,
  style: Style,
  { verbose }: { readonly verbose: boolean },
): Iterable<string> {
  // A block says nothing that its keys don't say. What goes comes first, so that it is never among the rows that are left out.
  const rows = [
    ...removed
      .filter(({ isBlock }) => !isBlock)
      .map(({ path }) => ({ sign: style.red('-'), path, text: 'refused in the configuration values' })),
    ...added
      .filter(({ isBlock }) => !isBlock)
      .map(({ path, default: value, defaultFrom, rendered }) => ({
        sign: style.green('+'),
        path,
        text: defaultText(value, defaultFrom, rendered),
      })),
    ...changed.map(({ path, from, to, rendered, defaultFrom }) => ({
      sign: style.yellow('~'),
      path,
      text: `${valueText(from)} → ${valueText(to)}${ownerText(defaultFrom, rendered)}`,
    })),
  ];
  const [plus, minus, other] = [added, removed]
    .map((keys) => keys.filter(({ isBlock }) => !isBlock).length)
    .concat(changed.length);
  const defaults = hasDefaults ? `, ${count(other ?? 0, 'default')} changed` : '';
  yield `${style.bold('Keys of the configuration values')}  ${style.dim(`${plus ?? 0} added, ${minus ?? 0} removed${defaults}`)}\n`;
  const width = Math.max(0, ...rows.map(({ path }) => path.length));
  const shown = verbose ? rows : rows.slice(0, MOST_ROWS);
  for (const { sign, path, text } of shown)
    yield `${`  ${sign} ${text === '' ? path : path.padEnd(width)}  ${style.dim(text)}`.trimEnd()}\n`;
  if (rows.length > shown.length) yield `  ${style.dim(`… ${rows.length - shown.length} more with --verbose`)}\n`;
  yield '\n';
}

/** Updates over many versions change more keys than anybody reads. */
const MOST_ROWS = 40;

function defaultText(value: unknown, from: string | undefined, rendered: boolean): string {
  if (value === undefined) return '';
  return `default: ${value === null || value === '' ? 'none' : valueText(value)}${ownerText(from, rendered)}`;
}

function ownerText(from: string | undefined, rendered: boolean): string {
  if (rendered) return ', which EKS writes';
  return from === 'chart' ? ' (of the Helm chart)' : '';
}

function valueText(value: unknown): string {
  // Some defaults are descriptions, with blanks or angle brackets: they are printed as prose, without quotes.
  if (typeof value === 'string' && /[ <]/.test(value)) return value.replaceAll(/[<>]/g, '');
  return value === undefined ? 'none' : JSON.stringify(value);
}

function* effectLines(
  { diff, configuration, live }: AddonDiffReport,
  style: Style,
  { width, verbose }: Terminal & { readonly verbose: boolean },
): Iterable<string> {
  if (diff.effects.length === 0) return;
  const from = [live?.name, configuration?.name]
    .filter((name) => name !== undefined)
    .map(printableLine)
    .join(' and ');
  yield `${style.bold('What the update does to the settings')}  ${style.dim(`in ${from}`)}\n`;
  const kept = diff.effects.filter(({ status }) => status === 'kept');
  for (const effect of ordered(verbose ? diff.effects : diff.effects.filter(({ status }) => status !== 'kept'))) {
    const paint = paintOf(effect.status, style);
    const name = STATUS_NAMES[effect.status];
    const values = valuesText(effect);
    yield `  ${paint(name)}${' '.repeat(9 - name.length)}${printableLine(effect.path)}${values === '' ? '' : `  ${printableLine(values)}`}\n`;
    const place = placeOf(effect.path, effect.status === 'refused' ? configuration : undefined);
    yield* hanging(
      `${place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `}${effect.reason}`,
      '           ',
      '           ',
      width,
    );
    const bites = bitesText(effect);
    if (bites !== undefined) yield* hanging(bites, '           ', '           ', width);
  }
  if (kept.length > 0 && !verbose)
    yield `  ${style.green('kept')}     ${count(kept.length, 'setting')}  ${style.dim('(list: --verbose)')}\n`;
  yield '\n';
}

function ordered(effects: readonly SettingEffect[]): SettingEffect[] {
  return [...effects].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
}

function paintOf(status: SettingStatus, { red, yellow, green, cyan }: Style): Paint {
  const paints: Readonly<Record<SettingStatus, Paint>> = {
    refused: red,
    reset: red,
    fails: red,
    unknown: yellow,
    changed: cyan,
    kept: green,
  };
  return paints[status];
}

function valuesText({ live, configured, becomes, status }: SettingEffect): string {
  const before = live ?? (status === 'refused' ? configured : undefined);
  if (becomes !== undefined && becomes !== before)
    return `${before === undefined ? 'not set' : JSON.stringify(before)} → ${JSON.stringify(becomes)}`;
  if (live !== undefined && configured !== undefined && live !== configured)
    return `${JSON.stringify(live)}, configured as ${JSON.stringify(configured)}`;
  return before === undefined ? '' : JSON.stringify(before);
}

function bitesText({ status, bites }: SettingEffect): string | undefined {
  return status === 'reset' || status === 'changed' ? effectText(bites) : undefined;
}

function* hanging(text: string, first: string, rest: string, width: number): Iterable<string> {
  for (const [index, line] of wrap(printableLine(text), width - rest.length).entries())
    yield `${index === 0 ? first : rest}${line}\n`;
}

/** The result for programs. What doesn't exist or isn't known is `null`. */
export function addonDiffJson({ addon, diff, configuration, live, diagnostics }: AddonDiffReport): string {
  const { from, to, mode, asOf, added, removed, changed, effects, pin, notes } = diff;
  const keys = (list: AddonDiff['added']) =>
    list.map((key) => ({
      path: key.path,
      default: key.default ?? null,
      defaultFrom: key.defaultFrom ?? null,
      rendered: key.rendered,
      block: key.isBlock,
    }));
  const report = {
    version: packageVersion(),
    addon,
    from,
    to,
    mode,
    asOf,
    added: keys(added),
    removed: keys(removed),
    changed: changed.map((change) => ({
      path: change.path,
      from: change.from ?? null,
      to: change.to ?? null,
      defaultFrom: change.defaultFrom ?? null,
      rendered: change.rendered,
    })),
    effects: effects.map((effect) => ({
      path: effect.path,
      status: effect.status,
      live: effect.live ?? null,
      configured: effect.configured ?? null,
      becomes: effect.becomes ?? null,
      reason: effect.reason,
      bites: effect.bites === undefined ? null : describeBite(effect.bites),
      places: [placeOf(effect.path, configuration), placeOf(effect.path, live)].filter((place) => place !== undefined),
    })),
    pin: pin ?? null,
    notes,
    diagnostics,
  };
  return `${jsonText(report, 2)}\n`;
}

function describeBite({ when, scope, effect, source }: AddonEffect): object {
  return {
    when,
    text: EFFECT_TIMES[when],
    scope: scope ?? null,
    effect: effect ?? null,
    source: {
      repository: source.repository ?? null,
      path: source.path ?? null,
      commit: source.commit ?? null,
      page: source.page ?? null,
    },
  };
}

function placeOf(
  path: string,
  read: NamedRead<unknown> | undefined,
): { file: string; line: number; column: number } | undefined {
  const at = read?.place(path);
  return read === undefined || at === undefined ? undefined : { file: read.name, line: at.line, column: at.column };
}
