import type { BlockDevice, Image, LaunchTemplate, MetadataOptions, Reference, Role, UserData } from '../../../eks';
import { type EditingFacts, flatMapValue, Known, type Plain, sourceOf, type Unknown, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Evaluator } from '../../../cloudformation/evaluator';
import type { Item } from '../../../cloudformation/item';
import { SsmParameterValue } from '../../../cloudformation/unknown-values';
import { LAUNCH_TEMPLATE } from '../../../eks/resources/launch-template';
import { byTable } from './by-table';
import { roleOfProfile } from './instance-profile';
import { LaunchTemplateUsers } from './launch-template-users';
import { conditionalItems } from '../../../value/conditional-items';
import { firstOf } from '../../../value/first-of';
import { imageAt, imageFrom, withVersionFrom } from '../../parts/image';
import { readUserData } from './user-data';

/** `AWS::EC2::LaunchTemplate`. */
export class Ec2LaunchTemplate extends byTable(LAUNCH_TEMPLATE) implements LaunchTemplate {
  readonly kind = 'launch-template';
  declare private metadataMemo: MetadataOptions | undefined;
  declare private blockDevicesMemo: readonly BlockDevice[] | undefined;

  get editing(): EditingFacts {
    const { template, id } = this;
    return {
      get otherUsers() {
        return LaunchTemplateUsers.of(template, id);
      },
    };
  }

  get imageId(): Value<Image> {
    return flatMapValue(this.settings.string('ImageId'), readImage);
  }

  get metadata(): MetadataOptions {
    return (this.metadataMemo ??= readMetadataOptions(this.settings.block('MetadataOptions')));
  }

  get userData(): Value<UserData> {
    return readUserData(this.settings.item('UserData'));
  }

  get instanceTagKeys(): readonly Value<string>[] {
    const keys: Value<string>[] = [];
    for (const specification of this.blocks(this.settings.list('TagSpecifications'))) {
      const type = specification.string('ResourceType');
      // Only what is surely put on something else is left out.
      if (type.kind === 'known' && type.value !== 'instance') continue;
      for (const tag of this.blocks(specification.list('Tags'))) keys.push(tag.string('Key'));
    }
    return keys;
  }

  get instanceProfile(): Value<string> {
    const profile = this.settings.block('IamInstanceProfile');
    return firstOf(profile.string('Arn'), () => profile.string('Name'));
  }

  get instanceRole(): Value<Reference<Role>> {
    return roleOfProfile(this.instanceProfile, this.template);
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return bothLists(this.settings.strings('SecurityGroupIds'), () => this.settings.strings('SecurityGroups'));
  }

  get blockDevices(): readonly BlockDevice[] {
    return (this.blockDevicesMemo ??= readBlockDevices(this.settings, this.evaluator));
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
  return plain instanceof SsmParameterValue
    ? new Known(withVersionFrom(imageAt(plain.parameterPath), plain.named ?? plain), plain.source)
    : imageFrom(plain);
}
