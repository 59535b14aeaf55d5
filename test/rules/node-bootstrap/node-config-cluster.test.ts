import { nodeConfigCluster } from '../../../lib/rules/node-bootstrap/node-config-cluster';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  clusterBlock,
  CONDITION,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  part,
  SELF_MANAGED,
  shellPart,
  userData,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

const KUBELET = 'kubelet:\n  config:\n    maxPods: 50';
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';

const WHOLE = withOwnAmi(mime(nodeConfigPart(clusterBlock(), KUBELET)));

/** As CDK renders multipart user data with tokens. */
function joined(spec: readonly string[]): string {
  const [before = '', after = ''] = mime(nodeConfigPart(...spec)).split('@NAME@');
  return [
    'UserData:',
    '  Fn::Base64:',
    '    Fn::Join:',
    '      - ""',
    `      - [${JSON.stringify(before)}, { Ref: Cluster }, ${JSON.stringify(after)}]`,
  ].join('\n');
}

testRule(nodeConfigCluster, {
  valid: [
    { name: 'without an AMI EKS adds the cluster', template: withEksAmi(mime(nodeConfigPart(KUBELET))) },
    {
      name: 'without an AMI a part of the cluster block does no harm',
      template: withEksAmi(mime(nodeConfigPart('cluster:\n  name: main'))),
    },
    {
      name: 'the cluster may stand in the second part',
      template: withOwnAmi(mime(nodeConfigPart(KUBELET), nodeConfigPart(clusterBlock()))),
    },
    {
      name: 'two parts may have half of the cluster each',
      template: withOwnAmi(
        mime(
          nodeConfigPart(clusterBlock({ ca: '', cidr: '' })),
          nodeConfigPart(clusterBlock({ name: '', endpoint: '' })),
        ),
      ),
    },
    {
      name: 'what is decided at deployment counts as set',
      template: withOwnAmi(
        mime(
          nodeConfigPart(
            clusterBlock({
              name: 'name: ${Cluster}',
              endpoint: 'apiServerEndpoint: ${Cluster.Endpoint}',
              ca: 'certificateAuthority: ${Cluster.CertificateAuthorityData}',
              cidr: 'cidr: ${Cluster.KubernetesNetworkConfig.ServiceIpv6Cidr}',
            }),
          ),
        ),
      ),
    },
    { name: 'a bare NodeConfig in YAML is read too', template: withOwnAmi(nodeConfig(clusterBlock())) },
    {
      name: 'a self-managed group with the whole cluster passes',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(clusterBlock()), OWN_AMI)),
    },
    {
      name: 'an empty value in a later part does not take one away',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock()), nodeConfigPart("cluster:\n  name: ''"))),
    },
    {
      name: 'joined text with a reference in the middle',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(OWN_AMI, joined([clusterBlock({ name: 'name: "@NAME@"' })])),
      ),
    },
  ],
  invalid: [
    {
      name: 'an AMI of its own with settings of kubelet only',
      template: withOwnAmi(mime(nodeConfigPart(KUBELET))),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers"',
            '`cluster.name`, `cluster.apiServerEndpoint`, `cluster.certificateAuthority` and `cluster.cidr`',
            'line 9',
            'Name is missing in cluster configuration',
          ],
        },
      ],
      fixed: WHOLE,
    },
    {
      name: 'no service CIDR',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock({ cidr: '' })))),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster:',
          says: ['leaves out `cluster.cidr`', 'CIDR is missing in cluster configuration'],
          omits: ['cluster.name'],
        },
      ],
      fixed: WHOLE,
    },
    {
      name: 'an empty name',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock({ name: "name: ''" })))),
      findings: [
        { message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'cluster:', says: ['`cluster.name`'] },
      ],
    },
    {
      name: 'a cluster on an Outpost without its id',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock({ name: 'name: main\n  enableOutpost: true' })))),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster:',
          says: ['`cluster.id`', 'cluster ID must be provided for outposts'],
        },
      ],
    },
    {
      name: 'a bare NodeConfig of a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(KUBELET), OWN_AMI)),
      findings: [{ message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'spec:', says: ['line 3'] }],
    },
    {
      name: 'joined text without the CIDR points into the text',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(OWN_AMI, joined([clusterBlock({ name: 'name: "@NAME@"', cidr: '' })])),
      ),
      findings: [
        { message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'cluster:', says: ['`cluster.cidr`'] },
      ],
    },
    {
      name: 'a condition that brings an AMI is named',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(KUBELET)), 'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]'),
      ),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'spec:',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'an AMI from a parameter is an AMI',
      template: template(
        'Parameters:\n  Ami: { Type: AWS::EC2::Image::Id }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(KUBELET)), 'ImageId: !Ref Ami'),
      ),
      findings: [{ message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'spec:' }],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(mime(nodeConfigPart(KUBELET)), OWN_AMI),
      ),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'a script can not supply the cluster by a file: nodeadm has ended before',
      template: withOwnAmi(
        mime(
          nodeConfigPart(KUBELET),
          shellPart('cat > /etc/eks/nodeadm.d/10-cluster.yaml <<EOF', nodeConfig(clusterBlock()), 'EOF'),
        ),
      ),
      findings: [{ message: 'incomplete', severity: 'error', resource: 'Nodes', at: 'spec:' }],
    },
    {
      name: 'an endpoint under another name is missing all the same',
      template: withOwnAmi(
        mime(nodeConfigPart(clusterBlock({ endpoint: 'endpoint: https://0123.gr7.eu-west-1.eks.amazonaws.com' }))),
      ),
      findings: [
        {
          message: 'incomplete',
          severity: 'error',
          resource: 'Nodes',
          at: 'cluster:',
          says: ['`cluster.apiServerEndpoint`'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a script that runs nodeadm with a configuration of its own',
      template: withOwnAmi(mime(nodeConfigPart(KUBELET), shellPart('nodeadm init -c file:///etc/my-node.yaml'))),
      resources: ['Nodes'],
      because: 'nodeadm init',
    },
    {
      name: 'a NodeConfig of which nothing is known, besides one without cluster',
      template: template(
        'Parameters:\n  More: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart(KUBELET), part('application/node.eks.aws', '${More}')), OWN_AMI),
      ),
      resources: ['Nodes'],
      because: 'More',
    },
    {
      name: 'a cluster block of which nothing is known',
      template: template(
        'Parameters:\n  Block: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(mime(nodeConfigPart('cluster: ${Block}')), OWN_AMI),
      ),
      resources: ['Nodes'],
      because: 'Block',
    },
    {
      name: 'a NodeConfig that only a script writes',
      template: withOwnAmi(
        mime(
          shellPart('cat > /opt/node.yaml <<EOF', nodeConfig(KUBELET), 'EOF', 'nodeadm init -c file:///opt/node.yaml'),
        ),
      ),
      resources: ['Nodes'],
      because: 'a script brings its NodeConfig',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'a NodeConfig that can not be decoded is told by another rule',
      template: withOwnAmi(mime(nodeConfigPart(KUBELET, 'containerd: 5'))),
    },
    {
      name: 'a certificate authority that is empty is told by another rule',
      template: withOwnAmi(mime(nodeConfigPart(clusterBlock({ ca: "certificateAuthority: ''" })))),
    },
    {
      name: 'a cluster block in the wrong place is told by another rule',
      template: withOwnAmi(mime(nodeConfigPart('kubelet:\n  config: {}\n  cluster:\n    name: main'))),
    },
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup(AL2023)) },
    {
      name: 'an AL2 group',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_x86_64', USES_NODES), booting(mime(shellPart('echo')))),
    },
    {
      name: 'nothing that bootstraps',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: resolve:ssm:/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
          userData(mime(shellPart('echo'))),
        ),
      ),
    },
    {
      name: 'Bottlerocket',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES),
        booting('[settings.kubernetes]\nmax-pods = 20'),
      ),
    },
    {
      name: 'a broken MIME document is told by another rule',
      template: withOwnAmi(mime(nodeConfigPart(KUBELET)).replace('--//--', '')),
    },
  ],
});
