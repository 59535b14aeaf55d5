import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { maxPodsCapacity } from '../../../lib/rules/vpc-cni/max-pods-capacity';
import { helmChart, manifest, onCondition } from '../node-templates';
import { testRule } from '../rule-tester';
import { mime, nodeConfigPart, shellPart } from '../node-bootstrap/user-data-templates';
import {
  addon,
  al2,
  al2023,
  al2023WithPods,
  block,
  bottlerocket,
  clusterBlock,
  cni,
  CNI_BASICS,
  CONDITION,
  CUSTOM,
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

const PLAIN = cni({ WARM_ENI_TARGET: '1' });
const NOT_CONFIGURED = addon('Cni', ...CNI_BASICS);
const CILIUM = (values: object) => helmChart('Network', 'cilium', values);
const TOO_MANY = [PLAIN, workers('m5.large'), al2023WithPods(110)];
const TOO_MANY_FINDING = { message: 'tooMany', severity: 'error', resource: 'Nodes', at: 'maxPods: 110' } as const;
const BY_PARAMETER = 'Parameters:\n  Prefixes: { Type: String }\n  Pods: { Type: Number }';
const TOKENS = addon(
  'Cni',
  ...CNI_BASICS,
  `ConfigurationValues: { 'Fn::Join': ['', ['{"env":{"ENABLE_PREFIX_DELEGATION":"', !Ref Prefixes, '"}}']] }`,
);
const PATCH = block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  'ClusterName: !Ref Cluster',
  'ResourceName: daemonset/aws-node',
  'ResourceNamespace: kube-system',
  `ApplyPatchJson: '{"spec":{"template":{"spec":{"containers":[{"name":"aws-node","env":[{"name":"ENABLE_PREFIX_DELEGATION","value":"true"}]}]}}}}'`,
]);

