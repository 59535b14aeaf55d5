import type { Source } from '../../value';
import { BOOTSTRAP_SCRIPT, mentionsBootstrapScript } from './bootstrap-script';
import type { UserDataDocument, UserDataPart } from './document';
import { nodeScriptOf, type NodeScript } from './scripts';
import { programName, type ShellCommand, type ShellScript } from './shell';
import { sniffedType } from './sniff';

/** Something in user data that may bootstrap a node out of sight. */
export interface HiddenBootstrap {
  /** As the end of "…, because": "it runs /opt/join.sh, which can't be seen". */
  readonly reason: string;
  readonly source: Source;
}

/**
 * What user data runs that can't be followed: downloaded scripts, other interpreters, cloud-config commands. Where it shows no
 * bootstrap, one of these may still be it.
 */
export function hiddenBootstrap(document: UserDataDocument): HiddenBootstrap | undefined {
  for (const part of document.parts) {
    const hidden = hiddenIn(part);
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}

function hiddenIn(part: UserDataPart): HiddenBootstrap | undefined {
  const { kind, body } = part;
  const at = (offset: number, reason: string): HiddenBootstrap => ({ reason, source: body.sourceAt(offset) });
  switch (kind) {
    case 'unknown':
      return at(0, "a part of its user data isn't known");
    case 'cloud-config':
      return hiddenInCloudConfig(part);
    case 'text':
      return includes(part) ? at(0, "what it includes can't be seen") : undefined;
    case 'shell-script':
    case 'boothook':
      return hiddenInShell(part);
    case 'windows': {
      const script =
        /^[^#\n\r\u2028\u2029]*(?:\b(?:iex|Invoke-Expression|Invoke-Command|Start-Process)\b|(?<!Start-EKSBootstrap)\.ps1\b)/im.exec(
          body.text,
        );
      return script === null ? undefined : at(script.index, "it runs other scripts, which aren't followed");
    }
    case 'node-config':
    case 'toml':
    case 'multipart':
    case 'empty':
    case 'binary':
      return undefined;
  }
}

/** Modules of cloud-init that run or write what the user says, as keys in YAML or JSON. Source: canonical/cloud-init, "Module reference". */
const RUNNING_MODULES = /(?:^|[{,]\s*)["']?(runcmd|bootcmd|write_files|ansible|chef|puppet|salt_minion)["']?[ \t]*:/m;

function hiddenInCloudConfig({ body }: UserDataPart): HiddenBootstrap | undefined {
  const commands = RUNNING_MODULES.exec(body.text);
  if (commands?.[1] !== undefined)
    return { reason: `the ${commands[1]} of its cloud-config isn't followed`, source: body.sourceAt(commands.index) };
  const [unknown] = body.unknownParts;
  // What stands for a whole line may be anything.
  if (unknown !== undefined && isOwnLine(body.text, unknown.start))
    return { reason: "a part of its cloud-config isn't known", source: body.sourceAt(unknown.start) };
  const type = sniffedType(body.text);
  return type === 'text/cloud-config-archive' || type === 'text/cloud-config-jsonp'
    ? { reason: "its cloud-config holds parts that aren't followed", source: body.sourceAt(0) }
    : undefined;
}

function isOwnLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Whether cloud-init does more with a text than a shell would: fetches it from somewhere, renders it, runs it as Python. */
function includes({ body, readByCloudInit, mediaType }: UserDataPart): boolean {
  if (!readByCloudInit) return false;
  const type = sniffedType(body.text) ?? mediaType ?? '';
  return /include|jinja|part-handler|upstart/.test(type);
}

function hiddenInShell(part: UserDataPart): HiddenBootstrap | undefined {
  const node = nodeScriptOf(part);
  if (node === undefined) return undefined;
  const { script, kubelet } = node;
  const at = (offset: number, reason: string): HiddenBootstrap => ({ reason, source: part.body.sourceAt(offset) });
  const interpreter = interpreterOf(script);
  if (interpreter !== undefined && !SHELLS.test(interpreter))
    return at(0, `a script for ${interpreter} isn't followed`);
  const mention = mentionOf(node);
  if (mention !== undefined) return at(mention, "it mentions the bootstrap in a way that can't be followed");
  const start = kubelet.find(({ kind }) => kind === 'start');
  if (start !== undefined) return at(start.offset, 'it starts kubelet itself');
  for (const command of script.commands) {
    if (!command.reachable) continue;
    const program = programOf(command);
    if (program !== undefined) return at(command.offset, program);
  }
  return undefined;
}

/** A mention of a bootstrap that isn't a call which can be seen; where calls can, they are the story. */
function mentionOf({ script, bootstrapCalls, nodeadmInits }: NodeScript): number | undefined {
  const mention = bootstrapCalls.length > 0 ? undefined : mentionsBootstrapScript(script);
  return mention ?? (nodeadmInits.length > 0 ? undefined : mentionsNodeadm(script));
}

/** `nodeadm.d` is a folder in which nodeadm looks for settings, after it has found the cluster in the user data. */
function mentionsNodeadm({ body, comments }: ShellScript): number | undefined {
  let comment = 0;
  for (const { index } of body.text.matchAll(/nodeadm(?!\.d\b)/g)) {
    while ((comments[comment]?.end ?? Infinity) <= index) comment++;
    if ((comments[comment]?.start ?? Infinity) > index) return index;
  }
  return undefined;
}

/** `/bin/bash`; `python3` of `#!/usr/bin/env python3`. */
function interpreterOf({ interpreter, body }: ShellScript): string | undefined {
  if (interpreter?.endsWith('/env') !== true) return interpreter;
  return /^#!\s*\S+[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*([^\s=]+)/.exec(body.text.slice(0, 400))?.[1];
}

/** What reads the script as a shell does. */
const SHELLS = /(?:^|\/)(?:ba|da|k|z)?sh$/;

const SYSTEM_FOLDER = /^\/(?:usr\/)?(?:local\/)?s?bin\//;

/** Files that scripts read for the settings in them, and programs of AWS outside of the system folders; none of them makes a machine a node. */
const HARMLESS =
  /^(?:\/etc\/(?:os-release|environment|profile(?:\.d\/[\w.-]+)?|bashrc|sysconfig\/[\w.-]+)|\/root\/\.bash(?:rc|_profile)|\/opt\/aws\/bin\/cfn-signal|\/opt\/aws\/amazon-cloudwatch-agent\/bin\/amazon-cloudwatch-agent-ctl)$/;

/** Programs that run what they find in files or on the network, and those that make nodes without the bootstrap of EKS. */
const RUNNERS: ReadonlySet<string> = new Set([
  'bash',
  'sh',
  'dash',
  'zsh',
  'ksh',
  'eval',
  'source',
  '.',
  'python',
  'python2',
  'python3',
  'perl',
  'ruby',
  'node',
  'ansible-playbook',
  'ansible-pull',
  'cfn-init',
  'chef-client',
  'chef-solo',
  'puppet',
  'salt-call',
  'xargs',
  'parallel',
  'kubelet',
  'kubeadm',
]);

/** Why a command may bootstrap the node; undefined if it doesn't. */
function programOf({ effective: [program] }: ShellCommand): string | undefined {
  if (program === undefined) return undefined;
  const { text } = program;
  if (text === undefined) return `it runs ${program.show()}, which isn't known`;
  const name = programName(program) ?? '';
  if (RUNNERS.has(name)) return `what it gives to ${name} isn't followed`;
  const isElsewhere = text.includes('/') && !SYSTEM_FOLDER.test(text) && !HARMLESS.test(text);
  return isElsewhere && text !== BOOTSTRAP_SCRIPT ? `it runs ${text}, which can't be seen` : undefined;
}
