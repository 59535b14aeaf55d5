import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { familyNamed, isBottlerocket, isWindows } from '../families';
import { amiIn, familyIn } from '../group-settings';
import { parsedOverride } from '../override';
import { hasContent } from './cluster';
import { idle, refused, refusedLate } from './problem';

/* What eksctl refuses of groups. Source: apis/eksctl.io/v1alpha5/validation.go, nodebootstrap/*.go, cfn/builder/nodegroup.go. */

interface Group {
  readonly node: ConfigNode;
  readonly name: string;
  readonly isManaged: boolean;
  /** Undefined where it isn't known. */
  readonly family: string | undefined;
}

export function groupProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const groups = ['managedNodeGroups', 'nodeGroups'].flatMap((list) =>
    root
      .child(list)
      .items.filter((item) => item.isWritten)
      .map((node): Group => {
        const family = familyIn(node);
        return {
          node,
          name: `"${node.child('name').label}"`,
          isManaged: list === 'managedNodeGroups',
          family: family.kind === 'known' ? family.value : undefined,
        };
      }),
  );
  return [...nameProblems(groups), ...groups.flatMap((group) => problemsOf(file, group))];
}

function nameProblems(groups: readonly Group[]): readonly ConfigProblem[] {
  const seen = new Set<string>();
  return groups.flatMap(({ node }): readonly ConfigProblem[] => {
    const name = node.child('name');
    if (!name.isWritten) return [refused(node, 'a group has no name', 'Set its `name`.')];
    if (name.text.kind !== 'known') return [];
    if (seen.has(name.text.value))
      return [refused(name, `two groups are called "${name.text.value}"`, 'Give one of them another name.')];
    seen.add(name.text.value);
    return [];
  });
}

function problemsOf(file: ConfigFile, group: Group): readonly ConfigProblem[] {
  return [
    ...familyProblems(group),
    ...imageProblems(group),
    ...bootstrapProblems(group),
    ...identityProblems(group),
    ...volumeProblems(group),
    ...templateProblems(group),
    ...kindProblems(file, group),
    ...otherProblems(group),
  ];
}

function familyProblems({ node, name }: Group): readonly ConfigProblem[] {
  const family = node.child('amiFamily');
  return family.text.kind === 'known' && familyNamed(family.text.value) === undefined
    ? [
        refused(
          family,
          `group ${name} asks for the AMI family "${family.text.value}", which eksctl does not have`,
          'Choose `AmazonLinux2023`, `Bottlerocket`, an `Ubuntu` or a `WindowsServer` family.',
        ),
      ]
    : [];
}

function imageProblems({ node, name, isManaged, family }: Group): readonly ConfigProblem[] {
  const ami = node.child('ami');
  const override = node.child('overrideBootstrapCommand');
  if (amiIn(node).kind === 'absent') {
    return isManaged &&
      override.isWritten &&
      family !== undefined &&
      family !== 'AmazonLinux2023' &&
      !isBottlerocket(family) &&
      !isWindows(family)
      ? [
          refused(
            override,
            `group ${name} overrides the bootstrap of an AMI of EKS, which ${family} does not allow`,
            'Name an `ami` as well, or take `overrideBootstrapCommand` out.',
          ),
        ]
      : [];
  }
  const problems: ConfigProblem[] = [];
  if (!node.child('amiFamily').isWritten)
    problems.push(refused(ami, `group ${name} names an AMI and not of which family it is`, 'Set `amiFamily`.'));
  else if (isManaged && family !== undefined && isWindows(family))
    problems.push(
      refused(ami, `managed group ${name} names an AMI of Windows`, 'Leave the AMI to EKS, or use `nodeGroups`.'),
    );
  else if (
    family !== undefined &&
    family !== 'AmazonLinux2023' &&
    !isBottlerocket(family) &&
    !isWindows(family) &&
    !override.isWritten
  )
    problems.push(
      refused(
        ami,
        `group ${name} names an AMI of ${family} and no bootstrap for it`,
        'Write `overrideBootstrapCommand`.',
      ),
    );
  if (isManaged)
    for (const key of ['maxPodsPerNode', 'releaseVersion'])
      if (node.child(key).isWritten && node.child(key).raw !== 0)
        problems.push(
          refused(
            node.child(key),
            `\`${key}\` of group ${name} does not go with an AMI of its own`,
            key === 'maxPodsPerNode'
              ? 'Set `maxPods` in the NodeConfig of `overrideBootstrapCommand`.'
              : 'Take it out.',
          ),
        );
  return problems;
}

