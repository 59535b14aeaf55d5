import { read, resource } from './reading';

const HEAD = `
Parameters: {X: {Type: String}, Y: {Type: String}}
Conditions: {C: !Equals [!Ref X, a], D: !Equals [!Ref Y, a]}
Resources:
`;

/** The launch template that a node group uses. */
function used(name: string, by: string, others = ''): string | undefined {
  const { launchTemplate } = resource(
    read(`${HEAD}
  Template: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: ${name}}}
  Nodes: {Type: AWS::EKS::Nodegroup, Properties: {ClusterName: main, LaunchTemplate: {Name: ${by}, Version: '1'}}}
${others}`),
    'node-group',
    'Nodes',
  );
  return launchTemplate.kind === 'known' ? launchTemplate.value.template.target?.id : undefined;
}

describe('a launch template by a name that is not known', () => {
  it.each([
    ["!Sub '${X}-lt'", "!Sub '${X}-lt'"],
    ["!Sub '${X}-lt'", "!Join ['-', [!Ref X, lt]]"],
    ['!Ref X', '!Ref X'],
    ["!Sub '${AWS::StackName}-lt'", "!Sub '${AWS::StackName}-lt'"],
    ["!If [C, !Sub '${X}-lt', b]", "!If [C, !Sub '${X}-lt', b]"],
    ['!Select [0, !Split [",", !Ref X]]', '!Select [0, !Split [",", !Ref X]]'],
  ])('%s is found by %s', (name, by) => {
    expect(used(name, by)).toBe('Template');
  });

  it.each([
    ["!Sub '${X}-lt'", "!Sub '${Y}-lt'"],
    ["!Sub '${X}-lt'", "!Sub '${X}-nodes'"],
    ['!If [C, a, b]', '!If [D, a, b]'],
  ])('%s is not found by %s', (name, by) => {
    expect(used(name, by)).toBeUndefined();
  });

  it('is not found where two have it', () => {
    const other = "  Other: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: !Sub '${X}-lt'}}";
    expect(used("!Sub '${X}-lt'", "!Sub '${X}-lt'", other)).toBeUndefined();
  });
});

it('a launch configuration is found by the same unknown name', () => {
  const { launchTemplate } = resource(
    read(`${HEAD}
  Configuration: {Type: AWS::AutoScaling::LaunchConfiguration, Properties: {LaunchConfigurationName: !Sub '\${X}-lc'}}
  Nodes:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      LaunchConfigurationName: !Sub '\${X}-lc'
      Tags: [{Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true}]
`),
    'self-managed-node-group',
    'Nodes',
  );
  expect(launchTemplate).toMatchObject({ value: { template: { target: { id: 'Configuration' } } } });
});
