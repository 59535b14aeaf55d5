import { secretsInText } from '../../../lib/front-ends/kubernetes/objects';

/* Texts of Secrets in documents that nobody parses, because nothing else is in them. */

const secret = (...lines: readonly string[]): string => ['apiVersion: v1', 'kind: Secret', ...lines, ''].join('\n');

it.each<[string, string, readonly string[]]>([
  ['in data', secret('data:', '  key: c2VjcmV0', '  other: b3RoZXI='), ['c2VjcmV0', 'b3RoZXI=']],
  ['in stringData', secret('stringData:', '  key: p4ssword'), ['p4ssword']],
  ['in quotes', secret('stringData:', '  a: "p4ss word"', "  b: 'it: 7'"), ['p4ss word', 'it: 7']],
  ['with signs of keys in them', secret('stringData:', '  a: b: c7'), ['b: c7']],
  ['with quoted keys', secret('"data":', '  "a": c2VjcmV0').replace('kind:', '"kind" :'), ['c2VjcmV0']],
  ['of a kind in quotes', secret('data:', '  a: c2VjcmV0').replace('Secret', '"Secret"'), ['c2VjcmV0']],
  ['of a kind behind several spaces', secret('data:', '  a: c2VjcmV0').replace(': Secret', ':   Secret'), ['c2VjcmV0']],
  ['of a kind with a tag', secret('data:', '  a: c2VjcmV0').replace('Secret', '!!str Secret'), ['c2VjcmV0']],
  ['of an indented document', secret('data:', '  a: c2VjcmV0').replaceAll(/^/gm, '  '), ['c2VjcmV0']],
  ['in brackets', '{"apiVersion": "v1", "kind": "Secret", "data": {"a": "c2VjcmV0", "b": "words"}}', ['c2VjcmV0']],
  [
    'over several lines',
    secret('stringData:', '  a: |', '    first l1ne', '    second l1ne'),
    ['first l1ne', 'second l1ne'],
  ],
  [
    'behind something else',
    secret('type: Opaque', 'data:', '  a: c2VjcmV0', 'metadata:', '  name: n4me'),
    ['c2VjcmV0'],
  ],
])('%s are found', (_, text, found) => {
  expect(secretsInText(text)).toEqual(found);
});

it.each([
  [
    'plain words and addresses',
    secret('stringData:', '  a: words', '  b: https://example.com/x?y=1', '  c: ""', '  d:'),
  ],
  ['what other kinds have', secret('data:', '  a: c2VjcmV0').replace('Secret', 'ConfigMap')],
  ['what kinds have that begin likewise', secret('data:', '  a: c2VjcmV0').replace('Secret', 'SecretStore')],
  ['what stands beside the data', secret('metadata:', '  name: n4me', 'type: Opaque7')],
  ['what merely names them', 'kind: ConfigMap\ndata:\n  kinds: Secrets of 7\n'],
])('%s are none', (_, text) => {
  expect(secretsInText(text)).toEqual([]);
});
