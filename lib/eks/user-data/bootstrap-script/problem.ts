import type { TextCorrection } from '../correction';
import type { Certainty } from './call-options';
import type { BootstrapCall } from './read';

/** `unverifiable`: it can't be seen whether the call is right. */
export type ScriptProblemLevel = 'error' | 'warning' | 'info' | 'unverifiable';

export type BootstrapProblemKind =
  | 'cluster-name-missing'
  | 'flag-as-cluster-name'
  | 'option-without-value'
  | 'help'
  | 'argument-ignored'
  | 'endpoint-and-certificate-authority'
  | 'ip-family'
  | 'ip-family-differs'
  | 'ipv6-without-service-range'
  | 'ipv6-range-on-ipv4'
  | 'service-cidr-differs'
  | 'dns-cluster-ip-guessed'
  | 'container-runtime'
  | 'local-disks'
  | 'use-max-pods'
  | 'max-pods-twice'
  | 'quote-in-kubelet-arguments'
  | 'unknown-arguments';

/** Something wrong with a call of `/etc/eks/bootstrap.sh`. */
export interface BootstrapProblem {
  readonly kind: BootstrapProblemKind;
  readonly level: ScriptProblemLevel;
  /** Offset in the script of what causes it. */
  readonly offset: number;
  /** A sentence without the full stop: what is wrong and what it does. */
  readonly message: string;
  /** What to write instead, as an imperative sentence. */
  readonly fix: string;
  /** The same as a change of the script. @default - somebody has to decide */
  readonly correction?: TextCorrection;
}

/** What is known of the cluster that a call joins. */
export interface BootstrapContext {
  /** 33 for Kubernetes 1.33; undefined if it isn't known. */
  readonly kubernetesMinor?: number | undefined;
  /** The IPv4 service range; `default` if the cluster leaves it to EKS, `custom` if it sets one that isn't known. */
  readonly serviceCidr?: { readonly known: string } | 'default' | 'custom' | undefined;
  readonly ipFamily?: 'ipv4' | 'ipv6' | undefined;
}

export function problem(
  kind: BootstrapProblemKind,
  level: ScriptProblemLevel,
  offset: number,
  message: string,
  fix: string,
  correction?: TextCorrection,
): BootstrapProblem {
  return { kind, level, offset, message, fix, ...(correction === undefined ? {} : { correction }) };
}

/** The level of a problem that is there only if something is. */
export function ifSure(certainty: Certainty, level: ScriptProblemLevel): ScriptProblemLevel {
  return certainty === 'yes' ? level : 'unverifiable';
}

/** The level of a problem that something which isn't given causes: it may be among what can't be seen. */
export function ifAllIsSeen(call: BootstrapCall, level: ScriptProblemLevel): ScriptProblemLevel {
  return call.hasUnknownWords ? 'unverifiable' : level;
}
