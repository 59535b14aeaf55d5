import { environmentsOf } from '../../../lib/front-ends/kubernetes/environments';
import { codeInManifest } from '../../../lib/front-ends/kubernetes/fix-code';
import { Kustomizations } from '../../../lib/front-ends/kubernetes/kustomizations';
import { identityOf, objectsOfDocument } from '../../../lib/front-ends/kubernetes/objects';
import { isForUpgradeAlone, isRelevant } from '../../../lib/front-ends/kubernetes/relevant';
import { ignoresInDocument } from '../../../lib/front-ends/kubernetes/comments';
import { parseDocuments } from '../../../lib/languages/parse-document';
import { Unknown, type Data } from '../../../lib/value';

const document = (text: string) => {
  const [first] = parseDocuments(text, 'a.yaml', 'last for kubectl', 1);
  if (first === undefined) throw new Error('no document');
  return first;
};
const objectsIn = (text: string) => objectsOfDocument(document(text), 'a.yaml');

describe('objects', () => {
  const names = (text: string) =>
    objectsIn(text).map(({ object }) => [object['apiVersion'], object['kind'], object['a']]);

  it('have a version and a kind, those of a list from the list', () => {
    expect(names('{apiVersion: v1, kind: Pod, a: 1}')).toEqual([['v1', 'Pod', 1]]);
    expect(names('{apiVersion: v1, a: 1}')).toEqual([]);
    expect(names('{kind: Pod, a: 1}')).toEqual([]);
    expect(names('{apiVersion: v1, kind: PodList, items: [{a: 1}, {kind: Job, a: 2}]}')).toEqual([
      ['v1', 'Pod', 1],
      ['v1', 'Job', 2],
    ]);
    expect(names('{apiVersion: v1, kind: List, items: [{a: 1}, {apiVersion: v2, kind: Pod, a: 2}]}')).toEqual([
      ['v2', 'Pod', 2],
    ]);
    expect(names('[{apiVersion: v1, kind: Pod, a: 1}, text]')).toEqual([['v1', 'Pod', 1]]);
    expect(names('{apiVersion: v1, kind: PodList, items: text}')).toEqual([['v1', 'PodList', undefined]]);
  });

  it('are where they are written, and tell their settings by the path within them', () => {
    const [, second] = objectsIn(
      'apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: v1, kind: Pod}\n  - apiVersion: v1\n    kind: Pod\n    spec:\n      a: 1\n',
    );
    expect(second?.node.locate()).toEqual({ file: 'a.yaml', line: 5, column: 5 });
    expect(second?.node.at('spec', 'a').locate()).toEqual({ file: 'a.yaml', line: 8, column: 7, property: 'spec.a' });
  });

  it('are the same by group, kind, namespace and name', () => {
    const identity = (object: Data) => identityOf(object);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    expect(identity(pod)).toBe(identity({ ...pod, metadata: { name: 'a', namespace: 'default' } }));
    expect(identity(pod)).not.toBe(identity({ ...pod, metadata: { name: 'a', namespace: 'b' } }));
    expect(identity({ ...pod, apiVersion: 'apps/v1' })).toBe(identity({ ...pod, apiVersion: 'apps/v2' }));
    expect(identity({ ...pod, apiVersion: 'apps/v1' })).not.toBe(identity(pod));
    const node = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' } };
    expect(identity(node)).toBe(identity({ ...node, metadata: { name: 'a', namespace: 'b' } }));
    const nameless: readonly Data[] = [{ ...pod, metadata: {} }, { kind: 'Pod', metadata: { name: 'a' } }, 'text'];
    for (const object of nameless) expect(identity(object)).toBeUndefined();
  });

  it('are looked at by rules, or for upgrades alone, or not at all', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ image: 'a' }] } };
    expect(isRelevant(pod)).toBe(true);
    expect(isRelevant({ ...pod, spec: { containers: [{ name: 'a' }] } })).toBe(false);
    expect(isRelevant({ ...pod, spec: {} })).toBe(false);
    const place = { locate: () => ({ file: 'a', line: 1, column: 1 }) };
    expect(isRelevant({ ...pod, spec: { containers: new Unknown('a', place) } })).toBe(true);
    expect(isRelevant({ ...pod, spec: new Unknown('a', place) })).toBe(true);
    expect(isRelevant({ ...pod, kind: 'Secret' })).toBe(false);
    expect(isRelevant({ ...pod, metadata: { annotations: { 'helm.sh/hook': 'pre-install, test-success' } } })).toBe(
      false,
    );
    expect(isRelevant({ ...pod, metadata: { annotations: { 'helm.sh/hook': 'pre-install' } } })).toBe(true);
    expect(isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'amazon-vpc-cni' } })).toBe(true);
    expect(isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } })).toBe(false);
    expect(isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: new Unknown('a', place) } })).toBe(true);
    const old = { apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'a' } };
    expect([isRelevant(old), isForUpgradeAlone(old)]).toEqual([true, true]);
    expect([
      isRelevant({ ...old, apiVersion: 'networking.k8s.io/v1' }),
      isForUpgradeAlone({ ...old, apiVersion: 'networking.k8s.io/v1' }),
    ]).toEqual([false, false]);
    expect([isForUpgradeAlone(pod), isForUpgradeAlone({ apiVersion: 'v1' })]).toEqual([false, false]);
  });
});

