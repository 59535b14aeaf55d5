import type { ConfigProblem } from '../../../eks';
import { compareVersions } from '../../../knowledge';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { idle, refused } from './problem';

/* What eksctl refuses of a cluster. Source: apis/eksctl.io/v1alpha5/validation.go, ctl/cmdutils/configfile.go. */

const LOG_RETENTION = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Source: apis/eksctl.io/v1alpha5/types.go, supportedKarpenterVersion. */
const OLDEST_KARPENTER = '0.20.0';

const AGENT = 'eks-pod-identity-agent';

export function clusterProblems(file: ConfigFile): readonly ConfigProblem[] {
  return [
    ...identityProblems(file),
    ...networkProblems(file),
    ...(file.ipFamily.kind === 'known' && file.ipFamily.value === 'ipv6' ? ipv6Problems(file) : []),
    ...autoModeProblems(file),
    ...otherProblems(file),
    ...podIdentityProblems(file),
  ];
}

function identityProblems({ root, withOidc }: ConfigFile): readonly ConfigProblem[] {
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
  for (const item of accounts.items) {
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
  if (karpenter.isWritten) {
    if (!karpenter.child('version').isWritten)
      problems.push(refused(karpenter, '`karpenter` names no version', 'Set `karpenter.version`.'));
    const version = karpenter.child('version').text;
    if (
      version.kind === 'known' &&
      /^v?\d+\.\d+/.test(version.value) &&
      compareVersions(version.value, OLDEST_KARPENTER) < 0
    )
      problems.push(
        refused(
          karpenter.child('version'),
          `Karpenter ${version.value} is older than ${OLDEST_KARPENTER}, the first that eksctl installs`,
          'Name a version that the Kubernetes version of the cluster works with.',
        ),
      );
    if (hasNone)
      problems.push(
        refused(
          karpenter,
          '`karpenter` needs an OIDC provider, which the file does not ask for',
          'Set `iam.withOIDC: true`.',
        ),
      );
  }
  const mode = root.at('accessConfig', 'authenticationMode');
  if (mode.raw === 'CONFIG_MAP' && root.at('accessConfig', 'accessEntries').items.length > 0)
    problems.push(
      refused(
        mode,
        'there are access entries in the mode `CONFIG_MAP`, which knows none',
        'Set `accessConfig.authenticationMode: API_AND_CONFIG_MAP`.',
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
  return problems;
}

function networkProblems({ root, ipFamily }: ConfigFile): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const zones = root.child('availabilityZones');
  if (zones.items.length === 1)
    problems.push(refused(zones, 'a cluster in one availability zone is not possible', 'Name at least two zones.'));
  const endpoints = root.at('vpc', 'clusterEndpoints');
  const isPrivate = root.at('privateCluster', 'enabled').raw === true;
  if (!isPrivate && endpoints.child('publicAccess').raw === false && endpoints.child('privateAccess').raw !== true)
    problems.push(
      refused(
        endpoints,
        'both endpoints of the cluster are off, so that nobody could reach it',
        'Set `vpc.clusterEndpoints.privateAccess: true`.',
      ),
    );
  const access = ['publicAccess', 'privateAccess']
    .map((key) => endpoints.child(key))
    .find(({ isWritten }) => isWritten);
  if (isPrivate && access !== undefined)
    problems.push(
      refused(
        access,
        'a fully private cluster (`privateCluster.enabled`) decides on its endpoints by itself',
        'Take `publicAccess` and `privateAccess` out: the cluster gets the private endpoint alone.',
      ),
    );
  if (ipFamily.kind === 'known' && !['ipv4', 'ipv6'].includes(ipFamily.value))
    problems.push(
      refused(
        root.at('kubernetesNetworkConfig', 'ipFamily'),
        `there is no IP family "${ipFamily.value}"`,
        'Write `IPv4` or `IPv6`.',
      ),
    );
  const isV6 = ipFamily.kind === 'known' && ipFamily.value === 'ipv6';
  const extra = root.at('vpc', 'extraIPv6CIDRs');
  if (!isV6 && ipFamily.kind !== 'unknown' && extra.items.length > 0)
    problems.push(
      refused(
        extra,
        '`vpc.extraIPv6CIDRs` are for IPv6 clusters',
        'Take them out, or set `kubernetesNetworkConfig.ipFamily: IPv6`.',
      ),
    );
  const own = root.at('vpc', 'securityGroup');
  if (own.isWritten && root.at('vpc', 'controlPlaneSecurityGroupIDs').items.length > 0)
    problems.push(
      refused(
        own,
        '`vpc.securityGroup` and `vpc.controlPlaneSecurityGroupIDs` exclude each other',
        'Keep one of them.',
      ),
    );
  const rules = root.at('vpc', 'manageSharedNodeSecurityGroupRules');
  if (rules.raw === false && !root.at('vpc', 'sharedNodeSecurityGroup').isWritten)
    problems.push(
      refused(
        rules,
        '`vpc.manageSharedNodeSecurityGroupRules: false` is for a shared security group of your own',
        'Take it out, or set `vpc.sharedNodeSecurityGroup`.',
      ),
    );
  if (root.at('vpc', 'subnets').isWritten && zones.items.length > 0)
    problems.push(
      refused(
        zones,
        '`availabilityZones` and `vpc.subnets` exclude each other',
        'Take `availabilityZones` out: the subnets have zones.',
      ),
    );
  return problems;
}

function ipv6Problems(file: ConfigFile): readonly ConfigProblem[] {
  const { root, withOidc } = file;
  const problems: ConfigProblem[] = [];
  const refusedBeside = (node: ConfigNode, name: string): void => {
    if (node.isWritten) problems.push(refused(node, `\`${name}\` does not go with IPv6`, 'Take it out.'));
  };
  refusedBeside(root.at('kubernetesNetworkConfig', 'serviceIPv4CIDR'), 'kubernetesNetworkConfig.serviceIPv4CIDR');
  refusedBeside(root.at('vpc', 'nat'), 'vpc.nat');
  refusedBeside(root.child('localZones'), 'localZones');
  if (file.usesAutoMode) return problems;
  const addons = root.child('addons');
  if (!file.lists('coredns'))
    problems.push(
      refused(
        addons.isWritten ? addons : root.at('kubernetesNetworkConfig', 'ipFamily'),
        'an IPv6 cluster has to list the add-on coredns',
        'Add `- name: coredns` to `addons`.',
      ),
    );
  const cni = addons.items.find((item) => item.child('name').raw === 'vpc-cni');
  if (cni === undefined) return problems;
  const hasAgent = file.lists(AGENT);
  if (!hasAgent && withOidc.kind === 'known' && !withOidc.value)
    problems.push(
      refused(
        cni,
        'vpc-cni of an IPv6 cluster needs an identity, and there is neither an OIDC provider nor the Pod Identity agent',
        `Set \`iam.withOIDC: true\`, or add \`${AGENT}\` to \`addons\` and set \`useDefaultPodIdentityAssociations: true\` on vpc-cni.`,
      ),
    );
  const isAutomatic = root.at('addonsConfig', 'autoApplyPodIdentityAssociations').raw === true;
  if (
    hasAgent &&
    !isAutomatic &&
    cni.child('useDefaultPodIdentityAssociations').raw !== true &&
    cni.child('podIdentityAssociations').items.length === 0
  )
    problems.push(
      refused(
        cni,
        'beside the Pod Identity agent, vpc-cni of an IPv6 cluster has to have an association',
        'Set `useDefaultPodIdentityAssociations: true` on it.',
      ),
    );
  return problems;
}

const MANAGED_BY_AUTO_MODE = new Set(['vpc-cni', 'kube-proxy', 'coredns', AGENT, 'aws-ebs-csi-driver']);

function autoModeProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  if (!file.usesAutoMode) return [];
  const problems: ConfigProblem[] = [];
  for (const name of ['managedNodeGroups', 'nodeGroups']) {
    const groups = root.child(name);
    if (groups.items.length > 0)
      problems.push(
        refused(
          groups,
          '`eksctl create cluster` makes no node groups beside Auto Mode',
          'Leave them to Auto Mode, or create them later with `eksctl create nodegroup`, from a file of their own.',
        ),
      );
  }
  const networking = root
    .child('addons')
    .items.find((item) => ['vpc-cni', 'kube-proxy', 'coredns'].includes(item.child('name').label));
  const needsThem = root.child('fargateProfiles').items.length > 0 || root.child('remoteNetworkConfig').isWritten;
  if (networking !== undefined && !needsThem && MANAGED_BY_AUTO_MODE.has(networking.child('name').label))
    problems.push(
      refused(
        networking,
        `add-on ${networking.child('name').label} is part of Auto Mode already`,
        'Take the add-on out.',
      ),
    );
  return problems;
}

function otherProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const problems: ConfigProblem[] = [];
  const days = root.at('cloudWatch', 'clusterLogging', 'logRetentionInDays');
  if (typeof days.raw === 'number' && days.raw !== 0 && !LOG_RETENTION.includes(days.raw))
    problems.push(
      refused(days, `CloudWatch keeps no logs for ${days.raw} days`, `Choose one of ${LOG_RETENTION.join(', ')}.`),
    );
  const encryption = root.child('secretsEncryption');
  if (encryption.isWritten && !encryption.child('keyARN').isWritten)
    problems.push(refused(encryption, '`secretsEncryption` names no key', 'Set `secretsEncryption.keyARN`.'));
  if (root.at('privateCluster', 'enabled').raw === true)
    for (const name of ['managedNodeGroups', 'nodeGroups'])
      for (const group of root.child(name).items)
        if (
          group.child('privateNetworking').raw !== true &&
          group.child('privateNetworking').boolean.kind !== 'unknown'
        )
          problems.push(
            refused(
              group,
              `group ${group.child('name').label} of a fully private cluster is not in private subnets`,
              'Set `privateNetworking: true`.',
            ),
          );
  return problems;
}

