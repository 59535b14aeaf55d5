import { removedApi } from '../../knowledge';
import { dataAt, isDataMap, Unknown, type Data } from '../../value';
import { mayMatter, OF_LOAD_BALANCERS } from './manifest-text';

/** Kinds that belong to no namespace. */
const CLUSTER_WIDE: ReadonlySet<unknown> = new Set([
  'ENIConfig',
  'EC2NodeClass',
  'NodeClass',
  'NodePool',
  'Provisioner',
  'AWSNodeTemplate',
  'ClusterPolicy',
  'Installation',
  'GlobalNetworkPolicy',
]);

/** Whether objects of a kind, of those that rules look at, are within a namespace. */
export function isNamespaced(object: Data): boolean {
  return !CLUSTER_WIDE.has(dataAt(object, 'kind'));
}

/**
 * Whether rules, or plans of upgrades, look at an object: most of a cluster they don't. Secrets are none of their business, whatever is in them, and
 * what Helm runs for its tests alone is no part of the release.
 * @param isRendered whether Helm has rendered it; elsewhere its annotations mean nothing
 */
export function isRelevant(object: Data, isRendered: boolean): boolean {
  const kind = dataAt(object, 'kind');
  const apiVersion = dataAt(object, 'apiVersion');
  if (kind === 'Secret' || (isRendered && isTestHook(object))) return false;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return isDataMap(object);
  const name = dataAt(object, 'metadata', 'name');
  if (kind === 'Ingress' || kind === 'Service') return isForLoadBalancer(object) || isRemovedApi(object);
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\n`;
  if (kind === 'ConfigMap') return name instanceof Unknown || (typeof name === 'string' && mayMatter(`name: ${name}`));
  return (mayMatter(text) || isRemovedApi(object)) && !isFragment(object);
}

function isForLoadBalancer(object: Data): boolean {
  const annotations = dataAt(object, 'metadata', 'annotations');
  const names = isDataMap(annotations) ? Object.keys(annotations) : [];
  const classes = ['ingressClassName', 'loadBalancerClass'].map((key) => {
    const name = dataAt(object, 'spec', key);
    return typeof name === 'string' ? `${key}: ${name}` : '';
  });
  return [...names, ...classes].some((text) => OF_LOAD_BALANCERS.test(text));
}

/** Whether an object counts for an upgrade alone, because of its version. */
export function isForUpgradeAlone(object: Data): boolean {
  const kind = dataAt(object, 'kind');
  return typeof kind === 'string' && !mayMatter(`kind: ${kind}`) && isRemovedApi(object);
}

function isRemovedApi(object: Data): boolean {
  const [apiVersion, kind] = [dataAt(object, 'apiVersion'), dataAt(object, 'kind')];
  return typeof apiVersion === 'string' && typeof kind === 'string' && removedApi(apiVersion, kind) !== undefined;
}

/** Tests are what runs: other objects that are called so are applied all the same. */
function isTestHook(object: Data): boolean {
  const kind = dataAt(object, 'kind');
  if (kind !== 'Pod' && kind !== 'Job') return false;
  const hook = dataAt(object, 'metadata', 'annotations', 'helm.sh/hook');
  return typeof hook === 'string' && /(?:^|,)\s*test(?:-success|-failure)?\s*(?:,|$)/.test(hook);
}

const POD_PATHS: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/** What the API server demands of node classes; a patch has none of it. */
const OF_NODE_CLASS = [
  'amiSelectorTerms',
  'subnetSelectorTerms',
  'securityGroupSelectorTerms',
  'role',
  'instanceProfile',
];

/** Whether it is a patch of an object rather than one: it lacks what every object of its kind has. */
function isFragment(object: Data): boolean {
  const kind = dataAt(object, 'kind');
  if (typeof kind !== 'string') return false;
  if (kind === 'EC2NodeClass') {
    const spec = dataAt(object, 'spec');
    return isDataMap(spec) && OF_NODE_CLASS.every((key) => !Object.hasOwn(spec, key));
  }
  const path = Object.hasOwn(POD_PATHS, kind) ? POD_PATHS[kind] : undefined;
  if (path === undefined) return false;
  const spec = dataAt(object, ...path, 'spec');
  if (spec instanceof Unknown) return false;
  const containers = dataAt(spec, 'containers');
  if (containers instanceof Unknown) return false;
  return (
    !Array.isArray(containers) || (containers as readonly Data[]).every((one) => dataAt(one, 'image') === undefined)
  );
}
