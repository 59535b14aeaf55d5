import { drainBlocked } from '../../../lib/rules/node-group/drain-blocked';
import {
  CLUSTER,
  cluster,
  helmChart,
  manifest,
  namedNodeGroup,
  nodeGroup,
  resources,
  template,
} from '../node-templates';
import { testRule } from '../rule-tester';

const GROUP = nodeGroup();
const FORCED = nodeGroup('ForceUpdateEnabled: true');
const ACCOUNT = 'Parameters:\n  Count: { Type: Number }\n  Force: { Type: String }';
const STAGE = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

const SELECTOR = { matchLabels: { app: 'web' } };
const labelled = (labels: object, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image: 'web' }], ...spec },
});

function workload(changes: {
  kind?: string;
  replicas?: number | undefined;
  labels?: object;
  pod?: object;
  namespace?: string;
}) {
  const { kind = 'Deployment', labels = { app: 'web' }, pod = {}, namespace = 'shop' } = changes;
  const replicas = 'replicas' in changes ? changes.replicas : 2;
  return {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name: 'web', namespace },
    spec: { replicas, selector: { matchLabels: labels }, template: labelled(labels, pod) },
  };
}

const web = (changes: Parameters<typeof workload>[0] = {}) => manifest('Web', workload(changes));

function budgetObject(spec: object, name = 'web', namespace = 'shop') {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace },
    spec: { selector: SELECTOR, ...spec },
  };
}

const budget = (spec: object, id = 'Budget', namespace = 'shop') =>
  manifest(id, budgetObject(spec, id.toLowerCase(), namespace));

const scaler = (minReplicas: number | undefined) =>
  manifest('Scaler', {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { minReplicas, maxReplicas: 9, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  });

const rollout = (spec: object) =>
  manifest('Rollout', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec,
  });
const canary = manifest('Canary', {
  apiVersion: 'flagger.app/v1beta1',
  kind: 'Canary',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
});

const AT_BUDGET = { message: 'none-allowed', resource: 'Budget', at: 'Budget:' } as const;
const error = { ...AT_BUDGET, severity: 'error' } as const;
const warning = { ...AT_BUDGET, severity: 'warning' } as const;
const info = { ...AT_BUDGET, severity: 'info' } as const;

const all = (...others: readonly string[]) => resources(CLUSTER, GROUP, ...others);

