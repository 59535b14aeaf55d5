import { bootstrapScriptArguments } from '../../../lib/rules/node-bootstrap/bootstrap-script-arguments';
import { cluster, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  CERTIFICATE,
  clusterBlock,
  CONDITION,
  IMAGES,
  mime,
  nodeConfigPart,
  OWN_AMI,
  part,
  SELF_MANAGED,
  shellPart,
  userData,
} from './user-data-templates';

const VERSION = "Version: '1.32'";
const CLUSTER = cluster(VERSION);
const CUSTOM_RANGE = cluster(VERSION, 'KubernetesNetworkConfig: { ServiceIpv4Cidr: 10.96.0.0/16 } # range');
const IPV6 = cluster(VERSION, 'KubernetesNetworkConfig: { IpFamily: ipv6 } # family');
const ENDPOINT = '--apiserver-endpoint https://0123.gr7.eu-west-1.eks.amazonaws.com';
const CA = `--b64-cluster-ca ${CERTIFICATE}`;
const PAIR = `${ENDPOINT} ${CA}`;

const script = (...lines: readonly string[]): string => ['#!/bin/bash', ...lines].join('\n');
const call = (args: string): string => `/etc/eks/bootstrap.sh ${args}`.trim();

/** A managed group with the public AMI of AL2 and a script of these lines. */
function al2(...lines: readonly string[]): string {
  return al2Of(CLUSTER, ...lines);
}

function al2Of(its: string, ...lines: readonly string[]): string {
  return resources(its, nodeGroup(USES_NODES), booting(script(...lines), IMAGES.AL2));
}