const PROTECTED_KUBELET = [
  'kind',
  'apiVersion',
  'address',
  'clusterDomain',
  'authentication',
  'authorization',
  'serverTLSBootstrap',
];

function bootstrapProblems({ node, name, isManaged, family }: Group): readonly ConfigProblem[] {
  if (family === undefined) return [];
  const problems: ConfigProblem[] = [];
  const override = node.child('overrideBootstrapCommand');
  const kubelet = node.child('kubeletExtraConfig');
  if (family === 'AmazonLinux2023' && override.isWritten) {
    const parsed = parsedOverride(override);
    if (typeof parsed === 'object')
      problems.push(
        refusedLate(
          override,
          `\`overrideBootstrapCommand\` of group ${name} has to be a NodeConfig on AmazonLinux2023, and ${parsed.problem}`,
          'Write a NodeConfig, with `apiVersion: node.eks.aws/v1alpha1` and `kind: NodeConfig`; scripts go to `preBootstrapCommands`.',
        ),
      );
  }
  if (isBottlerocket(family))
    for (const key of ['preBootstrapCommands', 'overrideBootstrapCommand', 'kubeletExtraConfig'])
      if (node.child(key).isWritten)
        problems.push(
          refused(
            node.child(key),
            `\`${key}\` of group ${name} does not go with Bottlerocket`,
            'Use `bottlerocket.settings`.',
          ),
        );
  if (isWindows(family)) {
    if (kubelet.isWritten)
      problems.push(
        refused(kubelet, `\`kubeletExtraConfig\` of group ${name} does not go with Windows`, 'Take it out.'),
      );
    if (isManaged && override.isWritten)
      problems.push(
        refused(
          override,
          `\`overrideBootstrapCommand\` of group ${name} does not go with managed Windows nodes`,
          'Use `preBootstrapCommands`, or `nodeGroups`.',
        ),
      );
    const maxPods = node.child('maxPodsPerNode');
    if (isManaged && maxPods.isWritten)
      problems.push(
        idle(maxPods, `\`maxPodsPerNode\` of the managed Windows group ${name} goes nowhere`, 'Take it out.'),
      );
  }
  if (!isBottlerocket(family) && !isWindows(family))
    for (const key of kubelet.keys)
      if (PROTECTED_KUBELET.includes(key))
        problems.push(
          refused(
            kubelet.child(key),
            `\`${key}\` in \`kubeletExtraConfig\` of group ${name} is eksctl's own`,
            'Take it out.',
          ),
        );
  const bottlerocket = node.child('bottlerocket');
  if (!isManaged && bottlerocket.isWritten && !isBottlerocket(family))
    problems.push(
      refused(
        bottlerocket,
        `group ${name} has settings of Bottlerocket and runs ${family}`,
        'Set `amiFamily: Bottlerocket`, or take `bottlerocket` out.',
      ),
    );
  return [...problems, ...bottlerocketProblems(node, name, isManaged, family)];
}

function bottlerocketProblems(
  node: ConfigNode,
  name: string,
  isManaged: boolean,
  family: string,
): readonly ConfigProblem[] {
  if (!isBottlerocket(family)) return [];
  const kubernetes = node.at('bottlerocket', 'settings', 'kubernetes');
  const instead: Readonly<Record<string, string>> = {
    'node-labels': 'labels',
    'node-taints': 'taints',
    'max-pods': 'maxPodsPerNode',
  };
  const own = ['cluster-certificate', 'api-server', 'cluster-name', 'cluster-dns-ip'];
  return kubernetes.keys.flatMap((key): readonly ConfigProblem[] => {
    const use = instead[key];
    if (use !== undefined && !(isManaged && key === 'max-pods')) {
      const tell = isManaged ? refusedLate : refused;
      return [
        tell(
          kubernetes.child(key),
          `\`${key}\` in the Bottlerocket settings of group ${name} is the group's own`,
          `Use \`${use}\` of the group.`,
        ),
      ];
    }
    return isManaged && own.includes(key)
      ? [
          refusedLate(
            kubernetes.child(key),
            `\`${key}\` in the Bottlerocket settings of group ${name} is EKS's own`,
            'Take it out.',
          ),
        ]
      : [];
  });
}

function identityProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const iam = node.child('iam');
  const addons = iam.child('withAddonPolicies');
  const granted = addons.keys.filter((key) => addons.child(key).raw === true);
  const problems: ConfigProblem[] = [];
  const noPods = node.child('disablePodIMDS');
  if (noPods.raw === true && granted.length > 0)
    problems.push(
      refused(
        noPods,
        `group ${name} keeps pods from instance metadata and gives their permissions to the node role (\`${granted[0]}\`), which pods only get from there`,
        'Give the pods roles of their own, or take `disablePodIMDS` out.',
      ),
    );
  for (const key of isManaged ? ['instanceRoleARN'] : ['instanceRoleARN', 'instanceProfileARN']) {
    const others = ['instanceRoleName', 'attachPolicy', 'attachPolicyARNs', 'instanceRolePermissionsBoundary'].filter(
      (other) => hasContent(iam.child(other)),
    );
    const [other] = [...others, ...granted.map((one) => `withAddonPolicies.${one}`)];
    if (iam.child(key).isWritten && other !== undefined)
      problems.push(
        refused(
          iam.child(key),
          `group ${name} names a role and changes it (\`${other}\`)`,
          `Keep one of \`${key}\` and \`${other}\`.`,
        ),
      );
  }
  if (isManaged && iam.child('instanceProfileARN').isWritten)
    problems.push(
      refused(
        iam.child('instanceProfileARN'),
        `managed group ${name} names an instance profile`,
        'Name the role: `instanceRoleARN`.',
      ),
    );
  return problems;
}

const IOPS: Readonly<Record<string, readonly [number, number]>> = {
  io1: [100, 64000],
  io2: [100, 256000],
  gp3: [3000, 16000],
};

function volumeProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const type = node.child('volumeType').text;
  if (type.kind === 'unknown') return [];
  const kind = type.kind === 'known' ? type.value : 'gp3';
  const iops = node.child('volumeIOPS');
  const range = IOPS[kind];
  if (iops.isWritten && range === undefined)
    problems.push(
      refused(
        iops,
        `\`volumeIOPS\` of group ${name} does not go with volumes of type ${kind}`,
        'Take it out, or set `volumeType: gp3`.',
      ),
    );
  else if (typeof iops.raw === 'number' && range !== undefined && (iops.raw < range[0] || iops.raw > range[1]))
    problems.push(
      refused(
        iops,
        `volumes of type ${kind} have ${range[0]} to ${range[1]} IOPS, not ${iops.raw}`,
        'Choose a number of that range.',
      ),
    );
  const throughput = node.child('volumeThroughput');
  if (throughput.isWritten && kind !== 'gp3')
    problems.push(
      refused(
        throughput,
        `\`volumeThroughput\` of group ${name} does not go with volumes of type ${kind}`,
        'Take it out, or set `volumeType: gp3`.',
      ),
    );
  else if (typeof throughput.raw === 'number' && (throughput.raw < 125 || throughput.raw > 1000))
    problems.push(
      refused(throughput, `volumes have 125 to 1000 MiB/s, not ${throughput.raw}`, 'Choose a number of that range.'),
    );
  // Managed groups get their default before.
  if (!isManaged || node.child('launchTemplate').isWritten)
    for (const key of ['volumeName', 'volumeEncrypted', 'volumeKmsKeyID'])
      if (!node.child('volumeSize').isWritten && node.child(key).isWritten && node.child(key).raw !== false)
        problems.push(
          refused(
            node.child(key),
            `\`${key}\` of group ${name} needs a \`volumeSize\``,
            'Set `volumeSize`, such as 80.',
          ),
        );
  const key = node.child('volumeKmsKeyID');
  if (
    key.isWritten &&
    node.child('volumeEncrypted').raw !== true &&
    node.child('volumeEncrypted').boolean.kind !== 'unknown'
  )
    problems.push(
      refused(key, `group ${name} names a key for volumes that it does not encrypt`, 'Set `volumeEncrypted: true`.'),
    );
  return problems;
}

const REFUSED_BESIDE_TEMPLATE = [
  'instanceType',
  'ami',
  'volumeSize',
  'preBootstrapCommands',
  'overrideBootstrapCommand',
  'instanceName',
  'instancePrefix',
  'maxPodsPerNode',
  'placement',
];
const IDLE_BESIDE_TEMPLATE = [
  'volumeType',
  'volumeIOPS',
  'volumeThroughput',
  'additionalVolumes',
  'ebsOptimized',
  'efaEnabled',
  'bottlerocket',
  'capacityReservation',
  'enableDetailedMonitoring',
];

