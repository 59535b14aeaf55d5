import type { ConfigProblem } from '../../../eks';
import { compareVersions } from '../../../knowledge';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { hasContent, idle, refused, refusedByEks, textOf } from './problem';

/* What eksctl refuses of identities of a cluster. Source: apis/eksctl.io/v1alpha5/validation.go, ctl/cmdutils/pod_identity_association.go. */

/** Source: apis/eksctl.io/v1alpha5/types.go, supportedKarpenterVersion. */
const OLDEST_KARPENTER = '0.20.0';

/** Source: Amazon EKS API Reference, CreateAccessConfigRequest. */
const MODES = ['API', 'API_AND_CONFIG_MAP', 'CONFIG_MAP'];

const AGENT = 'eks-pod-identity-agent';

export function identityProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root, withOidc } = file;
  const accounts = root.at('iam', 'serviceAccounts');
  const hasNone = withOidc.kind === 'known' && !withOidc.value;
  const problems: ConfigProblem[] = [];
  if (hasNone && accounts.items.length > 0)
    problems.push(
      refused(
        accounts,
        '`iam.serviceAccounts` need an OIDC provider, which the file does not ask for',
        'Set `iam.withOIDC: true`.',
      ),
    );
  const seen = new Set<string>();
  for (const item of accounts.items) {
    const name = textOf(item.at('metadata', 'name'));
    const namespace = item.at('metadata', 'namespace').isWritten ? textOf(item.at('metadata', 'namespace')) : 'default';
    const whole = name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`;
    if (whole !== undefined && seen.has(whole))
      problems.push(
        refused(
          item.at('metadata', 'name'),
          `two service accounts are called ${whole}`,
          'Put their policies into one.',
        ),
      );
    if (whole !== undefined) seen.add(whole);
    // A key at a wrong place is told of itself.
    if (!item.at('metadata', 'name').isWritten && !item.child('name').isWritten)
      problems.push(refused(item, 'a service account has no name', 'Set `metadata.name`.'));
    const grants = ['attachPolicyARNs', 'attachPolicy', 'wellKnownPolicies', 'attachRoleARN'];
    if (!grants.some((key) => hasContent(item.child(key)) || item.at('metadata', key).isWritten))
      problems.push(
        refused(
          item,
          `service account ${item.at('metadata', 'name').label} has neither policies nor a role`,
          'Give it `attachPolicyARNs`, `attachPolicy`, `wellKnownPolicies` or `attachRoleARN`.',
        ),
      );
  }
  const karpenter = root.child('karpenter');
  const mode = root.at('accessConfig', 'authenticationMode');
  if (mode.raw === 'CONFIG_MAP' && root.at('accessConfig', 'accessEntries').items.length > 0)
    problems.push(
      refused(
        mode,
        'there are access entries in the mode `CONFIG_MAP`, which knows none',
        'Set `accessConfig.authenticationMode: API_AND_CONFIG_MAP`.',
      ),
    );
  const written = textOf(mode);
  if (written !== undefined && !MODES.includes(written))
    problems.push(
      refusedByEks(
        mode,
        `there is no authentication mode "${written}"`,
        'Write `API_AND_CONFIG_MAP`, or `API`, with which the ConfigMap aws-auth does not count.',
      ),
    );
  const letsNodesIn = root
    .at('accessConfig', 'accessEntries')
    .items.some((entry) => entry.child('type').raw === 'EC2_LINUX');
  if (karpenter.isWritten && mode.raw === 'API' && !letsNodesIn)
    problems.push(
      idle(
        karpenter,
        'eksctl lets the nodes of Karpenter in by the ConfigMap aws-auth alone, which a cluster in the mode `API` does not read: they never join',
        'Set `accessConfig.authenticationMode: API_AND_CONFIG_MAP`, or add an access entry of type EC2_LINUX for the role `eksctl-KarpenterNodeRole-<cluster>`.',
      ),
    );
  const mappings = root.child('iamIdentityMappings');
  if (mode.raw === 'API' && mappings.items.length > 0)
    problems.push(
      idle(
        mappings,
        '`iamIdentityMappings` go to the ConfigMap aws-auth, which a cluster in the mode `API` does not read: nobody gets in by them',
        'Write them as `accessConfig.accessEntries`.',
      ),
    );
  return [...problems, ...karpenterProblems(root, hasNone), ...associationProblems(root), ...agentProblems(file)];
}

function karpenterProblems(root: ConfigNode, hasNoProvider: boolean): readonly ConfigProblem[] {
  const karpenter = root.child('karpenter');
  if (!karpenter.isWritten) return [];
  const problems: ConfigProblem[] = [];
  if (!karpenter.child('version').isWritten)
    problems.push(refused(karpenter, '`karpenter` names no version', 'Set `karpenter.version`.'));
  const version = karpenter.child('version').text;
  if (version.kind === 'known' && !/^v?\d+(?:\.\d+)*(?:[-+].*)?$/.test(version.value))
    problems.push(
      refused(
        karpenter.child('version'),
        `"${version.value}" is no version of Karpenter`,
        'Name a version that the Kubernetes version of the cluster works with, such as `1.8.1`.',
      ),
    );
  else if (version.kind === 'known' && compareVersions(version.value, OLDEST_KARPENTER) < 0)
    problems.push(
      refused(
        karpenter.child('version'),
        `Karpenter ${version.value} is older than ${OLDEST_KARPENTER}, the first that eksctl installs`,
        'Name a version that the Kubernetes version of the cluster works with.',
      ),
    );
  if (hasNoProvider)
    problems.push(
      refused(
        karpenter,
        '`karpenter` needs an OIDC provider, which the file does not ask for',
        'Set `iam.withOIDC: true`.',
      ),
    );
  return problems;
}

/**
 * Source: ctl/cmdutils/configfile.go, NewCreateClusterLoader. The commands for associations and add-ons alone ask the cluster, which may have the
 * agent.
 */
function agentProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const auto = root.at('autoModeConfig', 'enabled').boolean;
  const addons = root.child('addons');
  if (!file.createsCluster || auto.kind === 'unknown' || file.usesAutoMode) return [];
  // What is filled in may be the agent.
  const names = addons.items.map((addon) => textOf(addon.child('name')));
  if (names.some((name) => name === undefined || name === AGENT) || addons.texts.kind === 'unknown') return [];
  const user = [
    root.at('iam', 'podIdentityAssociations'),
    ...addons.items.flatMap((addon) => [
      root.at('addonsConfig', 'autoApplyPodIdentityAssociations'),
      addon.child('useDefaultPodIdentityAssociations'),
      addon.child('podIdentityAssociations'),
    ]),
  ].find((node) => (node.isList ? node.items.length > 0 : node.raw === true));
  return user === undefined
    ? []
    : [
        refused(
          user,
          `there are Pod Identity associations and no add-on ${AGENT}, without which pods get no credentials by them`,
          `Add \`- name: ${AGENT}\` to \`addons\`.`,
          'pod-identity-agent',
        ),
      ];
}

