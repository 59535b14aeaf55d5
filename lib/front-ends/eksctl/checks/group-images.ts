import type { ConfigProblem } from '../../../eks';
import { amiIn } from '../group-settings';
import { acceleratorOf, instanceType } from '../../../knowledge';
import { decidingType, familyNamed, isBottlerocket, isWindows } from '../families';
import { instanceTypesOf, type Group } from './group';
import { refused, textOf } from './problem';

/* AMIs and their families. Source: apis/eksctl.io/v1alpha5/validation.go. */

/** Source: eksctl-io/eksctl, userdocs, "AmazonLinux2 Custom AMI Nodegroups". */
const BOOTSTRAP = '/etc/eks/bootstrap.sh ${CLUSTER_NAME} --kubelet-extra-args "--node-labels=${NODE_LABELS}"';

export function familyProblems({ node, name }: Group): readonly ConfigProblem[] {
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

/** Instances for which the family has no AMI. Of a managed group EKS tells of them. Source: amitype.go, GetAMIType with `strict`. */
export function typeProblems(group: Group): readonly ConfigProblem[] {
  const { node, name, isManaged, family } = group;
  const nodes = instanceTypesOf(group);
  const types = nodes.map(textOf).filter((type) => type !== undefined);
  const type = decidingType(types);
  if (family === undefined || type === undefined || types.length < nodes.length) return [];
  const source = nodes.find((one) => textOf(one) === type) ?? node;
  const accelerator = acceleratorOf(type);
  const isArm = instanceType(type)?.architecture === 'arm64';
  const isOfAws = family.startsWith('AmazonLinux') || isBottlerocket(family);
  const hasOwn = textOf(node.child('ami'))?.startsWith('ami-') === true;
  if (accelerator === 'neuron' && !isOfAws)
    return [
      refused(
        source,
        `group ${name} runs ${family} on ${type}, for whose accelerators only AWS has drivers`,
        'Set `amiFamily: AmazonLinux2023`.',
      ),
    ];
  const hasNone = isArm && (isWindows(family) || (family === 'AmazonLinux2' && accelerator === 'nvidia'));
  if (isManaged || hasOwn || node.child('ami').text.kind === 'unknown' || !hasNone) return [];
  return [
    refused(
      source,
      `group ${name} runs ${family}, of which there is no AMI for ${type}`,
      isWindows(family) ? 'Choose an instance type with an x86 processor.' : 'Set `amiFamily: AmazonLinux2023`.',
    ),
  ];
}

export function imageProblems({ node, name, isManaged, family }: Group): readonly ConfigProblem[] {
  const ami = node.child('ami');
  const override = node.child('overrideBootstrapCommand');
  const id = textOf(ami);
  if (isManaged && id !== undefined && !id.startsWith('ami-') && !node.child('launchTemplate').isWritten)
    return [refused(ami, `"${id}" is no AMI of a managed group`, 'Write the id of one, `ami-…`, or take it out.')];
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
    problems.push(
      refused(
        ami,
        `group ${name} names an AMI and not of which family it is`,
        `Set \`amiFamily\` to the system that the AMI is built on: \`AmazonLinux2023\`, \`Bottlerocket\`, one of Windows such as \`WindowsServer2022FullContainer\`${isManaged ? ' (in `nodeGroups` only)' : ''}; or \`AmazonLinux2\` or one of Ubuntu such as \`Ubuntu2404\`, which ${override.isWritten ? 'have the `overrideBootstrapCommand` that is there' : 'need `overrideBootstrapCommand`, too'}.`,
      ),
    );
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
        `Write \`overrideBootstrapCommand: |\` and below it, a line each, \`#!/bin/bash\`, \`source /var/lib/cloud/scripts/eksctl/bootstrap.helper.sh\` and \`${BOOTSTRAP}\`, which joins a node with the labels by which eksctl knows it.`,
      ),
    );
  if (isManaged && node.at('ssh', 'enableSsm').raw === true)
    problems.push(
      refused(
        node.at('ssh', 'enableSsm'),
        `\`enableSsm\` of group ${name} does not go with an AMI of its own`,
        'Take it out.',
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