describe('environments', () => {
  const placesOf = (...files: readonly (readonly [file: string, ...identities: readonly string[]])[]) => {
    const { all, twice } = environmentsOf(files.map(([file, ...identities]) => ({ file, identities })));
    return [
      all.map(({ place, holders }) => [place, ...holders.map(({ file }) => file)]),
      twice?.map(({ file }) => file),
    ];
  };

  it('are one where no object is there twice', () => {
    expect(placesOf(['a/x', '1'], ['a/b/y', '2', '3'], ['z', '4'])).toEqual([[['.', 'z', 'a/x', 'a/b/y']], undefined]);
    expect(placesOf(['a/b/x', '1', '1'])).toEqual([[['a/b', 'a/b/x']], undefined]);
    expect(placesOf()).toEqual([[], undefined]);
  });

  it('are the folders in which the same object is, and what lies beside them', () => {
    expect(placesOf(['dev/x', '1'], ['prod/x', '1'], ['prod/y', '2'], ['z', '3'])).toEqual([
      [
        ['.', 'z'],
        ['dev', 'dev/x'],
        ['prod', 'prod/x', 'prod/y'],
      ],
      ['dev/x', 'prod/x'],
    ]);
  });

  it('are files where a folder has the same object twice', () => {
    expect(placesOf(['a/x', '1'], ['a/y', '1'], ['a/b/z', '1'])).toEqual([
      [
        ['a/x', 'a/x'],
        ['a/y', 'a/y'],
        ['a/b', 'a/b/z'],
      ],
      ['a/x', 'a/y'],
    ]);
  });
});

describe('code for a template of CloudFormation', () => {
  const values = (data: object) => codeInManifest(`ConfigurationValues: '${JSON.stringify(data)}'`)?.split('\n');

  it('becomes variables of containers', () => {
    expect(values({ env: { A: 1, B: 'b' } })).toEqual([
      'containers:',
      '  - name: aws-node',
      '    env:',
      '      - name: A',
      '        value: "1"',
      '      - name: B',
      '        value: "b"',
    ]);
    expect(values({ env: { A: true }, init: { env: { C: 'c' } } })?.filter((line) => !line.startsWith('    '))).toEqual(
      ['containers:', '  - name: aws-node', 'initContainers:', '  - name: aws-vpc-cni-init'],
    );
  });

  it('is none for a manifest where it is about more', () => {
    expect(values({ env: { A: 1 }, enableNetworkPolicy: true })).toBeUndefined();
    expect(values({ env: {} })).toBeUndefined();
    expect(codeInManifest('ConfigurationValues: \'{"env":{…}}\'')).toBeUndefined();
    expect(codeInManifest('Version: 1')).toBeUndefined();
    expect(codeInManifest('Fn::GetAtt: a')).toBeUndefined();
    expect(codeInManifest('spec:\n  a: 1')).toBe('spec:\n  a: 1');
  });
});

describe('comments', () => {
  const IGNORE = '# eks-guardrails:ignore imds-hop-limit -- so';
  const linesOf = (...lines: readonly string[]) => {
    const { suppressions, diagnostics } = ignoresInDocument(document(`${lines.join('\n')}\n`));
    return [suppressions.length, diagnostics.length];
  };

  it('are decisions at an object, a setting, or an item of a list', () => {
    expect(linesOf(IGNORE, 'apiVersion: v1', 'kind: Pod')).toEqual([1, 0]);
    expect(linesOf('apiVersion: v1', 'spec:', `  ${IGNORE}`, '  a: 1')).toEqual([1, 0]);
    expect(linesOf('kind: List', 'items:', `  ${IGNORE}`, '  - kind: Pod', '    a: 1')).toEqual([1, 0]);
    expect(linesOf('apiVersion: v1', 'kind: Pod')).toEqual([0, 0]);
  });
});

describe('kustomizations', () => {
  const changed = (text: string) => {
    const all = new Kustomizations();
    all.add('k/kustomization.yaml', text);
    return [...all.changedBy()].map(([file, by]) => `${file} by ${by}`);
  };

  it.each([
    ['patches: [{path: p.yaml}, {patch: "a: 1"}]', ['k/p.yaml', 'k/r.yaml']],
    ['patchesJson6902: [{path: p.yaml}]', ['k/p.yaml', 'k/r.yaml']],
    ['patchesStrategicMerge: [p.yaml, "a: 1\\nb: 2"]', ['k/p.yaml', 'k/r.yaml']],
    ['namePrefix: a-', ['k/r.yaml']],
    ['kind: Component', ['k/r.yaml']],
    ['images: []', []],
    ['namePrefix: ""', []],
    ['namespace: a\ncommonLabels: {a: b}', []],
    ['a text', []],
  ])('with %s change files', (text, files) => {
    expect(changed(`${text}\n${text.includes(':') ? 'resources: [r.yaml, "https://example.com/x"]\n' : ''}`)).toEqual(
      files.map((file) => `${file} by k/kustomization.yaml`),
    );
  });
});
