import { removedApi } from '../../../lib/rules/node-group/removed-api';
import { CLUSTER, cluster, helmChart, manifest, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';

const at = (version: string) => cluster(`Version: '${version}'`);
const STAGE = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

const SELECTOR = { matchLabels: { app: 'web' } };

function object(apiVersion: string, kind: string, spec: object | undefined, name = 'web') {
  return { apiVersion, kind, metadata: { name, namespace: 'shop' }, ...(spec === undefined ? {} : { spec }) };
}

function budget(apiVersion: string, selector: object | null = SELECTOR, id = 'Budget') {
  return manifest(id, object(apiVersion, 'PodDisruptionBudget', { maxUnavailable: 1, selector }));
}

const OLD = budget('policy/v1beta1');
const NEW = budget('policy/v1');
const JOB = {
  schedule: '@daily',
  jobTemplate: { spec: { template: { spec: { containers: [{ name: 'job', image: 'job' }] } } } },
};
const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };
const metric = (goal: object) => ({
  maxReplicas: 3,
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  metrics: [{ type: 'Resource', resource: { name: 'cpu', ...goal } }],
});

const found = (message: string, resource = 'Budget') =>
  ({ message, severity: 'error', resource, at: `${resource}:` }) as const;

const one = (apiVersion: string, kind: string, spec?: object) =>
  resources(CLUSTER, manifest('It', object(apiVersion, kind, spec)));

