import { defineRule } from '../../engine';
import {
  alternativesOf,
  casesOf,
  dataAt,
  Unknown,
  type BootCase,
  type NodeConfigs,
  type Plain,
  type When,
} from '../../eks';
import { clusterDnsAddressOf, dnsAddressOf } from '../../eks/user-data/node-config';
import { alignedCidr, cidrFamily, judgeServiceCidr } from '../../eks/user-data/service-cidr';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { correctedIn, judgeNodeConfigs, placeOfMerged, type NodeConfigBoot } from './parts/node-config-judgements';

/*
 * nodeadm makes the address of the cluster's DNS server out of the text of the service CIDR, and takes the IP family of the node
 * from it.
 * Source: awslabs/amazon-eks-ami, nodeadm/internal/api/net.go, tried; EKS API, KubernetesNetworkConfigRequest.
 */

const CODE = {
  cloudformation:
    'cidr: 172.20.0.0/16 # KubernetesNetworkConfig.ServiceIpv4Cidr of the cluster; IPv6: ${Cluster.KubernetesNetworkConfig.ServiceIpv6Cidr}',
  'aws-cdk':
    "cidr: '172.20.0.0/16', // the serviceIpv4Cidr of the cluster; `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk' fills it in",
  terraform: 'cidr = aws_eks_cluster.main.kubernetes_network_config[0].service_ipv4_cidr # or service_ipv6_cidr',
};

const FIX = {
  summary: 'Set the service CIDR of the cluster (not the CIDR of the VPC), exactly as EKS gives it.',
  code: CODE,
  safety: 'needs-decision',
  effect: NODES_ROLL,
  repairs: [{ kind: 'lines', field: 'userData' }],
} as const;

export const nodeConfigServiceCidr = defineRule<Message>({
  id: 'node-config-service-cidr',
  subject: 'node-bootstrap',
  title: 'The `cidr` of a NodeConfig is the service CIDR of the cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    invalid: {
      text: '{{where}}: the service CIDR "{{cidr}}" on line {{line}} of the user data {{problem}}. It can\'t be the one of an EKS cluster, so the nodes don\'t join or find no DNS server.',
      fix: FIX,
    },
    dns: {
      text: '{{where}}: the service CIDR "{{cidr}}" on line {{line}} of the user data makes nodes use {{nodes}} as DNS server, but CoreDNS answers on {{cluster}}. No pod on them can resolve a name.',
      fix: FIX,
    },
    family: {
      text: '{{where}}: the service CIDR "{{cidr}}" on line {{line}} of the user data is {{family}}, but the cluster is {{clusterFamily}}. The nodes register an address of the wrong family and get a DNS server that doesn\'t exist.',
      fix: FIX,
    },
  },
  *check(model) {
    yield* judgeNodeConfigs(model, judge);
  },
});

type Message = 'invalid' | 'dns' | 'family';

const PATH = ['spec', 'cluster', 'cidr'] as const;

function judge(context: NodeConfigBoot): readonly LaunchOutcome<Message>[] {
  const { boot, configs, isMerged } = context;
  const { merged } = configs;
  const cidr = dataAt(merged.data, ...PATH);
  if (
    isMerged ||
    merged.unknown !== undefined ||
    cidr instanceof Unknown ||
    typeof cidr !== 'string' ||
    cidr.trim() === ''
  )
    return [];
  const { when } = boot;
  const place = placeOfMerged(configs, PATH.join('.'));
  const reading = merged.origin(PATH)?.reading;
  const corrected = (range: string | undefined): Pick<LaunchOutcome<Message>, 'corrected'> =>
    range === undefined || reading === undefined ? {} : correctedIn(reading, reading.withValue(PATH.join('.'), range));
  const ofCluster = knownRange(boot);
  const fail = (
    message: Message,
    more: Readonly<Record<string, string>>,
    given: When,
    range: string | undefined,
    related: LaunchOutcome<Message>['related'] = [],
  ): readonly LaunchOutcome<Message>[] => [
    {
      verdict: 'fail',
      message,
      source: place.source,
      data: { line: place.line, cidr: cidr.slice(0, LONGEST_SHOWN), ...more },
      related,
      ...corrected(range),
      when: given,
    },
  ];
  const problem = judgeServiceCidr(cidr);
  if (problem !== undefined && problem.kind !== 'dns')
    return fail('invalid', { problem: problem.message }, when, ofCluster);
  const ownDns = hasOwnDns(configs);
  const nodes = dnsAddressOf(cidr);
  if (problem !== undefined && !ownDns)
    return fail(
      'dns',
      { nodes: nodes ?? '', cluster: clusterDnsAddressOf(cidr) ?? '' },
      when,
      ofCluster ?? alignedCidr(cidr),
    );
  const { cluster } = boot.boot.view;
  if (cluster === undefined) return passing(when);
  return casesOf(boot.boot.nodeGroup, { family: cluster.ipFamily, range: cluster.serviceIpv4Cidr }, when).flatMap(
    ({ when: given, values }) => {
      const family = cidrFamily(cidr);
      const clusterFamily = familyOf(values.family);
      if (clusterFamily === undefined) return passing(given);
      const related = [{ message: `the cluster is ${FAMILY_NAMES[clusterFamily]}`, source: values.family.source }];
      if (family !== clusterFamily)
        return fail(
          'family',
          { family: FAMILY_NAMES[family], clusterFamily: FAMILY_NAMES[clusterFamily] },
          given,
          ofCluster,
          related,
        );
      const answering =
        family === 'ipv4' && values.range.kind === 'known' ? clusterDnsAddressOf(values.range.value) : undefined;
      if (ownDns || answering === undefined || answering === nodes) return passing(given);
      return fail('dns', { nodes: nodes ?? '', cluster: answering }, given, ofCluster, [
        { message: 'the service CIDR of the cluster', source: values.range.source },
      ]);
    },
  );
}

/** The service range of the cluster where it is known in every case. */
function knownRange({ boot: { view } }: BootCase): string | undefined {
  const [first, ...others] = view.cluster === undefined ? [] : alternativesOf(view.cluster.serviceIpv4Cidr);
  return others.length === 0 && first?.value.kind === 'known' ? first.value.value : undefined;
}

const LONGEST_SHOWN = 60;

const FAMILY_NAMES = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** EKS's default is IPv4. */
function familyOf(family: Plain<string>): 'ipv4' | 'ipv6' | undefined {
  if (family.kind === 'absent') return 'ipv4';
  return family.kind === 'known' && (family.value === 'ipv4' || family.value === 'ipv6') ? family.value : undefined;
}

/** Whether kubelet is told of a DNS server besides; one that isn't known counts. */
function hasOwnDns({ merged }: NodeConfigs): boolean {
  const own = dataAt(merged.data, 'spec', 'kubelet', 'config', 'clusterDNS');
  if (own instanceof Unknown || (Array.isArray(own) && own.length > 0)) return true;
  const flags = dataAt(merged.data, 'spec', 'kubelet', 'flags');
  return (
    Array.isArray(flags) &&
    flags.some((flag) => flag instanceof Unknown || (typeof flag === 'string' && flag.includes('--cluster-dns')))
  );
}
