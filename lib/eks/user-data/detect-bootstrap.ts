import type { AmiFamily } from '../../knowledge/ami-types';
import type { UserDataDocument, UserDataPart } from './document';
import { readUserData } from './read-document';
import { nodeScriptOf } from './scripts';
import { programName } from './shell';
import type { SourceText } from './source-text';
import { eksBootstrapCallsIn, mentionsEksBootstrap, readWindows } from './windows';

/**
 * Recognises whose bootstrap user data holds, without judging it: enough to tell the operating system of an unknown AMI, and
 * whether anything in it joins a cluster. Comments don't count, and neither does a mere mention of a script: it must stand where a
 * shell would run it.
 */

/** The operating systems whose format or bootstrap the text holds; several if it caters for several, none if it shows no sign. */
export function userDataFamilies(text: SourceText): ReadonlySet<AmiFamily> {
  return familiesWith(readUserData(text), SIGNS);
}

/** The operating system that the text is written for, if exactly one fits. */
export function userDataFamily(text: SourceText): AmiFamily | undefined {
  const families = [...userDataFamilies(text)];
  return families.length === 1 ? families[0] : undefined;
}

/** The families whose bootstrap a document holds, complete or not: the part that makes a machine a node. */
export function bootstrapsIn(document: UserDataDocument): ReadonlySet<AmiFamily> {
  return familiesWith(document, BOOTSTRAPS);
}

/** The first part of a document that holds the bootstrap of a family. */
export function bootstrapPartOf(document: UserDataDocument, family: AmiFamily): UserDataPart | undefined {
  return document.parts.find((part) => part.kind !== 'multipart' && BOOTSTRAPS[family](part));
}

/** A multipart within shows nothing that its own parts don't. */
function familiesWith({ parts }: UserDataDocument, signs: Readonly<Record<AmiFamily, Sign>>): ReadonlySet<AmiFamily> {
  const inner = parts.filter((part) => part.kind !== 'multipart');
  return new Set(FAMILIES.filter((family) => inner.some(signs[family])));
}

const FAMILIES: readonly AmiFamily[] = ['AL2', 'AL2023', 'BOTTLEROCKET', 'WINDOWS'];

type Sign = (part: UserDataPart) => boolean;

const BOTTLEROCKET_TABLE = /^[ \t]*\[[ \t]*"?settings"?[ \t]*[.\]]|^[ \t]*settings[ \t]*\.[ \t]*["']?[\w-]+/m;
const KUBERNETES_SETTINGS =
  /^[ \t]*\[[ \t]*"?settings"?[ \t]*\.[ \t]*"?kubernetes"?[ \t]*[.\]]|^[ \t]*settings[ \t]*\.[ \t]*"?kubernetes"?[ \t]*\./m;
/** Settings whose table is opened one level higher: `[settings]`, then `kubernetes.cluster-name = …`. */
const KUBERNETES_KEYS = /^[ \t]*"?kubernetes"?[ \t]*(?:\.[ \t]*["']?[\w-]+["']?[ \t]*=|=[ \t]*\{)/m;
const WINDOWS_TAG = /^[ \t]*<powershell>/im;

const SIGNS: Readonly<Record<AmiFamily, Sign>> = {
  AL2: runsBootstrapScript,
  AL2023: (part) => part.kind === 'node-config' || runsNodeadm(part),
  BOTTLEROCKET: (part) => mayBe(part, 'toml') && BOTTLEROCKET_TABLE.test(part.body.text),
  WINDOWS: (part) =>
    part.kind === 'windows' ||
    (mayBe(part, 'windows') && (WINDOWS_TAG.test(part.body.text) || bootstrapsWindows(part))),
};

const BOOTSTRAPS: Readonly<Record<AmiFamily, Sign>> = {
  AL2: runsBootstrapScript,
  AL2023: (part) =>
    (part.kind === 'node-config' && part.body.text.trim() !== '') || (nodeScriptOf(part)?.nodeadmInits.length ?? 0) > 0,
  BOTTLEROCKET: (part) =>
    mayBe(part, 'toml') &&
    (KUBERNETES_SETTINGS.test(part.body.text) ||
      (BOTTLEROCKET_TABLE.test(part.body.text) && KUBERNETES_KEYS.test(part.body.text))),
  WINDOWS: (part) => mayBe(part, 'windows') && bootstrapsWindows(part),
};

/** Whether a part is of a kind, or of none that can be told. A shell script that writes TOML or HTML somewhere isn't. */
function mayBe({ kind }: UserDataPart, wanted: 'toml' | 'windows'): boolean {
  return kind === wanted || kind === 'text' || kind === 'unknown';
}

function runsBootstrapScript(part: UserDataPart): boolean {
  return (nodeScriptOf(part)?.bootstrapCalls.length ?? 0) > 0;
}

function runsNodeadm(part: UserDataPart): boolean {
  return (
    nodeScriptOf(part)?.script.commands.some(({ effective: [program] }) => programName(program) === 'nodeadm') === true
  );
}

/** What may be a call of the script: by its name, or by the name of its first parameter. */
const WINDOWS_BOOTSTRAP = /start-eksbootstrap|-eksc/i;

/** Whether PowerShell in `<powershell>` runs the script, or PowerShell that lacks the tags would. */
function bootstrapsWindows({ body }: UserDataPart): boolean {
  if (!WINDOWS_BOOTSTRAP.test(body.text)) return false;
  const data = readWindows(body);
  if (eksBootstrapCallsIn(data).length > 0 || mentionsEksBootstrap(data) !== undefined) return true;
  return data.outside.some(({ start, end }) =>
    /^[^#\n\r\u2028\u2029]*start-eksbootstrap/im.test(body.text.slice(start, end)),
  );
}
