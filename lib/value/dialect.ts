import type { Resource } from './resource';
import type { Source } from './source';

/**
 * What people write infrastructure in, by name. A front end with another one adds it in its own folder:
 * `declare module '../../value/dialect' { interface DialectNames { eksctl: true } }`.
 * @planned for front ends to come, which extend it
 */
export interface DialectNames {
  readonly cloudformation: true;
  readonly 'aws-cdk': true;
  readonly terraform: true;
  readonly cdktf: true;
}

export type DialectName = keyof DialectNames;

/**
 * What the engine, fixes and reports need to know of that in which a resource is written. Front ends define them; each resource carries its own, so
 * that nobody else asks by name.
 */
export interface Dialect {
  readonly name: DialectName | 'none';
  /** As people call it: `AWS CDK`. */
  readonly title: string;
  /** Who makes resources of it: `CloudFormation`, `Terraform`. */
  readonly deployedBy: string;
  /** How it speaks of what Terraform's providers make for it, as they make it for Terraform. @default - something else makes its resources */
  readonly ofProviders?: ProviderWords;
  /** What people know the type of a resource by. @default - the type that the model has */
  readonly typeOf?: (resource: Resource) => string;
  /** What declares its resources. A stack is deployed by itself; a template or module may be a part of one. */
  readonly unit: 'stack' | 'template' | 'module';
  /** What its stacks are called, of several. */
  readonly stacks: string;
  /** Its stacks are paths of files or folders as the user typed them, not names. @default - they are names */
  readonly hasPathsForStacks?: true;
  /** It is what runs, and not what somebody writes: rules about code have nothing to say of it. @default false */
  readonly isRunning?: true;
  /** Where two resources that name the same mean the same: in one stack, or in templates of one folder, which are often deployed together. */
  readonly scopeOfNames: 'stack' | 'folder';
  /** The path of what a resource is declared in, where that is more than a file. @default - its file */
  readonly inputOf?: (resource: Resource) => string | undefined;
  /** Names of files by which a folder is one of people who write this. @default - no file tells */
  readonly sign?: RegExp;
  readonly fixes: FixDialect;
  /** How a decision to live with a finding is written, for the page of a rule. @default - the page doesn't tell */
  readonly suppression?: (ruleId: string) => { readonly where: string; readonly code: string };
}

/** The words of an engine that deploys through Terraform's providers. */
interface ProviderWords {
  /** What shows beforehand what a deployment does. */
  readonly plan: 'plan' | 'preview';
  /** What it calls an argument of a resource, `launch_template` by Terraform's name. */
  nameOf(argument: string): string;
}

/** How fixes are shown and made. */
export interface FixDialect {
  /** Whose code a fix is shown in: the first of these that it has. */
  readonly codes: readonly DialectName[];
  /** The same of one resource, where it isn't the same for all. */
  readonly codesAt?: (resource: Resource) => readonly DialectName[];
  /** The language of that code, as Markdown names it. */
  readonly language: string;
  /** Around texts in that code. */
  readonly quote: '"' | "'";
  /**
   * How that code refers to the cluster of its own stack, which it calls `Cluster`, and the type that such a cluster has. Without a pattern, `codeAt`
   * sees to it. @default - by nothing that depends on its name
   */
  readonly clusterReference?: { readonly pattern?: RegExp; readonly type: string };
  /**
   * That code as it goes where the resource is; undefined where the place has something else in its stead.
   * @param inTemplate the code of the same fix for a template, if it has one
   */
  readonly codeAt?: (
    code: string,
    resource: Resource,
    inTemplate: () => string | undefined,
    cluster: () => ClusterPlace,
  ) => string | undefined;
  /** Whether something that code would declare beside a resource is there by that name. @default - the resources of the model tell */
  readonly hasName?: (name: string, beside: Resource) => boolean;
  /**
   * That code as it goes where the value stands that it changes: in the default of a variable, for instance. Undefined where it goes to the resource.
   * @param source of the value, which something else decides
   */
  readonly codeWhereDecided?: (code: string, resource: Resource, source: Source) => string | undefined;
  /** Code for another resource than that of the finding, with a line above that says where it goes; undefined where that can't be told. @default - the code says so itself */
  readonly codeBeside?: (code: string, resource: Resource, source: Source) => string | undefined;
  /** Code that gives a resource a text as user data, with `${…}` for what is filled in; undefined for resources without. @default - such texts are lines of the file */
  readonly codeOfUserData?: (text: string, resource: Resource) => string | undefined;
  /** Whether a construct wrote the resource with settings of its own choice. @default - what is written, somebody wrote */
  readonly isByConstruct?: (resource: Resource) => boolean;
  /** What a repair that needs a decision does to what runs, where all of them do the same. @default - what the rule says */
  readonly effect?: string;
  /** Why nobody edits the files: something else writes them. @default - people write them */
  readonly whyGenerated?: string;
  /** What changes a file; undefined for one that isn't written by hand. */
  readonly editorOf: (file: string) => FileEditor | undefined;
  /** Whether the editor changes lines of a text that JSON has as a value. @default - only where they are lines of the file */
  readonly editsTextsInJson?: true;
  /** Why a file without an editor isn't changed. */
  readonly whyNoEditor: string;
}

