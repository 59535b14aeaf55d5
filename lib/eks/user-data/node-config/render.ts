import { yaml } from '../../../text/lazy-parsers';
import { NODE_CONFIG_API_VERSION, NODE_CONFIG_KIND, type NodeConfigSpec } from './types';

/** Text written without quotes: a number or boolean that is decided at deployment. */
export class PlainText {
  constructor(readonly text: string) {}
}

/**
 * Writes a NodeConfig as YAML. All strings are quoted: a cluster named `123` stays a string, whatever is filled in later.
 */
export function renderNodeConfig(spec: NodeConfigSpec): string {
  const { Document } = yaml();
  const document = new Document(
    toNodes({ apiVersion: NODE_CONFIG_API_VERSION, kind: NODE_CONFIG_KIND, spec }),
    // nodeadm reads YAML 1.1, in which keys such as `on` and `N` are truth values unless they are quoted.
    { aliasDuplicateObjects: false, version: '1.1' },
  );
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

function toNodes(value: unknown): unknown {
  if (value instanceof PlainText) {
    const { Scalar } = yaml();
    const scalar = new Scalar(value.text);
    scalar.type = 'PLAIN';
    return scalar;
  }
  if (Array.isArray(value)) return value.map(toNodes);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, toNodes(item)]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
