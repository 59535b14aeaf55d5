import { defineRule } from '../../engine';
import { amiFamilyName, type AmiFamily, type BootCase } from '../../eks';
import type { CorrectedLines } from '../../eks/user-data/correction';
import { EVERY_FAMILY, judgeBoots } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { withBootstrapScript, withNodeConfig, withWindowsBootstrap } from '../parts/corrected-bootstrap';
import { NODES_ROLL } from '../parts/repair-effects';
import { NODE_CONFIG_IN_CDK, NODE_CONFIG_IN_TERRAFORM } from '../parts/node-config-code';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';

/*
 * EKS merges its bootstrap into the user data of managed groups, but not once the launch template names an AMI, and never into
 * that of Auto Scaling groups. Then the user data must bring all of it.
 * Source: Amazon EKS user guide, "Customize managed nodes with launch templates", "Specifying an AMI".
 */

type Message = 'al2' | 'al2023' | 'bottlerocket' | 'windows';

const TEXT = '{{where}} {{cause}}, and {{found}} {{needed}}. Instances start and never join the cluster{{end}}.';
const SUMMARY =
  ', or leave the AMI to EKS: drop it from the launch template and choose an `amiType` on the node group (which creates the group anew).';

/** User data of a launch template of the CDK. */
const inCdk = (...lines: readonly string[]): string =>
  ['// before the LaunchTemplate:', ...lines, '// in the options of the LaunchTemplate:', 'userData,'].join('\n');

export const nodeUserDataMissingBootstrap = defineRule<Message>({
  id: 'node-user-data-missing-bootstrap',
  subject: 'launch-template',
  title: 'Nodes with an AMI of their own, and self-managed nodes, bring the bootstrap that joins them to the cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    al2023: {
      text: TEXT,
      fix: {
        summary: `Add a NodeConfig that names the cluster${SUMMARY}`,
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    MIME-Version: 1.0',
            '    Content-Type: multipart/mixed; boundary="//"',
            '',
            '    --//',
            '    Content-Type: application/node.eks.aws',
            '',
            '    apiVersion: node.eks.aws/v1alpha1',
            '    kind: NodeConfig',
            '    spec:',
            '      cluster:',
            '        name: ${Cluster}',
            '        apiServerEndpoint: ${Cluster.Endpoint}',
            '        certificateAuthority: ${Cluster.CertificateAuthorityData}',
            '        cidr: 172.20.0.0/16 # the service CIDR of the cluster',
            '    --//--',
          ].join('\n'),
          'aws-cdk': inCdk(...NODE_CONFIG_IN_CDK),
          terraform: [
            'user_data = base64encode(yamlencode({',
            ...NODE_CONFIG_IN_TERRAFORM.map((line) => `  ${line}`),
            '}))',
          ].join('\n'),
        },
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    al2: {
      text: TEXT,
      fix: {
        summary: `Call \`/etc/eks/bootstrap.sh\` with the name of the cluster${SUMMARY}`,
        summaryIn: {
          eksctl:
            'Call `/etc/eks/bootstrap.sh` with the name of the cluster in `overrideBootstrapCommand`; or take `overrideBootstrapCommand` out, and `ami` with it, so that eksctl writes the bootstrap. New groups are best made with `amiFamily: AmazonLinux2023`.',
        },
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    #!/bin/bash',
            '    set -o errexit',
            '    /etc/eks/bootstrap.sh ${Cluster}',
          ].join('\n'),
          'aws-cdk': inCdk(
            'const userData = ec2.UserData.forLinux();',
            'userData.addCommands(`/etc/eks/bootstrap.sh ${cluster.clusterName}`);',
          ),
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
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    bottlerocket: {
      text: TEXT,
      fix: {
        summary: `Add the settings of Kubernetes that name the cluster${SUMMARY}`,
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    [settings.kubernetes]',
            '    cluster-name = "${Cluster}"',
            '    api-server = "${Cluster.Endpoint}"',
            '    cluster-certificate = "${Cluster.CertificateAuthorityData}"',
          ].join('\n'),
          'aws-cdk': inCdk(
            'const userData = ec2.UserData.custom(`[settings.kubernetes]',
            'cluster-name = "${cluster.clusterName}"',
            'api-server = "${cluster.clusterEndpoint}"',
            'cluster-certificate = "${cluster.clusterCertificateAuthorityData}"`);',
          ),
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
        summary: `Call \`Start-EKSBootstrap.ps1\` with the name of the cluster${SUMMARY}`,
        summaryIn: {
          eksctl:
            'Call `Start-EKSBootstrap.ps1` with the name of the cluster in `overrideBootstrapCommand`, or take that out, so that eksctl writes the call.',
        },
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    <powershell>',
            '    & "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${Cluster}',
            '    </powershell>',
          ].join('\n'),
          'aws-cdk': inCdk(
            'const userData = ec2.UserData.forWindows();',
            'userData.addCommands(`& "$env:ProgramFiles\\\\Amazon\\\\EKS\\\\Start-EKSBootstrap.ps1" -EKSClusterName ${cluster.clusterName}`);',
          ),
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
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
  },
  *check(model) {
    yield* judgeBoots(model, EVERY_FAMILY, judge);
  },
});

