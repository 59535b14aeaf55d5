import {
  mergeNodeConfigs,
  readNodeConfig,
  type MergedNodeConfig,
  type NodeConfigReading,
} from '../user-data/node-config';
import type { UserDataDocument, UserDataPart } from '../user-data/document';

/** A NodeConfig of user data, with the part that it stands in. */
interface NodeConfigPart {
  readonly part: UserDataPart;
  readonly reading: NodeConfigReading;
}

/** All that nodeadm takes from user data. */
export interface NodeConfigs {
  /** In order. */
  readonly parts: readonly [NodeConfigPart, ...NodeConfigPart[]];
  readonly merged: MergedNodeConfig;
}

/**
 * The NodeConfigs that nodeadm finds in user data, right or wrong, and what it makes of them together; worked out once. Undefined
 * if there are none, and if the MIME structure ends nodeadm before it gets at them or isn't known.
 */
export function nodeConfigsOf(document: UserDataDocument): NodeConfigs | undefined {
  let found = nodeConfigs.get(document);
  if (found === undefined) {
    found = { configs: read(document) };
    nodeConfigs.set(document, found);
  }
  return found.configs;
}

const nodeConfigs = new WeakMap<UserDataDocument, { readonly configs: NodeConfigs | undefined }>();

function read({ parts, defects, unknownStructure }: UserDataDocument): NodeConfigs | undefined {
  if (unknownStructure !== undefined || defects.some(({ nodeadm }) => nodeadm === 'dies')) return undefined;
  const [first, ...others] = parts
    .filter((part) => part.readByNodeadm)
    .map((part): NodeConfigPart => ({ part, reading: readNodeConfig(part.body) }));
  if (first === undefined) return undefined;
  return { parts: [first, ...others], merged: mergeNodeConfigs([first, ...others].map(({ reading }) => reading)) };
}
