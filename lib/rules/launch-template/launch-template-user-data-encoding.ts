import { defineRule } from '../../engine';
import {
  bootsByResource,
  documentOf,
  flatMapCases,
  under,
  whereExists,
  type NodeBoot,
  type Plain,
  type UserData,
} from '../../eks';
import { fillHoles } from '../../text/holes';
import { judgeLaunches, passing, unseenTemplate, type LaunchOutcome } from '../parts/launch-judgements';

/*
 * EC2 takes user data as base64 and hands it to the instance decoded once. The API decodes it to check it, and measures
 * what comes out; who writes the template has to encode, because neither CloudFormation nor the plain Terraform resource does.
 * Source: Amazon EC2 user guide, "Run commands when you launch an EC2 instance with user data input".
 */

/** Bytes before base64. */
const LIMIT = 16384;

/** With less than this known, what is decided at deployment (ids, endpoints, a certificate; parameters of 4 KB at most) fits too. */
const SURELY_ENOUGH = 12288;

const ENCODE = {
  cloudformation: ['UserData:', '  Fn::Base64: !Sub |', '    #!/bin/bash', '    echo ${AWS::StackName}'].join('\n'),
  'aws-cdk': [
    '// `ec2.LaunchTemplate` encodes by itself; only the L1 needs it',
    "new ec2.CfnLaunchTemplate(this, 'NodeTemplate', {",
    '  launchTemplateData: { userData: cdk.Fn.base64(text) },',
    '});',
  ].join('\n'),
  terraform: 'user_data = base64encode(templatefile("${path.module}/user-data.tftpl", {}))',
};

export const launchTemplateUserDataEncoding = defineRule<Message>({
  id: 'launch-template-user-data-encoding',
  subject: 'launch-template',
  title: 'User data is base64, encoded once, of at most 16 KB',
  severity: 'error',
  since: '0.1.0',
  messages: {
    notEncoded: {
      text: '{{where}} has user data that isn\'t base64; it begins with `{{begin}}`. EC2 refuses the template: "Invalid BASE64 encoding of user data."',
      fix: {
        summary: 'Encode it once.',
        code: ENCODE,
        safety: 'safe',
        repairs: [{ kind: 'encode', field: 'userData' }],
      },
    },
    tooLarge: {
      text: '{{where}} has user data of {{size}} bytes{{measured}}. EC2 takes 16384 before base64, and refuses the template.',
      fix: {
        summary:
          'Move the large part to S3 or into the AMI and let a short script fetch it; comments and blank lines count too.',
        code: {
          cloudformation: [
            'UserData:',
            '  Fn::Base64: !Sub |',
            '    #!/bin/bash',
            '    set -o errexit',
            '    aws s3 cp s3://${Bucket}/node-setup.sh - | bash',
          ].join('\n'),
          'aws-cdk':
            'const path = userData.addS3DownloadCommand({ bucket: asset.bucket, bucketKey: asset.s3ObjectKey });\nuserData.addExecuteFileCommand({ filePath: path });',
          terraform: [
            'user_data = base64encode(<<-EOT',
            '  #!/bin/bash',
            '  set -o errexit',
            '  aws s3 cp s3://${aws_s3_bucket.setup.id}/node-setup.sh - | bash',
            'EOT',
            ')',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
    doubled: {
      text: "{{where}} encodes its user data twice. EC2 takes one layer of base64 off, so the machine gets base64 text: cloud-init and nodeadm take off another one, but EKS, which looks for a MIME document, Windows and Bottlerocket aren't known to.",
      fix: { summary: 'Encode it once: leave out the second encoding.', code: ENCODE, safety: 'safe' },
    },
  },
  *check(model) {
    yield* judgeLaunches(bootsByResource(model), judgeBoot);
  },
});

type Message = 'notEncoded' | 'tooLarge' | 'doubled';
type Outcome = LaunchOutcome<Message>;

function judgeBoot({ nodeGroup, template, when: given }: NodeBoot): readonly Outcome[] {
  if (template.kind === 'unknown') return [unseenTemplate(template, given)];
  if (template.kind === 'absent') return [];
  const userData = template.value.userData;
  if (userData.kind === 'absent') return passing(given);
  return flatMapCases(
    { userData: under(given, whereExists(nodeGroup, userData)) },
    ({ userData: plain }, caseWhen): readonly Outcome[] => {
      const when = given.and(caseWhen);
      if (when === undefined) return [];
      const found = judge(plain);
      return found.length === 0
        ? passing(when)
        : found.map((outcome): Outcome => ({ source: plain.source, ...outcome, when }));
    },
  );
}

function judge(plain: Plain<UserData>): readonly Omit<Outcome, 'when'>[] {
  switch (plain.kind) {
    case 'absent':
      return [];
    case 'unknown':
      if (cantBeBase64(plain.text ?? ''))
        return [{ verdict: 'fail', message: 'notEncoded', data: { begin: beginningOf(plain.text ?? '') } }];
      return [{ verdict: 'unverifiable', reason: `its user data isn't known: ${plain.reason}` }];
    case 'known':
      return plain.value.encodedBy === 'nobody' ? judgeUnencoded(plain.value) : judgeEncoded(plain.value);
  }
}

/** Whether the known parts hold a character that base64 never does; what stands for the unknown ones isn't looked at. */
function cantBeBase64(text: string): boolean {
  return /[^A-Za-z0-9+/=\s]/.test(fillHoles(text, ''));
}

function judgeUnencoded({ text: source }: UserData): readonly Omit<Outcome, 'when'>[] {
  const compact = source.text.replaceAll(/\s+/g, '');
  if (/^[A-Za-z0-9+/]*$/.test(compact) && compact.length % 4 > 1) {
    return [
      {
        verdict: 'unverifiable',
        reason: "its user data is base64 without padding, and AWS doesn't say whether EC2 takes that",
      },
    ];
  }
  return [{ verdict: 'fail', message: 'notEncoded', data: { begin: beginningOf(source.show(0, 200)) } }];
}

/** The first line, shortened. */
function beginningOf(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  const shown = line.replaceAll('`', "'");
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}

function judgeEncoded(userData: UserData): readonly Omit<Outcome, 'when'>[] {
  const { layers } = documentOf(userData);
  const found = [
    judgeSize(userData),
    layers.includes('base64') ? ({ verdict: 'fail', message: 'doubled', severity: 'warning' } as const) : undefined,
  ];
  return found.filter((outcome) => outcome !== undefined);
}

function judgeSize(userData: UserData): Omit<Outcome, 'when'> | undefined {
  const { text: source, layers } = userData;
  const size = userData.size ?? knownBytes(userData);
  if (size > LIMIT) {
    const measured = layers.includes('gzip')
      ? ', compressed'
      : source.isKnown
        ? ''
        : ', without what is decided at deployment';
    return { verdict: 'fail', message: 'tooLarge', data: { size: String(size), measured } };
  }
  if (source.isKnown || size <= SURELY_ENOUGH) return undefined;
  const [part] = source.unknownParts;
  return {
    verdict: 'unverifiable',
    reason: `${size} bytes of its user data are known, and it must not get larger than ${LIMIT}: ${part?.unknown.reason ?? ''}`,
    ...(part === undefined ? {} : { source: part.unknown.source }),
  };
}

/** UTF-8 bytes of the known parts. */
function knownBytes({ text: source }: UserData): number {
  return source.unknownParts.reduce((bytes, { start, end }) => bytes - (end - start), Buffer.byteLength(source.text));
}
