import { alternativesOf, NAMES_NO_TEMPLATE, type AmiFamily, type BootCase } from '../../eks';
import type { UserDataDocument, UserDataFormat } from '../../eks/user-data/document';
import { bootstrapsIn } from '../../eks/user-data/detect-bootstrap';
import { hiddenBootstrap } from '../../eks/user-data/hidden-bootstrap';
import { nodeScriptOf } from '../../eks/user-data/scripts';
import { isMimeForKarpenter } from '../../eks/user-data/sniff';
import type { Source } from '../../value';

/**
 * What a boot comes to, told once for all rules, so that one defect is one finding: each rule speaks in its own states only.
 *
 * - `eks-alone`: EKS, or Karpenter, brings the bootstrap and nobody adds to it.
 * - `additions`: EKS, or Karpenter, brings the bootstrap and merges the user's part, which has the right format.
 * - `own`: the user data holds the bootstrap of the right operating system, complete or not.
 * - `missing`: nothing bootstraps the machines (`node-user-data-missing-bootstrap`).
 * - `foreign`: the bootstrap or the format of another operating system (`user-data-ami-family`).
 * - `not-mergeable`: EKS has to merge and can't (`node-user-data-format`); a foreign bootstrap in it is a second defect (`user-data-ami-family`).
 * - `broken`: meant as MIME, and what bootstraps the machine is lost by it (`user-data-mime-structure`).
 * - `not-encoded`: EC2 refuses the user data (`launch-template-user-data-encoding`).
 * - `unknown`: it can't be told, and why.
 */
export type BootState =
  | { readonly kind: 'eks-alone' | 'additions' | 'own' | 'missing' | 'broken' | 'not-encoded' }
  | {
      readonly kind: 'not-mergeable' /** Whose bootstrap it holds, beside its format a mistake of its own; empty if none. */;
      readonly of: readonly AmiFamily[];
    }
  | { readonly kind: 'foreign' /** Whose bootstrap or format it is. */; readonly of: readonly AmiFamily[] }
  | { readonly kind: 'unknown'; readonly reason: string; readonly source: Source };

/** The state of a boot; worked out once. */
export function bootStateOf(boot: BootCase): BootState {
  let state = states.get(boot);
  if (state === undefined) {
    state = classify(boot);
    states.set(boot, state);
  }
  return state;
}

const states = new WeakMap<BootCase, BootState>();

function classify(bootCase: BootCase): BootState {
  const { bootstrapBy, family, userData, document, image, boot } = bootCase;
  if (bootstrapBy === 'unknown') return classifyEither(bootCase);
  if (userData.kind === 'unknown')
    return { kind: 'unknown', reason: `its user data isn't known: ${userData.reason}`, source: userData.source };
  if (userData.kind === 'known' && userData.value.encodedBy === 'nobody') return { kind: 'not-encoded' };
  const isEmpty = document === undefined || document.format === 'empty';
  const isMerged = bootstrapBy === 'eks' || bootstrapBy === 'karpenter';
  if (isMerged && isEmpty) return { kind: 'eks-alone' };
  if (family.kind !== 'known') {
    const reason = family.kind === 'unknown' ? family.reason : 'its operating system is not known';
    return {
      kind: 'unknown',
      reason: `how these machines become nodes can't be told: ${reason}`,
      source: family.source,
    };
  }
  if (isEmpty) return { kind: 'missing' };
  if (document.format === 'unknown' || document.unknownStructure !== undefined) {
    const unknown = document.unknownStructure ?? document.text.unknownParts[0]?.unknown;
    return {
      kind: 'unknown',
      reason: `what its user data is isn't known: ${unknown?.reason ?? 'it is decided at deployment'}`,
      source: userData.source,
    };
  }
  return isMerged
    ? classifyAdditions(document, family.value, bootstrapBy)
    : classifyOwn(document, family.value, isToldByUserData({ image, boot }));
}

/** Who bootstraps isn't known; what holds in both cases still does. */
function classifyEither(bootCase: BootCase): BootState {
  const asUser = classify({ ...bootCase, bootstrapBy: 'user' });
  if (asUser.kind === 'own' || asUser.kind === 'foreign' || asUser.kind === 'broken' || asUser.kind === 'not-encoded')
    return asUser;
  const { image, template, boot } = bootCase;
  const reason = image.kind === 'unknown' ? image.reason : NAMES_NO_TEMPLATE;
  return {
    kind: 'unknown',
    reason: `whether it has an AMI of its own isn't known: ${reason}`,
    source: image.kind === 'unknown' ? image.source : (template ?? boot.nodeGroup).source,
  };
}

/** Whether nothing but the user data tells the operating system: then that needn't be the one of the AMI. */
export function isToldByUserData({ image, boot: { nodeGroup } }: Pick<BootCase, 'image' | 'boot'>): boolean {
  if (image.kind === 'absent' || (image.kind === 'known' && image.value.family !== undefined)) return false;
  return (
    nodeGroup.kind === 'self-managed-node-group' ||
    !alternativesOf(nodeGroup.amiType).some(({ value }) => value.kind === 'known' && value.value !== 'CUSTOM')
  );
}

