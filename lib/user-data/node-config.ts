import { Document, Scalar } from 'yaml';
import { labelReservedBy, labelsOfFlag } from './node-labels';
import { NODE_CONFIG_FIELDS, type NodeConfigField } from './node-config-schema';
import { serviceCidrProblem } from './service-cidr';

/** `apiVersion` of the NodeConfig that nodeadm of AL2023 AMIs reads. */
export const NODE_CONFIG_API_VERSION = 'node.eks.aws/v1alpha1';
export const NODE_CONFIG_KIND = 'NodeConfig';

/**
 * What nodeadm takes from a NodeConfig (`spec`). Source: awslabs/amazon-eks-ami,
 * `nodeadm/api/v1alpha1/nodeconfig_types.go`.
 */
export interface NodeConfigSpec {
  /** The cluster to join. EKS fills it in for managed node groups without an own AMI. */
  readonly cluster?: ClusterDetails;
  /** What kubelet is started with. */
  readonly kubelet?: KubeletOptions;
  /** What containerd is started with. */
  readonly containerd?: ContainerdOptions;
  /** The node's disks, environment and name servers. */
  readonly instance?: InstanceOptions;
  /**
   * nodeadm's own feature gates, not kubelet's: `InstanceIdNodeName` and `FastImagePull`.
   * @default - both are off
   */
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** The coordinates of a cluster. nodeadm needs the first four; EKS supplies them unless the node group has an AMI of its own. */
export interface ClusterDetails {
  /** Name of the cluster. */
  readonly name?: string;
  /** URL of the API server, `https://…`. */
  readonly apiServerEndpoint?: string;
  /** The cluster's certificate authority as the EKS API gives it: base64, one level. */
  readonly certificateAuthority?: string;
  /** The *service* CIDR, from which nodeadm derives the address of CoreDNS. */
  readonly cidr?: string;
  /**
   * The cluster's control plane runs on an Outpost.
   * @default false
   */
  readonly enableOutpost?: boolean;
  /** Cluster id; needed with `enableOutpost`. */
  readonly id?: string;
}

export interface KubeletOptions {
  /**
   * A KubeletConfiguration, merged over nodeadm's. nodeadm doesn't check its content.
   * @see https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Command line flags, after nodeadm's own, so that they win: `--node-labels=tier=web`. */
  readonly flags?: readonly string[];
  /**
   * CEL expression for the number of pods, with `default_enis`, `ips_per_eni` and `max_pods`; AMIs from v20251007 on.
   * @default - ENIs × (addresses per ENI − 1) + 2
   */
  readonly maxPodsExpression?: string;
}

export interface ContainerdOptions {
  /** TOML, merged into the default configuration. */
  readonly config?: string;
  /** OCI runtime specification, deep-merged into the default. */
  readonly baseRuntimeSpec?: Readonly<Record<string, unknown>>;
}

export interface InstanceOptions {
  /**
   * What happens to the instance store.
   * @default - nothing
   */
  readonly localStorage?: LocalStorageOptions;
  /** Environment variables per systemd service, or `default` for all of them. */
  readonly environment?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * systemd-resolved's name servers and search domains.
   * @default - those of the VPC
   */
  readonly network?: NodeNetworkOptions;
}

export interface LocalStorageOptions {
  /** What to do with the instance store; RAID10 needs at least four disks. */
  readonly strategy?: 'RAID0' | 'RAID10' | 'Mount';
  /**
   * Where the disks are mounted.
   * @default '/mnt/k8s-disks/'
   */
  readonly mountPath?: string;
  /**
   * What is not moved to the disks.
   * @default - none
   */
  readonly disabledMounts?: readonly ('Containerd' | 'PodLogs' | 'SOCI')[];
}

export interface NodeNetworkOptions {
  readonly nameservers?: readonly string[];
  readonly domains?: readonly string[];
}

/** Text written without quotes: a number or boolean that is decided at deployment. */
export class PlainText {
  constructor(readonly text: string) {}
}

/** What is wrong with a NodeConfig, and where. */
export interface NodeConfigProblem {
  /** Dotted path: `spec.kubelet.flags.0`. */
  readonly path: string;
  readonly kind: 'unknown-field' | 'misplaced-field' | 'wrong-type' | 'value';
  /** As the end of "`path` …": "is a string; a list of strings is needed". */
  readonly message: string;
}

/** Tells whether a value can't be judged, because it is decided later. */
export type IsOpaque = (value: unknown) => boolean;

const nothingIsOpaque: IsOpaque = () => false;

/**
 * Checks a NodeConfig against nodeadm's schema and against what nodeadm and its services then do with the values.
 * nodeadm itself drops unknown fields silently, and one wrong type discards all configuration of the user data.
 * @param document the whole document, with `apiVersion`, `kind` and `spec`
 * @param isOpaque tells which values are not known yet; they count as right
 */
export function validateNodeConfig(document: unknown, isOpaque: IsOpaque = nothingIsOpaque): NodeConfigProblem[] {
  if (!isMap(document)) return [{ path: '', kind: 'wrong-type', message: `is ${describe(document)}; a map is needed` }];
  const problems: NodeConfigProblem[] = [];
  for (const [key, expected] of [['apiVersion', NODE_CONFIG_API_VERSION], ['kind', NODE_CONFIG_KIND]] as const) {
    if (document[key] !== expected && !isOpaque(document[key])) {
      problems.push({ path: key, kind: 'value', message: `is ${describe(document[key])}; nodeadm reads only "${expected}"` });
    }
  }
  checkFields(document, '', problems, isOpaque);
  return problems;
}

function checkFields(map: Readonly<Record<string, unknown>>, prefix: string, problems: NodeConfigProblem[], isOpaque: IsOpaque): void {
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const field = NODE_CONFIG_FIELDS.get(path);
    if (field === undefined) problems.push(unknownField(path, key));
    else if (!isOpaque(value)) checkField(value, path, field, problems, isOpaque);
  }
}

