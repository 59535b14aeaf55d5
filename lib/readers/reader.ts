import type { Diagnostic, PlacedSuppression, Source } from '../value';
import type { EksResource } from '../model';

/** What a reader made of its input. Readers don't throw on bad input: they say what was wrong and read on. */
export interface ReadResult {
  readonly inputs: readonly InputSummary[];
  readonly resources: readonly EksResource[];
  /** The same together with what stands in modules that no root module enables, as it would be then. @default - there are none */
  readonly asIfEnabled?: readonly EksResource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Decisions in comments. @default - none */
  readonly suppressions?: readonly PlacedSuppression[];
  /** Values that the input declares to be secret. The resources don't hold them. @default - none */
  readonly secrets?: readonly string[];
  /** Templates of nested stacks among the inputs. @default - there are none */
  readonly nested?: readonly NestedTemplate[];
}

/** The file of a template, and that of one which uses it for a nested stack and so gives it the values of its parameters. */
export interface NestedTemplate {
  readonly file: string;
  readonly parent: string;
}

/** One thing that was read, for reports. */
export interface InputSummary {
  readonly path: string;
  readonly kind: 'cloudformation-template' | 'cdk-assembly' | 'user-data' | 'terraform-plan' | 'terraform-configuration' | 'cdktf-output';
  /** How many resources it declares, of any type. */
  readonly resources: number;
}

/** One CloudFormation template to read. */
export interface TemplateInput {
  /** Path as it should appear in reports. */
  readonly file: string;
  /** JSON or YAML text. Either this or `content` is given. */
  readonly text?: string;
  /** The template as an object, when it never was a file; locations then point at line 1, with the property path. */
  readonly content?: unknown;
  /** @default - the file's name without extension */
  readonly stack?: string;
  /** @default - unknown */
  readonly region?: string;
  /** AWS account number. @default - unknown */
  readonly account?: string;
  /** Found by looking through a folder: left out without a word if it turns out to be no template. @default false */
  readonly optional?: boolean;
  /** Account and region independent parts that only a CDK assembly knows. */
  readonly assembly?: AssemblyContext;
}

/** What a CDK assembly tells about one of its templates. */
export interface AssemblyContext {
  /** Templates of nested stacks, by logical id of the `AWS::CloudFormation::Stack` resource that uses them. */
  readonly nestedTemplates: ReadonlyMap<string, TemplateInput>;
  /** Construct paths by logical id, where the template itself doesn't carry `aws:cdk:path`. */
  readonly constructPaths: ReadonlyMap<string, string>;
  /** Rules that the app acknowledged, with the construct path below which they hold. */
  readonly acknowledgements: readonly Acknowledgement[];
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

/** What CDKTF or CDK Terrain renders for one stack, to be read with the other stacks of its app. */
export interface TerraformStackInput {
  /** Id of the stack, by which the manifest lists it. */
  readonly name: string;
  /** Path of its construct; other stacks name its state by that. */
  readonly constructPath: string;
  /** The output folder of its app. */
  readonly app: string;
  /** Path as it should appear in reports. */
  readonly file: string;
  /** The configuration in Terraform's JSON syntax, as an object. */
  readonly content: unknown;
  /**
   * The folder that the stack was written to, with its assets.
   * @default - the one of `file`
   */
  readonly writtenTo?: string;
}
