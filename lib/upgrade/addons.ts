import type { CheckResult } from '../check';
import { alternativesOf, resourceName, sourceOf, type Addon, type ClusterView, type Value } from '../eks';
import { diffAddonVersions, type AddonDiff, type ConflictMode } from '../eks/networking';
import {
  addonTableAsOf,
  addonVersion,
  addonVersions,
  compareVersions,
  defaultAddonVersion,
  describedAddon,
  knownAddons,
  newestAddonVersion,
  parseVersion,
} from '../knowledge';
import { inWords } from '../text/in-words';
import type { AddonStep, Task } from './plan';

/** A step as the add-ons see it. */
interface AddonQuestion {
  readonly view: ClusterView;
  readonly from: string;
  readonly to: string;
  /** What the rules say once the control plane has the new version. */
  readonly checked: CheckResult;
}

/** What becomes of the add-ons of a cluster: whether a version has to change is what the rules say, and so is what it should be. */
export function addonSteps({ view, from: before, to, checked }: AddonQuestion): readonly AddonStep[] {
  return view.addons.flatMap((addon): readonly AddonStep[] => {
    const name = onlyText(addon.name);
    if (name === undefined) return [];
    const common = {
      resource: addon,
      name,
      standard: defaultAddonVersion(name, to),
      newest: newestAddonVersion(name, to),
    };
    const from = onlyText(addon.version);
    const isLookedUp = addon.versionLookup !== undefined && addon.versionLookup.kind !== 'absent';
    if (isLookedUp) return [{ ...common, state: 'looked-up' }];
    if (addon.version.kind === 'absent') return [{ ...common, state: 'unpinned' }];
    if (from === undefined || !knownAddons().includes(name)) return [{ ...common, from, state: 'unknown' }];
    const target = bridged(name, from, [before, to], moveOf(addon, checked));
    if (target !== undefined && target !== from) return [{ ...common, from, state: 'changes', to: target }];
    const isOffered = addonVersion(name, from)?.clusterMinors.includes(to) === true;
    return [{ ...common, from, state: isOffered ? 'keeps' : 'unknown' }];
  });
}

/** The rules by which an add-on's version has to move with the cluster. */
const MOVING: ReadonlySet<string> = new Set(['addon-version', 'kube-proxy-version-skew']);

/** The version that the rules want, if they want another. */
function moveOf(addon: Addon, { findings }: CheckResult): string | undefined {
  const found = findings.find(
    ({ rule, resource, verdict }) =>
      MOVING.has(rule) && verdict === 'fail' && resource.id === addon.id && resource.stack === addon.stack,
  );
  const repair = found?.repairs?.find((one) => one.kind === 'set' && one.field === 'version');
  return repair?.kind === 'set' ? String(repair.to) : undefined;
}

/**
 * What the rules want, or the newest version that the control plane takes before its update and after it, if there is one: then no moment
 * comes in which it runs with a version that isn't offered for it. kube-proxy must not be newer than the control plane.
 */
function bridged(
  name: string,
  present: string,
  minors: readonly [from: string, to: string],
  wanted: string | undefined,
): string | undefined {
  const takes = (version: string | undefined) =>
    minors.every((minor) => addonVersion(name, version ?? '')?.clusterMinors.includes(minor) === true);
  if (wanted === undefined || name === 'kube-proxy' || takes(wanted)) return wanted;
  const bridge = addonVersions(name).find(({ version }) => takes(version) && compareVersions(version, present) > 0);
  return bridge?.version ?? wanted;
}

/** What there is to do about the add-ons in a step. */
export function addonTasks({ view, from, to }: AddonQuestion, steps: readonly AddonStep[]): readonly Task[] {
  return steps.flatMap((step): readonly Task[] => {
    const addon = view.addons.find((one) => one === step.resource);
    if (addon === undefined) return [];
    switch (step.state) {
      case 'changes':
        return [moveTask(addon, step, from, to), ...configurationTasks(addon, step)];
      case 'looked-up':
        return [
          {
            phase: 'add-ons',
            level: 'note',
            text: `Add-on ${resourceName(addon)} (${step.name}) takes what AWS offers at every plan: the next one takes a version for Kubernetes ${to}${step.newest === undefined ? '' : ` (the newest on ${addonTableAsOf()}: ${step.newest})`}.`,
            resource: addon,
            source: sourceOf(addon.version),
          },
        ];
      case 'unpinned':
        return [
          {
            phase: 'add-ons',
            level: step.name === 'kube-proxy' ? 'should' : 'note',
            text: `Add-on ${resourceName(addon)} (${step.name}) names no version. EKS doesn't update it with the cluster${step.standard === undefined ? '' : `; its default for Kubernetes ${to} was ${step.standard} on ${addonTableAsOf()}`}.`,
            fix:
              step.standard === undefined
                ? undefined
                : `Look what runs (aws eks describe-addon), and pin \`${step.standard}\` or another version that Kubernetes ${to} takes.`,
            resource: addon,
            source: addon.source,
          },
        ];
      case 'keeps':
      case 'unknown':
        return [];
    }
  });
}

