import type { Acknowledgement, SourceLocation } from '../value';

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
  /** Construct path of the stack. @default - the assembly doesn't tell */
  readonly stackPath?: string;
  /** Templates of nested stacks, by logical id of the `AWS::CloudFormation::Stack` resource that uses them. */
  readonly nestedTemplates: ReadonlyMap<string, TemplateInput>;
  /** Construct paths by logical id, where the template itself doesn't carry `aws:cdk:path`. */
  readonly constructPaths: ReadonlyMap<string, string>;
  /** The line of the user's that makes the construct at a path, as far as the assembly tells. @default - it doesn't */
  readonly createdAt?: (constructPath: string) => SourceLocation | undefined;
  /** Judged, and repaired, as if a person had written it, together with all other stacks of the app. @default - the app writes it */
  readonly asByHand?: true;
  /** Rules that the app acknowledged, with the construct path below which they hold. */
  readonly acknowledgements: readonly Acknowledgement[];
}

/** The file of a template, and that of one which uses it for a nested stack and so gives it the values of its parameters. */
export interface NestedTemplate {
  readonly file: string;
  readonly parent: string;
}
