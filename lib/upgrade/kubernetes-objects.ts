import {
  controllersOf,
  dataAt,
  objectName,
  resourceName,
  sourceOf,
  Unknown,
  type ClusterView,
  type Data,
  type HelmRelease,
  type KubernetesManifest,
} from '../eks';
import {
  clusterAutoscalerChart,
  compareVersions,
  knowsRemovalsOf,
  kubernetesMinor,
  LAST_AL2,
  oldestKarpenter,
  parseMinor,
  removedApi,
  type RemovedApi,
} from '../knowledge';
import { inWords } from '../text/in-words';
import { onlyText } from './commands';
import type { Task } from './plan';

/* What of the Kubernetes objects and charts of the input a new version no longer takes. */

/** Manifests whose API version a Kubernetes version no longer serves, and the one before it does. */
export function removedApiTasks({ manifests }: ClusterView, from: string, to: string): readonly Task[] {
  return manifests.flatMap((manifest) => {
    const api = apiOf(manifest);
    return api === undefined || compareVersions(api.removedIn, to) > 0 || compareVersions(api.removedIn, from) <= 0
      ? []
      : [removedApiTask(manifest, api, from, 'from then on every deployment of it fails')];
  });
}

/** Manifests whose API version the cluster doesn't serve even before the upgrade. */
export function goneApiTasks({ manifests }: ClusterView, from: string): readonly Task[] {
  return manifests.flatMap((manifest) => {
    const api = apiOf(manifest);
    return api === undefined || compareVersions(api.removedIn, from) > 0
      ? []
      : [removedApiTask(manifest, api, from, `every deployment of it fails today already, on ${from},`)];
  });
}

function removedApiTask(manifest: KubernetesManifest, api: RemovedApi, from: string, effect: string): Task {
  const { apiVersion, kind, use, since, removedIn } = api;
  const replacement =
    use === undefined
      ? 'Nothing takes its place under another version: see the deprecation guide of Kubernetes for what does.'
      : since !== undefined && compareVersions(since, from) > 0
        ? `Write \`apiVersion: ${use}\`, and deploy it only with the control plane or after it: Kubernetes serves it from ${since} on.`
        : `Write \`apiVersion: ${use}\`${since === undefined ? '' : `, which Kubernetes serves from ${since} on`}, and deploy that first; the deprecation guide of Kubernetes tells which fields differ.`;
  return {
    phase: 'before',
    level: 'must',
    text: `${kind} "${objectName(manifest)}" has \`apiVersion: ${apiVersion}\`, which Kubernetes ${removedIn} no longer serves: ${effect} with "no matches for kind".`,
    fix: replacement,
    resource: manifest,
    source: manifest.source,
  };
}

function apiOf({ object }: KubernetesManifest): RemovedApi | undefined {
  const [apiVersion, kind] = [dataAt(object, 'apiVersion'), dataAt(object, 'kind')];
  return typeof apiVersion === 'string' && typeof kind === 'string' ? removedApi(apiVersion, kind) : undefined;
}

function isKarpenter({ chart }: HelmRelease): boolean {
  return chart.kind === 'known' && /(?:^|\/)karpenter$/.test(chart.value);
}

/** The oldest Kubernetes version that every Karpenter of the table's later rows runs on. Source: aws/karpenter-provider-aws, pkg/providers/version/version.go. */
const KARPENTER_RUNS_FROM = 26;

/** What Karpenter has to be for all the steps, said once: a newer one runs on older clusters, too. */
export function karpenterPreparations(
  { helmReleases }: ClusterView,
  from: string,
  steps: readonly string[],
): readonly Task[] {
  return helmReleases.filter(isKarpenter).flatMap((release): readonly Task[] => {
    const { version } = release;
    const written = version.kind === 'known' ? version.value.replace(/^v/, '') : '';
    // A range, or something else that Helm resolves.
    if (!/^\d+\.\d+/.test(written)) return [];
    const needs = steps.flatMap((minor) => {
      const oldest = oldestKarpenter(minor);
      return oldest === undefined || compareVersions(written, oldest) >= 0 ? [] : [{ minor, oldest }];
    });
    const last = needs.at(-1);
    if (last === undefined) return [];
    const list = inWords(
      needs.map(({ minor, oldest }) => `${minor} needs ${oldest}`),
      10,
    );
    return [
      {
        phase: 'before',
        level: 'must',
        text: `Karpenter has the version ${written}, and by its compatibility matrix Kubernetes ${list} or later.`,
        fix: `Update Karpenter, its CRDs first, before the control plane; its upgrade guide tells what changes.${
          needs.length > 1 && (parseMinor(from) ?? 0) >= KARPENTER_RUNS_FROM
            ? ` One of ${last.oldest} or later runs on ${from}, too, and is enough for all steps.`
            : ''
        }${wayToKarpenter(written, last.oldest)}`,
        resource: release,
        source: sourceOf(version),
      },
    ];
  });
}

