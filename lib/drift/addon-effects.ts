import type { Addon, AddonConfiguration, Data, Plain, Resource, Source } from '../eks';
import {
  diffAddonVersions,
  type ConflictMode,
  type LiveEnvironment,
  type SettingEffect,
  type SettingValue,
} from '../eks/networking';
import { describedAddon } from '../knowledge';
import type { DriftItem } from './drift';

export interface AddonDrift {
  readonly items: readonly DriftItem[];
  readonly same: readonly string[];
  readonly pin: object | undefined;
  readonly unseen: readonly string[];
}

interface Update {
  readonly at: { readonly subject: 'add-on'; readonly name: string };
  readonly code: Addon;
  readonly from: string;
  readonly to: string;
  readonly mode: ConflictMode;
  readonly written: Plain<AddonConfiguration>;
  readonly environment: LiveEnvironment;
  /** Whether this code makes an update, as opposed to the next one that does. */
  readonly isNow: boolean;
  readonly isWithoutMode: boolean;
  readonly live: Resource;
  /** Where a setting stands in the cluster. */
  readonly placeOf: (path: string) => Source | undefined;
}

export function effectsOf(update: Update): Omit<AddonDrift, 'same'> {
  const { at, code, from, to, mode, written, environment } = update;
  const addon = describedAddon('vpc-cni');
  const unknown = [from, to].find((version) => addon?.hasSchemaOf(version) !== true);
  const configuration = dataOf(written);
  if (addon === undefined || unknown !== undefined || configuration === undefined) {
    const why =
      unknown === undefined
        ? `its configuration values aren't known${written.kind === 'unknown' ? ` (${written.reason})` : ''}`
        : `the table of schemas has no ${unknown}`;
    return {
      items: [
        {
          ...at,
          setting: 'settings of aws-node',
          status: 'unknown',
          text: `Which of them an update resets can't be told: ${why}.`,
          inCode: code.source,
          inLive: update.live.source,
        },
      ],
      pin: undefined,
      unseen: [],
    };
  }
  const diff = diffAddonVersions({ addon, from, to, mode, configuration, live: environment });
  const items = diff.effects.flatMap((effect) => itemOf(effect, update) ?? []);
  const unseen = environment.init === undefined ? diff.notes.filter((note) => note.includes('aws-vpc-cni-init')) : [];
  return {
    items,
    pin: items.some(({ status }) => status === 'reset' || status === 'stops') ? diff.pin : undefined,
    unseen,
  };
}

const STATUS: Readonly<Partial<Record<SettingEffect['status'], DriftItem['status']>>> = {
  reset: 'reset',
  fails: 'stops',
  refused: 'stops',
  changed: 'changed',
  unknown: 'unknown',
};

function itemOf(
  effect: SettingEffect,
  { at, code, isNow, isWithoutMode, live, placeOf }: Update,
): DriftItem | undefined {
  const status = STATUS[effect.status];
  if (status === undefined) return undefined;
  const reason = `${effect.reason.charAt(0).toUpperCase()}${effect.reason.slice(1)}.`;
  const who =
    effect.configured === undefined && effect.live !== undefined && (status === 'reset' || status === 'stops')
      ? ' Somebody has made it in the cluster, and the code does not say it.'
      : '';
  const when = isNow
    ? ''
    : status === 'changed' || status === 'unknown'
      ? ''
      : ' This code makes no update of the add-on yet: it happens with the next one, whatever that is about.';
  const doubt =
    isWithoutMode && status === 'reset'
      ? ' The code sets no conflict mode, and no source says whether an update then overwrites or stops with ConfigurationConflict.'
      : '';
  return {
    ...at,
    setting: effect.path,
    status,
    live: effect.live,
    code: settingText(effect.becomes ?? effect.configured),
    text: reason + who + when + doubt,
    bites: effect.bites,
    inCode: code.source,
    inLive: placeOf(effect.path) ?? live.source,
  };
}

function settingText(value: SettingValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** What configuration values say; undefined if that isn't known. */
export function dataOf(plain: Plain<AddonConfiguration>): Data | undefined {
  if (plain.kind === 'absent') return {};
  return plain.kind === 'known' && plain.value.kind === 'parsed' ? plain.value.data : undefined;
}