function associationProblems(root: ConfigNode): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const item of root.at('iam', 'podIdentityAssociations').items.filter(({ isWritten }) => isWritten)) {
    for (const key of ['namespace', 'serviceAccountName'])
      if (!item.child(key).isWritten)
        problems.push(refused(item, `a Pod Identity association has no \`${key}\``, `Set \`${key}\`.`));
    const name = item.child('serviceAccountName').label;
    problems.push(...grantProblems(item, `the association of ${name === '' ? 'a service account' : name}`));
  }
  return problems;
}

const POLICIES = ['permissionPolicy', 'permissionPolicyARNs', 'wellKnownPolicies'];

/** What gives a Pod Identity association its permissions. */
export function grantProblems(item: ConfigNode, title: string): readonly ConfigProblem[] {
  const policies = POLICIES.filter((key) => hasContent(item.child(key)));
  const role = item.child('roleARN');
  const [policy] = policies;
  const problems: ConfigProblem[] = [];
  if (!hasContent(role) && policy === undefined)
    problems.push(
      refused(item, `${title} has neither a role nor policies`, 'Set `permissionPolicyARNs` or `roleARN`.'),
    );
  if (hasContent(role) && policy !== undefined)
    problems.push(
      refused(
        item.child(policy),
        `${title} names a role and policies (\`${policies.join('`, `')}\`)`,
        'Keep the role, and attach the policies to it; or take `roleARN` out.',
      ),
    );
  const policyName = item.child('permissionPolicyName');
  const written = textOf(policyName);
  if (written !== undefined && !/[a-zA-Z\d]/.test(written))
    problems.push(
      refused(policyName, `"${written}" is no name of a policy`, 'Write one with a letter or a digit in it.'),
    );
  if (hasContent(policyName) && !hasContent(item.child('permissionPolicy')))
    problems.push(
      refused(
        policyName,
        `${title} names a policy that it doesn't write`,
        'Write `permissionPolicy`, or take the name out.',
      ),
    );
  return problems;
}
