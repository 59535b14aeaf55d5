import { alternativesOf, dataAt, type ClusterView, type When } from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
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
  for (const release of view.helmReleases)
    if (namesAgent(release.chart) || isText(release.release, AGENT) === 'yes') certain.push(release.exists);
  for (const { object, exists } of view.manifests) {
    if (dataAt(object, 'kind') === 'DaemonSet' && dataAt(object, 'metadata', 'name') === AGENT) certain.push(exists);
  }
  return { certain, possible };
}

function namesAgent(chart: ClusterView['helmReleases'][number]['chart']): boolean {
  return alternativesOf(chart).some(({ value }) => value.kind === 'known' && value.value.includes(AGENT));
}
