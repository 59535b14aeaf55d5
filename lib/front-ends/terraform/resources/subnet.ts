import type { Subnet } from '../../../eks';
import { flatMapValue, Known, type Plain, type Value } from '../../../value';
import { LinkedBlock } from './linked-block';
import { TerraformResource } from './terraform-resource';

/** `aws_subnet`. */
export class Ec2Subnet extends TerraformResource implements Subnet {
  readonly kind = 'subnet';

  get cidr(): Value<string> {
    return this.attributes.text('cidr_block');
  }

  get availabilityZone(): Value<string> {
    return this.attributes.text('availability_zone');
  }

  get mapPublicIpOnLaunch(): Value<boolean> {
    return this.attributes.boolean('map_public_ip_on_launch');
  }

  /** Those of `tags`, the provider's as far as `tags_all` of a plan has them, and of every `aws_ec2_tag`, whose resource may be this one. */
  get tagKeys(): Value<readonly Value<string>[]> {
    const separate = this.registry
      .instancesOf('aws_ec2_tag')
      .map((tag) => new LinkedBlock(tag.attributes, this.registry).string('key'));
    const all = this.attributes.entries('tags_all');
    const inherited =
      all.kind === 'known' ? [...all.value.entries.keys()].map((key) => new Known(key, all.source)) : [];
    return flatMapValue(this.attributes.entries('tags'), (plain): Plain<readonly Value<string>[]> => {
      if (plain.kind === 'unknown') return plain;
      const { entries, more } =
        plain.kind === 'known' ? plain.value : { entries: new Map<string, never>(), more: undefined };
      const own = [...entries.keys()].map((key) => new Known(key, plain.source));
      return new Known([...own, ...(more === undefined ? [] : [more]), ...inherited, ...separate], plain.source);
    });
  }
}
