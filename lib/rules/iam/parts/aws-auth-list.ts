import type { KubernetesManifest, Source } from '../../../eks';
import type { Severity } from '../../../engine';
import type { Holders } from './aws-auth-holders';
import { parseDocuments } from '../../../languages/parse-document';

/* A text of `aws-auth`, as the authenticator reads it. Source: kubernetes-sigs/aws-iam-authenticator, pkg/mapper/configmap/configmap.go. */

/** What is judged: a list of the ConfigMap, as its text. */
export interface Mapping {
  readonly manifest: KubernetesManifest;
  readonly place: Source;
  readonly text: string;
  readonly severity: Severity;
  readonly key: 'mapRoles' | 'mapUsers' | 'mapAccounts';
  readonly holders: Holders;
}

/** What the authenticator fills in for nodes. */
export const NODE_NAME = '{{EC2PrivateDNSName}}';

/** The entries of a list; a string says what is wrong with it. */
export function listIn(text: string): readonly unknown[] | string {
  // What the authenticator skips.
  if (/^(?:``|""|'')?$/.test(text.trim())) return [];
  const [first] = parseDocuments(text, 'mapRoles.yaml', 'last');
  const { root, diagnostics = [] } = first ?? {};
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (root === undefined && error !== undefined) return `isn't YAML (line ${error.line} of its text: ${error.message})`;
  return Array.isArray(root) ? (root as readonly unknown[]) : 'is no list';
}

export function fieldOf(item: unknown, key: string): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  // The authenticator takes the keys of an entry in any case.
  const written = Object.keys(item).find((one) => one.toLowerCase() === key);
  return written === undefined ? undefined : (item as Readonly<Record<string, unknown>>)[written];
}

/** The groups of an entry, none if it names none, or has a text in place of the list, which the authenticator leaves out; undefined where they aren't known. */
export function groupsOf(item: unknown): readonly string[] | undefined {
  const groups = fieldOf(item, 'groups') ?? [];
  if (typeof groups === 'string' && !isFilledIn(groups)) return [];
  if (!Array.isArray(groups)) return undefined;
  const names = groups.filter((group) => typeof group === 'string' && !isFilledIn(group));
  return names.length === groups.length ? (names as readonly string[]) : undefined;
}

/** What something else puts in before it is applied. */
export function isFilledIn(text: string): boolean {
  return /[$<{]/.test(text);
}

export function isOfNodes(item: unknown): boolean {
  const groups = fieldOf(item, 'groups');
  return Array.isArray(groups) && groups.includes('system:nodes');
}

/** The groups of nodes, those of Windows and of Fargate among them. */
export const OF_NODES: readonly string[] = [
  'system:bootstrappers',
  'system:nodes',
  'system:node-proxier',
  'eks:kube-proxy-windows',
];

/** Whether an entry is for nodes, and for no person besides. */
export function isOfNodesOnly(item: unknown): boolean {
  return isOfNodes(item) && !isOfPeople(item);
}

export function effectOf(item: unknown): string {
  return isOfNodesOnly(item) ? 'the nodes with it never join' : 'who has it gets no access';
}

/** Whether an entry has a name of somebody's own, and more than the groups of nodes. */
function isOfPeople(item: unknown): boolean {
  const username = fieldOf(item, 'username');
  return (
    typeof username === 'string' &&
    !username.startsWith('system:node:') &&
    !isFilledIn(username) &&
    (groupsOf(item) ?? []).some((group) => !OF_NODES.includes(group))
  );
}

export function modeText(severity: Severity, who: string): string {
  return severity === 'error' ? '' : ` An access entry for ${who} would let it in all the same.`;
}

/** @param nth of the places where it stands */
export function placeOf(place: Source, text: string, written: string, nth = 0): Source {
  let start = text.indexOf(written);
  for (let count = 0; count < nth && start >= 0; count += 1) start = text.indexOf(written, start + 1);
  return place.inText?.(text, Math.max(0, start)) ?? place;
}
