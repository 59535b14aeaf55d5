import type { BlockDevice, Image, LaunchTemplate, MetadataOptions, NetworkInterface, UserData } from '../../../eks';
import { Absent, sourceOf, type Value } from '../../../value';
import { firstOf } from '../../../value/first-of';
import { readImage } from './image';
import { LaunchTemplateMetadata } from './launch-template';
import { groupReferences } from './security-group-peers';
import { TerraformResource } from './terraform-resource';
import { readEncodedUserData, readPlainUserData } from './user-data';

/** `aws_launch_configuration`: says of an Auto Scaling group's instances what a launch template would, and less. */
export class LaunchConfiguration extends TerraformResource implements LaunchTemplate {
  readonly kind = 'launch-template';
  /** Only the Auto Scaling group puts tags on its instances. */
  readonly instanceTagKeys: readonly Value<string>[] = [];
  readonly networkInterfaces: readonly NetworkInterface[] = [];

  get name(): Value<string> {
    return this.attributes.text('name');
  }

  get imageId(): Value<Image> {
    return readImage(this.attributes.raw('image_id'), this.scope);
  }

  get instanceType(): Value<string> {
    return this.attributes.text('instance_type');
  }

  get metadata(): MetadataOptions {
    return new LaunchTemplateMetadata(this.attributes.block('metadata_options'));
  }

  get userData(): Value<UserData> {
    const encoded = readEncodedUserData(this.attributes.raw('user_data_base64'), this.registry);
    return firstOf(encoded, () => readPlainUserData(this.attributes.raw('user_data'), this.registry));
  }

  get instanceProfile(): Value<string> {
    return this.attributes.text('iam_instance_profile');
  }

  get shutdownBehavior(): Value<string> {
    return this.never;
  }

  get hibernation(): Value<boolean> {
    return this.never;
  }

  get instanceRequirements(): Value<true> {
    return this.never;
  }

  /** A spot price is no market type: node groups don't know it. */
  get marketType(): Value<string> {
    return this.never;
  }

  get keyName(): Value<string> {
    return this.attributes.text('key_name');
  }

  get securityGroups(): Value<readonly Value<string>[]> {
    return groupReferences(this.attributes.texts('security_groups'), this.scope);
  }

  /** The root volume is described without its name: what it is called is the image's business. */
  get blockDevices(): readonly BlockDevice[] {
    return this.attributes.allBlocks('ebs_block_device').map(
      (block): BlockDevice => ({
        name: block.text('device_name'),
        size: block.amount('volume_size'),
        source: sourceOf(block.value),
      }),
    );
  }

  /** What only launch templates can say. */
  private get never(): Absent {
    return new Absent(this.source);
  }
}
