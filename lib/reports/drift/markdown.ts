import { isActionable, type ClusterDrift, type DriftReport } from '../../drift/drift';
import { code as inCode, codeBlock, inline } from '../markdown-text';
import { position } from '../summary';
import { bitesText, byPart, headline, partTitle, STATUS_NAMES, sumOf, valuesText } from './words';

/** The result for a change request: what needs a decision has a box to tick off. */
export function* driftMarkdown({ clusters, diagnostics }: DriftReport, version: string): Iterable<string> {
  for (const cluster of clusters) yield* clusterMarkdown(cluster);
  if (diagnostics.length > 0) {
    yield '## Not everything was read\n\n';
    for (const diagnostic of diagnostics)
      yield `- ${diagnostic.severity}: ${inCode(position(diagnostic))} ${inline(diagnostic.message)}\n`;
    yield '\n';
  }
  yield `Compared by eks-guardrails ${version}.\n`;
}

function* clusterMarkdown(cluster: ClusterDrift): Iterable<string> {
  const { items, pin, unseen } = cluster;
  yield `## ${inline(headline(cluster))}\n\n`;
  for (const part of byPart(items)) {
    yield `### ${inline(partTitle(part))}\n\n`;
    for (const item of part.items) {
      const values = valuesText(item);
      const what = [item.setting ?? '', values].filter((text) => text !== '');
      const places = [item.inCode, item.inLive]
        .flatMap((source) => source?.locate() ?? [])
        .filter(({ file }) => file !== '')
        .map((place) => inCode(position(place)));
      const bites = bitesText(item);
      yield `${isActionable(item) ? '- [ ]' : '-'} **${STATUS_NAMES[item.status]}** ${what.map(inCode).join(' ')}${what.length === 0 ? '' : ': '}${inline(item.text)}${bites === undefined ? '' : ` It ${inline(bites)}.`}${places.length === 0 ? '' : ` (${[...new Set(places)].join(', ')})`}\n`;
    }
    yield '\n';
  }
  if (pin !== undefined)
    yield `Configuration values that keep what the cluster has, in every conflict mode:\n\n${codeBlock(JSON.stringify(pin, undefined, 2), 'json')}\n`;
  for (const sentence of unseen) yield `- ${inline(sentence)}\n`;
  if (unseen.length > 0) yield '\n';
  yield `${inline(sumOf(cluster))}\n\n`;
}
