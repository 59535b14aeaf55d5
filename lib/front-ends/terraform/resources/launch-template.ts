import { LAUNCH_TEMPLATE } from '../../../eks/resources/launch-template';
import { byTable } from './by-table';
import type { Image, LaunchTemplate, MetadataOptions, Reference, Role, UserData } from '../../../eks';
import {
  type EditingFacts,
  flatMapValue,
  Known,
  type Plain,
  sourceOf,
  unlessReadBack,
  type Value,
} from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { firstOf } from '../../../value/first-of';
import { readImage } from './image';
import { roleOfProfile } from './instance-profile';
import { launchTemplateUsersIn } from './launch-template-users';
import type { LinkedBlock } from './linked-block';
import type { TerraformInstance } from '../../../terraform/instance';
import { BlockContent } from '../../../terraform/resource-object';
import type { Registry } from './registry';
import { groupReferences } from './security-group-peers';
import { ResourceEditing } from './terraform-resource';
import { readEncodedUserData } from './user-data';

/** `aws_launch_template`. */
export class Ec2LaunchTemplate extends byTable(LAUNCH_TEMPLATE) implements LaunchTemplate {
  readonly kind = 'launch-template';

  override get editing(): EditingFacts {
    return new LaunchTemplateEditing(this.instance, this.registry, this.attributes.block('metadata_options'));
  }

  get imageId(): Value<Image> {
    return readImage(this.attributes.raw('image_id'), this.scope);
  }

  get metadata(): MetadataOptions {
    return new LaunchTemplateMetadata(this.attributes.block('metadata_options'));
  }

  get userData(): Value<UserData> {
    return readEncodedUserData(this.attributes.raw('user_data'), this.registry);
  }

  get instanceTagKeys(): readonly Value<string>[] {
    const keys: Value<string>[] = [];
    for (const specification of this.attributes.allBlocks('tag_specifications')) {
      const type = specification.string('resource_type');
      // Only what is surely put on something else is left out.
      if (type.kind === 'known' && type.value !== 'instance') continue;
      keys.push(...tagKeys(specification));
    }
    return keys;
  }

  get instanceProfile(): Value<string> {
    const profile = this.attributes.block('iam_instance_profile');
    return firstOf(profile.text('arn'), () => profile.text('name'));
  }

  get instanceRole(): Value<Reference<Role>> {
    const profile = this.attributes.block('iam_instance_profile');
    return firstOf(roleOfProfile(profile.raw('arn'), this.scope), () => roleOfProfile(profile.raw('name'), this.scope));
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return bothLists(groupReferences(this.attributes.texts('vpc_security_group_ids'), this.scope), () =>
      this.attributes.texts('security_group_names'),
    );
  }
}

/** Of launch templates and launch configurations. */
export class MetadataEditing extends ResourceEditing {
  constructor(
    instance: TerraformInstance,
    private readonly options: LinkedBlock,
  ) {
    super(instance);
  }

  get metadataOptions(): ReadonlyMap<string, string> | 'dynamic' {
    const { value } = this.options;
    return value.kind === 'known' && value.value instanceof BlockContent ? value.value.written() : new Map();
  }
}

class LaunchTemplateEditing extends MetadataEditing {
  constructor(
    instance: TerraformInstance,
    private readonly registry: Registry,
    options: LinkedBlock,
  ) {
    super(instance, options);
  }

  get otherUsers(): readonly string[] {
    return launchTemplateUsersIn(this.registry).of(this.instance);
  }
}

/** Keys of a map of tags. */
function tagKeys(specification: LinkedBlock): readonly Value<string>[] {
  const keys = flatMapValue(specification.entries('tags'), (plain): Plain<readonly Value<string>[]> => {
    if (plain.kind !== 'known') return plain;
    const { entries, more } = plain.value;
    const known = [...entries].flatMap(([key, value]): Value<string>[] =>
      value.kind === 'absent' ? [] : [new Known(key, sourceOf(value))],
    );
    return new Known(more === undefined ? known : [...known, more], plain.source);
  });
  return conditionalItems(keys);
}

/** A second list takes effect next to a first one. What isn't known of one of them leaves the items of the other. */
function bothLists(
  first: Value<readonly Value<string>[]>,
  second: () => Value<readonly Value<string>[]>,
): Value<readonly Value<string>[]> {
  return flatMapValue(first, (one): Value<readonly Value<string>[]> => {
    if (one.kind === 'absent') return second();
    return flatMapValue(second(), (other): Plain<readonly Value<string>[]> => {
      if (other.kind === 'absent') return one;
      return new Known(
        [...(one.kind === 'known' ? one.value : [one]), ...(other.kind === 'known' ? other.value : [other])],
        one.source,
      );
    });
  });
}

/** `metadata_options`, which launch templates and launch configurations write alike; what EC2 fills in isn't set. */
export class LaunchTemplateMetadata implements MetadataOptions {
  constructor(private readonly options: LinkedBlock) {}

  get httpTokens(): Value<string> {
    return unlessReadBack(this.options.text('http_tokens'));
  }

  get hopLimit(): Value<number | string> {
    return unlessReadBack(this.options.amount('http_put_response_hop_limit'));
  }

  get httpEndpoint(): Value<string> {
    return unlessReadBack(this.options.text('http_endpoint'));
  }

  get instanceTags(): Value<string> {
    return unlessReadBack(this.options.text('instance_metadata_tags'));
  }
}
