import { imdsInstanceTags } from '../../../lib/rules/imds/imds-instance-tags';
import {
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

const ENABLED = metadataOptions('InstanceMetadataTags: enabled');
const DISABLED = metadataOptions('InstanceMetadataTags: disabled');

/** The launch template `Nodes` with tags in metadata and one instance tag. */
function tagged(key: string, resourceType = 'instance'): string {
  return launchTemplate(
    'MetadataOptions: { InstanceMetadataTags: enabled }',
    'TagSpecifications:',
    `  - ResourceType: ${resourceType}`,
    `    Tags: [{ Key: ${key}, Value: x }]`,
  );
}

testRule(imdsInstanceTags, {
  valid: [
    {
      name: 'a key with a slash passes when tags stay out of metadata',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'TagSpecifications:',
          '  - ResourceType: instance',
          '    Tags: [{ Key: k8s.io/cluster-autoscaler/enabled, Value: x }]',
        ),
      ),
    },
    { name: 'disabled passes', template: resources(CLUSTER, nodeGroup(USES_NODES), DISABLED) },
    {
      name: 'no metadata options pass',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    { name: 'a group without launch template passes', template: resources(CLUSTER, nodeGroup()) },
  ],
  invalid: [
    {
      name: 'an autoscaler tag on self-managed nodes with tags in metadata fails',
      template: resources(CLUSTER, SELF_MANAGED, tagged('k8s.io/cluster-autoscaler/enabled')),
      findings: [
        {
          message: 'refusedKey',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          related: ['LaunchTemplate:', 'Key: k8s.io/cluster-autoscaler/enabled,'],
          says: ['`k8s.io/cluster-autoscaler/enabled`', 'is not a valid tag key'],
        },
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, DISABLED),
    },
    {
      name: 'the same tag in a managed group is a warning: EKS leaves the setting out of its copy of the template',
      also: ['imds-hop-limit'],
      template: resources(CLUSTER, nodeGroup(USES_NODES), tagged('k8s.io/cluster-autoscaler/enabled')),
      findings: [
        {
          message: 'refusedLater',
          severity: 'warning',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['`k8s.io/cluster-autoscaler/enabled`', 'EKS leaves the setting out', 'it does nothing'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), DISABLED),
    },
    {
      name: 'a key with a space fails',
      template: resources(CLUSTER, SELF_MANAGED, tagged('Cost Centre')),
      findings: [
        {
          message: 'refusedKey',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['`Cost Centre`'],
        },
      ],
    },
    {
      name: 'a reserved key fails',
      template: resources(CLUSTER, SELF_MANAGED, tagged('_index')),
      findings: [{ message: 'refusedKey', severity: 'error', resource: 'Nodes', at: 'InstanceMetadataTags' }],
    },
    {
      name: 'a key of which only the part with the slash is known fails',
      template: template(
        'Parameters:\n  Name: { Type: String }',
        CLUSTER,
        SELF_MANAGED,
        tagged('!Sub "kubernetes.io/cluster/${Name}"'),
      ),
      findings: [
        {
          message: 'refusedKey',
          severity: 'error',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['kubernetes.io/cluster/'],
        },
      ],
    },
    {
      name: 'a key that is not known is told like no key at all',
      also: ['imds-hop-limit'],
      template: template('Parameters:\n  Key: { Type: String }', CLUSTER, nodeGroup(USES_NODES), tagged('!Ref Key')),
      findings: [
        {
          message: 'leftOut',
          severity: 'info',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          related: ['LaunchTemplate:'],
        },
      ],
    },
    {
      name: 'tags of volumes are not shown in metadata',
      also: ['imds-hop-limit'],
      template: resources(CLUSTER, nodeGroup(USES_NODES), tagged('team/name', 'volume')),
      findings: [{ message: 'leftOut', severity: 'info', resource: 'Nodes', at: 'InstanceMetadataTags' }],
    },
    {
      name: 'enabled in a managed group has no effect, and only that is said',
      also: ['imds-hop-limit'],
      template: resources(CLUSTER, nodeGroup(USES_NODES), ENABLED),
      findings: [
        {
          message: 'leftOut',
          severity: 'info',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['has no effect'],
          omits: ['launches', 'refuses'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    {
      name: 'one bad branch of a condition is reported and named',
      also: ['imds-hop-limit'],
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup(USES_NODES),
        metadataOptions('InstanceMetadataTags: !If [IsProduction, disabled, enabled]'),
      ),
      findings: [
        {
          message: 'leftOut',
          severity: 'info',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'one launch template of two groups is one finding',
      also: ['imds-hop-limit'],
      template: resources(CLUSTER, namedNodeGroup('Blue', USES_NODES), namedNodeGroup('Green', USES_NODES), ENABLED),
      findings: [
        {
          message: 'leftOut',
          severity: 'info',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['"Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'self-managed nodes carry the tag of their cluster',
      template: resources(CLUSTER, SELF_MANAGED, ENABLED),
      findings: [
        {
          message: 'enabled',
          severity: 'warning',
          resource: 'Nodes',
          at: 'InstanceMetadataTags',
          says: ['node group "Workers"', 'where that tag is propagated'],
          omits: ['EKS leaves'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a setting from a parameter without default',
      template: template(
        'Parameters:\n  Tags: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        metadataOptions('InstanceMetadataTags: !Ref Tags'),
      ),
      resources: ['Nodes'],
      because: 'Tags',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '3' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a launch template that no node group uses', template: resources(CLUSTER, tagged('k8s.io/x')) },
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }')),
    },
  ],
});
