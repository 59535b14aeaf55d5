import { Unknown, type Known, type Resource, type Value } from '../value';
import type { DriftItem, DriftStatus, DriftSubject } from './drift';
import { deploymentOf, looksAtCluster, plainOf } from './values';

/** Two resources that are the same one, in the code and in the cluster. */
export interface Pair<R extends Resource> {
  readonly code: R;
  readonly live: R;
}

/** A setting that both have. */
export interface ComparedSetting<R extends Resource> {
  /** As people call it: "AMI type". */
  readonly name: string;
  readonly of: (resource: R) => Value<unknown>;
  /** What comes of a difference. @default - it is changed, where somebody looks at it */
  readonly effect?: 'replaced';
  /** What follows, as a sentence. @default - nothing that isn't plain */
  readonly consequence?: string;
}

export interface Comparison {
  readonly items: readonly DriftItem[];
  readonly same: readonly string[];
}

/** Compares settings. What the code doesn't write stays as it is. */
export function compareSettings<R extends Resource>(
  subject: DriftSubject,
  name: string,
  { code, live }: Pair<R>,
  settings: readonly ComparedSetting<R>[],
): Comparison {
  const items: DriftItem[] = [];
  const same: string[] = [];
  for (const setting of settings) {
    const written = plainOf(code, setting.of(code));
    const has = plainOf(live, setting.of(live));
    const at = { subject, name, setting: setting.name, inCode: written.source, inLive: has.source };
    if (written.kind === 'unknown') {
      items.push({
        ...at,
        status: 'unknown',
        live: shown(has.kind === 'known' ? has.value : undefined),
        text: `The code doesn't tell what it will be: ${written.reason}.`,
      });
      continue;
    }
    if (has.kind === 'unknown') {
      if (written.kind === 'known')
        items.push({
          ...at,
          status: 'unknown',
          code: shown(written.value),
          text: `What the cluster has isn't known: ${has.reason}.`,
        });
      continue;
    }
    if (written.kind === 'absent' || isOnCreation(written)) continue;
    const [wanted, found] = [shown(written.value), has.kind === 'known' ? shown(has.value) : undefined];
    if (wanted === found) same.push(`${setting.name} of ${subject} ${name}`);
    else items.push({ ...at, ...outcome(setting, code), live: found, code: wanted });
  }
  return { items, same };
}

/** What eksctl fills in counts when it makes something; of what is there it changes nothing. */
function isOnCreation({ note = '' }: Known<unknown>): boolean {
  return /(?:default of|set by) eksctl/.test(note);
}

function outcome<R extends Resource>(
  { effect, consequence, name }: ComparedSetting<R>,
  code: R,
): { readonly status: DriftStatus; readonly text: string } {
  const more = consequence === undefined ? '' : ` ${consequence}`;
  if (looksAtCluster(code))
    return effect === 'replaced'
      ? {
          status: 'replaced',
          text: `${sentence(deploymentOf(code))} replaces it, because its ${name} can't be changed.${more}`,
        }
      : { status: 'changed', text: `${sentence(deploymentOf(code))} writes what the code says.${more}` };
  if (code.dialect.deployedBy === 'eksctl')
    return {
      status: 'differs',
      text: `eksctl changes nothing of what is there, so that it stays, and only what is made anew has what the file says.${more}`,
    };
  const by = code.dialect.deployedBy === '' ? 'What deploys the code' : code.dialect.deployedBy;
  return {
    status: 'differs',
    text: `${by} goes by what it deployed last: if the code has changed here since, ${
      effect === 'replaced' ? 'the next deployment replaces it' : 'the next deployment writes what the code says'
    }; if somebody has changed the cluster, that stays until the code changes here.${more}`,
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value in one line; undefined of nothing. */
export function shown(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value, (_key, one: unknown) => (one instanceof Unknown ? (one.text ?? '${…}') : one));
}
