import type { PlannedChange, Resource, Source, When } from '../value';
import type { TerraformValue } from './terraform-value';

/** One resource or data source as Terraform would have it: each key of `for_each` and each index of `count` is one of its own. */
export interface TerraformInstance {
  /** `module.eks.aws_eks_node_group.workers["a"]`; data sources begin with `data.`. Pulumi has addresses of its own. */
  readonly address: string;
  readonly mode: 'managed' | 'data';
  /** `aws_eks_node_group`. */
  readonly type: string;
  /** The address of the module that it stands in; empty for the root module. */
  readonly module: string;
  /** Its attributes and blocks, a {@link TerraformMap}, or unknown. */
  readonly attributes: TerraformValue;
  /** Where it is declared. */
  readonly source: Source;
  readonly exists: When;
  /** No root module enables the module that it stands in, and it is read as if its call did. @default false */
  readonly isNotEnabled?: boolean;
  /** The root module or CDKTF stack that it belongs to. */
  readonly stack: string;
  readonly frontEnd: 'terraform' | 'cdktf' | 'cdktn' | 'pulumi';
  /** Construct path, for what CDKTF wrote. */
  readonly path: string | undefined;
  /** The region of its provider, where it is known. */
  readonly region: string | undefined;
  /** What tells its provider from the others of the same root module: `aws`, `aws.west`. @default - it isn't known */
  readonly provider?: string | undefined;
  /** What is about to happen to it; only plans tell. */
  readonly planned?: PlannedInstance | undefined;
  /** Version constraints on its provider, which all hold. @default - none are known */
  readonly providerVersions?: readonly string[];
  /** The arguments whose later changes are left alone, by `lifecycle`; `all` for all of them. @default - none */
  readonly ignoredChanges?: readonly string[];
  /** What the expression of an attribute refers to; only plans tell, of values that are known too. @default - nothing */
  readonly expressionOf?: (attribute: string) => readonly string[];
  /** The argument that makes several of its block. @default - there is one of it, or that isn't known */
  readonly repeatedBy?: 'count' | 'for_each' | undefined;
  /** The expression of that argument, as it is written. @default - it isn't known */
  readonly repeatedOver?: string | undefined;
  /** An argument with a value of its own, for one that is made before what it replaces is destroyed. @default - it isn't, the argument is left out, or that isn't known */
  readonly anew?: (argument: string) => string | undefined;
  /** Whether it has provisioners. @default false */
  readonly runsCommands?: boolean;
  /** What its provisioners say. @default - it has none, or that isn't known */
  readonly commands?: TerraformValue | undefined;
  /** Of what a module that is only known declares: the inputs that take its arguments as they are, by argument, maybe behind lines of comments. @default - it is written here */
  readonly moduleInputs?: ReadonlyMap<string, string>;
  /** Of the same: what of the call takes them, as an address: `module.eks`, or `module.eks.eks_managed_node_groups["workers"]`. */
  readonly moduleInputsAt?: string;
  /** Of the same: where a setting stands that is in no object of the call itself. @default - in the call */
  readonly moduleInputsIn?: Resource['moduleInputsIn'];
  /** Of the same: the outputs that tell of it, by attribute. @default - none is known */
  readonly moduleOutputs?: ReadonlyMap<string, string>;
  /** Addresses of resources and modules that `depends_on` has it wait for, without keys: `module.eks.module.nodes`. @default - none */
  readonly waitsFor?: readonly string[];
  /** The same for those of which it isn't known whether it waits. @default - none */
  readonly mayWaitFor?: readonly string[];
  /** Whether nothing else in the files of its module is called by its address, in comments either. @default - it is, or that isn't known */
  readonly isUnmentioned?: boolean;
  /** Keys that the expression of an attribute has more than once in one object, of which Terraform keeps the last. @default - none, or that isn't known */
  readonly repeatedKeysIn?: (attribute: string) => readonly string[];
  /** What its root module gives to others that aren't here. @default - nothing */
  readonly handedOut?: readonly HandedOut[];
}

/** An argument of a module that isn't here, or an output of the root module. */
export interface HandedOut {
  /** What that means for something in the value: `output template_id tells others of it`. */
  readonly clause: string;
  /** The source of the module that it is given to. @default - an output, or what isn't known */
  readonly module?: string;
  /** The call of that module. @default - it is none */
  readonly call?: { readonly address: string; readonly place: Source };
  /** The name of the output. @default - it is none */
  readonly output?: string;
  /** Undefined if nothing tells what it is. */
  readonly value: TerraformValue | undefined;
  /** Other configurations can read it where this one keeps its state. @default false */
  readonly isShared?: boolean;
}

/** The change of an instance that a plan holds. */
export interface PlannedInstance extends Omit<PlannedChange, 'before'> {
  /** The instance with the attributes that it has now; undefined for one that is about to be created. */
  readonly before: TerraformInstance | undefined;
}

/** What a front end of Terraform makes of its input, before it becomes the model. */
export interface TerraformInput {
  readonly instances: readonly TerraformInstance[];
}
