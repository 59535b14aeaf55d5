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
import { Absent, flatMapValue, type Value } from '../../../value';
import { LAUNCH_CONFIGURATION } from '../../../eks/resources/launch-template';
import { byTable } from './by-table';
import { roleOfProfile } from './instance-profile';
import { readMetadataOptions, readBlockDevices, readImage } from './launch-template';
import { readUserData } from './user-data';

/** `AWS::AutoScaling::LaunchConfiguration`: says of an Auto Scaling group's instances what a launch template would, and less. */
export class LaunchConfiguration extends byTable(LAUNCH_CONFIGURATION) implements LaunchTemplate {
  readonly kind = 'launch-template';
  /** Only the Auto Scaling group puts tags on its instances. */
  readonly instanceTagKeys: readonly Value<string>[] = [];
  readonly networkInterfaces: readonly NetworkInterface[] = [];

  get imageId(): Value<Image> {
    return flatMapValue(this.properties.string('ImageId'), readImage);
  }

  get metadata(): MetadataOptions {
    return readMetadataOptions(this.properties.block('MetadataOptions'));
  }

  get userData(): Value<UserData> {
    return readUserData(this.properties.item('UserData'));
  }

  get instanceRole(): Value<Reference<Role>> {
    return roleOfProfile(this.instanceProfile, this.template);
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

  get blockDevices(): readonly BlockDevice[] {
    return readBlockDevices(this.properties, this.evaluator);
  }

  /** What only launch templates can say. */
  private get never(): Absent {
    return new Absent(this.cursor);
  }
}
