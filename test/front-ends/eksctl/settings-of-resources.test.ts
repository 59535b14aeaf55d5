import { Absent, nowhere, type EksResource, type Plain, type Role, type Value } from '../../../lib/eks';
import { CONFIG_SETTINGS } from '../../../lib/front-ends/eksctl/settings';
import { show } from '../cloudformation/reading';
import { config, managed, resourcesIn, selfManaged } from './configs';

/* What a ClusterConfig says of resources, setting by setting. */

function all<K extends EksResource['kind']>(kind: K, ...lines: readonly string[]): Extract<EksResource, { kind: K }>[] {
  return resourcesIn(config(...lines)).filter((one): one is Extract<EksResource, { kind: K }> => one.kind === kind);
}

function one<K extends EksResource['kind']>(kind: K, ...lines: readonly string[]): Extract<EksResource, { kind: K }> {
  const [found, other] = all(kind, ...lines);
  if (found === undefined || other !== undefined) throw new Error(`not one ${kind}`);
  return found;
}

const NOWHERE = new Absent(nowhere);

const listed = (value: Value<readonly Value<string>[]>): unknown =>
  value.kind === 'known' ? value.value.map(show) : show(value);

/** The policies of a role: ARNs without their beginning, or the actions of a document. */
function granted(role: Role | undefined): unknown[] {
  if (role === undefined) throw new Error('no such role');
  return role.policies.map((policy) =>
    policy.kind === 'managed'
      ? String(show(policy.arn)).replace(/^.*policy\//, '')
      : policy.document.kind === 'known'
        ? policy.document.value.statements.flatMap(({ actions }) => actions.map(show))
        : show(policy.document),
  );
}

describe('managed groups', () => {
  const group = (...settings: readonly string[]) => one('node-group', managed(...settings));

  it.each([
    [[], 'absent'],
    [['spot: true'], 'SPOT'],
    [['spot: false'], 'absent'],
    [['spot: ${SPOT}'], expect.stringContaining('?')],
    [['instanceMarketOptions: {marketType: capacity-block}', 'capacityReservation: {}'], 'CAPACITY_BLOCK'],
    [['instanceMarketOptions: {marketType: other}', 'capacityReservation: {}', 'spot: true'], 'SPOT'],
  ])('with %j have capacity of a type', (settings, type) => {
    expect(show(group(...settings).capacityType)).toEqual(type);
  });

  it('have subnets that the file names, or that eksctl takes', () => {
    const { subnets } = group('subnets: [subnet-0a1, subnet-0a2]');
    expect(subnets).toMatchObject({ value: [{ value: { text: 'subnet-0a1' } }, { value: { text: 'subnet-0a2' } }] });
    for (const settings of [[], ['subnets: []']])
      expect(group(...settings).subnets).toMatchObject({ reason: 'eksctl takes the subnets of the VPC that fit' });
    expect(group('subnets: ${SUBNETS}').subnets.kind).toBe('unknown');
  });

  it('have labels and taints', () => {
    const { labels, taints } = group(
      'labels: {tier: web}',
      'taints: [{key: a, value: b, effect: NoSchedule}, {key: c, effect: NoExecute}]',
    );
    const rows = (value: Plain<readonly object[]>, ...keys: readonly string[]) =>
      value.kind === 'known' &&
      value.value.map((item) => keys.map((key) => show((item as Record<string, Value<string>>)[key] ?? NOWHERE)));
    expect(rows(labels as Plain<readonly object[]>, 'key', 'value')).toEqual([['tier', 'web']]);
    expect(rows(taints as Plain<readonly object[]>, 'key', 'value', 'effect')).toEqual([
      ['a', 'b', 'NoSchedule'],
      ['c', 'absent', 'NoExecute'],
    ]);
    expect([group().labels.kind, group().taints.kind]).toEqual(['absent', 'absent']);
    const mapped = group('taints: {a: "b:NoSchedule", c: ":NoExecute"}').taints as Plain<readonly object[]>;
    expect(rows(mapped, 'key', 'value', 'effect')).toEqual([
      ['a', 'b', 'NoSchedule'],
      ['c', '', 'NoExecute'],
    ]);
  });

  it.each<[string[], unknown]>([
    [[], 'absent'],
    [['ssh: {}'], 'absent'],
    [['ssh: {allow: true}'], ['~/.ssh/id_rsa.pub', 'absent']],
    [['ssh: {publicKeyName: ops}'], ['ops', 'absent']],
    [['ssh: {publicKeyPath: key.pub, allow: false}'], 'absent'],
    [['ssh: {publicKeyName: ops, sourceSecurityGroupIds: [sg-0a1]}'], ['ops', ['sg-0a1']]],
    [['ssh: {publicKeyName: ops}', 'privateNetworking: true'], 'absent'],
    [['ssh: {publicKeyName: ops}', 'privateNetworking: ${PRIVATE}'], expect.stringContaining('?')],
    [['ssh: {allow: "${SSH}"}'], expect.stringContaining('?')],
  ])('with %j are open to SSH, or not', (settings, access) => {
    const { remoteAccess } = group(...settings);
    expect(
      remoteAccess.kind === 'known'
        ? [show(remoteAccess.value.sshKey), listed(remoteAccess.value.sourceSecurityGroups)]
        : show(remoteAccess),
    ).toEqual(access);
  });

  it('use a launch template that the file names', () => {
    expect(group('launchTemplate: {id: lt-0a1, version: "3"}').launchTemplate).toMatchObject({
      value: { template: { text: 'lt-0a1' }, version: { value: { text: '3' } }, id: { value: 'lt-0a1' } },
    });
    expect(group('launchTemplate: {id: lt-0a1}').launchTemplate).toMatchObject({
      value: { version: { kind: 'absent' } },
    });
    expect(all('launch-template', managed('launchTemplate: {id: lt-0a1}'))).toEqual([]);
  });

  it('of Ubuntu have an AMI that eksctl looks up', () => {
    const { imageId } = one('launch-template', managed('amiFamily: Ubuntu2204'));
    expect(imageId).toMatchObject({ kind: 'unknown', reason: 'eksctl looks up the AMI of Ubuntu2204' });
    expect(group('amiFamily: Ubuntu2204').amiType.kind).toBe('absent');
    expect(one('launch-template', managed()).imageId.kind).toBe('absent');
  });

  it('have an AMI of the family that they declare', () => {
    const image = (...settings: readonly string[]) =>
      one('launch-template', managed(...settings)).imageId as Plain<{ text: string; family: string }>;
    expect(image('ami: ami-0a1', 'amiFamily: Bottlerocket')).toMatchObject({
      value: { text: 'ami-0a1', family: 'BOTTLEROCKET' },
    });
    expect(image('ami: ${AMI}', 'amiFamily: Bottlerocket')).toMatchObject({ value: { family: 'BOTTLEROCKET' } });
  });

  it('of a Kubernetes version that their default AMI does not have take nobody knows what', () => {
    const [found] = resourcesIn(config(managed()).replace('1.34', '1.22')).filter(({ kind }) => kind === 'node-group');
    expect(found).toMatchObject({ amiType: { kind: 'unknown', reason: expect.stringContaining('1.23') as string } });
    const [next] = resourcesIn(config(managed()).replace('1.34', '1.23')).filter(({ kind }) => kind === 'node-group');
    expect(next).toMatchObject({ amiType: { value: 'AL2023_x86_64_STANDARD' } });
  });
});

describe('the launch template that eksctl makes', () => {
  const devices = (...settings: readonly string[]) =>
    one('launch-template', managed(...settings)).blockDevices.map(({ name, size }) => [show(name), show(size)]);

  it('has a volume by the family, and those that are added and have a name', () => {
    expect(devices()).toEqual([['/dev/xvda', 80]]);
    expect(devices('amiFamily: Bottlerocket', 'volumeSize: 30')).toEqual([['/dev/xvdb', 30]]);
    expect(devices('amiFamily: WindowsServer2022CoreContainer')).toEqual([['/dev/sda1', 80]]);
    expect(
      devices(
        'volumeName: /dev/sdf',
        'additionalVolumes: [{volumeName: /dev/sdg, volumeSize: 5}, {volumeSize: 6}, {volumeName: /dev/sdh}]',
      ),
    ).toEqual([
      ['/dev/sdf', 80],
      ['/dev/sdg', 5],
      ['/dev/sdh', 80],
    ]);
  });

  it('has the tags of the group, of the cluster and of eksctl', () => {
    const text = config(managed('tags: {team: web}')).replace('  version:', '  tags: {"cost/center": "1"}\n  version:');
    const [template] = resourcesIn(text).filter(({ kind }) => kind === 'launch-template');
    expect((template as Extract<EksResource, { kind: 'launch-template' }>).instanceTagKeys.map(show)).toEqual([
      'team',
      'cost/center',
      'alpha.eksctl.io/nodegroup-name',
      'Name',
    ]);
  });

  it('has tokens and hops that are not known, where something else decides', () => {
    const { hopLimit, httpTokens } = one('launch-template', managed('disablePodIMDS: ${NO_PODS}')).metadata;
    expect([hopLimit.kind, show(httpTokens)]).toEqual(['unknown', 'required']);
    const { metadata } = one('launch-template', managed('disablePodIMDS: true'));
    expect(metadata.isForNodesOnly).toBe(true);
  });
});

describe('self-managed groups', () => {
  it('have instance types of their distribution', () => {
    const types = (...settings: readonly string[]) =>
      listed(one('self-managed-node-group', selfManaged(...settings)).instanceTypes);
    expect(types('instanceType: m6i.large')).toBe('absent');
    expect(types('instancesDistribution: {instanceTypes: [m6i.large, m6a.large]}')).toEqual(['m6i.large', 'm6a.large']);
    const template = (...settings: readonly string[]) => one('launch-template', selfManaged(...settings)).instanceType;
    expect(show(template('instanceType: m6i.large'))).toBe('m6i.large');
    expect(show(template('instancesDistribution: {instanceTypes: [m6i.large, m6a.large]}'))).toBe('m6i.large');
    expect(template('instanceSelector: {vCPUs: 2}')).toMatchObject({ kind: 'unknown' });
  });

  it('have security groups of their own, of the cluster, and those that are attached', () => {
    const groups = (...settings: readonly string[]) => {
      const [first] = one('launch-template', selfManaged(...settings)).networkInterfaces;
      return first && listed(first.securityGroups);
    };
    const made = (text: string) => expect.stringContaining(text) as unknown;
    expect(groups()).toEqual([made('shared node security group'), made('security group of the node group')]);
    expect(groups('securityGroups: {attachIDs: [sg-0a1], withShared: false}')).toEqual([
      'sg-0a1',
      made('security group of the node group'),
    ]);
    expect(groups('securityGroups: {withLocal: false}')).toEqual([made('shared node security group')]);
    // Where the rule would stand that lets SSH in.
    const open = ['ssh: {publicKeyName: ops}'];
    expect(one('self-managed-node-group', selfManaged(...open)).remoteAccess?.kind).toBe('known');
    expect(
      one('self-managed-node-group', selfManaged(...open, 'securityGroups: {withLocal: false}')).remoteAccess?.kind,
    ).toBe('absent');
  });
});

describe('roles', () => {
  const POLICIES: readonly [string, readonly unknown[]][] = [
    ['imageBuilder', ['AmazonEC2ContainerRegistryPowerUser']],
    ['cloudWatch', ['CloudWatchAgentServerPolicy']],
    ['ebs', ['service-role/AmazonEBSCSIDriverPolicy']],
    ['fsx', [['fsx:*']]],
    ['appMesh', [['appmesh:*']]],
    ['appMeshPreview', [['appmesh-preview:*']]],
    ['xRay', [expect.arrayContaining(['xray:PutTraceSegments'])]],
    ['efs', [['elasticfilesystem:*'], expect.arrayContaining(['ec2:CreateNetworkInterface'])]],
    ['certManager', [['route53:ChangeResourceRecordSets'], expect.anything(), ['route53:GetChange']]],
    ['externalDNS', [['route53:ChangeResourceRecordSets'], expect.arrayContaining(['route53:ListHostedZones'])]],
    ['autoScaler', [expect.arrayContaining(['autoscaling:SetDesiredCapacity'])]],
    ['awsLoadBalancerController', [expect.arrayContaining(['iam:CreateServiceLinkedRole', 'ec2:CreateTags'])]],
  ];
  const ofGroup = (addonPolicies: string) =>
    granted(
      all('role', 'iam: {withOIDC: true}', managed(`iam: {withAddonPolicies: ${addonPolicies}}`)).find(({ id }) =>
        id.endsWith('workers.iam'),
      ),
    );
  const standard = ofGroup('{}');

  it.each(POLICIES)('with the policy %s grant it', (name, expected) => {
    expect(ofGroup(`{${name}: true}`).slice(standard.length)).toEqual(expected);
    expect(ofGroup(`{${name}: false}`)).toEqual(standard);
    expect(ofGroup(`{${name}: "\${ON}"}`).slice(standard.length)).toEqual([expect.stringContaining('?')]);
  });

  it('of the load balancer controller act on what carries its tag, or gets it', () => {
    const role = all('role', 'iam: {}', managed('iam: {withAddonPolicies: {albIngress: true}}')).find(({ id }) =>
      id.endsWith('workers.iam'),
    );
    const document = role?.policies
      .map((policy) => policy.kind !== 'managed' && policy.document)
      .find((one) => one !== false);
    const conditions =
      document !== undefined && document.kind === 'known'
        ? document.value.statements.flatMap(({ conditions: own }) =>
            'kind' in own
              ? []
              : own.map(({ operator, key, values }) => `${operator} ${key} ${values.map(show).join()}`),
          )
        : [];
    expect(conditions).toEqual([
      'StringEquals iam:AWSServiceName elasticloadbalancing.amazonaws.com',
      'Null aws:ResourceTag/elbv2.k8s.aws/cluster false',
      'Null aws:RequestTag/elbv2.k8s.aws/cluster false',
    ]);
  });

  it('of the cluster are other ones on Outposts', () => {
    const role = (...lines: readonly string[]) => all('role', ...lines).find(({ id }) => id.endsWith('serviceRole'));
    const [plain, outpost] = [
      role('iam: {}'),
      role('outpost: {controlPlaneOutpostARN: "arn:aws:outposts:eu-west-1:111122223333:outpost/op-1"}'),
    ];
    expect(granted(plain)).toContain('AmazonEKSClusterPolicy');
    expect(granted(outpost)).toEqual(['AmazonEKSLocalOutpostClusterPolicy']);
  });
});

describe('service accounts', () => {
  const accounts = (...items: readonly string[]) =>
    resourcesIn(config('iam:', '  withOIDC: true', '  serviceAccounts:', ...items.map((item) => `    - ${item}`)));
  const manifests = (resources: readonly EksResource[]) =>
    resources.flatMap((resource) => (resource.kind === 'manifest' ? [[resource.id, resource.object] as const] : []));

  it('are annotated with the role that eksctl makes, which they alone may take', () => {
    const resources = accounts(
      '{metadata: {name: dns, namespace: infra}, attachPolicyARNs: ["arn:aws:iam::aws:policy/P"]}',
    );
    const role = resources.find(({ id }) => id === 'iam.serviceAccounts.infra/dns.role') as Role;
    expect(granted(role)).toEqual(['P']);
    expect(JSON.stringify(role.trust)).toContain('system:serviceaccount:infra:dns');
    expect(JSON.stringify(role.trust)).toContain('StringEquals');
    expect(manifests(resources)).toMatchObject([
      [
        'infra/dns',
        {
          metadata: {
            namespace: 'infra',
            name: 'dns',
            annotations: { 'eks.amazonaws.com/role-arn': { reference: { attribute: 'Arn' } } },
          },
        },
      ],
    ]);
  });

  it('stand in the namespace default without one, and may share a role by a pattern', () => {
    const resources = accounts(
      '{metadata: {name: dns}, subjectPattern: "dns-*", wellKnownPolicies: {externalDNS: true}}',
    );
    const role = resources.find(({ id }) => id === 'iam.serviceAccounts.default/dns.role') as Role;
    expect(JSON.stringify(role.trust)).toContain('system:serviceaccount:default:dns-*');
    expect(JSON.stringify(role.trust)).toContain('StringLike');
    expect(granted(role)).toHaveLength(2);
  });

  it('with a role of their own have that, and with a role alone are none', () => {
    const own = accounts('{metadata: {name: dns}, attachRoleARN: "arn:aws:iam::111122223333:role/dns"}');
    expect(own.filter(({ id }) => id.endsWith('dns.role'))).toEqual([]);
    expect(manifests(own)).toMatchObject([
      [
        'default/dns',
        { metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/dns' } } },
      ],
    ]);
    const alone = accounts('{metadata: {name: dns}, roleOnly: true, wellKnownPolicies: {ebsCSIController: true}}');
    expect(manifests(alone)).toEqual([]);
    expect(alone.some(({ id }) => id === 'iam.serviceAccounts.default/dns.role')).toBe(true);
    expect(
      accounts('{metadata: {name: "${NAME}"}, roleOnly: true}').some(({ id }) => id.startsWith('iam.serviceAccounts')),
    ).toBe(false);
  });
});

describe('other parts of a cluster', () => {
  it('are Fargate profiles with selectors', () => {
    const profiles = all(
      'fargate-profile',
      'fargateProfiles:',
      '  - {name: web, selectors: [{namespace: web, labels: {a: b}}, {namespace: jobs}]}',
      '  - {selectors: []}',
      '  - {name: none}',
    );
    expect(
      profiles.map(({ id, selectors }) => [
        id,
        selectors.kind === 'known'
          ? selectors.value.map(({ namespace, hasLabels }) => [show(namespace), hasLabels])
          : show(selectors),
      ]),
    ).toEqual([
      [
        'web',
        [
          ['web', true],
          ['jobs', false],
        ],
      ],
      ['profile 1', []],
      ['none', 'absent'],
    ]);
  });

  it('are Pod Identity associations, with a role of the file or of their own', () => {
    const lines = [
      'iam:',
      '  podIdentityAssociations:',
      '    - {namespace: kube-system, serviceAccountName: aws-node, roleARN: "arn:aws:iam::111122223333:role/cni"}',
      '    - {namespace: infra, serviceAccountName: dns, wellKnownPolicies: {externalDNS: true}}',
    ];
    expect(all('pod-identity-association', ...lines).map(({ id, role }) => [id, role])).toMatchObject([
      ['kube-system/aws-node', { value: { text: 'arn:aws:iam::111122223333:role/cni' } }],
      ['infra/dns', { value: { target: { id: 'iam.podIdentityAssociations.1.role' } } }],
    ]);
    const roles = all('role', ...lines).filter(({ id }) => id.startsWith('iam.podIdentity'));
    expect(roles.map((role) => [role.id, granted(role).length])).toEqual([['iam.podIdentityAssociations.1.role', 2]]);
    expect(JSON.stringify(roles[0]?.trust)).toContain('pods.eks.amazonaws.com');
  });

  it('are what installs more than the file says', () => {
    const installers = (...lines: readonly string[]) => one('cluster', ...lines).otherInstallers;
    expect(installers('iam: {}')).toBeUndefined();
    expect(installers('iam: {}', 'gitops: {flux: {}}')).toEqual(['Flux installs what a repository says (`gitops`)']);
    expect(installers('iam: {}', 'capabilities: []', 'gitops: {flux: {}}')).toHaveLength(2);
  });
});

describe('where a fix goes', () => {
  const ROOT = {
    managedNodeGroups: [{ name: 'a' }, { name: 'b', ssh: { publicKeyName: '${KEY}' } }],
    addons: [{ name: 'vpc-cni' }],
  };
  const at = (type: string, id: string, field: string, item?: number) =>
    CONFIG_SETTINGS.pathTo({ type, id, field, item }, ROOT);

  it('is the item of its name, or the group of its template', () => {
    expect(at('managedNodeGroups', 'b', 'amiType')).toEqual(['managedNodeGroups', '1', 'amiFamily']);
    expect(at('managedNodeGroups.launchTemplate', 'a', 'metadata.hopLimit')).toEqual([
      'managedNodeGroups',
      '0',
      'disablePodIMDS',
    ]);
    expect(at('managedNodeGroups', 'c', 'amiType')).toBeUndefined();
    expect(at('nodeGroups', 'a', 'amiType')).toBeUndefined();
    expect(at('nodeGroups', 'a', 'remoteAccess')).toBeUndefined();
    expect(at('managedNodeGroups.launchTemplate', 'a', 'userData')).toBeUndefined();
    expect(CONFIG_SETTINGS.hasSetting?.('managedNodeGroups.launchTemplate', 'metadata.httpTokens')).toBe(true);
    expect(CONFIG_SETTINGS.hasSetting?.('managedNodeGroups.launchTemplate', 'userData')).toBe(false);
  });

  it('is none where something else fills it in', () => {
    const refusal = (path: readonly string[]) =>
      CONFIG_SETTINGS.refusal(
        { type: 'managedNodeGroups', id: 'b', field: 'remoteAccess', item: undefined },
        path,
        ROOT,
        false,
      );
    expect(refusal(['managedNodeGroups', '1', 'ssh', 'publicKeyName'])).toBe(
      'something else fills it in before eksctl reads the file',
    );
    expect(refusal(['managedNodeGroups', '1', 'name'])).toBeUndefined();
    expect(refusal(['managedNodeGroups', '7', 'name'])).toBeUndefined();
  });

  it('says it in the words of eksctl', () => {
    const written = (field: string, value: string | number | boolean) =>
      CONFIG_SETTINGS.writtenFor?.({ type: 'managedNodeGroups', id: 'a', field, item: undefined }, value);
    expect(written('amiType', 'BOTTLEROCKET_x86_64')).toEqual({ value: 'Bottlerocket' });
    expect(written('amiType', 'NONE')).toBeUndefined();
    expect(written('resolveConflictsOnUpdate', 'PRESERVE')).toEqual({ value: 'preserve' });
    expect(written('metadata.httpTokens', 'required')).toEqual({ value: true, isDefault: true });
    expect(written('metadata.httpTokens', 'optional')).toEqual({ value: false });
    expect(written('metadata.hopLimit', 2)).toEqual({ value: false, isDefault: true });
    expect(written('metadata.hopLimit', 3)).toBeUndefined();
    expect(written('version', '1.35')).toEqual({ value: '1.35' });
  });
});
