import {
  always,
  entriesOf,
  isDataMap,
  resourceName,
  type Addon,
  type AddonConfiguration,
  type ClusterView,
  type Data,
  type Plain,
  type Resource,
} from '../eks';
import type { ConflictMode } from '../eks/networking';
import { AnswerNode } from '../front-ends/live/answer-node';
import { isLiveAddon, liveEnvironment, placeInDaemonSet } from '../front-ends/live/resources/cni';
import { compareVersions, parseVersion } from '../knowledge';
import type { DriftItem } from './drift';
import { shown, type Pair } from './settings';
import { deploymentOf, looksAtCluster, plainOf, textOf } from './values';
import { dataOf, effectsOf, type AddonDrift } from './addon-effects';

/** What the code makes of the add-ons that the cluster has, and which only one of them has. */
export function addonDrift(code: ClusterView, live: ClusterView): AddonDrift {
  const items: DriftItem[] = [];
  const same: string[] = [];
  const unseen: string[] = [];
  let pin: object | undefined;
  const paired = new Set<Addon>();
  for (const addon of code.addons) {
    const name = textOf(addon, addon.name);
    if (name === undefined) {
      items.push({
        subject: 'add-on',
        name: resourceName(addon),
        status: 'unknown',
        text: "Which add-on it is isn't known, so it can't be compared.",
        inCode: addon.source,
      });
      continue;
    }
    const found = live.addons.find((one) => textOf(one, one.name) === name);
    if (addon.isImplied === true) {
      // What eksctl installs without being asked, it installs with the cluster.
      if (found !== undefined) paired.add(found);
      continue;
    }
    if (found === undefined || found.isImplied === true) {
      if (found !== undefined) paired.add(found);
      const created = createdAddon(name, addon, found, live);
      items.push(...created.items);
      pin ??= created.pin;
      continue;
    }
    paired.add(found);
    if (addon.exists !== always)
      unseen.push(`The code has add-on ${name} only when ${addon.exists.text}; it is compared as if it did.`);
    const drift = pairDrift(name, { code: addon, live: found });
    items.push(...drift.items);
    unseen.push(...drift.unseen);
    pin ??= drift.pin;
    if (drift.items.length === 0) same.push(`add-on ${name}`);
  }
  for (const addon of live.addons) {
    if (paired.has(addon)) continue;
    const name = textOf(addon, addon.name);
    if (name === undefined)
      unseen.push("Whether the cluster has add-ons besides those that the dump describes isn't known.");
    else
      items.push({
        subject: 'add-on',
        name,
        status: 'not in code',
        live: textOf(addon, addon.version),
        text: 'The cluster has it and the code does not: a deployment leaves it alone, and nobody updates it with the cluster.',
        inLive: addon.source,
      });
  }
  return { items, same, pin, unseen };
}

