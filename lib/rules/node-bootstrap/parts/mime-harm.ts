import type { Severity } from '../../../engine';
import { dataAt, isDataMap, type AmiFamily, type BootCase } from '../../../eks';
import { bootstrapsIn } from '../../../eks/user-data/detect-bootstrap';
import type {
  MimeDefect,
  MimeDefectKind,
  PartKind,
  UserDataDocument,
  UserDataPart,
} from '../../../eks/user-data/document';
import { hiddenBootstrap } from '../../../eks/user-data/hidden-bootstrap';
import { readNodeConfig } from '../../../eks/user-data/node-config';
import { nodeScriptOf } from '../../../eks/user-data/scripts';
import { isToldByUserData } from '../../parts/boot-state';

/** What a defect of the MIME structure does to the nodes of a group. */
export interface MimeHarm {
  readonly severity: Severity;
  /** One sentence that follows the one of the defect; worked out when it's needed, because a broken document may have very many defects. */
  readonly effect: () => string;
}

const NEVER_JOIN = 'So the nodes never join the cluster.';
const UNLESS_REPAIRED =
  'EKS adds its own NodeConfig to this document, and unless that repairs it, the nodes never join the cluster.';
const IS_MISSING = 'What it would set up is missing on the nodes.';
const ARE_MISSING = 'What they would set up is missing on the nodes.';
const NO_NODE =
  'Karpenter takes it apart with the same library before it adds its own part, and hands parts on as they are, so no node of this node class joins.';
const NO_NODE_OF_AL2 =
  'Karpenter takes it apart before it adds its own part, fails, and starts no node with this node class.';
const NOTHING_HANDED_ON = 'Karpenter finds no part in it to hand on, so nothing of it takes effect on the nodes.';

/** Defects of a single part. */
const OF_PARTS: ReadonlySet<MimeDefectKind> = new Set<MimeDefectKind>([
  'part-without-type',
  'part-type-ignored',
  'part-type-misspelt',
  'repeated-content-type',
  'nested-multipart',
  'part-empty',
  'transfer-encoding',
]);

const SCRIPTS: ReadonlySet<PartKind> = new Set(['shell-script', 'boothook']);

/** Tells of one document on the nodes of one group what its defects do. */
export class MimeHarms {
  private readonly family: AmiFamily | undefined;
  private readonly configs: readonly UserDataPart[];
  private facts: Facts | undefined;

  constructor(
    private readonly document: UserDataDocument,
    private readonly boot: BootCase,
  ) {
    this.family = boot.family.kind === 'known' ? boot.family.value : undefined;
    this.configs = document.parts.filter(isNodeConfig);
  }

  /**
   * What a defect does; undefined if it hurts nobody: if the program that trips over it isn't on these nodes, or has nothing to read. `unknown`
   * if only AL2023 nodes would be hurt and the operating system isn't known. What nodeadm can't read matters where there are NodeConfigs,
   * which no other system than AL2023 has.
   */
  of(defect: MimeDefect): MimeHarm | 'unknown' | undefined {
    if (this.boot.bootstrapBy === 'karpenter') {
      const harm = this.inKarpenter(defect);
      if (harm !== 'of-parts') return harm;
    }
    if (defect.kind === 'not-multipart' && this.boot.bootstrapBy === 'eks') {
      return {
        severity: 'error',
        effect: () =>
          'EKS has to merge its bootstrap into it and refuses the template: "User data was not in the MIME multipart format."',
      };
    }
    const configs = this.lostConfigs(defect);
    const others = defect.cloudInit === 'none' ? [] : defect.parts.filter((part) => !isNodeConfig(part));
    const scripts = others.filter(isScript);
    if (this.isRepetition(defect, configs, scripts))
      return { severity: 'info', effect: () => 'It only repeats the cluster, which EKS puts in by itself.' };
    if (configs.length > 0 || scripts.length > 0) {
      // cloud-init walks into a multipart within, so somebody may have meant it so; but not if no node comes of it.
      const isMeant =
        defect.kind === 'nested-multipart' && scripts.length === 0 && !this.costsBootstrap(defect, configs, scripts);
      return { severity: isMeant ? 'warning' : 'error', effect: () => this.effectOf(defect, configs, scripts) };
    }
    return harmOfOthers(others) ?? this.withoutParts(defect);
  }

