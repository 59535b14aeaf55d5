import type { BlockDevice, Image, LaunchTemplate, MetadataOptions, NetworkInterface, UserData } from '../../../eks';
import {
  type EditingFacts,
  flatMapValue,
  Known,
  mapValue,
  type Plain,
  sourceOf,
  type Unknown,
  type Value,
} from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Item } from '../../../cloudformation/item';
import { SsmParameterValue } from '../../../cloudformation/unknown-values';
import { CloudFormationResource } from './cloudformation-resource';
import { LaunchTemplateUsers } from './launch-template-users';
import { conditionalItems } from '../../../value/conditional-items';
import { firstOf } from '../../../value/first-of';
import { imageAt, imageFrom } from '../../parts/image';
import { readUserData } from './user-data';

/** `AWS::EC2::LaunchTemplate`. */
export class Ec2LaunchTemplate extends CloudFormationResource implements LaunchTemplate {
  readonly kind = 'launch-template';
  declare private dataMemo: Block | undefined;
  declare private metadataMemo: MetadataOptions | undefined;
  declare private blockDevicesMemo: readonly BlockDevice[] | undefined;

  /** Kept like what many rules ask for below. */
  private get data(): Block {
    return (this.dataMemo ??= this.properties.block('LaunchTemplateData'));
  }

  get name(): Value<string> {
    return this.properties.string('LaunchTemplateName');
  }

  get editing(): EditingFacts {
    const { template, id } = this;
    return {
      get otherUsers() {
        return LaunchTemplateUsers.of(template, id);
      },
    };
  }

  get imageId(): Value<Image> {
    return flatMapValue(this.data.string('ImageId'), readImage);
  }

  get instanceType(): Value<string> {
    return this.data.string('InstanceType');
  }

  get metadata(): MetadataOptions {
    return (this.metadataMemo ??= readMetadataOptions(this.data.block('MetadataOptions')));
  }

  get userData(): Value<UserData> {
    return readUserData(this.data.item('UserData'));
  }

  get instanceTagKeys(): readonly Value<string>[] {
    const keys: Value<string>[] = [];
    for (const specification of this.blocks(this.data.list('TagSpecifications'))) {
      const type = specification.string('ResourceType');
      // Only what is surely put on something else is left out.
      if (type.kind === 'known' && type.value !== 'instance') continue;
      for (const tag of this.blocks(specification.list('Tags'))) keys.push(tag.string('Key'));
    }
    return keys;
  }

  get instanceProfile(): Value<string> {
    const profile = this.data.block('IamInstanceProfile');
    return firstOf(profile.string('Arn'), () => profile.string('Name'));
  }

  get shutdownBehavior(): Value<string> {
    return this.data.string('InstanceInitiatedShutdownBehavior');
  }

  get hibernation(): Value<boolean> {
    return this.data.block('HibernationOptions').boolean('Configured');
  }

  get instanceRequirements(): Value<true> {
    return mapValue(this.data.item('InstanceRequirements'), () => true);
  }

  get marketType(): Value<string> {
    return this.data.block('InstanceMarketOptions').string('MarketType');
  }

  get keyName(): Value<string> {
    return this.data.string('KeyName');
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return bothLists(this.data.strings('SecurityGroupIds'), () => this.data.strings('SecurityGroups'));
  }

  get networkInterfaces(): readonly NetworkInterface[] {
    return conditionalItems(this.data.list('NetworkInterfaces')).map((item): NetworkInterface => {
      const block = Block.of(item, this.evaluator);
      return { subnet: block.string('SubnetId'), securityGroups: block.strings('Groups'), source: sourceOf(item) };
    });
  }

  get blockDevices(): readonly BlockDevice[] {
    return (this.blockDevicesMemo ??= readBlockDevices(this.data, this.evaluator));
  }

  /** The blocks of a list, under whatever conditions. */
  private blocks(list: Value<readonly Value<Item>[]>): Block[] {
    return conditionalItems(list).map((item) => Block.of(item, this.evaluator));
  }
}

/** The block devices of a launch template or launch configuration, which describe them alike. */
export function readBlockDevices(data: Block, evaluator: Evaluator): readonly BlockDevice[] {
  return conditionalItems(data.list('BlockDeviceMappings')).map((item): BlockDevice => {
    const block = Block.of(item, evaluator);
    return { name: block.string('DeviceName'), size: block.block('Ebs').number('VolumeSize'), source: sourceOf(item) };
  });
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
      return new Known([...itemsOf(one), ...itemsOf(other)], one.source);
    });
  });
}

function itemsOf(list: Known<readonly Value<string>[]> | Unknown): readonly Value<string>[] {
  return list.kind === 'known' ? list.value : [list];
}

/** `MetadataOptions`, which launch templates and launch configurations write alike. */
export function readMetadataOptions(options: Block): MetadataOptions {
  return {
    httpTokens: options.string('HttpTokens'),
    hopLimit: options.number('HttpPutResponseHopLimit'),
    httpEndpoint: options.string('HttpEndpoint'),
    instanceTags: options.string('InstanceMetadataTags'),
  };
}

/** The image that a text names. */
export function readImage(plain: Plain<string>): Plain<Image> {
  return plain instanceof SsmParameterValue ? new Known(imageAt(plain.parameterPath), plain.source) : imageFrom(plain);
}
