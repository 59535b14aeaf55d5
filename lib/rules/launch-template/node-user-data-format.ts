import { defineRule, type Severity } from '../../engine';
import type { BootCase } from '../../eks';
import { correctedLines, type CorrectedLines } from '../../eks/user-data/correction';
import { nodeScriptOf } from '../../eks/user-data/scripts';
import type { UserDataDocument, UserDataFormat } from '../../eks/user-data/document';
import { judgeUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';

/*
 * EKS merges its bootstrap into the user data of managed groups without an AMI of their own. On Amazon Linux it merges MIME multipart
 * documents only, although cloud-init and nodeadm would read more.
 * Source: Amazon EKS user guide, "Customize managed nodes with launch templates", "Amazon EC2 user data".
 */

type Message = 'notMime' | 'nodeConfig' | 'gzip';

const CODE = {
  cloudformation: [
    'UserData:',
    '  Fn::Base64: !Sub |',
    '    MIME-Version: 1.0',
    '    Content-Type: multipart/mixed; boundary="//"',
    '',
    '    --//',
    '    Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '    #!/bin/bash',
    '    echo ${AWS::StackName}',
    '',
    '    --//--',
  ].join('\n'),
  'aws-cdk': '{{inCdk}}',
  terraform: [
    'data "cloudinit_config" "nodes" {',
    '  gzip          = false',
    '  base64_encode = true',
    '  part {',
    '    content_type = "text/x-shellscript"',
    '    content      = file("${path.module}/setup.sh")',
    '  }',
    '}',
    '',
    '# in aws_launch_template',
    'user_data = data.cloudinit_config.nodes.rendered',
  ].join('\n'),
};

const FIX = {
  summary: 'Make it a MIME multipart document with one part for each script, cloud-config or NodeConfig.',
  code: CODE,
  safety: 'safe',
} as const;

export const nodeUserDataFormat = defineRule<Message>({
  id: 'node-user-data-format',
  subject: 'launch-template',
  title: 'User data that EKS adds its bootstrap to is a MIME multipart document on Amazon Linux',
  severity: 'error',
  since: '0.1.0',
  messages: {
    notMime: {
      text: '{{where}} has user data that is {{format}} and names no AMI, so EKS has to merge its bootstrap into it. It refuses the template: "User data was not in the MIME multipart format."',
      fix: FIX,
    },
    nodeConfig: {
      text: '{{where}} has a bare NodeConfig for user data and names no AMI, so EKS has to merge its own into it. It documents that for MIME multipart documents only, and refuses other formats: "User data was not in the MIME multipart format."',
      fix: {
        ...FIX,
        summary: 'Make it a MIME multipart document with the NodeConfig as a part of type `application/node.eks.aws`.',
      },
    },
    gzip: {
      text: '{{where}} has compressed user data and names no AMI, so EKS has to merge its bootstrap into it. It doesn\'t decompress and refuses the template: "User data was not in the MIME multipart format."',
      fix: {
        ...FIX,
        summary: 'Leave it uncompressed: `gzip = false` in `cloudinit_config`.',
        summaryIn: { pulumi: 'Leave it uncompressed: `gzip` is false in `cloudinit.Config`.' },
      },
    },
  },
  *check(model) {
    yield* judgeUserData(model, ['AL2', 'AL2023'], judge);
  },
});

type Outcome = LaunchOutcome<Message>;

function judge(boot: BootCase): readonly Outcome[] {
  const { bootstrapBy, family, document, when } = boot;
  if (bootstrapBy !== 'eks' || family.kind !== 'known') return [];
  const state = bootStateOf(boot);
  if (state.kind === 'additions') return passing(when);
  if (state.kind === 'not-mergeable' && document !== undefined) return [judged(boot, document)];
  if (state.kind !== 'unknown') return [];
  // Of a document with a header that isn't known, this much is.
  return document?.format === 'multipart'
    ? passing(when)
    : [{ verdict: 'unverifiable', reason: state.reason, source: state.source, when }];
}

function judged({ userData, template, when }: BootCase, document: UserDataDocument): Outcome {
  const { message, severity } = refusal(document);
  return {
    verdict: 'fail',
    source: userData.source,
    when,
    message,
    ...(severity === undefined ? {} : { severity }),
    data: {
      format: FORMATS[document.format] ?? 'in no format that EKS knows',
      inCdk: template?.dialect.name === 'aws-cdk' ? inMimeInCdk(document) : '',
    },
    corrected: inMime(document),
  };
}

function refusal({ format, layers }: UserDataDocument): { readonly message: Message; readonly severity?: Severity } {
  if (layers.includes('gzip')) return { message: 'gzip' };
  return format === 'node-config' ? { message: 'nodeConfig', severity: 'warning' } : { message: 'notMime' };
}

const MEDIA_TYPES: Partial<Readonly<Record<UserDataFormat, string>>> = {
  'shell-script': 'text/x-shellscript; charset="us-ascii"',
  'cloud-config': 'text/cloud-config; charset="us-ascii"',
  'node-config': 'application/node.eks.aws',
};

/** Of what is one part of a document as it is. A script that bootstraps has to go, because EKS does. */
function mediaTypeOf({ text, format, layers, parts }: UserDataDocument): string | undefined {
  const isPlain = layers.length === 0 && !text.text.includes('--//');
  const bootstraps = parts.some((part) => (nodeScriptOf(part)?.bootstrapCalls.length ?? 0) > 0);
  return isPlain && !bootstraps ? MEDIA_TYPES[format] : undefined;
}

/** Longest user data that is written again, in lines. */
const MOST_LINES = 40;

/** Code of the CDK with the user's own text as the one part of a document; empty where the template fills something in, which the app has under another name. */
function inMimeInCdk(document: UserDataDocument): string {
  const { text, format } = document;
  const type = mediaTypeOf(document);
  const lines = text.text.trimEnd().split('\n');
  if (type === undefined || !text.isKnown || lines.length > MOST_LINES) return '';
  const kind = format === 'shell-script' ? '' : `, '${type}'`;
  return [
    '// before the LaunchTemplate:',
    'const userData = new ec2.MultipartUserData();',
    'userData.addUserDataPart(ec2.UserData.custom([',
    ...lines.map((line) => `  '${line.replaceAll(/[\\']/g, '\\$&')}',`),
    `].join('\\n'))${kind});`,
    '// in the options of the LaunchTemplate:',
    'userData, // in place of what it has',
  ].join('\n');
}

/** The user's own text as the one part of a document. */
function inMime(document: UserDataDocument): CorrectedLines | undefined {
  const { text } = document;
  const type = mediaTypeOf(document);
  if (type === undefined) return undefined;
  const head = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    `Content-Type: ${type}`,
  ];
  const end = text.text.trimEnd().length;
  return correctedLines(
    text,
    { start: 0, end: 0, text: [...head, '', ''].join('\n') },
    { start: end, end, text: '\n--//--' },
  );
}

const FORMATS: Partial<Readonly<Record<UserDataFormat, string>>> = {
  'shell-script': 'a plain script',
  'cloud-config': 'a plain cloud-config',
  text: 'plain text',
};
