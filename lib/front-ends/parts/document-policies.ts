import type { PolicyDocument } from '../../eks';
import { Absent, always, Known, Unknown, type Plain, type Source, type Value } from '../../value';
import type { DocumentNode } from './document-node';
import { PolicyDocumentReader, type PolicyEntry, type PolicyValues } from './policy-document';

/**
 * The reader of policy documents among the nodes of a document, which are maps there or texts of JSON.
 * @param parsed the root of a text that is a document; undefined if it is none
 */
export function documentPolicies<N extends DocumentNode<N>>(
  parsed: (text: string, node: N) => N | undefined,
): (node: N) => Value<PolicyDocument> {
  const valueOf = (node: N): Plain<N> => (node.isWritten ? new Known(node, node) : new Absent(node.place));
  const values: PolicyValues<N> = {
    isMap: ({ value }) => value.isMap,
    entry: (map, key) => valueOf(map.value.child(key)),
    entries: ({ value }) =>
      value.keys.map((key): PolicyEntry<N> => {
        const child = value.child(key);
        return { key, value: valueOf(child), source: child };
      }),
    items: ({ value }) => (value.isList ? new Known(value.items.map(valueOf), value) : undefined),
    text: (value) =>
      value.kind === 'known'
        ? value.value.text
        : value.kind === 'choice'
          ? new Unknown('it has alternatives', value.alternatives[0]?.value.source as Source)
          : value,
    parsed: (value) => {
      if (value.kind !== 'known' || typeof value.value.raw !== 'string') return value;
      const { text } = value.value;
      if (text.kind === 'unknown') return text;
      const root = parsed(value.value.raw, value.value);
      return root === undefined
        ? new Unknown('it is a text that is no policy document', value.source)
        : new Known(root, value.source);
    },
    combine: (all) => [{ when: always, values: all.filter((value) => value.kind !== 'choice') }],
  };
  const reader = new PolicyDocumentReader(values);
  return (node) => reader.document(valueOf(node));
}