/** What the user adds to the bootstrap of EKS or of Karpenter. */
function classifyAdditions(document: UserDataDocument, family: AmiFamily, to: 'eks' | 'karpenter'): BootState {
  const others = othersIn(document, family);
  // Karpenter writes the tags itself.
  if (to === 'karpenter' && family === 'WINDOWS') return { kind: 'additions' };
  const formatOf = FOREIGN_FORMATS[family].get(document.format);
  if (formatOf !== undefined) return { kind: 'foreign', of: others.length > 0 ? others : formatOf };
  // What Karpenter takes for one script costs no bootstrap.
  const isTakenApart = to === 'eks' || isMimeForKarpenter(document.text.text);
  if (isTakenApart && losesBootstrap(document, family)) return { kind: 'broken' };
  const strangers = bootstrapsIn(document).has(family) ? [] : others;
  // EKS refuses it whatever it holds.
  if (!isMergeable(document, family, to)) return { kind: 'not-mergeable', of: strangers };
  if (strangers.length > 0) return { kind: 'foreign', of: strangers };
  return { kind: 'additions' };
}

/** User data that has to bring the whole bootstrap. */
function classifyOwn(document: UserDataDocument, family: AmiFamily, isGuess: boolean): BootState {
  const others = othersIn(document, family);
  const formatOf = FOREIGN_FORMATS[family].get(document.format);
  if (formatOf !== undefined) return { kind: 'foreign', of: others.length > 0 ? others : formatOf };
  if (losesBootstrap(document, family)) return { kind: 'broken' };
  if (bootstrapsIn(document).has(family)) return { kind: 'own' };
  const hidden = hiddenBootstrap(document);
  if (others.length > 0 && (hidden === undefined || !mayBeOutOfSight(document, others)))
    return { kind: 'foreign', of: others };
  // Settings without those that a node joins with are Bottlerocket's bootstrap, incomplete; text that is neither is a malformed one.
  if (family === 'BOTTLEROCKET' || (family === 'WINDOWS' && document.format === 'text')) return { kind: 'own' };
  if (hidden !== undefined)
    return {
      kind: 'unknown',
      reason: `how these machines become nodes can't be told: ${hidden.reason}`,
      source: hidden.source,
    };
  if (isGuess)
    return {
      kind: 'unknown',
      reason: "how these machines become nodes can't be told: an AMI of one's own may bootstrap itself",
      source: document.text.sourceAt(0),
    };
  return { kind: 'missing' };
}

function othersIn(document: UserDataDocument, family: AmiFamily): readonly AmiFamily[] {
  return [...bootstrapsIn(document)].filter((other) => other !== family);
}

/**
 * Whether the bootstrap of another family may be just one of two, so that what can't be seen may be the right one: where a whole part isn't
 * known, beside a NodeConfig that some systems don't read, or where every call of `bootstrap.sh` depends on a condition.
 */
function mayBeOutOfSight({ parts }: UserDataDocument, others: readonly AmiFamily[]): boolean {
  if (parts.some(({ kind }) => kind === 'unknown')) return true;
  if (others.some((other) => other !== 'AL2')) return true;
  return parts.every(
    (part) => nodeScriptOf(part)?.bootstrapCalls.every(({ condition }) => condition !== 'always') ?? true,
  );
}

/** Formats that the user data of a family never has, with the families that have them. */
const FOREIGN_FORMATS: Readonly<Record<AmiFamily, ReadonlyMap<UserDataFormat, readonly AmiFamily[]>>> = {
  AL2: new Map<UserDataFormat, readonly AmiFamily[]>([
    ['toml', ['BOTTLEROCKET']],
    ['windows', ['WINDOWS']],
    ['node-config', ['AL2023']],
  ]),
  AL2023: new Map<UserDataFormat, readonly AmiFamily[]>([
    ['toml', ['BOTTLEROCKET']],
    ['windows', ['WINDOWS']],
  ]),
  BOTTLEROCKET: new Map<UserDataFormat, readonly AmiFamily[]>([
    ['multipart', ['AL2', 'AL2023']],
    ['shell-script', ['AL2', 'AL2023']],
    ['cloud-config', ['AL2', 'AL2023']],
    ['node-config', ['AL2023']],
    ['windows', ['WINDOWS']],
  ]),
  WINDOWS: new Map<UserDataFormat, readonly AmiFamily[]>([
    ['multipart', ['AL2', 'AL2023']],
    ['shell-script', ['AL2', 'AL2023']],
    ['cloud-config', ['AL2', 'AL2023']],
    ['node-config', ['AL2023']],
    ['toml', ['BOTTLEROCKET']],
  ]),
};

/** Whether a defect of the MIME structure costs what bootstraps the machine: NodeConfigs, which nodeadm reads, or scripts, which cloud-init runs. */
function losesBootstrap(document: UserDataDocument, family: AmiFamily): boolean {
  return document.defects.some(({ nodeadm, cloudInit, parts }) => {
    if (family === 'AL2023')
      return nodeadm === 'dies' || (nodeadm !== 'none' && parts.some(({ kind }) => kind === 'node-config'));
    return cloudInit !== 'none' && parts.some(({ kind }) => kind === 'shell-script');
  });
}

/**
 * Whether EKS can put its own part to the document, or Karpenter, which makes a part of what is none. Sources: EKS User Guide, "Customize managed nodes
 * with launch templates"; aws/karpenter-provider-aws, pkg/providers/amifamily/bootstrap.
 */
function isMergeable(document: UserDataDocument, family: AmiFamily, by: 'eks' | 'karpenter'): boolean {
  if (family === 'BOTTLEROCKET' || family === 'WINDOWS') return true;
  if (by === 'karpenter') return document.layers.length === 0;
  return document.format === 'multipart' && !document.layers.includes('gzip');
}
