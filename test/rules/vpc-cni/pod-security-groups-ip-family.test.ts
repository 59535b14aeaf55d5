import { podSecurityGroupsIpFamily } from '../../../lib/rules/vpc-cni/pod-security-groups-ip-family';
import { CLUSTER, cluster, helmChart, manifest, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { cni, cniWith, FARGATE, IPV6_CLUSTER, POD_ENI } from './pod-eni-templates';

const OLD = 'v1.15.1-eksbuild.1';
const CONDITION = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const OLD_CLUSTER = cluster("Version: '1.27'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }');
const FINDING = { message: 'refused', severity: 'error', resource: 'Cni', at: 'AddonVersion' } as const;
const IMPORTED = (block: string) => block.replaceAll('!Ref Cluster', 'main');

testRule(podSecurityGroupsIpFamily, {
  valid: [
    { name: 'IPv6 with a version that takes both', template: resources(IPV6_CLUSTER, cni(POD_ENI)) },
    {
      name: 'IPv6 with the first version that does',
      template: resources(OLD_CLUSTER, cni(POD_ENI, 'v1.16.0-eksbuild.1')),
    },
    { name: 'an old version in an IPv4 cluster', template: resources(cluster("Version: '1.27'"), cni(POD_ENI, OLD)) },
    { name: 'an imported cluster with a version that takes both', template: resources(IMPORTED(cni(POD_ENI))) },
    {
      name: 'no version, in a cluster for which EKS offers new ones only',
      template: resources(IPV6_CLUSTER, cni(POD_ENI, '')),
    },
    {
      name: 'IPv6 in one branch, the old version in the other',
      template: template(
        CONDITION,
        cluster("Version: '1.27'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProd, ipv6, ipv4] }'),
        cni(POD_ENI, `!If [IsProd, v1.18.0-eksbuild.1, ${OLD}]`),
      ),
    },
  ],
  invalid: [
    {
      name: 'IPv6 with an old version',
      template: resources(OLD_CLUSTER, cni(POD_ENI, OLD)),
      fixed: resources(OLD_CLUSTER, cni(POD_ENI, 'v1.18.0-eksbuild.1')),
      findings: [{ ...FINDING, says: [OLD, 'Cluster', 'Add-on Cni'] }],
    },
    {
      name: 'the last version that refuses',
      template: resources(OLD_CLUSTER, cni(POD_ENI, 'v1.15.5-eksbuild.1')),
      findings: [FINDING],
    },
    {
      name: 'one branch of the version',
      template: template(CONDITION, OLD_CLUSTER, cni(POD_ENI, `!If [IsProd, v1.18.0-eksbuild.1, ${OLD}]`)),
      findings: [{ ...FINDING, at: `AddonVersion`, says: ['IsProd is false'] }],
    },
    {
      name: 'one branch of the IP family',
      template: template(
        CONDITION,
        cluster("Version: '1.27'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProd, ipv6, ipv4] }'),
        cni(POD_ENI, OLD),
      ),
      findings: [{ ...FINDING, says: ['IsProd is true'] }],
    },
    {
      name: 'an add-on under a condition does not name it',
      template: template(CONDITION, OLD_CLUSTER, onCondition('IsProd', cni(POD_ENI, OLD))),
      findings: [{ ...FINDING, omits: ['This happens when'] }],
    },
    {
      name: 'Fargate next to node groups',
      template: resources(OLD_CLUSTER, cni(POD_ENI, OLD), FARGATE, nodeGroup('InstanceTypes: [m5.large]')),
      findings: [FINDING],
    },
    {
      name: 'Fargate next to Karpenter',
      template: resources(
        OLD_CLUSTER,
        cni(POD_ENI, OLD),
        FARGATE,
        manifest('Pool', { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'main' } }),
      ),
      findings: [FINDING],
    },
  ],
  unverifiable: [
    {
      name: 'an imported cluster with an old version',
      template: resources(IMPORTED(cni(POD_ENI, OLD))),
      resources: ['Cni'],
      because: 'IP family',
    },
    {
      name: 'a version from a parameter',
      template: template(PARAMETER, IPV6_CLUSTER, cni(POD_ENI, '!Ref P')),
      resources: ['Cni'],
      because: 'version',
    },
    {
      name: 'whether ENABLE_POD_ENI is on',
      template: template(PARAMETER, OLD_CLUSTER, cniWith(['ConfigurationValues: !Ref P'], OLD)),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'no version, and an old cluster',
      template: resources(OLD_CLUSTER, cni(POD_ENI, '')),
      resources: ['Cni'],
      because: 'pins no version',
    },
    {
      name: 'a Helm release',
      template: resources(IPV6_CLUSTER, helmChart('Cni', 'aws-vpc-cni', POD_ENI)),
      resources: ['Cni'],
      because: 'Helm',
    },
  ],
  notApplicable: [
    { name: 'ENABLE_POD_ENI is off', template: resources(OLD_CLUSTER, cni({}, OLD)) },
    { name: 'Fargate only', template: resources(OLD_CLUSTER, cni(POD_ENI, OLD), FARGATE) },
    {
      name: 'Auto Mode only',
      template: resources(
        cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }', 'KubernetesNetworkConfig: { IpFamily: ipv6 }'),
        cni(POD_ENI, OLD),
      ),
    },
    { name: 'no add-on', template: resources(IPV6_CLUSTER) },
    { name: 'another add-on', template: resources(IPV6_CLUSTER, cni(POD_ENI, OLD).replace('vpc-cni', 'coredns')) },
    {
      name: 'whether ENABLE_POD_ENI is on does not matter in an IPv4 cluster',
      template: template(PARAMETER, CLUSTER, cniWith(['ConfigurationValues: !Ref P'], OLD)),
    },
  ],
});