function pairDrift(name: string, { code, live }: Pair<Addon>): Omit<AddonDrift, 'same'> {
  const at = { subject: 'add-on', name } as const;
  const items: DriftItem[] = [];
  const [from, to] = [plainOf(live, live.version), plainOf(code, code.version)];
  const isLookedUp = to.kind === 'absent' && (code.versionLookup ?? to).kind !== 'absent';
  if (to.kind === 'unknown' || isLookedUp)
    items.push({
      ...at,
      setting: 'version',
      status: 'unknown',
      live: from.kind === 'known' ? from.value : undefined,
      text: `The code doesn't tell to which version it goes${to.kind === 'unknown' ? `: ${to.reason}` : ': it is looked up at every deployment'}.`,
      inCode: to.source,
      inLive: from.source,
    });
  const before = from.kind === 'known' ? from.value : undefined;
  const after = to.kind === 'known' ? to.value : before;
  const isUpdate = before !== undefined && after !== undefined && before !== after;
  if (isUpdate)
    items.push({
      ...at,
      setting: 'version',
      status: 'changed',
      live: before,
      code: after,
      text: versionText(before, after, code),
      inCode: to.source,
      inLive: from.source,
    });
  items.push(...roleItems(at, { code, live }));
  const stored = isLiveAddon(live) ? live.stored : plainOf(live, live.configuration);
  const written = plainOf(code, code.configuration);
  if (name !== 'vpc-cni' || before === undefined || after === undefined) {
    items.push(...configurationItems(at, written, stored, code));
    return { items, pin: undefined, unseen: [] };
  }
  const environment = isLiveAddon(live) ? live.live : undefined;
  if (environment === undefined)
    return {
      items: [...items, ...configurationItems(at, written, stored, code)],
      pin: undefined,
      unseen: [
        "The dump doesn't hold the DaemonSet aws-node, so that it can't be said which settings of it an update resets: kubectl get daemonset aws-node --namespace kube-system --output json",
      ],
    };
  const mode = modeOf(plainOf(code, code.resolveConflictsOnUpdate));
  if (mode.kind === 'unknown') {
    items.push({
      ...at,
      setting: 'conflict mode',
      status: 'unknown',
      text: `What an update does to settings that kubectl made depends on the conflict mode, which isn't known: ${mode.reason}.`,
      inCode: code.source,
    });
    return { items, pin: undefined, unseen: [] };
  }
  const isConfigured = hasOther(written, stored);
  const effects = effectsOf({
    at,
    code,
    from: before,
    to: after,
    mode: mode.mode,
    written: written.kind === 'absent' ? stored : written,
    environment,
    isNow: isUpdate || isConfigured,
    isWithoutMode: mode.kind === 'none given',
    live,
    placeOf: (path) => (isLiveAddon(live) ? live.placeOf(path) : undefined),
  });
  return { items: [...items, ...effects.items], pin: effects.pin, unseen: effects.unseen };
}

function versionText(before: string, after: string, code: Resource): string {
  const isOlder = compareVersions(after, before) < 0;
  const minors = Math.abs((parseVersion(after)?.minor ?? 0) - (parseVersion(before)?.minor ?? 0));
  const more =
    (isOlder
      ? ' It is older than what runs: this is a downgrade, maybe of an update that somebody made by hand.'
      : '') +
    (minors > 1 ? ' It skips minor versions, of which the EKS user guide advises to take one at a time.' : '');
  return looksAtCluster(code)
    ? `The next apply ${isOlder ? 'takes it back' : 'updates it'}.${more}`
    : `The next deployment ${isOlder ? 'takes it back' : 'updates it'}, if it changes the version that was deployed last.${more}`;
}

type Mode =
  | { readonly kind: 'given' | 'none given'; readonly mode: ConflictMode }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Without a mode an update fails or overwrites, and no source says which: what it may reset is told. */
function modeOf(plain: Plain<string>): Mode {
  if (plain.kind === 'unknown') return plain;
  if (plain.kind === 'absent') return { kind: 'none given', mode: 'OVERWRITE' };
  const mode = (['OVERWRITE', 'PRESERVE', 'NONE'] as const).find((one) => one === plain.value);
  return mode === undefined ? { kind: 'unknown', reason: `"${plain.value}" is none` } : { kind: 'given', mode };
}

/** An add-on that the cluster doesn't have. Of the VPC CNI there may be a copy that nobody manages, with settings of its own. */
function createdAddon(
  name: string,
  code: Addon,
  unseen: Addon | undefined,
  live: ClusterView,
): { readonly items: readonly DriftItem[]; readonly pin: object | undefined } {
  const at = { subject: 'add-on', name } as const;
  const version = textOf(code, code.version);
  if (unseen !== undefined)
    return {
      items: [
        {
          ...at,
          status: 'unknown',
          code: version,
          text: "The cluster has it, and the dump doesn't tell how it is: aws eks describe-addon.",
          inCode: code.source,
        },
      ],
      pin: undefined,
    };
  const isUnsure = live.addons.some((one) => one.isImplied === true && textOf(one, one.name) === undefined);
  const created: DriftItem = {
    ...at,
    status: isUnsure ? 'unknown' : 'created',
    code: version,
    text: isUnsure
      ? "Whether the cluster has it isn't known: aws eks list-addons isn't in the dump."
      : `The code has it and the cluster does not: ${deploymentOf(code)} creates it.`,
    inCode: code.source,
  };
  const copy = live.manifests.find(
    ({ type, id, source }) =>
      type === 'kubernetes:DaemonSet' && id === 'kube-system/aws-node' && source instanceof AnswerNode,
  );
  const environment = copy?.source instanceof AnswerNode ? liveEnvironment(copy.source) : undefined;
  const mode = modeOf(plainOf(code, code.resolveConflictsOnCreate));
  if (
    name !== 'vpc-cni' ||
    isUnsure ||
    copy === undefined ||
    environment === undefined ||
    version === undefined ||
    mode.kind === 'unknown'
  )
    return { items: [created], pin: undefined };
  const effects = effectsOf({
    at,
    code,
    from: version,
    to: version,
    // On creation it acts like NONE.
    mode: mode.mode === 'PRESERVE' ? 'NONE' : mode.mode,
    written: plainOf(code, code.configuration),
    environment,
    isNow: true,
    isWithoutMode: mode.kind === 'none given',
    live: copy,
    placeOf: (path) => placeInDaemonSet(copy.source instanceof AnswerNode ? copy.source : undefined, path),
  });
  return {
    items: [
      {
        ...created,
        text: `${created.text} It takes over the DaemonSet aws-node, which nobody manages so far.`,
        inLive: copy.source,
      },
      ...effects.items,
    ],
    pin: effects.pin,
  };
}

