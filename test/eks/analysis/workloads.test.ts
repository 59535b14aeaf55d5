import * as fc from 'fast-check';
import { runs } from '../../share';
import {
  EksModel,
  isTcp,
  podsOf,
  securityGroupPoliciesOf,
  workloadsOf,
  type ClusterView,
  type PodProbe,
} from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { CLUSTER, manifest, resources, template } from '../../rules/node-templates';
import { deployment, deploymentObject, policy, policyObject, substituted } from '../../rules/vpc-cni/pod-eni-templates';

function viewOf(text: string): ClusterView {
  const { resources: read, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [view] = new EksModel(read).clusterViews;
  if (view === undefined) throw new Error('no cluster in the template');
  return view;
}

const PARAMETER = 'Parameters:\n  P: { Type: String }';
const seen = (...blocks: readonly string[]) => workloadsOf(viewOf(resources(CLUSTER, ...blocks)));
const unclear = (block: string) => workloadsOf(viewOf(template(PARAMETER, CLUSTER, substituted(block))));

const POD = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };

describe('workloadsOf', () => {
  it.each(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'])('sees the pods of a %s', (kind) => {
    expect(seen(manifest('Web', { kind, metadata: { name: 'web' }, spec: { template: POD } }))).toMatchObject([
      { label: `${kind} web`, namespace: 'default', labels: { app: 'web' }, serviceAccount: 'default' },
    ]);
  });

  it('sees the pods of a CronJob, and a Pod', () => {
    expect(
      seen(
        manifest('A', { kind: 'CronJob', spec: { jobTemplate: { spec: { template: POD } } } }),
        manifest('B', { kind: 'Pod', ...POD }),
      ),
    ).toMatchObject([
      { label: 'CronJob A', labels: { app: 'web' } },
      { label: 'Pod B', labels: { app: 'web' } },
    ]);
  });

  it.each<[string, object]>([
    ['other kinds', { kind: 'Service', spec: { template: POD } }],
    [
      'kinds of the same name with other fields',
      { kind: 'Job', apiVersion: 'batch.volcano.sh/v1alpha1', spec: { tasks: [] } },
    ],
    ['pods for Windows', deploymentObject({}, { nodeSelector: { 'kubernetes.io/os': 'windows' } })],
    ['pods that say that they are for Windows', deploymentObject({}, { os: { name: 'windows' } })],
  ])('leaves out %s', (_, object) => {
    expect(seen(manifest('Other', object))).toEqual([]);
  });

  it('marks pods in the network of the host', () => {
    expect(seen(deployment('Web', {}, { hostNetwork: true }), deployment('Other', {}))).toMatchObject([
      { hasOwnAddress: false, isOnHostNetwork: true },
      { hasOwnAddress: true, isOnHostNetwork: false },
    ]);
  });

  it.each<[string, object, string | undefined]>([
    ['none', {}, 'default'],
    ['empty', { serviceAccountName: '' }, 'default'],
    ['the name', { serviceAccountName: 'web' }, 'web'],
    ['the old field', { serviceAccount: 'web' }, 'web'],
    ['one that is not known', { serviceAccountName: '${P}' }, undefined],
  ])('tells the service account: %s', (_, pod, expected) => {
    expect(unclear(deployment('Web', {}, pod))[0]?.serviceAccount).toBe(expected);
  });

  it.each<[object, PodProbe['via'] | undefined, boolean]>([
    [{ httpGet: { port: 80 } }, 'httpGet', true],
    [{ httpGet: { port: 80, host: '' } }, 'httpGet', true],
    [{ httpGet: { port: 80, host: '127.0.0.1' } }, 'elsewhere', false],
    [{ tcpSocket: { port: 80 } }, 'tcpSocket', true],
    [{ tcpSocket: { port: 80, host: 'example.com' } }, 'elsewhere', false],
    [{ grpc: { port: 80 } }, 'grpc', true],
    [{ exec: { command: ['true'] } }, 'exec', false],
    [{ httpGet: null, exec: {} }, 'exec', false],
    [{ httpGet: '${P}' }, 'unknown', false],
    [{ httpGet: { host: '${P}' } }, 'unknown', false],
    [{ periodSeconds: 5 }, undefined, false],
  ])('tells how %j probes', (probe, via, tcp) => {
    const [workload] = unclear(deployment('Web', { readinessProbe: probe }));
    expect(workload?.probes).toEqual(via === undefined ? [] : [{ container: 'app', kind: 'readiness', via }]);
    expect(workload?.probes.some(isTcp)).toBe(tcp);
    expect(workload?.areProbesKnown).toBe(via !== 'unknown');
  });

  it('sees the probes of all containers and of sidecars, not those of other init containers', () => {
    const probe = { livenessProbe: { exec: {} }, startupProbe: { grpc: { port: 1 } } };
    const [workload] = seen(
      deployment('Web', probe, {
        initContainers: [
          { name: 'side', restartPolicy: 'Always', ...probe },
          { name: 'init', ...probe },
        ],
      }),
    );
    expect(workload?.probes.map(({ container, kind }) => `${container ?? ''} ${kind}`)).toEqual([
      'app liveness',
      'app startup',
      'side liveness',
      'side startup',
    ]);
  });

  it.each<[string, object, object]>([
    [
      'whether it uses the network of the host',
      { hostNetwork: '${P}' },
      { hasOwnAddress: false, isOnHostNetwork: false, areProbesKnown: true },
    ],
    ['its containers', { containers: '${P}' }, { hasOwnAddress: true, areProbesKnown: false }],
  ])('tells what is not known: %s', (_, pod, expected) => {
    expect(unclear(deployment('Web', {}, pod))).toMatchObject([expected]);
  });

  it('tells that nothing is known of a template', () => {
    const [workload] = unclear(manifest('Web', { kind: 'Deployment', spec: { template: '${P}' } }));
    expect(workload).toMatchObject({
      hasOwnAddress: false,
      areProbesKnown: false,
      serviceAccount: undefined,
      probes: [],
    });
  });

  it('works them out once', () => {
    const view = viewOf(resources(CLUSTER, deployment('Web', {})));
    expect(workloadsOf(view)).toBe(workloadsOf(view));
  });
});

