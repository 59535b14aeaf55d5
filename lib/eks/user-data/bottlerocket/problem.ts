import type { TextCorrection } from '../correction';

/** What can be wrong with Bottlerocket settings. */
export type BottlerocketProblemKind =
  /** Not TOML. */
  | 'syntax'
  /** A key or table that is defined twice. */
  | 'duplicate'
  /** No top-level table `settings`. */
  | 'no-settings'
  /** A top-level table or key beside `settings`, which nothing reads. */
  | 'outside-settings'
  /** A path from `settings` on, written below a header that already says it. */
  | 'repeated-path'
  /** Unquoted dots in a key that nest where one key is meant. */
  | 'nested-key'
  /** A value whose type Bottlerocket doesn't take. */
  | 'wrong-type'
  /** A value that will be filled in where quotes are missing. */
  | 'unquoted-value'
  | 'label'
  | 'taint'
  /** A taint that Bottlerocket takes and kubelet doesn't. */
  | 'taint-effect'
  | 'cluster-certificate'
  | 'cluster-dns-ip'
  | 'max-pods'
  /** `settings.metadata`, which doesn't exist. */
  | 'metadata'
  /** A setting below `settings.kubernetes` that Bottlerocket doesn't know. */
  | 'unknown-setting';

/** Something wrong with a setting. */
export interface SettingProblem {
  readonly kind: BottlerocketProblemKind;
  /** An error ends the boot or keeps the node from joining; a warning is likely to, or its effect isn't documented. */
  readonly level: 'error' | 'warning';
  /** Steps from the top: `['settings', 'kubernetes', 'max-pods']`; empty for the document itself. */
  readonly path: readonly string[];
  /** As the end of "`path` …", or of "the user data …" without a path: `is "20"; an integer is needed`. */
  readonly message: string;
  /** What to write instead, as an imperative sentence. */
  readonly fix: string;
  /** What can stand there instead, as TOML has it, where nobody has to decide. */
  readonly instead?: SettingCorrection;
}

/** Another name of the setting, or another value: both as they are written. */
export type SettingCorrection = { readonly key: string } | { readonly value: string };

/** The same with its place in the text. */
export interface BottlerocketProblem extends SettingProblem {
  readonly offset: number;
  /** What puts it right in the text. @default - somebody has to decide */
  readonly correction?: TextCorrection;
}

/** A path as TOML writes it: `settings.kubernetes.node-labels."example.org/team"`. */
export function dotted(path: readonly string[]): string {
  return path.map((step) => (isBareKey(step) ? step : JSON.stringify(step))).join('.');
}

export function isBareKey(key: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(key);
}
