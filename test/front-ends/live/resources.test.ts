import type { EksResource, Value } from '../../../lib/eks';
import { AnswerNode } from '../../../lib/front-ends/live/answer-node';
import { commandsFor } from '../../../lib/front-ends/live/commands';
import { parseDocument } from '../../../lib/languages';
import { show } from '../cloudformation/reading';
import { arn, clusterAnswer, emptyLists, resourcesIn, type Files } from './dumps';

const GROUP = { nodegroupName: 'workers', clusterName: 'shop', nodeRole: arn('iam', 'role/nodes') };

function of<K extends EksResource['kind']>(files: Files, kind: K, id?: string): Extract<EksResource, { kind: K }> {
  const found = resourcesIn({ ...clusterAnswer('shop'), ...emptyLists(), ...files }).find(
    (one) => one.kind === kind && (id === undefined || one.id === id),
  );
  if (found === undefined) throw new Error(`no ${kind} was read`);
  return found as Extract<EksResource, { kind: K }>;
}

const listed = (value: Value<readonly Value<string>[]>): unknown =>
  value.kind === 'known' ? value.value.map(show) : show(value);

describe('the command for a change', () => {
  const cluster = of({}, 'cluster');
  const group = of({ 'nodegroups.json': { nodegroups: ['workers'] }, 'g.json': { nodegroup: GROUP } }, 'node-group');
  const addonWith = (given: object) =>
    of({ 'a.json': { addon: { addonName: 'coredns', clusterName: 'shop', ...given } } }, 'addon', 'coredns');
  const addon = addonWith({});
  const template = of(
    {
      'lt.json': {
        LaunchTemplateVersions: [
          { LaunchTemplateId: 'lt-1', LaunchTemplateName: 'nodes', VersionNumber: 3, LaunchTemplateData: {} },
        ],
      },
      'nodegroups.json': { nodegroups: ['workers'] },
      'g.json': { nodegroup: { ...GROUP, launchTemplate: { id: 'lt-1', version: '3' } } },
    },
    'launch-template',
  );
  const inOneLine = (code: string, resource: EksResource) => commandsFor(code, resource)?.replaceAll(' \\\n  ', ' ');

  it.each<[string, EksResource, string, string]>([
    [
      'the version of a cluster',
      cluster,
      "Version: '1.35'",
      'aws eks update-cluster-version --name shop --kubernetes-version 1.35',
    ],
    [
      'the support of a cluster',
      cluster,
      'UpgradePolicy: { SupportType: STANDARD }',
      'aws eks update-cluster-config --name shop --upgrade-policy supportType=STANDARD',
    ],
    [
      'the version of a group',
      group,
      "Version: '1.35'",
      'aws eks update-nodegroup-version --cluster-name shop --nodegroup-name workers --kubernetes-version 1.35',
    ],
    [
      'the release of a group',
      group,
      'ReleaseVersion: 1.35.1-20260901',
      'aws eks update-nodegroup-version --cluster-name shop --nodegroup-name workers --release-version 1.35.1-20260901',
    ],
    [
      'how a group is updated and scaled',
      group,
      'UpdateConfig: { MaxUnavailable: 2 }\nScalingConfig: { MinSize: 1, MaxSize: 3 }',
      'aws eks update-nodegroup-config --cluster-name shop --nodegroup-name workers --update-config maxUnavailable=2 --scaling-config minSize=1,maxSize=3',
    ],
    [
      'one of the two',
      group,
      'UpdateConfig: { MaxUnavailablePercentage: 33 }',
      'aws eks update-nodegroup-config --cluster-name shop --nodegroup-name workers --update-config maxUnavailablePercentage=33',
    ],
    [
      'an add-on',
      addon,
      'AddonVersion: v1.13.2-eksbuild.7',
      'aws eks update-addon --cluster-name shop --addon-name coredns --addon-version v1.13.2-eksbuild.7 --resolve-conflicts PRESERVE',
    ],
    [
      'values of an add-on, with those that are stored',
      addonWith({ configurationValues: '{"a":{"b":1,"c":2},"d":[1],"e":null}' }),
      `ConfigurationValues: '{"a":{"c":3},"d":[2],"f":"it''s"}'`,
      `aws eks update-addon --cluster-name shop --addon-name coredns --configuration-values '{"a":{"b":1,"c":3},"d":[2],"e":null,"f":"it'\\''s"}' --resolve-conflicts PRESERVE`,
    ],
    [
      'values of an add-on, where none that can be read are stored',
      addonWith({ configurationValues: 'text' }),
      `ConfigurationValues: '{"a":1}'`,
      `aws eks update-addon --cluster-name shop --addon-name coredns --configuration-values '{"a":1}' --resolve-conflicts PRESERVE`,
    ],
  ])('says %s', (_, resource, code, command) => {
    expect(inOneLine(code, resource)).toBe(command);
  });

  it('of a launch template makes another version of that which is used, and says that groups need it, too', () => {
    const command = inOneLine('LaunchTemplateData: { MetadataOptions: { HttpTokens: required } }', template);
    expect(command?.split('\n')).toEqual([
      `aws ec2 create-launch-template-version --launch-template-id lt-1 --source-version 3 --launch-template-data '{"MetadataOptions":{"HttpTokens":"required"}}'`,
      expect.stringContaining('aws eks update-nodegroup-version --launch-template'),
    ]);
    expect(commandsFor('MetadataOptions: { HttpTokens: required }', template)).toBe(
      commandsFor('LaunchTemplateData: { MetadataOptions: { HttpTokens: required } }', template),
    );
  });

  it.each<[string, EksResource, string]>([
    ['two settings of a cluster', cluster, "Version: '1.35'\nUpgradePolicy: { SupportType: STANDARD }"],
    ['no setting', cluster, '{}'],
    ['a policy that is none', cluster, 'UpgradePolicy: STANDARD'],
    ['another setting of a cluster', cluster, 'Logging: {}'],
    ['settings of two commands', group, "Version: '1.35'\nUpdateConfig: { MaxUnavailable: 1 }"],
    ['what a group can not change', group, 'AmiType: AL2023_x86_64_STANDARD'],
    ['nothing of a group', group, '{}'],
    ['nothing of an add-on', addon, '{}'],
    ['a setting without value', addon, 'AddonVersion:'],
    ['more than an update of an add-on changes', addon, 'AddonVersion: v1\nPodIdentityAssociations: []'],
    ['what somebody has to fill in', cluster, 'Version: <the next version>'],
    ['what refers to other resources', addon, 'ServiceAccountRoleArn: !GetAtt Role.Arn'],
    ['a text', cluster, 'a text'],
    ['a list', cluster, '- a'],
    ['what is no YAML', cluster, 'a: [b'],
    ['settings that are no launch template data', template, 'launchTemplate: {}'],
  ])('does not exist for %s', (_, resource, code) => {
    expect(commandsFor(code, resource)).toBeUndefined();
  });

  it('of other resources and other inputs does not exist', () => {
    const elsewhere = Object.create(cluster, {
      source: { value: { locate: () => ({ file: 'a', line: 1, column: 1 }) } },
    }) as EksResource;
    expect(commandsFor("Version: '1.35'", elsewhere)).toBeUndefined();
    expect(commandsFor("Version: '1.35'", of({ ...role() }, 'role'))).toBeUndefined();
  });
});

