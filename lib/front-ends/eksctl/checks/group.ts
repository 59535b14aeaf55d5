import type { ConfigNode } from '../config-node';

/** A group of a file, as the checks look at it. */
export interface Group {
  /** Its item of the list. */
  readonly node: ConfigNode;
  /** In quotes, for messages. */
  readonly name: string;
  readonly isManaged: boolean;
  /** Undefined where it isn't known. */
  readonly family: string | undefined;
}
