import type {
  BlockDevice,
  Image,
  LaunchTemplate,
  MetadataOptions,
  NetworkInterface,
  Reference,
  Role,
  UserData,
} from '../../../eks';
import { Absent, sourceOf, type EditingFacts, type Value } from '../../../value';
import { firstOf } from '../../../value/first-of';
import { readImage } from './image';
import { roleOfProfile } from './instance-profile';
import { LaunchTemplateMetadata, MetadataEditing } from './launch-template';
import { LAUNCH_CONFIGURATION } from '../../../eks/resources/launch-template';
import { byTable } from './by-table';
import { readEncodedUserData, readPlainUserData } from './user-data';

/** `aws_launch_configuration`: says of an Auto Scaling group's instances what a launch template would, and less. */
export class LaunchConfiguration extends byTable(LAUNCH_CONFIGURATION) implements LaunchTemplate {
  readonly kind = 'launch-template';
  /** Only the Auto Scaling group puts tags on its instances. */
  readonly instanceTagKeys: readonly Value<string>[] = [];
  readonly networkInterfaces: readonly NetworkInterface[] = [];

  override get editing(): EditingFacts {
    return new MetadataEditing(this.instance, this.attributes.block('metadata_options'));
  }

  get imageId(): Value<Image> {
    return readImage(this.attributes.raw('image_id'), this.scope);
  }

  get metadata(): MetadataOptions {
    return new LaunchTemplateMetadata(this.attributes.block('metadata_options'));
  }

  get userData(): Value<UserData> {
    const encoded = readEncodedUserData(this.attributes.raw('user_data_base64'), this.registry);
    return firstOf(encoded, () => readPlainUserData(this.attributes.raw('user_data'), this.registry));
  }

  get instanceRole(): Value<Reference<Role>> {
    return roleOfProfile(this.attributes.raw('iam_instance_profile'), this.scope);
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