function templateProblems({ node, name }: Group): readonly ConfigProblem[] {
  const template = node.child('launchTemplate');
  if (!template.isWritten) return [];
  const problems: ConfigProblem[] = [];
  if (!template.child('id').isWritten)
    problems.push(
      refused(template, `group ${name} names no launch template`, 'Set `launchTemplate.id`: eksctl takes no names.'),
    );
  const version = template.child('version').text;
  if (version.kind === 'known' && !/^[1-9]\d*$/.test(version.value))
    problems.push(
      refused(
        template.child('version'),
        `eksctl takes numbers as versions of launch templates, not "${version.value}"`,
        'Write a number, as in `"3"`.',
      ),
    );
  const refusedKeys = [
    ...REFUSED_BESIDE_TEMPLATE.map((key) => node.child(key)),
    node.at('securityGroups', 'attachIDs'),
    node.at('ssh', 'sourceSecurityGroupIds'),
  ].filter(hasContent);
  if (node.child('disableIMDSv1').raw === false) refusedKeys.push(node.child('disableIMDSv1'));
  if (node.child('disablePodIMDS').raw === true) refusedKeys.push(node.child('disablePodIMDS'));
  for (const key of refusedKeys)
    problems.push(
      refused(
        key,
        `\`${String(key.path.at(-1))}\` of group ${name} does not go with a launch template of its own`,
        'Set it in the launch template.',
      ),
    );
  for (const key of IDLE_BESIDE_TEMPLATE)
    if (node.child(key).isWritten)
      problems.push(
        idle(
          node.child(key),
          `\`${key}\` of group ${name} goes nowhere: its launch template decides`,
          'Set it in the launch template.',
        ),
      );
  if (node.child('disableIMDSv1').raw === true)
    problems.push(
      idle(
        node.child('disableIMDSv1'),
        `\`disableIMDSv1\` of group ${name} goes nowhere: its launch template decides`,
        'Require tokens in the launch template.',
      ),
    );
  return problems;
}

function kindProblems(file: ConfigFile, { node, name, isManaged }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (isManaged) {
    const groups = node.child('securityGroups');
    for (const key of ['withLocal', 'withShared'])
      if (groups.child(key).raw === true)
        problems.push(
          refused(
            groups.child(key),
            `\`securityGroups.${key}\` of group ${name} is for \`nodeGroups\``,
            'Take it out: managed nodes have the security group of the cluster.',
          ),
        );
    if (node.child('instanceType').isWritten && node.child('instanceTypes').items.length > 0)
      problems.push(
        refused(
          node.child('instanceType'),
          `group ${name} has both \`instanceType\` and \`instanceTypes\``,
          'Keep `instanceTypes`.',
        ),
      );
    return problems;
  }
  if (file.ipFamily.kind === 'known' && file.ipFamily.value === 'ipv6')
    problems.push(
      refusedLate(
        node,
        `group ${name} is self-managed, which eksctl does not make for IPv6 clusters`,
        'Move it to `managedNodeGroups`.',
      ),
    );
  const update = node.child('updateConfig');
  if (update.isWritten)
    problems.push(
      idle(
        update,
        `\`updateConfig\` of the self-managed group ${name} goes nowhere: EKS does not update it`,
        'Take it out.',
      ),
    );
  return problems;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function otherProblems({ node, name }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (node.child('subnets').items.length > 0 && node.child('availabilityZones').items.length > 0)
    problems.push(
      refused(
        node.child('subnets'),
        `group ${name} has both \`subnets\` and \`availabilityZones\``,
        'Keep one of them.',
      ),
    );
  if (node.at('ssh', 'enableSsm').raw === false)
    problems.push(
      refused(
        node.at('ssh', 'enableSsm'),
        'the SSM agent is part of the AMIs and cannot be switched off',
        'Take `enableSsm` out.',
      ),
    );
  const keys = ['publicKeyName', 'publicKeyPath', 'publicKey'].filter((key) => hasContent(node.at('ssh', key)));
  if (keys.length > 1)
    problems.push(
      refused(node.child('ssh'), `group ${name} has several SSH keys (${keys.join(', ')})`, 'Keep one of them.'),
    );
  if (node.child('instanceMarketOptions').isWritten && !node.child('capacityReservation').isWritten)
    problems.push(
      refused(
        node.child('instanceMarketOptions'),
        `\`instanceMarketOptions\` of group ${name} needs a \`capacityReservation\``,
        'Name the reservation.',
      ),
    );
  if (
    node.child('efaEnabled').raw === true &&
    [node.child('subnets'), node.child('availabilityZones')].some(({ items }) => items.length > 1)
  )
    problems.push(
      refused(node.child('efaEnabled'), `group ${name} with EFA has to be in one zone`, 'Name one subnet or zone.'),
    );
  for (const taint of node.child('taints').items) {
    const effect = taint.child('effect').text;
    if (effect.kind === 'known' && !EFFECTS.includes(effect.value))
      problems.push(
        refused(
          taint.child('effect'),
          `a taint has the effect "${effect.value}"`,
          `Write one of ${EFFECTS.join(', ')}.`,
        ),
      );
  }
  return problems;
}