  /**
   * What Karpenter makes of what it takes for MIME: it takes the document apart with the library that nodeadm does, puts its own part to those that it finds, and hands
   * on these: cloud-init never sees the document. `of-parts` if it is a matter of one part, which it hands on as it is.
   * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/bootstrap (nodeadm.go, mime/mime.go, eksbootstrap.go).
   */
  private inKarpenter({ kind, nodeadm, parts }: MimeDefect): MimeHarm | 'of-parts' | undefined {
    const isOfPart = OF_PARTS.has(kind);
    if (isWholeDocument(nodeadm)) {
      if (isOfPart && this.family === 'AL2') return undefined;
      // Without any boundary line it finds the end of the parts where they would begin.
      return { severity: 'error', effect: () => (kind === 'boundary-not-found' ? NOTHING_HANDED_ON : this.noNode) };
    }
    if (kind === 'not-multipart') return { severity: 'error', effect: () => this.noNode };
    if (isOfPart) return 'of-parts';
    return nodeadm === 'none' || parts.length === 0
      ? undefined
      : { severity: 'error', effect: () => (parts.length > 1 ? ARE_MISSING : IS_MISSING) };
  }

  private get noNode(): string {
    return this.family === 'AL2' ? NO_NODE_OF_AL2 : NO_NODE;
  }

  /** The NodeConfigs of which nothing takes effect. One that nodeadm can't decode costs all of them, and so does an error. */
  private lostConfigs({ nodeadm, parts }: MimeDefect): readonly UserDataPart[] {
    if (nodeadm === 'none' || this.family === 'AL2') return [];
    return isWholeDocument(nodeadm) ? this.configs : parts.filter(isNodeConfig);
  }

  /** Whether all that is lost is what EKS says in a NodeConfig of its own. */
  private isRepetition(
    { nodeadm }: MimeDefect,
    configs: readonly UserDataPart[],
    scripts: readonly UserDataPart[],
  ): boolean {
    return (
      this.boot.bootstrapBy === 'eks' &&
      !isWholeDocument(nodeadm) &&
      scripts.length === 0 &&
      configs.length > 0 &&
      configs.every(namesClusterAlone)
    );
  }

  private effectOf(defect: MimeDefect, configs: readonly UserDataPart[], scripts: readonly UserDataPart[]): string {
    if (this.costsBootstrap(defect, configs, scripts)) return NEVER_JOIN;
    if (this.boot.bootstrapBy === 'eks' && this.family !== 'AL2' && isWholeDocument(defect.nodeadm))
      return UNLESS_REPAIRED;
    return configs.length + scripts.length > 1 ? ARE_MISSING : IS_MISSING;
  }

  /** Whether what makes these machines nodes is in what is lost. */
  private costsBootstrap(
    defect: MimeDefect,
    configs: readonly UserDataPart[],
    scripts: readonly UserDataPart[],
  ): boolean {
    return this.boot.bootstrapBy === 'user' && (this.costsCluster(defect, configs) || this.costsScript(scripts));
  }

  /** Whether the cluster that nodes are to join is in what is lost, and in nothing that nodeadm still gets at. */
  private costsCluster({ nodeadm }: MimeDefect, configs: readonly UserDataPart[]): boolean {
    if (!configs.some((part) => mayNameCluster(part))) return false;
    const { runsNodeadm, clusters } = this.known;
    const lost = new Set(configs);
    return !runsNodeadm && (isWholeDocument(nodeadm) || clusters.every((part) => lost.has(part)));
  }

  /** Whether the call of AL2's `bootstrap.sh` is in what is lost, and in nothing that cloud-init still runs. */
  private costsScript(scripts: readonly UserDataPart[]): boolean {
    if ((this.family !== undefined && this.family !== 'AL2') || !scripts.some(bootstrapsAl2)) return false;
    const lost = new Set(scripts);
    return this.known.scripts.every((part) => lost.has(part));
  }

  /** Of the whole document, whatever the defect. */
  private get known(): Facts {
    return (this.facts ??= factsOf(this.document));
  }

