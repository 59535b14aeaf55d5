import type { CheckResult } from '../check';
import { resourceName, sourceOf, type Addon, type ClusterView, type Value } from '../eks';
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
import { clusterArgument, configArgument, eksctlTarget, isOfEksctl, onlyText } from './commands';
import type { AddonStep, Task } from './plan';
import { isSame } from './what-if';

/** A step as the add-ons see it. */
interface AddonQuestion {
  readonly view: ClusterView;
  readonly from: string;
  readonly to: string;
  /** Of the whole way. */
  readonly isFirst: boolean;
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
    if (addon.version.kind === 'absent' || addon.isImplied === true) return [{ ...common, state: 'unpinned' }];
    // eksctl takes a part of a version, and the word `latest`.
    if (isOfEksctl(addon) && addon.version.kind === 'unknown' && addon.version.reason.startsWith('eksctl installs'))
      return [{ ...common, state: 'looked-up' }];
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
    ({ rule, resource, verdict }) => MOVING.has(rule) && verdict === 'fail' && isSame(addon, resource),
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

/** What there is to do about the add-ons in a step. Of those whose version nobody writes, all is said at once. */
export function addonTasks(question: AddonQuestion, steps: readonly AddonStep[]): readonly Task[] {
  const { view, from, to } = question;
  const found = steps.flatMap((step) => {
    const addon = view.addons.find((one) => one === step.resource);
    return addon === undefined ? [] : [{ addon, step }];
  });
  const inState = (state: AddonStep['state']) => found.filter(({ step }) => step.state === state);
  return [
    ...inState('changes').flatMap(({ addon, step }) => [
      moveTask(addon, step, from, to),
      ...configurationTasks(addon, step),
    ]),
    ...lookedUpTasks(inState('looked-up'), question),
    ...unpinnedTasks(inState('unpinned'), question),
  ];
}

interface FoundStep {
  readonly addon: Addon;
  readonly step: AddonStep;
}

/** Add-ons that take what is offered, one task for those of one tool. What holds of every step is told in the first. */
function lookedUpTasks(found: readonly FoundStep[], { to, isFirst }: AddonQuestion): readonly Task[] {
  const [first] = found;
  if (first === undefined) return [];
  const { addon } = first;
  const names = namesOf(found);
  const [is, takes, a] = found.length === 1 ? ['Add-on', 'takes', 'a version'] : ['Add-ons', 'take', 'versions'];
  const common = { phase: 'add-ons', resource: addon, source: sourceOf(addon.version) } as const;
  if (isOfEksctl(addon))
    return [
      {
        ...common,
        level: 'should',
        text: `${is} ${names} ${takes} the newest version that fits the text in the file, and only when a command asks for it.`,
        fix: `Once the control plane has ${to}, run \`eksctl update addon ${configArgument(addon)}\`. A part of a version that ${to} doesn't offer any more stops it.`,
      },
    ];
  if (!isFirst) return [];
  const isSameDeployment = addon.versionLookup !== undefined;
  return [
    {
      ...common,
      level: 'note',
      text: `${is} ${names} ${takes} what AWS offers at every plan: ${isSameDeployment ? `that of each step takes ${a} for it, without a change in the code` : `look in each step what it takes for the new version`}.`,
    },
  ];
}

/** Add-ons without a version: a deployment leaves what runs. In later steps only those of which EKS has another default then. */
function unpinnedTasks(found: readonly FoundStep[], { view, from, to, isFirst }: AddonQuestion): readonly Task[] {
  const due = found.filter(
    ({ step: { name, standard } }) =>
      isFirst || (standard !== undefined && standard !== defaultAddonVersion(name, from)),
  );
  const [first] = due;
  if (first === undefined) return [];
  const { addon } = first;
  const names = namesOf(due);
  const isOne = due.length === 1;
  const known = due.flatMap(({ step: { name, standard } }) =>
    standard === undefined ? [] : [{ name, version: standard }],
  );
  const byFile = isOfEksctl(addon);
  return [
    {
      phase: 'add-ons',
      level: due.some(({ step }) => step.name === 'kube-proxy') ? 'should' : 'note',
      text: `${isOne ? 'Add-on' : 'Add-ons'} ${names} ${isOne ? 'has' : 'have'} no version in the ${byFile ? 'file' : 'input'}, so ${byFile ? '`eksctl update addon -f`' : 'a deployment'} leaves what runs, and EKS updates none with the cluster.`,
      fix: [
        ...(isFirst && due.some((one) => one.addon.isImplied === true)
          ? [
              `A cluster that an eksctl before 0.184 has made runs them self-managed: there it is \`eksctl utils update-kube-proxy\`, \`update-coredns\` and \`update-aws-node\`, each with \`${eksctlTarget(view)} --approve\`.`,
            ]
          : []),
        ...(isFirst && due.some(({ step }) => step.name === 'vpc-cni')
          ? ['Where vpc-cni is older, go one minor version at a time.']
          : []),
        known.length === 0
          ? `Look what runs (\`aws eks describe-addon\`), and update it to what Kubernetes ${to} takes.`
          : `Look what runs (\`aws eks describe-addon\`); where it is older than EKS's default for ${to} (of ${addonTableAsOf()}), ${byFile ? 'run:' : 'pin that, or run:'}`,
      ].join(' '),
      code:
        known.length === 0
          ? undefined
          : {
              language: 'sh',
              text: known.map(({ name, version }) => updateCommand(name, version, view, byFile)).join('\n'),
            },
      resource: addon,
      source: isOne ? addon.source : undefined,
    },
  ];
}

function updateCommand(name: string, version: string, view: ClusterView, byFile: boolean): string {
  return byFile
    ? `eksctl update addon ${eksctlTarget(view)} --name ${name} --version ${version}`
    : `aws eks update-addon --cluster-name ${clusterArgument(view)} --addon-name ${name} --addon-version ${version} --resolve-conflicts PRESERVE`;
}

function namesOf(found: readonly FoundStep[]): string {
  return inWords(
    found.map(({ step }) => step.name),
    12,
  );
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
    ? `EKS doesn't update it with the cluster, and it must not be newer than the control plane, nor more than ${allowedLag(present)} minor versions older`
    : `EKS offers ${present} for ${rangeOf(addonVersion(name, present)?.clusterMinors ?? [])} and not for Kubernetes ${to}`;
  const via = name === 'vpc-cni' ? waypoints(name, present, next, [from, to]) : [];
  const fix = [
    ...(via.length === 0
      ? []
      : [`The EKS user guide advises to go one minor version at a time: ${inWords(via, 8)} on the way.`]),
    ...(isOfEksctl(addon) ? [`Write it in the file, and run \`eksctl update addon ${configArgument(addon)}\`.`] : []),
  ];
  return {
    phase: isEarly ? 'before' : 'add-ons',
    level: isKubeProxy ? 'should' : 'must',
    text: `Update add-on ${resourceName(addon)} (${name}) from ${present} to ${next}: ${why}.${isEarly ? ` Kubernetes ${from} takes ${next} too, so it can be done before the control plane.` : ''}${standard === undefined || standard === next ? '' : ` EKS's default for Kubernetes ${to} is ${standard}.`}${newest === undefined || newest === next || newest === standard ? '' : ` The newest for Kubernetes ${to} is ${newest} (table of ${addonTableAsOf()}).`}`,
    ...(fix.length === 0 ? {} : { fix: fix.join(' ') }),
    resource: addon,
    source: sourceOf(addon.version),
  };
}

/** How many minor versions kube-proxy may lag, in words. Source: Kubernetes, version skew policy. */
export function allowedLag(version: string): 'two' | 'three' {
  return (parseVersion(version)?.minor ?? 0) >= THREE_FROM ? 'three' : 'two';
}

/** From this minor version on nodes and kube-proxy may be three minor versions older than the API server, before it two. */
export const THREE_FROM = 25;

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
  // Of add-ons whose defaults aren't known there is nothing to say but what EKS refuses.
  if (description?.hasDefaults !== true || !description.hasSchemaOf(from) || !description.hasSchemaOf(to)) return [];
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