function role(): Files {
  return { 'r.json': { Role: { RoleName: 'r', Arn: arn('iam', 'role/r'), AssumeRolePolicyDocument: {} } } };
}

describe('the launch template of a group', () => {
  const version = (number: number, given: object = {}): object => ({
    LaunchTemplateId: 'lt-1',
    LaunchTemplateName: 'nodes',
    VersionNumber: number,
    DefaultVersion: number === 2,
    LaunchTemplateData: { InstanceType: `m6i.${number}xlarge`, ...given },
  });
  const typeFor = (launchTemplate: object): unknown => {
    const templates = resourcesIn({
      ...clusterAnswer('shop'),
      ...emptyLists(),
      'nodegroups.json': { nodegroups: ['workers'] },
      'g.json': { nodegroup: { ...GROUP, launchTemplate } },
      'lt.json': {
        LaunchTemplateVersions: [version(9), version(2), version(10), { ...version(4), LaunchTemplateId: 'lt-2' }],
      },
    }).flatMap((one) => (one.kind === 'launch-template' ? [show(one.instanceType)] : []));
    return templates.join(' ');
  };

  it.each([
    ['that it names', { id: 'lt-1', version: '9' }, 'm6i.9xlarge'],
    ['that is the newest', { id: 'lt-1', version: '$Latest' }, 'm6i.10xlarge'],
    ['that is the default', { id: 'lt-1', version: '$Default' }, 'm6i.2xlarge'],
    ['that is the default, as it names none', { id: 'lt-1' }, 'm6i.2xlarge'],
    ['of another template', { id: 'lt-2', version: '4' }, 'm6i.4xlarge'],
    ['of a template that it knows by name', { name: 'nodes', version: '9' }, 'm6i.9xlarge'],
  ])('is in the version %s', (_, use, type) => {
    expect(typeFor(use)).toBe(type);
  });

  it('has what its version says', () => {
    const found = of(
      {
        'nodegroups.json': { nodegroups: ['workers'] },
        'g.json': { nodegroup: { ...GROUP, launchTemplate: { id: 'lt-1', version: '1' } } },
        'lt.json': {
          LaunchTemplateVersions: [
            version(1, {
              SecurityGroupIds: ['sg-0a1', 'sg-0c000000000000001'],
              NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-0c000000000000001'] }],
              BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeSize: 50 } }],
              TagSpecifications: [
                { ResourceType: 'volume', Tags: [{ Key: 'v', Value: '1' }] },
                { ResourceType: 'instance', Tags: [{ Key: 'a/b', Value: '1' }] },
              ],
              IamInstanceProfile: { Name: 'profile' },
            }),
          ],
        },
      },
      'launch-template',
    );
    expect(found.instanceTagKeys.map(show)).toEqual(['a/b']);
    expect(found.blockDevices.map(({ name, size }) => [show(name), show(size)])).toEqual([['/dev/xvda', 50]]);
    expect(show(found.instanceProfile)).toBe('profile');
    // The group that EKS made is an attribute of the cluster, as templates have it.
    expect(listed(found.securityGroups)).toEqual(['sg-0a1', '?sg-0c000000000000001']);
    expect(found.securityGroups).toMatchObject({
      value: [{}, { reference: { attribute: 'ClusterSecurityGroupId', resource: { id: 'shop' } } }],
    });
    const [first] = found.networkInterfaces;
    expect(first && listed(first.securityGroups)).toEqual(['?sg-0c000000000000001']);
  });

  it('has groups by name, where it has none by id', () => {
    const found = of(
      {
        'nodegroups.json': { nodegroups: ['workers'] },
        'g.json': { nodegroup: { ...GROUP, launchTemplate: { id: 'lt-1', version: '1' } } },
        'lt.json': { LaunchTemplateVersions: [version(1, { SecurityGroups: ['nodes'] })] },
      },
      'launch-template',
    );
    expect(listed(found.securityGroups)).toEqual(['nodes']);
  });
});

