import { vpcCni } from '../../knowledge';
import { isText } from './addon';
import type { ClusterView } from '../model/model';
import { objectName } from '../model/resource-name';
import type { KubernetesManifest } from '../model/resources';
import { nearestZone, parseZone } from '../networking/zones';
import {
  type Data,
  dataAt,
  entriesOf,
  except,
  isDataMap,
  Unknown,
  type Resource,
  type Source,
  type When,
} from '../../value';

/** A setting of aws-node that something other than the add-on makes, or relies on. */
export interface OutsideSetting {
  /** Where it belongs in the configuration values: `['env', 'ENABLE_POD_ENI']`. */
  readonly path: readonly string[];
  /** What to write there. */
  readonly value: string;
  /** What EKS writes when it isn't configured. */
  readonly fallback: string;
  /** What shows it, as a subject: "SecurityGroupPolicy web". */
  readonly evidence: string;
  /** What happens when it is lost, as the end of a sentence. */
  readonly effect: string;
  readonly message: string;
  readonly source: Source;
  /** The assumption under which the evidence is there. */
  readonly exists: When;
  /** What is written beside it, because nodes don't start with it alone. */
  readonly beside?: readonly Pick<OutsideSetting, 'path' | 'value'>[];
}

/**
 * Settings of aws-node made outside the vpc-cni add-on that EKS would reset: those that objects of the input rely on
 * (SecurityGroupPolicy where there is no Fargate, ENIConfig), and variables that a patch or manifest of the DaemonSet sets. Only variables that
 * EKS renders by default count; of the others it isn't known that an update touches them.
 */
export function settingsOutsideAddon(view: ClusterView): OutsideSetting[] {
  const settings: OutsideSetting[] = [];
  for (const manifest of view.manifests) {
    const kind = dataAt(manifest.object, 'kind');
    const label = `${typeof kind === 'string' ? kind : 'manifest'} ${objectName(manifest)}`;
    if (kind === 'SecurityGroupPolicy') {
      const setting = reliesOn(
        ['env', 'ENABLE_POD_ENI'],
        label,
        'pods with their own security group get no network interface on new nodes',
        manifest,
      );
      settings.push(...withoutFargate(view, setting.exists).map((exists) => ({ ...setting, exists })));
    } else if (kind === 'ENIConfig') {
      const setting = reliesOn(
        ['env', 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG'],
        label,
        'pods on new nodes get addresses of the node subnet again',
        manifest,
      );
      settings.push(isNamedByZone(manifest) ? { ...setting, beside: [BY_ZONE] } : setting);
    } else if (kind === 'DaemonSet' && dataAt(manifest.object, 'metadata', 'name') === 'aws-node') {
      settings.push(...variablesOf(manifest.object, label, manifest));
    }
  }
  for (const patch of view.patches) {
    const aimsAtAwsNode = ['daemonset/aws-node', 'ds/aws-node', 'daemonset.apps/aws-node'].some(
      (target) => isText(patch.target, target) === 'yes',
    );
    if (aimsAtAwsNode) settings.push(...variablesOf(patch.patch, `patch ${patch.path ?? patch.id}`, patch));
  }
  return settings;
}

/** Without it nodes look for the ENIConfig that a label or annotation of their own names. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig/eniconfig.go. */
const BY_ZONE = { path: ['env', 'ENI_CONFIG_LABEL_DEF'], value: 'topology.kubernetes.io/zone' };

/** Whether an ENIConfig has the name of a zone, or one that is meant to be. */
function isNamedByZone({ object }: KubernetesManifest): boolean {
  const name = dataAt(object, 'metadata', 'name');
  return typeof name === 'string'
    ? parseZone(name) !== undefined || nearestZone(name) !== undefined
    : name instanceof Unknown && name.reference?.attribute === 'AvailabilityZone';
}

/** More combinations of conditions than these aren't told apart. */
const MOST_CASES = 32;

/** Where there surely is no Fargate: a pod there has an interface of its own, whatever the variable says, and a policy may be for such pods only. */
function withoutFargate({ fargateProfiles }: ClusterView, when: When): readonly When[] {
  let rest: readonly When[] = [when];
  for (const { exists } of fargateProfiles) {
    rest = except(rest, exists);
    if (rest.length > MOST_CASES) return [];
  }
  return rest;
}

function reliesOn(
  path: readonly string[],
  evidence: string,
  effect: string,
  { source, exists }: Resource,
): OutsideSetting {
  const setting = path.join('.');
  return {
    path,
    value: 'true',
    fallback: defaultOf(setting),
    evidence,
    effect,
    message: `${evidence} works only with ${setting} "true"`,
    source,
    exists,
  };
}

const CONTAINERS = [
  { list: 'containers', path: ['env'] },
  { list: 'initContainers', path: ['init', 'env'] },
] as const;

function variablesOf(daemonSet: Data, evidence: string, { source, exists }: Resource): OutsideSetting[] {
  const settings: OutsideSetting[] = [];
  for (const { list, path } of CONTAINERS) {
    for (const container of itemsOf(dataAt(daemonSet, 'spec', 'template', 'spec', list))) {
      for (const variable of itemsOf(dataAt(container, 'env'))) {
        const name = dataAt(variable, 'name');
        const value = dataAt(variable, 'value');
        if (typeof name !== 'string') continue;
        const key = [...path, name];
        if (vpcCni.key(key.join('.'))?.rendered !== true) continue;
        const fallback = defaultOf(key.join('.'));
        if (typeof value === 'string' && JSON.stringify(value) === fallback) continue;
        const text = typeof value === 'string' ? value : '…';
        settings.push({
          path: key,
          value: text,
          fallback,
          evidence,
          effect: `what ${evidence} sets is lost`,
          message: `${evidence} sets ${key.join('.')} to "${text}"`,
          source,
          exists,
        });
      }
    }
  }
  return settings;
}

/** Items of a list; the values of a map, for patches that are written as one. */
function itemsOf(data: Data | undefined): readonly Data[] {
  if (Array.isArray(data)) return data as readonly Data[];
  return isDataMap(data) ? entriesOf(data).map(([, value]) => value) : [];
}

function defaultOf(path: string): string {
  return JSON.stringify(vpcCni.key(path)?.default ?? '');
}
