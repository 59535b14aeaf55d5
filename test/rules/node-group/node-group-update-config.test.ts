import { nodeGroupUpdateConfig } from '../../../lib/rules/node-group/node-group-update-config';
import { config, managed } from '../../front-ends/eksctl/configs';
import { CLUSTER, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  N: { Type: Number }';
const DEFAULT = 'Parameters:\n  N: { Type: Number, Default: 200 }';

function update(...lines: readonly string[]): string {
  return ['UpdateConfig:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Sizes of the group. */
function size(desired: number | string, max: number | string): string {
  return `ScalingConfig: { MinSize: 1, DesiredSize: ${desired}, MaxSize: ${max} }`;
}

/** A node group whose metadata options no rule calls an error, because it isn't Amazon Linux 2023. */
function workers(...properties: readonly string[]): string {
  return nodeGroup('AmiType: BOTTLEROCKET_x86_64', ...properties);
}

testRule(nodeGroupUpdateConfig, {
  valid: [
    { name: 'no update configuration passes: one node at a time', template: resources(CLUSTER, workers()) },
    {
      name: 'an update configuration that is taken away passes',
      template: resources(CLUSTER, workers('UpdateConfig: !Ref AWS::NoValue')),
    },
    {
      name: 'a third of the nodes passes',
      template: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailablePercentage: 33'))),
    },
    {
      name: '99 percent pass',
      template: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailablePercentage: 99'))),
    },
    {
      name: 'a number below the maximum size passes, although it is the desired one',
      template: resources(CLUSTER, workers(size(2, 3), update('MaxUnavailable: 2'))),
    },
    {
      name: 'one node of a group of one passes: there is no smaller number',
      template: resources(CLUSTER, workers(size(1, 1), update('MaxUnavailable: 1'))),
    },
    {
      name: 'one node passes where the maximum size is not known',
      template: template(PARAMETER, CLUSTER, workers(size(2, '!Ref N'), update('MaxUnavailable: 1'))),
    },
    {
      name: 'one node passes where no size is written',
      template: resources(CLUSTER, workers(update('MaxUnavailable: 1'))),
    },
    {
      name: '100 percent of one node pass',
      template: resources(CLUSTER, workers(size(1, 1), update('MaxUnavailablePercentage: 100'))),
    },
    {
      name: 'a number in text passes',
      template: resources(CLUSTER, workers(size(3, "'9'"), update("MaxUnavailable: '3'"))),
    },
    {
      name: 'the largest number passes in a larger group',
      template: resources(CLUSTER, workers(size(150, 200), update('MaxUnavailable: 100'))),
    },
    {
      name: 'strategy DEFAULT passes',
      template: resources(CLUSTER, workers(size(1, 3), update('MaxUnavailable: 1', 'UpdateStrategy: DEFAULT'))),
    },
    ...[1, 4].map((desired) => ({
      name: `strategy MINIMAL of a capacity block with ${desired} instances passes`,
      template: resources(
        CLUSTER,
        workers(
          'CapacityType: CAPACITY_BLOCK',
          size(desired, 4),
          update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL'),
        ),
      ),
    })),
    {
      name: 'number and percentage that exclude each other pass',
      template: template(
        CONDITION,
        CLUSTER,
        workers(
          size(3, 6),
          update(
            'MaxUnavailable: !If [IsProduction, 1, !Ref AWS::NoValue]',
            'MaxUnavailablePercentage: !If [IsProduction, !Ref AWS::NoValue, 50]',
          ),
        ),
      ),
    },
    {
      name: 'all nodes of a size that the group has only where it is not created pass',
      template: template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', workers(size(2, '!If [IsProduction, 10, 2]'), update('MaxUnavailable: 2'))),
      ),
    },
  ],
  invalid: [
    {
      name: 'both settings in a ClusterConfig, which eksctl refuses itself',
      template: config(managed('maxSize: 4', 'updateConfig:', '  maxUnavailable: 1', '  maxUnavailablePercentage: 25')),
      findings: [
        {
          message: 'both',
          severity: 'error',
          resource: 'workers',
          at: 'maxUnavailable: 1',
          says: ['eksctl takes one of them and refuses the whole file'],
          omits: ['EKS'],
        },
      ],
      fixed: config(managed('maxSize: 4', 'updateConfig:', '  maxUnavailablePercentage: 25')),
    },
    {
      name: 'more nodes than a group of a ClusterConfig has at most',
      template: config(managed('maxSize: 2', 'updateConfig:', '  maxUnavailable: 3')),
      findings: [
        {
          message: 'aboveMaximum',
          severity: 'error',
          resource: 'workers',
          at: 'maxUnavailable: 3',
          says: ['has at most 2 nodes', 'eksctl refuses the whole file, and makes nothing'],
        },
      ],
      fixed: config(managed('maxSize: 2', 'updateConfig:', '  maxUnavailable: 1')),
    },
    {
      name: 'two nodes of one',
      template: config(managed('minSize: 1', 'maxSize: 1', 'updateConfig:', '  maxUnavailable: 2')),
      findings: [{ message: 'aboveMaximum', severity: 'error', resource: 'workers', at: 'maxUnavailable: 2' }],
      fixed: config(managed('minSize: 1', 'maxSize: 1', 'updateConfig:', '  maxUnavailable: 1')),
    },
    {
      name: 'both settings fail',
      template: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailable: 1', 'MaxUnavailablePercentage: 33'))),
      findings: [
        {
          message: 'both',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailable: 1',
          related: ['MaxUnavailablePercentage: 33'],
          says: ['"Workers"', '(1)', '(33)'],
        },
      ],
      fixed: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailablePercentage: 33'))),
    },
    {
      name: 'both settings fail whatever the parameter says',
      template: template(
        PARAMETER,
        CLUSTER,
        workers(size(3, 6), update('MaxUnavailable: !Ref N', 'MaxUnavailablePercentage: 33')),
      ),
      findings: [
        { message: 'both', severity: 'error', resource: 'Workers', at: 'MaxUnavailable: !Ref N', says: ['${N}'] },
      ],
    },
    {
      name: 'zero fails',
      template: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailable: 0'))),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailable',
          says: ['maxUnavailable to 0', 'from 1 to 100'],
        },
      ],
      fixed: resources(CLUSTER, workers(size(3, 6), update('MaxUnavailable: 1'))),
    },
    {
      name: 'more than 100 nodes fail',
      template: resources(CLUSTER, workers(size(150, 200), update('MaxUnavailable: 101'))),
      findings: [
        { message: 'outOfRange', severity: 'error', resource: 'Workers', at: 'MaxUnavailable', says: ['101'] },
      ],
    },
    {
      name: 'zero percent fails',
      template: resources(CLUSTER, workers(update('MaxUnavailablePercentage: 0'))),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailablePercentage',
          says: ['maxUnavailablePercentage to 0'],
        },
      ],
    },
    {
      name: 'a fraction fails',
      template: resources(CLUSTER, workers(update('MaxUnavailablePercentage: 33.3'))),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailablePercentage',
          says: ['33.3'],
        },
      ],
    },
    {
      name: 'a percent sign fails',
      template: resources(CLUSTER, workers(update("MaxUnavailable: '25%'"))),
      findings: [
        { message: 'outOfRange', severity: 'error', resource: 'Workers', at: 'MaxUnavailable', says: ['"25%"'] },
      ],
    },
    {
      name: 'the default of a parameter counts',
      template: template(DEFAULT, CLUSTER, workers(update('MaxUnavailablePercentage: !Ref N'))),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailablePercentage',
          says: ['200'],
        },
      ],
    },
    {
      name: 'as many nodes as the group has at most are a warning',
      template: resources(CLUSTER, workers(size(2, 3), update('MaxUnavailable: 3'))),
      findings: [
        {
          message: 'allAtOnce',
          severity: 'warning',
          resource: 'Workers',
          at: 'MaxUnavailable',
          related: ['MaxSize: 3 }'],
          says: ['maxUnavailable to 3', 'at most 3 nodes'],
        },
      ],
      fixed: resources(CLUSTER, workers(size(2, 3), update('MaxUnavailablePercentage: 33'))),
    },
    {
      name: 'as many nodes as the default of a parameter are a warning that names the parameter',
      template: template(DEFAULT, CLUSTER, workers(size(1, '!Ref Max'), update('MaxUnavailable: 2'))).replace(
        'Parameters:',
        'Parameters:\n  Max: { Type: Number, Default: 2 }',
      ),
      findings: [
        {
          message: 'allAtOnce',
          severity: 'warning',
          resource: 'Workers',
          at: 'MaxUnavailable: 2',
          says: ['at most 2 nodes (default of '],
        },
      ],
    },
    {
      name: 'more nodes than the group has at most are a warning',
      template: resources(CLUSTER, workers(size(2, 3), update('MaxUnavailable: 5'))),
      findings: [{ message: 'allAtOnce', severity: 'warning', resource: 'Workers', at: 'MaxUnavailable' }],
    },
    {
      name: '100 percent are a warning, whatever the size',
      template: template(PARAMETER, CLUSTER, workers(size(2, '!Ref N'), update('MaxUnavailablePercentage: 100'))),
      findings: [
        {
          message: 'allAtOnce',
          severity: 'warning',
          resource: 'Workers',
          at: 'MaxUnavailablePercentage',
          related: [],
          says: ['maxUnavailablePercentage to 100:'],
        },
      ],
    },
    {
      name: 'one bad branch of the number is named',
      template: template(CONDITION, CLUSTER, workers(size(2, 5), update('MaxUnavailable: !If [IsProduction, 1, 5]'))),
      findings: [
        {
          message: 'allAtOnce',
          severity: 'warning',
          resource: 'Workers',
          at: 'MaxUnavailable',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'one bad branch of the whole configuration is named',
      template: template(
        CONDITION,
        CLUSTER,
        workers(size(2, 5), 'UpdateConfig: !If [IsProduction, { MaxUnavailable: 1 }, { MaxUnavailable: 0 }]'),
      ),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailable: 0',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'MINIMAL with one node is a warning',
      template: resources(CLUSTER, workers(size(1, 3), update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL'))),
      findings: [
        {
          message: 'minimalOfOne',
          severity: 'warning',
          resource: 'Workers',
          at: 'UpdateStrategy',
          related: ['DesiredSize: 1, MaxSize: 3 }'],
          says: ['desired size of 1'],
        },
      ],
      fixed: resources(CLUSTER, workers(size(1, 3), update('MaxUnavailable: 1', 'UpdateStrategy: DEFAULT'))),
    },
    {
      name: 'strategy MINIMAL of a group that is scaled to zero between its uses is information',
      template: resources(
        CLUSTER,
        workers(
          'ScalingConfig: { MinSize: 0, DesiredSize: 0, MaxSize: 4 }',
          update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL'),
        ),
      ),
      findings: [{ message: 'minimal', severity: 'info', resource: 'Workers', at: 'UpdateStrategy: MINIMAL' }],
    },
    {
      name: 'MINIMAL with more nodes is mere information',
      template: resources(CLUSTER, workers(size(2, 3), update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL'))),
      findings: [{ message: 'minimal', severity: 'info', resource: 'Workers', at: 'UpdateStrategy' }],
    },
    {
      name: 'MINIMAL with a size that is not known is mere information',
      template: template(
        PARAMETER,
        CLUSTER,
        workers(size('!Ref N', 9), update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL')),
      ),
      findings: [{ message: 'minimal', severity: 'info', resource: 'Workers', at: 'UpdateStrategy' }],
    },
    {
      name: 'a bad number and MINIMAL are two findings',
      template: template(
        CONDITION,
        CLUSTER,
        workers(size(2, 3), update('MaxUnavailable: !If [IsProduction, 0, 0]', 'UpdateStrategy: MINIMAL')),
      ),
      findings: [
        {
          message: 'outOfRange',
          severity: 'error',
          resource: 'Workers',
          at: 'MaxUnavailable',
          omits: ['This happens when'],
        },
        {
          message: 'minimal',
          severity: 'info',
          resource: 'Workers',
          at: 'UpdateStrategy',
          omits: ['This happens when'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a number beside a maximum size that is none',
      template: resources(CLUSTER, workers(size(2, 'many'), update('MaxUnavailable: 2'))),
      resources: ['Workers'],
      because: 'is no number',
    },
    {
      name: 'a number from a parameter without default',
      template: template(PARAMETER, CLUSTER, workers(size(2, 5), update('MaxUnavailable: !Ref N'))),
      resources: ['Workers'],
      because: 'N',
    },
    {
      name: 'a percentage from a parameter without default',
      template: template(PARAMETER, CLUSTER, workers(size(2, 5), update('MaxUnavailablePercentage: !Ref N'))),
      resources: ['Workers'],
      because: 'N',
    },
    {
      name: 'several nodes of a group whose maximum size is not known',
      template: template(PARAMETER, CLUSTER, workers(size(2, '!Ref N'), update('MaxUnavailable: 2'))),
      resources: ['Workers'],
      because: 'maximum size',
    },
    {
      name: 'several nodes of a group that writes no size',
      template: resources(CLUSTER, workers(update('MaxUnavailable: 2'))),
      resources: ['Workers'],
      because: 'none is written',
    },
    {
      name: 'an update configuration from elsewhere, once',
      template: resources(CLUSTER, workers('UpdateConfig: !ImportValue update')),
      resources: ['Workers'],
      because: 'update configuration',
    },
    {
      name: 'a strategy from a parameter without default',
      template: template(
        'Parameters:\n  S: { Type: String }',
        CLUSTER,
        workers(update('MaxUnavailable: 1', 'UpdateStrategy: !Ref S')),
      ),
      resources: ['Workers'],
      because: 'S',
    },
    {
      name: 'strategy MINIMAL of a group that may be a capacity block',
      template: template(
        'Parameters:\n  C: { Type: String }',
        CLUSTER,
        workers('CapacityType: !Ref C', size(1, 4), update('MaxUnavailable: 1', 'UpdateStrategy: MINIMAL')),
      ),
      resources: ['Workers'],
      because: 'capacity block',
    },
    {
      name: 'a strategy of another name',
      template: resources(CLUSTER, workers(update('MaxUnavailable: 1', 'UpdateStrategy: BLUE_GREEN'))),
      resources: ['Workers'],
      because: 'BLUE_GREEN',
    },
  ],
  notApplicable: [{ name: 'a cluster without node groups', template: resources(CLUSTER) }],
});
