import { imdsEndpointDisabled } from '../../../lib/rules/imds/imds-endpoint-disabled';
import {
  block,
  CLUSTER,
  cluster,
  launchTemplate,
  metadataOptions,
  namedNodeGroup,
  nodeGroup,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { SELF_MANAGED } from '../node-bootstrap/user-data-templates';
import { testRule } from '../rule-tester';

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const DISABLED = metadataOptions('HttpEndpoint: disabled', 'HttpTokens: required');
const ENABLED = metadataOptions('HttpEndpoint: enabled', 'HttpTokens: required');
const OWN_IMAGE = ['ImageId: ami-0123456789abcdef0', 'MetadataOptions: { HttpEndpoint: disabled }'];

testRule(imdsEndpointDisabled, {
  valid: [
    {
      name: 'pods kept out by a hop limit of 1 instead',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: 1'),
      ),
    },
    { name: 'an enabled endpoint passes', template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), ENABLED) },
    {
      name: 'no metadata options at all pass, because the endpoint is on by default',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    { name: 'a group without launch template passes', template: resources(CLUSTER, nodeGroup(AL2023)) },
  ],
  invalid: [
    {
      name: 'a disabled endpoint on AL2023 fails',
      template: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), DISABLED),
      findings: [
        {
          message: 'disabled',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpEndpoint',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', 'never join the cluster'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(AL2023, USES_NODES), ENABLED),
    },
    {
      name: 'a disabled endpoint fails whatever the AMI type of EKS is',
      template: template(
        'Parameters:\n  Ami: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Ami', USES_NODES),
        DISABLED,
      ),
      findings: [{ message: 'disabled', severity: 'error', resource: 'Nodes', at: 'HttpEndpoint' }],
    },
    {
      name: 'a disabled endpoint fails with an own image that runs an EKS bootstrap',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          ...OWN_IMAGE,
          'UserData:',
          '  Fn::Base64: |',
          '    #!/bin/bash',
          '    /etc/eks/bootstrap.sh main',
        ),
      ),
      findings: [{ message: 'disabled', severity: 'error', resource: 'Nodes', at: 'HttpEndpoint' }],
    },
    {
      name: 'a disabled endpoint is a warning with an own image whose bootstrap can not be seen',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(...OWN_IMAGE)),
      findings: [
        {
          message: 'disabledOwnImage',
          severity: 'warning',
          resource: 'Nodes',
          at: 'HttpEndpoint',
          related: ['LaunchTemplate:'],
          says: ["whose bootstrap can't be seen"],
        },
      ],
    },
    {
      name: 'one bad branch of a condition fails and is named',
      also: ['imds-hop-limit'],
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpEndpoint: !If [IsProduction, disabled, enabled]'),
      ),
      findings: [
        {
          message: 'disabled',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpEndpoint',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        DISABLED,
      ),
      findings: [
        {
          message: 'disabled',
          severity: 'error',
          resource: 'Nodes',
          at: 'HttpEndpoint',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'self-managed nodes read their user data there, too',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        launchTemplate(
          ...OWN_IMAGE,
          'UserData:',
          '  Fn::Base64: |',
          '    #!/bin/bash',
          '    /etc/eks/bootstrap.sh main',
        ),
      ),
      findings: [{ message: 'disabled', severity: 'error', resource: 'Nodes', at: 'HttpEndpoint' }],
    },
    {
      name: 'one launch template that a group with an own bootstrap and an EKS group share is one finding, the graver',
      template: resources(
        CLUSTER,
        SELF_MANAGED,
        namedNodeGroup('Managed', AL2023, USES_NODES),
        launchTemplate('MetadataOptions: { HttpEndpoint: disabled }'),
      ),
      findings: [{ message: 'disabled', severity: 'error', resource: 'Nodes', at: 'HttpEndpoint' }],
    },
  ],
  unverifiable: [
    {
      name: 'self-managed nodes that name no launch template',
      template: resources(CLUSTER, SELF_MANAGED.replace(/LaunchTemplate: .*/, 'InstanceId: i-0123456789abcdef0')),
      resources: ['Workers'],
      because: 'names no launch template',
    },
    {
      name: 'an endpoint setting from a parameter without default',
      template: template(
        'Parameters:\n  Endpoint: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        metadataOptions('HttpEndpoint: !Ref Endpoint'),
      ),
      resources: ['Nodes'],
      because: 'Endpoint',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '3' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a launch template that no node group uses', template: resources(CLUSTER, DISABLED) },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }')),
    },
    {
      name: 'a cluster with Fargate only',
      template: resources(CLUSTER, block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster'])),
    },
  ],
});
