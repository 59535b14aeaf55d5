import { vpcCniWarmTargets } from '../../../lib/rules/vpc-cni/vpc-cni-warm-targets';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { CLUSTER, resources, template } from '../node-templates';
import { FARGATE } from './pod-eni-templates';
import { chart, cni, cniAddon, either, env, given, imported, ipv6, json, PARAMETER } from './cni-addon-templates';

const finding = (message: string, severity: ExpectedFinding['severity'], ...says: string[]): ExpectedFinding => ({
  message,
  severity,
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
});
const passes = (name: string, variables: Record<string, string>) => ({ name, template: env(variables) });

testRule(vpcCniWarmTargets, {
  valid: [
    passes('a minimum with a warm target', { MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: '2' }),
    passes('WARM_ENI_TARGET "1" beside them is only the default', {
      MINIMUM_IP_TARGET: '10',
      WARM_IP_TARGET: '2',
      WARM_ENI_TARGET: '1',
      WARM_PREFIX_TARGET: '1',
    }),
    passes('more interfaces alone', { WARM_ENI_TARGET: '3' }),
    passes('a minimum of 0 is none', { MINIMUM_IP_TARGET: '0' }),
    passes('WARM_IP_TARGET alone with prefix delegation, where calls are few', {
      ENABLE_PREFIX_DELEGATION: 'true',
      WARM_IP_TARGET: '5',
    }),
    {
      name: 'the warm target through extraEnv',
      template: cni({ env: { MINIMUM_IP_TARGET: '10' }, extraEnv: [{ name: 'WARM_IP_TARGET', value: '2' }] }),
    },
    {
      name: 'IPv6 with the prefix target that the start of aws-node asks for',
      template: ipv6({ env: { WARM_PREFIX_TARGET: '1' } }),
    },
  ],
  invalid: [
    {
      name: 'a minimum alone keeps no address ready',
      template: env({ MINIMUM_IP_TARGET: '30' }),
      fixed: env({ MINIMUM_IP_TARGET: '30', WARM_IP_TARGET: '2' }),
      findings: [finding('no-warm-ip', 'warning', 'MINIMUM_IP_TARGET to 30 without WARM_IP_TARGET')],
    },
    {
      name: 'a minimum alone with prefix delegation',
      template: env({ ENABLE_PREFIX_DELEGATION: 'true', MINIMUM_IP_TARGET: '30' }),
      findings: [finding('no-warm-prefix', 'info', 'keep 32 addresses', '16 pods')],
    },
    {
      name: 'a floor of whole prefixes, and a warm target of 0',
      template: env({ ENABLE_PREFIX_DELEGATION: 'true', MINIMUM_IP_TARGET: '32', WARM_IP_TARGET: '0' }),
      findings: [finding('no-warm-prefix', 'info', 'keep 32 addresses', 'and no WARM_IP_TARGET')],
    },
    {
      name: 'a warm target that is no number counts as none',
      template: env({ MINIMUM_IP_TARGET: '30', WARM_IP_TARGET: 'two' }),
      findings: [finding('no-warm-ip', 'warning')],
    },
    {
      name: 'a warm target below 0 counts as none',
      template: env({ MINIMUM_IP_TARGET: '30', WARM_IP_TARGET: '-1' }),
      findings: [finding('no-warm-ip', 'warning')],
    },
    {
      name: 'a warm target of 0 that is written is a choice',
      template: env({ MINIMUM_IP_TARGET: '30', WARM_IP_TARGET: '0' }),
      findings: [finding('no-warm-ip', 'info', 'and no WARM_IP_TARGET')],
    },
    {
      name: 'a minimum alone in an imported cluster',
      template: imported({ env: { MINIMUM_IP_TARGET: '30' } }),
      findings: [finding('no-warm-ip', 'warning')],
    },
    {
      name: 'a warm target alone calls EC2 often',
      template: env({ WARM_IP_TARGET: '5' }),
      findings: [finding('no-minimum', 'info', 'WARM_IP_TARGET to 5')],
    },
    {
      name: 'a target that another one makes void',
      template: env({ MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: '2', WARM_ENI_TARGET: '2' }),
      fixed: env({ MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: '2' }),
      findings: [finding('overridden', 'info', 'WARM_ENI_TARGET', 'WARM_IP_TARGET or MINIMUM_IP_TARGET')],
    },
    {
      name: 'a minimum alone beside a prefix target has both',
      template: env({ ENABLE_PREFIX_DELEGATION: 'true', MINIMUM_IP_TARGET: '10', WARM_PREFIX_TARGET: '2' }),
      findings: [
        finding('no-warm-prefix', 'info'),
        finding('overridden', 'info', 'WARM_PREFIX_TARGET', 'because MINIMUM_IP_TARGET'),
      ],
    },
    {
      name: 'IPv6 clusters ignore all targets',
      template: ipv6({ env: { MINIMUM_IP_TARGET: '30' } }),
      findings: [finding('ipv6', 'info', 'MINIMUM_IP_TARGET in an IPv6 cluster')],
    },
    {
      name: 'a Helm chart',
      template: chart({ env: { MINIMUM_IP_TARGET: 30 } }),
      findings: [{ ...finding('no-warm-ip', 'warning', 'Helm release Cni'), at: 'Cni:' }],
    },
    {
      name: 'the branch of Fn::If with it is named',
      template: either({ env: { MINIMUM_IP_TARGET: '30' } }, {}),
      findings: [finding('no-warm-ip', 'warning', 'IsProd is true')],
    },
  ],
  unverifiable: [
    {
      name: 'the warm target from a parameter',
      template: given({ env: { MINIMUM_IP_TARGET: '30', WARM_IP_TARGET: '${Given}' } }),
      resources: ['Cni'],
      because: 'WARM_IP_TARGET',
    },
    {
      name: 'prefix delegation from a parameter',
      template: given({ env: { MINIMUM_IP_TARGET: '30', ENABLE_PREFIX_DELEGATION: '${Given}' } }),
      resources: ['Cni'],
      because: 'ENABLE_PREFIX_DELEGATION',
    },
    {
      name: 'the minimum from a parameter',
      template: given({ env: { MINIMUM_IP_TARGET: '${Given}' } }),
      resources: ['Cni'],
      because: 'MINIMUM_IP_TARGET',
    },
    {
      name: 'prefix delegation from a parameter',
      template: given({ env: { ENABLE_PREFIX_DELEGATION: '${Given}', WARM_IP_TARGET: '5' } }),
      resources: ['Cni'],
      because: 'ENABLE_PREFIX_DELEGATION',
    },
    {
      name: 'all values from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon('!Ref Given')),
      resources: ['Cni'],
    },
  ],
  notApplicable: [
    { name: 'no target at all', template: env({ ENABLE_POD_ENI: 'true' }) },
    {
      name: 'a cluster that only has Fargate',
      template: resources(CLUSTER, FARGATE, cniAddon(json({ env: { MINIMUM_IP_TARGET: '30' } }))),
    },
    { name: 'no configuration values', template: resources(CLUSTER, cniAddon(undefined)) },
    {
      name: 'another add-on',
      template: resources(CLUSTER, cniAddon(json({ env: { MINIMUM_IP_TARGET: '30' } }))).replace('vpc-cni', 'coredns'),
    },
  ],
});
