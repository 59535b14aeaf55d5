import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';
import type { KarpenterRequirement } from './karpenter-node-options';
import { isLabelKey, isLabelValue, LABEL_KEY, LABEL_VALUE } from './labels-and-taints';
import type { TokenTools } from './tokens';

/*
 * What the API server refuses in a NodePool's requirements and limits, or what matches no node. Source: aws/karpenter-provider-aws 1.14,
 * pkg/apis/crds/karpenter.sh_nodepools.yaml, and its guide "NodePools". The keys only grow from version to version.
 */

const DOMAIN = 'karpenter.k8s.aws';

const AWS_KEYS: ReadonlySet<string> = new Set(
  [
    'capacity-reservation-id capacity-reservation-interruptible capacity-reservation-type ec2nodeclass nitro-sandbox placement-group-id placement-group-partition',
    'instance-accelerator-count instance-accelerator-manufacturer instance-accelerator-name instance-capability-flex instance-category instance-cpu',
    'instance-cpu-manufacturer instance-cpu-sustained-clock-speed-mhz instance-ebs-bandwidth instance-encryption-in-transit-supported instance-family',
    'instance-generation instance-gpu-count instance-gpu-manufacturer instance-gpu-memory instance-gpu-name instance-hypervisor instance-local-nvme',
    'instance-memory instance-network-bandwidth instance-size instance-tenancy',
  ].flatMap((line) => line.split(' ')),
);

/** Labels with few values, which Karpenter gives its nodes. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'karpenter.sh/capacity-type': ['on-demand', 'spot', 'reserved'],
  'karpenter.k8s.aws/instance-tenancy': ['default', 'dedicated'],
  'kubernetes.io/arch': ['amd64', 'arm64'],
  'kubernetes.io/os': ['linux', 'windows'],
};

const QUANTITY = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?(?:\d+(?:\.\d*)?|\.\d+))?$/;

/** Refuses limits that aren't quantities. */
export function refuseLimits(
  scope: IConstruct,
  tokens: TokenTools,
  limits: Readonly<Record<string, number | string>>,
): void {
  for (const [name, value] of Object.entries(limits)) {
    if (tokens.isToken(value)) continue;
    if (typeof value === 'number' ? !Number.isInteger(value) : !QUANTITY.test(value))
      refuse(
        scope,
        `limits has ${name} with ${JSON.stringify(value)}; the API takes a whole number or a quantity of Kubernetes, such as 200, "500m" or "800Gi"`,
      );
  }
}

/** Refuses requirements of a NodePool, which has its defaults among them. */
export function refuseRequirements(
  scope: IConstruct,
  tokens: TokenTools,
  requirements: readonly KarpenterRequirement[],
): void {
  if (requirements.length > 100)
    refuse(scope, `requirements has ${requirements.length} with the defaults; a NodePool takes at most 100`);
  for (const { key, operator, values = [] } of requirements) {
    refuseKey(scope, tokens, key);
    const count = values.length;
    const isNumeric = ['Gt', 'Lt', 'Gte', 'Lte'].includes(operator);
    if (operator === 'In' ? count === 0 : isNumeric && count !== 1)
      refuse(
        scope,
        `requirements has "${key}" with ${operator} and ${count} values; it needs ${isNumeric ? 'one' : 'at least one'}`,
      );
    if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
      refuse(scope, `requirements has "${key}" with ${operator} and values, which it doesn't take; leave them out`);
    for (const value of values) {
      if (tokens.isToken(value)) continue;
      if (isNumeric && !/^\d+$/.test(value))
        refuse(scope, `requirements has "${key}" with ${operator} and "${value}"; it takes a whole number`);
      if (!isLabelValue(tokens, value))
        refuse(scope, `requirements has "${key}" with the value "${value}"; ${LABEL_VALUE}`);
      const known = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
      if (known !== undefined && !known.includes(value))
        refuse(
          scope,
          `requirements has "${key}" with the value "${value}", which no node of Karpenter has; the values are ${known.join(', ')}`,
        );
    }
  }
}

function refuseKey(scope: IConstruct, tokens: TokenTools, key: string): void {
  if (tokens.isToken(key)) return;
  if (!isLabelKey(tokens, key)) refuse(scope, `requirements has "${key}"; ${LABEL_KEY}`);
  if (key === 'karpenter.sh/nodepool' || key === 'kubernetes.io/hostname')
    refuse(scope, `requirements has "${key}", which Karpenter takes from nobody`);
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (domain.endsWith(DOMAIN) && !(domain === DOMAIN && AWS_KEYS.has(key.slice(DOMAIN.length + 1))))
    refuse(
      scope,
      `requirements has "${key}", a label that Karpenter doesn't have, so the API refuses the NodePool; those of ${DOMAIN} are ${[...AWS_KEYS].sort().join(', ')}`,
    );
  if (domain.endsWith('karpenter.sh') && key !== 'karpenter.sh/capacity-type')
    refuse(scope, `requirements has "${key}", and of karpenter.sh the API takes karpenter.sh/capacity-type alone`);
}