testRule(removedApi, {
  valid: [
    { name: 'a beta version that this cluster still serves', template: resources(at('1.24'), OLD) },
    {
      name: 'one that the last version before its end serves',
      template: one('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema').replace('1.33', '1.31'),
    },
    {
      name: 'a version that is decided by that of the cluster',
      template: template(
        STAGE,
        cluster("Version: !If [IsProd, '1.24', '1.33']"),
        onCondition('IsProd', OLD),
        onCondition('IsDev', budget('policy/v1', SELECTOR, 'Other')).replace(/^/, ''),
      ).replace('Conditions:\n', 'Conditions:\n  IsDev: !Not [!Condition IsProd]\n'),
    },
  ],
  invalid: [
    {
      name: 'a PodDisruptionBudget of policy/v1beta1',
      template: resources(CLUSTER, OLD),
      fixed: resources(CLUSTER, NEW),
      findings: [
        {
          ...found('version'),
          says: ['PodDisruptionBudget "web"', '`policy/v1beta1`', '1.25', '"Cluster" has 1.33', 'no matches for kind'],
          advises: '`apiVersion: policy/v1`',
          related: ["Version: '1.33'"],
        },
      ],
    },
    {
      name: 'the first version that has it no more',
      also: ['cluster-version-support'],
      template: resources(at('1.25'), OLD),
      fixed: resources(at('1.25'), NEW),
      findings: [found('version')],
    },
    {
      name: 'one without a selector, which is for no pods in either version',
      template: resources(CLUSTER, budget('policy/v1beta1', null)),
      findings: [found('version')],
    },
    {
      name: 'one with an empty selector, which means another thing',
      template: resources(CLUSTER, budget('policy/v1beta1', {})),
      fixed: resources(CLUSTER, NEW),
      findings: [{ ...found('fields'), advises: 'all pods of the namespace' }],
    },
    {
      name: 'or whose selector has nothing in it',
      template: resources(CLUSTER, budget('policy/v1beta1', { matchLabels: {}, matchExpressions: null })),
      findings: [{ ...found('fields'), advises: 'name the labels' }],
    },
    {
      name: 'a CronJob of batch/v1beta1',
      template: one('batch/v1beta1', 'CronJob', JOB),
      fixed: one('batch/v1', 'CronJob', JOB),
      findings: [{ ...found('version', 'It'), advises: '`apiVersion: batch/v1`' }],
    },
    {
      name: 'a PodSecurityPolicy, which nothing takes the place of',
      template: one('policy/v1beta1', 'PodSecurityPolicy', {}),
      findings: [{ ...found('none', 'It'), advises: 'Pod Security Admission' }],
    },
    {
      name: 'one of the group before, whose successor is gone as well',
      template: one('extensions/v1beta1', 'PodSecurityPolicy', {}),
      findings: [{ ...found('none', 'It'), says: ['1.16'] }],
    },
    {
      name: 'an Ingress, whose backends have other fields',
      template: one('extensions/v1beta1', 'Ingress', { backend: { serviceName: 'web', servicePort: 80 } }),
      findings: [{ ...found('fields', 'It'), advises: '`networking.k8s.io/v1`' }],
    },
    {
      name: 'a HorizontalPodAutoscaler of the last beta version, with the fields of the stable one',
      template: one('autoscaling/v2beta2', 'HorizontalPodAutoscaler', metric({ target: { type: 'Utilization' } })),
      fixed: one('autoscaling/v2', 'HorizontalPodAutoscaler', metric({ target: { type: 'Utilization' } })),
      findings: [found('version', 'It')],
    },
    {
      name: 'one of the first beta version, with its own',
      template: one('autoscaling/v2beta1', 'HorizontalPodAutoscaler', metric({ targetAverageUtilization: 70 })),
      findings: [{ ...found('fields', 'It'), advises: 'averageUtilization' }],
    },
    {
      name: 'a Deployment with a selector',
      template: one('apps/v1beta1', 'Deployment', { selector: SELECTOR, template: TEMPLATE }),
      fixed: one('apps/v1', 'Deployment', { selector: SELECTOR, template: TEMPLATE }),
      findings: [found('version', 'It')],
    },
    {
      name: 'a Deployment without one',
      template: one('extensions/v1beta1', 'Deployment', { template: TEMPLATE }),
      fixed: one('apps/v1', 'Deployment', { selector: SELECTOR, template: TEMPLATE }),
      findings: [{ ...found('fields', 'It'), advises: '`spec.selector`' }],
    },
    {
      name: 'a version whose successor has gone, too',
      template: one('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema'),
      findings: [{ ...found('version', 'It'), advises: '`apiVersion: flowcontrol.apiserver.k8s.io/v1`' }],
    },
    {
      name: 'one whose successor has not',
      also: ['cluster-version-support'],
      template: one('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema').replace('1.33', '1.28'),
      findings: [{ ...found('version', 'It'), advises: '`apiVersion: flowcontrol.apiserver.k8s.io/v1beta2`' }],
    },
    {
      name: 'an object among the values of a chart',
      template: resources(
        CLUSTER,
        helmChart('Extra', 'raw', {
          resources: [object('policy/v1beta1', 'PodDisruptionBudget', { selector: SELECTOR })],
        }),
      ),
      findings: [found('version', 'Extra')],
    },
    {
      name: 'one version of a cluster that has two',
      also: ['cluster-version-support'],
      template: template(STAGE, cluster("Version: !If [IsProd, '1.24', '1.33']"), OLD),
      findings: [{ ...found('version'), says: ['1.33', 'This happens when'] }],
    },
  ],
  unverifiable: [
    {
      name: 'a version that is decided at deployment',
      template: template('Parameters:\n  V: { Type: String }', cluster('Version: !Ref V'), OLD),
      resources: ['Budget'],
    },
    { name: 'a cluster without version', template: resources(cluster(), OLD), resources: ['Budget'] },
    {
      name: 'a version that EKS does not have',
      template: resources(at('latest'), OLD),
      resources: ['Budget'],
      because: 'none that EKS has',
    },
    {
      name: 'a cluster that the input does not have',
      template: resources(OLD.replace('!Ref Cluster', 'main')),
      resources: ['Budget'],
    },
    {
      name: 'an object that is there in a newer version, too',
      template: resources(CLUSTER, OLD, budget('policy/v1', SELECTOR, 'Newer')),
      resources: ['Budget'],
      because: '`policy/v1`',
    },
  ],
  notApplicable: [
    { name: 'a version that all clusters serve', template: resources(CLUSTER, NEW) },
    { name: 'a kind that is nobody’s of Kubernetes', template: one('policy/v1beta1', 'Budget') },
    { name: 'a group of an operator', template: one('example.com/v1beta1', 'CronJob', JOB) },
    { name: 'a cluster alone', template: resources(CLUSTER) },
  ],
});
