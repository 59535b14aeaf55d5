import type { Dialect } from './dialect';
import type { Source, SourceLocation } from './source';
import type { When } from './assumptions';

/** A user's decision to live with a finding, written next to the resource. */
export interface Suppression {
  readonly rule: string;
  /** Undefined or blank: the suppression doesn't count and is itself reported. */
  readonly reason: string | undefined;
  /** Last day (YYYY-MM-DD) on which it holds. */
  readonly until?: string;
  readonly source: Source;
}

/** Where a finding is: what suppressions in comments are judged by. */
export interface SuppressedPlace {
  readonly resource: Resource;
  /** The place of the resource. */
  readonly head: SourceLocation;
  /** The place of the finding. */
  readonly place: SourceLocation;
}

/** A decision in a comment of a file. It is written at no resource, but holds for what stands where the comment does. */
export interface PlacedSuppression extends Suppression {
  /** What that is, by its name and the line in which it begins. */
  readonly scope: { readonly name: string; readonly line: number };
  /** What the comment is written in. @default - it isn't known */
  readonly dialect?: Dialect;
  covers(where: SuppressedPlace): boolean;
  /** Whether the comment stands at, or within, the resource that begins at a place. */
  isIn(head: SourceLocation): boolean;
}

/** What all resources have, whatever engine they come from. */
export interface Resource {
  /** Type as the engine calls it: `AWS::EKS::Nodegroup`, `aws_eks_node_group`. */
  readonly type: string;
  /** Logical id (CloudFormation) or address (Terraform); unique within its stack. */
  readonly id: string;
  /** Construct path, where there is one: `Prod/Cluster/Workers`. */
  readonly path: string | undefined;
  /** Name of the stack, or the file's name for a lone template. */
  readonly stack: string;
  /** The name of its dialect. */
  readonly frontEnd: Dialect['name'];
  /** What it is written in; decides how a fix is shown. */
  readonly dialect: Dialect;
  readonly source: Source;
  /** The line of the app that creates it, where the input tells and it is one of the user's. @default - people write the input */
  readonly createdAt?: SourceLocation | undefined;
  readonly suppressions: readonly Suppression[];
  /** The assumption under which it is created at all; `always` for most. What it uses or is used by may be created under another. */
  readonly exists: When;
  /** It stands in a module that no root module enables, and is judged as if one did. @default false */
  readonly isNotEnabled?: boolean | undefined;
  /** True of one that nobody wrote: it stands for what a lone file of user data leaves out. Messages don't name it. */
  readonly isImplied?: true;
  /** What makes it of its own settings, as eksctl makes a launch template of those of a group: messages call it by that name. @default - it stands by itself */
  readonly partOf?: Resource;
  /** What is about to happen to it, where the input tells: only plans of Terraform do. What is about to be deleted is no resource of the model. */
  readonly planned?: PlannedChange | undefined;
  /**
   * Of what a call of somebody else's module declares: what the call's arguments for its own arguments and blocks are called, maybe behind
   * lines of comments. Code for one without any would mean something else there, or nothing. @default - its own code declares it
   */
  readonly moduleInputs?: ReadonlyMap<string, string> | undefined;
  /** Of the same: what of the call takes these arguments, as an address: `module.eks`, or `module.eks.eks_managed_node_groups["workers"]`. */
  readonly moduleInputsAt?: string | undefined;
  /**
   * Of the same: where a setting is written that isn't one of an object in the call itself, as the entry of a map from a local value. Keys lead from an
   * argument of the call to what has the setting. @default - in the call
   */
  readonly moduleInputsIn?:
    | ((path: readonly [string, ...string[]], setting: string) => WrittenPlace | undefined)
    | undefined;
  /** Of the same: the outputs of the module that tell of it, by attribute. @default - none is known */
  readonly moduleOutputs?: ReadonlyMap<string, string> | undefined;
  /** What counts when a machine is to change what is written of it; rules don't look at it. @default - nothing */
  readonly editing?: EditingFacts | undefined;
}

/** An object of the input that settings go into, or what stands in its place. */
export interface WrittenPlace {
  readonly source: Source;
  /** What it is called: `local.groups["a"]`. */
  readonly name: string;
  /** Whether it is an object, so that settings can go into it; else what stands there has to be written otherwise first. */
  readonly isObject: boolean;
  /** The setting stands in it already, as something else. @default false */
  readonly isWritten?: true;
  /** Nothing is written for the last key that leads there. @default false */
  readonly isMissing?: true;
  /** A `for` makes it for each key: the expression of the key, and of the setting as it is now. @default - it is of one key */
  readonly each?: { readonly key: string; readonly now: string | undefined };
}

/** What else depends on how a resource is written. Each is worked out when it is asked for. */
export interface EditingFacts {
  /** Constraints on the version of its provider, which all hold. @default - none */
  readonly providerVersions?: readonly string[];
  /** Of a launch template: what depends on it besides managed node groups, or may, each in a few words: `aws_autoscaling_group.old uses it`. @default - nothing */
  readonly otherUsers?: readonly string[];
  /**
   * Of a launch template of Terraform: the arguments of its metadata options as they are written, none where that can't be told, unless a `dynamic` block
   * makes them. @default - none
   */
  readonly metadataOptions?: ReadonlyMap<string, string> | 'dynamic';
  /** Of a Helm release of Terraform: whether it has texts of values, over which Helm merges those behind them. @default false */
  readonly hasValues?: boolean;
  /** Of Terraform: the argument that makes several of one block. @default - there is one of it, or that isn't known */
  readonly repeatedBy?: 'count' | 'for_each' | undefined;
  /** The expression of that argument, as it is written. @default - it isn't known */
  readonly repeatedOver?: string | undefined;
  /** Of what a tool makes of some settings: what these are called. @default - it makes it by itself, or that isn't known */
  readonly madeBy?: readonly string[];
  /** Of an item of a list that may go to another one: the lines that it stands in. @default - it shares them with something, or that isn't known */
  readonly lines?: WrittenLines | undefined;
  /** Of a node group of Terraform that is made before the one that it replaces is destroyed: its name as that of another. @default - the old one goes first, or its name is made anew */
  readonly nameAnew?: string | undefined;
}

/** Lines of a file that hold one thing alone. */
export interface WrittenLines {
  readonly file: string;
  /** 1-based. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** How a resource that exists, or doesn't yet, becomes what the input says. */
export interface PlannedChange {
  /** `none`: it is as it should be. `replace`: it is deleted, and another is created. */
  readonly action: 'create' | 'update' | 'replace' | 'none';
  /**
   * The resource as it is now, of the same kind; undefined for one that is about to be created. It is no part of the model: it has no
   * view, and what it refers to is as it is about to be.
   */
  readonly before: Resource | undefined;
  /**
   * The attributes that force a replacement, as the engine calls them: `ami_type`, `launch_template[0].id`. None if nothing forces it: the
   * user has asked for it, or the last deployment left the resource half made.
   */
  readonly replacedBecause: readonly string[];
  /** Of a replacement: the new resource is created before the old one is deleted. */
  readonly isCreatedFirst: boolean;
}

/** A CDK acknowledgement: `Validations.of(construct).acknowledge({ id, reason })`. */
export interface Acknowledgement {
  readonly constructPath: string;
  readonly rule: string;
  readonly reason: string;
  /** Last day (YYYY-MM-DD) on which it holds. @default - no end */
  readonly until?: string;
  /** Where it is written down. @default - at the resources that it covers */
  readonly source?: Source;
}
