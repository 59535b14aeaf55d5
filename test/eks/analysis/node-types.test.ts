import fc from 'fast-check';
import { runs } from '../../share';
import { instanceTypeNames } from '../../../lib/knowledge';
import { EksModel, nodeTypesOf } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import {
  cluster,
  CLUSTER,
  launchTemplate,
  namedNodeGroup,
  onCondition,
  resources,
  SELF_MANAGED,
  template,
  USES_NODES,
} from '../../rules/node-templates';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';

/** The cases of the first group: types, `…` if there may be others, the owner and the condition. */
function typesIn(text: string): string[] {
  const { resources: read, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const model = new EksModel(read);
  const [group] = [...model.nodeGroups, ...model.selfManagedNodeGroups];
  if (group === undefined) throw new Error('no group in the template');
  return nodeTypesOf(group).map(({ types, doubt, owner, isDefault, when }) =>
    [
      ...types.map(({ name }) => name),
      ...(doubt === undefined ? [] : ['…']),
      ...(isDefault ? ['default'] : []),
      `of ${owner.id}`,
      ...(when.text === '' ? [] : [`when ${when.text}`]),
    ].join(' '),
  );
}

const group = (...properties: readonly string[]) => namedNodeGroup('Group', ...properties);

describe('nodeTypesOf', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'its own list',
      resources(CLUSTER, group('InstanceTypes: [m6i.large, t3.large]')),
      ['m6i.large t3.large of Group'],
    ],
    ['no list', resources(CLUSTER, group()), ['t3.medium default of Group']],
    [
      'no list with an AMI type for arm64',
      resources(CLUSTER, group('AmiType: AL2023_ARM_64_STANDARD')),
      ['… of Group'],
    ],
    ['no list with an AMI type for GPUs', resources(CLUSTER, group('AmiType: AL2023_x86_64_NVIDIA')), ['… of Group']],
    [
      'no list with an ordinary AMI type',
      resources(CLUSTER, group('AmiType: AL2023_x86_64_STANDARD')),
      ['t3.medium default of Group'],
    ],
    [
      'self-managed nodes without a type',
      resources(cluster('Name: main'), SELF_MANAGED, launchTemplate()),
      ['… of Group'],
    ],
    [
      'self-managed nodes with a type',
      resources(cluster('Name: main'), SELF_MANAGED, launchTemplate('InstanceType: c6i.large')),
      ['c6i.large of Nodes'],
    ],
    [
      'no list with an AMI type that is not known',
      template(PARAMETER, CLUSTER, group('AmiType: !Ref P')),
      ['… of Group'],
    ],
    [
      'no list with an AMI type by a condition',
      template(
        CONDITION,
        CLUSTER,
        group('AmiType: !If [IsProduction, AL2023_x86_64_STANDARD, AL2023_ARM_64_STANDARD]'),
      ),
      [
        't3.medium default of Group when condition IsProduction is true',
        '… of Group when condition IsProduction is false',
      ],
    ],
    [
      'no list with an AMI type by the condition of the group',
      template(
        CONDITION,
        CLUSTER,
        onCondition(
          'IsProduction',
          group('AmiType: !If [IsProduction, AL2023_x86_64_STANDARD, AL2023_ARM_64_STANDARD]'),
        ),
      ),
      ['t3.medium default of Group when condition IsProduction is true'],
    ],
    [
      'items that are absent',
      resources(CLUSTER, group('InstanceTypes: [!Ref AWS::NoValue, m6i.large]')),
      ['m6i.large of Group'],
    ],
    ['an empty list', resources(CLUSTER, group('InstanceTypes: []')), ['t3.medium default of Group']],
    [
      'the type of its launch template',
      resources(CLUSTER, group(USES_NODES), launchTemplate('InstanceType: c6i.large')),
      ['c6i.large of Nodes'],
    ],
    [
      'a launch template without a type',
      resources(CLUSTER, group(USES_NODES), launchTemplate()),
      ['t3.medium default of Group'],
    ],
    [
      'a list beside a launch template',
      resources(CLUSTER, group('InstanceTypes: [m6i.large]', USES_NODES), launchTemplate()),
      ['m6i.large of Group'],
    ],
    [
      'instance requirements',
      resources(CLUSTER, group(USES_NODES), launchTemplate('InstanceRequirements: { VCpuCount: { Min: 2 } }')),
      ['… of Group'],
    ],
    [
      'a launch template that is not in the input',
      resources(CLUSTER, group("LaunchTemplate: { Id: lt-0123456789abcdef0, Version: '1' }")),
      ['… of Group'],
    ],
    [
      'a type that the table does not have',
      resources(CLUSTER, group('InstanceTypes: [m99.large, m6i.large]')),
      ['m6i.large … of Group'],
    ],
    [
      'a type from a parameter',
      template(PARAMETER, CLUSTER, group('InstanceTypes: [!Ref P, m6i.large]')),
      ['m6i.large … of Group'],
    ],
    [
      'a list from a parameter',
      template('Parameters:\n  P: { Type: CommaDelimitedList }', CLUSTER, group('InstanceTypes: !Ref P')),
      ['… of Group'],
    ],
    [
      'a list by a condition',
      template(CONDITION, CLUSTER, group('InstanceTypes: !If [IsProduction, [m6i.large], [t3.large]]')),
      [
        'm6i.large of Group when condition IsProduction is true',
        't3.large of Group when condition IsProduction is false',
      ],
    ],
    [
      'items by a condition, which go together',
      template(
        CONDITION,
        CLUSTER,
        group(
          'InstanceTypes: [!If [IsProduction, m6i.large, t3.large], !If [IsProduction, m6a.large, !Ref AWS::NoValue]]',
        ),
      ),
      [
        'm6i.large m6a.large of Group when condition IsProduction is true',
        't3.large of Group when condition IsProduction is false',
      ],
    ],
    [
      'items that the condition of the group decides',
      template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', group('InstanceTypes: [!If [IsProduction, m6i.large, t3.large]]')),
      ),
      ['m6i.large of Group when condition IsProduction is true'],
    ],
    [
      'a type of the launch template by a condition',
      template(
        CONDITION,
        CLUSTER,
        group(USES_NODES),
        launchTemplate('InstanceType: !If [IsProduction, m6i.large, !Ref AWS::NoValue]'),
      ),
      [
        'm6i.large of Nodes when condition IsProduction is true',
        't3.medium default of Group when condition IsProduction is false',
      ],
    ],
  ])('tells of %s', (_, text, expected) => {
    expect(typesIn(text)).toEqual(expected);
  });

  it('has every listed type, or a doubt', () => {
    const names = instanceTypeNames();
    const name = fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^x[a-z0-9]{1,5}\.[a-z]{1,6}$/));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (list) => {
        const known = list.filter((one) => names.includes(one));
        const expected = [...known, ...(known.length < list.length ? ['…'] : []), 'of Group'].join(' ');
        expect(typesIn(resources(CLUSTER, group(`InstanceTypes: [${list.join(', ')}]`)))).toEqual([expected]);
      }),
      { numRuns: runs(40) },
    );
  });
});
