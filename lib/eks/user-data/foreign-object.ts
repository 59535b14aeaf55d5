import { dataAt, isDataMap } from '../../value';
import { readNodeConfig } from './node-config';
import type { UserDataDocument } from './document';
import { firstMeaningful, sniffedType } from './sniff';

/** Documents that look like a NodeConfig of an EC2 node, and aren't meant to be one. */

/** A Kubernetes object of another kind. */
export interface ForeignObject {
  readonly kind: string;
  readonly apiVersion: string;
  /** Where it says its kind. */
  readonly offset: number;
}

/** What a manifest begins with; a script with manifests in it begins otherwise. */
const KEY = /^(?:---|["']?(?:apiVersion|kind|metadata|spec)["']?[ \t]*:)/;

const API_VERSION =
  /^(["']?)apiVersion\1[ \t]*:[ \t]*(["']?)([a-z0-9][a-z0-9.-]*(?:\/[a-z0-9]+)?)\2[ \t]*(?:#.*)?\r?$/m;
const KIND = /^(["']?)kind\1[ \t]*:[ \t]*(["']?)([A-Z][A-Za-z0-9]*)\2[ \t]*(?:#.*)?\r?$/m;

/**
 * The Kubernetes object that a text is, unless it is a NodeConfig: Karpenter's EC2NodeClass, eksctl's ClusterConfig, a manifest. Of
 * several documents the first one counts, as for nodeadm.
 */
export function foreignObjectIn(text: string): ForeignObject | undefined {
  if (sniffedType(text) !== undefined) return undefined;
  const first = firstMeaningful(text);
  const found = first.startsWith('{') ? fromJson(text) : KEY.test(first) ? fromYaml(text) : undefined;
  return found === undefined || found.kind === 'NodeConfig' || /^node\.eks\.aws(?:\/|$)/.test(found.apiVersion)
    ? undefined
    : found;
}

function fromYaml(text: string): ForeignObject | undefined {
  const { 3: apiVersion } = API_VERSION.exec(text) ?? [];
  const found = KIND.exec(text);
  const { 3: kind } = found ?? [];
  return apiVersion === undefined || kind === undefined || found === null
    ? undefined
    : { kind, apiVersion, offset: found.index };
}

function fromJson(text: string): ForeignObject | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof data !== 'object' || data === null || !('apiVersion' in data) || !('kind' in data)) return undefined;
  const { apiVersion, kind } = data;
  return typeof apiVersion === 'string' && typeof kind === 'string'
    ? { kind, apiVersion, offset: Math.max(0, text.search(/"kind"\s*:/)) }
    : undefined;
}

/**
 * Whether a document is the configuration of a hybrid node: `spec.hybrid` is a field of nodeadm of eks-hybrid, which runs on machines
 * outside of EC2, with the same apiVersion and kind. Source: aws/eks-hybrid: api/v1alpha1/nodeconfig_types.go.
 */
export function isHybridNodeConfig({ format, text }: UserDataDocument): boolean {
  if (format !== 'node-config') return false;
  const { data } = readNodeConfig(text);
  const spec = dataAt(data, 'spec');
  return isDataMap(spec) && (spec['hybrid'] ?? null) !== null;
}
