import type { Block } from '../../../cloudformation/block';
import { CloudFormationResource } from './cloudformation-resource';

/** A resource that has its settings where a table says. */
export abstract class ResourceByTable extends CloudFormationResource {
  declare private settingsMemo: Block | undefined;

  protected get rootKey(): string | undefined {
    return undefined;
  }

  /** What holds the settings. Kept like the properties. */
  protected get settings(): Block {
    const { rootKey } = this;
    return rootKey === undefined ? this.properties : (this.settingsMemo ??= this.properties.block(rootKey));
  }
}
