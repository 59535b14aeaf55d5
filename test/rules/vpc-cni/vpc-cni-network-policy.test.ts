import { vpcCniNetworkPolicy } from '../../../lib/rules/vpc-cni/vpc-cni-network-policy';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { CLUSTER, resources, template } from '../node-templates';
import { chart, cni, cniAddon, either, env, given, json, PARAMETER } from './cni-addon-templates';

const ON = { enableNetworkPolicy: 'true' };

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: message === 'strict-without-policies' ? 'warning' : 'error',
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
});

testRule(vpcCniNetworkPolicy, {
  valid: [
    { name: 'network policies on', template: cni(ON) },
    { name: 'with strict mode', template: cni({ ...ON, env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } }) },
    {
      name: 'with the agent, and its settings',
      template: cni({ ...ON, nodeAgent: { enabled: true, enableCloudWatchLogs: 'true' } }),
    },
    {
      name: 'with a bandwidth plugin that is off',
      template: cni({ ...ON, env: { ENABLE_BANDWIDTH_PLUGIN: 'false' } }),
    },
    {
      name: 'network policies off, with the bandwidth plugin and without the agent',
      template: cni({
        enableNetworkPolicy: 'false',
        nodeAgent: { enabled: false },
        env: { ENABLE_BANDWIDTH_PLUGIN: 'true' },
      }),
    },
    { name: 'network policies from a parameter, with defaults', template: given({ enableNetworkPolicy: '${Given}' }) },
  ],
  invalid: [
    {
      name: 'the bandwidth plugin keeps policies from being enforced',
      template: cni({ ...ON, env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } }),
      fixed: cni(ON),
      findings: [finding('bandwidth-plugin', 'ENABLE_BANDWIDTH_PLUGIN', 'not enforced')],
    },
    {
      name: 'the plugin as extraEnv',
      template: cni({ ...ON, extraEnv: [{ name: 'ENABLE_BANDWIDTH_PLUGIN', value: '1' }] }),
      findings: [finding('bandwidth-plugin')],
    },
    {
      name: 'network policies without the agent',
      template: cni({ ...ON, nodeAgent: { enabled: false } }),
      fixed: cni(ON),
      findings: [finding('no-agent', 'nodeAgent.enabled is false')],
    },
    {
      name: 'both',
      template: cni({ ...ON, nodeAgent: { enabled: false }, env: { ENABLE_BANDWIDTH_PLUGIN: 't' } }),
      findings: [finding('bandwidth-plugin'), finding('no-agent')],
    },
    {
      name: 'strict mode while network policies are off by default',
      template: env({ NETWORK_POLICY_ENFORCING_MODE: 'strict' }),
      fixed: cni({ ...ON, env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } }),
      findings: [finding('strict-without-policies', 'NETWORK_POLICY_ENFORCING_MODE to strict')],
    },
    {
      name: 'strict mode while network policies are off',
      template: cni({ enableNetworkPolicy: 'false', env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } }),
      findings: [finding('strict-without-policies')],
    },
    {
      name: 'a switch that is no boolean is off',
      template: cni({ enableNetworkPolicy: 'enabled', env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } }),
      findings: [finding('strict-without-policies')],
    },
    {
      name: 'a Helm chart',
      template: chart({ enableNetworkPolicy: true, env: { ENABLE_BANDWIDTH_PLUGIN: true } }),
      findings: [{ ...finding('bandwidth-plugin', 'Helm release Cni'), at: 'Cni:' }],
    },
    {
      name: 'the branch of Fn::If with it is named',
      template: either(ON, { ...ON, env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } }),
      findings: [finding('bandwidth-plugin', 'IsProd is false')],
    },
  ],
  unverifiable: [
    {
      name: 'the plugin from a parameter',
      template: given({ ...ON, env: { ENABLE_BANDWIDTH_PLUGIN: '${Given}' } }),
      resources: ['Cni'],
      because: 'ENABLE_BANDWIDTH_PLUGIN',
    },
    {
      name: 'network policies from a parameter, with the plugin',
      template: given({ enableNetworkPolicy: '${Given}', env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } }),
      resources: ['Cni'],
      because: 'whether network policies are on',
    },
    {
      name: 'strict mode from a parameter',
      template: given({ env: { NETWORK_POLICY_ENFORCING_MODE: '${Given}' } }),
      resources: ['Cni'],
      because: 'NETWORK_POLICY_ENFORCING_MODE',
    },
    {
      name: 'all values from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon('!Ref Given')),
      resources: ['Cni'],
    },
  ],
  notApplicable: [
    {
      name: 'nothing about network policies',
      template: env({ ENABLE_BANDWIDTH_PLUGIN: 'true', NETWORK_POLICY_ENFORCING_MODE: 'standard' }),
    },
    { name: 'no configuration values', template: resources(CLUSTER, cniAddon(undefined)) },
    {
      name: 'another add-on',
      template: resources(CLUSTER, cniAddon(json({ ...ON, nodeAgent: { enabled: false } }))).replace(
        'vpc-cni',
        'coredns',
      ),
    },
  ],
});
