import { addonServiceAccounts } from '../../../knowledge';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { textOf } from './problem';

/*
 * What gives an add-on a role in a cluster that gets no OIDC provider: Pod Identity, which needs none; of vpc-cni, for which eksctl limits the trust to
 * its service account, the provider. Source: eksctl, pkg/actions/addon/create.go.
 */

/** Add-ons to which eksctl gives by itself what the key among its `wellKnownPolicies` does. */
const BY_DEFAULT: Readonly<Record<string, string>> = {
  'aws-ebs-csi-driver': 'ebsCSIController',
  'aws-efs-csi-driver': 'efsCSIController',
};

const AGENT = 'eks-pod-identity-agent';

interface Instead {
  readonly advice: string;
  readonly code?: string;
}

/** @param key what goes nowhere of the add-on */
export function identityInstead(addon: ConfigNode, key: string, file: ConfigFile): Instead {
  const advice = 'Set `iam.withOIDC: true`.';
  const name = addon.child('name').label;
  if (name === 'vpc-cni') return { advice, code: '# in the file:\niam:\n  withOIDC: true' };
  const identity = associationLines(addon, key);
  if (identity === undefined) return { advice };
  const addons = file.root.child('addons').items.map((one) => one.child('name').label);
  const hasAgent = addons.includes(AGENT);
  // In IPv6 clusters eksctl wants associations of vpc-cni beside the agent.
  if (!hasAgent && addons.includes('vpc-cni') && !isIpv4(file)) return { advice };
  return {
    advice: 'Give it the role by Pod Identity in its place, which needs no OIDC provider.',
    code: [
      `# in the add-on "${name}", without ${key}:`,
      ...identity,
      ...(hasAgent ? [] : ['# in the file, one more of addons:', `- name: ${AGENT}`]),
    ].join('\n'),
  };
}

function isIpv4({ isIpv6 }: ConfigFile): boolean {
  return isIpv6.kind === 'absent' || (isIpv6.kind === 'known' && !isIpv6.value);
}

function associationLines(addon: ConfigNode, key: string): readonly string[] | undefined {
  const name = addon.child('name').label;
  const granted = addon.child(key);
  if (key === 'wellKnownPolicies') {
    const [only, ...others] = granted.keys.filter((one) => granted.child(one).raw !== false);
    const isDefault = only !== undefined && others.length === 0 && BY_DEFAULT[name] === only;
    return isDefault ? ['useDefaultPodIdentityAssociations: true'] : undefined;
  }
  const { namespace, accounts = [] } = addonServiceAccounts(name) ?? {};
  const [account, ...more] = accounts.filter((one) => !one.includes('-node-'));
  const policies = granted.items.map((one) => textOf(one));
  if (key !== 'attachPolicyARNs' || account === undefined || more.length > 0 || policies.length === 0) return undefined;
  if (policies.includes(undefined) || addon.at('namespaceConfig', 'namespace').isWritten) return undefined;
  return [
    'podIdentityAssociations:',
    `  - namespace: ${namespace ?? ''}`,
    `    serviceAccountName: ${account}`,
    `    permissionPolicyARNs: [${policies.map((one) => JSON.stringify(one)).join(', ')}]`,
  ];
}
