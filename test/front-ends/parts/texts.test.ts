import { clusterInTag, isClusterOwner } from '../../../lib/front-ends/parts/cluster-tag';
import { oddKey, untilOf } from '../../../lib/front-ends/parts/decision-keys';
import { imageAt, imageFrom } from '../../../lib/front-ends/parts/image';
import { roleName } from '../../../lib/eks';
import { referenceFrom } from '../../../lib/front-ends/parts/references';
import { someNames } from '../../../lib/front-ends/parts/some-names';
import { compose } from '../../../lib/value/composed-text';
import { Absent, Known, nowhere, Unknown, type Plain } from '../../../lib/value';
import { show } from '../cloudformation/reading';

const known = (text: string, note?: string) => new Known(text, nowhere, note);
const unknown = (text?: string) => new Unknown('a variable', nowhere, text);
const joined = (...parts: readonly (string | Unknown)[]): Plain<string> =>
  compose(
    parts.map((part) => (typeof part === 'string' ? known(part) : part)),
    nowhere,
  );

describe("the tag of a cluster's node", () => {
  it.each([
    ['owned', true],
    ['shared', true],
    ['', false],
    ['Owned', false],
  ])('with the value %j makes an instance a node: %s', (value, expected) => {
    expect(isClusterOwner(known(value))).toBe(expected);
  });

  it('may make it one where the value is not known, and not where there is none', () => {
    expect(isClusterOwner(unknown())).toBe(true);
    expect(isClusterOwner(new Absent(nowhere))).toBe(false);
  });

  it.each<[Plain<string>, unknown]>([
    [known('kubernetes.io/cluster/main'), 'main'],
    [known('kubernetes.io/cluster/'), undefined],
    [known('x/kubernetes.io/cluster/main'), undefined],
    [known('Name'), undefined],
    [unknown('${var.key}'), undefined],
    [new Absent(nowhere), undefined],
    [joined('kubernetes.io/cluster/', unknown('${var.name}')), '?${var.name}'],
    [joined('kubernetes.io/cluster/a-', unknown('${var.name}'), '-b'), '?a-${var.name}-b'],
    [joined('kubernetes.io/', unknown('${var.key}')), undefined],
    [joined(unknown('${var.prefix}'), 'kubernetes.io/cluster/main'), undefined],
  ])('%# names the cluster', (key, expected) => {
    const name = clusterInTag(key);
    expect(name === undefined ? undefined : show(name)).toBe(expected);
  });

  it('tells where the name comes from', () => {
    expect(clusterInTag(known('kubernetes.io/cluster/main', 'a default'))).toMatchObject({ note: 'a default' });
  });
});

describe('a decision', () => {
  it('has no keys that nobody reads', () => {
    expect(oddKey({ rule: 'a', until: 'b' }, ['rule', 'reason', 'until'])).toBeUndefined();
    expect(oddKey({}, ['rule'])).toBeUndefined();
    expect(oddKey({ rule: 'a', reasn: 'b', x: 1 }, ['rule', 'reason'])).toEqual({
      key: 'reasn',
      problem: 'there is no key "reasn" here; did you mean "reason"?',
    });
    expect(oddKey({ whatever: 1 }, ['rule', 'reason'])).toEqual({
      key: 'whatever',
      problem: 'there is no key "whatever" here; the keys are rule, reason',
    });
    expect(oddKey({ ['x'.repeat(80)]: 1 }, ['rule'])?.problem).toBe(
      `there is no key "${'x'.repeat(60)}" here; the keys are rule`,
    );
  });

  it('ends when it says, whatever that is', () => {
    expect([untilOf(undefined), untilOf('2030-01-01'), untilOf(5), untilOf(null), untilOf(['a'])]).toEqual([
      {},
      { until: '2030-01-01' },
      { until: '5' },
      { until: 'null' },
      { until: '["a"]' },
    ]);
  });
});

describe('an image', () => {
  const read = (plain: Plain<string>) => {
    const image = imageFrom(plain);
    if (image.kind !== 'known') return show(image);
    const { text, isPublished, resolvedAtLaunch } = image.value;
    return [text, isPublished, resolvedAtLaunch];
  };
  const PATH = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id';

  it.each<[Plain<string>, unknown]>([
    [known('ami-0a'), ['ami-0a', undefined, undefined]],
    [known(`resolve:ssm:${PATH}`), [PATH, true, true]],
    [known(`resolve:ssm:${PATH}:2`), [PATH, true, true]],
    [known(`{{resolve:ssm:${PATH}}}`), [PATH, true, undefined]],
    [known('resolve:ssm:/mine/ami'), ['/mine/ami', undefined, true]],
    [unknown('resolve:ssm:/mine/${var.name}/ami'), ['/mine/${var.name}/ami', undefined, true]],
    [known('x resolve:ssm:/mine'), ['x resolve:ssm:/mine', undefined, undefined]],
    [unknown('${var.ami}'), '?${var.ami}'],
    [unknown(), '? a variable'],
    [new Absent(nowhere), 'absent'],
  ])('%#', (plain, expected) => {
    expect(read(plain)).toEqual(expected);
  });

  it('of a parameter is what AWS publishes only below its own path', () => {
    expect(imageAt(PATH)).toMatchObject({ text: PATH, isPublished: true });
    expect(imageAt(`/mine${PATH}`)).not.toHaveProperty('isPublished');
  });
});

describe('a role', () => {
  it.each([
    ['arn:aws:iam::111122223333:role/nodes', 'nodes'],
    ['arn:aws:iam::111122223333:role/a/b/nodes', 'nodes'],
    ['arn:aws:iam::${AWS::AccountId}:role/nodes', 'nodes'],
    ['arn:aws:iam::111122223333:role/${Name}', undefined],
    ['arn:aws:iam::111122223333:user/nodes', undefined],
    ['nodes', 'nodes'],
    ['a-${Name}', undefined],
  ])('%s has the name %s', (text, expected) => {
    expect(roleName(text)).toBe(expected);
  });
});

describe('names of which some are told', () => {
  it.each([
    [1, 'p1'],
    [5, 'p1, p2, p3, p4, p5'],
    [6, 'p1, p2, p3, p4, p5 and 1 more'],
    [12, 'p1, p2, p3, p4, p5 and 7 more'],
  ])('are, of %i, %s', (count, text) => {
    expect(someNames(Array.from({ length: count }, (_, index) => `p${index + 1}`))).toBe(text);
  });
});

describe('a reference', () => {
  const cluster = { kind: 'cluster', id: 'Cluster' } as never;
  const byName = (text: string) => (text === 'main' ? cluster : undefined);
  const to = (plain: Plain<string>) => {
    const found = referenceFrom(plain, 'cluster', byName);
    return found.kind === 'known' ? [found.value.text, found.value.target] : show(found);
  };
  const refers = (resource: object) => new Unknown('an id', nowhere, '${x}', undefined, { resource, attribute: 'Ref' });

  it('is to what it names, by its id or its text', () => {
    expect(to(known('main'))).toEqual(['main', cluster]);
    expect(to(known('other'))).toEqual(['other', undefined]);
    expect(to(refers(cluster))).toEqual(['Cluster', cluster]);
    expect(to(refers({ kind: 'role', id: 'Role' }))).toBe('?${x}');
    expect(to(unknown('main'))).toEqual(['Cluster', cluster]);
    expect(to(unknown())).toBe('? a variable');
    expect(to(new Absent(nowhere))).toBe('absent');
    expect(show(referenceFrom(unknown('main'), 'cluster'))).toBe('?main');
  });
});