const MESSAGES: Readonly<Record<AmiFamily, Message>> = {
  AL2: 'al2',
  AL2023: 'al2023',
  BOTTLEROCKET: 'bottlerocket',
  WINDOWS: 'windows',
};

/** What the user data must hold; ends a sentence that says that it doesn't. */
const NEEDED: Readonly<Record<AmiFamily, string>> = {
  AL2: 'call of `/etc/eks/bootstrap.sh`, which AL2 nodes join with',
  AL2023: 'NodeConfig, which AL2023 nodes join with',
  BOTTLEROCKET: '`settings.kubernetes`, which Bottlerocket nodes join with',
  WINDOWS: 'call of `Start-EKSBootstrap.ps1`, which Windows nodes join with',
};

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { bootstrapBy, family, when } = boot;
  if (bootstrapBy === 'eks') return passing(when);
  const state = bootStateOf(boot);
  if (state.kind === 'own') return passing(when);
  if (state.kind === 'unknown') return [{ verdict: 'unverifiable', reason: state.reason, source: state.source, when }];
  return state.kind === 'missing' && family.kind === 'known' ? [missing(boot, family.value)] : [];
}

function missing(bootCase: BootCase, family: AmiFamily): LaunchOutcome<Message> {
  const { boot, image, userData, when, document } = bootCase;
  const isManaged = boot.nodeGroup.kind === 'node-group';
  const named =
    image.kind === 'known' ? image.value.text : image.kind === 'unknown' ? (image.text ?? 'of its own') : 'of its own';
  const cause = isManaged
    ? `sets the AMI ${named}, so EKS adds no bootstrap`
    : 'starts self-managed nodes, to which EKS adds no bootstrap';
  const found = document === undefined ? 'it has no user data, so no' : 'its user data holds no';
  const end = isManaged ? ', and creation of the group fails after about 15 minutes' : '';
  const related =
    image.kind === 'absent' ? [] : [{ message: `the ${amiFamilyName(family)} AMI is set here`, source: image.source }];
  return {
    verdict: 'fail',
    message: MESSAGES[family],
    data: { cause, found, needed: NEEDED[family], end },
    source: userData.source,
    related,
    ...(document === undefined ? {} : { corrected: CORRECTIONS[family]?.(bootCase) }),
    when,
  };
}

/** The user's own user data, completed. */
const CORRECTIONS: Partial<Readonly<Record<AmiFamily, (boot: BootCase) => CorrectedLines | undefined>>> = {
  AL2: withBootstrapScript,
  AL2023: withNodeConfig,
  WINDOWS: withWindowsBootstrap,
};
