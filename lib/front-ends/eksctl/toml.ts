import type { TextPiece } from '../../eks/user-data/source-text';
import type { ConfigNode } from './config-node';

/**
 * Settings of Bottlerocket as TOML, each at its place. eksctl quotes keys that hold dots.
 * @param options `hasHead`: the head of the table stands already; `without`: keys that are written elsewhere
 */
export function tomlOf(
  path: readonly string[],
  node: ConfigNode,
  { hasHead = false, without = [] }: { readonly hasHead?: boolean; readonly without?: readonly string[] } = {},
): readonly TextPiece[] {
  const keys = node.keys.filter((key) => !without.includes(key));
  const plain = keys.filter((key) => !isTable(node.child(key)));
  const tables = keys.filter((key) => isTable(node.child(key)));
  const head = !hasHead && plain.length > 0 ? [piece(`[${path.map(keyText).join('.')}]\n`, node)] : [];
  return [
    ...head,
    ...plain.map((key) => piece(`${keyText(key)} = ${valueText(node.child(key).raw)}\n`, node.child(key))),
    ...tables.flatMap((key) => tomlOf([...path, key], node.child(key))),
  ];
}

function piece(text: string, node: ConfigNode): TextPiece {
  return { text, sourceAt: () => node };
}

function isTable({ raw }: ConfigNode): boolean {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function valueText(raw: unknown): string {
  if (Array.isArray(raw)) return `[${raw.map(valueText).join(', ')}]`;
  if (typeof raw === 'object' && raw !== null)
    return `{ ${Object.entries(raw)
      .map(([key, value]) => `${keyText(key)} = ${valueText(value)}`)
      .join(', ')} }`;
  return JSON.stringify(raw ?? '');
}
