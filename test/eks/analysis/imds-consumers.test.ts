import { CLOUDFORMATION } from '../../../lib/front-ends/cloudformation/dialects';
import {
  Absent,
  Choice,
  EksModel,
  imdsWorkloadsOf,
  Known,
  nowhere,
  Unknown,
  type Addon,
  type Data,
  type EksResource,
  type HelmRelease,
  type KubernetesManifest,
  type PodIdentityAssociation,
  type Value,
  always,
} from '../../../lib/eks';

const absent = new Absent(nowhere);
const known = <T>(value: T): Known<T> => new Known(value, nowhere);
const unknown = new Unknown('parameter X has no default', nowhere);
const base = {
  path: undefined,
  stack: 'stack',
  frontEnd: 'cloudformation',
  dialect: CLOUDFORMATION,
  source: nowhere,
  suppressions: [],
  exists: always,
  environment: { region: undefined, partition: undefined },
  cluster: known({ text: 'main', target: undefined }),
} as const;

function release(chart: string, values: Data, namespace: Value<string> = known('kube-system')): HelmRelease {
  return {
    ...base,
    kind: 'helm-release',
    type: 'helm',
    id: 'Release',
    chart: known(chart),
    release: known('release'),
    namespace,
    version: absent,
    values,
  };
}

function addon(properties: Partial<Addon> = {}): Addon {
  return {
    ...base,
    kind: 'addon',
    type: 'AWS::EKS::Addon',
    id: 'Ebs',
    name: known('aws-ebs-csi-driver'),
    version: absent,
    resolveConflictsOnCreate: absent,
    resolveConflictsOnUpdate: absent,
    configuration: absent,
    namespace: absent,
    serviceAccountRole: absent,
    podIdentityAssociations: absent,
    preserveOnDelete: absent,
    ...properties,
  };
}

function association(namespace: Value<string>, serviceAccount: Value<string>): PodIdentityAssociation {
  return {
    ...base,
    kind: 'pod-identity-association',
    type: 'association',
    id: 'Association',
    namespace,
    serviceAccount,
    role: absent,
    disableSessionTags: absent,
  };
}

function serviceAccount(name: string, annotations: Data): KubernetesManifest {
  return {
    ...base,
    kind: 'manifest',
    type: 'manifest',
    id: 'Account',
    object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, annotations } },
  };
}

function consumers(...resources: EksResource[]): string[] {
  const [view] = new EksModel(resources).clusterViews;
  return view === undefined
    ? []
    : imdsWorkloadsOf(view).flatMap(({ name, lack }) => (lack === undefined ? [] : [`${name} ${lack.text}`]));
}

const ROLE = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/x' };
const VPC = 'AWS Load Balancer Controller without `vpcId`';
const REGION = 'AWS Load Balancer Controller without `region` and without an IAM role';
const SCALER = 'Cluster Autoscaler without an IAM role';
const EBS = 'EBS CSI driver add-on without an IAM role';

