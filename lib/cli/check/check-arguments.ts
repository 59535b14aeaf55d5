import type { FailOn } from '../../engine/fail-on';
import type { BaselineArguments } from './baseline';
import type { InputArguments } from './check-input';
import type { ConfigurationArguments } from '../parts/configuration-code';
import type { FixArguments } from '../fix/fixing';
import type { SuppressArguments } from '../fix/suppressing';

/** The options of `check` as the command line parser delivers them. */
export interface CheckArguments
  extends BaselineArguments,
    ConfigurationArguments,
    FixArguments,
    InputArguments,
    SuppressArguments {
  readonly failOn?: FailOn;
  readonly printConfig?: boolean;
  readonly preset?: string;
  readonly rule?: readonly string[];
  readonly ruleOption?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly varFile?: readonly string[];
  readonly knowledge?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly statistics?: boolean;
  readonly maxFindings?: number;
  readonly asOf?: string;
  readonly watch?: boolean;
}