function configurationItems(
  at: { readonly subject: 'add-on'; readonly name: string },
  written: Plain<AddonConfiguration>,
  stored: Plain<AddonConfiguration>,
  code: Addon,
): readonly DriftItem[] {
  // What an update doesn't name stays as it is stored.
  if (written.kind === 'absent' || !hasOther(written, stored)) return [];
  const item = { ...at, setting: 'configuration values', inCode: written.source, inLive: stored.source };
  const [wanted, found] = [dataOf(written), dataOf(stored)];
  if (wanted === undefined || found === undefined)
    return [
      {
        ...item,
        status: 'unknown',
        text: `They can't be compared${written.kind === 'unknown' ? `: ${written.reason}` : ''}.`,
      },
    ];
  return [
    {
      ...item,
      status: 'changed',
      live: shown(found),
      code: shown(wanted),
      text: `${looksAtCluster(code) ? 'The next apply' : 'The next deployment that changes them'} replaces those that are stored as a whole.`,
    },
  ];
}

/** Whether the code has configuration values that aren't those that are stored, or may not be. */
function hasOther(written: Plain<AddonConfiguration>, stored: Plain<AddonConfiguration>): boolean {
  if (written.kind === 'absent') return false;
  const [wanted, found] = [dataOf(written), dataOf(stored)];
  return wanted === undefined || found === undefined || canonical(wanted) !== canonical(found);
}

/** The same text for the same data, in whatever order. */
function canonical(data: Data): string {
  const sorted = (one: Data): Data =>
    Array.isArray(one)
      ? (one as readonly Data[]).map(sorted)
      : isDataMap(one)
        ? Object.fromEntries(
            entriesOf(one)
              .map(([key, value]): [string, Data] => [key, sorted(value)])
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          )
        : one;
  return shown(sorted(data)) ?? '';
}

function roleItems(
  at: { readonly subject: 'add-on'; readonly name: string },
  { code, live }: Pair<Addon>,
): readonly DriftItem[] {
  const [written, has] = [plainOf(code, code.serviceAccountRole), plainOf(live, live.serviceAccountRole)];
  const wanted = written.kind === 'known' ? roleNameOf(written.value) : undefined;
  const found = has.kind === 'known' ? roleNameOf(has.value) : undefined;
  // A role that the code makes has a name of its own choice, or none that is known.
  if (wanted === undefined || wanted === found) return [];
  return [
    {
      ...at,
      setting: 'role of its service account',
      status: 'changed',
      live: found,
      code: wanted,
      text: `${looksAtCluster(code) ? 'The next apply' : 'The next deployment that changes it'} gives its pods this role.`,
      inCode: written.source,
      inLive: has.source,
    },
  ];
}

/** The name of a role, if it is known. */
export function roleNameOf({
  text,
  target,
}: {
  readonly text: string;
  readonly target: { readonly name: Addon['name'] } | undefined;
}): string | undefined {
  if (target !== undefined) return target.name.kind === 'known' ? target.name.value : undefined;
  return /^arn:[\w-]+:iam::\d{12}:role\/(?:.*\/)?([^/]+)$/.exec(text)?.[1];
}
