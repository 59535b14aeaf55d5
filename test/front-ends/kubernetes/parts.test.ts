import { DocumentsFile } from '../../../lib/fixes/documents-file';
import { environmentsOf } from '../../../lib/front-ends/kubernetes/environments';
import { codeInManifest } from '../../../lib/front-ends/kubernetes/fix-code';
import { isMountedConfigMap } from '../../../lib/eks';
import { imageAfter } from '../../../lib/front-ends/kubernetes/kustomization';
import { Kustomizations } from '../../../lib/front-ends/kubernetes/kustomizations';
import { identityOf, objectsOfDocument } from '../../../lib/front-ends/kubernetes/objects';
import { isForUpgradeAlone, isRelevant } from '../../../lib/front-ends/kubernetes/relevant';
import { ignoresInDocument } from '../../../lib/front-ends/kubernetes/comments';
import { MANIFEST_SETTINGS } from '../../../lib/front-ends/kubernetes/settings';
import { dataOf } from '../../../lib/front-ends/kubernetes/object-data';
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
    expect(isRelevant(pod, false)).toBe(true);
    expect(isRelevant({ ...pod, spec: { containers: [{ name: 'a' }] } }, false)).toBe(false);
    expect(isRelevant({ ...pod, spec: {} }, false)).toBe(false);
    const place = { locate: () => ({ file: 'a', line: 1, column: 1 }) };
    expect(isRelevant({ ...pod, spec: { containers: new Unknown('a', place) } }, false)).toBe(true);
    expect(isRelevant({ ...pod, spec: new Unknown('a', place) }, false)).toBe(true);
    expect(isRelevant({ ...pod, kind: 'Secret' }, false)).toBe(false);
    const hooked = (hook: string): Data => ({ ...pod, metadata: { annotations: { 'helm.sh/hook': hook } } });
    expect(isRelevant(hooked('pre-install, test-success'), true)).toBe(false);
    expect(isRelevant(hooked('pre-install'), true)).toBe(true);
    // What Helm hasn't rendered is applied like any other, and so is what no test runs.
    expect(isRelevant(hooked('test'), false)).toBe(true);
    const nodeClass = { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', spec: { role: 'a' } };
    expect(isRelevant({ ...nodeClass, metadata: { annotations: { 'helm.sh/hook': 'test' } } }, true)).toBe(true);
    expect(isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'amazon-vpc-cni' } }, false)).toBe(true);
    expect(isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } }, false)).toBe(false);
    expect(
      isRelevant({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: new Unknown('a', place) } }, false),
    ).toBe(true);
    const old = { apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'a' } };
    expect([isRelevant(old, false), isForUpgradeAlone(old)]).toEqual([true, true]);
    expect([
      isRelevant({ ...old, apiVersion: 'networking.k8s.io/v1' }, false),
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
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const whatChanges = (text: string, others: Readonly<Record<string, string | null>> = {}) => {
    const all = new Kustomizations();
    all.add(
      'k/kustomization.yaml',
      `${text}\n${text.includes(':') ? 'resources: [r.yaml, "https://example.com/x"]\n' : ''}`,
    );
    const effects = all.effects([], (path) => others[path]);
    return [[...all.patches().keys()], effects.changing('k/r.yaml', web).by[0]?.title];
  };
  const WEB_PART = 'kind: Deployment\nmetadata: {name: web}\n';

  it.each([
    ['patches: [{path: p.yaml}]', ['k/p.yaml'], {}],
    ['patches: [{path: p.yaml}]', ['k/p.yaml'], { 'k/p.yaml': WEB_PART }],
    ['patches: [{path: p.yaml, target: {kind: Deploy.*}}]', ['k/p.yaml'], {}],
    ['patches: [{patch: "- op: remove"}]', [], {}],
    ['patches: [{patch: "a", target: {name: "(("}}]', [], {}],
    ['patchesJson6902: [{path: p.yaml, target: {kind: Deployment, name: web}}]', ['k/p.yaml'], {}],
    [`patchesStrategicMerge: [p.yaml, ${JSON.stringify(WEB_PART)}]`, ['k/p.yaml'], { 'k/p.yaml': null }],
    ['replicas: [{name: web, count: 3}]', [], {}],
    ['namePrefix: a-', [], {}],
    ['components: [../c]', [], {}],
  ])('with %s change an object', (text, files, others) => {
    expect(whatChanges(text, others)).toEqual([files, 'k']);
  });

  it.each([
    ['patches: [{path: p.yaml}]', { 'k/p.yaml': WEB_PART.replace('web', 'api') }],
    ['patches: [{path: p.yaml}]', { 'k/p.yaml': WEB_PART.replace('Deployment', 'StatefulSet') }],
    ['patches: [{path: p.yaml}]', { 'k/p.yaml': null }],
    ['patches: [{path: p.yaml, target: {kind: Deploy}}]', {}],
    ['patches: [{path: p.yaml, target: {name: we}}]', {}],
    ['replicas: [{name: api, count: 3}]', {}],
    ['images: [{name: web, newTag: "2"}]', {}],
    ['namePrefix: ""', {}],
    ['namespace: a\ncommonLabels: {a: b}', {}],
    ['a text', {}],
  ])('with %s and %j leave it as it is', (text, others) => {
    expect(whatChanges(text, others)[1]).toBeUndefined();
  });

  it.each([
    ['web', 'web:2'],
    ['web:1', 'web:2'],
    ['web@sha256:00', 'web:2'],
    ['docker.io/web:1', 'docker.io/web:1'],
    ['host:5000/api:1', 'r/api:1'],
    ['job:1', 'job@sha256:ab'],
    ['db', 'db'],
  ])('write image %s as %s', (image, after) => {
    const changes = [
      { name: 'web', newName: undefined, newTag: '2', digest: undefined },
      { name: 'host:5000/api', newName: 'r/api', newTag: undefined, digest: undefined },
      { name: 'job', newName: undefined, newTag: undefined, digest: 'sha256:ab' },
    ];
    expect(imageAfter(image, changes)).toBe(after);
  });
});

