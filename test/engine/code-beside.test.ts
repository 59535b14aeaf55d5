import { withBesides } from '../../lib/engine/code-beside';
import type { ChangeBeside } from '../../lib/engine/rule';

/* Changes beside a fix are told once for all places that get the same. */

const joined = (code: string | undefined, parts: readonly string[]): string | undefined =>
  withBesides(
    code,
    parts.map((part) => ({ code: part }) as unknown as ChangeBeside),
    (beside) => beside.code as unknown as string,
  );

it.each([
  [
    'resources of a template',
    [
      '# in the Properties of A:\nVersion: 2',
      '# in the Properties of Cni:\nAddonVersion: v1',
      '# in the Properties of B:\nVersion: 2',
    ],
    '# in the Properties of A and B:\nVersion: 2\n# in the Properties of Cni:\nAddonVersion: v1',
  ],
  [
    'those of a template in JSON',
    ['In the Properties of A:\n"V": 2', 'In the Properties of B:\n"V": 2'],
    'In the Properties of A and B:\n"V": 2',
  ],
  [
    'groups of a ClusterConfig',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `# in the group "${name}":\nx: 1`),
    '# in the group "a", "b", "c", "d", "e", "f", "g" and "h":\nx: 1',
  ],
  ['constructs', ['// in Stack/A:\nx: 1,', '// in Stack/B:\nx: 1,'], '// in Stack/A and Stack/B:\nx: 1,'],
  [
    'one place',
    ['# in the Properties of A:\nx: 1', '# in the Properties of A:\nx: 1'],
    '# in the Properties of A:\nx: 1',
  ],
  [
    'not lines of files, nor what differs in more than a name',
    ['# main.tf:1, a:\nx = 1', '# main.tf:9, b:\nx = 1', '# in the add-on "a":\nx: 1', '# in the group "a":\nx: 1'],
    '# main.tf:1, a:\nx = 1\n# main.tf:9, b:\nx = 1\n# in the add-on "a":\nx: 1\n# in the group "a":\nx: 1',
  ],
])('%s', (_, parts, expected) => {
  expect(joined('own', parts)).toBe(`own\n${expected}`);
  expect(joined(undefined, parts)).toBe(expected);
});
