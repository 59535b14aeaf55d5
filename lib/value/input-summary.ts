import type { Source } from './source';

/**
 * Kinds of inputs. A front end with another one adds it in its own folder, as it does with `DialectNames`.
 * @planned for front ends to come, which extend it
 */
export interface InputKinds {
  readonly 'cloudformation-template': true;
  readonly 'cdk-assembly': true;
  readonly 'user-data': true;
  readonly 'terraform-plan': true;
  readonly 'terraform-configuration': true;
  readonly 'cdktf-output': true;
}

export type InputKind = keyof InputKinds;

/** A declaration of clusters that makes none, because its `count` or `for_each` is empty. */
export interface TurnedOff {
  /** `module.eks` */
  readonly address: string;
  readonly source: Source;
}

/** One thing that was read, for reports. */
export interface InputSummary {
  readonly path: string;
  readonly kind: InputKind;
  /** How many resources it declares, of any type. */
  readonly resources: number;
}