it.each([
  ['kube-proxy-config', true],
  ['kube-proxy-config-2c5k9t8hgm', true],
  ['kube-proxy-config-production', false],
  ['other-2c5k9t8hgm', false],
])('a ConfigMap %s is the one that is mounted as kube-proxy-config: %s', (name, is) => {
  expect(isMountedConfigMap({ kind: 'ConfigMap', metadata: { name } }, 'kube-proxy-config')).toBe(is);
});

describe('work', () => {
  it('is done once for what aliases share', () => {
    const [{ node } = { node: undefined }] = objectsIn('{apiVersion: v1, kind: Pod}');
    if (node === undefined) throw new Error('no object');
    let reads = 0;
    const last = Object.defineProperty({}, 'a', { enumerable: true, get: () => `\${X} ${++reads}` });
    const shared = Array.from({ length: 18 }).reduce<unknown>((inner) => ({ one: inner, other: [inner] }), last);
    const data = dataOf({ shared, again: shared }, node) as Readonly<Record<string, unknown>>;
    expect(data['again']).toBe(data['shared']);
    expect(reads).toBeLessThan(5);
  });

  it('finds an object of a list by its name', () => {
    let reads = 0;
    const items = Array.from({ length: 300 }, (_, index) => ({
      kind: 'EC2NodeClass',
      get metadata() {
        reads++;
        return { name: `class-${index}` };
      },
    }));
    const root = { kind: 'List', items };
    for (const index of items.keys())
      expect(MANIFEST_SETTINGS.holderOf?.('EC2NodeClass', `EC2NodeClass/class-${index}`, root)).toEqual([
        'items',
        String(index),
      ]);
    expect(reads).toBeLessThan(5 * items.length);
  });

  it('finds the document of an object by its name, and asks once who writes the file', () => {
    const count = 120;
    const text = Array.from(
      { length: count },
      (_, index) => `apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: class-${index}}\n`,
    ).join('---\n');
    let [held, asked] = [0, 0];
    const file = DocumentsFile.read(text, 'a.yaml', {
      ...MANIFEST_SETTINGS,
      holderOf: (...args) => (held++, MANIFEST_SETTINGS.holderOf?.(...args)),
      whyGenerated: () => (asked++, undefined),
    });
    for (let index = 0; index < count; index++) {
      expect(file.whyNotDeclared()).toBeUndefined();
      const field = 'metadata.httpTokens';
      const plan = file.repair(
        'EC2NodeClass',
        `EC2NodeClass/class-${index}`,
        { kind: 'set', field, to: 'required' },
        undefined,
      );
      expect(plan).toHaveProperty('edits');
    }
    expect(held).toBe(count);
    expect(asked).toBe(1);
  });
});
