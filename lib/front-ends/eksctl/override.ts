import { parseEmbedded } from '../../value/embedded-text';
import { isDataMap } from '../../value';
import type { ConfigNode } from './config-node';

/**
 * What `overrideBootstrapCommand` of an AL2023 group is: a NodeConfig, or something that eksctl can't parse as one, of which it says so when it
 * builds the stack of the group. Source: nodebootstrap/al2023.go, stringToNodeConfig.
 */
export function parsedOverride(node: ConfigNode): 'node-config' | 'none' | { readonly problem: string } {
  const { script } = node;
  if (script.kind === 'absent') return 'none';
  if (script.kind === 'unknown') return { problem: 'it is no text' };
  if (/^\s*MIME-Version:/i.test(script.value)) return { problem: 'it is a MIME document' };
  if (script.value.trimStart().startsWith('#!')) return { problem: 'it is a script' };
  const parsed = parseEmbedded(script);
  if (parsed.kind !== 'parsed') return { problem: 'it is no YAML' };
  return isDataMap(parsed.data) ? 'node-config' : { problem: 'it is plain text' };
}
