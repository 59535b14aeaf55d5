import {
  flatMapValue,
  Known,
  mapValue,
  sourceOf,
  type AmiFamily,
  type BlockDevice,
  type Image,
  type LaunchTemplate,
  type MetadataOptions,
  type NetworkInterface,
  type Plain,
  type Unknown,
  type UserData,
  type Value,
} from '../../../model';
import { Block } from '../block';
import type { Evaluator } from '../evaluator';
import type { Item } from '../item';
import { SsmParameterValue } from '../unknown-values';
import { CloudFormationResource } from './cloudformation-resource';
import { conditionalItems } from './conditional-items';
import { firstOf } from './first-of';
import { readUserData } from './user-data';

/** `AWS::EC2::LaunchTemplate`. */
export class Ec2LaunchTemplate extends CloudFormationResource implements LaunchTemplate {
  readonly kind = 'launch-template';

  private get data(): Block {
    return this.properties.block('LaunchTemplateData');
  }

  get name(): Value<string> {
    return this.properties.string('LaunchTemplateName');
  }

  get imageId(): Value<Image> {
    return flatMapValue(this.data.string('ImageId'), readImage);
  }

  get instanceType(): Value<string> {
    return this.data.string('InstanceType');
  }

  get metadata(): MetadataOptions {
    return new LaunchTemplateMetadata(this.data.block('MetadataOptions'));
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

  get hibernation(): Value<true> {
    return mapValue(this.data.item('HibernationOptions'), () => true);
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
    return readBlockDevices(this.data, this.evaluator);
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
function bothLists(first: Value<readonly Value<string>[]>, second: () => Value<readonly Value<string>[]>): Value<readonly Value<string>[]> {
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
export class LaunchTemplateMetadata implements MetadataOptions {
  constructor(private readonly options: Block) {}

  get httpTokens(): Value<string> {
    return this.options.string('HttpTokens');
  }

  get hopLimit(): Value<number | string> {
    return this.options.number('HttpPutResponseHopLimit');
  }

  get httpEndpoint(): Value<string> {
    return this.options.string('HttpEndpoint');
  }

  get instanceTags(): Value<string> {
    return this.options.string('InstanceMetadataTags');
  }
}

/** Which family an image of a public SSM parameter belongs to. Source: EKS User Guide, "Retrieve recommended AMI IDs". */
const FAMILIES: readonly (readonly [RegExp, AmiFamily])[] = [
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2023\//, 'AL2023'],
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2(?:-[^/]+)?\//, 'AL2'],
  [/^\/aws\/service\/bottlerocket\//, 'BOTTLEROCKET'],
  [/^\/aws\/service\/ami-windows-latest\/[^/]*EKS_Optimized/, 'WINDOWS'],
];

/** Text that EC2 itself looks up, or that CloudFormation does, with the path of the SSM parameter in it. */
const SSM_LOOKUP = /^(?:resolve:ssm:|\{\{resolve:ssm:)((?:\$\{[^}]*\}|[^:}])+)/;

/** The image that a text names. */
export function readImage(plain: Plain<string>): Plain<Image> {
  if (plain.kind === 'absent') return plain;
  if (plain instanceof SsmParameterValue) return new Known(imageAt(plain.parameterPath), plain.source);
  const text = plain.kind === 'known' ? plain.value : plain.text;
  const path = text === undefined ? undefined : SSM_LOOKUP.exec(text)?.[1];
  if (path !== undefined) return new Known({ ...imageAt(path), ...(text?.startsWith('resolve:') === true ? { resolvedAtLaunch: true } : {}) }, plain.source);
  return plain.kind === 'known' ? new Known({ text: plain.value, family: undefined }, plain.source, plain.note) : plain;
}

function imageAt(path: string): Image {
  return { text: path, family: FAMILIES.find(([pattern]) => pattern.test(path))?.[1] };
}