testRule(maxPodsCapacity, {
  valid: [
    { name: 'what there are addresses for', template: resources(MAIN, PLAIN, workers('m5.large'), al2023WithPods(29)) },
    {
      name: '110 with prefix delegation',
      template: resources(MAIN, cni(PREFIXES), workers('m5.large'), al2023WithPods(110)),
    },
    { name: 'the formula of the bootstrap', template: resources(MAIN, PLAIN, workers('m5.large'), al2023()) },
    {
      name: "the formula of the bootstrap, on types that aren't known",
      template: resources(MAIN, PLAIN, workers('m99.large'), al2023()),
    },
    {
      name: 'custom networking with a number that fits',
      template: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2023WithPods(20)),
    },
    {
      name: 'custom networking with an expression that fits',
      template: resources(
        MAIN,
        cni(CUSTOM),
        workers('m5.large'),
        al2023('maxPodsExpression: "((default_enis - 1) * (ips_per_eni - 1)) + 2"'),
      ),
    },
    {
      name: 'custom networking where EKS computes the number',
      template: resources(MAIN, cni(CUSTOM), nodeGroup('InstanceTypes: [m5.large]')),
    },
    {
      name: 'EKS overrides what a NodeConfig says',
      template: resources(
        MAIN,
        PLAIN,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', 'InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate(userData(mime(nodeConfigPart('kubelet: { config: { maxPods: 110 } }')))),
      ),
    },
    {
      name: 'custom networking with prefixes: the formula is far below',
      template: resources(MAIN, cni({ ...CUSTOM, ...PREFIXES }), workers('m5.large'), al2023WithPods(110)),
    },
    {
      name: 'pods with security groups of their own have interfaces of their own',
      template: resources(MAIN, cni({ ENABLE_POD_ENI: 'true' }), workers('m5.large'), al2023WithPods(29)),
    },
    {
      name: "a trunk interface doesn't count against the formula that EKS itself uses",
      template: resources(MAIN, cni({ ENABLE_POD_ENI: 'true' }), workers('c7i-flex.large'), al2023()),
    },
    {
      name: 'a trunk interface and a limit above what the type has',
      template: resources(MAIN, cni({ ENABLE_POD_ENI: 'true', MAX_ENI: '9' }), workers('c7i-flex.large'), al2023()),
    },
    {
      name: 'MAX_ENI above what the type has',
      template: resources(MAIN, cni({ MAX_ENI: '8' }), workers('m5.large'), al2023()),
    },
    {
      name: 'all of several types have room',
      template: resources(MAIN, PLAIN, workers('m5.xlarge', 'm5.2xlarge'), al2023WithPods(58)),
    },
    { name: 'AL2 as it is', template: resources(MAIN, PLAIN, workers('m5.large'), al2()) },
    { name: 'Bottlerocket as it is', template: resources(MAIN, PLAIN, workers('m5.large'), bottlerocket()) },
    {
      name: 'prefix delegation whose value is a parameter, and a number that fits without',
      template: template(BY_PARAMETER, MAIN, TOKENS, workers('m5.large'), al2023WithPods(29)),
    },
  ],
  invalid: [
    {
      name: 'Cilium chained to the VPC CNI, which goes on giving the addresses',
      template: resources(MAIN, ...TOO_MANY, CILIUM({ cni: { chainingMode: 'aws-cni', exclusive: false } })),
      findings: [TOO_MANY_FINDING],
    },
    {
      name: 'Cilium that takes its addresses from the same interfaces',
      template: resources(MAIN, ...TOO_MANY, CILIUM({ ipam: { mode: 'eni' } })),
      findings: [TOO_MANY_FINDING],
    },
    {
      name: 'Calico for policies',
      template: resources(
        MAIN,
        ...TOO_MANY,
        helmChart('Network', 'tigera-operator', { installation: { kubernetesProvider: 'EKS' } }),
      ),
      findings: [TOO_MANY_FINDING],
    },
    {
      name: '110 without prefix delegation',
      template: resources(MAIN, PLAIN, workers('m5.large'), al2023WithPods(110)),
      fixed: resources(MAIN, PLAIN, workers('m5.large'), al2023WithPods(29)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: [
            'Launch template "Nodes" of node group "Workers" runs up to 110 pods on m5.large (`maxPods` of its NodeConfig, line 11 of the user data)',
            'addresses for 29 there (single addresses, without prefix delegation)',
          ],
        },
      ],
    },
    {
      name: '110 without prefix delegation, fixed by turning it on',
      template: resources(MAIN, cni({ ENABLE_PREFIX_DELEGATION: 'false' }), workers('m5.large'), al2023WithPods(110)),
      fixed: resources(MAIN, cni(PREFIXES), workers('m5.large'), al2023WithPods(110)),
      findings: [{ message: 'tooMany', severity: 'error', resource: 'Nodes', at: 'maxPods: 110' }],
    },
    {
      name: 'nothing is configured, so somebody may have turned prefix delegation on by hand',
      template: resources(MAIN, NOT_CONFIGURED, workers('m5.large'), al2023WithPods(110)),
      findings: [{ message: 'tooMany', severity: 'warning', resource: 'Nodes', at: 'maxPods: 110' }],
    },
    {
      name: 'nothing is configured, and prefixes would not do either',
      template: resources(MAIN, NOT_CONFIGURED, workers('t3.small'), al2023WithPods(250)),
      findings: [{ message: 'tooMany', severity: 'error', resource: 'Nodes', at: 'maxPods: 250' }],
    },
    {
      name: 'custom networking with the number of single addresses',
      template: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2023WithPods(29)),
      fixed: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2023WithPods(20)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 29',
          says: ['addresses for 20', 'with custom networking'],
        },
      ],
    },
    {
      name: 'custom networking, and nodeadm computes the number',
      template: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2023()),
      fixed: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2023WithPods(20)),
      findings: [
        {
          message: 'formula',
          severity: 'error',
          resource: 'Nodes',
          at: 'spec:',
          related: ['LaunchTemplate:', 'ConfigurationValues:', 'InstanceTypes: [m5.large]'],
          says: ['leaves the number of pods to nodeadm, which makes 29 on m5.large'],
        },
      ],
    },
    {
      name: 'custom networking, and bootstrap.sh computes the number',
      template: resources(MAIN, cni(CUSTOM), workers('m5.large'), al2()),
      findings: [
        {
          message: 'formula',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['bootstrap.sh'],
        },
      ],
    },
    {
      name: 'MAX_ENI below what the type has',
      template: resources(MAIN, cni({ MAX_ENI: '2' }), workers('m5.large'), bottlerocket()),
      findings: [
        {
          message: 'formula',
          severity: 'error',
          resource: 'Nodes',
          at: 'kubernetes]',
          says: ['Bottlerocket', 'with MAX_ENI 2'],
        },
      ],
    },
    {
      name: 'a handful more, which may be pods on the host network',
      template: resources(MAIN, PLAIN, workers('m5.large'), al2023WithPods(32)),
      findings: [{ message: 'tooMany', severity: 'warning', resource: 'Nodes', at: 'maxPods: 32' }],
    },
    {
      name: 'too many for one of two types',
      template: resources(MAIN, PLAIN, workers('m5.large', 'm5.xlarge'), al2023WithPods(58)),
      findings: [
        {
          message: 'tooMany',
          severity: 'warning',
          resource: 'Nodes',
          at: 'maxPods: 58',
          says: ['up to 58 pods on m5.large ('],
          omits: ['m5.xlarge'],
        },
      ],
    },
    {
      name: "prefix delegation, which the type doesn't have",
      template: resources(MAIN, cni(PREFIXES), workers('m4.large'), al2023WithPods(110)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['addresses for 20 there (which has no prefix delegation)'],
        },
      ],
    },
    {
      name: "more than there are prefixes for, which isn't what AWS recommends either",
      template: resources(MAIN, cni(PREFIXES), workers('t3.nano'), al2023WithPods(110)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['with prefix delegation'],
        },
      ],
    },
    {
      name: 'a trunk interface takes addresses away',
      template: resources(MAIN, cni({ ENABLE_POD_ENI: 'true' }), workers('m5.large'), al2023WithPods(58)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 58',
          says: ['addresses for 29', '9 pods with security groups of their own included'],
        },
      ],
    },
    {
      name: 'a flag for kubelet, in a self-managed group',
      template: resources(
        MAIN,
        PLAIN,
        selfManaged('m5.large'),
        al2('--use-max-pods false', "--kubelet-extra-args '--node-labels=a=b --max-pods=110'"),
      ),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: '110',
          says: ['`--max-pods` behind bootstrap.sh, line 2'],
        },
      ],
    },
    {
      name: "bootstrap.sh without its number leaves kubelet's",
      template: resources(MAIN, PLAIN, workers('m5.large'), al2('--use-max-pods false')),
      findings: [
        {
          message: 'formula',
          severity: 'error',
          resource: 'Nodes',
          at: '/etc/eks/bootstrap.sh',
          says: ['makes 110 on m5.large'],
        },
      ],
    },
    {
      name: 'Bottlerocket takes the number of the user where EKS brings the rest',
      template: resources(
        MAIN,
        PLAIN,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', 'InstanceTypes: [m5.large]', USES_NODES),
        launchTemplate(userData('[settings.kubernetes]\nmax-pods = 110')),
      ),
      findings: [{ message: 'tooMany', severity: 'error', resource: 'Nodes', at: 'max-pods = 110' }],
    },
    {
      name: 'the default type of a managed group',
      template: resources(MAIN, PLAIN, nodeGroup(USES_NODES), al2023WithPods(110)),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          related: ['LaunchTemplate:', 'ConfigurationValues:', 'Properties: # workers'],
          says: ['on t3.medium', 'addresses for 17'],
        },
      ],
    },
    {
      name: 'a launch template that two groups share, of which one has room',
      template: resources(
        MAIN,
        PLAIN,
        workers('m5.large'),
        namedNodeGroup('Others', 'InstanceTypes: [m5.4xlarge]', USES_NODES),
        al2023WithPods(110),
      ),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['of node group "Workers" runs'],
          omits: ['Others'],
        },
      ],
    },
    {
      name: 'under a condition on the user data',
      template: template(
        CONDITION,
        MAIN,
        PLAIN,
        workers('m5.large'),
        launchTemplate(
          IMAGES.AL2023,
          `UserData: !If\n  - IsProduction\n  - Fn::Base64: |\n${indented(`apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n${indented(clusterBlock(), 2)}\n  kubelet: { config: { maxPods: 110 } }`, 6)}\n  - Fn::Base64: |\n${indented(`apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n${indented(clusterBlock(), 2)}`, 6)}`,
        ),
      ),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['IsProduction is true'],
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
          `ConfigurationValues: !If [IsProduction, '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}', '{"env":{"ENABLE_PREFIX_DELEGATION":"false"}}']`,
        ),
        workers('m5.large'),
        al2023WithPods(110),
      ),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'under a condition on one instance type',
      template: template(
        CONDITION,
        MAIN,
        PLAIN,
        nodeGroup('InstanceTypes: [!If [IsProduction, m5.4xlarge, m5.large]]', USES_NODES),
        al2023WithPods(110),
      ),
      findings: [
        {
          message: 'tooMany',
          severity: 'error',
          resource: 'Nodes',
          at: 'maxPods: 110',
          says: ['IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'Cilium gives the addresses',
      template: resources(MAIN, ...TOO_MANY, CILIUM({ ipam: { mode: 'cluster-pool' } })),
      resources: ['Nodes'],
      because: 'installs Cilium',
    },
    {
      name: 'Cilium in a cluster that may be this one',
      template: template(
        'Parameters:\n  Elsewhere: { Type: String }',
        MAIN,
        ...TOO_MANY,
        CILIUM({ ipam: { mode: 'cluster-pool' } }).replace(/ClusterName: .*/, 'ClusterName: !Ref Elsewhere'),
      ),
      resources: ['Nodes'],
      because: 'installs Cilium',
    },
    {
      name: 'Calico gives the addresses',
      template: resources(
        MAIN,
        ...TOO_MANY,
        helmChart('Network', 'tigera-operator', { installation: { cni: { type: 'Calico' } } }),
      ),
      resources: ['Nodes'],
      because: 'installs Calico',
    },
    {
      name: 'a launch template by id',
      template: resources(MAIN, PLAIN, nodeGroup('LaunchTemplate: { Id: lt-0123456789abcdef0, Version: 3 }')),
      resources: ['Workers'],
    },
    {
      name: 'prefix delegation by a parameter',
      template: template(BY_PARAMETER, MAIN, TOKENS, workers('m5.large'), al2023WithPods(110)),
      resources: ['Nodes'],
      because: 'parameter Prefixes',
    },
    {
      name: 'prefix delegation by a patch',
      template: resources(MAIN, NOT_CONFIGURED, PATCH, workers('m5.large'), al2023WithPods(110)),
      resources: ['Nodes'],
      because: 'patch',
    },
    {
      name: 'max pods by a parameter',
      template: template(BY_PARAMETER, MAIN, PLAIN, workers('m5.large'), al2023WithPods('${Pods}')),
      resources: ['Nodes'],
      because: 'max pods',
    },
    {
      name: 'a type that is newer than the table',
      template: resources(MAIN, PLAIN, workers('m99.large'), al2023WithPods(110)),
      resources: ['Nodes'],
      because: 'm99.large',
    },
    {
      name: 'a type of which no list tells whether it has a trunk',
      template: resources(MAIN, cni({ ENABLE_POD_ENI: 'true' }), workers('trn2.48xlarge'), al2023WithPods(5000)),
      resources: ['Nodes'],
      because: 'trunk',
    },
    {
      name: 'a cluster outside of the input',
      template: resources(
        PLAIN.replace('!Ref Cluster', 'main'),
        workers('m5.large').replace('!Ref Cluster', 'main'),
        bottlerocket('max-pods = 110'),
      ),
      resources: ['Nodes'],
      because: 'IP family',
    },
    {
      name: 'a script that changes kubelet',
      template: resources(
        MAIN,
        PLAIN,
        workers('m5.large'),
        launchTemplate(
          IMAGES.AL2023,
          userData(
            mime(
              nodeConfigPart(clusterBlock()),
              shellPart('echo "{\\"maxPods\\": 110}" > /etc/kubernetes/kubelet/config.json.d/99.conf'),
            ),
          ),
        ),
      ),
      resources: ['Nodes'],
    },
  ],
  notApplicable: [
    { name: 'no add-on: another CNI may run', template: resources(MAIN, workers('m5.large'), al2023WithPods(110)) },
    {
      name: 'another add-on',
      template: resources(MAIN, addon('Proxy', 'AddonName: kube-proxy'), workers('m5.large'), al2023WithPods(110)),
    },
    { name: 'an IPv6 cluster', template: resources(IPV6, PLAIN, workers('m5.large'), al2023WithPods(110)) },
    {
      name: 'Windows nodes',
      template: resources(
        MAIN,
        cni({}, { enableWindowsIpam: 'true' }),
        workers('m5.large'),
        launchTemplate(
          IMAGES.WINDOWS,
          userData(
            '<powershell>\n& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main\n</powershell>',
          ),
        ),
      ),
    },
    {
      name: "no interface is left for pods, which is another rule's finding",
      template: resources(MAIN, cni({ ...CUSTOM, ENABLE_POD_ENI: 'true' }), workers('m6g.medium'), al2023WithPods(110)),
    },
    {
      name: 'a bootstrap of another operating system',
      template: resources(
        MAIN,
        PLAIN,
        workers('m5.large'),
        launchTemplate(IMAGES.AL2023, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
      ),
    },
    {
      name: 'a policy without node groups',
      template: resources(
        MAIN,
        PLAIN,
        manifest('Map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }),
      ),
    },
  ],
});

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}

it('fails where another CNI is not there', () => {
  const text = template(CONDITION, MAIN, ...TOO_MANY, onCondition('IsProduction', CILIUM({})));
  const findings = runRules(new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources), [
    maxPodsCapacity,
  ]);
  expect(findings.map(({ verdict, message }) => [verdict, message])).toEqual([
    ['unverifiable', expect.stringContaining('Cilium')],
    ['fail', expect.stringContaining('IsProduction is false')],
  ]);
});
