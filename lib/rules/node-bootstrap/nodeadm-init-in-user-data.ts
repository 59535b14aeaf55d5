import { defineRule } from '../../engine';
import type { BootCase } from '../../eks';
import { correctedLines, type CorrectedLines } from '../../eks/user-data/correction';
import type { UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { runningScriptOf } from '../../eks/user-data/scripts';
import { programName, type ShellCommand } from '../../eks/user-data/shell';
import { judgeAllUserData } from '../parts/boot-judgements';
import { bootStateOf, isToldByUserData } from '../parts/boot-state';
import { NODES_ROLL } from '../parts/repair-effects';
import { withoutCommand } from '../parts/corrected-bootstrap';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';

/*
 * AL2023 runs nodeadm by two services, before and after cloud-init. A call in a script comes between the two.
 * Source: awslabs/amazon-eks-ami, templates/al2023/runtime/rootfs/etc/systemd/system/nodeadm-*.service; issue 2604.
 */

const CODE = {
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
    '  kubelet:',
    '    flags: [--node-labels=team=shop]',
    '--//',
    'Content-Type: text/x-shellscript',
    '',
    '#!/bin/bash',
    'echo "no nodeadm init here"',
    '--//--',
  ].join('\n'),
  'aws-cdk': [
    "// NodeConfig from 'eks-guardrails/aws-cdk'",
    "const config = new NodeConfig({ kubelet: { flags: ['--node-labels=team=shop'] } });",
    "new ec2.LaunchTemplate(this, 'NodeTemplate', { userData: config.toUserData() });",
  ].join('\n'),
  terraform: [
    'part {',
    '  content_type = "application/node.eks.aws"',
    '  content = yamlencode({',
    '    apiVersion = "node.eks.aws/v1alpha1"',
    '    kind       = "NodeConfig"',
    '    spec       = { kubelet = { flags = ["--node-labels=team=shop"] } }',
    '  })',
    '}',
  ].join('\n'),
};

type Message = 'init' | 'alone';

export const nodeadmInitInUserData = defineRule<Message>({
  id: 'nodeadm-init-in-user-data',
  subject: 'node-bootstrap',
  title: "Scripts in user data leave `nodeadm init` to the AMI's own services",
  severity: 'warning',
  since: '0.1.0',
  messages: {
    init: {
      text: '{{where}} runs `nodeadm init` on line {{line}} of its user data. The services of the AMI run nodeadm before and after all scripts, so the node is bootstrapped twice, and kubelet joins before the scripts have ended.',
      fix: {
        summary:
          'Drop the call and put the NodeConfig into a MIME part of type `application/node.eks.aws`; what a script computes can go to a file in `/etc/eks/nodeadm.d/` (AMIs since October 2025).',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    alone: {
      text: '{{where}} runs `nodeadm init` on line {{line}} of its user data, which holds no NodeConfig. The services of the AMI that run nodeadm find none there and fail, and kubelet joins before the scripts have ended.',
      fix: {
        summary:
          'Drop the call and put the NodeConfig into a MIME part of type `application/node.eks.aws`; what a script computes can go to a file in `/etc/eks/nodeadm.d/` (AMIs since October 2025).',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2023'], judge);
  },
});

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, family, image, when } = boot;
  const state = bootStateOf(boot).kind;
  if (document === undefined || (state !== 'own' && state !== 'additions' && state !== 'unknown')) return [];
  // With a NodeConfig, its own or the one that EKS adds, the services of the AMI bootstrap the node as well.
  const message = state === 'own' && !document.parts.some(({ kind }) => kind === 'node-config') ? 'alone' : 'init';
  const found = document.parts.flatMap((part): readonly LaunchOutcome<Message>[] => {
    const calls = runningScriptOf(part)?.nodeadmInits ?? [];
    return calls.map((call): LaunchOutcome<Message> => {
      const data = { line: String(part.body.positionAt(call.offset).line) };
      return {
        verdict: 'fail',
        message,
        data,
        source: part.body.sourceAt(call.offset),
        about: lineAt(part.body, call.offset),
        ...(message === 'init' && call.configSource === undefined && call.condition === 'always'
          ? { corrected: withoutCall(document, part, call.command) }
          : {}),
        when,
      };
    });
  });
  const [first] = found;
  if (first !== undefined) {
    if (installsNodeadm(document)) return [];
    if (family.kind === 'known' && !isToldByUserData(boot)) return found;
    // Who writes a NodeConfig into the user data counts on the service that reads it there.
    if (document.parts.some(({ kind, readByNodeadm }) => kind === 'node-config' && readByNodeadm)) return found;
    const named = image.kind === 'known' ? image.value.text : image.kind === 'unknown' ? image.text : undefined;
    return [
      {
        verdict: 'unverifiable',
        reason: `its user data runs \`nodeadm init\`, and whether ${named === undefined ? 'its AMI' : `the AMI ${named}`} has services of its own that run nodeadm can't be told`,
        source: first.source ?? image.source,
        when,
      },
    ];
  }
  return family.kind === 'known' && state !== 'unknown' ? passing(when) : [];
}

function withoutCall(
  document: UserDataDocument,
  part: UserDataPart,
  command: ShellCommand,
): CorrectedLines | undefined {
  const removal = withoutCommand(document, part, command);
  return removal === undefined ? undefined : correctedLines(document.text, removal);
}

/** Whether a script brings nodeadm itself, as that of hybrid nodes does. Source: aws/eks-hybrid, cmd/nodeadm/install. */
function installsNodeadm({ parts }: UserDataDocument): boolean {
  return parts.some(
    (part) =>
      runningScriptOf(part)?.script.commands.some(
        ({ effective: [program, subcommand] }) => programName(program) === 'nodeadm' && subcommand?.text === 'install',
      ) === true,
  );
}