/**
 * Versions of Karpenter that can't be left out, because they move its objects to another API.
 * Source: karpenter.sh, "Upgrade Guide" of 0.17, "v1beta1 Migration" of 0.32 and "v1 Migration" of 1.0.
 */
function wayToKarpenter(from: string, to: string): string {
  const passes = (version: string): boolean => compareVersions(from, version) < 0 && compareVersions(to, version) >= 0;
  const stations = [
    ...(passes('0.33')
      ? ['0.32, with which Provisioners become NodePools and AWSNodeTemplates EC2NodeClasses', '0.33 or later of 0.x']
      : []),
    ...(passes('1.0') ? ['1.0, which has the v1 APIs (1.1 has dropped v1beta1)'] : []),
  ];
  const way = stations.length === 0 ? '' : ` The way goes by ${inWords(stations, 10)}.`;
  return passes('0.17') ? `${way} From 0.17 on the chart is in oci://public.ecr.aws/karpenter/karpenter alone.` : way;
}

/** What Karpenter's node classes need in a step: an image for the version, and how nodes get it. */
export function nodeClassTasks(view: ClusterView, from: string, to: string): readonly Task[] {
  return [...al2ClassTasks(view, from, to), ...view.manifests.flatMap((manifest) => imageTasks(manifest, to))];
}

function imageTasks(manifest: KubernetesManifest, to: string): readonly Task[] {
  const { object } = manifest;
  const terms = dataAt(object, 'spec', 'amiSelectorTerms');
  if (!isNodeClass(object) || !Array.isArray(terms) || takesAl2(manifest)) return [];
  const aliases = (terms as readonly Data[]).map((term) => dataAt(term, 'alias'));
  if (!aliases.every((alias) => typeof alias === 'string')) {
    if (aliases.some((alias) => alias instanceof Unknown)) return [];
    return [
      {
        phase: 'nodes',
        level: 'should',
        text: `EC2NodeClass "${objectName(manifest)}" selects AMIs by other things than an alias: let it find one of ${to}, and Karpenter replaces its nodes by drift.`,
        resource: manifest,
        source: manifest.source,
      },
    ];
  }
  const pinned = aliases.filter((alias) => !/@latest$/.test(alias));
  const tooOld = pinned.find((alias) => isBefore(alias, kubernetesMinor(to)?.eksRelease));
  const [alias = ''] = aliases;
  if (tooOld !== undefined)
    return [
      {
        phase: 'before',
        level: 'must',
        text: `EC2NodeClass "${objectName(manifest)}" pins \`${tooOld}\`, a release from before EKS had Kubernetes ${to}: there is no such AMI for ${to}, and Karpenter starts no node with it.`,
        fix: `Pin a release for ${to} in \`amiSelectorTerms\` when the control plane has it.`,
        resource: manifest,
        source: manifest.source,
      },
    ];
  return [
    {
      phase: 'nodes',
      level: 'note',
      text: `Karpenter replaces the nodes of EC2NodeClass "${objectName(manifest)}" by drift, within the budgets of their node pools, as soon as the control plane has ${to}: \`${alias}\` is another AMI then.`,
      resource: manifest,
      source: manifest.source,
    },
  ];
}

/** Whether an alias such as `al2023@v20240807` is from before a day (`YYYY-MM-DD`). */
function isBefore(alias: string, day: string | undefined): boolean {
  const [, year = '', month = '', date = ''] = /@v(\d{4})(\d{2})(\d{2})$/.exec(alias) ?? [];
  return year !== '' && day !== undefined && `${year}-${month}-${date}` < day;
}

function isNodeClass(object: Data): boolean {
  return dataAt(object, 'kind') === 'EC2NodeClass';
}

/**
 * The Cluster Autoscaler has the minor version of its control plane. Sources: kubernetes/autoscaler, cluster-autoscaler/README.md; EKS user guide,
 * "Update existing cluster to new Kubernetes version".
 */
