import { vpcCniEnvValues } from '../../../lib/rules/vpc-cni/vpc-cni-env-values';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { CLUSTER, onCondition, resources, template } from '../node-templates';
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
  STAGES,
} from './cni-addon-templates';

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: message === 'exits' || message === 'stops' ? 'error' : 'warning',
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
});
const passes = (name: string, variables: Record<string, unknown>, version?: string) => ({
  name,
  template: env(variables, version),
});
const exits = (name: string, variables: Record<string, unknown>, ...says: string[]) => ({
  name,
  template: env(variables),
  findings: [finding('exits', ...says)],
});
const ignored = (name: string, variables: Record<string, unknown>, ...says: string[]) => ({
  name,
  template: env(variables),
  findings: [finding('ignored', ...says)],
});

testRule(vpcCniEnvValues, {
  valid: [
    passes('"1" is a boolean to the CNI', { ENABLE_POD_ENI: '1' }),
    passes('so are T, f and False', { ENABLE_POD_ENI: 'T', DISABLE_METRICS: 'f', DISABLE_INTROSPECTION: 'False' }),
    passes('an empty text for a boolean, a number or a list is as good as none', {
      ENABLE_POD_ENI: '',
      WARM_IP_TARGET: '',
      AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS: '',
      ADDITIONAL_ENI_TAGS: '',
    }),
    passes('log levels are read in any case', {
      AWS_VPC_K8S_CNI_LOGLEVEL: 'info',
      AWS_VPC_K8S_PLUGIN_LOG_LEVEL: 'Warn',
    }),
    passes('a prefix of four characters', { AWS_VPC_K8S_CNI_VETHPREFIX: 'veth' }),
    passes('a prefix that begins like a reserved one', { AWS_VPC_K8S_CNI_VETHPREFIX: 'eth1' }),
    passes('WARM_PREFIX_TARGET "0" without prefix delegation', { WARM_PREFIX_TARGET: '0' }),
    passes('prefix delegation without a target is told by a rule of its own', {
      ENABLE_PREFIX_DELEGATION: 'true',
      WARM_PREFIX_TARGET: '-1',
    }),
    passes('MAX_ENI "0" is documented as not set', { MAX_ENI: '0' }),
    passes('a cool-down of 0 seconds is accepted', { IP_COOLDOWN_PERIOD: '0' }),
    passes('CIDRs with blanks and a trailing comma', {
      AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS: '10.0.0.0/8, 192.168.4.1/24,',
    }),
    passes('tags as JSON text', { ADDITIONAL_ENI_TAGS: '{"team":"net","empty":""}' }),
    passes('both enforcing modes', { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' }),
    passes('stdout as the log file of ipamd, which only the plugin must not have', {
      AWS_VPC_K8S_CNI_LOG_FILE: 'stdout',
      WARM_IP_TARGET: '2',
    }),
    passes('the smallest MTU of IPv4', { AWS_VPC_ENI_MTU: '576' }),
    {
      name: 'an MTU that both families take, in an imported cluster',
      template: imported({ env: { AWS_VPC_ENI_MTU: '1500' } }),
    },
    { name: 'prefix delegation off in an IPv4 cluster', template: env({ ENABLE_PREFIX_DELEGATION: 'false' }) },
    { name: 'prefix delegation left to EKS in an IPv6 cluster', template: ipv6({ env: { WARM_PREFIX_TARGET: '1' } }) },
    {
      name: 'prefix delegation on in an imported cluster',
      template: imported({ env: { ENABLE_PREFIX_DELEGATION: '1' } }),
    },
    { name: 'an MTU within the range of IPv6', template: ipv6({ env: { POD_MTU: '1280' } }) },
    { name: 'the init container', template: cni({ init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } }) },
    {
      name: 'texts that are switches outside of env',
      template: cni({ enableNetworkPolicy: 'true', nodeAgent: { enablePolicyEventLogs: 'FALSE' } }),
    },
    {
      name: 'a mark in hexadecimal, through extraEnv',
      template: cni({ extraEnv: [{ name: 'AWS_VPC_K8S_CNI_CONNMARK', value: '0x80' }] }),
    },
    {
      name: 'real booleans and numbers in a Helm chart, which quotes them',
      template: chart({
        env: { ENABLE_POD_ENI: true, WARM_IP_TARGET: 2, AWS_VPC_K8S_CNI_CONNMARK: '0x80' },
        enableNetworkPolicy: true,
      }),
    },
    {
      name: 'an enforcing mode of a Helm chart that the CNI takes and the add-on would not',
      template: chart({ env: { NETWORK_POLICY_ENFORCING_MODE: 'none', ENABLE_POD_ENI: 'true' } }),
    },
    {
      name: 'a token beside good values in a variable that takes any text',
      template: given({ env: { ENABLE_POD_ENI: 'true', ENI_CONFIG_LABEL_DEF: '${Given}' } }),
    },
  ],
  invalid: [
    {
      name: '"yes" is no boolean: the default is used',
      template: env({ ENABLE_POD_ENI: 'yes' }),
      fixed: env({ ENABLE_POD_ENI: 'true' }),
      findings: [finding('ignored', 'Add-on Cni', 'env.ENABLE_POD_ENI', '"yes"', 'is no boolean', 'default, "false"')],
    },
    {
      name: 'prefix delegation off in an IPv6 cluster, which works with prefixes only',
      template: ipv6({ env: { ENABLE_PREFIX_DELEGATION: 'false' } }),
      fixed: ipv6({ env: { ENABLE_PREFIX_DELEGATION: 'true' } }),
      findings: [
        {
          ...finding(
            'stops',
            'env.ENABLE_PREFIX_DELEGATION',
            '"false"',
            'what an IPv6 cluster needs',
            'never becomes ready',
          ),
        },
      ],
    },
    {
      name: 'there a text that is no boolean turns it off, too',
      template: ipv6({ env: { ENABLE_PREFIX_DELEGATION: 'on' } }),
      findings: [finding('stops', '"on"', 'no boolean')],
    },
    ignored('a blank makes it none', { ENABLE_PREFIX_DELEGATION: 'true ' }, '"true "'),
    ignored('mixed case makes it none', { ENABLE_POD_ENI: 'tRue' }, '"tRue"'),
    ignored('a switch that is on by default stays on', { AWS_VPC_CNI_NODE_PORT_SUPPORT: 'off' }, 'default, "true"'),
    ignored('a number with a unit is none', { WARM_IP_TARGET: '5 addresses' }, 'is no integer', 'counts it as not set'),
    ignored('nor is a fraction', { WARM_ENI_TARGET: '1.5' }, 'default, "1"'),
    ignored('nor a number that no integer can hold', { WARM_ENI_TARGET: '99999999999999999999' }, 'is no integer'),
    ignored('a target below 0', { WARM_IP_TARGET: '-1' }, 'begins at 0', 'counts it as not set'),
    ignored(
      'a text that is none of the values',
      { AWS_VPC_K8S_CNI_RANDOMIZESNAT: 'PRNG' },
      'none of its values',
      'default, "prng"',
    ),
    ignored('a log level that does not exist', { AWS_VPC_K8S_CNI_LOGLEVEL: 'WARNING' }, '"WARNING"'),
    ignored('tags that are no JSON', { ADDITIONAL_ENI_TAGS: 'team=net' }, 'is no JSON', 'adds no tags'),
    ignored('tags as a list', { ADDITIONAL_ENI_TAGS: '["team"]' }, 'is no JSON object'),
    ignored('a tag that is a number', { ADDITIONAL_ENI_TAGS: '{"cost":42}' }, '"cost"', 'no text', 'adds no tags'),
    ignored(
      'a reserved tag',
      { ADDITIONAL_ENI_TAGS: '{"cluster.k8s.amazonaws.com/name":"main"}' },
      'reserved',
      'leaves that tag out',
    ),
    ignored(
      'a tag longer than EC2 allows',
      { ADDITIONAL_ENI_TAGS: JSON.stringify({ ['t'.repeat(129)]: 'x' }) },
      'too long',
      '128',
    ),
    ignored(
      'an IPv6 range among those without SNAT',
      { AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS: '10.0.0.0/8,fd00::/8' },
      '"fd00::/8"',
      'leaves it out',
    ),
    ignored(
      'an address without a mask, and others',
      { AWS_EXTERNAL_SERVICE_CIDRS: '10.0.0.1,10.0.0.0/33,10.0.0/8,010.0.0.0/8,10.256.0.0/16' },
      '"10.0.0.1"',
      'and 4 more',
    ),
    {
      name: 'a prefix of five characters stops aws-node',
      template: env({ AWS_VPC_K8S_CNI_VETHPREFIX: 'vethx' }),
      fixed: env({ AWS_VPC_K8S_CNI_VETHPREFIX: 'vet' }),
      findings: [finding('exits', '"vethx"', 'longer than 4', 'CrashLoopBackOff')],
    },
    exits('a reserved prefix', { AWS_VPC_K8S_CNI_VETHPREFIX: 'eth' }, 'not allowed'),
    exits('characters of more than one byte count as such', { AWS_VPC_K8S_CNI_VETHPREFIX: 'äöü' }, 'longer than 4'),
    exits(
      'stdout as the log file of the plugin',
      { AWS_VPC_K8S_PLUGIN_LOG_FILE: 'stdout' },
      'AWS_VPC_K8S_PLUGIN_LOG_FILE',
    ),
    exits('a cool-down that is no number', { IP_COOLDOWN_PERIOD: '30s' }, '"30s"'),
    exits('a cool-down below 0', { IP_COOLDOWN_PERIOD: '-1' }, 'begins at 0'),
    exits('an empty MTU, which must be a number', { AWS_VPC_ENI_MTU: '' }, 'is empty'),
    exits('an MTU above the jumbo frame', { POD_MTU: '9500' }, '576 to 9001'),
    {
      name: 'an MTU that IPv6 does not take',
      template: ipv6({ env: { AWS_VPC_ENI_MTU: '1000' } }),
      findings: [finding('exits', '1280 to 9001')],
    },
    {
      name: 'an MTU that no family takes, in an imported cluster',
      template: imported({ env: { AWS_VPC_ENI_MTU: '100' } }),
      findings: [finding('exits', '"100"')],
    },
    {
      name: 'before v1.16.4 a wrong MTU was only corrected',
      template: env({ AWS_VPC_ENI_MTU: '9500' }, 'v1.16.3-eksbuild.2'),
      findings: [finding('ignored', 'nearest MTU')],
    },
    exits(
      'a mode in the wrong case, with security groups for pods',
      { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'Standard' },
      '"Standard"',
    ),
    {
      name: 'the same without them stops nothing yet',
      template: env({ POD_SECURITY_GROUP_ENFORCING_MODE: 'Standard' }),
      findings: [finding('exits-later', 'As soon as ENABLE_POD_ENI')],
    },
    {
      name: 'two wrong values are two findings',
      template: env({ ENABLE_POD_ENI: 'on', AWS_VPC_K8S_CNI_VETHPREFIX: 'lo' }),
      findings: [finding('ignored', 'ENABLE_POD_ENI'), finding('exits', 'VETHPREFIX')],
    },
    {
      name: 'a value of the init container',
      template: cni({ init: { env: { DISABLE_TCP_EARLY_DEMUX: 'yes' } } }),
      findings: [finding('ignored', 'init.env.DISABLE_TCP_EARLY_DEMUX')],
    },
    {
      name: 'a switch outside of env',
      template: cni({ enableNetworkPolicy: 'enabled' }),
      findings: [finding('ignored', 'enableNetworkPolicy', '"enabled"')],
    },
    {
      name: 'a variable that only extraEnv can set',
      template: cni({ extraEnv: [{ name: 'HTTP_TIMEOUT', value: '20s' }] }),
      findings: [finding('ignored', 'extraEnv HTTP_TIMEOUT', '"20s"')],
    },
    {
      name: 'a Helm chart is judged too',
      template: chart({ env: { AWS_VPC_K8S_CNI_VETHPREFIX: 'vlan' } }),
      findings: [{ ...finding('exits', 'Helm release Cni'), at: 'Cni:' }],
    },
    {
      name: 'a wrong value beside a token, as CDK writes it',
      template: joined(`'{"env":{"ENI_CONFIG_LABEL_DEF":"'`, '!Ref Given', `'","ENABLE_POD_ENI":"on"}}'`),
      findings: [finding('ignored', '"on"')],
    },
    {
      name: 'the branch of Fn::If with the wrong value is named',
      template: either({ env: { ENABLE_POD_ENI: 'true' } }, { env: { ENABLE_POD_ENI: 'yes' } }),
      findings: [finding('ignored', 'IsProd is false')],
    },
    {
      name: 'what both branches have wrong is said once',
      template: either({ env: { ENABLE_POD_ENI: 'yes', WARM_IP_TARGET: '2' } }, { env: { ENABLE_POD_ENI: 'yes' } }),
      findings: [{ ...finding('ignored', '"yes"'), omits: ['IsProd'] }],
    },
    {
      name: 'an add-on under a condition',
      template: template(STAGES, CLUSTER, onCondition('IsProd', cniAddon(json({ env: { ENABLE_POD_ENI: 'yes' } })))),
      findings: [{ ...finding('ignored'), omits: ['IsProd'] }],
    },
  ],
  unverifiable: [
    {
      name: 'a boolean from a parameter',
      template: given({ env: { ENABLE_POD_ENI: '${Given}' } }),
      resources: ['Cni'],
      because: 'env.ENABLE_POD_ENI',
    },
    {
      name: 'all values from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon('!Ref Given')),
      resources: ['Cni'],
      because: 'configuration values are not known',
    },
    {
      name: 'a key from a parameter',
      template: given({ env: { '${Given}': 'yes' } }),
      resources: ['Cni'],
      because: '${Given}',
    },
    {
      name: 'prefix delegation off in an imported cluster, which may be one for IPv6',
      template: imported({ env: { ENABLE_PREFIX_DELEGATION: 'false' } }),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'an MTU that only IPv4 takes, in an imported cluster',
      template: imported({ env: { AWS_VPC_ENI_MTU: '1000' } }),
      resources: ['Cni'],
      because: 'IP family',
    },
  ],
  notApplicable: [
    { name: 'an add-on without configuration values', template: resources(CLUSTER, cniAddon(undefined)) },
    { name: 'a cluster without a CNI in the input', template: resources(CLUSTER) },
    {
      name: 'values that the schema refuses: wrong types',
      template: env({ ENABLE_POD_ENI: true, WARM_IP_TARGET: 2, ADDITIONAL_ENI_TAGS: { team: 'net' } }),
    },
    {
      name: 'values that the schema refuses: its own lists',
      template: env({ NETWORK_POLICY_ENFORCING_MODE: 'Strict', ENABLE_MULTI_NIC: '1' }),
    },
    {
      name: 'values that the schema refuses: keys of other places and versions',
      template: env({ DISABLE_TCP_EARLY_DEMUX: 'yes', WARM_IP_TARGET: 'two', ENABLE_POD: 'yes' }, 'v1.11.0-eksbuild.1'),
    },
    { name: 'another add-on', template: cni({ env: { ENABLE_POD_ENI: 'yes' } }).replace('vpc-cni', 'coredns') },
  ],
});
