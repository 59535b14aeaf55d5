import type { AmiFacts } from '../../knowledge/published-amis';
import type { SourceText } from '../user-data/source-text';
import type { Known, Resource, Source, Value } from '../../value';
import type { Role } from './iam';
import type { Reference } from './reference';

export interface LaunchTemplateVersion {
  /** As written: `3`, `$Latest`, `Workers.LatestVersionNumber`. */
  readonly text: string;
  /** The template attribute that the version follows, so that an edit of the template changes the node group too. */
  readonly tracks: 'latest' | 'default' | undefined;
}

export interface LaunchTemplate extends Resource {
  readonly kind: 'launch-template';
  readonly name: Value<string>;
  readonly imageId: Value<Image>;
  readonly instanceType: Value<string>;
  readonly metadata: MetadataOptions;
  readonly userData: Value<UserData>;
  /** Keys of the tags that the template puts on instances. */
  readonly instanceTagKeys: readonly Value<string>[];
  /** Name or ARN. */
  readonly instanceProfile: Value<string>;
  /** The role in that profile, where the input has it. @default - nothing tells */
  readonly instanceRole?: Value<Reference<Role>>;
  readonly shutdownBehavior: Value<string>;
  /** Whether instances are configured for hibernation. */
  readonly hibernation: Value<boolean>;
  /** Whether instance requirements (attribute-based selection) are written. */
  readonly instanceRequirements: Value<true>;
  /** `spot` or `capacity-block`. */
  readonly marketType: Value<string>;
  readonly keyName: Value<string>;
  /** Security groups of the template itself, by id or by name. */
  readonly securityGroups: Value<readonly Value<string>[]>;
  readonly networkInterfaces: readonly NetworkInterface[];
  readonly blockDevices: readonly BlockDevice[];
}

/** A network interface that a launch template describes. */
export interface NetworkInterface {
  readonly subnet: Value<string>;
  readonly securityGroups: Value<readonly Value<string>[]>;
  readonly source: Source;
}

export interface BlockDevice {
  /** `/dev/xvda`. */
  readonly name: Value<string>;
  /** GiB; a string if what is written is no number. */
  readonly size: Value<number | string>;
  readonly source: Source;
}

/** Instance metadata options. Each is absent when not written, even if the whole block is missing. */
export interface MetadataOptions {
  readonly httpTokens: Value<string>;
  /** A string if what is written is no number. */
  readonly hopLimit: Value<number | string>;
  readonly httpEndpoint: Value<string>;
  readonly instanceTags: Value<string>;
  /** Somebody has switched the service off for pods, by a setting that says so. @default - nobody has */
  readonly isForNodesOnly?: boolean;
}

/** The AMI of a launch template, with what the SSM parameter path or the name that it is looked up by tells of it. */
export interface Image extends AmiFacts {
  /** An AMI id, an SSM path, or the text of what it refers to. */
  readonly text: string;
  /** EC2 looks the SSM parameter up when it launches an instance (`resolve:ssm:…`), as opposed to the engine at deployment. */
  readonly resolvedAtLaunch?: true;
  /** It is one that AWS publishes, as opposed to one that somebody has built and called alike. */
  readonly isPublished?: true;
  /** The Kubernetes version in its name, where that is a value of its own that is put into it. */
  readonly versionFrom?: Known<string>;
  /** It is written out and names no AMI at all, so that EC2 refuses it. */
  readonly isMalformed?: true;
}

/** User data as a launch template holds it. */
export interface UserData {
  /** Decoded: without the base64 that EC2 demands, and without what is in `layers`. */
  readonly text: SourceText;
  /** What else stood around the whole text, outermost first: compression, or base64 once more. */
  readonly layers: readonly ('base64' | 'gzip')[];
  /**
   * Who wrote the base64 that EC2 demands: the engine (`Fn::Base64`), the user, or nobody, in which case EC2 refuses the template
   * and `text` is what stands there.
   */
  readonly encodedBy: 'engine' | 'user' | 'nobody';
  /** Bytes as EC2 counts them: without the base64 that it demands, `layers` included. Undefined unless the user encoded it; then `text` is all that there is. */
  readonly size?: number;
}
