import type { Diagnostic, Source, Value, When, WrittenPlace } from '../value';
import type { HandedOut, TerraformInstance } from './instance';
import type { TerraformValue } from './terraform-value';

/** A call of a module whose files aren't there, one for each instance of the call. */
export interface KnownModuleCall {
  /** As it is written: `terraform-aws-modules/eks/aws//modules/karpenter`. */
  readonly source: string;
  /** The version constraint. */
  readonly version: Value<string>;
  /** `module.eks`, `module.eks["a"]`, `module.platform.module.eks`. */
  readonly address: string;
  /**
   * A map of what the call gives to the module's variables; without `source`, `version`, `providers`, `count`, `for_each` and `depends_on`. Each is worked out when it
   * is asked for.
   */
  readonly arguments: TerraformValue;
  /** Where an argument is written; the head of the call if it isn't. */
  argumentPlace(name: string): Source;
  /** Where a setting stands of an entry of a map that is given, or of the map itself: see {@link TerraformInstance}. @default - in the call */
  settingPlace?(path: readonly [string, ...string[]], setting: string): WrittenPlace | undefined;
  /** The head of the call. */
  readonly place: Source;
  readonly stack: string;
  /** Of the AWS provider that the call gives to the module. */
  readonly region: string | undefined;
  /** The same provider: see {@link TerraformInstance}. @default - it isn't known */
  readonly provider?: string | undefined;
  readonly frontEnd: TerraformInstance['frontEnd'];
  /** Construct path of the call, for what CDKTF wrote. */
  readonly path: string | undefined;
  readonly exists: When;
  /** No root module enables it: see {@link TerraformInstance}. */
  readonly isNotEnabled: boolean;
  /** What its root module gives to others that aren't here. @default - nothing */
  readonly handedOut?: readonly HandedOut[];
}

/**
 * What a module of the registry declares, as far as it is known here. Terraform works out every variable and output by itself, so an argument may stand on an
 * output of the same module: an output asks for no more arguments than it stands on, and only the instances take all of them.
 */
export interface KnownModule {
  readonly instances: readonly TerraformInstance[];
  /** An output that isn't here is unknown. */
  readonly outputs: ReadonlyMap<string, TerraformValue>;
  /** All of them are there when the instances are. */
  readonly diagnostics: readonly Diagnostic[];
  /** It declares more than that, which its files tell where they are there. @default false */
  readonly isPartial?: boolean;
}