export function autoscalerTasks(view: ClusterView, from: string, to: string): readonly Task[] {
  return controllersOf(view).flatMap((controller): readonly Task[] => {
    const { software, resource, version } = controller;
    const own = onlyText(version);
    if (software !== 'cluster-autoscaler' || own === undefined) return [];
    const minor = /^\d+\.\d+/.exec(own)?.[0] ?? '';
    if (compareVersions(minor, to) >= 0) return [];
    const chart = clusterAutoscalerChart(to);
    return [
      {
        phase: 'add-ons',
        level: 'should',
        text: `Update the Cluster Autoscaler (${resourceName(resource)}, ${own} in the input) to ${to}${compareVersions(minor, from) < 0 ? ', too' : ': it simulates the scheduler, and each is made for the control plane of its own minor version'}.`,
        fix:
          resource.kind === 'helm-release'
            ? `Take ${chart === undefined ? `a chart that installs ${to}` : `chart ${chart}`}, or the newest image of \`v${to}\` as its \`image.tag\`, once the control plane has ${to}.`
            : `Take the newest image of \`v${to}\` (\`registry.k8s.io/autoscaling/cluster-autoscaler\`), once the control plane has ${to}.`,
        resource,
        source: sourceOf(version),
      },
    ];
  });
}

/** Node classes of an operating system that has no AMI for the version. */
function al2ClassTasks({ manifests }: ClusterView, from: string, to: string): readonly Task[] {
  const isStep = (parseMinor(from) ?? 0) <= LAST_AL2 && (parseMinor(to) ?? 0) > LAST_AL2;
  if (!isStep) return [];
  return manifests.flatMap((manifest): readonly Task[] => {
    const { object } = manifest;
    if (!isNodeClass(object) || !takesAl2(manifest)) return [];
    return [
      {
        phase: 'before',
        level: 'must',
        text: `EC2NodeClass "${objectName(manifest)}" starts nodes with Amazon Linux 2, of which EKS publishes no AMI for Kubernetes 1.${LAST_AL2 + 1} and later: Karpenter finds none for the new version and starts no node.`,
        fix: 'Take `al2023@…` in `amiSelectorTerms`; user data that calls `bootstrap.sh` or changes its settings needs a NodeConfig instead.',
        resource: manifest,
        source: manifest.source,
      },
    ];
  });
}

function takesAl2({ object }: KubernetesManifest): boolean {
  const terms = dataAt(object, 'spec', 'amiSelectorTerms');
  const aliases = Array.isArray(terms) ? (terms as readonly Data[]).map((term) => dataAt(term, 'alias')) : [];
  if (aliases.some((alias) => typeof alias === 'string' && /^al2@/i.test(alias))) return true;
  return dataAt(object, 'spec', 'amiFamily') === 'AL2' && aliases.every((alias) => alias === undefined);
}

/** What of all this can't be seen. */
export function unseenObjects(view: ClusterView, unplaced: ClusterView, steps: readonly string[]): readonly string[] {
  const manifests = view.manifests.length + unplaced.manifests.length;
  const charts = view.helmReleases.length + unplaced.helmReleases.length;
  const karpenters = view.helmReleases.filter(isKarpenter);
  const unknown = steps.find((version) => !knowsRemovalsOf(version));
  return [
    `Removed Kubernetes APIs are looked for in the ${manifests === 0 ? 'manifests of the input, of which there are none' : `${manifests} manifest${manifests === 1 ? '' : 's'} of the input`}${charts === 0 ? '' : `; what its ${charts} Helm chart${charts === 1 ? '' : 's'} make${charts === 1 ? 's' : ''} isn't seen`}. The upgrade insights of EKS tell which removed APIs are called: aws eks list-insights.`,
    ...(unknown === undefined ? [] : [`Which APIs Kubernetes ${unknown} removes isn't known here.`]),
    ...karpenters
      .filter(({ version }) => version.kind !== 'known')
      .map(
        (release) =>
          `The version of Karpenter (${release.id}) isn't known; Kubernetes ${steps.at(-1) ?? ''} needs ${oldestKarpenter(steps.at(-1) ?? '') ?? 'one that its compatibility matrix names'} or later.`,
      ),
    ...controllersOf(view).flatMap(({ software, resource, version }) =>
      software === 'cluster-autoscaler' && onlyText(version) === undefined
        ? [
            `The version of the Cluster Autoscaler (${resourceName(resource)}) isn't known: it should have the minor version of the control plane after each step.`,
          ]
        : [],
    ),
    ...(karpenters.length > 0
      ? steps
          .filter((version) => oldestKarpenter(version) === undefined)
          .map((version) => `Which Karpenter Kubernetes ${version} needs isn't known here.`)
      : []),
  ];
}
