import { loadBalancerControllerVersion } from '../../../lib/rules/iam/load-balancer-controller-version';
import { cluster, manifest, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { chart, LOAD_BALANCER_CONTROLLER as NAME } from './controller-templates';

const on = (kubernetes: string, version: string | undefined, values: object = {}) =>
  resources(cluster(`Version: '${kubernetes}'`), chart('Controller', NAME, version, values));

const deployment = (tag: string) =>
  manifest('Controller', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system' },
    spec: { template: { spec: { containers: [{ name: 'controller', image: `public.ecr.aws/eks/${NAME}:${tag}` }] } } },
  });

const OLD = { message: 'old-chart', severity: 'error', resource: 'Controller' } as const;

testRule(loadBalancerControllerVersion, {
  valid: [
    { name: 'the oldest version for 1.25', template: on('1.25', '1.4.8') },
    { name: 'an old version on an old cluster', template: on('1.24', '1.4.2') },
    { name: 'an old chart with a newer image', template: on('1.33', '1.4.1', { image: { tag: 'v2.13.0' } }) },
    { name: 'the newest one', template: on('1.35', '3.5.0') },
    { name: 'the image of another maker', template: on('1.33', undefined, { image: { tag: 'v2.13.0-custom.1' } }) },
  ],
  invalid: [
    {
      name: 'version 2.4.6 on 1.33',
      template: on('1.33', '1.4.7'),
      fixed: on('1.33', '1.17.1'),
      findings: [
        {
          ...OLD,
          severity: 'warning',
          at: 'Version: 1.4.7',
          says: ['2.4.6', 'chart 1.4.7', '1.33', '2.4.7', 'bites only with `enableEndpointSlices`'],
          omits: ['neither made', '..'],
          fix: '1.17.1',
        },
      ],
    },
    {
      name: 'version 2.4.6 on 1.33 that is told to read EndpointSlices',
      template: on('1.33', '1.4.7', { enableEndpointSlices: true }),
      findings: [{ ...OLD, at: 'Version: 1.4.7', says: ['2.4.7', 'get no targets'], omits: ['bites only', '..'] }],
    },
    {
      name: 'version 2.3 on 1.22',
      template: on('1.22', '1.3.3'),
      findings: [{ ...OLD, at: 'Version: 1.3.3', says: ['2.4.1'] }],
    },
    {
      name: 'an old image in a new chart',
      template: on('1.33', '1.13.0', { image: { tag: 'v2.2.0' } }),
      findings: [
        {
          message: 'old-image',
          severity: 'error',
          resource: 'Controller',
          at: 'Controller:',
          says: ['image tag v2.2.0'],
        },
      ],
    },
    {
      name: 'an old image in a manifest',
      template: resources(cluster("Version: '1.33'"), deployment('v2.4.4')),
      fixed: resources(cluster("Version: '1.33'"), deployment('v2.13.0')),
      findings: [
        { message: 'old-image', severity: 'warning', resource: 'Controller', at: 'Controller:', advises: 'v2.4.7' },
      ],
    },
    {
      name: 'a new version on an old cluster',
      template: on('1.21', '1.5.0'),
      findings: [
        {
          message: 'old-kubernetes',
          severity: 'error',
          resource: 'Controller',
          at: 'Version: 1.5.0',
          says: ['1.22 or newer', '1.21'],
        },
      ],
    },
  ],
  unverifiable: [
    { name: 'no version', template: on('1.33', undefined), resources: ['Controller'], because: 'the newest one' },
    {
      name: 'a cluster whose version is not known',
      template: template(
        'Parameters:\n  V: { Type: String }',
        cluster('Version: !Ref V'),
        chart('Controller', NAME, '1.4.7', {}),
      ),
      resources: ['Controller'],
    },
    {
      name: 'a cluster elsewhere',
      template: resources(chart('Controller', NAME, '1.4.7', {}).replace('!Ref Cluster', 'main')),
      resources: ['Controller'],
      because: 'not part of the input',
    },
  ],
  notApplicable: [
    {
      name: 'another chart',
      template: resources(cluster("Version: '1.33'"), chart('Other', 'metrics-server', '1.4.7', {})),
    },
  ],
});
