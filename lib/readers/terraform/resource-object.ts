import type { Source } from '../../value';
import type { TerraformInstance } from './instance';
import { TerraformMap, type TerraformValue } from './value';

const NO_ENTRIES: ReadonlyMap<string, TerraformValue> = new Map();

/**
 * An instance of a resource or data source as expressions see it. What is written of it is read from the instance when somebody asks; any
 * other attribute is known only after apply, and is a reference to the instance.
 */
export class ResourceObject extends TerraformMap {
  constructor(
    readonly instance: TerraformInstance,
    readonly source: Source,
  ) {
    super(NO_ENTRIES);
  }
}
