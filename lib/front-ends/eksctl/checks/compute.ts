import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { hasContent, refused, refusedByCommand, textOf } from './problem';
import { hasStranger } from './shape';

/* What eksctl refuses of nodes that it makes no groups for. Source: apis/eksctl.io/v1alpha5/validation.go. */

/** Source: apis/eksctl.io/v1alpha5/auto_mode.go. */
const NODE_POOLS = ['general-purpose', 'system'];

function nodePoolProblems(auto: ConfigNode): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const pools = auto.child('nodePools');
  const [role, boundary] = [auto.child('nodeRoleARN'), auto.child('permissionsBoundaryARN')];
  for (const [node, key] of [
    [role, 'nodeRoleARN'],
    [boundary, 'permissionsBoundaryARN'],
  ] as const)
    if (hasContent(node) && pools.isList && pools.items.length === 0)
      problems.push(
        refused(
          node,
          `\`autoModeConfig.${key}\` is for the node pools of EKS, of which there are to be none`,
          'Take it out, and name the role in your own NodeClass; or take `nodePools: []` out.',
        ),
      );
  if (hasContent(role) && hasContent(boundary))
    problems.push(
      refused(
        boundary,
        'a boundary is for a role that eksctl makes, and `autoModeConfig` names one',
        'Take `permissionsBoundaryARN` out, or the role.',
      ),
    );
  const seen = new Set<string>();
  for (const pool of pools.items) {
    const name = textOf(pool);
    if (name === undefined) continue;
    if (!NODE_POOLS.includes(name))
      problems.push(
        refused(
          pool,
          `Auto Mode has no node pool "${name}" of its own`,
          `Write \`${NODE_POOLS.join('` or `')}\`; other pools are NodePools in Kubernetes.`,
        ),
      );
    else if (seen.has(name)) problems.push(refused(pool, `the node pool "${name}" is there twice`, 'Take one out.'));
    seen.add(name);
  }
  return problems;
}

const MANAGED_BY_AUTO_MODE = new Set([
  'vpc-cni',
  'kube-proxy',
  'coredns',
  'eks-pod-identity-agent',
  'aws-ebs-csi-driver',
]);

export function autoModeProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const auto = root.child('autoModeConfig');
  const off = auto.child('enabled').boolean;
  const set = ['nodeRoleARN', 'permissionsBoundaryARN', 'nodePools'].filter((key) => hasContent(auto.child(key)));
  const [first] = set;
  if (first !== undefined && off.kind !== 'unknown' && !file.usesAutoMode)
    return [
      refused(
        auto.child(first),
        `\`autoModeConfig.${first}\` is set, and Auto Mode is off`,
        'Set `autoModeConfig.enabled: true`, or take the rest out.',
      ),
    ];
  if (!file.usesAutoMode) return [];
  const problems: ConfigProblem[] = [...nodePoolProblems(auto)];
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

