import { defineRule, type RelatedPlace } from '../../engine';
import type { BootCase } from '../../eks';
import { correctedLines } from '../../eks/user-data/correction';
import type { MimeDefect, UserDataDocument } from '../../eks/user-data/document';
import { messageWithoutNodeadm } from '../../eks/user-data/mime/story';
import { judgeAllUserData } from '../parts/boot-judgements';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';
import { MimeHarms, type MimeHarm } from './parts/mime-harm';

/*
 * Two programs read MIME user data. cloud-init repairs most mistakes; nodeadm, on AL2023, repairs none, and ends with an error or goes on
 * without what it can't find.
 * Sources: awslabs/amazon-eks-ami, nodeadm/internal/configprovider; golang/go, mime/multipart and net/mail; canonical/cloud-init,
 * cloudinit/user_data.py; python/cpython, Lib/email/feedparser.py.
 */

const CODE = {
  cloudformation: [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: application/node.eks.aws',
    '',
    'apiVersion: node.eks.aws/v1alpha1 # and so on: the NodeConfig',
    '',
    '--//',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '#!/bin/bash',
    '',
    '--//--',
  ].join('\n'),
  'aws-cdk': [
    '// writes boundaries and headers by itself',
    'const userData = new ec2.MultipartUserData();',
    "userData.addPart(ec2.MultipartBody.fromRawBody({ contentType: 'application/node.eks.aws', body: nodeConfig }));",
    'userData.addPart(ec2.MultipartBody.fromRawBody({ contentType: \'text/x-shellscript; charset="us-ascii"\', body: script }));',
  ].join('\n'),
  terraform: [
    '# writes boundaries and headers by itself',
    'data "cloudinit_config" "nodes" {',
    '  gzip          = false',
    '  base64_encode = true',
    '  part {',
    '    content_type = "application/node.eks.aws"',
    '    content      = local.node_config',
    '  }',
    '  part {',
    '    content_type = "text/x-shellscript"',
    '    content      = local.script',
    '  }',
    '}',
  ].join('\n'),
};

export const userDataMimeStructure = defineRule<Message>({
  id: 'user-data-mime-structure',
  subject: 'node-bootstrap',
  title: 'MIME user data is put together so that nodeadm and cloud-init find every part of it',
  severity: 'error',
  since: '0.1.0',
  messages: {
    broken: {
      text: '{{where}}, in its user data: {{problem}} {{effect}}',
      fix: {
        summary: '{{fix}}',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    more: {
      text: '{{where}} has {{count}} more mistakes in the MIME structure of its user data, from line {{line}} on. Like those before, they keep parts of it from being read.',
      fix: {
        summary: "Let a library or Terraform's `cloudinit_config` put the document together.",
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2', 'AL2023'], judge);
  },
});

type Message = 'broken' | 'more';
type Outcome = LaunchOutcome<Message>;

/** The most findings about one document. */
const MOST_FINDINGS = 20;
/** The most places besides its own that one finding shows. */
const MOST_RELATED = 10;

interface Harmful {
  readonly defect: MimeDefect;
  readonly harm: MimeHarm;
}

function judge(boot: BootCase): readonly Outcome[] {
  const { document, userData, when } = boot;
  if (document?.format !== 'multipart' || userData.kind !== 'known' || userData.value.encodedBy === 'nobody') return [];
  const { unknownStructure } = document;
  if (unknownStructure !== undefined) {
    return [
      {
        verdict: 'unverifiable',
        reason: `the MIME structure of its user data isn't known: ${unknownStructure.reason}`,
        source: unknownStructure.source,
        when,
      },
    ];
  }
  const harms = new MimeHarms(document, boot);
  const harmful: Harmful[] = [];
  let uncertain: MimeDefect | undefined;
  for (const defect of document.defects) {
    const harm = harms.of(defect);
    if (harm === 'unknown') uncertain ??= defect;
    else if (harm !== undefined) harmful.push({ defect, harm });
  }
  const outcomes = harmful.slice(0, MOST_FINDINGS).map((one): Outcome => failure(one, document, boot));
  const more = harmful.slice(MOST_FINDINGS);
  if (more.length > 0) outcomes.push(rest(more, document, boot));
  if (uncertain !== undefined) outcomes.push(dependsOnFamily(uncertain, document, boot));
  return outcomes.length === 0 ? passing(when) : outcomes;
}

function failure({ defect, harm }: Harmful, document: UserDataDocument, { when, family }: BootCase): Outcome {
  const { kind, message, fix, offset } = defect;
  const problem = family.kind === 'known' && family.value === 'AL2' ? messageWithoutNodeadm(defect) : message;
  return {
    verdict: 'fail',
    message: 'broken',
    severity: harm.severity,
    source: document.text.sourceAt(offset),
    data: { problem, effect: harm.effect(), fix },
    ...(defect.correction === undefined ? {} : { corrected: correctedLines(document.text, defect.correction) }),
    about: `${kind} ${lineAt(document.text, offset)}`,
    related: relatedTo(defect, document),
    when,
  };
}

/** The places that the defect itself tells of, and the parts that are lost. */
function relatedTo(defect: MimeDefect, { text }: UserDataDocument): readonly RelatedPlace[] {
  const places = new Map(defect.related.map(({ offset, message }) => [offset, message]));
  for (const { headerOffset, kind } of defect.parts) {
    if (headerOffset === defect.offset || places.has(headerOffset)) continue;
    const effect = kind === 'node-config' ? defect.nodeadm : defect.cloudInit;
    places.set(
      headerOffset,
      effect === 'swallowed' ? 'This is taken for text of another part.' : 'This is never read.',
    );
  }
  return [...places].slice(0, MOST_RELATED).map(([offset, message]) => ({ message, source: text.sourceAt(offset) }));
}

function rest(more: readonly Harmful[], { text }: UserDataDocument, { when }: BootCase): Outcome {
  const offset = more[0]?.defect.offset ?? 0;
  const severity =
    (['error', 'warning', 'info'] as const).find((one) => more.some(({ harm }) => harm.severity === one)) ?? 'info';
  return {
    verdict: 'fail',
    message: 'more',
    severity,
    source: text.sourceAt(offset),
    data: { count: String(more.length), line: String(text.positionAt(offset).line) },
    when,
  };
}

function dependsOnFamily({ offset }: MimeDefect, { text }: UserDataDocument, { family, when }: BootCase): Outcome {
  const why = family.kind === 'unknown' ? `: ${family.reason}` : '';
  const { line } = text.positionAt(offset);
  return {
    verdict: 'unverifiable',
    reason: `nodeadm of AL2023 ends with an error on line ${line} of its user data, and whether its nodes are AL2023 isn't known${why}`,
    source: text.sourceAt(offset),
    when,
  };
}