  private withoutParts(defect: MimeDefect): MimeHarm | 'unknown' | undefined {
    const { document, family, boot } = this;
    if (defect.kind === 'mime-version-missing') {
      return family === 'AL2'
        ? undefined
        : {
            severity: 'warning',
            effect: () => 'None is here now; one that is added later has no effect, and nothing says so.',
          };
    }
    if (defect.kind === 'closing-line-glued' && defect.cloudInit === 'swallowed' && family !== 'AL2023') {
      const last = document.parts.findLast((part) => part.headerOffset < defect.offset);
      if (last !== undefined && isScript(last))
        return {
          severity: 'warning',
          effect: () => 'The script gets it as a part of its last command, or as one more.',
        };
    }
    if (!isWholeDocument(defect.nodeadm) || family === 'AL2') return undefined;
    if (family !== 'AL2023') return 'unknown';
    if (boot.bootstrapBy === 'eks') return { severity: 'warning', effect: () => UNLESS_REPAIRED };
    // Without NodeConfigs nodeadm fails either way; what only lacks a bootstrap, and isn't broken, is told by other rules.
    const isHopeless =
      defect.nodeadm === 'dies' &&
      !isToldByUserData(boot) &&
      hiddenBootstrap(document) === undefined &&
      !bootstrapsIn(document).has(family);
    return isHopeless
      ? {
          severity: 'error',
          effect: () => 'Nothing else in it bootstraps AL2023 nodes, so they never join the cluster.',
        }
      : undefined;
  }
}

interface Facts {
  /** NodeConfigs that nodeadm gets at and that name the cluster. */
  readonly clusters: readonly UserDataPart[];
  /** Scripts that cloud-init runs and that call `bootstrap.sh`. */
  readonly scripts: readonly UserDataPart[];
  /** Whether a script may bring nodeadm a configuration from elsewhere. */
  readonly runsNodeadm: boolean;
}

function factsOf({ parts }: UserDataDocument): Facts {
  const run = parts.filter((part) => part.readByCloudInit);
  return {
    clusters: parts.filter((part) => part.readByNodeadm && isNodeConfig(part) && mayNameCluster(part)),
    scripts: run.filter(bootstrapsAl2),
    runsNodeadm: run.some((part) => (nodeScriptOf(part)?.nodeadmInits.length ?? 0) > 0),
  };
}

function isNodeConfig({ kind }: UserDataPart): boolean {
  return kind === 'node-config';
}

function isScript({ kind }: UserDataPart): boolean {
  return SCRIPTS.has(kind);
}

function bootstrapsAl2(part: UserDataPart): boolean {
  return (nodeScriptOf(part)?.bootstrapCalls.length ?? 0) > 0;
}

function mayNameCluster({ body }: UserDataPart): boolean {
  const cluster = dataAt(readNodeConfig(body).data, 'spec', 'cluster');
  return cluster !== undefined && cluster !== null;
}

/** What EKS fills in when it merges. */
const CLUSTER_FIELDS: ReadonlySet<string> = new Set(['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr']);

function namesClusterAlone({ body }: UserDataPart): boolean {
  const spec = dataAt(readNodeConfig(body).data, 'spec');
  const cluster = dataAt(spec, 'cluster');
  return (
    isDataMap(spec) &&
    isDataMap(cluster) &&
    Object.keys(spec).every((key) => key === 'cluster') &&
    Object.keys(cluster).every((key) => CLUSTER_FIELDS.has(key))
  );
}

function isWholeDocument(nodeadm: MimeDefect['nodeadm']): boolean {
  return nodeadm === 'dies' || nodeadm === 'lost';
}

function harmOfOthers(parts: readonly UserDataPart[]): MimeHarm | undefined {
  if (parts.some(({ kind }) => kind === 'cloud-config')) return { severity: 'warning', effect: () => IS_MISSING };
  if (parts.some(({ kind }) => kind === 'unknown'))
    return { severity: 'warning', effect: () => 'Whatever it will hold at deployment has no effect.' };
  if (parts.some(({ kind }) => kind === 'text' || kind === 'toml' || kind === 'windows' || kind === 'binary')) {
    return { severity: 'info', effect: () => 'No program of a Linux node acts on such a part anyway.' };
  }
  return undefined;
}
