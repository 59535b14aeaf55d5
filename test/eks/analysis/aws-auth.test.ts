import { runs } from '../../share';
import { CLOUDFORMATION } from '../../../lib/front-ends/cloudformation/dialects';
import fc from 'fast-check';
import {
  Absent,
  awsAuthOf,
  always,
  EksModel,
  Known,
  nowhere,
  roleIdentity,
  Unknown,
  type Data,
  type KubernetesManifest,
  type KubernetesPatch,
  type NodeGroup,
  type Plain,
  type Reference,
  type Role,
} from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';

const base = {
  path: undefined,
  frontEnd: 'cloudformation',
  dialect: CLOUDFORMATION,
  source: nowhere,
  suppressions: [],
  exists: always,
} as const;
const absent = new Absent(nowhere);
const CLUSTER = new Known({ text: 'main', target: undefined }, nowhere);

function role(id: string, stack = 'stack', name?: string): Role {
  return {
    ...base,
    kind: 'role',
    type: 'AWS::IAM::Role',
    id,
    stack,
    name: name === undefined ? absent : new Known(name, nowhere),
    trust: absent,
    policies: [],
  };
}

function manifest(object: Data, stack = 'stack'): KubernetesManifest {
  return {
    ...base,
    kind: 'manifest',
    type: 'manifest',
    id: 'Auth',
    stack,
    cluster: CLUSTER,
    environment: { region: undefined, partition: undefined },
    object,
  };
}

function patch(target: string): KubernetesPatch {
  return {
    ...base,
    kind: 'kubernetes-patch',
    type: 'patch',
    id: 'Patch',
    stack: 'stack',
    cluster: CLUSTER,
    target: new Known(target, nowhere),
    namespace: absent,
    patch: {},
  };
}

/** The ConfigMap with this text for `mapRoles`; unknown in parts if it holds `${…}`. */
function configMap(mapRoles: string, metadata: Data = { name: 'aws-auth', namespace: 'kube-system' }): Data {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: {
      mapRoles: mapRoles.includes('${') ? new Unknown('it is decided at deployment', nowhere, mapRoles) : mapRoles,
    },
  };
}

/** Who asks. */
const GROUP = {
  ...base,
  kind: 'fargate-profile',
  type: 'group',
  id: 'Group',
  stack: 'stack',
  cluster: CLUSTER,
  subnets: absent,
  selectors: absent,
} as const;

function authOf(...resources: readonly (KubernetesManifest | KubernetesPatch | Role)[]) {
  // Resources of one stack that call the cluster by one name share a view.
  const model = new EksModel([...resources, GROUP]);
  const view =
    model.clusterViews.find(({ manifests, patches }) => manifests.length + patches.length > 0) ?? model.viewOf(GROUP);
  return awsAuthOf(view, model);
}

const to = (target: Role): Plain<Reference<Role>> => new Known({ text: target.id, target }, nowhere);
const named = (text: string): Plain<Reference<Role>> => new Known({ text, target: undefined }, nowhere);