/** Source: apis/eksctl.io/v1alpha5/validation.go, validateRemoteNetworkingConfig. */
export function remoteNetworkProblems({ root, ipFamily }: ConfigFile): readonly ConfigProblem[] {
  const remote = root.child('remoteNetworkConfig');
  if (!remote.isWritten) return [];
  const problems: ConfigProblem[] = [];
  if (ipFamily.kind === 'known' && ipFamily.value === 'ipv6')
    problems.push(refused(remote, '`remoteNetworkConfig` does not go with IPv6', 'Use IPv4 for hybrid nodes.'));
  const mode = root.at('accessConfig', 'authenticationMode');
  if (mode.raw === 'CONFIG_MAP')
    problems.push(
      refused(
        mode,
        'hybrid nodes need access entries, which the mode `CONFIG_MAP` does not know',
        'Set `accessConfig.authenticationMode: API_AND_CONFIG_MAP`.',
      ),
    );
  for (const key of ['remoteNodeNetworks', 'remotePodNetworks'])
    if (remote.child(key).items.length > 1)
      problems.push(
        refused(
          remote.child(key),
          `\`remoteNetworkConfig.${key}\` has several networks`,
          'Put all ranges into the `cidrs` of one.',
        ),
      );
  const pods = remote.child('remotePodNetworks');
  const isEmpty = pods.isList && pods.items.length === 0;
  if (remote.child('remoteNodeNetworks').items.length === 0 && !isEmpty && !root.child('outpost').isWritten)
    problems.push(
      refused(
        remote,
        '`remoteNetworkConfig` names no network of nodes',
        'List their ranges in `remoteNetworkConfig.remoteNodeNetworks`.',
      ),
    );
  const gateway = remote.child('vpcGatewayID');
  const id = textOf(gateway);
  if (id !== undefined && hasContent(root.at('vpc', 'id')))
    problems.push(
      refused(
        gateway,
        '`remoteNetworkConfig.vpcGatewayID` is for a VPC that eksctl makes',
        'Take it out, and attach it.',
      ),
    );
  else if (id !== undefined && !/^[tv]gw-/.test(id))
    problems.push(refused(gateway, `"${id}" is no gateway of a VPC`, 'Write the id of one: `tgw-…` or `vgw-…`.'));
  const provider = remote.at('iam', 'provider').isWritten ? textOf(remote.at('iam', 'provider'))?.toLowerCase() : 'ssm';
  const bundle = remote.at('iam', 'caBundleCert');
  if (provider !== undefined && !['ssm', 'ira'].includes(provider))
    problems.push(
      refused(
        remote.at('iam', 'provider'),
        `there is no provider "${provider}" of credentials for hybrid nodes`,
        'Write `ssm`, or `ira` for IAM Roles Anywhere.',
      ),
    );
  else if (provider === 'ssm' && bundle.isWritten)
    problems.push(refused(bundle, '`caBundleCert` is for IAM Roles Anywhere', 'Take it out, or set `provider: ira`.'));
  else if (provider === 'ira' && !bundle.isWritten)
    problems.push(
      refused(remote.child('iam'), 'IAM Roles Anywhere needs the certificate of its authority', 'Set `caBundleCert`.'),
    );
  return problems;
}

/** `create fargateprofile` looks at them first; `create cluster` leaves them to EKS. Source: apis/eksctl.io/v1alpha5/validation.go, FargateProfile.Validate; ctl/cmdutils/fargate.go. */
export function fargateProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const told = (node: ConfigNode, problem: string, advice: string): ConfigProblem =>
    refusedByCommand(node, problem, advice, 'create fargateprofile');
  return root.child('fargateProfiles').items.flatMap((profile): readonly ConfigProblem[] => {
    if (!profile.isWritten) return [];
    const name = textOf(profile.child('name'));
    const title = `Fargate profile ${profile.child('name').label}`.trim();
    const problems: ConfigProblem[] = [];
    const lacks = (node: ConfigNode, key: string, block: string): boolean =>
      !hasContent(node.child(key)) && (node.child(key).isWritten || !hasStranger(node, block));
    if (lacks(profile, 'name', 'FargateProfile'))
      problems.push(told(profile, 'a Fargate profile has no name', 'Set its `name`.'));
    if (name?.startsWith('eks-') === true)
      problems.push(
        told(
          profile.child('name'),
          `the name of ${title} begins with \`eks-\`, which is AWS's own`,
          'Give it another name.',
        ),
      );
    const selectors = profile.child('selectors');
    if ((selectors.isList || !selectors.isWritten) && lacks(profile, 'selectors', 'FargateProfile'))
      problems.push(
        told(profile, `${title} has no selector, so no pod would run on it`, 'List namespaces in `selectors`.'),
      );
    for (const selector of selectors.items)
      if (lacks(selector, 'namespace', 'FargateProfileSelector'))
        problems.push(told(selector, `a selector of ${title} has no namespace`, 'Set its `namespace`.'));
    return problems;
  });
}
