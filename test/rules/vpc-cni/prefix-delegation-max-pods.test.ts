import { prefixDelegationMaxPods } from '../../../lib/rules/vpc-cni/prefix-delegation-max-pods';
import { helmChart, onCondition } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  al2,
  al2023,
  al2023WithPods,
  bottlerocket,
  block,
  clusterBlock,
  cni,
  CNI_BASICS,
  CONDITION,
  addon,
  IMAGES,
  IPV6,
  launchTemplate,
  MAIN,
  namedNodeGroup,
  nodeGroup,
  PREFIXES,
  resources,
  selfManaged,
  template,
  USES_NODES,
  userData,
  workers,
} from './max-pods-templates';
import { mime, nodeConfigPart, shellPart } from '../node-bootstrap/user-data-templates';

const CNI = cni(PREFIXES);
const BY_PARAMETER = 'Parameters:\n  Prefixes: { Type: String }\n  Pods: { Type: Number }';
/** ConfigurationValues with a token, as CDK renders them. */
const TOKENS = addon(
  'Cni',
  ...CNI_BASICS,
  `ConfigurationValues: { 'Fn::Join': ['', ['{"env":{"ENABLE_PREFIX_DELEGATION":"', !Ref Prefixes, '"}}']] }`,
);
/** A NodeConfig and a script with this line. */
const script = (line: string): string =>
  launchTemplate(IMAGES.AL2023, userData(mime(nodeConfigPart(clusterBlock()), shellPart(line))));