describe('OIDC providers', () => {
  const URL = 'oidc.eks.eu-west-1.amazonaws.com/id/AAAA';
  const ARN = arn('iam', `oidc-provider/${URL}`);
  const list = { 'oidc-providers.json': { OpenIDConnectProviderList: [{ Arn: ARN }] } };
  const own = { 'oidc.json': { Url: URL, ClientIDList: ['sts.amazonaws.com'], ThumbprintList: [] } };

  it.each<[string, Files, unknown]>([
    ['that are listed and described', { ...list, ...own }, ['sts.amazonaws.com']],
    ['that are described', own, ['sts.amazonaws.com']],
    ['that are listed', list, expect.stringContaining('get-open-id-connect-provider')],
  ])('%s are read once', (_, files, clients) => {
    const all = resourcesIn({ ...clusterAnswer('shop'), ...emptyLists(), ...files }).flatMap((one) =>
      one.kind === 'oidc-provider' ? [one] : [],
    );
    expect(all.map(({ url, clientIds }) => [show(url), listed(clientIds)])).toEqual([[`https://${URL}`, clients]]);
  });
});

describe('a node of an answer', () => {
  const node = AnswerNode.root(
    parseDocument('{"a": {"b": [1, "x", null, {"c": true}], "e": "", "f": "7", "g": 8, "h": "true"}}', 'a.json', false),
    'a.json',
  );
  const at = (...keys: readonly string[]) => node.at(...keys);

  it('has what it holds, and says what it does not hold', () => {
    expect(at('a', 'b').items.map(({ label, isWritten, isMap }) => [label, isWritten, isMap])).toEqual([
      ['1', true, false],
      ['x', true, false],
      ['', false, false],
      ['', true, true],
    ]);
    expect([at('a').keys, at('a', 'b').keys, at('a', 'e').keys]).toEqual([['b', 'e', 'f', 'g', 'h'], [], []]);
    expect([show(at('a', 'e').text), show(at('a', 'f').text), show(at('a', 'g').text)]).toEqual(['absent', '7', '8']);
    expect([at('a', 'b').text, at('a', 'f').texts]).toMatchObject([
      { reason: 'it is no text' },
      { reason: 'it is no list' },
    ]);
    expect([show(at('a', 'g').number), show(at('a', 'f').number)]).toEqual([8, '7']);
    expect([show(at('a', 'b', '3', 'c').boolean), show(at('x').boolean)]).toEqual([true, 'absent']);
    expect(at('a', 'h').boolean).toMatchObject({ reason: 'it is neither true nor false' });
    expect([at('x').isWritten, at('x', 'y').isWritten, at('toString').isWritten]).toEqual([false, false, false]);
    expect([at('x').data, at('a', 'b').data]).toEqual([null, [1, 'x', null, { c: true }]]);
  });

  it('stands where it is, of what is not written around it', () => {
    expect(at('a', 'f').locate()).toMatchObject({ line: 1, column: 51, property: 'a.f' });
    const inner = at('a').asResource();
    expect(inner.child('f').locate()).toMatchObject({ property: 'f' });
    expect(inner.locate().property).toBeUndefined();
    expect(inner.child('z').place.locate()).toEqual(inner.locate());
    expect(inner.child('f').place.locate()).toEqual(inner.child('f').locate());
    expect(at('a', 'f').inText('7', 0).locate()).toMatchObject({ file: 'a.json', line: 1, property: 'a.f' });
  });
});

