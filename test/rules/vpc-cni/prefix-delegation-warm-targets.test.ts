import { prefixDelegationWarmTargets } from '../../../lib/rules/vpc-cni/prefix-delegation-warm-targets';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { CLUSTER, resources, template } from '../node-templates';
import {
  chart,
  cni,
  cniAddon,
  either,
  env,
  given,
  imported,
  ipv6,
  joined,
  json,
  PARAMETER,
} from './cni-addon-templates';

const PD = { ENABLE_PREFIX_DELEGATION: 'true' };

const finding = (...says: string[]): ExpectedFinding => ({
  message: 'no-target',
  severity: 'error',
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
});

testRule(prefixDelegationWarmTargets, {
  valid: [
    { name: 'prefix delegation alone: EKS sets the prefix target', template: env(PD) },
    {
      name: 'WARM_PREFIX_TARGET "0" with a warm IP target',
      template: env({ ...PD, WARM_PREFIX_TARGET: '0', WARM_IP_TARGET: '5' }),
    },
    {
      name: 'WARM_PREFIX_TARGET "0" with a minimum',
      template: env({ ...PD, WARM_PREFIX_TARGET: '0', MINIMUM_IP_TARGET: '30' }),
    },
    {
      name: 'the other target through extraEnv',
      template: cni({ env: { ...PD, WARM_PREFIX_TARGET: '0' }, extraEnv: [{ name: 'WARM_IP_TARGET', value: '5' }] }),
    },
    {
      name: 'a text that is no number is above "0" as text, and so starts',
      template: env({ ...PD, WARM_PREFIX_TARGET: 'one' }),
    },
    {
      name: 'a known target beside one from a parameter',
      template: given({ env: { ...PD, WARM_PREFIX_TARGET: '${Given}', WARM_IP_TARGET: '5' } }),
    },
    { name: 'an IPv6 cluster with the default', template: ipv6({ env: { WARM_ENI_TARGET: '1' } }) },
    { name: 'a Helm chart, which brings the target', template: chart({ env: { ENABLE_PREFIX_DELEGATION: true } }) },
  ],
  invalid: [
    {
      name: 'prefix delegation with WARM_PREFIX_TARGET "0" stops aws-node',
      template: env({ ...PD, WARM_PREFIX_TARGET: '0' }),
      fixed: env({ ...PD, WARM_PREFIX_TARGET: '1' }),
      findings: [finding('prefix delegation on with', 'WARM_PREFIX_TARGET "0"', 'CrashLoopBackOff')],
    },
    {
      name: 'all three at 0',
      template: env({
        ENABLE_PREFIX_DELEGATION: '1',
        WARM_PREFIX_TARGET: '0',
        WARM_IP_TARGET: '0',
        MINIMUM_IP_TARGET: '0',
      }),
      findings: [finding('MINIMUM_IP_TARGET "0"')],
    },
    {
      name: 'a target below 0 or empty is not above it',
      template: env({ ...PD, WARM_PREFIX_TARGET: '-1', WARM_IP_TARGET: '' }),
      findings: [finding('"-1"', '""')],
    },
    {
      name: 'an IPv6 cluster, where EKS turns prefix delegation on',
      template: ipv6({ env: { WARM_PREFIX_TARGET: '0' } }),
      findings: [finding('EKS sets it in IPv6')],
    },
    {
      name: 'an imported cluster',
      template: imported({ env: { ...PD, WARM_PREFIX_TARGET: '0' } }),
      findings: [finding()],
    },
    {
      name: 'a Helm chart',
      template: chart({ env: { ...PD, WARM_PREFIX_TARGET: 0 } }),
      findings: [{ ...finding('Helm release Cni'), at: 'Cni:' }],
    },
    {
      name: 'the branch of Fn::If with it is named',
      template: either({ env: { ...PD, WARM_PREFIX_TARGET: '0' } }, { env: PD }),
      findings: [finding('IsProd is true')],
    },
    {
      name: 'beside a token, as CDK writes it',
      template: joined(
        `'{"env":{"ENI_CONFIG_LABEL_DEF":"'`,
        '!Ref Given',
        `'","ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"0"}}'`,
      ),
      findings: [finding()],
    },
  ],
  unverifiable: [
    {
      name: 'a target from a parameter',
      template: given({ env: { ...PD, WARM_PREFIX_TARGET: '${Given}' } }),
      resources: ['Cni'],
      because: 'WARM_PREFIX_TARGET',
    },
    {
      name: 'the switch from a parameter',
      template: given({ env: { ENABLE_PREFIX_DELEGATION: '${Given}', WARM_PREFIX_TARGET: '0' } }),
      resources: ['Cni'],
      because: 'whether prefix delegation is on',
    },
    {
      name: 'all values from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon('!Ref Given')),
      resources: ['Cni'],
    },
    {
      name: 'a target of 0 without the switch in an imported cluster, which may be IPv6',
      template: imported({ env: { WARM_PREFIX_TARGET: '0' } }),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'extraEnv that contradicts env',
      template: cni({
        env: { ...PD, WARM_PREFIX_TARGET: '0' },
        extraEnv: [{ name: 'WARM_PREFIX_TARGET', value: '1' }],
      }),
      resources: ['Cni'],
      because: 'second value',
    },
    {
      name: 'a target from a ConfigMap',
      template: cni({
        env: { ...PD, WARM_PREFIX_TARGET: '0' },
        extraEnv: [{ name: 'WARM_IP_TARGET', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }],
      }),
      resources: ['Cni'],
    },
  ],
  notApplicable: [
    { name: 'WARM_PREFIX_TARGET "0" without prefix delegation', template: env({ WARM_PREFIX_TARGET: '0' }) },
    {
      name: 'a switch that is no boolean is off',
      template: env({ ENABLE_PREFIX_DELEGATION: 'yes', WARM_PREFIX_TARGET: '0' }),
    },
    { name: 'prefix delegation off', template: env({ ENABLE_PREFIX_DELEGATION: 'false', WARM_PREFIX_TARGET: '0' }) },
    { name: 'no configuration values', template: resources(CLUSTER, cniAddon(undefined)) },
    {
      name: 'another add-on',
      template: resources(CLUSTER, cniAddon(json({ env: { ...PD, WARM_PREFIX_TARGET: '0' } }))).replace(
        'vpc-cni',
        'coredns',
      ),
    },
  ],
});
