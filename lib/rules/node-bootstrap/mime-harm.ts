import type { Severity } from '../../engine';
import { dataAt, type AmiFamily, type BootCase } from '../../model';
import type { MimeDefect, PartKind, UserDataDocument, UserDataPart } from '../../user-data/document';
import { readNodeConfig } from '../../user-data/node-config';
import { nodeScriptOf } from '../../user-data/scripts';

/** What a defect of the MIME structure does to the nodes of a group. */
export interface MimeHarm {
  readonly severity: Severity;
  /** One sentence that follows the one of the defect. */
  readonly effect: string;
}

const NEVER_JOIN = 'So the nodes never join the cluster.';

const SCRIPTS: ReadonlySet<PartKind> = new Set(['shell-script', 'boothook']);

/**
 * What a defect does; undefined if it hurts nobody: if the program that trips over it isn't on these nodes, or has nothing to read. `unknown`
 * if only AL2023 nodes would be hurt and the operating system isn't known. What nodeadm can't read matters where there are NodeConfigs, which
 * no other system than AL2023 has.
 */
export function harmOf(defect: MimeDefect, document: UserDataDocument, boot: BootCase): MimeHarm | 'unknown' | undefined {
  const family = boot.family.kind === 'known' ? boot.family.value : undefined;
  if (defect.kind === 'not-multipart' && boot.bootstrapBy === 'eks') {
    return { severity: 'error', effect: 'EKS has to merge its bootstrap into it and refuses the template: "User data was not in the MIME multipart format."' };
  }
  const configs = family === 'AL2' ? [] : lostConfigs(defect, document);
  const others = defect.cloudInit === 'none' ? [] : defect.parts.filter(({ kind }) => kind !== 'node-config');
  const scripts = others.filter(({ kind }) => SCRIPTS.has(kind));
  if (configs.length > 0 || scripts.length > 0) {
    // cloud-init walks into nested multiparts, so somebody may have meant it so.
    const severity = defect.kind === 'nested-multipart' && scripts.length === 0 ? 'warning' : 'error';
    return { severity, effect: effectOf(defect, configs, scripts, document, boot) };
  }
  return harmOfOthers(others) ?? harmWithoutParts(defect, document, boot, family);
}

/** The NodeConfigs of which nothing takes effect. One that nodeadm can't decode costs all of them, and so does an error. */
function lostConfigs({ nodeadm, parts }: MimeDefect, document: UserDataDocument): readonly UserDataPart[] {
  if (nodeadm === 'none') return [];
  return (isWholeDocument(nodeadm) ? document.parts : parts).filter(({ kind }) => kind === 'node-config');
}

function isWholeDocument(nodeadm: MimeDefect['nodeadm']): boolean {
  return nodeadm === 'dies' || nodeadm === 'lost';
}

function effectOf(defect: MimeDefect, configs: readonly UserDataPart[], scripts: readonly UserDataPart[], document: UserDataDocument, boot: BootCase): string {
  if (boot.bootstrapBy === 'user' && (losesCluster(defect, configs, document) || losesScript(scripts, document, boot))) return NEVER_JOIN;
  if (boot.bootstrapBy === 'eks' && isWholeDocument(defect.nodeadm)) {
    return 'EKS adds its own NodeConfig to this document, and unless that repairs it, the nodes never join the cluster.';
  }
  const lost = [...configs, ...scripts];
  return `What ${lost.length > 1 ? 'they' : 'it'} would set up is missing on the nodes.`;
}

/** Whether the cluster that nodes are to join is in what is lost, and in nothing that nodeadm still gets at. */
function losesCluster({ nodeadm }: MimeDefect, configs: readonly UserDataPart[], document: UserDataDocument): boolean {
  if (!configs.some((part) => mayNameCluster(part))) return false;
  if (isWholeDocument(nodeadm)) return !runsNodeadm(document);
  return !document.parts.some((part) => part.kind === 'node-config' && part.readByNodeadm && !configs.includes(part) && mayNameCluster(part)) && !runsNodeadm(document);
}

function mayNameCluster({ body }: UserDataPart): boolean {
  const cluster = dataAt(readNodeConfig(body).data, 'spec', 'cluster');
  return cluster !== undefined && cluster !== null;
}

/** A script may bring nodeadm a configuration from elsewhere. */
function runsNodeadm({ parts }: UserDataDocument): boolean {
  return parts.some((part) => part.readByCloudInit && (nodeScriptOf(part)?.nodeadmInits.length ?? 0) > 0);
}

/** Whether the call of AL2's `bootstrap.sh` is in what is lost, and in nothing that cloud-init still runs. */
function losesScript(scripts: readonly UserDataPart[], { parts }: UserDataDocument, { family }: BootCase): boolean {
  if (family.kind === 'known' && family.value !== 'AL2') return false;
  const bootstraps = (part: UserDataPart): boolean => (nodeScriptOf(part)?.bootstrapCalls.length ?? 0) > 0;
  return scripts.some(bootstraps) && !parts.some((part) => part.readByCloudInit && !scripts.includes(part) && bootstraps(part));
}

function harmOfOthers(parts: readonly UserDataPart[]): MimeHarm | undefined {
  if (parts.some(({ kind }) => kind === 'cloud-config')) return { severity: 'warning', effect: 'What it would set up is missing on the nodes.' };
  if (parts.some(({ kind }) => kind === 'unknown')) return { severity: 'warning', effect: 'Whatever it will hold at deployment has no effect.' };
  if (parts.some(({ kind }) => kind === 'text' || kind === 'toml' || kind === 'windows' || kind === 'binary')) {
    return { severity: 'info', effect: 'No program of a Linux node acts on such a part anyway.' };
  }
  return undefined;
}

function harmWithoutParts(defect: MimeDefect, document: UserDataDocument, { bootstrapBy }: BootCase, family: AmiFamily | undefined): MimeHarm | 'unknown' | undefined {
  if (defect.kind === 'mime-version-missing') {
    return family === 'AL2' ? undefined : { severity: 'warning', effect: 'None is here now; one that is added later has no effect, and nothing says so.' };
  }
  if (defect.kind === 'closing-line-glued' && defect.cloudInit === 'swallowed' && family !== 'AL2023') {
    const last = document.parts.findLast((part) => part.headerOffset < defect.offset);
    if (last !== undefined && SCRIPTS.has(last.kind)) return { severity: 'warning', effect: 'The script gets it as a part of its last command, or as one more.' };
  }
  if (!isWholeDocument(defect.nodeadm) || family === 'AL2') return undefined;
  if (family !== 'AL2023') return 'unknown';
  const effect =
    bootstrapBy === 'eks'
      ? 'EKS adds its own NodeConfig to this document, and unless that repairs it, the nodes never join the cluster.'
      : 'No NodeConfig is lost by that, but nodeadm fails on every node.';
  return { severity: 'warning', effect };
}