describe('a load balancer controller', () => {
  it.each<[string, Data, string[]]>([
    ['without values', {}, [VPC]],
    ['with an empty VPC id', { vpcId: '', vpcTags: {} }, [VPC]],
    ['with a role but no VPC id', { serviceAccount: { annotations: ROLE } }, [VPC]],
    ['with VPC id and region', { vpcId: 'vpc-1', region: 'eu-west-1' }, []],
    ['with VPC tags and a region variable', { vpcTags: { Name: 'main' }, env: { AWS_REGION: 'eu-west-1' } }, []],
    ['with VPC id but neither region nor role', { vpcId: 'vpc-1' }, [REGION]],
    ['with VPC id and a role, which brings the region', { vpcId: 'vpc-1', serviceAccount: { annotations: ROLE } }, []],
    ['with VPC tags alone', { vpcTags: { Name: 'main' } }, [REGION]],
    ['with what is no VPC id', { vpcId: false, vpcTags: null }, [VPC]],
    ['with an empty list of tags', { vpcTags: [] }, [VPC]],
    ['with a list of tags', { vpcTags: ['Name=main'] }, [REGION]],
    ['with a default region', { vpcId: 'vpc-1', env: { AWS_DEFAULT_REGION: 'eu-west-1' } }, []],
    ['with another variable', { vpcId: 'vpc-1', env: { AWS_PROFILE: 'x' } }, [REGION]],
    ['with access keys', { vpcId: 'vpc-1', env: { AWS_ACCESS_KEY_ID: 'x' } }, []],
    ['on what may be the host network', { hostNetwork: unknown }, []],
    ['on no host network', { hostNetwork: false }, [VPC]],
    ['with a service account that is not known', { vpcId: 'vpc-1', serviceAccount: unknown }, []],
    ['with a service account whose name is not known', { vpcId: 'vpc-1', serviceAccount: { name: unknown } }, []],
    ['with a service account without name', { vpcId: 'vpc-1', serviceAccount: { create: true, name: '' } }, [REGION]],
    [
      'with a service account that nobody names and nobody makes',
      { vpcId: 'vpc-1', serviceAccount: { create: false } },
      [],
    ],
    [
      'with a service account that may be made',
      { vpcId: 'vpc-1', serviceAccount: { create: unknown, name: 'lbc' } },
      [],
    ],
    ['with a VPC id that is not known', { vpcId: unknown, region: unknown }, []],
    ['with values that are not known', unknown, []],
    ['on the host network', { hostNetwork: true }, []],
    [
      'whose service account somebody else makes',
      { vpcId: 'vpc-1', serviceAccount: { create: false, name: 'lbc' } },
      [],
    ],
  ])('%s', (_, values, expected) => {
    expect(consumers(release('aws-load-balancer-controller', values))).toEqual(expected);
    expect(consumers(release('oci://public.ecr.aws/eks/aws-load-balancer-controller', values))).toEqual(expected);
  });
});

describe('a cluster autoscaler', () => {
  const chart = (values: Data, namespace?: Value<string>): HelmRelease =>
    release('cluster-autoscaler', values, namespace);

  it.each<[string, Data, string[]]>([
    ['without values', {}, [SCALER]],
    ['with a role', { rbac: { serviceAccount: { annotations: ROLE } } }, []],
    ['with annotations that are not known', { rbac: { serviceAccount: { annotations: unknown } } }, []],
    ['with access keys', { awsAccessKeyID: 'x' }, []],
    ['of another cloud', { cloudProvider: 'magnum' }, []],
    ['on the host network', { hostNetwork: true }, []],
  ])('%s', (_, values, expected) => {
    expect(consumers(chart(values))).toEqual(expected);
  });

  it('has a role by an association of its namespace and account', () => {
    const named = chart({ rbac: { serviceAccount: { name: 'scaler' } } });
    expect(consumers(named, association(known('kube-system'), known('scaler')))).toEqual([]);
    expect(consumers(named, association(known('kube-system'), known('other')))).toEqual([SCALER]);
    expect(consumers(named, association(known('default'), known('scaler')))).toEqual([SCALER]);
    expect(consumers(named, association(unknown, unknown))).toEqual([]);
    expect(consumers(chart({}, absent), association(known('default'), known('scaler')))).toEqual([]);
    expect(consumers(chart({}, absent), association(known('kube-system'), known('scaler')))).toEqual([SCALER]);
    const twice = new Choice([
      { when: always, value: known('kube-system') },
      { when: always, value: known('default') },
    ]);
    expect(
      consumers(
        chart({ rbac: { serviceAccount: { name: 'scaler' } } }, twice),
        association(known('default'), known('scaler')),
      ),
    ).toEqual([]);
    expect(
      consumers(
        chart({ rbac: { serviceAccount: { name: 'scaler' } } }, unknown),
        association(known('default'), known('scaler')),
      ),
    ).toEqual([]);
  });

  it('has the role of a service account that is made beside it', () => {
    const values = { rbac: { serviceAccount: { create: false, name: 'scaler' } } };
    expect(consumers(chart(values), serviceAccount('scaler', ROLE))).toEqual([]);
    expect(consumers(chart(values), serviceAccount('scaler', {}))).toEqual([SCALER]);
    expect(consumers(chart(values), serviceAccount('other', {}))).toEqual([]);
    expect(consumers(chart(values), serviceAccount('scaler', {}), serviceAccount('scaler', ROLE))).toEqual([]);
    expect(
      consumers(chart(values), {
        ...serviceAccount('scaler', {}),
        object: { kind: 'ConfigMap', metadata: { name: 'scaler' } },
      }),
    ).toEqual([]);
  });
});

