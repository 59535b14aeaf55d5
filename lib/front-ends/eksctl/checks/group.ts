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

/** The places of its instance types; that of one that isn't written, where it names none. */
export function instanceTypesOf({ node, isManaged }: Group): readonly ConfigNode[] {
  const { items } = isManaged ? node.child('instanceTypes') : node.at('instancesDistribution', 'instanceTypes');
  return items.length > 0 ? items : [node.child('instanceType')];
}