describe('policies of roles', () => {
  const STATEMENT = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] };
  const encoded = encodeURIComponent(JSON.stringify(STATEMENT));
  const policies = (files: Files) =>
    of(
      {
        ...role(),
        'role-r.attached-policies.json': { AttachedPolicies: [] },
        'role-r.inline-policies.json': { PolicyNames: ['own'] },
        ...files,
      },
      'role',
      'r',
    ).policies.map((policy) =>
      policy.kind === 'managed'
        ? show(policy.arn)
        : policy.document.kind === 'known'
          ? [policy.name, ...policy.document.value.statements.flatMap(({ actions }) => actions.map(show))]
          : [policy.name, show(policy.document)],
    );
  const inline = (document: unknown): Files => ({
    'inline.json': { RoleName: 'r', PolicyName: 'own', PolicyDocument: document },
  });

  it.each([
    ['as JSON', STATEMENT],
    ['as a text', JSON.stringify(STATEMENT)],
    ['with escapes', encoded],
    ['with escapes of spaces in front', `%20%0A${encoded}`],
  ])('are read %s', (_, document) => {
    expect(policies(inline(document))).toEqual([['own', 's3:GetObject']]);
  });

  it.each([
    ['no document', 'a text'],
    ['escapes that are none', '%zz'],
  ])('that are %s are not known', (_, document) => {
    expect(policies(inline(document))).toEqual([['own', expect.stringContaining('?')]]);
  });

  it('that the answers lack are not known, with what to ask for', () => {
    expect(policies({})).toEqual([['own', expect.stringContaining('inline policy own of role r')]]);
    expect(policies({ 'role-r.inline-policies.json': { PolicyNames: [] } })).toEqual([]);
  });
});

describe('add-ons', () => {
  const withIdentity = (others: Files) =>
    of(
      {
        'a.json': {
          addon: {
            addonName: 'coredns',
            clusterName: 'shop',
            podIdentityAssociations: [arn('eks', 'podidentityassociation/shop/a-1')],
          },
        },
        ...others,
      },
      'addon',
      'coredns',
    ).podIdentityAssociations;

  it('have the roles of their associations, if these are described', () => {
    const association = {
      associationArn: arn('eks', 'podidentityassociation/shop/a-1'),
      associationId: 'a-1',
      clusterName: 'shop',
      namespace: 'kube-system',
      serviceAccount: 'coredns',
      roleArn: arn('iam', 'role/dns'),
    };
    expect(withIdentity({ 'as.json': { association } })).toMatchObject({
      value: [{ serviceAccount: { value: 'coredns' }, role: { value: { text: arn('iam', 'role/dns') } } }],
    });
    expect(withIdentity({})).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('describe-pod-identity-association') as string,
    });
  });
});