function unknownField(path: string, key: string): NodeConfigProblem {
  const elsewhere = [...NODE_CONFIG_FIELDS.keys()].filter((known) => known.split('.').at(-1) === key);
  if (elsewhere.length > 0) {
    return { path, kind: 'misplaced-field', message: `has no effect here: nodeadm reads ${elsewhere.map((known) => `\`${known}\``).join(' or ')}` };
  }
  const nearest = [...NODE_CONFIG_FIELDS.keys()].find((known) => known.toLowerCase() === path.toLowerCase());
  return { path, kind: 'unknown-field', message: `is no field of a NodeConfig and nodeadm drops it${nearest === undefined ? '' : `; it reads \`${nearest}\``}` };
}

function checkField(value: unknown, path: string, field: NodeConfigField, problems: NodeConfigProblem[], isOpaque: IsOpaque): void {
  const wrongType = (at: string, found: unknown, needed: string): void => {
    problems.push({ path: at, kind: 'wrong-type', message: `is ${describe(found)}; ${needed} is needed` });
  };
  switch (field.type) {
    case 'block':
      if (isMap(value)) checkFields(value, path, problems, isOpaque);
      else wrongType(path, value, 'a map');
      return;
    case 'string':
      if (typeof value !== 'string') wrongType(path, value, 'a string');
      else problems.push(...valueProblems(value, path, field));
      return;
    case 'boolean':
      if (typeof value !== 'boolean') wrongType(path, value, 'true or false');
      return;
    case 'map':
      if (!isMap(value)) wrongType(path, value, 'a map');
      else if (path === 'spec.kubelet.config') problems.push(...kubeletConfigProblems(value, path, isOpaque));
      return;
    case 'string-list':
      if (!Array.isArray(value)) {
        wrongType(path, value, 'a list of strings');
        return;
      }
      value.forEach((item: unknown, index) => {
        if (isOpaque(item)) return;
        if (typeof item !== 'string') wrongType(`${path}.${index}`, item, 'a string');
        else problems.push(...valueProblems(item, `${path}.${index}`, field));
      });
      return;
    case 'boolean-map':
    case 'map-of-maps': {
      if (!isMap(value)) {
        wrongType(path, value, 'a map');
        return;
      }
      for (const [key, item] of Object.entries(value)) {
        if (field.values !== undefined && !field.values.includes(key)) problems.push(notOneOf(`${path}.${key}`, key, field.values));
        if (isOpaque(item)) continue;
        if (field.type === 'boolean-map' ? typeof item !== 'boolean' : !isMap(item)) {
          wrongType(`${path}.${key}`, item, field.type === 'boolean-map' ? 'true or false' : 'a map of variables');
        }
      }
    }
  }
}

function valueProblems(value: string, path: string, field: NodeConfigField): NodeConfigProblem[] {
  const problem = (message: string): NodeConfigProblem[] => [{ path, kind: 'value', message }];
  if (field.values !== undefined) {
    const found = field.ignoreCase === true ? value.toLowerCase() : value;
    const allowed = field.ignoreCase === true ? field.values.map((known) => known.toLowerCase()) : field.values;
    return allowed.includes(found) ? [] : [notOneOf(path, value, field.values)];
  }
  if (path === 'spec.cluster.cidr') {
    const wrong = serviceCidrProblem(value);
    return wrong === undefined ? [] : problem(`is "${value}"; it ${wrong}`);
  }
  if (path === 'spec.cluster.certificateAuthority') {
    const wrong = certificateAuthorityProblem(value);
    return wrong === undefined ? [] : problem(wrong);
  }
  if (path.startsWith('spec.kubelet.flags.')) {
    const reserved = labelsOfFlag(value).filter((label) => labelReservedBy(label) === 'kubelet');
    return reserved.length === 0 ? [] : problem(`sets the reserved label ${reserved.join(', ')}; kubelet exits on it`);
  }
  if (field.nonEmpty === true && value.trim() === '') return problem('is empty');
  return [];
}

function notOneOf(path: string, found: string, allowed: readonly string[]): NodeConfigProblem {
  return { path, kind: 'value', message: `is "${found}"; nodeadm knows ${allowed.join(', ')}` };
}

function kubeletConfigProblems(config: Readonly<Record<string, unknown>>, path: string, isOpaque: IsOpaque): NodeConfigProblem[] {
  const maxPods = config.maxPods;
  if (maxPods === undefined || isOpaque(maxPods)) return [];
  if (typeof maxPods !== 'number') return [{ path: `${path}.maxPods`, kind: 'wrong-type', message: `is ${describe(maxPods)}; a number is needed` }];
  if (!Number.isInteger(maxPods) || maxPods < 1) return [{ path: `${path}.maxPods`, kind: 'value', message: `is ${maxPods}; a whole number from 1 on is needed` }];
  return [];
}

/** What is wrong with a certificate authority, as the end of "it …"; undefined if nothing is. */
export function certificateAuthorityProblem(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  if (value.includes('-----BEGIN')) return 'is PEM text; nodeadm needs it base64-encoded, as the EKS API gives it';
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) {
    return 'is no valid base64 (nodeadm: "illegal base64 data"), and nodeadm then discards all configuration of the user data';
  }
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  if (decoded.includes('-----BEGIN CERTIFICATE-----')) return undefined;
  if (Buffer.from(decoded, 'base64').toString('latin1').includes('-----BEGIN')) return 'is base64 of base64; one level is needed';
  return undefined;
}

/** The fields without which nodeadm refuses to start, when nobody else supplies them. */
const REQUIRED_CLUSTER_FIELDS = ['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr'] as const;

/** The required cluster fields that are missing or empty. */
export function missingClusterFields(cluster: ClusterDetails): string[] {
  const missing: string[] = REQUIRED_CLUSTER_FIELDS.filter((field) => cluster[field] === undefined || cluster[field] === '');
  if (cluster.enableOutpost === true && (cluster.id ?? '') === '') missing.push('id');
  return missing;
}

/**
 * Writes a NodeConfig as YAML. All strings are quoted: a cluster named `123` stays a string, whatever is filled in later.
 */
export function renderNodeConfig(spec: NodeConfigSpec): string {
  const document = new Document(
    toNodes({ apiVersion: NODE_CONFIG_API_VERSION, kind: NODE_CONFIG_KIND, spec }),
    { aliasDuplicateObjects: false },
  );
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

function toNodes(value: unknown): unknown {
  if (value instanceof PlainText) {
    const scalar = new Scalar(value.text);
    scalar.type = 'PLAIN';
    return scalar;
  }
  if (Array.isArray(value)) return value.map(toNodes);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, toNodes(item)]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return `"${value}"`;
  return typeof value === 'number' || typeof value === 'boolean' ? `the ${typeof value} ${value}` : `a ${typeof value}`;
}
