import type { Subnet } from '../../../eks';
import { flatMapValue, Known, type Plain, type Value } from '../../../value';
import { LinkedBlock } from './linked-block';
import { SUBNET } from '../../../eks/resources/subnet';
import { byTable } from './by-table';

/** `aws_subnet`. */
export class Ec2Subnet extends byTable(SUBNET) implements Subnet {
  readonly kind = 'subnet';

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
