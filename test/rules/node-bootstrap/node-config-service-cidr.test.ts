import { nodeConfigServiceCidr } from '../../../lib/rules/node-bootstrap/node-config-service-cidr';
import { CLUSTER, cluster, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  clusterBlock,
  CONDITION,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

function cidr(text: string, ...more: readonly string[]): string {
  return mime(nodeConfigPart(clusterBlock({ cidr: `cidr: ${text}` }), ...more));
}

const IPV6 = cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }');
const RANGE = cluster("Version: '1.33'", 'KubernetesNetworkConfig: { ServiceIpv4Cidr: 10.96.0.0/16 }');
const FIXED = withOwnAmi(cidr('172.20.0.0/16'));

testRule(nodeConfigServiceCidr, {
  valid: [
    { name: 'a usual IPv4 range', template: FIXED },
    { name: 'an IPv6 range of an IPv6 cluster', template: withOwnAmi(cidr('fd00:abcd::/108'), IPV6) },
    { name: 'the range of the cluster', template: withOwnAmi(cidr('10.96.0.0/16'), RANGE) },
    { name: 'another mask with the same DNS address', template: withOwnAmi(cidr('10.96.0.0/20'), RANGE) },
    {
      name: 'a DNS server of its own makes up for an unaligned range',
      template: withOwnAmi(cidr('10.100.5.7/16', 'kubelet:\n  config: { clusterDNS: [10.100.0.10] }')),
    },
    {
      name: 'a DNS server in the flags does too',
      template: withOwnAmi(cidr('10.100.5.7/16', 'kubelet:\n  flags: ["--cluster-dns=10.100.0.10"]')),
    },
    {
      name: "a local DNS cache on another range than the cluster's",
      template: withOwnAmi(cidr('172.20.0.0/16', 'kubelet:\n  config: { clusterDNS: [169.254.20.10] }'), RANGE),
    },
    {
      name: 'a bad range that a later part overrides',
      template: withOwnAmi(
        mime(nodeConfigPart(clusterBlock({ cidr: 'cidr: 10.0.3.128/25' })), nodeConfigPart(clusterBlock())),
      ),
    },
    {
      name: 'a cluster that the input does not hold',
      template: resources(
        nodeGroup(USES_NODES).replace('!Ref Cluster', 'elsewhere'),
        booting(cidr('172.20.0.0/16'), OWN_AMI),
      ),
    },
    {
      name: 'the IP family of the cluster from a parameter without default',
      template: template(
        'Parameters:\n  Family: { Type: String }',
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !Ref Family }'),
        nodeGroup(USES_NODES),
        booting(cidr('172.20.0.0/16'), OWN_AMI),
      ),
    },
  ],
  invalid: [
    {
      name: 'no mask',
      template: withOwnAmi(cidr('172.20.0.0')),
      findings: [
        {
          message: 'invalid',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          related: ['LaunchTemplate:'],
          says: ['"172.20.0.0" on line 14', 'is no CIDR of the form'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'a base that is no boundary of a legal mask',
      template: withOwnAmi(cidr('10.100.5.7/16')),
      findings: [
        {
          message: 'dns',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          related: ['LaunchTemplate:'],
          says: ['use 10.100.5.10 as DNS server, but CoreDNS answers on 10.100.0.10'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'a mask that no service range can have',
      template: withOwnAmi(cidr('10.0.3.128/25')),
      findings: [{ message: 'invalid', severity: 'error', resource: 'Nodes', at: 'cidr:', says: ['/25 mask'] }],
    },
    {
      name: 'an address that is none',
      template: withOwnAmi(cidr('172.20.0.300/16')),
      findings: [{ message: 'invalid', severity: 'error', resource: 'Nodes', at: 'cidr:', says: ['is no IPv4 CIDR'] }],
    },
    {
      name: 'an IPv6 range that does not end in two colons',
      template: withOwnAmi(cidr("'fd00:abcd::1:0/108'"), IPV6),
      findings: [
        {
          message: 'dns',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          says: ['CoreDNS answers on fd00:abcd::a'],
        },
      ],
    },
    {
      name: 'an IPv4 range on an IPv6 cluster',
      template: withOwnAmi(cidr('172.20.0.0/16'), IPV6),
      findings: [
        {
          message: 'family',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          related: ['LaunchTemplate:', 'IpFamily: ipv6 }'],
          says: ['is IPv4, but the cluster is IPv6'],
        },
      ],
      fixed: withOwnAmi(cidr('fd00:abcd::/108'), IPV6),
    },
    {
      name: 'an IPv6 range on a cluster that says nothing',
      template: withOwnAmi(cidr('fd00:abcd::/108')),
      findings: [
        {
          message: 'family',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          says: ['is IPv6, but the cluster is IPv4'],
        },
      ],
    },
    {
      name: "another range than the cluster's",
      template: withOwnAmi(cidr('172.20.0.0/16'), RANGE),
      findings: [
        {
          message: 'dns',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          related: ['LaunchTemplate:', 'ServiceIpv4Cidr: 10.96.0.0/16 }'],
          says: ['172.20.0.10', '10.96.0.10'],
        },
      ],
      fixed: withOwnAmi(cidr('10.96.0.0/16'), RANGE),
    },
    {
      name: 'a self-managed group by a literal name of the cluster',
      template: resources(
        cluster('Name: main', "Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }'),
        SELF_MANAGED,
        booting(nodeConfig(clusterBlock()), OWN_AMI),
      ),
      findings: [{ message: 'family', severity: 'error', resource: 'Nodes', at: 'cidr:', says: ['line 8'] }],
    },
    {
      name: 'the IP family of a condition',
      template: template(
        CONDITION,
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProduction, ipv6, ipv4] }'),
        nodeGroup(USES_NODES),
        booting(cidr('172.20.0.0/16'), OWN_AMI),
      ),
      findings: [
        {
          message: 'family',
          severity: 'error',
          resource: 'Nodes',
          at: 'cidr:',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'a DNS server of its own does not change the IP family',
      template: withOwnAmi(cidr('172.20.0.0/16', "kubelet:\n  config: { clusterDNS: ['fd00::a'] }"), IPV6),
      findings: [{ message: 'family', severity: 'error', resource: 'Nodes', at: 'cidr:' }],
    },
    {
      name: 'a range of which only the last part counts',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock()), nodeConfigPart('cluster:\n  cidr: 10.100.5.7/16'))),
      findings: [{ message: 'dns', severity: 'error', resource: 'Nodes', at: 'cidr: 10.100.5.7/16' }],
    },
  ],
  unverifiable: [
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'a range that is decided at deployment',
      template: withOwnAmi(cidr('${Cluster.KubernetesNetworkConfig.ServiceIpv6Cidr}'), IPV6),
    },
    { name: 'a range where EKS sets it anew', template: withEksAmi(cidr('10.100.5.7/16')) },
    { name: 'no range', template: withOwnAmi(mime(nodeConfigPart(clusterBlock({ cidr: '' })))) },
    { name: 'a list is told by another rule', template: withOwnAmi(cidr('[172.20.0.0/16]')) },
  ],
});
