import { dataAt, objectName, type ClusterView, type Data, type HelmRelease, type KubernetesManifest } from '../eks';
import { compareVersions, knowsRemovalsOf, oldestKarpenter, parseMinor, removedApi } from '../knowledge';
import type { Task } from './plan';

/* What of the Kubernetes objects and charts of the input a new version no longer takes. */

/** Manifests whose API version a Kubernetes version no longer serves, and the one before it does. */
export function removedApiTasks({ manifests }: ClusterView, from: string, to: string): readonly Task[] {
  return manifests.flatMap((manifest): readonly Task[] => {
    const api = apiOf(manifest);
    if (api === undefined || compareVersions(api.removedIn, to) > 0 || compareVersions(api.removedIn, from) <= 0)
      return [];
    const { apiVersion, kind, use, since } = api;
    const replacement =
      use === undefined
        ? 'Nothing takes its place under another version: see the deprecation guide of Kubernetes for what does.'
        : since !== undefined && compareVersions(since, from) > 0
          ? `Write \`apiVersion: ${use}\` in the same deployment as the control plane: Kubernetes serves it from ${since} on.`
          : `Write \`apiVersion: ${use}\`${since === undefined ? '' : `, which Kubernetes serves from ${since} on`}, and deploy that first; the deprecation guide of Kubernetes tells which fields differ.`;
    return [
      {
        phase: 'before',
        level: 'must',
        text: `${kind} "${objectName(manifest)}" has \`apiVersion: ${apiVersion}\`, which Kubernetes ${api.removedIn} no longer serves: from then on every deployment of it fails with "no matches for kind".`,
        fix: replacement,
        resource: manifest,
        source: manifest.source,
      },
    ];
  });
}

function apiOf({ object }: KubernetesManifest): ReturnType<typeof removedApi> {
  const [apiVersion, kind] = [dataAt(object, 'apiVersion'), dataAt(object, 'kind')];
  return typeof apiVersion === 'string' && typeof kind === 'string' ? removedApi(apiVersion, kind) : undefined;
}

/** What Karpenter needs before a Kubernetes version. */
export function karpenterTasks(view: ClusterView, from: string, to: string): readonly Task[] {
  return [...view.helmReleases.flatMap((release) => chartTasks(release, from, to)), ...nodeClassTasks(view, from, to)];
}

function isKarpenter({ chart }: HelmRelease): boolean {
  return chart.kind === 'known' && /(?:^|\/)karpenter$/.test(chart.value);
}

function chartTasks(release: HelmRelease, from: string, to: string): readonly Task[] {
  const needed = oldestKarpenter(to);
  const { version } = release;
  if (!isKarpenter(release) || needed === undefined || version.kind !== 'known') return [];
  const written = version.value.replace(/^v/, '');
  // A range, or something else that Helm resolves.
  if (!/^\d+\.\d+/.test(written) || compareVersions(written, needed) >= 0) return [];
  const before = oldestKarpenter(from);
  if (before !== undefined && compareVersions(written, before) < 0 && before === needed) return [];
  return [
    {
      phase: 'before',
      level: 'must',
      text: `Karpenter has the version ${version.value}, and Kubernetes ${to} needs ${needed} or later, says its compatibility matrix.`,
      fix: `Update Karpenter, its CRDs first, to ${needed} or later while the control plane is still ${from}; its upgrade guide tells what changes.`,
      resource: release,
      source: version.source,
    },
  ];
}

/** The last minor version with Amazon Linux 2 AMIs. */
const LAST_AL2 = 32;

/** Node classes of an operating system that has no AMI for the version. */
function nodeClassTasks({ manifests }: ClusterView, from: string, to: string): readonly Task[] {
  const isStep = (parseMinor(from) ?? 0) <= LAST_AL2 && (parseMinor(to) ?? 0) > LAST_AL2;
  if (!isStep) return [];
  return manifests.flatMap((manifest): readonly Task[] => {
    const { object } = manifest;
    if (dataAt(object, 'kind') !== 'EC2NodeClass' || !takesAl2(manifest)) return [];
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
export function unseenObjects(view: ClusterView, steps: readonly string[]): readonly string[] {
  const { manifests, helmReleases } = view;
  const charts = helmReleases.length;
  const karpenters = helmReleases.filter(isKarpenter);
  const unknown = steps.find((version) => !knowsRemovalsOf(version));
  return [
    `Removed Kubernetes APIs are looked for in the ${manifests.length === 0 ? 'manifests of the input, of which there are none' : `${manifests.length} manifest${manifests.length === 1 ? '' : 's'} of the input`}${charts === 0 ? '' : `; what its ${charts} Helm chart${charts === 1 ? '' : 's'} make${charts === 1 ? 's' : ''} isn't seen`}. The upgrade insights of EKS tell which removed APIs are called: aws eks list-insights.`,
    ...(unknown === undefined ? [] : [`Which APIs Kubernetes ${unknown} removes isn't known here.`]),
    ...karpenters
      .filter(({ version }) => version.kind !== 'known')
      .map(
        (release) =>
          `The version of Karpenter (${release.id}) isn't known; Kubernetes ${steps.at(-1) ?? ''} needs ${oldestKarpenter(steps.at(-1) ?? '') ?? 'one that its compatibility matrix names'} or later.`,
      ),
    ...(karpenters.length > 0
      ? steps
          .filter((version) => oldestKarpenter(version) === undefined)
          .map((version) => `Which Karpenter Kubernetes ${version} needs isn't known here.`)
      : []),
  ];
}