/** Names of the pods that the only policy fits, and may fit. */
function podsIn(...blocks: readonly string[]): { sure: string[]; possible: string[] } {
  const view = viewOf(template(PARAMETER, CLUSTER, ...blocks.map(substituted)));
  const [only] = securityGroupPoliciesOf(view);
  if (only === undefined) throw new Error('no policy in the template');
  const { sure, possible } = podsOf(view, only);
  return { sure: sure.map(({ label }) => label), possible: possible.map(({ label }) => label) };
}

function account(name: string, labels: object): string {
  return manifest(`Account${name}`, { kind: 'ServiceAccount', metadata: { name, namespace: 'shop', labels } });
}

describe('podsOf', () => {
  const WEB = deployment('Web', {}, { serviceAccountName: 'web' });
  const API = deployment('Api', {}, { serviceAccountName: 'api' }, { app: 'api' });
  const BY_ACCOUNT = policy('Policy', { podSelector: null, serviceAccountSelector: { matchLabels: { role: 'web' } } });

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['the pods with the label', [policy('Policy'), WEB, API], ['Deployment web'], []],
    ['all pods', [policy('Policy', { podSelector: {} }), WEB, API], ['Deployment web', 'Deployment api'], []],
    [
      'pods by expression',
      [
        policy('Policy', { podSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] } }),
        WEB,
        API,
      ],
      ['Deployment api'],
      [],
    ],
    ['none of another namespace', [policy('Policy', { podSelector: {} }, 'other'), WEB], [], []],
    ['none without selector', [policy('Policy', {}), WEB], [], []],
    ['none without groups', [policy('Policy', { podSelector: {}, securityGroups: { groupIds: [] } }), WEB], [], []],
    ['pods by selector that is not known', [policy('Policy', { podSelector: '${P}' }), WEB], [], ['Deployment web']],
    [
      'pods with labels that are not known',
      [policy('Policy'), deployment('Web', {}, {}, { app: '${P}' })],
      [],
      ['Deployment web'],
    ],
    [
      'pods in a namespace that is not known',
      [policy('Policy'), manifest('Web', { ...deploymentObject({}), metadata: { name: 'web', namespace: '${P}' } })],
      [],
      ['Deployment web'],
    ],
    [
      'the pods of a policy whose namespace is not known',
      [policy('Policy', undefined, '${P}'), WEB, API],
      [],
      ['Deployment web'],
    ],
    [
      'pods by the labels of their account',
      [BY_ACCOUNT, WEB, API, account('web', { role: 'web' }), account('api', { role: 'api' })],
      ['Deployment web'],
      [],
    ],
    [
      'pods whose account is not there',
      [BY_ACCOUNT, WEB, API, account('api', { role: 'api' })],
      [],
      ['Deployment web'],
    ],
    [
      'pods of an account that is not known',
      [BY_ACCOUNT, deployment('Web', {}, { serviceAccountName: '${P}' }), account('api', {})],
      [],
      ['Deployment web'],
    ],
    ['pods of another account that is there', [BY_ACCOUNT, API, account('api', { role: 'api' })], [], []],
    [
      'none by account in another namespace',
      [policy('Policy', { podSelector: null, serviceAccountSelector: {} }, 'other'), WEB, account('web', {})],
      [],
      [],
    ],
    [
      'pods by account, of a policy whose namespace is not known',
      [
        policy('Policy', { podSelector: null, serviceAccountSelector: { matchLabels: { role: 'web' } } }, '${P}'),
        WEB,
        API,
        account('web', { role: 'web' }),
        account('api', {}),
      ],
      [],
      ['Deployment web'],
    ],
    [
      'pods whose account is not there, of a policy whose namespace is not known',
      [policy('Policy', { podSelector: null, serviceAccountSelector: {} }, '${P}'), WEB],
      [],
      ['Deployment web'],
    ],
    [
      'pods of any account, in a namespace that is not known',
      [
        policy('Policy', { podSelector: null, serviceAccountSelector: {} }),
        manifest('Web', { ...deploymentObject({}), metadata: { name: 'web', namespace: '${P}' } }),
      ],
      [],
      ['Deployment web'],
    ],
    [
      'pods of any account, in another namespace',
      [
        policy('Policy', { podSelector: null, serviceAccountSelector: {} }),
        manifest('Web', { ...deploymentObject({}), metadata: { name: 'web', namespace: 'other' } }),
      ],
      [],
      [],
    ],
    ['none of a policy that names no groups', [policy('Policy', { podSelector: {}, securityGroups: {} }), WEB], [], []],
    [
      'pods of a policy whose groups are not known',
      [policy('Policy', { podSelector: {}, securityGroups: { groupIds: '${P}' } }), WEB],
      ['Deployment web'],
      [],
    ],
    [
      'pods that may have the label, with an account that may fit',
      [policy('Policy', { podSelector: '${P}', serviceAccountSelector: {} }), WEB],
      [],
      ['Deployment web'],
    ],
    [
      'pods by account labels that are not known',
      [BY_ACCOUNT, WEB, account('web', { role: '${P}' })],
      [],
      ['Deployment web'],
    ],
    [
      'pods of any account',
      [policy('Policy', { podSelector: null, serviceAccountSelector: {} }), WEB],
      ['Deployment web'],
      [],
    ],
    [
      'pods by both',
      [
        policy('Policy', { podSelector: {}, serviceAccountSelector: { matchLabels: { role: 'web' } } }),
        WEB,
        API,
        account('web', { role: 'web' }),
        account('api', {}),
      ],
      ['Deployment web'],
      [],
    ],
    [
      'pods by both, with the account not there',
      [policy('Policy', { podSelector: {}, serviceAccountSelector: { matchLabels: { role: 'web' } } }), WEB],
      [],
      ['Deployment web'],
    ],
    [
      'none where the account surely does not fit',
      [
        policy('Policy', { podSelector: '${P}', serviceAccountSelector: { matchLabels: { role: 'web' } } }),
        WEB,
        account('web', {}),
      ],
      [],
      [],
    ],
  ])('%s', (_, blocks, sure, possible) => {
    expect(podsIn(...blocks)).toEqual({ sure, possible });
  });

  it('takes no longer than its answers', () => {
    const count = 400;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const objects = numbers.flatMap((n) => [
      policyObject({ podSelector: { matchLabels: { app: `a${n}` } } }, 'shop', `p${n}`),
      deploymentObject({}, {}, { app: `a${n}` }, `d${n}`),
    ]);
    const view = viewOf(
      resources(CLUSTER, manifest('All', {}).replace(/Manifest: .*/, `Manifest: '${JSON.stringify(objects)}'`)),
    );
    expect(securityGroupPoliciesOf(view).map((one) => podsOf(view, one).sure.map(({ label }) => label))).toEqual(
      numbers.map((n) => [`Deployment d${n}`]),
    );
  });

  it('looks once for policies with the same selectors, not for those with one that is not known', () => {
    const everything = { podSelector: {} };
    const view = viewOf(
      template(
        PARAMETER,
        CLUSTER,
        WEB,
        policy('A', everything),
        policy('B', everything),
        policy('C', everything, 'other'),
        substituted(policy('D', { podSelector: '${P}' })),
        substituted(policy('E', { podSelector: '${P}' })),
      ),
    );
    const [a, b, c, d, e] = securityGroupPoliciesOf(view).map((one) => podsOf(view, one));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(d).not.toBe(e);
    expect(d).toEqual(e);
  });

  it('finds through its index what a look at every pod finds', () => {
    const texts = fc.constantFrom('a', 'b', '${P}');
    const labels = fc.dictionary(fc.constantFrom('x', 'y'), texts, { noNullPrototype: true });
    const pods = fc.array(fc.record({ namespace: texts, labels }), { maxLength: 4 });
    fc.assert(
      fc.property(pods, labels, texts, (all, matchLabels, namespace) => {
        const names = (list: readonly { readonly label: string }[]) => list.map(({ label }) => label).sort();
        const blocks = all.map((one, index) =>
          manifest(`Pod${index}`, { kind: 'Pod', metadata: { name: `p${index}`, ...one }, spec: { containers: [] } }),
        );
        const view = viewOf(
          template(
            PARAMETER,
            CLUSTER,
            ...[policy('Policy', { podSelector: { matchLabels } }, namespace), ...blocks].map(substituted),
          ),
        );
        const [only] = securityGroupPoliciesOf(view);
        const found = only === undefined ? { sure: [], possible: [] } : podsOf(view, only);
        const answers = all.map((one, index) => {
          const parts = [
            [namespace, one.namespace] as const,
            ...Object.entries(matchLabels).map(([key, value]) => [value, one.labels[key]] as const),
          ];
          const fits = parts.map(([wanted, own]) =>
            own === undefined ? 'no' : wanted === '${P}' || own === '${P}' ? 'maybe' : wanted === own ? 'yes' : 'no',
          );
          return {
            label: `Pod p${index}`,
            answer: fits.includes('no') ? 'no' : fits.includes('maybe') ? 'maybe' : 'yes',
          };
        });
        expect(names(found.sure)).toEqual(names(answers.filter(({ answer }) => answer === 'yes')));
        expect(names(found.possible)).toEqual(names(answers.filter(({ answer }) => answer === 'maybe')));
      }),
      { numRuns: runs(60) },
    );
  });
});
