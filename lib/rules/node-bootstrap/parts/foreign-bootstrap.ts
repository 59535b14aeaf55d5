import type { AmiFamily } from '../../../eks';
import { bootstrapPartOf } from '../../../eks/user-data/detect-bootstrap';
import type { UserDataDocument, UserDataFormat, UserDataPart } from '../../../eks/user-data/document';
import { nodeScriptOf, runningScriptOf } from '../../../eks/user-data/scripts';
import type { BootstrapCall } from '../../../eks/user-data/bootstrap-script';
import type { SourceText } from '../../../eks/user-data/source-text';

/** A bootstrap or format of another operating system, and what that one makes of it. */
export interface Foreign {
  /** What the user data is or does: "calls `nodeadm init` (line 3)". */
  readonly found: string;
  /** Where nothing else bootstraps the machine. */
  readonly alone: string;
  /** Beside the bootstrap of EKS. */
  readonly besideEks: string;
  /** What happens beside the bootstrap of EKS is no failure of the node, only without effect. */
  readonly isHarmlessBesideEks: boolean;
  readonly text: SourceText;
  readonly offset: number;
}

/** What makes a document foreign to a family; see the state `foreign`. */
export function foreignIn(document: UserDataDocument, family: AmiFamily, of: readonly AmiFamily[]): Foreign {
  if (family === 'BOTTLEROCKET')
    return wholeDocument(document, 'Bottlerocket takes only settings in TOML and stops booting on anything else.');
  if (family === 'WINDOWS') {
    const unread = 'EC2Launch runs only `<powershell>` and `<script>` blocks, so nothing of it runs';
    return { ...wholeDocument(document, `${unread}, and the nodes never join.`), besideEks: `${unread}.` };
  }
  const [other = family] = of;
  // Where the format could be that of the family, another rule says that EKS refuses it.
  const refused = document.format === 'node-config' || document.format === 'toml' || document.format === 'windows';
  const found =
    inPart(document, family, other) ??
    wholeDocument(document, 'Nothing on Amazon Linux reads that, so the nodes never join.');
  return refused
    ? {
        ...found,
        besideEks: 'EKS refuses the template: "User data was not in the MIME multipart format."',
        isHarmlessBesideEks: false,
      }
    : found;
}

function inPart(document: UserDataDocument, family: AmiFamily, other: AmiFamily): Foreign | undefined {
  const part = bootstrapPartOf(document, other);
  if (part === undefined) return undefined;
  const node = nodeScriptOf(part);
  const at = (offset: number, found: string, why: string, effect: string): Foreign => ({
    found: `${found} (line ${part.body.positionAt(offset).line})`,
    alone: `${why}, so the nodes never join.`,
    besideEks: `${why}, so ${effect}.`,
    isHarmlessBesideEks: true,
    text: part.body,
    offset,
  });
  if (other === 'AL2') {
    const call = node?.bootstrapCalls[0];
    return (
      call &&
      at(
        call.offset,
        'calls `/etc/eks/bootstrap.sh`',
        'On AL2023 that script is a stub which exits with 1, and nodeadm reads nothing but NodeConfigs',
        'the call only fails',
      )
    );
  }
  const init = node?.nodeadmInits[0];
  if (init !== undefined) return at(init.offset, 'calls `nodeadm init`', 'AL2 has no nodeadm', 'the call only fails');
  const holds =
    other === 'AL2023'
      ? 'a NodeConfig'
      : other === 'BOTTLEROCKET'
        ? 'settings of Bottlerocket'
        : 'PowerShell for Windows';
  return at(beginOf(part.body), `holds ${holds}`, `Nothing on ${family} reads that`, 'it has no effect');
}

function wholeDocument(document: UserDataDocument, effect: string): Foreign {
  const { text, format } = document;
  return {
    found: `is ${FORMATS[format] ?? 'of another format'}`,
    alone: effect,
    besideEks: effect,
    isHarmlessBesideEks: false,
    text,
    offset: beginOf(text),
  };
}

function beginOf({ text }: SourceText): number {
  return Math.max(0, text.search(/\S/));
}

const FORMATS: Partial<Readonly<Record<UserDataFormat, string>>> = {
  multipart: 'a MIME document',
  'shell-script': 'a shell script',
  'cloud-config': 'a cloud-config',
  'node-config': 'a NodeConfig',
  toml: 'settings of Bottlerocket',
  windows: 'PowerShell for Windows',
  text: 'a script for another system',
};

/** A call of the stub that AL2023 has in place of `bootstrap.sh`. */
export interface StubCall {
  readonly call: BootstrapCall;
  readonly part: UserDataPart;
  readonly text: SourceText;
  /** `set -e` ends the script there, and something else would have followed. */
  readonly cutsOff: boolean;
}

/** The first call of `bootstrap.sh` that no condition keeps from running on AL2023. */
export function stubCallIn(document: UserDataDocument): StubCall | undefined {
  for (const part of document.parts) {
    const node = runningScriptOf(part);
    const call = node?.bootstrapCalls.find(
      ({ condition, isGuarded, command }) =>
        condition === 'always' &&
        !isGuarded &&
        // What takes the place of the stub may do anything.
        !node.bootstrapWrites.some((write) => write.isReplaced && write.command.index < command.index),
    );
    if (node === undefined || call === undefined) continue;
    const hasMore = node.script.commands.some(
      ({ index, reachable, functionName }) => index > call.command.index && reachable && functionName === undefined,
    );
    return { call, part, text: part.body, cutsOff: call.command.errexit && hasMore && !isTested(part.body.text, call) };
  }
  return undefined;
}

/** Where the stub is changed first, to no effect: nothing runs it. */
export function stubChangeIn(
  document: UserDataDocument,
): { readonly text: SourceText; readonly offset: number } | undefined {
  for (const part of document.parts) {
    const node = runningScriptOf(part);
    const change = node?.bootstrapWrites.find(({ condition, isReplaced }) => condition === 'always' && !isReplaced);
    if (change !== undefined && node?.bootstrapCalls.length === 0) return { text: part.body, offset: change.offset };
  }
  return undefined;
}

/** Whether the script looks at how the call ends, so that `set -e` doesn't. */
function isTested(text: string, { command, end }: BootstrapCall): boolean {
  if (/^[ \t]*(?:\|\||&&|\||(?:;[ \t]*)?then\b)/.test(text.slice(end, end + 40))) return true;
  return (
    /(?:^|[\s;])(?:if|elif|while|until|!)[ \t]+$/.test(text.slice(Math.max(0, command.offset - 40), command.offset)) ||
    command.words[0]?.text === '!'
  );
}