function moveTask(
  addon: Addon,
  { name, from: present = '', to: next = '', standard, newest }: AddonStep,
  from: string,
  to: string,
): Task {
  const isKubeProxy = name === 'kube-proxy';
  const taken = addonVersion(name, next)?.clusterMinors ?? [];
  const isEarly = !isKubeProxy && taken.includes(from);
  const why = isKubeProxy
    ? "EKS doesn't update it with the cluster, and it must not be newer than the control plane, nor more than three minor versions older"
    : `EKS offers ${present} for ${rangeOf(addonVersion(name, present)?.clusterMinors ?? [])} and not for Kubernetes ${to}`;
  const via = name === 'vpc-cni' ? waypoints(name, present, next, [from, to]) : [];
  return {
    phase: isEarly ? 'before' : 'add-ons',
    level: isKubeProxy ? 'should' : 'must',
    text: `Update add-on ${resourceName(addon)} (${name}) from ${present} to ${next}: ${why}.${isEarly ? ` Kubernetes ${from} takes ${next} too, so it can be done before the control plane.` : ''}${standard === undefined || standard === next ? '' : ` EKS's default for Kubernetes ${to} is ${standard}.`}${newest === undefined || newest === next || newest === standard ? '' : ` The newest for Kubernetes ${to} is ${newest} (table of ${addonTableAsOf()}).`}`,
    ...(via.length === 0
      ? {}
      : {
          fix: `The EKS user guide advises to go one minor version at a time: ${inWords(via, 8)} on the way.`,
        }),
    resource: addon,
    source: sourceOf(addon.version),
  };
}

/** `Kubernetes 1.25 to 1.31` */
function rangeOf(minors: readonly string[]): string {
  const [first, last] = [minors[0], minors.at(-1)];
  if (first === undefined || last === undefined) return 'no Kubernetes version';
  return first === last ? `Kubernetes ${first}` : `Kubernetes ${first} to ${last}`;
}

/** The newest version of each minor version between two, that the cluster takes. */
function waypoints(name: string, from: string, to: string, minors: readonly string[]): readonly string[] {
  const [first, last] = [parseVersion(from), parseVersion(to)];
  if (first === undefined || last === undefined || first.major !== last.major) return [];
  const found = new Map<number, string>();
  for (const { version, clusterMinors } of addonVersions(name)) {
    const parsed = parseVersion(version);
    if (parsed === undefined || parsed.major !== first.major || found.has(parsed.minor)) continue;
    if (parsed.minor > first.minor && parsed.minor < last.minor && clusterMinors.some((one) => minors.includes(one)))
      found.set(parsed.minor, version);
  }
  return [...found.values()].sort(compareVersions);
}

/** How many keys a task names. */
const MOST_KEYS = 8;

/** What the update of an add-on does to what the user configures; what EKS refuses is said by the rules. */
function configurationTasks(addon: Addon, { name, from = '', to = '' }: AddonStep): readonly Task[] {
  const description = describedAddon(name);
  if (description === undefined || !description.hasSchemaOf(from) || !description.hasSchemaOf(to)) return [];
  const { configuration } = addon;
  const mode = conflictModeOf(addon.resolveConflictsOnUpdate);
  const diff = diffAddonVersions({
    addon: description,
    from,
    to,
    mode: mode ?? 'NONE',
    ...(configuration.kind === 'known' && configuration.value.kind === 'parsed'
      ? { configuration: configuration.value.data }
      : {}),
  });
  const command = `eks-guardrails addon-diff ${name} ${from} ${to}${mode === undefined ? '' : ` --mode ${mode}`} --live aws-node.json`;
  const text = [
    ...schemaSentences(name, diff),
    mode === 'OVERWRITE'
      ? 'The update has the conflict mode OVERWRITE: what somebody changed with kubectl, and the configuration values do not say, goes back to the default.'
      : mode === 'PRESERVE'
        ? ''
        : 'What somebody changed with kubectl can stop the update with a conflict.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  return [
    {
      phase: 'add-ons',
      level: mode === 'OVERWRITE' ? 'should' : 'note',
      text: `What the update of ${name} changes: ${text === '' ? 'no key of its configuration values, and no default.' : text}`,
      fix: `Hold it against what runs: \`${command}\`, with the output of kubectl -n kube-system get daemonset aws-node -o json.`,
      resource: addon,
      source: sourceOf(configuration),
    },
  ];
}

function schemaSentences(name: string, { added, removed, changed, effects }: AddonDiff): readonly string[] {
  const refused = removed.filter(({ isBlock }) => !isBlock).map(({ path }) => path);
  const defaults = changed.map(({ path, from, to }) => `${path} (${JSON.stringify(from)} to ${JSON.stringify(to)})`);
  const lost = effects.filter(({ status }) => status === 'reset' || status === 'fails').map(({ path }) => path);
  return [
    `${added.filter(({ isBlock }) => !isBlock).length} keys are new.`,
    ...(refused.length === 0 ? [] : [`EKS no longer takes ${inWords(refused, MOST_KEYS)}.`]),
    ...(defaults.length === 0 ? [] : [`Other defaults: ${inWords(defaults, MOST_KEYS)}.`]),
    ...(lost.length === 0 ? [] : [`${name} loses ${inWords(lost, MOST_KEYS)}.`]),
  ];
}

function conflictModeOf(value: Value<string>): ConflictMode | undefined {
  const mode = onlyText(value);
  return mode === 'OVERWRITE' || mode === 'PRESERVE' || mode === 'NONE' ? mode : undefined;
}

/** A text that all alternatives agree on; undefined if it isn't known. */
export function onlyText(value: Value<string>): string | undefined {
  const texts = new Set(alternativesOf(value).map(({ value: one }) => (one.kind === 'known' ? one.value : undefined)));
  const [only] = texts;
  return texts.size === 1 ? only : undefined;
}
