import { defineRule, type RelatedPlace } from '../../engine';
import type { BootCase } from '../../eks';
import { correctedLines } from '../../eks/user-data/correction';
import type { MimeDefect, UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { messageForKarpenter, messageWithoutNodeadm } from '../../eks/user-data/mime/story';
import { isMimeForKarpenter } from '../../eks/user-data/sniff';
import { listOf } from '../../text/in-words';
import { judgeAllUserData } from '../parts/boot-judgements';
import { undecided } from '../parts/case-judgements';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';
import { readsAsYaml } from './parts/karpenter-merge';
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
    'one-script': {
      text: '{{where}}, in its user data: {{beginning}} stands before the MIME headers. Karpenter takes what begins so for one shell script, boundaries and headers included, and puts its own bootstrap beside it: the nodes join, but {{effect}}.',
      fix: {
        summary:
          'Begin the user data with `MIME-Version: 1.0`, and move what stands before it into a part of type `text/x-shellscript`; or write one script, without MIME.',
        code: CODE,
        safety: 'needs-decision',
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

type Message = 'broken' | 'one-script' | 'more';

/** The most findings about one document. */
const MOST_FINDINGS = 20;
/** The most places besides its own that one finding shows. */
const MOST_RELATED = 10;

interface Harmful {
  readonly defect: MimeDefect;
  readonly harm: MimeHarm;
}

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, userData, when } = boot;
  if (document?.format !== 'multipart' || userData.kind !== 'known' || userData.value.encodedBy === 'nobody') return [];
  const { unknownStructure } = document;
  if (unknownStructure !== undefined) {
    return [{ ...undecided("the MIME structure of its user data isn't known", unknownStructure), when }];
  }
  if (boot.bootstrapBy === 'karpenter' && document.layers.length === 0 && !isMimeForKarpenter(document.text.text))
    return oneScript(document, boot);
  const harms = new MimeHarms(document, boot);
  const harmful: Harmful[] = [];
  let uncertain: MimeDefect | undefined;
  for (const defect of document.defects) {
    const harm = harms.of(defect);
    if (harm === 'unknown') uncertain ??= defect;
    else if (harm !== undefined) harmful.push({ defect, harm });
  }
  const outcomes = harmful.slice(0, MOST_FINDINGS).map((one): LaunchOutcome<Message> => failure(one, document, boot));
  const more = harmful.slice(MOST_FINDINGS);
  if (more.length > 0) outcomes.push(rest(more, document, boot));
  if (uncertain !== undefined) outcomes.push(dependsOnFamily(uncertain, document, boot));
  return outcomes.length === 0 ? passing(when) : outcomes;
}

/** Karpenter doesn't look into it; what reads as a map of YAML is told by `user-data-ami-family`. */
function oneScript(document: UserDataDocument, { family, when }: BootCase): readonly LaunchOutcome<Message>[] {
  const { text, parts } = document;
  if (family.kind !== 'known' || (family.value === 'AL2023' && readsAsYaml(document))) return [];
  const isLost = ({ kind }: UserDataPart): boolean =>
    kind === 'cloud-config' || (kind === 'node-config' && family.value === 'AL2023');
  const isRun = text.text.startsWith('#!');
  const lost = parts.filter((part) => isLost(part) || (!isRun && part.kind === 'shell-script'));
  const names = [...new Set(lost.map(({ kind }) => LOST[kind] ?? 'part'))];
  return [
    {
      verdict: 'fail',
      message: 'one-script',
      severity: lost.some(({ kind }) => kind !== 'cloud-config') ? 'error' : lost.length > 0 ? 'warning' : 'info',
      source: text.sourceAt(0),
      data: {
        beginning: JSON.stringify(
          text.text
            .trimStart()
            .split(/[\r\n]/, 1)[0]
            ?.slice(0, 60) ?? '',
        ),
        effect: isRun
          ? lost.length > 0
            ? `the ${listOf(names)} in it ${lost.length > 1 ? 'are' : 'is'} ignored: the shell reads the lines as commands`
            : 'the shell reads the boundaries and headers as commands, too'
          : 'a script that does not begin with `#!` is not run, so nothing of it takes effect',
      },
      related: lost
        .slice(0, MOST_RELATED)
        .map(({ headerOffset }) => ({ message: 'This is text of the script.', source: text.sourceAt(headerOffset) })),
      when,
    },
  ];
}

const LOST: Readonly<Partial<Record<UserDataPart['kind'], string>>> = {
  'node-config': 'NodeConfig',
  'cloud-config': 'cloud-config',
};

function failure({ defect, harm }: Harmful, document: UserDataDocument, boot: BootCase): LaunchOutcome<Message> {
  const { when, family, bootstrapBy } = boot;
  const { kind, message, fix, offset, nodeadm } = defect;
  const isAl2 = family.kind === 'known' && family.value === 'AL2';
  const problem = !isAl2
    ? message
    : bootstrapBy === 'karpenter' && (nodeadm === 'dies' || nodeadm === 'lost')
      ? messageForKarpenter(defect)
      : messageWithoutNodeadm(defect);
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

function rest(more: readonly Harmful[], { text }: UserDataDocument, { when }: BootCase): LaunchOutcome<Message> {
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

function dependsOnFamily(
  { offset }: MimeDefect,
  { text }: UserDataDocument,
  { family, when }: BootCase,
): LaunchOutcome<Message> {
  const why = family.kind === 'unknown' ? `: ${family.reason}` : '';
  const { line } = text.positionAt(offset);
  return {
    verdict: 'unverifiable',
    reason: `nodeadm of AL2023 ends with an error on line ${line} of its user data, and whether its nodes are AL2023 isn't known${why}`,
    source: text.sourceAt(offset),
    when,
  };
}
