import type { IConstruct } from 'constructs';
import { labelReservedBy } from '../../lib/eks/user-data/node-labels';
import { refuse } from './construction-error';
import { TAINT_EFFECTS, type Taint } from './node-options';
import type { TokenTools } from './tokens';

/*
 * EKS and kubelet refuse a label or taint that Kubernetes doesn't take, EKS only when the deployment has begun.
 * Source: Kubernetes documentation, "Labels and Selectors", "Syntax and character set"; "Taints and Tolerations".
 */

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const DOMAIN_PART = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export const LABEL_KEY =
  'a key is a name of letters, digits, "-", "_" and "." of at most 63 characters, with or without a domain and "/" before it';
export const LABEL_VALUE =
  'a value has letters, digits, "-", "_" and "." only, begins and ends with a letter or digit, and has at most 63 characters';

/** Refuses labels and taints with which nodes don't join, or that EKS doesn't take. */
export function refuseLabelsAndTaints(
  scope: IConstruct,
  tokens: TokenTools,
  {
    labels = {},
    taints = [],
  }: { readonly labels?: Readonly<Record<string, string>>; readonly taints?: readonly Taint[] },
): void {
  for (const [key, value] of Object.entries(labels)) {
    if (!isLabelKey(tokens, key)) refuse(scope, `labels has "${key}"; ${LABEL_KEY}`);
    if (!isLabelValue(tokens, value)) refuse(scope, `labels has "${key}" with the value "${value}"; ${LABEL_VALUE}`);
    const owner = tokens.isToken(key) ? undefined : labelReservedBy(key);
    if (owner === 'kubelet')
      refuse(
        scope,
        `labels has "${key}", which kubelet refuses to start with; use node.kubernetes.io/… or a domain of your own`,
      );
    if (owner === 'eks')
      refuse(
        scope,
        `labels has "${key}", whose prefix EKS keeps for labels that it sets itself; use a domain of your own`,
      );
  }
  if (taints.length > 50) refuse(scope, `taints has ${taints.length} taints; EKS takes at most 50`);
  const seen = new Set<string>();
  for (const { key, value, effect } of taints) {
    if (!isLabelKey(tokens, key)) refuse(scope, `taints has "${key}"; ${LABEL_KEY}`);
    if (value !== undefined && !isLabelValue(tokens, value))
      refuse(scope, `taints has "${key}" with the value "${value}"; ${LABEL_VALUE}`);
    if (!Object.hasOwn(TAINT_EFFECTS, effect))
      refuse(
        scope,
        `taints has "${key}" with the effect "${effect}"; EKS has ${Object.keys(TAINT_EFFECTS).join(', ')}`,
      );
    const identity = `${key} ${effect}`;
    if (seen.has(identity))
      refuse(scope, `taints has "${key}" with the effect ${effect} twice; a node can have it once`);
    seen.add(identity);
  }
}

export function isLabelKey(tokens: TokenTools, key: string): boolean {
  if (tokens.isToken(key)) return true;
  const slash = key.indexOf('/');
  const domain = slash < 0 ? undefined : key.slice(0, slash);
  return (
    NAME.test(key.slice(slash + 1)) &&
    (domain === undefined || (domain.length <= 253 && domain.split('.').every((part) => DOMAIN_PART.test(part))))
  );
}

export function isLabelValue(tokens: TokenTools, value: string): boolean {
  return tokens.isToken(value) || value === '' || NAME.test(value);
}