describe('awsAuthOf', () => {
  const NODES = role('NodeRole', 'stack', 'nodes');
  const list = (arn: string): string => `- rolearn: ${arn}\n  username: system:node\n  groups:\n    - system:nodes\n`;

  it.each([
    ['its ARN attribute', '${NodeRole.Arn}'],
    ['an ARN with a reference', 'arn:aws:iam::111122223333:role/${NodeRole}'],
    ['an ARN with its name', 'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/nodes'],
    ['an ARN with a path', 'arn:aws:iam::111122223333:role/team/nodes'],
  ])('finds a role by %s', (_, arn) => {
    const auth = authOf(NODES, manifest(configMap(list(arn))));
    expect(auth.mappingsOf(GROUP, to(NODES)).map(({ groups }) => groups)).toEqual([['system:nodes']]);
    expect(auth.mappingsOf(GROUP, named('arn:aws:iam::111122223333:role/other'))).toEqual([]);
    expect(auth.unseen).toBeUndefined();
  });

  it('finds a role that the input does not hold by its ARN, in JSON as well', () => {
    const auth = authOf(
      manifest(configMap(JSON.stringify([{ rolearn: 'arn:aws:iam::111122223333:role/nodes', groups: ['a', 1] }]))),
    );
    expect(auth.mappingsOf(GROUP, named('arn:aws:iam::111122223333:role/nodes')).map(({ groups }) => groups)).toEqual([
      ['a'],
    ]);
  });

  it('keeps several mappings of a role in their order', () => {
    const auth = authOf(
      NODES,
      manifest(configMap(`${list('${NodeRole.Arn}')}${list('${NodeRole.Arn}').replace('system:nodes', 'second')}`)),
    );
    expect(auth.mappingsOf(GROUP, to(NODES)).map(({ groups }) => groups)).toEqual([['system:nodes'], ['second']]);
  });

  it('is certain of the role of its own stack only, when others have the same id', () => {
    const elsewhere = role('NodeRole', 'other');
    const auth = authOf(NODES, elsewhere, manifest(configMap(list('${NodeRole.Arn}'))));
    expect(auth.mappingsOf(GROUP, to(NODES))).toHaveLength(1);
    expect(auth.possibleMappingsOf(GROUP, to(NODES))).toHaveLength(0);
    expect(auth.mappingsOf(GROUP, to(elsewhere))).toHaveLength(0);
    expect(auth.possibleMappingsOf(GROUP, to(elsewhere))).toHaveLength(1);
  });

  it('knows a parameter again in its own stack, and suspects all else of being it', () => {
    const parameter = new Unknown('parameter Arn has no default', nowhere, '${Arn}', '/Arn');
    const auth = authOf(NODES, manifest(configMap(`${list('${Arn}')}${list('${NodeRole.Arn}')}`)));
    expect(auth.mappingsOf(GROUP, parameter)).toHaveLength(1);
    expect(auth.possibleMappingsOf(GROUP, parameter)).toHaveLength(1);
    expect(auth.mappingsOf({ ...GROUP, stack: 'other' }, parameter)).toHaveLength(0);
    expect(auth.possibleMappingsOf(GROUP, to(NODES))).toHaveLength(1);
    expect(auth.mappingsOf(GROUP, absent)).toEqual([]);
  });

  it.each<[string, Data, string]>([
    ['a text that is no YAML', configMap('[a: {'), 'what `aws-auth` maps'],
    ['a map instead of a list', configMap('a: b'), 'what `aws-auth` maps'],
    [
      'a number instead of a text',
      { ...(configMap('') as object), data: { mapRoles: 5 } },
      "what `aws-auth` maps isn't known",
    ],
    [
      'a namespace that is not known',
      configMap('[a: {', { name: 'aws-auth', namespace: new Unknown('a parameter', nowhere) }),
      'what `aws-auth` maps',
    ],
    [
      'roles that are decided at deployment',
      { ...(configMap('') as object), data: { mapRoles: new Unknown('parameter Roles has no default', nowhere) } },
      'parameter Roles',
    ],
    ['a manifest that is not known', new Unknown('it depends on conditions', nowhere), 'what Auth applies'],
  ])("says that it can't see %s", (_, object, reason) => {
    expect(authOf(manifest(object)).unseen).toContain(reason);
  });

  it.each<[string, string]>([
    ['something before its attribute', 'x${NodeRole.Arn}'],
    ['something behind its attribute', '${NodeRole.Arn}x'],
    ['another attribute', '${NodeRole.RoleId}'],
    ['something before the reference', 'arn:aws:iam::111122223333:role/x-${NodeRole}'],
    ['something behind the reference', 'arn:aws:iam::111122223333:role/${NodeRole}-x'],
    ['the ARN of a user', 'arn:aws:iam::111122223333:user/nodes'],
    ['what is no ARN', 'x:role/nodes'],
  ])('is not certain of a role by %s', (_, arn) => {
    expect(authOf(NODES, manifest(configMap(list(arn)))).mappingsOf(GROUP, to(NODES))).toEqual([]);
  });

  it('suspects a mapping of which the role is not known as a whole, or not at all', () => {
    const possible = (mapRoles: string) =>
      authOf(NODES, manifest(configMap(mapRoles)))
        .possibleMappingsOf(GROUP, to(NODES))
        .map(({ groups }) => groups);
    expect(possible(list('arn:aws:iam::111122223333:role/x-${NodeRole}'))).toEqual([['system:nodes']]);
    expect(possible('- groups: [a]\n- rolearn: 5\n  groups: b\n- null\n- text')).toEqual([
      ['a'],
      undefined,
      undefined,
      undefined,
    ]);
    expect(possible(list('arn:aws:iam::111122223333:role/other'))).toEqual([]);
  });

  it('is certain of the role of another stack, if no other has its id', () => {
    const elsewhere = role('NodeRole', 'other');
    const auth = authOf(elsewhere, manifest(configMap(list('${NodeRole.Arn}'))));
    expect(auth.mappingsOf(GROUP, to(elsewhere))).toHaveLength(1);
    const twice = authOf(elsewhere, role('NodeRole', 'third'), manifest(configMap(list('${NodeRole.Arn}'))));
    expect(twice.mappingsOf(GROUP, to(elsewhere))).toEqual([]);
    expect(twice.possibleMappingsOf(GROUP, to(elsewhere))).toHaveLength(1);
  });

  it('has each mapping once', () => {
    const auth = authOf(
      NODES,
      manifest(configMap(`${list('${NodeRole.Arn}')}${list('arn:aws:iam::111122223333:role/x-${P}')}- groups: [a]\n`)),
    );
    expect(auth.all.map(({ groups }) => groups)).toEqual([['system:nodes'], ['a'], ['system:nodes']]);
  });

  it('says that a patch may change it, if it is one of it or of what is not known', () => {
    const unknown: KubernetesPatch = { ...patch(''), target: new Unknown('it is decided at deployment', nowhere) };
    expect(authOf(unknown).unseen).toBe('a patch changes `aws-auth`');
    expect(authOf({ ...patch(''), target: absent }).unseen).toBeUndefined();
    expect(authOf(patch('configmap/aws-auth-backup')).unseen).toBeUndefined();
    expect(authOf(patch('configmap/my-aws-auth'), manifest(configMap('[a: {'))).unseen).toBe(
      "what `aws-auth` maps isn't known",
    );
  });

  it('says that a patch may change it', () => {
    expect(authOf(patch('configmap/aws-auth')).unseen).toBeDefined();
    expect(authOf(patch('daemonset/aws-node')).unseen).toBeUndefined();
  });

  it.each<[string, Data]>([
    ['another ConfigMap', configMap('[a: {', { name: 'other', namespace: 'kube-system' })],
    ['another namespace', configMap('[a: {', { name: 'aws-auth', namespace: 'legacy' })],
    ['a ConfigMap without roles', { kind: 'ConfigMap', metadata: { name: 'aws-auth', namespace: 'kube-system' } }],
    ['an empty list', configMap('')],
    ['blanks', configMap(' \n ')],
    [
      'no list, as null',
      { kind: 'ConfigMap', metadata: { name: 'aws-auth', namespace: 'kube-system' }, data: { mapRoles: null } },
    ],
    ['an object of another kind', { ...(configMap('[a: {') as object), kind: 'Secret' }],
  ])('finds nothing in %s', (_, object) => {
    const auth = authOf(manifest(object));
    expect(auth.unseen).toBeUndefined();
    expect(auth.possibleMappingsOf(GROUP, new Unknown('?', nowhere))).toEqual([]);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.constantFrom('- *a', '- &a [*a]', '- rolearn: {}', '- groups: [[]]', '- null'),
        ),
        (text) => {
          const auth = authOf(NODES, manifest(configMap(text)));
          expect(Array.isArray(auth.possibleMappingsOf(GROUP, to(NODES)))).toBe(true);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('roleIdentity', () => {
  it('is the same for a role however it is named', () => {
    const nodes = role('NodeRole');
    expect(roleIdentity(GROUP, to(nodes))).toBe(nodes);
    expect(roleIdentity(GROUP, named('arn:aws:iam::111122223333:role/nodes'))).toBe(
      roleIdentity(GROUP, named('arn:aws:iam::111122223333:role/nodes')),
    );
    expect(roleIdentity(GROUP, named('arn:aws:iam::111122223333:role/nodes'))).not.toBe(
      roleIdentity(GROUP, named('arn:aws:iam::111122223333:role/other')),
    );
  });

  it('tells symbols apart by stack, and nothing where nothing is known', () => {
    const parameter = new Unknown('no default', nowhere, '${Arn}', '/Arn');
    expect(roleIdentity(GROUP, parameter)).toBe(roleIdentity({ ...GROUP, id: 'Other' }, parameter));
    expect(roleIdentity(GROUP, parameter)).not.toBe(roleIdentity({ ...GROUP, stack: 'other' }, parameter));
    expect(roleIdentity(GROUP, new Unknown('no idea', nowhere))).toBeUndefined();
    expect(roleIdentity(GROUP, absent)).toBeUndefined();
  });

  it('is the resource when a template names the role by its ARN', () => {
    const { resources } = readTemplates([
      {
        file: 'template.yaml',
        text: "Resources:\n  R: { Type: AWS::IAM::Role, Properties: { RoleName: nodes, AssumeRolePolicyDocument: {} } }\n  G: { Type: AWS::EKS::Nodegroup, Properties: { ClusterName: main, NodeRole: 'arn:aws:iam::111122223333:role/nodes' } }\n",
      },
    ]);
    const group = resources.find((resource): resource is NodeGroup => resource.kind === 'node-group');
    const target = resources.find(({ kind }) => kind === 'role');
    expect(target).toBeDefined();
    expect(group?.nodeRole.kind === 'known' ? roleIdentity(group, group.nodeRole) : undefined).toBe(target);
  });
});
