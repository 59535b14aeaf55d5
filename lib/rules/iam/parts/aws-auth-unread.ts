import { EntryHolders } from '../../../eks/analysis/aws-auth';
import {
  dataAt,
  placeIn,
  resourceName,
  sourceOf,
  Unknown,
  type Cluster,
  type ClusterView,
  type EksModel,
  type KubernetesManifest,
} from '../../../eks';
import type { Judgement } from '../../../engine';
import { inWords } from '../../../text/in-words';
import { unverifiable } from '../../parts/case-judgements';
import { fieldOf, isOfNodes, listIn } from './aws-auth-list';

/*
 * The ConfigMap of a cluster that knows access entries alone: what it maps is in vain, unless an entry lets the same in.
 * Source: Amazon EKS user guide, "Grant IAM users and roles access to Kubernetes APIs", the authentication modes.
 */

/** What EKS makes an access entry for by itself: nodes of Fargate. */
const OF_FARGATE = 'system:node-proxier';

export function* judgeUnread(
  cluster: Cluster,
  view: ClusterView,
  manifest: KubernetesManifest,
  model: EksModel,
): Generator<Judgement<'unread'>> {
  const mapped = [...entriesOf(manifest, 'mapRoles', 'rolearn'), ...entriesOf(manifest, 'mapUsers', 'userarn')];
  if (mapped.length === 0) return;
  const holders = new EntryHolders(view, model.roles);
  const judged = mapped
    .filter(({ item }) => !isOfFargate(item, view))
    .map((entry) => ({ ...entry, lets: holders.lets(entry.arn, manifest) }));
  const lost = judged.filter(({ lets }) => lets === 'not');
  const [first] = lost;
  if (first !== undefined)
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'data', first.key), verdict: 'fail', message: 'unread' },
      severity: 'warning',
      data: {
        cluster: resourceName(cluster),
        who: inWords(lost.map(({ arn }) => `\`${arn}\``)),
        effect: lost.some(({ item }) => isOfNodes(item))
          ? 'nodes with such a role never join the cluster'
          : 'nobody of these gets in by it',
      },
      related: [
        { message: `the mode of cluster "${resourceName(cluster)}"`, source: sourceOf(cluster.authenticationMode) },
      ],
    };
  else if (judged.some(({ lets }) => lets === 'perhaps'))
    yield {
      resource: manifest,
      ...unverifiable(
        "the cluster goes by access entries alone, and whether these let in all that `aws-auth` maps isn't known",
      ),
    };
  else yield { resource: manifest, verdict: 'pass' };
}

interface Entry {
  readonly key: 'mapRoles' | 'mapUsers';
  readonly item: unknown;
  readonly arn: string;
}

function entriesOf(manifest: KubernetesManifest, key: Entry['key'], field: string): readonly Entry[] {
  const data = dataAt(manifest.object, 'data', key) ?? undefined;
  const text = data instanceof Unknown ? data.text : data;
  const list = typeof text === 'string' ? listIn(text) : [];
  if (typeof list === 'string') return [];
  return list.flatMap((item): readonly Entry[] => {
    const arn = fieldOf(item, field);
    return typeof arn === 'string' && arn !== '' ? [{ key, item, arn }] : [];
  });
}

function isOfFargate(item: unknown, { fargateProfiles }: ClusterView): boolean {
  const groups = fieldOf(item, 'groups');
  return fargateProfiles.length > 0 && Array.isArray(groups) && groups.includes(OF_FARGATE);
}