describe('the EBS CSI driver add-on', () => {
  it.each<[string, Partial<Addon>, string[]]>([
    ['without a role', {}, [EBS]],
    ['with an empty list of associations', { podIdentityAssociations: known([]) }, [EBS]],
    ['with a role', { serviceAccountRole: known({ text: 'role', target: undefined }) }, []],
    ['with a role that is not known', { serviceAccountRole: unknown }, []],
    [
      'with an association of its own',
      {
        podIdentityAssociations: known([
          { serviceAccount: known('ebs-csi-controller-sa'), role: absent, source: nowhere },
        ]),
      },
      [],
    ],
    [
      'on the host network',
      { configuration: known({ kind: 'parsed', data: { controller: { hostNetwork: true } } }) },
      [],
    ],
    [
      'with other settings',
      { configuration: known({ kind: 'parsed', data: { controller: { replicaCount: 1 } } }) },
      [EBS],
    ],
    ['with settings that are not known', { configuration: unknown }, []],
    ['with settings by a condition', { configuration: new Choice([{ when: always, value: absent }]) }, []],
    [
      'with settings that can not be read',
      { configuration: known({ kind: 'malformed', reason: 'it is no JSON' }) },
      [EBS],
    ],
    [
      'with a role in its settings',
      { configuration: known({ kind: 'parsed', data: { controller: { serviceAccount: { annotations: ROLE } } } }) },
      [],
    ],
    ['with associations that are not known', { podIdentityAssociations: unknown }, []],
    ['of a name that is not known', { name: unknown }, []],
    ['of another name', { name: known('coredns') }, []],
  ])('%s', (_, properties, expected) => {
    expect(consumers(addon(properties))).toEqual(expected);
  });

  it('has a role by an association elsewhere in the input', () => {
    expect(consumers(addon(), association(known('kube-system'), known('ebs-csi-controller-sa')))).toEqual([]);
  });
});

test('what has all it needs is known to, where nothing of it is left open', () => {
  const given = (...resources: EksResource[]) =>
    new EksModel(resources).clusterViews.flatMap((view) =>
      imdsWorkloadsOf(view)
        .filter(({ lack, isOpen }) => lack === undefined && isOpen !== true)
        .map(({ name }) => name),
    );
  expect(
    given(release('aws-load-balancer-controller', { vpcId: 'vpc-1', serviceAccount: { annotations: ROLE } })),
  ).toEqual(['AWS Load Balancer Controller']);
  expect(given(release('aws-load-balancer-controller', { vpcId: 'vpc-1', region: 'eu-west-1' }))).toEqual([]);
  expect(given(release('aws-load-balancer-controller', unknown))).toEqual([]);
  expect(given(release('cluster-autoscaler', { rbac: { serviceAccount: { create: false, name: 'scaler' } } }))).toEqual(
    [],
  );
  expect(given(addon({ serviceAccountRole: unknown }))).toEqual(['EBS CSI driver add-on']);
});

