import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { hasContent, isNoArn, pathText, refused, textOf } from './problem';

/* What eksctl refuses of clusters and groups on Outposts. Source: apis/eksctl.io/v1alpha5/validation.go. */

/** Self-managed groups may be on one Outpost, of a cluster that is in the region. */
function outpostsOfGroups(root: ConfigNode): readonly ConfigProblem[] {
  const groups = root.child('nodeGroups').items.filter((group) => hasContent(group.child('outpostARN')));
  const arns = groups.map((group) => group.child('outpostARN'));
  const [first, ...others] = [root.at('outpost', 'controlPlaneOutpostARN'), ...arns].filter(hasContent);
  if (first === undefined) return [];
  const problems = others
    .filter((one) => textOf(one) !== undefined && textOf(first) !== undefined && textOf(one) !== textOf(first))
    .map((one) =>
      refused(one, 'groups are on two Outposts', 'Keep those of one, and give the others a file of their own.'),
    );
  problems.push(...arns.filter(isNoOutpost).map(noOutpost));
  for (const group of groups)
    for (const key of ['availabilityZones', 'localZones', 'instanceSelector'])
      if (hasContent(group.child(key)))
        problems.push(
          refused(
            group.child(key),
            `group "${group.child('name').label}" is on an Outpost, where \`${key}\` does not go`,
            key === 'instanceSelector' ? 'Name an `instanceType`.' : 'Take it out: the Outpost has a zone.',
          ),
        );
  if (root.at('privateCluster', 'enabled').raw === true && !root.child('outpost').isWritten)
    problems.push(
      refused(
        first,
        'a group of a fully private cluster is on an Outpost',
        'Take `outpostARN` or `privateCluster` out.',
      ),
    );
  return problems;
}

/** What isn't there on an Outpost. */
const NOT_ON_OUTPOSTS: readonly (readonly string[])[] = [
  ['addons'],
  ['identityProviders'],
  ['fargateProfiles'],
  ['karpenter'],
  ['secretsEncryption'],
  ['availabilityZones'],
  ['localZones'],
  ['gitops'],
  ['managedNodeGroups'],
  ['vpc', 'publicAccessCIDRs'],
];

export function outpostProblems({ root, usesAutoMode, ipFamily }: ConfigFile): readonly ConfigProblem[] {
  const outpost = root.child('outpost');
  const problems = [...outpostsOfGroups(root)];
  if (!outpost.isWritten) return problems;
  const arn = outpost.child('controlPlaneOutpostARN');
  if (!hasContent(arn))
    problems.push(refused(outpost, '`outpost` names none', 'Set `outpost.controlPlaneOutpostARN`.'));
  if (isNoOutpost(arn)) problems.push(noOutpost(arn));
  const others = NOT_ON_OUTPOSTS.map((path) => root.at(...path)).filter(hasContent);
  if (root.at('iam', 'withOIDC').raw === true) others.push(root.at('iam', 'withOIDC'));
  if (usesAutoMode) others.push(root.child('autoModeConfig'));
  others.push(...[root.at('vpc', 'autoAllocateIPv6')].filter(({ raw }) => raw === true));
  others.push(
    ...[root.at('accessConfig', 'bootstrapClusterCreatorAdminPermissions')].filter(({ raw }) => raw === false),
  );
  if (ipFamily.kind === 'known' && ipFamily.value === 'ipv6')
    others.push(root.at('kubernetesNetworkConfig', 'ipFamily'));
  for (const node of others)
    problems.push(refused(node, `\`${pathText(node)}\` does not go with a control plane on Outposts`, 'Take it out.'));
  return [...problems, ...etcdProblems(root), ...groupsBesideOutpost(root)];
}

/** Instances for etcd alone, which decide what else goes. */
function etcdProblems(root: ConfigNode): readonly ConfigProblem[] {
  const outpost = root.child('outpost');
  const etcd = outpost.child('etcdInstanceType');
  const mode = root.at('accessConfig', 'authenticationMode');
  const group = outpost.at('controlPlanePlacement', 'groupName');
  if (hasContent(etcd)) {
    const problems: ConfigProblem[] = [];
    if (hasContent(group))
      problems.push(
        refused(
          group,
          '`outpost.controlPlanePlacement.groupName` does not go with `outpost.etcdInstanceType`',
          'Write `spreadLevel` in its place.',
        ),
      );
    if (mode.raw === 'CONFIG_MAP')
      problems.push(
        refused(
          mode,
          'a cluster on an Outpost with instances for etcd needs access entries, which the mode `CONFIG_MAP` does not know',
          'Set `accessConfig.authenticationMode: API_AND_CONFIG_MAP`.',
        ),
      );
    return problems;
  }
  return [
    outpost.child('etcdPlacement'),
    outpost.at('controlPlanePlacement', 'spreadLevel'),
    root.child('remoteNetworkConfig'),
  ]
    .filter((node) => node.isWritten)
    .map((node) =>
      refused(
        node,
        `\`${pathText(node)}\` needs instances for etcd`,
        'Set `outpost.etcdInstanceType`, or take it out.',
      ),
    );
}

/** Self-managed groups on the Outpost of the control plane. */
function groupsBesideOutpost(root: ConfigNode): readonly ConfigProblem[] {
  return root.child('nodeGroups').items.flatMap((group): readonly ConfigProblem[] => {
    const name = `"${group.child('name').label}"`;
    const family = textOf(group.child('amiFamily'));
    const volume = textOf(group.child('volumeType'));
    const problems: ConfigProblem[] = [];
    if (family !== undefined && !['amazonlinux2023', 'amazonlinux2'].includes(family.toLowerCase()))
      problems.push(
        refused(
          group.child('amiFamily'),
          `group ${name} is on an Outpost and runs ${family}`,
          'Write `AmazonLinux2023`.',
        ),
      );
    if (volume !== undefined && volume !== 'gp2')
      problems.push(
        refused(
          group.child('volumeType'),
          `group ${name} is on an Outpost and has volumes of type ${volume}`,
          'Write `gp2`.',
        ),
      );
    return problems;
  });
}

function isNoOutpost(arn: ConfigNode): boolean {
  return isNoArn(arn) || /^arn:[^:]*:(?!outposts:)/.test(textOf(arn) ?? '');
}

function noOutpost(arn: ConfigNode): ConfigProblem {
  return refused(arn, `"${arn.label}" is no ARN of an Outpost`, 'Write it as `aws outposts list-outposts` does.');
}
