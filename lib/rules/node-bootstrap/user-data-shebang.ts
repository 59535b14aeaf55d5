import { defineRule } from '../../engine';
import type { BootCase } from '../../eks';
import { correctedLines, type TextCorrection } from '../../eks/user-data/correction';
import type { UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { nodeScriptOf } from '../../eks/user-data/scripts';
import { sniffedType } from '../../eks/user-data/sniff';
import { judgeAllUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';
import { readsAsYaml } from './parts/karpenter-merge';

/*
 * cloud-init writes a script to a file as it stands and runs the file as a program. Without `#!` as its first two characters the kernel
 * doesn't know how.
 * Sources: canonical/cloud-init, cloudinit/handlers/shell_script.py, cloudinit/user_data.py and cloudinit/subp.py.
 */

const FIX = {
  summary:
    'Make `#!/bin/bash` the first line of the script, with nothing before it: neither a blank line nor indentation.',
  code: {
    cloudformation: ['Content-Type: text/x-shellscript; charset="us-ascii"', '', '#!/bin/bash', 'set -ex'].join('\n'),
    'aws-cdk': [
      'const script = ec2.UserData.forLinux(); // writes `#!/bin/bash` itself',
      "script.addCommands('set -ex');",
    ].join('\n'),
    terraform: [
      'content_type = "text/x-shellscript"',
      'content      = <<-EOT',
      '  #!/bin/bash',
      '  set -ex',
      'EOT',
    ].join('\n'),
  },
  safety: 'needs-decision',
  effect: NODES_ROLL,
  repairs: [{ kind: 'lines', field: 'userData' }],
} as const;

export const userDataShebang = defineRule<Message>({
  id: 'user-data-shebang',
  subject: 'node-bootstrap',
  title: 'Shell scripts in user data begin with `#!`, as their very first characters',
  severity: 'error',
  since: '0.1.0',
  messages: {
    fails: {
      text: '{{where}}: the shell script on line {{line}} of the user data begins with {{beginning}} instead of `#!`. cloud-init runs it as a program, which fails with "Exec format error. Missing #! in script?", so {{effect}}.',
      fix: FIX,
    },
    ignored: {
      text: '{{where}}: the shell script on line {{line}} of the user data begins with {{beginning}} instead of `#!`. Nothing else says that it is one, and cloud-init passes over it, so {{effect}}.',
      fix: FIX,
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2', 'AL2023'], judge);
  },
});

type Message = 'fails' | 'ignored';

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, userData, when } = boot;
  if (document === undefined || document.unknownStructure !== undefined) return [];
  if (userData.kind !== 'known' || userData.value.encodedBy === 'nobody') return [];
  const scripts = scriptsIn(document, boot);
  // That a script is the bootstrap of another system is the story where it is one; then its beginning doesn't matter.
  const isForeign = boot.bootstrapBy === 'user' && bootStateOf(boot).kind === 'foreign';
  const outcomes = scripts.flatMap((part) => (isForeign && holdsBootstrap(part) ? [] : judgeScript(part, boot)));
  return outcomes.length === 0 && scripts.length > 0 ? passing(when) : outcomes;
}

/** The parts that are scripts, or meant to be, and that the MIME structure doesn't keep from being read. */
function scriptsIn(document: UserDataDocument, { bootstrapBy }: BootCase): readonly UserDataPart[] {
  const { format, parts, defects, layers } = document;
  if (format === 'multipart') {
    const lost = new Set(defects.flatMap((defect) => (defect.cloudInit === 'none' ? [] : defect.parts)));
    const isWhole = defects.every(({ cloudInit }) => cloudInit === 'none');
    return parts.filter(
      (part) => isProgram(part, part.readByCloudInit && !lost.has(part)) || (isWhole && isUnrecognised(part)),
    );
  }
  // Where EKS has to merge, it refuses such a document; that is told by another rule.
  if (bootstrapBy === 'eks' || (format !== 'shell-script' && format !== 'text')) return [];
  // Karpenter makes a script of all that is neither MIME nor YAML.
  if (bootstrapBy === 'karpenter') return readsAsYaml(document) ? [] : parts;
  // What is packed too often isn't read at all.
  return parts.filter(
    (part) =>
      isProgram(part, part.readByCloudInit || layers.length === 0) || (layers.length === 0 && isUnrecognised(part)),
  );
}

/** A part that cloud-init runs. A template begins with another line, which cloud-init takes away. */
function isProgram({ kind, body }: UserDataPart, isRead: boolean): boolean {
  return kind === 'shell-script' && isRead && sniffedType(body.text) !== 'text/jinja2';
}

/** Text that cloud-init makes nothing of and that calls a bootstrap. */
function isUnrecognised(part: UserDataPart): boolean {
  return part.kind === 'text' && !part.readByCloudInit && holdsBootstrap(part);
}

function holdsBootstrap(part: UserDataPart): boolean {
  const script = nodeScriptOf(part);
  return script !== undefined && script.bootstrapCalls.length + script.nodeadmInits.length > 0;
}

function judgeScript(part: UserDataPart, boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { body } = part;
  const { when } = boot;
  const start = body.text.length - body.text.trimStart().length;
  const unknown = body.unknownIn(0, start + 2);
  if (unknown !== undefined) {
    return [
      {
        verdict: 'unverifiable',
        reason: `whether a script in its user data begins with #! isn't known: ${unknown.unknown.reason}`,
        source: body.sourceAt(unknown.start),
        when,
      },
    ];
  }
  if (body.text.startsWith('#!')) return [];
  const isBootstrap = bootstraps(part, boot);
  const message = boot.bootstrapBy === 'karpenter' || isRun(part) ? 'fails' : 'ignored';
  const data = {
    line: String(body.positionAt(0).line),
    beginning: beginningOf(body.text),
    effect: isBootstrap ? 'the nodes never join the cluster' : 'nothing of it happens',
  };
  return [
    {
      verdict: 'fail',
      message,
      severity: isBootstrap ? 'error' : 'warning',
      source: body.sourceAt(0),
      data,
      about: lineAt(body, start),
      ...corrected(part, boot),
      when,
    },
  ];
}

/** Nothing where the script is written in base64. */
function corrected(part: UserDataPart, { document }: BootCase): Pick<LaunchOutcome<Message>, 'corrected'> {
  const isPlain = document?.text.text.startsWith(part.body.text, part.bodyOffset) === true;
  return isPlain ? { corrected: correctedLines(document.text, withShebang(part)) } : {};
}

/** A script with `#!` in front: its own, or that of a script of bash, which runs plain commands as well as any. */
function withShebang({ body: { text }, bodyOffset }: UserDataPart): TextCorrection {
  const length = text.length - text.trimStart().length;
  const end = bodyOffset + length;
  return { start: bodyOffset, end, text: text.startsWith('#!', length) ? '' : '#!/bin/bash\n' };
}

/** Whether cloud-init runs a script: because it's declared as one, or because `#!` comes after nothing but blanks. A byte order mark isn't blank. */
function isRun({ mediaType, body }: UserDataPart): boolean {
  return mediaType?.startsWith('text/x-shellscript') === true || sniffedType(body.text) === 'text/x-shellscript';
}

/** Whether the nodes of a group can't join without a part. */
function bootstraps(part: UserDataPart, { bootstrapBy, family }: BootCase): boolean {
  const script = nodeScriptOf(part);
  if (bootstrapBy !== 'user' || script === undefined || family.kind !== 'known') return false;
  return (family.value === 'AL2' ? script.bootstrapCalls : script.nodeadmInits).length > 0;
}

function beginningOf(text: string): string {
  if (text.startsWith('\uFEFF')) return 'a byte order mark';
  if (/^[^\S\r\n]*[\r\n]/.test(text.slice(0, 500))) return 'a blank line';
  if (/^\s/.test(text)) return 'blanks';
  const line = text.slice(0, 200).split(/[\r\n]/, 1)[0] ?? '';
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 40)}…` : line);
}