test('what they say about nodes is kept', () => {
  const scheduling = (...resources: EksResource[]) =>
    new EksModel(resources).clusterViews.flatMap((view) => imdsWorkloadsOf(view).map((one) => one.scheduling));
  const values = { nodeSelector: { pool: 'a' }, affinity: { podAffinity: {} }, tolerations: [{ operator: 'Exists' }] };
  expect(scheduling(release('cluster-autoscaler', values))).toEqual([{ namespace: 'kube-system', ...values }]);
  expect(scheduling(release('cluster-autoscaler', {}, absent))).toEqual([
    { namespace: 'default', nodeSelector: undefined, affinity: undefined, tolerations: undefined },
  ]);
  expect(scheduling(release('cluster-autoscaler', {}, unknown)).map(({ namespace }) => namespace)).toEqual([undefined]);
  const twice = new Choice([
    { when: always, value: known('a') },
    { when: always, value: known('b') },
  ]);
  expect(scheduling(release('cluster-autoscaler', {}, twice)).map(({ namespace }) => namespace)).toEqual([undefined]);
  expect(scheduling(addon({ configuration: known({ kind: 'parsed', data: { controller: values } }) }))).toEqual([
    { namespace: 'kube-system', ...values },
  ]);
  const [byDefault] = scheduling(addon());
  expect(byDefault).toMatchObject({
    namespace: 'kube-system',
    nodeSelector: undefined,
    affinity: undefined,
    tolerations: [{ key: 'CriticalAddonsOnly' }, { effect: 'NoExecute' }],
  });
});

test('other charts and other clusters are not taken for consumers', () => {
  expect(consumers(release('ingress-nginx', {}))).toEqual([]);
  const elsewhere: HelmRelease = {
    ...release('cluster-autoscaler', {}),
    cluster: known({ text: 'other', target: undefined }),
  };
  const views = new EksModel([addon({ name: known('coredns') }), elsewhere]).clusterViews;
  expect(views.map((view) => [view.name, imdsWorkloadsOf(view).length])).toEqual([
    ['main', 0],
    ['other', 1],
  ]);
});

test('who annotates the service account of a chart or an add-on gives it a role', () => {
  const scaler = release('cluster-autoscaler', { rbac: { serviceAccount: { name: 'scaler' } } });
  expect(consumers(scaler)).toEqual(['Cluster Autoscaler without an IAM role']);
  const elsewhere = {
    ...serviceAccount('scaler', ROLE),
    object: { kind: 'ServiceAccount', metadata: { name: 'scaler', namespace: 'x', annotations: ROLE } },
  };
  expect(consumers(scaler, elsewhere)).toEqual(['Cluster Autoscaler without an IAM role']);
  const there = {
    ...elsewhere,
    object: { kind: 'ServiceAccount', metadata: { name: 'scaler', namespace: 'kube-system', annotations: ROLE } },
  };
  expect(consumers(scaler, there)).toEqual([]);
  const ebs = {
    ...there,
    object: {
      kind: 'ServiceAccount',
      metadata: { name: 'ebs-csi-controller-sa', namespace: 'kube-system', annotations: ROLE },
    },
  };
  expect(consumers(addon(), ebs)).toEqual([]);
});

test('an association that may be of the same cluster may give a role', () => {
  const cluster = {
    ...base,
    kind: 'cluster',
    type: 'cluster',
    id: 'Main',
    name: known('main'),
  } as unknown as EksResource;
  const stray = { ...association(known('kube-system'), known('ebs-csi-controller-sa')), cluster: unknown };
  const open = (...resources: EksResource[]) =>
    new EksModel([cluster, addon(), ...resources]).clusterViews.flatMap((view) =>
      imdsWorkloadsOf(view).map(({ lack, isOpen }) => [lack?.text, isOpen]),
    );
  expect(open()).toEqual([['without an IAM role', undefined]]);
  expect(open(stray)).toEqual([[undefined, true]]);
  expect(open({ ...stray, serviceAccount: known('other') })).toEqual([['without an IAM role', undefined]]);
});
