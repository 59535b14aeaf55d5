import {
  alternativesOf,
  dataAt,
  type ClusterView,
  type Data,
  type HelmRelease,
  type KubernetesManifest,
  type When,
} from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import { outsiderFor, strayDoubt } from '../../../eks/analysis/unseen';
import { meantName } from '../../../text/nearest';

/** The add-on, and what else is called so: the chart and the DaemonSet. */
export const AGENT = 'eks-pod-identity-agent';

/** Add-ons that are meant to be the agent, by their names but for a few letters. */
export function misspeltAgents({ addons }: ClusterView, when: When) {
  return addons.flatMap((addon) =>
    alternativesOf(addon.name).flatMap(({ when: given, value }) => {
      const both = when.and(addon.exists)?.and(given);
      const found = value.kind === 'known' && meantName(value.value, [AGENT]) !== undefined ? value.value : undefined;
      return both === undefined || found === undefined ? [] : [{ addon, found, source: value.source, when: both }];
    }),
  );
}

/** When something installs the agent, and whether something else may. */
export function agentsOf(view: ClusterView): { readonly certain: readonly When[]; readonly possible: boolean } {
  const certain: When[] = [];
  let possible = false;
  for (const addon of view.addons) {
    for (const { when, value } of alternativesOf(addon.name)) {
      const both = addon.exists.and(when);
      const answer = isText(value, AGENT);
      if (both === undefined) continue;
      if (answer === 'yes') certain.push(both);
      else if (answer === 'maybe') possible = true;
    }
  }
  certain.push(...otherAgents(view).map(({ exists }) => exists));
  for (const one of view.cluster?.lookedUp ?? [])
    if (one.kind === 'addon' && isText(one.name, AGENT) === 'yes') certain.push(one.exists);
  return { certain, possible };
}

/** Why something may install the agent that isn't looked into, or isn't known to be of this cluster. */
export function unseenAgent(view: ClusterView): string | undefined {
  const outsider = outsiderFor(view, 'install');
  if (outsider !== undefined) return `${outsider} may install the Pod Identity agent`;
  for (const stray of view.strays) {
    const [agent] = [...stray.addons.filter(({ name }) => isText(name, AGENT) === 'yes'), ...otherAgents(stray)];
    if (agent !== undefined) return strayDoubt(agent);
  }
  return undefined;
}

/** Charts and manifests that install it. */
function otherAgents({ helmReleases, manifests }: ClusterView): readonly (HelmRelease | KubernetesManifest)[] {
  return [
    ...helmReleases.filter(({ chart, release }) => namesAgent(chart) || isText(release, AGENT) === 'yes'),
    ...manifests.filter(({ object }) =>
      dataAt(object, 'kind') === 'DaemonSet' ? dataAt(object, 'metadata', 'name') === AGENT : deliversAgent(object),
    ),
  ];
}

/** Whether an object of Argo CD or Flux has the chart installed, from a repository of charts or from one of git. */
function deliversAgent(object: Data): boolean {
  const spec = dataAt(object, 'spec');
  const several = dataAt(spec, 'sources');
  const sources = Array.isArray(several) ? (several as readonly Data[]) : [dataAt(spec, 'source')];
  const kind = dataAt(object, 'kind');
  if (kind === 'Application')
    return sources.some((one) => isOfAgent(dataAt(one, 'chart')) || isOfAgent(dataAt(one, 'path')));
  return kind === 'HelmRelease' && isOfAgent(dataAt(spec, 'chart', 'spec', 'chart'));
}

function isOfAgent(text: Data | undefined): boolean {
  return typeof text === 'string' && text.includes(AGENT);
}

function namesAgent(chart: HelmRelease['chart']): boolean {
  return alternativesOf(chart).some(({ value }) => value.kind === 'known' && value.value.includes(AGENT));
}