testRule(bootstrapScriptArguments, {
  valid: [
    { name: 'the name alone', template: al2(call('main')) },
    {
      name: 'the name of the cluster resource, with all that belongs to it',
      template: al2(
        'set -o xtrace',
        call(
          "${Cluster} --apiserver-endpoint '${Cluster.Endpoint}' --b64-cluster-ca '${Cluster.CertificateAuthorityData}'",
        ),
      ),
    },
    { name: 'options before the name', template: al2(call('--use-max-pods false main')) },
    { name: 'lines that go on', template: al2('/etc/eks/bootstrap.sh \\', '  main \\', `  ${ENDPOINT} \\`, `  ${CA}`) },
    { name: 'a variable for the name', template: al2('CLUSTER=main', call('$CLUSTER --use-max-pods false')) },
    {
      name: 'variables that the node computes',
      template: al2(
        'NAME=$(aws ec2 describe-tags --query x)',
        'ENDPOINT=$(aws eks describe-cluster --query y)',
        call(`"$NAME" --apiserver-endpoint "$ENDPOINT" ${CA}`),
      ),
    },
    { name: 'the IP family in capitals', template: al2(call('main --ip-family IPv4')) },
    { name: 'IPv6 with the look-up', template: al2Of(IPV6, call('main --ip-family ipv6')) },
    { name: 'IPv6 that only the look-up tells', template: al2Of(IPV6, call('main')) },
    {
      name: 'IPv6 with its range',
      template: al2Of(IPV6, call(`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr fd00:1::/108`)),
    },
    { name: 'IPv6 by its range alone', template: al2Of(IPV6, call(`main ${PAIR} --service-ipv6-cidr fd00:1::/108`)) },
    {
      name: 'IPv6 with the address of DNS',
      template: al2Of(IPV6, call(`main ${PAIR} --ip-family ipv6 --dns-cluster-ip fd00:1::a`)),
    },
    {
      name: 'an unknown endpoint and a literal certificate authority',
      template: al2(call(`main --apiserver-endpoint \${Cluster.Endpoint} ${CA}`)),
    },
    { name: 'a custom service range with the look-up', template: al2Of(CUSTOM_RANGE, call('main')) },
    {
      name: 'a custom service range, given',
      template: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --service-ipv4-cidr 10.96.0.0/16`)),
    },
    {
      name: 'a custom service range with the address of DNS',
      template: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --dns-cluster-ip 10.96.0.10`)),
    },
    { name: 'a local DNS cache', template: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --dns-cluster-ip 169.254.20.10`)) },
    {
      name: 'the address of DNS as a flag of kubelet',
      template: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --kubelet-extra-args '--cluster-dns=10.96.0.10'`)),
    },
    {
      name: 'the address of DNS in the environment',
      template: al2Of(CUSTOM_RANGE, 'export DNS_CLUSTER_IP=10.96.0.10', call(`main ${PAIR}`)),
    },
    {
      name: 'settings out of a file',
      template: al2Of(CUSTOM_RANGE, 'source /opt/parameters.sh', call(`"$CLUSTER" ${PAIR}`)),
    },
    {
      name: 'a service range in which the guess is right',
      template: al2Of(
        cluster(VERSION, 'KubernetesNetworkConfig: { ServiceIpv4Cidr: 10.100.0.0/16 }'),
        call(`main ${PAIR}`),
      ),
    },
    {
      name: 'quotes within quotes',
      template: al2(
        call(`main --kubelet-extra-args '--node-labels=team=web,stage="test" --register-with-taints=a=b:NoSchedule'`),
      ),
    },
    {
      name: 'quotes that the shell takes off',
      template: al2('LABELS=team=web', call(`main --kubelet-extra-args '--node-labels='"$LABELS"' --v=2'`)),
    },
    {
      name: 'max pods with the switch',
      template: al2(call("main --use-max-pods false --kubelet-extra-args '--max-pods=20'")),
    },
    {
      name: 'max pods with a switch that is not known',
      template: template(
        'Parameters:\n  Use: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(script(call("main --use-max-pods ${Use} --kubelet-extra-args '--max-pods=20'")), IMAGES.AL2),
      ),
    },
    { name: 'containerd by its name', template: al2(call('main --container-runtime containerd')) },
    {
      name: 'another runtime before 1.24',
      template: resources(
        cluster("Version: '1.23'", 'Name: main'),
        SELF_MANAGED,
        booting(script(call('main --container-runtime dockerd')), OWN_AMI),
      ),
    },
    {
      name: 'options that are empty',
      template: al2(
        call(`main --apiserver-endpoint '' --b64-cluster-ca '' --kubelet-extra-args "" --container-runtime ''`),
      ),
    },
    {
      name: 'a wrong call in a comment, in a string and in a here-document',
      template: al2(
        `# ${call('--foo main')}`,
        `echo "${call('--foo main')}"`,
        'cat > /root/README <<EOF',
        call('--foo main'),
        'EOF',
        call('main'),
      ),
    },
    { name: 'a wrong call that is never reached', template: al2(call('main'), 'exit 0', call('--foo main')) },
    {
      name: 'a branch for clusters of the other family',
      template: al2Of(
        IPV6,
        'if [ "$(cat /opt/family)" = ipv6 ]; then',
        `  ${call('main --ip-family ipv6')}`,
        'else',
        `  ${call('main --ip-family ipv4')}`,
        'fi',
      ),
    },
    { name: 'a call under a condition', template: al2('if [ ! -f /var/lib/joined ]; then', `  ${call('main')}`, 'fi') },
    { name: 'output that goes elsewhere', template: al2(call('main 2>&1 | tee /var/log/join.log')) },
    {
      name: 'a script in MIME',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(part('text/cloud-config', '#cloud-config\npackages: [jq]'), shellPart(call('main'))), IMAGES.AL2),
      ),
    },
    {
      name: 'a self-managed group with a file of settings of the operating system',
      template: resources(
        cluster(VERSION, 'Name: main'),
        SELF_MANAGED,
        booting(script('. /etc/os-release', call(`main ${PAIR}`)), IMAGES.AL2),
      ),
    },
    {
      name: 'a cluster with a range of the default, by condition',
      template: template(
        CONDITION,
        cluster(
          VERSION,
          'KubernetesNetworkConfig: { ServiceIpv4Cidr: !If [IsProduction, 10.100.0.0/16, 172.20.0.0/16] }',
        ),
        nodeGroup(USES_NODES),
        booting(script(call(`main ${PAIR}`)), IMAGES.AL2),
      ),
    },
  ],
  invalid: [
    {
      name: 'no cluster name',
      template: al2('set -ex', call('')),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers", line 3 of the user data: ',
            'cluster name is not defined!',
            'never join the cluster.',
          ],
        },
      ],
      fixed: al2('set -ex', call('main')),
    },
    {
      name: 'options and no cluster name',
      template: al2(call('--use-max-pods false')),
      findings: [{ message: 'clusterName', severity: 'error', resource: 'Nodes', at: '/etc/eks/bootstrap.sh' }],
      fixed: al2(call('main --use-max-pods false')),
    },
    {
      name: 'no space between the name and an option, which the name takes',
      template: al2(call("main--kubelet-extra-args '--node-labels=a=b'")),
      fixed: al2(call("main --kubelet-extra-args '--node-labels=a=b'")),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: 'main--kubelet-extra-args',
          says: [
            'takes main--kubelet-extra-args for the name of the cluster',
            'no space is before --kubelet-extra-args',
          ],
          advises: 'Write a space between main and --kubelet-extra-args.',
        },
      ],
    },
    {
      name: 'an unknown option in front of the name',
      template: al2(call('--foo main')),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '--foo',
          says: ['has no option --foo and takes it for the name'],
        },
        {
          message: 'ignored',
          severity: 'warning',
          resource: 'Nodes',
          at: 'main',
          related: ['LaunchTemplate:'],
          says: ['ignores the argument "main"'],
        },
      ],
      fixed: al2(call('main')),
    },
    {
      name: 'an option with "=" in front of the name',
      template: al2(call('--ip-family=ipv4 main')),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '--ip-family=ipv4',
          says: ['no option --ip-family=ipv4'],
        },
        { message: 'ignored', severity: 'warning', resource: 'Nodes', at: 'main' },
      ],
      fixed: al2(call('--ip-family ipv4 main')),
    },
    {
      name: 'an option with "=" behind the name',
      template: al2(call('main --use-max-pods=false')),
      findings: [{ message: 'ignored', severity: 'warning', resource: 'Nodes', at: '--use-max-pods=false' }],
      fixed: al2(call('main --use-max-pods false')),
    },
    {
      name: 'flags of kubelet that are not one word',
      template: al2(call('main --kubelet-extra-args --node-labels=a=b --v=2')),
      findings: [
        {
          message: 'ignored',
          severity: 'warning',
          resource: 'Nodes',
          at: '--v=2',
          says: ['ignores the argument "--v=2"'],
        },
      ],
      fixed: al2(call("main --kubelet-extra-args '--node-labels=a=b --v=2'")),
    },
    {
      name: 'an option without value',
      template: al2(call('main --use-max-pods')),
      findings: [
        {
          message: 'value',
          severity: 'error',
          resource: 'Nodes',
          at: '--use-max-pods',
          related: ['LaunchTemplate:'],
          says: ['--use-max-pods has no value', 'unbound variable'],
        },
      ],
      fixed: al2(call('main --use-max-pods true')),
    },
    {
      name: 'the help',
      template: al2(call('main --help')),
      findings: [
        { message: 'refused', severity: 'error', resource: 'Nodes', at: '--help', related: ['LaunchTemplate:'] },
      ],
    },
    {
      name: 'an endpoint without certificate authority is looked up all the same',
      template: al2(call(`main ${ENDPOINT}`)),
      findings: [
        {
          message: 'ignored',
          severity: 'info',
          resource: 'Nodes',
          at: 'https://0123',
          says: ['asks the EKS API for both'],
          omits: ['never join'],
        },
      ],
      fixed: al2(call(`main ${PAIR}`)),
    },
    {
      name: 'IPv6 with the pair and without range',
      template: al2Of(IPV6, call(`main ${PAIR} --ip-family ipv6`)),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'ipv6\n',
          says: ['One of --service-ipv6-cidr or --dns-cluster-ip must be provided'],
        },
      ],
      fixed: al2Of(IPV6, call('main --ip-family ipv6')),
    },
    {
      name: 'an IPv6 range with IPv4',
      template: al2(call('main --ip-family ipv4 --service-ipv6-cidr fd00:1::/108')),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'ipv4 --service',
          says: ['--ip-family should be ipv6'],
        },
      ],
      fixed: al2(call('main --ip-family ipv4')),
    },
    {
      name: 'another IP family',
      template: al2(call('main --ip-family dual')),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'dual',
          says: ['Only ipv4 or ipv6 are allowed'],
        },
      ],
      fixed: al2(call('main --ip-family ipv4')),
    },
    {
      name: 'the IP family of another cluster',
      template: al2Of(IPV6, call('main --ip-family ipv4')),
      findings: [
        {
          message: 'ipFamily',
          severity: 'error',
          resource: 'Nodes',
          at: 'ipv4',
          related: ['LaunchTemplate:'],
          says: ['for ipv4, but the cluster uses ipv6'],
        },
      ],
      fixed: al2Of(IPV6, call('main --ip-family ipv6')),
    },
    {
      name: 'everything for IPv6 on an IPv4 cluster',
      template: al2(call(`main ${PAIR} --ip-family ipv6 --service-ipv6-cidr fd00:1::/108`)),
      findings: [
        {
          message: 'ipFamily',
          severity: 'error',
          resource: 'Nodes',
          at: 'ipv6 ',
          says: ['for ipv6, but the cluster uses ipv4'],
        },
      ],
      fixed: al2(call(`main ${PAIR} --ip-family ipv4`)),
    },
    {
      name: 'an IPv6 range on an IPv4 cluster',
      template: al2(call(`main ${PAIR} --service-ipv6-cidr fd00:1::/108`)),
      findings: [
        {
          message: 'ipFamily',
          severity: 'error',
          resource: 'Nodes',
          at: 'fd00',
          says: ['for ipv6, but the cluster uses ipv4'],
        },
      ],
      fixed: al2(call(`main ${PAIR}`)),
    },
    {
      name: 'the pair without IP family on an IPv6 cluster',
      template: al2Of(IPV6, call(`main ${PAIR}`)),
      findings: [
        {
          message: 'ipFamily',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          fixOmits: 'ServiceIpv6Cidr',
        },
      ],
      fixed: al2Of(IPV6, call('main')),
    },
    {
      name: 'the cluster is IPv6 under a condition',
      template: template(
        CONDITION,
        cluster(VERSION, 'KubernetesNetworkConfig: { IpFamily: !If [IsProduction, ipv6, ipv4] }'),
        nodeGroup(USES_NODES),
        booting(script(call('main --ip-family ipv4')), IMAGES.AL2),
      ),
      findings: [
        {
          message: 'ipFamily',
          severity: 'error',
          resource: 'Nodes',
          at: 'ipv4\n',
          says: ['condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'a guess in a custom service range',
      template: al2Of(CUSTOM_RANGE, call(`main ${PAIR}`)),
      findings: [
        {
          message: 'dns',
          severity: 'warning',
          resource: 'Nodes',
          at: 'https://0123',
          related: ['LaunchTemplate:'],
          says: ['guesses 172.20.0.10 or 10.100.0.10', 'service range is 10.96.0.0/16'],
        },
      ],
      fixed: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --dns-cluster-ip 10.96.0.10`)),
    },
    {
      name: 'another service range than the one of the cluster',
      template: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --service-ipv4-cidr 172.20.0.0/16`)),
      findings: [
        {
          message: 'dns',
          severity: 'error',
          resource: 'Nodes',
          at: '172.20.0.0/16',
          says: ['172.20.0.10', '10.96.0.10', 'resolve a name'],
        },
      ],
      fixed: al2Of(CUSTOM_RANGE, call(`main ${PAIR} --service-ipv4-cidr 10.96.0.0/16`)),
    },
    {
      name: 'Docker on a version that has none',
      template: al2(call('main --container-runtime dockerd')),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Nodes',
          at: 'dockerd',
          says: ['containerd is the only supported container runtime'],
        },
      ],
      fixed: al2(call('main')),
    },
    {
      name: 'Docker, with the version of the cluster',
      template: resources(
        cluster("Version: '1.24'", 'Name: main'),
        SELF_MANAGED,
        booting(script(call('main --container-runtime dockerd')), OWN_AMI),
      ),
      findings: [{ message: 'refused', severity: 'error', resource: 'Nodes', at: 'dockerd' }],
    },
    {
      name: 'disks in a way that there is not',
      template: al2(call('main --local-disks raid5')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Nodes', at: 'raid5' }],
      fixed: al2(call('main --local-disks raid0')),
    },
    {
      name: 'max pods neither true nor false',
      template: al2(call('main --use-max-pods no')),
      findings: [
        {
          message: 'maxPods',
          severity: 'warning',
          resource: 'Nodes',
          at: 'no\n',
          related: ['LaunchTemplate:'],
          says: ['everything but "true" for false'],
        },
      ],
      fixed: al2(call('main --use-max-pods false')),
    },
    {
      name: 'max pods twice',
      template: al2(call("main --kubelet-extra-args '--node-labels=a=b --max-pods=20'")),
      findings: [{ message: 'maxPods', severity: 'warning', resource: 'Nodes', at: '20', omits: ['never join'] }],
      fixed: al2(call("main --use-max-pods false --kubelet-extra-args '--node-labels=a=b --max-pods=20'")),
    },
    {
      name: 'a single quote in the flags of kubelet',
      template: al2(call(`main --kubelet-extra-args "--node-labels='a=b'"`)),
      findings: [
        {
          message: 'quotes',
          severity: 'warning',
          resource: 'Nodes',
          at: `"--node-labels`,
          related: ['LaunchTemplate:'],
        },
      ],
      fixed: al2(call('main --kubelet-extra-args "--node-labels=a=b"')),
    },
    {
      name: 'the only call stands under a condition',
      template: al2('if [ ! -f /var/lib/joined ]; then', `  ${call('--foo')}`, 'fi'),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '--foo',
          says: ['line 3 of the user data (under a condition)'],
        },
      ],
    },
    {
      name: 'one of two branches is wrong',
      template: al2('if [ -f /opt/old ]; then', `  ${call('--foo')}`, 'else', `  ${call('main')}`, 'fi'),
      findings: [{ message: 'clusterName', severity: 'warning', resource: 'Nodes', at: '--foo' }],
    },
    {
      name: 'a NodeConfig besides changes nothing',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(clusterBlock()), shellPart(call('--foo'))), IMAGES.AL2),
      ),
      findings: [{ message: 'clusterName', severity: 'error', resource: 'Nodes', at: '--foo' }],
    },
    {
      name: 'a self-managed group, with an AMI that is told by its bootstrap',
      template: resources(CLUSTER, SELF_MANAGED, booting(script(call('main --ip-family v4')), OWN_AMI)),
      findings: [{ message: 'refused', severity: 'error', resource: 'Nodes', at: 'v4' }],
    },
    {
      name: 'a parameter with a default',
      template: template(
        'Parameters:\n  Arguments: { Type: String, Default: --use-max-pods maybe }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(script(call('main ${Arguments}')), IMAGES.AL2),
      ),
      findings: [{ message: 'maxPods', severity: 'warning', resource: 'Nodes', at: 'Fn::Base64' }],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(script(call('--foo')), IMAGES.AL2),
      ),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '--foo',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a variable that may hold all arguments',
      template: al2(call('$CLUSTER')),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'arguments from a parameter',
      template: template(
        'Parameters:\n  Arguments: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(script(call('main ${Arguments}')), IMAGES.AL2),
      ),
      resources: ['Nodes'],
      because: 'line 2',
    },
    {
      name: 'an option of which a part is a parameter',
      template: template(
        'Parameters:\n  Family: { Type: String }\n  Range: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(script(call('--service-${Family}-cidr ${Range} main')), IMAGES.AL2),
      ),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'an option of which a part is a variable',
      template: al2(call('--service-$F-cidr 10.96.0.0/16 main')),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'an option that the node reads',
      template: al2(call('--$(cat /etc/flag) main')),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'an option that is a parameter',
      template: template(
        'Parameters:\n  Flag: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(script(call('${Flag} main')), IMAGES.AL2),
      ),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'arguments of a function',
      template: al2('join() {', `  ${call('"$@"')}`, '}', 'join main'),
      resources: ['Nodes'],
    },
    {
      name: 'the pair for a cluster that is not in the input',
      template: resources(SELF_MANAGED, booting(script(call(`main ${PAIR}`)), IMAGES.AL2)),
      resources: ['Nodes'],
      because: "service range can't be seen",
    },
    {
      name: 'the pair for a cluster whose range is a parameter',
      template: template(
        'Parameters:\n  Range: { Type: String }',
        cluster(VERSION, 'KubernetesNetworkConfig: { ServiceIpv4Cidr: !Ref Range }'),
        nodeGroup(USES_NODES),
        booting(script(call(`main ${PAIR}`)), IMAGES.AL2),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'flags of kubelet from a parameter, which may tell the address of DNS',
      template: template(
        'Parameters:\n  Flags: { Type: String }',
        CUSTOM_RANGE,
        nodeGroup(USES_NODES),
        booting(script(call(`main ${PAIR} --kubelet-extra-args '\${Flags}'`)), IMAGES.AL2),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'Docker on a version that is not known',
      template: template(
        'Parameters:\n  Kubernetes: { Type: String }',
        cluster('Version: !Ref Kubernetes', 'Name: main'),
        SELF_MANAGED,
        booting(script(call('main --container-runtime dockerd')), OWN_AMI),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'a bootstrap.sh that the script has changed',
      template: al2("sed -i 's/a/b/' /etc/eks/bootstrap.sh", call('--foo')),
      resources: ['Nodes'],
      because: 'changes the script',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_x86_64', "LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'a group for which EKS adds the call',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(mime(shellPart('yum install -y jq'))),
      ),
    },
    {
      name: 'a call besides that of EKS is told by another rule',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(mime(shellPart(call('--foo')))),
      ),
    },
    {
      name: 'a call on AL2023 is told by another rule',
      template: resources(
        cluster("Version: '1.33'"),
        nodeGroup(USES_NODES),
        booting(script(call('--foo')), IMAGES.AL2023),
      ),
    },
    { name: 'no bootstrap is told by another rule', template: al2('yum install -y jq') },
    {
      name: 'MIME that costs the script is told by another rule',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          mime(shellPart('echo a')).replace('--//--', `--//--\n\n--//\n${shellPart(call('--foo'))}\n--//--`),
          IMAGES.AL2,
        ),
      ),
    },
    {
      name: 'user data that is not base64',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMAGES.AL2, `UserData: "#!/bin/bash /etc/eks/bootstrap.sh"`),
      ),
    },
    {
      name: 'a launch template that no group uses',
      template: resources(CLUSTER, launchTemplate(IMAGES.AL2, userData(script(call('--foo'))))),
    },
  ],
});
