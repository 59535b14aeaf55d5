import { defineRule, type Severity } from '../../engine';
import type { AmiFamily, BootCase } from '../../eks';
import type { When } from '../../value';
import type { ScriptCall } from '../../eks/user-data/bootstrap-script';
import type { UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { runningScriptOf } from '../../eks/user-data/scripts';
import { eksBootstrapCallsIn, readWindows } from '../../eks/user-data/windows';
import { judgeAllUserData } from '../parts/boot-judgements';
import { withoutBareCall } from '../parts/corrected-bootstrap';
import { bootStateOf } from '../parts/boot-state';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';

/*
 * Without an AMI in the launch template EKS merges its own bootstrap into the user data. A second one in the user's part runs before
 * it, on a machine that isn't configured yet.
 * Source: Amazon EKS user guide, "Customize managed nodes with launch templates", "Amazon EC2 user data".
 */

type Message =
  | 'bootstrapScript'
  | 'karpenterBootstrap'
  | 'windowsBootstrap'
  | 'kubeletStart'
  | 'kubeletEarly'
  | 'kubeletFile'
  | 'kubeletFileUnread';

const KUBELET_SETTINGS = {
  cloudformation: [
    'UserData:',
    '  Fn::Base64: |',
    '    MIME-Version: 1.0',
    '    Content-Type: multipart/mixed; boundary="//"',
    '',
    '    --//',
    '    Content-Type: application/node.eks.aws',
    '',
    '    apiVersion: node.eks.aws/v1alpha1',
    '    kind: NodeConfig',
    '    spec:',
    '      kubelet:',
    '        config:',
    '          evictionHard: { memory.available: 5% }',
    '    --//--',
  ].join('\n'),
  'aws-cdk': [
    "// NodeConfig from 'eks-guardrails/aws-cdk'",
    'const config = new NodeConfig({',
    "  kubelet: { config: { evictionHard: { 'memory.available': '5%' } } },",
    '});',
    "new ec2.LaunchTemplate(this, 'NodeTemplate', { userData: config.toUserData() });",
  ].join('\n'),
  terraform: [
    'data "cloudinit_config" "nodes" {',
    '  gzip          = false',
    '  base64_encode = true',
    '  part {',
    '    content_type = "application/node.eks.aws"',
    '    content = yamlencode({',
    '      apiVersion = "node.eks.aws/v1alpha1"',
    '      kind       = "NodeConfig"',
    '      spec = { kubelet = { config = { evictionHard = { "memory.available" = "5%" } } } }',
    '    })',
    '  }',
    '}',
  ].join('\n'),
};

export const nodeUserDataDuplicateBootstrap = defineRule<Message>({
  id: 'node-user-data-duplicate-bootstrap',
  subject: 'launch-template',
  title: 'User data that EKS adds its bootstrap to neither bootstraps the node itself nor starts kubelet',
  severity: 'error',
  since: '0.1.0',
  messages: {
    bootstrapScript: {
      text: "{{where}} calls `/etc/eks/bootstrap.sh` on line {{line}} of its user data{{condition}}, but names no AMI, so EKS adds the same call behind it. The second call changes the settings of a kubelet that already runs and doesn't restart it, so labels, taints and arguments of one of the two are lost.",
      fix: {
        summary:
          'Drop the call. To pass arguments of your own to it, the launch template needs an `ImageId`; then EKS adds nothing.',
        summaryIn: { eksctl: 'Take the call out of `preBootstrapCommands`: the bootstrap follows by itself.' },
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: |',
            '    MIME-Version: 1.0',
            '    Content-Type: multipart/mixed; boundary="//"',
            '',
            '    --//',
            '    Content-Type: text/x-shellscript',
            '',
            '    #!/bin/bash',
            '    yum install -y amazon-efs-utils # and no bootstrap.sh',
            '    --//--',
          ].join('\n'),
          'aws-cdk': [
            'const script = ec2.UserData.forLinux();',
            "script.addCommands('yum install -y amazon-efs-utils'); // and no bootstrap.sh",
            'const userData = new ec2.MultipartUserData();',
            'userData.addUserDataPart(script);',
          ].join('\n'),
          terraform: [
            'part {',
            '  content_type = "text/x-shellscript"',
            '  content      = "#!/bin/bash\\nyum install -y amazon-efs-utils\\n" # and no bootstrap.sh',
            '}',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    karpenterBootstrap: {
      text: "{{where}} calls `/etc/eks/bootstrap.sh` on line {{line}} of its user data, and Karpenter adds a call of its own behind it, which doesn't restart the kubelet that runs by then. The node joins without Karpenter's arguments: without the taint `karpenter.sh/unregistered`, Karpenter from 1.0 on never takes it for registered, and ends it after 15 minutes.",
      fix: {
        summary:
          'Drop the call: settings of kubelet belong to `spec.kubelet` of the EC2NodeClass, labels and taints to the NodePool. To write the whole bootstrap yourself, set `amiFamily: Custom`, with that taint among the arguments.',
        safety: 'needs-decision',
      },
    },
    windowsBootstrap: {
      text: '{{where}} calls `Start-EKSBootstrap.ps1` on line {{line}} of its user data{{condition}}, but names no AMI, so EKS adds the same call behind it. The node is bootstrapped twice, and kubelet restarts with other arguments.',
      fix: {
        summary:
          'Drop the call. To pass arguments of your own to it, the launch template needs an `ImageId`; then EKS adds nothing.',
        summaryIn: { eksctl: 'Take the call out of `preBootstrapCommands`: the bootstrap follows by itself.' },
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: |',
            '    <powershell>',
            '    Write-Host "no Start-EKSBootstrap here"',
            '    </powershell>',
          ].join('\n'),
          'aws-cdk': [
            'const userData = ec2.UserData.forWindows();',
            'userData.addCommands(\'Write-Host "no Start-EKSBootstrap here"\');',
          ].join('\n'),
          terraform:
            'user_data = base64encode("<powershell>\\nWrite-Host \\"no Start-EKSBootstrap here\\"\\n</powershell>")',
        },
        safety: 'needs-decision',
      },
    },
    kubeletStart: {
      text: "{{where}} starts kubelet on line {{line}} of its user data{{condition}}, but names no AMI, so EKS configures and starts kubelet itself, later. Until then kubelet lacks its configuration, and the `bootstrap.sh` of EKS, which doesn't restart it, may find it running with half of that.",
      fix: {
        summary:
          'Drop the command; to give kubelet settings of your own, use AL2023 and a NodeConfig, or set an `ImageId` and bring the whole bootstrap.',
        summaryIn: {
          eksctl:
            'Take the command out of `preBootstrapCommands`; settings of kubelet belong into a NodeConfig, in `overrideBootstrapCommand` of a group with `amiFamily: AmazonLinux2023`.',
        },
        code: KUBELET_SETTINGS,
        safety: 'needs-decision',
      },
    },
    kubeletEarly: {
      text: '{{where}} starts kubelet on line {{line}} of its user data{{condition}}. AL2023 starts it itself, once all scripts have ended, so kubelet joins before they are through and is then restarted.',
      fix: {
        summary: 'Drop the command; settings of kubelet belong into a NodeConfig.',
        summaryIn: {
          eksctl:
            'Take the command out of `preBootstrapCommands`; settings of kubelet belong into a NodeConfig, in `overrideBootstrapCommand` of a group with `amiFamily: AmazonLinux2023`.',
        },
        code: KUBELET_SETTINGS,
        safety: 'needs-decision',
      },
    },
    kubeletFile: {
      text: "{{where}} writes `{{file}}` on line {{line}} of its user data{{condition}}, before the call of `bootstrap.sh` that EKS adds, which edits the same settings. AWS doesn't support that: the change can get lost, or stop kubelet, with any AMI release.",
      fix: {
        summary:
          'Use AL2023 and put the settings into a NodeConfig; on AL2, set an `ImageId` and pass them to `bootstrap.sh` with `--kubelet-extra-args`.',
        summaryIn: {
          eksctl:
            'Put the settings into a NodeConfig, in `overrideBootstrapCommand` of a group with `amiFamily: AmazonLinux2023`.',
        },
        code: KUBELET_SETTINGS,
        safety: 'needs-decision',
      },
    },
    kubeletFileUnread: {
      text: "{{where}} writes `{{file}}` on line {{line}} of its user data{{condition}}. That is a file of AL2: on AL2023 nodeadm writes kubelet's configuration elsewhere, so the change has no effect.",
      fix: {
        summary: 'Put the settings into a NodeConfig.',
        summaryIn: {
          eksctl:
            'Put the settings into a NodeConfig, in `overrideBootstrapCommand` of a group with `amiFamily: AmazonLinux2023`.',
        },
        code: KUBELET_SETTINGS,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2', 'AL2023', 'WINDOWS'], judge);
  },
});

type Outcome = LaunchOutcome<Message>;

function judge(boot: BootCase): readonly Outcome[] {
  const { document, family, when } = boot;
  if (document === undefined || family.kind !== 'known' || bootStateOf(boot).kind !== 'additions') return [];
  if (boot.bootstrapBy === 'karpenter') return judgeNodeClass(document, family.value, when);
  const found =
    family.value === 'WINDOWS'
      ? inWindows(document)
      : document.parts.flatMap((part) => inScript(document, part, family.value));
  return found.length === 0 ? passing(when) : found.map((one): Outcome => ({ ...one, verdict: 'fail', when }));
}

/** Karpenter has the user's part run in front of its own; on AL2 alone, a script there can start kubelet. */
function judgeNodeClass(document: UserDataDocument, family: AmiFamily, when: When): readonly Outcome[] {
  if (family !== 'AL2') return [];
  for (const part of document.parts) {
    const call = runningScriptOf(part)?.bootstrapCalls.find(
      ({ condition, isGuarded, options, hasUnknownWords }) =>
        condition === 'always' &&
        !isGuarded &&
        !hasUnknownWords &&
        options.get('--kubelet-extra-args')?.value?.show().includes('karpenter.sh/unregistered') !== true,
    );
    if (call === undefined) continue;
    const { body } = part;
    const data = { line: String(body.positionAt(call.offset).line) };
    const source = body.sourceAt(call.offset);
    const corrected = withoutBareCall(document, part, call);
    return [{ verdict: 'fail', message: 'karpenterBootstrap', severity: 'warning', data, source, when, corrected }];
  }
  return passing(when);
}

type Found = Omit<Outcome, 'verdict' | 'when'>;

function inScript(document: UserDataDocument, part: UserDataPart, family: AmiFamily): readonly Found[] {
  const node = runningScriptOf(part);
  if (node === undefined) return [];
  const found = (call: ScriptCall, message: Message, severity: Severity, file = ''): readonly [number, Found] => {
    const data = {
      line: String(part.body.positionAt(call.offset).line),
      condition: isChained(call, part) ? '' : conditionOf(call),
      file,
    };
    return [
      call.offset,
      { message, severity, data, source: part.body.sourceAt(call.offset), about: lineAt(part.body, call.offset) },
    ];
  };
  const calls =
    family === 'AL2'
      ? node.bootstrapCalls.map((call): readonly [number, Found] => {
          const [offset, one] = found(
            call,
            'bootstrapScript',
            certainty(call.isGuarded ? 'conditional' : call.condition),
          );
          return [offset, { ...one, corrected: withoutBareCall(document, part, call) }];
        })
      : [];
  const kubelet = node.kubelet.map((one) => {
    // nodeadm has written kubelet's configuration before cloud-init runs any script.
    if (one.kind === 'start')
      return family === 'AL2'
        ? found(one, 'kubeletStart', certainty(one.condition))
        : found(one, 'kubeletEarly', 'warning');
    return found(one, family === 'AL2' ? 'kubeletFile' : 'kubeletFileUnread', 'warning', one.file);
  });
  return [...calls, ...kubelet].sort(([one], [other]) => one - other).map(([, one]) => one);
}

function inWindows(document: UserDataDocument): readonly Found[] {
  const { text } = document;
  return eksBootstrapCallsIn(readWindows(text))
    .filter(({ condition }) => condition !== 'function')
    .map(
      (call): Found => ({
        message: 'windowsBootstrap',
        severity: certainty(call.condition),
        data: { line: String(text.positionAt(call.offset).line), condition: conditionOf(call) },
        source: text.sourceAt(call.offset),
        about: lineAt(text, call.offset),
      }),
    );
}

function certainty(condition: ScriptCall['condition']): Severity {
  return condition === 'always' ? 'error' : 'warning';
}

/** Whether it stands behind `&&` of commands that do something themselves, such as `jq … > new && mv new old`: that is no condition to speak of. */
function isChained({ command, condition }: ScriptCall, { body: { text } }: UserDataPart): boolean {
  return (
    condition === 'conditional' &&
    command.guards.every(
      ({ start, end, negated }) =>
        !negated &&
        text.startsWith('&&', end) &&
        !/^\s*(?:!|\[|test\b|command\b|which\b|type\b|grep\b)/.test(text.slice(start, end)),
    )
  );
}

function conditionOf({ condition }: Pick<ScriptCall, 'condition'>): string {
  if (condition === 'always') return '';
  return condition === 'conditional' ? ', under a condition' : ', in a function';
}
