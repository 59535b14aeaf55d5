import type { Subnet } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { SUBNET } from '../../../eks/resources/subnet';
import { byTable } from './by-table';

/** `AWS::EC2::Subnet`. */
export class Ec2Subnet extends byTable(SUBNET) implements Subnet {
  readonly kind = 'subnet';

  get tagKeys(): Value<readonly Value<string>[]> {
    return mapValue(this.properties.list('Tags'), (tags) =>
      tags.map((tag) => Block.of(tag, this.evaluator).string('Key')),
    );
  }
}
