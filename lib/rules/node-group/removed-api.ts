import { defineRule, resourceName, type Fix, type Judgement } from '../../engine';
import {
  dataAt,
  isAmongPatches,
  isInManifestFile,
  objectsOf,
  placeIn,
  type Case,
  type Cluster,
  type ClusterView,
  type KubernetesObject,
} from '../../eks';
import { compareVersions, parseMinor, removedApi as removedApiOf, type RemovedApi } from '../../knowledge';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { apiChange, type ApiChange } from './parts/api-changes';
import { WrittenAgain } from './parts/written-again';

/*
 * Kubernetes ends the beta versions of its APIs, and an object that is still written in one can't be applied: the API server doesn't know it.
 * Source: Kubernetes, "Deprecated API Migration Guide".
 */

type Message = ApiChange['kind'];

const TEXT =
  '{{kind}} "{{name}}" is written in `{{api}}`, which Kubernetes no longer serves from {{removedIn}} on, and cluster "{{cluster}}" has {{version}}: applying it fails with "{{error}}".';

const CODE: Fix['code'] = {
  kubernetes: 'apiVersion: {{use}}',
  cloudformation: 'apiVersion: {{use}}',
  'aws-cdk': "apiVersion: '{{use}}',",
  terraform: '{{inTerraform}}',
};

export const removedApi = defineRule<Message>({
  id: 'removed-api',
  subject: 'node-group',
  title: 'Manifests are written in API versions that their cluster serves',
  severity: 'error',
  since: '0.1.0',
  // What runs is served in some version.
  isAboutCode: true,
  messages: {
    version: {
      text: TEXT,
      fix: {
        summary: 'Write `apiVersion: {{use}}`; the fields of this object are the same there.',
        code: CODE,
        safety: 'safe',
        repairsIn: { kubernetes: [{ kind: 'set', field: 'apiVersion', to: '{{use}}' }] },
      },
    },
    fields: {
      text: TEXT,
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    none: {
      text: TEXT,
      fix: {
        summary:
          'Remove it: nothing takes its place in another version. Pod Security Admission does most of what it did, by labels of namespaces such as `pod-security.kubernetes.io/enforce: baseline`.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) yield* judgeView(view);
  },
});

function* judgeView(view: ClusterView): Generator<Judgement<Message>> {
  const again = new WrittenAgain(view);
  for (const object of objectsOf(view)) {
    const api = apiOf(object);
    if (api === undefined) continue;
    const { cluster } = view;
    const reason = cluster === undefined ? "which cluster it is for isn't known" : doubtOf(object, again);
    if (cluster !== undefined && reason === undefined) yield* judge(object, api, cluster);
    else yield { resource: object.resource, ...unverifiable(`${unclear(api)}: ${reason ?? ''}`) };
  }
}

function apiOf({ object }: KubernetesObject): RemovedApi | undefined {
  const [apiVersion, kind] = [dataAt(object, 'apiVersion'), dataAt(object, 'kind')];
  return typeof apiVersion === 'string' && typeof kind === 'string' ? removedApiOf(apiVersion, kind) : undefined;
}

function unclear({ apiVersion, removedIn }: RemovedApi): string {
  return `whether its cluster still serves \`${apiVersion}\`, which is gone from Kubernetes ${removedIn} on, can't be told`;
}

function doubtOf(object: KubernetesObject, again: WrittenAgain): string | undefined {
  const { resource } = object;
  if (resource.kind === 'manifest' && isAmongPatches(resource)) return 'it may be a patch of another object';
  return again.doubtOf(object);
}

function judge(object: KubernetesObject, api: RemovedApi, cluster: Cluster): Iterable<Judgement<Message>> {
  return judgeCases(object.resource, { version: cluster.version }, (values) =>
    judgeVersion(object, api, cluster, values),
  );
}

function judgeVersion(
  object: KubernetesObject,
  api: RemovedApi,
  cluster: Cluster,
  { version }: Case<Pick<Cluster, 'version'>>,
): readonly Outcome<Message>[] {
  if (version.kind === 'unknown') return [undecided(unclear(api), version)];
  if (version.kind === 'absent') return [unverifiable(`${unclear(api)}: the cluster names no version`)];
  if (parseMinor(version.value) === undefined)
    return [unverifiable(`${unclear(api)}: the cluster's version is none that EKS has`, version.source)];
  if (compareVersions(version.value, api.removedIn) < 0) return [{ verdict: 'pass' }];
  const { resource, name } = object;
  const change = apiChange(api, version.value, object);
  const isTyped = resource.kind === 'manifest' && resource.isWrittenInBlocks === true;
  return [
    {
      verdict: 'fail',
      message: change.kind,
      // Nothing but the folder says of a file that it is for this cluster.
      ...(resource.kind === 'manifest' && isInManifestFile(resource) ? { severity: 'warning' } : {}),
      source: placeIn(resource, 'apiVersion'),
      about: `${api.kind} ${name}`,
      data: {
        kind: api.kind,
        name,
        api: api.apiVersion,
        removedIn: api.removedIn,
        cluster: resourceName(cluster),
        version: version.value,
        error: isTyped ? 'the server could not find the requested resource' : 'no matches for kind',
        ...dataOf(change, object),
      },
      related: [
        { message: `cluster "${resourceName(cluster)}" has Kubernetes ${version.value}`, source: version.source },
      ],
    },
  ];
}

function dataOf(change: ApiChange, { resource }: KubernetesObject): Readonly<Record<string, string>> {
  if (change.kind === 'none') return {};
  if (change.kind === 'fields') return { advice: change.advice };
  const { use } = change;
  if (resource.kind === 'helm-release')
    return { use, inTerraform: `# in the values of the chart:\napiVersion: ${use}` };
  return { use, inTerraform: resource.isWrittenInHcl === true ? `apiVersion = "${use}"` : `apiVersion: ${use}` };
}
