import type { AmiFamily } from '../model/resources';

/**
 * Recognises whose bootstrap a user-data text holds, without parsing it: enough to tell the operating system of
 * an unknown AMI, and whether anything in the text joins a cluster. Comments don't count, and neither does a mere
 * mention of a script: it must stand where a shell would run it.
 */

/** The operating systems whose format or bootstrap the text holds; several if it caters for several, none if it shows no sign. */
export function userDataFamilies(text: string): ReadonlySet<AmiFamily> {
  const parts = decodedParts(text);
  return new Set(FAMILIES.filter((family) => parts.some((part) => SIGNS[family](part))));
}

/** The operating system that the text is written for, if exactly one fits. */
export function userDataFamily(text: string): AmiFamily | undefined {
  const families = [...userDataFamilies(text)];
  return families.length === 1 ? families[0] : undefined;
}

/** The families whose bootstrap the text holds, complete or not: the part that makes a machine a node. */
export function bootstrapsIn(text: string): ReadonlySet<AmiFamily> {
  const parts = decodedParts(text);
  return new Set(FAMILIES.filter((family) => parts.some((part) => BOOTSTRAPS[family](part))));
}

const FAMILIES: readonly AmiFamily[] = ['AL2', 'AL2023', 'BOTTLEROCKET', 'WINDOWS'];

type Sign = (text: string) => boolean;

const NODE_CONFIG = /^[ \t]*-?[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?node\.eks\.aws\/|[{,]\s*"apiVersion"\s*:\s*"node\.eks\.aws\//m;
const NODE_CONFIG_PART = /^content-type:\s*application\/node\.eks\.aws\b/im;
const BOTTLEROCKET_TABLE = /^[ \t]*\[\s*settings\s*[.\]]|^[ \t]*settings\s*\.\s*["']?[\w-]+/m;
const KUBERNETES_SETTINGS = /^[ \t]*\[\s*settings\s*\.\s*kubernetes\s*\]|^[ \t]*settings\s*\.\s*kubernetes\s*\./m;
const WINDOWS_DOCUMENT = /^\s*<(?:powershell|script)>/i;
const WINDOWS_TAG = /^[ \t]*<powershell>/im;
const WINDOWS_BOOTSTRAP = /^[^#\n]*Start-EKSBootstrap(?:\.ps1)?/im;

const SIGNS: Readonly<Record<AmiFamily, Sign>> = {
  AL2: runsBootstrapScript,
  AL2023: (text) => NODE_CONFIG.test(text) || NODE_CONFIG_PART.test(text) || runsCommand(text, 'nodeadm'),
  BOTTLEROCKET: (text) => BOTTLEROCKET_TABLE.test(text),
  WINDOWS: (text) => WINDOWS_DOCUMENT.test(text) || WINDOWS_TAG.test(text) || WINDOWS_BOOTSTRAP.test(text),
};

const BOOTSTRAPS: Readonly<Record<AmiFamily, Sign>> = {
  AL2: runsBootstrapScript,
  AL2023: (text) => NODE_CONFIG.test(text),
  BOTTLEROCKET: (text) => KUBERNETES_SETTINGS.test(text),
  WINDOWS: (text) => WINDOWS_BOOTSTRAP.test(text),
};

function runsBootstrapScript(text: string): boolean {
  return runsCommand(text, '/etc/eks/bootstrap.sh');
}

/** Words after which a shell expects a command. */
const COMMAND_PREFIX = /(?:^|[;&|(]|\b(?:then|do|else|sudo|exec|bash|sh|source|nohup|env)(?:\s+-\w+)*\s|(?:^|\s)\.\s)\s*(?:[A-Za-z_]\w*=\S*\s+)*["']?$/;

/** Whether a line of the text has `command` where a shell would run it. */
function runsCommand(text: string, command: string): boolean {
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const code = withoutComment(line);
    for (let at = code.indexOf(command); at >= 0; at = code.indexOf(command, at + 1)) {
      const next = code[at + command.length];
      if (next !== undefined && /[\w.-]/.test(next)) continue;
      if (COMMAND_PREFIX.test(code.slice(0, at))) return true;
    }
  }
  return false;
}

/** A shell line up to a `#` that starts a word. */
function withoutComment(line: string): string {
  const comment = /(?:^|\s)#/.exec(line);
  return comment === null ? line : line.slice(0, comment.index);
}

const BASE64_PART = /^content-transfer-encoding:[ \t]*base64[ \t]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([A-Za-z0-9+/=\s]+)/gim;

/** The text itself and the bodies of its base64 MIME parts, as CDK writes them. */
function decodedParts(text: string): string[] {
  const parts = [text];
  for (const match of text.matchAll(BASE64_PART)) {
    const [, body] = match;
    if (body !== undefined) parts.push(Buffer.from(body, 'base64').toString('utf8'));
  }
  return parts;
}
