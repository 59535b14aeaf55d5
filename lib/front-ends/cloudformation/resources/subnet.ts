import type { Subnet } from '../../../eks';
import { mapValue, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { CloudFormationResource } from './cloudformation-resource';

/** `AWS::EC2::Subnet`. */
export class Ec2Subnet extends CloudFormationResource implements Subnet {
  readonly kind = 'subnet';

  get cidr(): Value<string> {
    return this.properties.string('CidrBlock');
  }

  get availabilityZone(): Value<string> {
    return this.properties.string('AvailabilityZone');
  }

  get mapPublicIpOnLaunch(): Value<boolean> {
    return this.properties.boolean('MapPublicIpOnLaunch');
  }

  get tagKeys(): Value<readonly Value<string>[]> {
    return mapValue(this.properties.list('Tags'), (tags) =>
      tags.map((tag) => Block.of(tag, this.evaluator).string('Key')),
    );
  }
}