testRule(drainBlocked, {
  valid: [
    {
      name: 'maxUnavailable 1 of a single pod, which may go',
      template: all(web({ replicas: 1 }), budget({ maxUnavailable: 1 })),
    },
    {
      name: 'a percentage that rounds up to one pod',
      template: all(web({ replicas: 3 }), budget({ maxUnavailable: '1%' })),
    },
    { name: 'minAvailable 1 of two', template: all(web(), budget({ minAvailable: 1 })) },
    { name: 'half of two', template: all(web(), budget({ minAvailable: '50%' })) },
    {
      name: 'pods that an autoscaler keeps at two or more',
      template: all(web({ replicas: 1 }), scaler(2), budget({ minAvailable: 1 })),
    },
    {
      name: 'two workloads under one budget, of which each has a single pod',
      template: all(
        web({ replicas: 1 }),
        manifest('Green', { ...workload({ replicas: 1 }), metadata: { name: 'green', namespace: 'shop' } }),
        budget({ minAvailable: 1 }),
      ),
    },
    {
      name: 'a workload that is scaled to nothing',
      template: all(web({ replicas: 0 }), budget({ maxUnavailable: 0 })),
    },
    { name: 'neither setting', template: all(web(), budget({})) },
    {
      name: 'a budget that selects by expression, of four pods',
      template: all(
        web({ replicas: 4 }),
        budget({
          minAvailable: 3,
          selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] },
        }),
      ),
    },
    {
      name: 'two budgets whose selectors exclude each other',
      template: all(
        web(),
        manifest('Api', { ...workload({ labels: { app: 'api' } }), metadata: { name: 'api', namespace: 'shop' } }),
        budget({ minAvailable: 1 }),
        budget({ minAvailable: 1, selector: { matchLabels: { app: 'api' } } }, 'Other'),
      ),
    },
    {
      name: 'the same selector in two namespaces',
      template: all(
        web(),
        manifest('There', workload({ namespace: 'other' })),
        budget({ minAvailable: 1 }),
        budget({ maxUnavailable: 1 }, 'Other', 'other'),
      ),
    },
    {
      name: 'tolerations of single taints, and of what evicts',
      template: all(
        web({
          pod: {
            tolerations: [
              { key: 'dedicated', operator: 'Exists' },
              { key: 'team', value: 'shop', effect: 'NoSchedule' },
              { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
            ],
          },
        }),
        budget({ maxUnavailable: 1 }),
      ),
    },
    {
      name: 'a grace period of 15 minutes',
      template: all(web({ pod: { terminationGracePeriodSeconds: 900 } }), budget({ maxUnavailable: 1 })),
    },
    {
      name: 'unhealthy pods that may always go change nothing for healthy ones',
      template: all(web(), budget({ minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })),
    },
  ],
  invalid: [
    {
      name: 'pods of a kind of other software of which none may go',
      template: all(rollout({ replicas: 2, template: labelled({ app: 'web' }) }), budget({ maxUnavailable: 0 })),
      fixed: all(rollout({ replicas: 2, template: labelled({ app: 'web' }) }), budget({ maxUnavailable: 1 })),
      findings: [warning],
    },
    {
      name: 'minAvailable 1 of one',
      template: all(web({ replicas: 1 }), budget({ minAvailable: 1 })),
      fixed: all(web({ replicas: 1 }), budget({ maxUnavailable: 1 })),
      findings: [
        {
          ...error,
          says: ['`minAvailable: 1`', 'Deployment web', 'of which there is one', 'PodEvictionFailure', '"Workers"'],
          advises: 'in the place of `minAvailable`',
        },
      ],
    },
    {
      name: 'the same, mended by a second pod',
      template: all(web({ replicas: 1, kind: 'StatefulSet' }), budget({ minAvailable: 1 })),
      fixed: all(web({ replicas: 2, kind: 'StatefulSet' }), budget({ minAvailable: 1 })),
      findings: [{ ...error, says: ['StatefulSet web'] }],
    },
    {
      name: 'maxUnavailable 0',
      template: all(web({ replicas: 5 }), budget({ maxUnavailable: 0 })),
      fixed: all(web({ replicas: 5 }), budget({ maxUnavailable: 1 })),
      findings: [{ ...error, says: ['`maxUnavailable: 0`'], omits: ['of which'] }],
    },
    {
      name: 'maxUnavailable 0 %',
      template: all(web(), budget({ maxUnavailable: '0%' })),
      findings: [{ ...error, says: ['0%'] }],
    },
    { name: 'minAvailable 100 %', template: all(web(), budget({ minAvailable: '100%' })), findings: [error] },
    {
      name: 'a percentage that rounds up to all',
      template: all(web({ replicas: 5 }), budget({ minAvailable: '90%' })),
      findings: [{ ...error, says: ['`minAvailable: 90%`', 'of which there are 5'] }],
    },
    { name: 'half of one', template: all(web({ replicas: 1 }), budget({ minAvailable: '50%' })), findings: [error] },
    {
      name: 'more than there are, whatever becomes of unhealthy pods',
      template: all(web(), budget({ minAvailable: 3, unhealthyPodEvictionPolicy: 'AlwaysAllow' })),
      findings: [error],
    },
    {
      name: 'no replicas written, so that something may scale it',
      template: all(web({ replicas: undefined }), budget({ minAvailable: 1 })),
      findings: [{ ...warning, says: ['while there is only one'] }],
    },
    {
      name: 'an autoscaler that goes down to one',
      template: all(web({ replicas: 3 }), scaler(undefined), budget({ minAvailable: 1 })),
      fixed: all(web({ replicas: 3 }), scaler(2), budget({ minAvailable: 1 })),
      findings: [warning],
    },
    {
      name: 'maxUnavailable 0, whatever an autoscaler does',
      template: all(web(), scaler(2), budget({ maxUnavailable: 0 })),
      findings: [error],
    },
    {
      name: 'pods that the input does not show',
      template: all(budget({ maxUnavailable: 0 })),
      findings: [{ ...warning, says: ['the pods that it is for', 'if they run there'] }],
    },
    {
      name: 'a forced update deletes them in the end',
      template: resources(CLUSTER, FORCED, web({ replicas: 1 }), budget({ minAvailable: 1 })),
      findings: [{ ...info, says: ['is forced', 'deletes them'] }],
    },
    {
      name: 'no managed node group, whose updates could fail',
      template: resources(CLUSTER, web({ replicas: 1 }), budget({ minAvailable: 1 })),
      findings: [{ ...info, says: ['whoever drains'], omits: ['PodEvictionFailure'] }],
    },
    {
      name: 'pods that may take half an hour, and no group whose update would end before',
      template: resources(CLUSTER, web({ pod: { terminationGracePeriodSeconds: 1800 } })),
      findings: [
        {
          ...{ message: 'grace-period', severity: 'info', resource: 'Web', at: 'Web:' },
          says: ['that update fails', 'waits that long'],
          omits: ['in vain'],
        },
      ],
    },
    {
      name: 'one group of two is forced',
      template: all(
        namedNodeGroup('Batch', 'ForceUpdateEnabled: true'),
        web({ replicas: 1 }),
        budget({ minAvailable: 1 }),
      ),
      findings: [{ ...error, says: ['"Workers"'], omits: ['"Batch"'] }],
    },
    {
      name: 'whether the update is forced is decided at deployment',
      template: template(
        ACCOUNT,
        CLUSTER,
        nodeGroup('ForceUpdateEnabled: !Ref Force'),
        web({ replicas: 1 }),
        budget({ minAvailable: 1 }),
      ),
      findings: [warning],
    },
    {
      name: 'Auto Mode beside the group, where they may run',
      template: resources(
        cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }'),
        GROUP,
        web({ replicas: 1 }),
        budget({ minAvailable: 1 }),
      ),
      findings: [warning],
    },
    {
      name: 'a taint keeps them off the only group',
      template: resources(
        CLUSTER,
        nodeGroup('Taints: [{ Key: dedicated, Value: gpu, Effect: NO_SCHEDULE }]'),
        web({ replicas: 1 }),
        budget({ minAvailable: 1 }),
      ),
      findings: [info],
    },
    {
      name: 'two budgets for one workload',
      template: all(web(), budget({ minAvailable: 1 }), budget({ maxUnavailable: 1 }, 'Other')),
      fixed: all(web(), budget({ maxUnavailable: 1 }, 'Other')),
      findings: [
        {
          message: 'two-budgets',
          severity: 'error',
          resource: 'Other',
          at: 'Other:',
          says: ['budget and other', 'Deployment web', 'PodEvictionFailure'],
          related: ['Budget:'],
        },
      ],
    },
    {
      name: 'a budget for the whole namespace beside one for a workload',
      template: all(web(), budget({ maxUnavailable: 1 }), budget({ maxUnavailable: 1, selector: {} }, 'Other')),
      findings: [{ message: 'two-budgets', severity: 'error', resource: 'Other', at: 'Other:' }],
    },
    {
      name: 'a workload that tolerates everything',
      template: all(web({ pod: { tolerations: [{ key: 'dedicated', operator: 'Exists' }, { operator: 'Exists' }] } })),
      fixed: all(
        web({ pod: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } }),
        budget({ maxUnavailable: 1 }),
      ),
      findings: [
        {
          message: 'tolerations',
          severity: 'warning',
          resource: 'Web',
          at: 'Web:',
          says: ['Deployment web', 'every other', 'PodEvictionFailure'],
        },
      ],
    },
    {
      name: 'one that tolerates the taint of cordoned nodes by name',
      template: all(
        web({
          pod: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
        }),
      ),
      findings: [{ message: 'tolerations', severity: 'warning', resource: 'Web', at: 'Web:', omits: ['every other'] }],
    },
    {
      name: 'pods that may take half an hour to stop',
      template: all(web({ pod: { terminationGracePeriodSeconds: 1800 } })),
      fixed: all(web({ pod: { terminationGracePeriodSeconds: 900 } }), budget({ maxUnavailable: 1 })),
      findings: [{ message: 'grace-period', severity: 'warning', resource: 'Web', at: 'Web:', says: ['1800 seconds'] }],
    },
    {
      name: 'objects among the values of a chart',
      template: all(
        helmChart('Raw', 'raw', {
          resources: [
            { ...workload({ replicas: 1 }), metadata: { name: 'web' } },
            { ...budgetObject({ minAvailable: 1 }), metadata: { name: 'web' } },
          ],
        }),
      ),
      findings: [{ message: 'none-allowed', severity: 'error', resource: 'Raw', at: 'Raw:', says: ['Deployment web'] }],
    },
    {
      name: 'a namespace that is decided at deployment, the same for both',
      template: template(
        ACCOUNT,
        CLUSTER,
        GROUP,
        web({ replicas: 1, namespace: 'NS' }).replace(/Manifest: (.*)NS(.*)/, 'Manifest: !Sub $1${Force}$2'),
        budget({ minAvailable: 1 }, 'Budget', 'NS').replace(/Manifest: (.*)NS(.*)/, 'Manifest: !Sub $1${Force}$2'),
      ),
      findings: [error],
    },
    {
      name: 'a budget that is there in production only',
      template: template(
        STAGE,
        CLUSTER,
        GROUP,
        web({ replicas: 1 }),
        budget({ minAvailable: 1 }).replace('\n', '\n  Condition: IsProd\n'),
      ),
      findings: [error],
    },
  ],
  unverifiable: [
    {
      name: 'a Rollout that makes the pods of a Deployment',
      template: all(
        web({ replicas: 1 }),
        rollout({ replicas: 4, workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } }),
        budget({ minAvailable: 1 }),
      ),
      resources: ['Budget'],
      because: 'how many pods Deployment web has at least is not known',
    },
    {
      name: 'a Canary that has other pods made of a Deployment',
      template: all(web({ replicas: 1 }), canary, budget({ minAvailable: 1 })),
      resources: ['Budget'],
      because: 'how many pods Deployment web has at least is not known',
    },
    {
      name: 'pods of a kind of other software beside those of a Deployment',
      template: all(
        web({ replicas: 1 }),
        rollout({ replicas: 5, template: labelled({ app: 'web' }) }),
        budget({ minAvailable: 1 }),
      ),
      resources: ['Budget'],
      because: 'whether it is for other pods too is not known',
    },
    {
      name: 'a budget in a version of the API that the cluster no longer has, which may be there from before',
      template: all(
        web({ replicas: 1 }),
        manifest('Budget', { ...budgetObject({ minAvailable: 1 }), apiVersion: 'policy/v1beta1' }),
      ),
      resources: ['Budget'],
      because: 'which is gone since 1.25',
    },
    {
      name: 'an autoscaler of which it is not known what it scales',
      template: template(
        ACCOUNT,
        CLUSTER,
        GROUP,
        web({ replicas: 1 }),
        scaler(2).replace(/Manifest: (.*)"name":"web"\}\}\}(.*)/, 'Manifest: !Sub $1"name":"${Force}"}}}$2'),
        budget({ minAvailable: 1 }),
      ),
      resources: ['Budget'],
      because: 'whether an autoscaler is for Deployment web',
    },
    {
      name: 'minAvailable of pods that the input does not show',
      template: all(budget({ minAvailable: 1 })),
      resources: ['Budget'],
      because: 'not part of the input',
    },
    {
      name: 'a number of pods that is decided at deployment',
      template: template(
        ACCOUNT,
        CLUSTER,
        GROUP,
        manifest('Web', workload({ replicas: 77 })).replace(/Manifest: (.*)77(.*)/, 'Manifest: !Sub $1${Count}$2'),
        budget({ minAvailable: 1 }),
      ),
      resources: ['Budget'],
      because: 'how many pods Deployment web has',
    },
    {
      name: 'an amount that is decided at deployment',
      template: template(
        ACCOUNT,
        CLUSTER,
        GROUP,
        web(),
        budget({ minAvailable: 77 }).replace(/Manifest: (.*)77(.*)/, 'Manifest: !Sub $1${Count}$2'),
      ),
      resources: ['Budget'],
      because: 'what it allows',
    },
    {
      name: 'a budget that is for Jobs as well',
      template: all(
        web({ replicas: 1 }),
        manifest('Once', { ...workload({ kind: 'Job' }), metadata: { name: 'once', namespace: 'shop' } }),
        budget({ minAvailable: 1 }),
      ),
      resources: ['Budget'],
      because: 'for other pods too',
    },
  ],
  notApplicable: [
    { name: 'no budget', template: all(web({ replicas: 1 })) },
    {
      name: 'a DaemonSet that tolerates everything, as they do, with a budget that concerns no drain',
      template: all(
        web({ kind: 'DaemonSet', pod: { tolerations: [{ operator: 'Exists' }] } }),
        budget({ maxUnavailable: 0 }),
      ),
    },
    { name: 'a Job that is held until it is done', template: all(web({ kind: 'Job' }), budget({ maxUnavailable: 0 })) },
    {
      name: 'what the API server refuses: both settings',
      template: all(web({ replicas: 1 }), budget({ minAvailable: 1, maxUnavailable: 0 })),
    },
    { name: 'a number in quotes', template: all(web({ replicas: 1 }), budget({ minAvailable: '1' })) },
    {
      name: 'a budget without selector, which is for no pods',
      template: all(web({ replicas: 1 }), budget({ selector: null, maxUnavailable: 0 })),
    },
    {
      name: 'an empty selector in the first version of the API, which is for none either',
      template: all(
        web({ replicas: 1 }),
        manifest('Budget', { ...budgetObject({ selector: {}, maxUnavailable: 0 }), apiVersion: 'policy/v1beta1' }),
      ),
    },
    {
      name: 'a workload that is bound to one node by name',
      template: all(
        web({ pod: { nodeSelector: { 'kubernetes.io/hostname': 'a' }, tolerations: [{ operator: 'Exists' }] } }),
      ),
    },
  ],
});
