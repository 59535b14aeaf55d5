import type { Data, Unknown } from '../../../../lib/eks';
import { show, showData } from '../../cloudformation/reading';
import { either, instance, readOne, ref, target, text, unknown, type Written } from '../../../terraform/instances';

const role = instance('aws_iam_role.nodes', { name: 'nodes' });
const cluster = instance('aws_eks_cluster.main', { name: 'main' });
const subnet = instance('aws_subnet.a', {});

describe('manifests', () => {
  const object = (type: string, attributes: Written): Data =>
    readOne('manifest', `${type}.it`, [role, cluster, subnet, instance(`${type}.it`, attributes)]).object;

  it('kubernetes_manifest', () => {
    const written: Written = {
      apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
      kind: 'ENIConfig',
      metadata: { name: ref(subnet, 'availability_zone') },
      spec: { subnet: ref(subnet, 'id'), securityGroups: ['sg-1'], none: null },
    };
    const found = object('kubernetes_manifest', { manifest: written });
    expect(showData(found)).toEqual({
      apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
      kind: 'ENIConfig',
      metadata: { name: '?${aws_subnet.a.availability_zone}' },
      spec: { subnet: '?${aws_subnet.a.id}', securityGroups: ['sg-1'], none: null },
    });
    const spec = (found as { spec: { subnet: Unknown } }).spec.subnet.reference;
    expect([(spec?.resource as { id?: string }).id, spec?.attribute]).toEqual(['aws_subnet.a', 'Ref']);
  });

  it('with a key that would give it the names of another object', () => {
    const found = object('kubernetes_manifest', { manifest: { kind: 'ENIConfig', ['__proto__']: { metadata: {} } } });
    expect(found).toHaveProperty('kind');
    expect(found).not.toHaveProperty('metadata');
  });

  it.each<[string, Written, unknown]>([
    ['YAML', 'kind: ConfigMap\nmetadata:\n  name: a', { kind: 'ConfigMap', metadata: { name: 'a' } }],
    [
      'YAML with unknown parts',
      text('kind: ConfigMap\nmetadata:\n  name: ', ref(role, 'arn')),
      { kind: 'ConfigMap', metadata: { name: '?${aws_iam_role.nodes.arn}' } },
    ],
    ['malformed YAML', 'kind: [A', expect.stringContaining('? its text is malformed')],
    ['a text', 'hello', '? its text holds no object'],
    ['a condition', either('prod', 'kind: A', 'kind: B'), '? it depends on conditions'],
    ['something unknown', unknown('var.yaml'), '?${var.yaml}'],
  ])('kubectl_manifest of %s', (_, written, expected) => {
    expect(showData(object('kubectl_manifest', { yaml_body: written }))).toEqual(expected);
  });

  it.each(['kubernetes_config_map', 'kubernetes_config_map_v1', 'kubernetes_config_map_v1_data'])('%s', (type) => {
    const mapRoles = text('- rolearn: ', ref(role, 'arn'), '\n') as Unknown;
    expect(
      showData(
        object(type, { metadata: [{ name: 'aws-auth', namespace: 'kube-system', labels: null }], data: { mapRoles } }),
      ),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'aws-auth', namespace: 'kube-system' },
      data: { mapRoles: '?- rolearn: ${aws_iam_role.nodes.arn}\n' },
    });
  });

  it('kubernetes_service_account', () => {
    expect(
      showData(object('kubernetes_service_account', { metadata: [{ name: 's', annotations: { a: 'b' } }] })),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: 'default', name: 's', annotations: { a: 'b' } },
    });
  });

  it('kubernetes_annotations of a service account', () => {
    const annotated = (kind: string) =>
      showData(
        object('kubernetes_annotations', {
          api_version: 'v1',
          kind,
          metadata: [{ name: 's', namespace: 'n' }],
          annotations: { a: 'b' },
        }),
      );
    expect(annotated('ServiceAccount')).toEqual({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: 'n', name: 's', annotations: { a: 'b' } },
    });
    expect(annotated('StorageClass')).toEqual({});
  });

  it.each(['kubernetes_deployment', 'kubernetes_deployment_v1'])('%s', (type) => {
    const written: Written = {
      metadata: [{ name: 'web', namespace: 'shop', labels: { a_key: 'b' } }],
      spec: [
        {
          replicas: '2',
          min_ready_seconds: 5,
          paused: null,
          selector: [{ match_labels: { app_name: 'web' } }],
          template: [
            {
              metadata: [{ labels: { app_name: 'web' }, annotations: {} }],
              spec: [
                {
                  host_network: false,
                  service_account_name: '',
                  termination_grace_period_seconds: 30,
                  node_selector: { node_pool: 'a' },
                  toleration: [{ key: 'a_b', operator: 'Exists', effect: null }],
                  container: [
                    {
                      name: 'web',
                      image: 'web:1',
                      args: ['--a_b'],
                      env: [{ name: 'A_B', value: '1' }],
                      liveness_probe: [{ http_get: [{ path: '/', port: '80' }] }],
                    },
                    { name: 'side' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    };
    expect(showData(object(type, written))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', labels: { a_key: 'b' } },
      spec: {
        replicas: 2,
        minReadySeconds: 5,
        selector: { matchLabels: { app_name: 'web' } },
        template: {
          metadata: { labels: { app_name: 'web' }, annotations: {} },
          spec: {
            hostNetwork: false,
            terminationGracePeriodSeconds: 30,
            nodeSelector: { node_pool: 'a' },
            tolerations: [{ key: 'a_b', operator: 'Exists' }],
            containers: [
              {
                name: 'web',
                image: 'web:1',
                args: ['--a_b'],
                env: [{ name: 'A_B', value: '1' }],
                livenessProbe: { httpGet: { path: '/', port: '80' } },
              },
              { name: 'side' },
            ],
          },
        },
      },
    });
  });

  it.each<[string, Written, unknown]>([
    ['a number', '1', 1],
    ['a percentage', '50%', '50%'],
    ['what is decided at deployment', unknown('var.budget'), '?${var.budget}'],
  ])('kubernetes_pod_disruption_budget_v1 of %s', (_, max, expected) => {
    const found = object('kubernetes_pod_disruption_budget_v1', {
      metadata: [{ name: 'web' }],
      spec: [
        {
          max_unavailable: max,
          min_available: null,
          selector: [{ match_expressions: [{ key: 'app', operator: 'In', values: ['web'] }] }],
        },
      ],
    });
    expect(showData(found)).toEqual({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { namespace: 'default', name: 'web' },
      spec: {
        maxUnavailable: expected,
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] },
      },
    });
  });

  it('a typed object whose blocks are not known', () => {
    expect(
      showData(object('kubernetes_pod_disruption_budget', { metadata: [{ name: 'web' }], spec: unknown('var.spec') })),
    ).toEqual({
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { namespace: 'default', name: 'web' },
      spec: '?${var.spec}',
    });
  });

  it.each<[type: string, spec: Written, apiVersion: string]>([
    ['kubernetes_pod_disruption_budget', {}, 'policy/v1beta1'],
    ['kubernetes_pod_disruption_budget_v1', {}, 'policy/v1'],
    ['kubernetes_cron_job', {}, 'batch/v1beta1'],
    ['kubernetes_cron_job_v1', {}, 'batch/v1'],
    ['kubernetes_ingress', {}, 'extensions/v1beta1'],
    ['kubernetes_pod_security_policy', {}, 'policy/v1beta1'],
    ['kubernetes_horizontal_pod_autoscaler', { max_replicas: 3 }, 'autoscaling/v1'],
    ['kubernetes_horizontal_pod_autoscaler', { metric: [{ type: 'Resource' }] }, 'autoscaling/v2beta2'],
    ['kubernetes_horizontal_pod_autoscaler', { behavior: [{ scale_down: [] }] }, 'autoscaling/v2beta2'],
    ['kubernetes_horizontal_pod_autoscaler', { metric: unknown('var.metrics') }, '? var.metrics has no default'],
    ['kubernetes_horizontal_pod_autoscaler_v2', {}, 'autoscaling/v2'],
  ])('%s of %j has the API version that the provider sends', (type, spec, apiVersion) => {
    expect(showData(object(type, { metadata: [{ name: 'web' }], spec: [spec] }))).toMatchObject({ apiVersion });
  });

  it('kubernetes_env', () => {
    const found = readOne('kubernetes-patch', 'kubernetes_env.it', [
      cluster,
      instance('kubernetes_env.it', {
        kind: 'DaemonSet',
        container: 'aws-node',
        metadata: [{ name: 'aws-node', namespace: 'kube-system' }],
        env: [{ name: 'A', value: '1' }],
      }),
    ]);
    expect([show(found.target), show(found.namespace), target(found.cluster)]).toEqual([
      'daemonset/aws-node',
      'kube-system',
      '-> aws_eks_cluster.main',
    ]);
    expect(showData(found.patch)).toEqual({
      spec: {
        template: {
          spec: { containers: [{ name: 'aws-node', env: [{ name: 'A', value: '1' }] }], initContainers: [] },
        },
      },
    });
  });
});

describe('helm_release', () => {
  const read = (attributes: Written) =>
    readOne('helm-release', 'helm_release.it', [cluster, instance('helm_release.it', attributes)]);
  const values = (attributes: Written) => showData(read(attributes).values);

  it('is read', () => {
    const found = read({
      name: 'cni',
      chart: 'aws-vpc-cni',
      namespace: 'kube-system',
      version: '1.19.0',
      repository: 'https://example.com',
    });
    expect([found.release, found.chart, found.namespace, found.version].map(show)).toEqual([
      'cni',
      'aws-vpc-cni',
      'kube-system',
      '1.19.0',
    ]);
    expect([target(found.cluster), found.values]).toEqual(['-> aws_eks_cluster.main', {}]);
  });

  it('merges values and settings, the later over the earlier', () => {
    expect(
      values({
        values: ['a: {b: 1, c: [1, 2]}\nd: x', 'a: {b: 2}\nd: {e: 1}'],
        set: [
          { name: 'a.f', value: 'true' },
          { name: 'a.c[1]', value: '7' },
          { name: 'annotations.eks\\.amazonaws\\.com/role-arn', value: ref(role, 'arn') },
          { name: 'd.e', value: '007' },
          { name: 'd.g', value: '1', type: 'string' },
          { name: 'd.h', value: true },
        ],
        set_list: [{ name: 'l', value: ['p', 'q'] }],
        set_sensitive: [{ name: 's', value: 'null' }],
      }),
    ).toEqual({
      a: { b: 2, c: [1, 7], f: true },
      annotations: { 'eks.amazonaws.com/role-arn': '?${aws_iam_role.nodes.arn}' },
      d: { e: '007', g: '1', h: true },
      l: ['p', 'q'],
      s: null,
    });
  });

  it('has the last of several values of a name, where the provider keeps their order', () => {
    const set = [
      { name: 'a', value: 'x' },
      { name: 'b', value: 'y' },
      { name: 'a', value: 'z' },
      { name: 'b', value: 'y' },
    ];
    const of = (key: string, ...providerVersions: readonly string[]) =>
      showData(
        readOne('helm-release', 'helm_release.it', [
          instance('helm_release.it', { values: ['a: w'], [key]: set }, { providerVersions }),
        ]).values,
      );
    const open = {
      a: '? it is set twice, and before version 3 the Helm provider tells no order',
      b: 'y',
    };
    expect(of('set', '>= 2.9', '~> 3.0')).toEqual({ a: 'z', b: 'y' });
    expect(of('set_list')).toEqual({ a: 'z', b: 'y' });
    expect([of('set', '~> 2.17'), of('set_sensitive', '>= 2.9'), of('set')]).toEqual([open, open, open]);
  });

  it('has a value that is set twice in the same words', () => {
    const twice = { name: 'a', value: ref(role, 'arn') };
    expect(values({ set: [twice, twice] })).toEqual({ a: '?${aws_iam_role.nodes.arn}' });
  });

  it.each<[string, Written, unknown]>([
    [
      'values that are not known',
      { values: [unknown('var.values')], set: [{ name: 'a', value: '1' }] },
      '?${var.values}',
    ],
    ['settings that are not known', { set: unknown('var.settings') }, '?${var.settings}'],
    ['a name that is not known', { set: [{ name: unknown('var.name'), value: '1' }] }, '? var.name has no default'],
    ['a name that is none', { set: [{ name: 'a[x]', value: '1' }] }, "? the name of a setting can't be read"],
    [
      'an index beyond all reason',
      { set: [{ name: 'a[99999999]', value: '1' }] },
      "? the name of a setting can't be read",
    ],
    ['values under a condition', { values: [either('prod', 'a: 1', 'a: 2')] }, '? it depends on conditions'],
  ])('with %s', (_, attributes, expected) => {
    expect(values(attributes)).toEqual(expected);
  });
});

describe('the cluster of a provider', () => {
  const manifest = instance('module.apps.module.x["a.b"].kubernetes_manifest.it', { manifest: {} });
  const of = (...others: ReturnType<typeof instance>[]) =>
    target(readOne('manifest', manifest.address, [manifest, ...others]).cluster);

  it.each<[string, ReturnType<typeof instance>[], string]>([
    ['the only one', [cluster], '-> aws_eks_cluster.main'],
    [
      'the only one, although another name is looked up',
      [cluster, instance('data.aws_eks_cluster.x', { name: unknown('var.name') })],
      '-> aws_eks_cluster.main',
    ],
    [
      'the one of the same module',
      [cluster, instance('module.apps.aws_eks_cluster.own', { name: 'own' })],
      '-> module.apps.aws_eks_cluster.own',
    ],
    [
      'the one below the module',
      [cluster, instance('module.apps.module.eks.aws_eks_cluster.own', { name: 'own' })],
      '-> module.apps.module.eks.aws_eks_cluster.own',
    ],
    [
      'any of several',
      [cluster, instance('aws_eks_cluster.second', { name: 'second' })],
      '? there are several clusters, and its provider tells which one it is for',
    ],
    [
      'the one that is looked up',
      [
        instance('data.aws_eks_cluster.x', { name: 'there' }),
        instance('data.aws_eks_cluster_auth.x', { name: 'there' }),
      ],
      'there',
    ],
    ['the one that add-ons name', [instance('aws_eks_addon.x', { cluster_name: 'there' })], 'there'],
    [
      'any of those that are looked up',
      [instance('data.aws_eks_cluster.x', { name: 'there' }), instance('data.aws_eks_cluster.y', { name: 'here' })],
      '? its provider tells the cluster',
    ],
    ['none that anything tells', [], '? its provider tells the cluster'],
    ['one of another stack', [{ ...cluster, stack: 'other' }], '? its provider tells the cluster'],
  ])('is %s', (_, others, expected) => {
    expect(of(...others)).toBe(expected);
  });
});
