import { vpcCniExtraEnv } from '../../../lib/rules/vpc-cni/vpc-cni-extra-env';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { CLUSTER, resources, template } from '../node-templates';
import { chart, cni, cniAddon, CURRENT, either, given, imported, ipv6, json, PARAMETER } from './cni-addon-templates';

const SEVERITIES: Readonly<Record<string, ExpectedFinding['severity']>> = {
  'ip-family': 'error',
  'belongs-to-env': 'info',
};

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: SEVERITIES[message] ?? 'warning',
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
});

const extra = (...variables: unknown[]) => ({ extraEnv: variables });
const DEMUX = extra({ name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' });
const one = (name: string, value: unknown) => extra({ name, value });

testRule(vpcCniExtraEnv, {
  valid: [
    { name: 'a variable that env has no place for', template: cni(one('HTTP_TIMEOUT', '20')) },
    {
      name: 'what a library in the CNI reads',
      template: cni(
        extra(
          { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
          { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' },
        ),
      ),
    },
    {
      name: 'a value from a Secret',
      template: cni(extra({ name: 'PROXY', valueFrom: { secretKeyRef: { name: 'proxy', key: 'url' } } })),
    },
    { name: 'a name without a value is an empty one', template: cni(extra({ name: 'AWS_CA_BUNDLE' })) },
    {
      name: 'a variable whose key the version does not have yet',
      template: cni(one('ENABLE_MULTI_NIC', 'true'), 'v1.19.0-eksbuild.1'),
    },
    { name: 'a value from a parameter', template: given(one('HTTP_TIMEOUT', '${Given}')) },
    { name: 'a chart takes any variable that it does not bring', template: chart(one('WARM_IP_TARGET', '5')) },
  ],
  invalid: [
    {
      name: 'the init container does not get it',
      template: cni(one('DISABLE_TCP_EARLY_DEMUX', 'true')),
      fixed: cni({
        init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
        extraEnv: [{ name: 'HTTP_TIMEOUT', value: '20' }],
      }),
      findings: [finding('init-container', 'DISABLE_TCP_EARLY_DEMUX', 'no effect')],
    },
    {
      name: 'a variable that EKS puts on the container stands twice',
      template: cni(one('ENABLE_PREFIX_DELEGATION', 'true')),
      findings: [finding('twice', 'ENABLE_PREFIX_DELEGATION', 'from the add-on')],
    },
    {
      name: 'a variable that env sets as well',
      template: cni({ env: { WARM_IP_TARGET: '2' }, ...one('WARM_IP_TARGET', '5') }),
      findings: [finding('twice', 'from env')],
    },
    {
      name: 'a variable that EKS does not write works, but unchecked',
      template: cni(one('WARM_IP_TARGET', '5')),
      findings: [finding('belongs-to-env', 'env.WARM_IP_TARGET')],
    },
    {
      name: 'the other IP family',
      template: cni(one('ENABLE_IPv6', 'true')),
      findings: [finding('ip-family', 'ENABLE_IPv6', '"true"', 'IPv4 cluster')],
    },
    {
      name: 'no IPv4 in an IPv4 cluster',
      template: cni(one('ENABLE_IPv4', '0')),
      findings: [finding('ip-family', 'ENABLE_IPv4')],
    },
    {
      name: 'IPv4 in an IPv6 cluster',
      template: ipv6(one('ENABLE_IPv4', 'true')),
      findings: [finding('ip-family', 'IPv6 cluster')],
    },
    {
      name: 'the right family, which EKS sets already',
      template: cni(one('ENABLE_IPv4', 'true')),
      findings: [finding('service-managed', 'ENABLE_IPv4')],
    },
    {
      name: 'a family in an imported cluster',
      template: imported(one('ENABLE_IPv6', 'true')),
      findings: [finding('service-managed', 'ENABLE_IPv6')],
    },
    {
      name: 'the name of the cluster',
      template: cni(one('CLUSTER_NAME', 'main')),
      findings: [finding('service-managed', 'CLUSTER_NAME', 'probably fails')],
    },
    {
      name: 'a value that is no text',
      template: cni(one('HTTP_TIMEOUT', 20)),
      fixed: cni(one('HTTP_TIMEOUT', '20')),
      findings: [finding('no-variable', 'item 1', 'HTTP_TIMEOUT a value that is no text')],
    },
    {
      name: 'items without a name',
      template: cni(extra({ name: 'A', value: 'b' }, { HTTP_TIMEOUT: '20' })),
      findings: [finding('no-variable', 'item 2', 'has no name')],
    },
    {
      name: 'pods with their own security groups in mode standard',
      template: cni({ env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' }, ...DEMUX }),
      findings: [finding('init-container')],
    },
    {
      name: 'pods with their own security groups, and the init container has it too',
      template: cni({ env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } }, ...DEMUX }),
      findings: [finding('init-container')],
    },
    {
      name: 'pods with their own security groups in the other branch',
      template: either({ env: { ENABLE_POD_ENI: 'true' }, ...DEMUX }, DEMUX),
      findings: [finding('init-container', 'IsProd is false')],
    },
    {
      name: 'another defect beside the one that probes suffer from',
      template: cni({
        env: { ENABLE_POD_ENI: 'true' },
        extraEnv: [...DEMUX.extraEnv, { name: 'CLUSTER_NAME', value: 'a' }],
      }),
      findings: [finding('service-managed')],
    },
    {
      name: 'two defects are two findings',
      template: cni(extra({ name: 'CLUSTER_NAME', value: 'a' }, { name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' })),
      findings: [finding('service-managed'), finding('init-container')],
    },
    {
      name: 'a chart that brings the variable',
      template: chart(one('WARM_ENI_TARGET', '2')),
      findings: [{ ...finding('twice', 'Helm release Cni', 'from the chart'), at: 'Cni:' }],
    },
    {
      name: 'a chart whose init container reads the variable',
      template: chart(one('DISABLE_TCP_EARLY_DEMUX', 'true')),
      findings: [{ ...finding('init-container'), at: 'Cni:' }],
    },
    {
      name: 'the branch of Fn::If with it is named',
      template: either(one('HTTP_TIMEOUT', '20'), one('CLUSTER_NAME', 'main')),
      findings: [finding('service-managed', 'IsProd is false')],
    },
  ],
  unverifiable: [
    { name: 'a name from a parameter', template: given(one('${Given}', '1')), resources: ['Cni'], because: 'item 1' },
    {
      name: 'all values from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon('!Ref Given')),
      resources: ['Cni'],
    },
    {
      name: 'a key that not every version has, with a version from a parameter',
      template: template(PARAMETER, CLUSTER, cniAddon(json(one('ENABLE_MULTI_NIC', 'true')), '!Ref Given')),
      resources: ['Cni'],
      because: 'Given',
    },
  ],
  notApplicable: [
    {
      name: 'probes suffer from it, which another rule tells',
      template: cni({ env: { ENABLE_POD_ENI: 'true' }, ...DEMUX }),
    },
    { name: 'no extraEnv', template: cni({ env: { ENABLE_POD_ENI: 'true' } }) },
    { name: 'an empty list', template: cni(extra()) },
    {
      name: 'another add-on',
      template: resources(CLUSTER, cniAddon(json(one('CLUSTER_NAME', 'main')), CURRENT)).replace('vpc-cni', 'coredns'),
    },
  ],
});