testRule(prefixDelegationMaxPods, {
  valid: [
    {
      name: 'EKS computes the number for a managed group without an AMI of its own',
      template: resources(MAIN, CNI, nodeGroup('InstanceTypes: [m5.large]')),
    },
    {
      name: 'EKS computes the number beside user data that adds something else',
      template: resources(
        MAIN,
        CNI,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES),
        launchTemplate(userData('[settings.host-containers.admin]\nenabled = true')),
      ),
    },
    {
      name: 'an expression for prefixes',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2023('maxPodsExpression: "(default_enis * (ips_per_eni - 1)) * 16 + 2"'),
      ),
    },
    { name: 'what AWS recommends', template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(110)) },
    { name: 'a smaller number on purpose', template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(15)) },
    {
      name: 'a number between single addresses and what AWS recommends',
      template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(30)),
    },
    {
      name: 'a type whose single addresses are enough for what AWS recommends',
      template: resources(MAIN, CNI, workers('c5.4xlarge'), al2023()),
    },
    {
      name: 'a large type whose single addresses are enough for 250 pods',
      template: resources(MAIN, CNI, workers('m5.24xlarge'), al2023()),
    },
    {
      name: 'the number of the larger of two types, from which the smaller one gains',
      template: resources(MAIN, CNI, workers('m5.large', 'm5.xlarge'), al2023WithPods(58)),
    },
    {
      name: 'custom networking: the standard number needs prefixes',
      template: resources(
        MAIN,
        cni({ ...PREFIXES, AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' }),
        workers('m5.large'),
        al2023WithPods(29),
      ),
    },
    {
      name: 'a flag for kubelet in a NodeConfig',
      template: resources(MAIN, CNI, workers('m5.large'), al2023('flags: ["--max-pods=110"]')),
    },
    {
      name: 'AL2 with a flag for kubelet',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2('--use-max-pods false', "--kubelet-extra-args '--max-pods=110'"),
      ),
    },
    {
      name: 'AL2 with the default of kubelet',
      template: resources(MAIN, CNI, workers('m5.large'), al2('--use-max-pods false')),
    },
    {
      name: 'Bottlerocket with max-pods',
      template: resources(MAIN, CNI, workers('m5.large'), bottlerocket('max-pods = 110')),
    },
    { name: 'no type is built on Nitro', template: resources(MAIN, CNI, workers('m4.large'), al2023()) },
    {
      name: 'the number of a 250-pod node',
      template: resources(MAIN, CNI, workers('m5.12xlarge'), al2023WithPods(250)),
    },
    {
      name: 'the option lets the number be',
      options: { sameNumber: 'allow' },
      template: resources(MAIN, CNI, workers('m5.large'), al2023()),
    },
    {
      name: 'an unknown type beside a number that is beyond single addresses',
      template: resources(MAIN, CNI, workers('m5.large', 'm99.large'), al2023WithPods(110)),
    },
  ],
  invalid: [
    {
      name: 'AL2023 with an AMI of its own and no maxPods',
      template: resources(MAIN, CNI, workers('m5.large'), al2023()),
      fixed: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(110)),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:', 'ConfigurationValues:', 'InstanceTypes: [m5.large]'],
          says: [
            'Launch template "Nodes" of node group "Workers"',
            'nodeadm',
            '29 pods on m5.large',
            'addresses for 434',
          ],
        },
      ],
    },
    {
      name: 'points at the kubelet block if there is one',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2023('config:', '  evictionHard: { memory.available: 5% }'),
      ),
      findings: [{ message: 'notSet', severity: 'warning', resource: 'Nodes', at: 'config:\n' }],
    },
    {
      name: 'the number for single addresses, written down',
      template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(29)),
      fixed: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(110)),
      findings: [
        {
          message: 'unchanged',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods: 29',
          related: ['LaunchTemplate:', 'ConfigurationValues:', 'InstanceTypes: [m5.large]'],
          says: [
            'sets 29 pods (`maxPods` of its NodeConfig, line 11 of the user data)',
            'the number for m5.large without',
          ],
        },
      ],
    },
    {
      name: 'an expression that makes the number for single addresses',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2023('maxPodsExpression: "(default_enis * (ips_per_eni - 1)) + 2"'),
      ),
      findings: [
        {
          message: 'unchanged',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPodsExpression',
          says: ['`maxPodsExpression` of its NodeConfig'],
        },
      ],
    },
    {
      name: 'the number of the smallest of several types',
      template: resources(MAIN, CNI, workers('m5.xlarge', 'm5.large'), al2023WithPods(29)),
      findings: [
        {
          message: 'unchanged',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods: 29',
          says: ['the number for m5.large without'],
        },
      ],
    },
    {
      name: 'custom networking: the number without prefixes, of the interfaces that are left',
      template: resources(
        MAIN,
        cni({
          ...PREFIXES,
          AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
          ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone',
        }),
        workers('m5.large'),
        al2023WithPods(20),
      ),
      findings: [
        {
          message: 'unchanged',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods: 20',
          says: ['addresses for 290'],
        },
      ],
    },
    {
      name: 'AL2 with bootstrap.sh as it is',
      template: resources(MAIN, CNI, workers('m5.large'), al2()),
      fixed: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2('--use-max-pods false', "--kubelet-extra-args '--max-pods=110'"),
      ),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['bootstrap.sh, which knows nothing'],
        },
      ],
    },
    {
      name: 'Bottlerocket without max-pods',
      template: resources(MAIN, CNI, workers('m5.large'), bottlerocket()),
      fixed: resources(MAIN, CNI, workers('m5.large'), bottlerocket('max-pods = 110')),
      findings: [
        { message: 'notSet', severity: 'warning', resource: 'Nodes', at: 'kubernetes]', says: ['Bottlerocket, which'] },
      ],
    },
    {
      name: 'Bottlerocket where EKS brings the rest: the number of the user counts',
      template: resources(
        MAIN,
        CNI,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', 'InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate(userData('[settings.kubernetes]\nmax-pods = 29')),
      ),
      findings: [
        {
          message: 'unchanged',
          severity: 'warning',
          resource: 'Nodes',
          at: 'max-pods = 29',
          says: ['`max-pods` of its Bottlerocket settings, line 2'],
        },
      ],
    },
    {
      name: 'a self-managed group',
      template: resources(MAIN, CNI, selfManaged('m5.large', 'm6i.large'), al2023()),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: 'spec:',
          says: ['29 pods on m5.large and m6i.large'],
        },
      ],
    },
    {
      name: 'a launch template that two groups share is reported once for both, if they start the same type',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        namedNodeGroup('Others', 'InstanceTypes: [m5.large]', USES_NODES),
        al2023(),
      ),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:', 'LaunchTemplate:', 'ConfigurationValues:', 'InstanceTypes: [m5.large]'],
          says: ['node groups "Workers" and "Others"'],
        },
      ],
    },
    {
      name: 'more than AWS recommends',
      template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(200)),
      fixed: resources(MAIN, CNI, workers('m5.large'), al2023WithPods(110)),
      findings: [
        {
          message: 'ceiling',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods: 200',
          related: ['LaunchTemplate:', 'ConfigurationValues:', 'InstanceTypes: [m5.large]'],
          says: ['no more than 110'],
        },
      ],
    },
    {
      name: 'the option makes it an error',
      options: { sameNumber: 'error' },
      template: resources(MAIN, CNI, workers('m5.large'), al2023()),
      findings: [{ message: 'notSet', severity: 'error', resource: 'Nodes', at: 'spec:' }],
    },
    {
      name: 'under a condition on the instance types',
      template: template(
        CONDITION,
        MAIN,
        CNI,
        nodeGroup('InstanceTypes: !If [IsProduction, [c5.4xlarge], [m5.large]]', USES_NODES),
        al2023(),
      ),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: 'spec:',
          says: ['IsProduction is false', '29 pods on m5.large'],
        },
      ],
    },
    {
      name: 'under a condition on the configuration of the add-on',
      template: template(
        CONDITION,
        MAIN,
        addon(
          'Cni',
          ...CNI_BASICS,
          `ConfigurationValues: !If [IsProduction, '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}', !Ref 'AWS::NoValue']`,
        ),
        workers('m5.large'),
        al2023(),
      ),
      findings: [
        { message: 'notSet', severity: 'warning', resource: 'Nodes', at: 'spec:', says: ['IsProduction is true'] },
      ],
    },
    {
      name: 'a group and an add-on that are created under the same condition',
      template: template(
        CONDITION,
        MAIN,
        onCondition('IsProduction', CNI),
        onCondition('IsProduction', workers('m5.large')),
        al2023(),
      ),
      findings: [
        { message: 'notSet', severity: 'warning', resource: 'Nodes', at: 'spec:', omits: ['This happens when'] },
      ],
    },
    {
      name: 'a cluster outside of the input, of whose family the service range tells',
      template: resources(
        addon('Cni', ...CNI_BASICS, `ConfigurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}'`).replace(
          '!Ref Cluster',
          'main',
        ),
        workers('m5.large').replace('!Ref Cluster', 'main'),
        al2023(),
      ),
      findings: [{ message: 'notSet', severity: 'warning', resource: 'Nodes', at: 'spec:' }],
    },
    {
      name: 'the chart aws-vpc-cni',
      template: resources(
        MAIN,
        block('Chart', 'Custom::AWSCDK-EKS-HelmChart', [
          'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
          'ClusterName: !Ref Cluster',
          'Chart: aws-vpc-cni',
          'Release: aws-vpc-cni',
          'Namespace: kube-system',
          `Values: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}'`,
        ]),
        workers('m5.large'),
        al2023(),
      ),
      findings: [
        {
          message: 'notSet',
          severity: 'warning',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:', 'Chart:', 'InstanceTypes: [m5.large]'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'another CNI gives the addresses',
      template: resources(MAIN, cni(PREFIXES), workers('m5.large'), al2023(), helmChart('Network', 'cilium', {})),
      resources: ['Nodes'],
      because: 'installs Cilium',
    },
    {
      name: 'a launch template by id',
      template: resources(MAIN, CNI, nodeGroup('LaunchTemplate: { Id: lt-0123456789abcdef0, Version: 3 }')),
      resources: ['Workers'],
      because: 'launch template',
    },
    {
      name: 'prefix delegation by a parameter',
      template: template(BY_PARAMETER, MAIN, TOKENS, workers('m5.large'), al2023()),
      resources: ['Nodes'],
      because: 'whether prefix delegation is on',
    },
    {
      name: 'max pods by a parameter',
      template: template(BY_PARAMETER, MAIN, CNI, workers('m5.large'), al2023WithPods('${Pods}')),
      resources: ['Nodes'],
      because: "the max pods of its NodeConfig aren't known",
    },
    {
      name: 'an expression with functions',
      template: resources(MAIN, CNI, workers('m5.large'), al2023('maxPodsExpression: math.least(max_pods * 16, 110)')),
      resources: ['Nodes'],
      because: 'expression',
    },
    {
      name: 'a type that is newer than the table',
      template: resources(MAIN, CNI, workers('m99.large'), al2023()),
      resources: ['Nodes'],
      because: 'm99.large is not in the table',
    },
    {
      name: 'a script that changes kubelet',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        script("sed -i 's/x/y/' /etc/kubernetes/kubelet/config.json"),
      ),
      resources: ['Nodes'],
      because: 'line 20 of its user data may change it',
    },
    {
      name: 'a script that writes a NodeConfig of which not all is known',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        script('curl https://example.com/pods > /etc/eks/nodeadm.d/pods.yaml'),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'bootstrap.sh with a number that is computed',
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        al2('--use-max-pods false', '--kubelet-extra-args "--max-pods=$(/etc/eks/max-pods-calculator.sh)"'),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'a flag besides the number of EKS',
      template: resources(
        MAIN,
        CNI,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', 'InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate(userData(mime(nodeConfigPart("kubelet: { flags: ['--max-pods=29'] }")))),
      ),
      resources: ['Nodes'],
      because: 'flags for kubelet',
    },
    {
      name: 'a cluster outside of the input',
      template: resources(
        addon('Cni', ...CNI_BASICS, `ConfigurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}'`).replace(
          '!Ref Cluster',
          'main',
        ),
        workers('m5.large').replace('!Ref Cluster', 'main'),
        bottlerocket(),
      ),
      resources: ['Nodes'],
      because: 'not part of the input',
    },
    {
      name: 'an AMI of which nothing is known',
      template: resources(MAIN, CNI, workers('m5.large'), launchTemplate('ImageId: ami-0123456789abcdef0')),
      resources: ['Nodes'],
    },
  ],
  notApplicable: [
    {
      name: 'prefix delegation is off',
      template: resources(MAIN, cni({ ENABLE_PREFIX_DELEGATION: 'false' }), workers('m5.large'), al2023()),
    },
    {
      name: "prefix delegation is off, and the launch template can't be seen",
      template: resources(MAIN, cni({}), nodeGroup('LaunchTemplate: { Id: lt-0123456789abcdef0, Version: 3 }')),
    },
    {
      name: "a text that doesn't switch anything on",
      template: resources(MAIN, cni({ ENABLE_PREFIX_DELEGATION: 'yes' }), workers('m5.large'), al2023()),
    },
    { name: 'no add-on', template: resources(MAIN, workers('m5.large'), al2023()) },
    { name: 'an IPv6 cluster', template: resources(IPV6, CNI, workers('m5.large'), al2023WithPods(29)) },
    {
      name: 'Windows',
      template: resources(
        MAIN,
        cni(PREFIXES, { enableWindowsIpam: 'true' }),
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [m5.large]'),
      ),
    },
    {
      name: 'nothing bootstraps the nodes',
      template: resources(MAIN, CNI, workers('m5.large'), launchTemplate(IMAGES.AL2023)),
    },
    {
      name: "a NodeConfig that nodeadm can't read",
      template: resources(
        MAIN,
        CNI,
        workers('m5.large'),
        launchTemplate(
          IMAGES.AL2023,
          userData('apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: { cluster: ['),
        ),
      ),
    },
    { name: 'a number that is none', template: resources(MAIN, CNI, workers('m5.large'), al2023WithPods('"29"')) },
  ],
});