/**
 * Of the endpoints of a fully private cluster that eksctl makes none is for Pod Identity, and it takes no such name for a further one. Source: eksctl,
 * apis/eksctl.io/v1alpha5/endpoint_service.go.
 */
function podIdentityProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const isMade = !root.at('vpc', 'id').isWritten && !root.at('vpc', 'subnets').isWritten;
  if (
    root.at('privateCluster', 'enabled').raw !== true ||
    root.at('privateCluster', 'skipEndpointCreation').raw === true ||
    !isMade
  )
    return [];
  const addons = root.child('addons').items;
  const user = [
    root.at('iam', 'podIdentityAssociations'),
    ...addons.map((addon) => addon.child('podIdentityAssociations')),
    ...addons.map((addon) => addon.child('useDefaultPodIdentityAssociations')),
    root.at('addonsConfig', 'autoApplyPodIdentityAssociations'),
  ].find(hasContent);
  return user === undefined || user.raw === false
    ? []
    : [
        idle(
          user,
          'in a fully private cluster pods get no credentials by Pod Identity: eksctl makes endpoints for EC2, ECR, S3 and STS, and neither makes nor takes one for `eks-auth`, which the agent on the nodes asks',
          'Make an interface endpoint for `eks-auth` in the VPC that eksctl has made, with private DNS and a security group that lets the nodes in on port 443; or give the roles by `iam.serviceAccounts`, for which the endpoint of STS is there.',
        ),
      ];
}

export function hasContent(node: ConfigNode): boolean {
  if (!node.isWritten || node.raw === '') return false;
  if (Array.isArray(node.raw)) return node.items.length > 0;
  return typeof node.raw !== 'object' || node.keys.some((key) => node.child(key).raw !== false);
}