/** The cluster that a resource belongs to, as code of a fix may refer to it. */
export interface ClusterPlace {
  /** Undefined where the input doesn't have it. */
  readonly cluster: Resource | undefined;
  /** What the user writes for its name: a reference, or the name in quotes. Undefined where nothing tells. */
  readonly name: string | undefined;
  /** Whether the input has a resource of that name where another one is. Of what is no resource of EKS, nothing tells. */
  has(name: string, beside: Resource): boolean;
  /** Whether other calls make resources of where one is written, which code that goes there would change, too. @default - none do */
  isShared?(resource: Resource): boolean;
}

/** What changes a file: by its syntax, or in JSON or YAML by where a setting is. */
type FileEditor = 'hcl' | 'terraform-json' | SettingPlaces;

/** The setting of a resource that a repair is about. */
export interface EditedSetting {
  readonly type: string;
  readonly id: string;
  /** As the model calls it. */
  readonly field: string;
  /** Index of the item of a list that the finding is about. */
  readonly item: number | undefined;
}

/** Where settings are in a file of JSON or YAML. */
export interface SettingPlaces {
  /** Keys from the root of the file; undefined if there is no machine edit for the setting. */
  pathTo(setting: EditedSetting, root: unknown): readonly string[] | undefined;
  /**
   * Why the setting isn't changed there, such as because something else decides it.
   * @param isRemoval what goes may refer to other resources
   */
  refusal(setting: EditedSetting, path: readonly string[], root: unknown, isRemoval: boolean): string | undefined;
  /** Whether files have a setting at all, wherever it is. @default - those that `pathTo` finds */
  hasSetting?(type: string, field: string): boolean;
  /** Why nobody edits a file with such a text: something else writes it. @default - people write them all */
  whyGenerated?(text: string): string | undefined;
  /** The documents of a file, in their order. @default - the file is one */
  documentsIn?(text: string): readonly TextPart[];
  /** Where a resource stands in a document; undefined if it doesn't. @default - below `Resources` */
  holderOf?(type: string, id: string, root: unknown): readonly string[] | undefined;
  /** Where a decision about a resource is written that has no place for a comment, as its value, a text. @default - in its `Metadata` */
  readonly decisionKey?: readonly string[];
  /**
   * Where a value of a setting stands that holds JSON elsewhere, such as a variable in a list: what there is of the path, or the list that gets the item.
   * @param at steps within the setting: `env`, `WARM_IP_TARGET`
   * @default - in a text of JSON
   */
  readonly valueIn?:
    | ((setting: EditedSetting, at: readonly string[], root: unknown) => ValuePlace | undefined)
    | undefined;
  /** What is written there for a value of the model: `preserve` for `PRESERVE`. Undefined if nothing says the same. @default - the value itself */
  writtenFor?(setting: EditedSetting, value: SettingValue): WrittenValue | undefined;
}

type SettingValue = string | number | boolean;

/** A part of a text, and where it begins. */
interface TextPart {
  readonly start: number;
  readonly text: string;
}

/** A value in a list: one that is there, or one that an item of a name would have. */
export interface ValuePlace {
  /** To the value, or to the list. */
  readonly path: readonly string[];
  /** Name of the item that the list doesn't have. @default - it has it */
  readonly missing?: string;
}

export interface WrittenValue {
  readonly value: SettingValue;
  /** Where nothing is written, it holds without a word. @default - it doesn't */
  readonly isDefault?: true;
}

/** Of what stands for an input in reports without being written in it. */
export const NO_DIALECT: Dialect = {
  name: 'none',
  title: '',
  deployedBy: '',
  unit: 'stack',
  stacks: 'stacks',
  scopeOfNames: 'folder',
  fixes: { codes: [], language: '', quote: '"', editorOf: () => undefined, whyNoEditor: 'no file holds it' },
};
