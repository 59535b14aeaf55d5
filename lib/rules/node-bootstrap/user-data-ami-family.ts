import { defineRule } from '../../engine';
import { amiFamilyName, bootCasesOf, type AmiFamily, type BootCase } from '../../eks';
import type { UserDataDocument } from '../../eks/user-data/document';
import { EVERY_FAMILY, judgeAllUserData } from '../parts/boot-judgements';
import { NODE_CONFIG_IN_TERRAFORM } from '../parts/node-config-code';
import { bootStateOf, isToldByUserData } from '../parts/boot-state';
import { NODES_ROLL } from '../parts/repair-effects';
import { inNodeConfig, nodeConfigInCdk, withoutBareCall } from '../parts/corrected-bootstrap';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { foreignIn, stubCallIn, stubChangeIn } from './parts/foreign-bootstrap';
import { NODE_CLASS_USER_DATA, readsAsToml, readsAsYaml } from './parts/karpenter-merge';

/*
 * Each operating system has its own bootstrap, in its own format, and none reads that of another.
 * Source: awslabs/amazon-eks-ami (AL2, AL2023), bottlerocket-os/bottlerocket, Amazon EC2 user guide (Windows).
 */

type Message =
  | 'al2'
  | 'al2023'
  | 'bottlerocket'
  | 'windows'
  | 'stub'
  | 'stubChange'
  | 'al2ByEks'
  | 'bottlerocketByEks'
  | 'windowsByEks'
  | 'nodeClass'
  | 'nodeClassYaml'
  | 'nodeClassStub';

const TEXT = '{{where}} starts {{family}} nodes, and its user data {{found}}. {{effect}}';

const NODE_CONFIG = {
  cloudformation: [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: application/node.eks.aws',
    '',
    'apiVersion: node.eks.aws/v1alpha1',
    'kind: NodeConfig',
    'spec:',
    '  cluster: # all four inside Fn::Base64: !Sub |; EKS adds them where the launch template names no AMI',
    '    name: ${Cluster}',
    '    apiServerEndpoint: ${Cluster.Endpoint}',
    '    certificateAuthority: ${Cluster.CertificateAuthorityData}',
    '    cidr: 172.20.0.0/16',
    '--//--',
  ].join('\n'),
  'aws-cdk': '{{nodeConfigInCdk}}',
  terraform: [
    'part {',
    '  content_type = "application/node.eks.aws"',
    '  content = yamlencode({',
    ...NODE_CONFIG_IN_TERRAFORM.map((line) => `    ${line}`),
    '  })',
    '}',
  ].join('\n'),
};

const BOTTLEROCKET_IN_CDK = [
  "// BottlerocketSettings from 'eks-guardrails/aws-cdk'",
  'const settings = new BottlerocketSettings({ maxPods: 58 });',
  "new ec2.LaunchTemplate(this, 'NodeTemplate', { userData: settings.toUserData() });",
].join('\n');

const IN_MIME = [
  '# in the spec of the EC2NodeClass',
  'userData: |',
  '  MIME-Version: 1.0',
  '  Content-Type: multipart/mixed; boundary="//"',
  '',
  '  --//',
  '  Content-Type: text/x-shellscript; charset="us-ascii"',
  '',
  '  #!/bin/bash',
  '  echo "a: b"',
  '',
  '  --//--',
].join('\n');

