import { prefixDelegationNitro } from '../../../lib/rules/vpc-cni/prefix-delegation-nitro';
import { onCondition } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  addon,
  al2023,
  al2023WithPods,
  cluster,
  cni,
  CNI_BASICS,
  CONDITION,
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
  workers,
} from './max-pods-templates';

const CNI = cni(PREFIXES);
const TYPES = (...types: readonly string[]): string => nodeGroup(`InstanceTypes: [${types.join(', ')}]`);
const BY_PARAMETER = 'Parameters:\n  Prefixes: { Type: String }\n  Family: { Type: String }';
const TOKENS = addon(
  'Cni',
  ...CNI_BASICS,
  `ConfigurationValues: { 'Fn::Join': ['', ['{"env":{"ENABLE_PREFIX_DELEGATION":"', !Ref Prefixes, '"}}']] }`,
);

testRule(prefixDelegationNitro, {
  valid: [
    { name: 'a Nitro type', template: resources(MAIN, CNI, TYPES('m5.large')) },
    { name: 'bare metal of an older generation', template: resources(MAIN, CNI, TYPES('i3.metal')) },
    { name: 'bare metal in an IPv6 cluster', template: resources(IPV6, cni({}), TYPES('i3.metal', 'm7g.large')) },
    { name: 'no type, so that EKS starts one of Nitro', template: resources(MAIN, CNI, nodeGroup()) },
  ],
  invalid: [
    {
      name: 'a Xen type: the CNI falls back',
      template: resources(MAIN, CNI, TYPES('m4.large')),
      fixed: resources(MAIN, CNI, TYPES('m7i.large')),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Workers',
          at: 'InstanceTypes',
          related: ['ConfigurationValues:'],
          says: ['Node group "Workers" starts m4.large, which is not built on Nitro', '20 pods on m4.large'],
        },
      ],
    },
    {
      name: 'some of several types',
      template: resources(MAIN, CNI, TYPES('m5.large', 'm4.xlarge', 'c4.large')),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['m4.xlarge and c4.large, which are not', '29 pods on c4.large'],
          omits: ['m5.large'],
        },
      ],
    },
    {
      name: 'an IPv6 cluster: the CNI does not start',
      template: resources(IPV6, cni({ WARM_ENI_TARGET: '1' }), TYPES('m4.large')),
      fixed: resources(IPV6, cni({ WARM_ENI_TARGET: '1' }), TYPES('m5.large')),
      findings: [
        { message: 'ipv6', severity: 'error', resource: 'Workers', at: 'InstanceTypes', related: ['IpFamily: ipv6 }'] },
      ],
    },
    {
      name: 'the type of a launch template, which the finding then is about',
      template: resources(MAIN, CNI, nodeGroup(USES_NODES), launchTemplate('InstanceType: m4.large')),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Nodes',
          at: 'InstanceType: m4.large',
          says: ['Launch template "Nodes" starts m4.large'],
        },
      ],
    },
    {
      name: 'a launch template that two groups share is reported once',
      template: resources(
        MAIN,
        CNI,
        nodeGroup(USES_NODES),
        namedNodeGroup('Others', USES_NODES),
        launchTemplate('InstanceType: m4.large'),
      ),
      findings: [{ message: 'fallsBack', severity: 'warning', resource: 'Nodes', at: 'InstanceType: m4.large' }],
    },
    {
      name: 'a self-managed group',
      template: resources(MAIN, CNI, selfManaged('m4.large'), al2023()),
      findings: [{ message: 'fallsBack', severity: 'warning', resource: 'Workers', at: 'Overrides' }],
    },
    {
      name: 'under a condition on the types',
      template: template(CONDITION, MAIN, CNI, nodeGroup('InstanceTypes: !If [IsProduction, [m5.large], [m4.large]]')),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Workers',
          at: 'InstanceTypes: !If',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'under a condition on the IP family',
      template: template(
        CONDITION,
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !If [IsProduction, ipv6, ipv4] }'),
        cni({}),
        TYPES('m4.large'),
      ),
      findings: [
        {
          message: 'ipv6',
          severity: 'error',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['IsProduction is true'],
        },
      ],
    },
    {
      name: 'a group that is created under a condition only: that is no part of the story',
      template: template(CONDITION, MAIN, CNI, onCondition('IsProduction', TYPES('m4.large'))),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Workers',
          at: 'InstanceTypes',
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'an add-on that is created under a condition only',
      template: template(CONDITION, MAIN, onCondition('IsProduction', CNI), TYPES('m4.large')),
      findings: [
        {
          message: 'fallsBack',
          severity: 'warning',
          resource: 'Workers',
          at: 'InstanceTypes',
          says: ['IsProduction is true'],
        },
      ],
    },
    {
      name: 'a cluster outside of the input: it fails whatever its IP family',
      template: resources(CNI.replace('!Ref Cluster', 'main'), TYPES('m4.large').replace('!Ref Cluster', 'main')),
      findings: [{ message: 'fallsBack', severity: 'warning', resource: 'Workers', at: 'InstanceTypes' }],
    },
  ],
  unverifiable: [
    {
      name: 'prefix delegation by a parameter',
      template: template(BY_PARAMETER, MAIN, TOKENS, TYPES('m4.large')),
      resources: ['Workers'],
      because: 'parameter Prefixes',
    },
    {
      name: 'the IP family by a parameter',
      template: template(
        BY_PARAMETER,
        cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: !Ref Family }'),
        cni({}),
        TYPES('m4.large'),
      ),
      resources: ['Workers'],
      because: 'parameter Family',
    },
    {
      name: 'a type that is newer than the table',
      template: resources(MAIN, CNI, TYPES('m99.large')),
      resources: ['Workers'],
      because: 'm99.large',
    },
    {
      name: "an AMI of which the operating system isn't known",
      template: resources(MAIN, CNI, workers('m4.large'), launchTemplate('ImageId: ami-0123456789abcdef0')),
      resources: ['Workers'],
      because: 'Linux nodes only',
    },
    {
      name: "a launch template that isn't part of the input",
      template: resources(
        MAIN,
        CNI,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', 'LaunchTemplate: { Id: lt-0123456789abcdef0, Version: 3 }'),
      ),
      resources: ['Workers'],
      because: 'launch template',
    },
  ],
  notApplicable: [
    { name: 'prefix delegation is off', template: resources(MAIN, cni({}), TYPES('m4.large')) },
    {
      name: "prefix delegation is off, and the types aren't known",
      template: resources(MAIN, cni({}), TYPES('m99.large')),
    },
    { name: 'no add-on', template: resources(IPV6, TYPES('m4.large')) },
    {
      name: 'Windows',
      template: resources(
        MAIN,
        cni(PREFIXES, { enableWindowsIpam: 'true' }),
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', 'InstanceTypes: [m4.large]'),
      ),
    },
    {
      name: 'the Windows AMI of a launch template',
      template: resources(
        MAIN,
        cni(PREFIXES, { enableWindowsIpam: 'true' }),
        workers('m4.large'),
        launchTemplate(IMAGES.WINDOWS),
      ),
    },
    { name: 'no node groups', template: resources(MAIN, CNI, al2023WithPods(110)) },
  ],
});