export const userDataAmiFamily = defineRule<Message>({
  id: 'user-data-ami-family',
  subject: 'node-bootstrap',
  title: 'User data has the bootstrap and the format of the operating system that reads it',
  severity: 'error',
  since: '0.1.0',
  messages: {
    al2023: {
      text: TEXT,
      fix: {
        summary: 'Replace it by a NodeConfig, or choose an AMI of the system that it is written for.',
        summaryIn: {
          eksctl: 'Write a NodeConfig in `overrideBootstrapCommand`, and scripts in `preBootstrapCommands`.',
        },
        code: NODE_CONFIG,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    stub: {
      text: '{{where}} calls `/etc/eks/bootstrap.sh` on line {{line}} of its user data and starts AL2023 nodes, where that script is a stub which exits with 1. The nodes join by their NodeConfig, without what the call should set{{rest}}.',
      fix: {
        summary: 'Drop the call; labels, taints and settings of kubelet belong into a NodeConfig.',
        summaryIn: {
          eksctl:
            'Take the call out; labels and taints belong to `labels` and `taints` of the group, settings of kubelet to the NodeConfig of `overrideBootstrapCommand`.',
        },
        code: NODE_CONFIG,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    stubChange: {
      text: '{{where}} changes `/etc/eks/bootstrap.sh` on line {{line}} of its user data and starts AL2023 nodes, where that script is a stub which nothing runs: what the change should set is lost.',
      fix: {
        summary:
          'Write the setting into a NodeConfig instead: `spec.kubelet.config` has those of kubelet, such as `maxPods`, `spec.kubelet.flags` its flags.',
        summaryIn: {
          eksctl:
            'Take the command out: `maxPodsPerNode`, `labels` and `taints` are settings of the group, others of kubelet belong to the NodeConfig of `overrideBootstrapCommand`.',
          kubernetes:
            'Take the command out: settings of kubelet belong to `spec.kubelet` of the EC2NodeClass, labels and taints to the NodePool.',
        },
        safety: 'needs-decision',
      },
    },
    al2: {
      text: TEXT,
      fix: {
        summary:
          'Call `/etc/eks/bootstrap.sh`, because {{owner}}; or move to an AMI of AL2023, because AL2 gets no new ones.{{module}}',
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    #!/bin/bash',
            '    set -o errexit',
            '    /etc/eks/bootstrap.sh ${Cluster}',
          ].join('\n'),
          'aws-cdk': [
            'const userData = ec2.UserData.forLinux();',
            'userData.addCommands(`/etc/eks/bootstrap.sh ${cluster.clusterName}`);',
          ].join('\n'),
          terraform: [
            'user_data = base64encode(<<-EOT',
            '  #!/bin/bash',
            '  set -o errexit',
            '  /etc/eks/bootstrap.sh ${aws_eks_cluster.main.name}',
            'EOT',
            ')',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    al2ByEks: {
      text: TEXT,
      fix: {
        summary:
          'Drop it, because EKS adds the bootstrap where the launch template names no AMI; what else has to run belongs into a shell part of a MIME document. Or move to an AMI type of AL2023, because AL2 gets no new AMIs.{{module}}',
        summaryIn: {
          eksctl:
            'Take it out, because EKS adds the bootstrap; or move to `amiFamily: AmazonLinux2023`, because AL2 gets no new AMIs.',
        },
        safety: 'needs-decision',
      },
    },
    bottlerocketByEks: {
      text: TEXT,
      fix: {
        summary:
          'Write settings in TOML, without those of the cluster: EKS adds them where the launch template names no AMI.',
        code: {
          cloudformation: ['UserData:', '  Fn::Base64: |', '    [settings.kubernetes]', '    max-pods = 58'].join('\n'),
          'aws-cdk': BOTTLEROCKET_IN_CDK,
          terraform: ['user_data = base64encode(<<-EOT', '  [settings.kubernetes]', '  max-pods = 58', 'EOT', ')'].join(
            '\n',
          ),
        },
        safety: 'needs-decision',
      },
    },
    windowsByEks: {
      text: TEXT,
      fix: {
        summary:
          'Write what has to run in PowerShell, in `<powershell>`, without the call of the bootstrap: EKS adds it where the launch template names no AMI.',
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: |',
            '    <powershell>',
            '    Write-Output "settings of the node"',
            '    </powershell>',
          ].join('\n'),
          'aws-cdk': [
            'const userData = ec2.UserData.forWindows();',
            'userData.addCommands(\'Write-Output "settings of the node"\');',
          ].join('\n'),
          terraform: [
            'user_data = base64encode(<<-EOT',
            '  <powershell>',
            '  Write-Output "settings of the node"',
            '  </powershell>',
            'EOT',
            ')',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    bottlerocket: {
      text: TEXT,
      fix: {
        summary: 'Write settings in TOML, with the first three, because {{owner}}.',
        code: {
          cloudformation: [
            '[settings.kubernetes]',
            'cluster-name = "${Cluster}" # inside Fn::Base64: !Sub |',
            'api-server = "${Cluster.Endpoint}"',
            'cluster-certificate = "${Cluster.CertificateAuthorityData}"',
            'max-pods = 58',
          ].join('\n'),
          'aws-cdk': BOTTLEROCKET_IN_CDK,
          terraform: [
            'user_data = base64encode(<<-EOT',
            '  [settings.kubernetes]',
            '  cluster-name = "${aws_eks_cluster.main.name}"',
            '  api-server = "${aws_eks_cluster.main.endpoint}"',
            '  cluster-certificate = "${aws_eks_cluster.main.certificate_authority[0].data}"',
            'EOT',
            ')',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    windows: {
      text: TEXT,
      fix: {
        summary: 'Write PowerShell in `<powershell>`, with the call of the bootstrap, because {{owner}}.',
        code: {
          cloudformation: [
            '<powershell>',
            '& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${Cluster}',
            '</powershell>',
          ].join('\n'),
          'aws-cdk': [
            'const userData = ec2.UserData.forWindows();',
            'userData.addCommands(`& "$env:ProgramFiles\\\\Amazon\\\\EKS\\\\Start-EKSBootstrap.ps1" -EKSClusterName ${cluster.clusterName}`);',
          ].join('\n'),
          terraform: [
            'user_data = base64encode(<<-EOT',
            '  <powershell>',
            '  & "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${aws_eks_cluster.main.name}',
            '  </powershell>',
            'EOT',
            ')',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    nodeClass: {
      text: TEXT,
      fix: { summary: '{{fix}}', code: { kubernetes: '{{code}}' }, safety: 'needs-decision' },
    },
    nodeClassYaml: {
      text: '{{where}} starts AL2023 nodes, and its user data, {{found}}, reads as a map of YAML. Karpenter takes that for a NodeConfig; nodeadm fails on it, and the nodes never join.',
      fix: {
        summary:
          'Put it into a MIME document with a part of its own, whose type says what it is: `text/x-shellscript` or `text/cloud-config`.',
        code: { kubernetes: IN_MIME },
        safety: 'needs-decision',
      },
    },
    nodeClassStub: {
      text: '{{where}} calls `/etc/eks/bootstrap.sh` on line {{line}} of its user data and starts AL2023 nodes, where that script is a stub which exits with 1. The nodes join by the NodeConfig of Karpenter, without what the call should set{{rest}}.',
      fix: {
        summary:
          'Drop the call: labels and taints belong to the NodePool, settings of kubelet to `spec.kubelet` of the EC2NodeClass or to a NodeConfig in its user data.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, EVERY_FAMILY, judge);
  },
});

type Outcome = LaunchOutcome<Message>;

const MESSAGES: Readonly<Record<AmiFamily, Message>> = {
  AL2: 'al2',
  AL2023: 'al2023',
  BOTTLEROCKET: 'bottlerocket',
  WINDOWS: 'windows',
};

/** Where EKS adds the bootstrap; a NodeConfig is merged with its own. */
const MESSAGES_BY_EKS: Readonly<Record<AmiFamily, Message>> = {
  AL2: 'al2ByEks',
  AL2023: 'al2023',
  BOTTLEROCKET: 'bottlerocketByEks',
  WINDOWS: 'windowsByEks',
};

function judge(boot: BootCase): readonly Outcome[] {
  const { when, document, family } = boot;
  if (boot.bootstrapBy === 'karpenter') return judgeNodeClass(boot);
  const state = bootStateOf(boot);
  if (state.kind === 'unknown')
    return isOpen(boot) ? [{ verdict: 'unverifiable', reason: state.reason, source: state.source, when }] : [];
  if (document === undefined || family.kind !== 'known') return [];
  if (state.kind === 'foreign' || (state.kind === 'not-mergeable' && state.of.length > 0)) {
    // A script that lacks `#!` isn't run, but is meant to be.
    const isStub =
      family.value === 'AL2023' &&
      boot.bootstrapBy === 'eks' &&
      state.of.includes('AL2') &&
      (state.kind === 'foreign' || stubCallIn(document) !== undefined);
    return isStub ? judgeStub(boot, document) : [foreign(boot, document, family.value, state.of)];
  }
  if (state.kind !== 'own' && state.kind !== 'additions') return [];
  if (state.kind === 'own' && isToldByUserData(boot)) return [unknownImage(boot)];
  return family.value === 'AL2023' ? judgeStub(boot, document) : passing(when);
}

/** User data that Karpenter makes a part of, or settings of Bottlerocket. */
function judgeNodeClass(boot: BootCase): readonly Outcome[] {
  const { when, document, family } = boot;
  const state = bootStateOf(boot);
  if (state.kind === 'unknown') return [{ verdict: 'unverifiable', reason: state.reason, source: state.source, when }];
  if (document === undefined || family.kind !== 'known') return [];
  const system = family.value;
  if (system === 'AL2023' && state.kind !== 'eks-alone' && readsAsYaml(document)) {
    const found = document.format === 'cloud-config' ? 'a cloud-config' : 'a script';
    return [{ verdict: 'fail', message: 'nodeClassYaml', data: { found }, source: document.text.sourceAt(0), when }];
  }
  if (state.kind === 'foreign') {
    if (system === 'AL2023' && state.of.includes('AL2')) return judgeStub(boot, document);
    const { found, besideEks, text, offset } = foreignIn(document, system, state.of);
    const isRefused = system === 'BOTTLEROCKET';
    if (isRefused && readsAsToml(document)) return [];
    const data = {
      family: amiFamilyName(system),
      found,
      effect: isRefused
        ? 'Karpenter reads it as TOML, which fails, and starts no node with this node class.'
        : document.format === 'multipart'
          ? besideEks
          : 'Karpenter hands it on as a shell script, which it is none, so nothing of it takes effect.',
      fix: IN_NODE_CLASS[system],
      code: NODE_CLASS_USER_DATA[system],
    };
    const severity = isRefused ? 'error' : 'warning';
    return [{ verdict: 'fail', message: 'nodeClass', severity, data, source: text.sourceAt(offset), when }];
  }
  if (state.kind !== 'additions') return [];
  return system === 'AL2023' ? judgeStub(boot, document) : passing(when);
}

const IN_NODE_CLASS: Readonly<Record<AmiFamily, string>> = {
  AL2023: 'Write a NodeConfig, a script that begins with `#!`, or a MIME document with both.',
  AL2: 'Write a script that begins with `#!`, or a MIME document with scripts.',
  BOTTLEROCKET: 'Write settings of Bottlerocket in TOML.',
  WINDOWS: 'Write commands of PowerShell, without tags.',
};

/** Whether no other rule says that it can't be told: there is a bootstrap, by EKS, and what it's added to isn't known. */
function isOpen({ bootstrapBy, family }: BootCase): boolean {
  return (
    bootstrapBy === 'eks' && (family.kind !== 'known' || family.value === 'BOTTLEROCKET' || family.value === 'WINDOWS')
  );
}

function unknownImage({ image, when }: BootCase): Outcome {
  const text = image.kind === 'known' ? image.value.text : image.kind === 'unknown' ? image.text : undefined;
  return {
    verdict: 'unverifiable',
    reason: `whether ${text === undefined ? 'its AMI' : `the AMI ${text}`} is of the system that its user data is written for can't be told`,
    source: image.source,
    when,
  };
}

/** The modules for groups write the user data themselves, for the system that `ami_type` names. */
function moduleAdvice({ nodeGroup }: BootCase['boot'], family: AmiFamily): string {
  return family === 'AL2' && nodeGroup.moduleInputs?.has('ami_type') === true
    ? ' A module that writes the user data by itself goes by `ami_type`: name the AMI type of the AMI there, such as `AL2_x86_64`.'
    : '';
}

function foreign(bootCase: BootCase, document: UserDataDocument, family: AmiFamily, of: readonly AmiFamily[]): Outcome {
  const { boot, bootstrapBy, when } = bootCase;
  const { found, alone, besideEks, isHarmlessBesideEks, text, offset } = foreignIn(document, family, of);
  const byEks = bootstrapBy === 'eks';
  return {
    verdict: 'fail',
    message: (byEks ? MESSAGES_BY_EKS : MESSAGES)[family],
    data: {
      family: amiFamilyName(family),
      found,
      effect: byEks ? besideEks : alone,
      module: moduleAdvice(boot, family),
      owner:
        boot.nodeGroup.kind === 'self-managed-node-group' && boot.nodeGroup.nodeClass !== undefined
          ? '`amiFamily: Custom` leaves the whole bootstrap to the user data'
          : 'the launch template names the AMI',
      nodeConfigInCdk: family === 'AL2023' ? nodeConfigInCdk(bootCase) : '',
    },
    source: text.sourceAt(offset),
    ...(family === 'AL2023' && !startsAl2(bootCase) ? { corrected: inNodeConfig(bootCase) } : {}),
    when,
    ...(byEks && isHarmlessBesideEks ? { severity: 'warning' } : {}),
  };
}

/** Whether another branch of a condition starts AL2 with the same user data, which has to stay for that. */
function startsAl2({ boot, document }: BootCase): boolean {
  return bootCasesOf(boot).some(
    (one) => one.document === document && one.family.kind === 'known' && one.family.value === 'AL2',
  );
}

/** A change of `bootstrap.sh`, by which AL2 was given what its options don't have. */
function judgeStubChange({ when }: BootCase, document: UserDataDocument): readonly Outcome[] {
  const change = stubChangeIn(document);
  if (change === undefined) return passing(when);
  const { text, offset } = change;
  const data = { line: String(text.positionAt(offset).line) };
  return [{ verdict: 'fail', message: 'stubChange', severity: 'warning', data, source: text.sourceAt(offset), when }];
}

/** A call of `bootstrap.sh` on AL2023 nodes that have a NodeConfig, their own or that of EKS. */
function judgeStub(boot: BootCase, document: UserDataDocument): readonly Outcome[] {
  const { when } = boot;
  const stub = stubCallIn(document);
  if (stub === undefined) return judgeStubChange(boot, document);
  const { call, part, text, cutsOff } = stub;
  const rest = cutsOff ? ', and `set -e` ends the script there' : '';
  const data = { line: String(text.positionAt(call.offset).line), rest, nodeConfigInCdk: nodeConfigInCdk(boot) };
  return [
    {
      verdict: 'fail',
      message: boot.bootstrapBy === 'karpenter' ? 'nodeClassStub' : 'stub',
      severity: cutsOff ? 'error' : 'warning',
      data,
      source: text.sourceAt(call.offset),
      ...(boot.bootstrapBy === 'eks' ? { corrected: inNodeConfig(boot) } : {}),
      ...(boot.bootstrapBy === 'karpenter' ? { corrected: withoutBareCall(document, part, call) } : {}),
      when,
    },
  ];
}
