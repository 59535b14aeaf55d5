import { readTemplates } from '../../../lib/front-ends/cloudformation';
import type { TemplateInput } from '../../../lib/cloudformation/template-input';
import { diagnostics, resource, show } from './reading';

const PRODUCER = `
Resources:
  Template: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateName: workers}}
  Cluster: {Type: AWS::EKS::Cluster, Properties: {Version: '1.33'}}
  Role: {Type: AWS::IAM::Role, Properties: {RoleName: nodes}}
Outputs:
  Id: {Value: !Ref Template, Export: {Name: !Sub 'net:Id'}}
  Version: {Value: !GetAtt Template.LatestVersionNumber, Export: {Name: !Join [':', [net, Version]]}}
  Cluster: {Value: !Ref Cluster, Export: {Name: !Sub '\${AWS::Region}:Cluster'}}
`;

function consumer(properties: string): string {
  return `Resources:\n  Nodes: {Type: AWS::EKS::Nodegroup, Properties: ${properties}}\n`;
}

function nodesOf(...inputs: TemplateInput[]) {
  const result = readTemplates(inputs);
  expect(diagnostics(result)).toEqual([]);
  return resource(result, 'node-group', 'Nodes');
}

describe('links between stacks', () => {
  it.each([
    ['an import', '{LaunchTemplate: {Id: !ImportValue net:Id, Version: !ImportValue net:Version}}'],
    [
      'an import whose name is composed',
      "{LaunchTemplate: {Id: !ImportValue {Fn::Sub: 'net:Id'}, Version: {Fn::ImportValue: !Join ['', [net, ':Version']]}}}",
    ],
    [
      'an output of another stack',
      '{LaunchTemplate: {Id: {Fn::GetStackOutput: {StackName: producer, OutputName: Id, Region: eu-west-1}}, Version: {Fn::GetStackOutput: {StackName: producer, OutputName: Version}}}}',
    ],
  ])('%s leads to the launch template, in either order of the inputs', (_, properties) => {
    const inputs = [
      { file: 'producer.yaml', text: PRODUCER, region: 'eu-west-1' },
      { file: 'consumer.yaml', text: consumer(properties), region: 'eu-west-1' },
    ];
    for (const order of [inputs, [...inputs].reverse()]) {
      const { launchTemplate } = nodesOf(...order);
      expect(launchTemplate).toMatchObject({
        kind: 'known',
        value: {
          template: { target: { id: 'Template' } },
          version: { value: { text: 'Template.LatestVersionNumber', tracks: 'latest' } },
        },
      });
    }
  });

  it('an export of the same name in two regions is the one of the own region', () => {
    const { cluster } = nodesOf(
      { file: 'a.yaml', text: PRODUCER, region: 'eu-west-1', stack: 'a' },
      { file: 'b.yaml', text: PRODUCER, region: 'us-east-1', stack: 'b' },
      { file: 'c.yaml', text: consumer('{ClusterName: !ImportValue us-east-1:Cluster}'), region: 'us-east-1' },
    );
    expect(cluster).toMatchObject({ value: { target: { id: 'Cluster', stack: 'b' } } });
    const { launchTemplate } = nodesOf(
      { file: 'a.yaml', text: PRODUCER, region: 'eu-west-1', stack: 'a' },
      { file: 'b.yaml', text: PRODUCER, region: 'us-east-1', stack: 'b' },
      { file: 'c.yaml', text: consumer('{LaunchTemplate: {Id: !ImportValue net:Id}}'), region: 'us-east-1' },
    );
    expect(launchTemplate).toMatchObject({ value: { template: { target: { stack: 'b' } } } });
  });

  it.each([
    ['an export', '!ImportValue net:Id', '2 outputs of the input are exported as net:Id: Id of a and Id of b'],
    [
      'an output',
      '{Fn::GetStackOutput: {StackName: a, OutputName: Id}}',
      '2 templates of the input are stack a: a.yaml and x/a.yaml',
    ],
  ])('%s that two stacks of one place have is unknown', (_, version, reason) => {
    const nodes = nodesOf(
      { file: 'a.yaml', text: PRODUCER },
      { file: 'b.yaml', text: PRODUCER },
      { file: 'x/a.yaml', text: 'Resources: {}' },
      { file: 'c.yaml', text: consumer(`{Version: ${version}}`) },
    );
    expect(nodes.version).toMatchObject({ kind: 'unknown', reason });
  });

  it.each([
    ['{NodeRole: nodes}', 'Role'],
    ['{NodeRole: arn:aws:iam::1:role/nodes}', 'Role'],
  ])('%s finds the role of another stack by name', (properties, id) => {
    const { nodeRole } = nodesOf({ file: 'p.yaml', text: PRODUCER }, { file: 'c.yaml', text: consumer(properties) });
    expect(nodeRole).toMatchObject({ value: { target: { id } } });
  });

  it('a name that two roles have finds none', () => {
    const { nodeRole } = nodesOf(
      { file: 'a.yaml', text: PRODUCER },
      { file: 'b.yaml', text: PRODUCER },
      { file: 'c.yaml', text: consumer('{NodeRole: nodes}') },
    );
    const ambiguous = '2 resources of the input are called nodes: Role of a and Role of b';
    expect(nodeRole).toMatchObject({ value: { text: 'nodes', target: undefined, ambiguous } });
  });

  it.each([
    ['{NodeRole: nodes}', 'nodeRole', 'Role'],
    ['{LaunchTemplate: {Name: workers}}', 'launchTemplate', 'Template'],
  ] as const)('%s is first of all what has the name in the same template', (properties, key, id) => {
    const own = PRODUCER.replace(
      'Outputs:',
      `  Nodes: {Type: AWS::EKS::Nodegroup, Properties: ${properties}}\nOutputs:`,
    );
    const group = nodesOf({ file: 'a.yaml', text: PRODUCER }, { file: 'b.yaml', text: own });
    const target = { id, stack: 'b' };
    expect(group[key]).toMatchObject({ value: key === 'nodeRole' ? { target } : { template: { target } } });
  });

  it('then what has it in the same region and account', () => {
    const { launchTemplate } = nodesOf(
      { file: 'a.yaml', text: PRODUCER, region: 'eu-west-1' },
      { file: 'b.yaml', text: PRODUCER, region: 'us-east-1' },
      { file: 'c.yaml', text: consumer('{LaunchTemplate: {Name: workers}}'), region: 'us-east-1' },
    );
    expect(launchTemplate).toMatchObject({ value: { template: { target: { stack: 'b' } } } });
  });

  it('a policy of a name that two roles have is unknown to both, and one of the own template to none else', () => {
    const policy =
      'Resources:\n  P: {Type: AWS::IAM::Policy, Properties: {PolicyName: p, Roles: [nodes], PolicyDocument: {Statement: []}}}\n';
    const documents = (...inputs: TemplateInput[]) =>
      readTemplates(inputs).resources.flatMap((one) =>
        one.kind === 'role'
          ? [[one.stack, ...one.policies.map((each) => each.kind === 'document' && each.document.kind)]]
          : [],
      );
    expect(
      documents(
        { file: 'a.yaml', text: PRODUCER },
        { file: 'b.yaml', text: PRODUCER },
        { file: 'c.yaml', text: policy },
      ),
    ).toEqual([
      ['a', 'unknown'],
      ['b', 'unknown'],
    ]);
    const own = PRODUCER.replace('Resources:\n', policy);
    expect(documents({ file: 'a.yaml', text: PRODUCER }, { file: 'b.yaml', text: own })).toEqual([
      ['a'],
      ['b', 'known'],
    ]);
  });

  it('logical ids of different templates are different things', () => {
    const text = consumer('{Version: !Ref P}') + 'Parameters: {P: {Type: String}}\n';
    const result = readTemplates([
      { file: 'a.yaml', text },
      { file: 'b.yaml', text },
    ]);
    const symbols = result.resources.map(
      (one) => one.kind === 'node-group' && one.version.kind === 'unknown' && one.version.symbol,
    );
    expect(new Set(symbols).size).toBe(2);
  });
});

describe('nested stacks', () => {
  const assembly = (nested: Record<string, TemplateInput>) => ({
    nestedTemplates: new Map(Object.entries(nested)),
    constructPaths: new Map<string, string>(),
    acknowledgements: [],
  });
  const inner: TemplateInput = {
    file: 'inner.yaml',
    text: `
Parameters: {ClusterName: {Type: String}, Types: {Type: CommaDelimitedList}, Env: {Type: String}, Rest: {Type: String, Default: kept}}
Conditions: {IsProd: !Equals [!Ref Env, prod]}
Resources:
  Nodes:
    Type: AWS::EKS::Nodegroup
    Properties: {ClusterName: !Ref ClusterName, InstanceTypes: !Ref Types, Version: !If [IsProd, '1.33', '1.34'], ReleaseVersion: !Ref Rest}
  Template: {Type: AWS::EC2::LaunchTemplate}
Outputs:
  TemplateId: {Value: !Ref Template}
`,
  };
  const outer = `
Resources:
  Cluster: {Type: AWS::EKS::Cluster}
  Inner:
    Type: AWS::CloudFormation::Stack
    Properties: {Parameters: {ClusterName: !Ref Cluster, Types: !Join [',', [m5.large, c5.large]], Env: prod}}
  Outside:
    Type: AWS::EKS::Nodegroup
    Properties: {LaunchTemplate: {Id: !GetAtt Inner.Outputs.TemplateId}}
`;
  const result = readTemplates([
    { file: 'outer.yaml', text: outer, region: 'eu-west-1', assembly: assembly({ Inner: inner }) },
  ]);

  it('get what the parent passes', () => {
    const nodes = resource(result, 'node-group', 'Nodes');
    expect(nodes.cluster).toMatchObject({ value: { target: { id: 'Cluster' } } });
    expect(nodes.instanceTypes.kind === 'known' && nodes.instanceTypes.value.map(show)).toEqual([
      'm5.large',
      'c5.large',
    ]);
    expect([show(nodes.version), show(nodes.releaseVersion)]).toEqual(['1.33', 'kept']);
  });

  it('give outputs to the parent', () => {
    expect(resource(result, 'node-group', 'Outside').launchTemplate).toMatchObject({
      value: { template: { target: { id: 'Template' } } },
    });
  });

  it('belong to the stack and the input of their parent', () => {
    expect(resource(result, 'node-group', 'Nodes').stack).toBe('outer');
    expect(result.inputs).toEqual([{ path: 'outer.yaml', kind: 'cloudformation-template', resources: 5 }]);
    expect(resource(result, 'node-group', 'Nodes').source.locate()).toEqual({ file: 'inner.yaml', line: 5, column: 3 });
  });
});

describe('nested stacks whose template is a file of the input', () => {
  const INNER = `
Parameters: {ClusterName: {Type: String}, Hops: {Type: Number, Default: 1}}
Resources:
  Nodes: {Type: AWS::EKS::Nodegroup, Properties: {ClusterName: !Ref ClusterName}}
  Template: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateData: {MetadataOptions: {HttpPutResponseHopLimit: !Ref Hops}}}}
Outputs:
  TemplateId: {Value: !Ref Template}
`;
  const outer = (url: string, more = '') => `
Resources:
  Cluster: {Type: AWS::EKS::Cluster}
  Inner:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: ${url}, Parameters: {ClusterName: !Ref Cluster, Hops: 2}}
  Outside:
    Type: AWS::EKS::Nodegroup
    Properties: {LaunchTemplate: {Id: !GetAtt Inner.Outputs.TemplateId}}
${more}`;

  it.each([
    ['b.yaml', 'dir/a.yaml', 'dir/b.yaml'],
    ['./b.yaml', 'dir/a.yaml', 'dir/b.yaml'],
    ['../c/b.yaml', 'dir/a.yaml', './c/b.yaml'],
    ['b.yaml', 'z.yaml', 'b.yaml'],
    ['/x/b.yaml', 'a.yaml', '/x/b.yaml'],
  ])('%s of %s is %s, in either order', (url, parent, child) => {
    const inputs: TemplateInput[] = [
      { file: parent, text: outer(url) },
      { file: child, text: INNER },
    ];
    for (const order of [inputs, [...inputs].reverse()]) {
      const result = readTemplates(order);
      expect(diagnostics(result)).toEqual([]);
      expect(result.resources.map(({ id }) => id).sort()).toEqual(['Cluster', 'Nodes', 'Outside', 'Template']);
      expect(resource(result, 'node-group', 'Nodes').cluster).toMatchObject({ value: { target: { id: 'Cluster' } } });
      expect(show(resource(result, 'launch-template', 'Template').metadata.hopLimit)).toBe(2);
      expect(resource(result, 'node-group', 'Outside').launchTemplate).toMatchObject({
        value: { template: { target: { id: 'Template' } } },
      });
      expect(result.inputs.map(({ path, resources }) => `${path} ${resources}`).sort()).toEqual(
        [`${parent} 3`, `${child} 2`].sort(),
      );
    }
  });

  it.each([
    ['of another folder', 'b.yaml', 'other/b.yaml'],
    ['on a web server', 'https://bucket.s3.amazonaws.com/b.yaml', 'b.yaml'],
    ['composed at deployment', "!Sub 'b.yaml'", 'b.yaml'],
  ])('a template %s is not linked', (_, url, child) => {
    const result = readTemplates([
      { file: 'a.yaml', text: outer(url) },
      { file: child, text: INNER },
    ]);
    expect(show(resource(result, 'launch-template', 'Template').metadata.hopLimit)).toBe(1);
    expect(resource(result, 'node-group', 'Outside').launchTemplate).toMatchObject({
      value: { template: { target: undefined } },
    });
  });

  it('a template that two stacks use stays on its own', () => {
    const result = readTemplates([
      {
        file: 'a.yaml',
        text: outer(
          'b.yaml',
          '  Second: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./b.yaml, Parameters: {Hops: 3}}}\n',
        ),
      },
      { file: 'b.yaml', text: INNER },
    ]);
    expect(result.resources.filter(({ id }) => id === 'Template')).toHaveLength(1);
    expect(resource(result, 'node-group', 'Nodes').cluster.kind).toBe('unknown');
  });

  it('that use each other in a circle are read once', () => {
    const stack = (name: string, url: string) =>
      `Parameters: {P: {Type: String}}\nResources:\n  ${name}: {Type: AWS::EKS::Addon, Properties: {AddonVersion: !GetAtt Stack.Outputs.O}}\n  Stack: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ${url}, Parameters: {P: !GetAtt Stack.Outputs.O}}}\nOutputs: {O: {Value: !Ref P}}\n`;
    const result = readTemplates([
      { file: 'a.yaml', text: stack('A', 'b.yaml') },
      { file: 'b.yaml', text: stack('B', 'a.yaml') },
      { file: 'c.yaml', text: stack('C', 'c.yaml') },
    ]);
    expect(result.resources.map(({ id }) => id)).toEqual(['A', 'B', 'C']);
    for (const id of ['A', 'B', 'C']) expect(resource(result, 'addon', id).version.kind).toBe('unknown');
  });
});

describe('nested stacks that are never created', () => {
  const INNER = `
Parameters: {Hops: {Type: Number, Default: 1}}
Resources:
  Template: {Type: AWS::EC2::LaunchTemplate, Properties: {LaunchTemplateData: {MetadataOptions: {HttpPutResponseHopLimit: !Ref Hops}}}}
Outputs:
  TemplateId: {Value: !Ref Template, Export: {Name: net:Id}}
`;
  const NEVER = 'Conditions: {Never: !Equals [a, b]}\n';
  const stack = (id: string, url: string, parameters: string, condition = '') =>
    `  ${id}: {Type: AWS::CloudFormation::Stack, ${condition}Properties: {TemplateURL: ${url}, Parameters: ${parameters}}}\n`;
  const impossible = `${NEVER}Resources:\n${stack('Inner', './inner.yaml', '{Hops: 2}', 'Condition: Never, ')}`;
  const inner: TemplateInput = { file: 'inner.yaml', text: INNER };
  const ALONE =
    'warning 1:1 this template is judged on its own, with the defaults of its parameters: the stack that uses it is never created';

  /** What the template sets, read in either order. */
  function hopsOf(...inputs: TemplateInput[]): unknown {
    const all = [inputs, [...inputs].reverse()].map((order) => {
      const result = readTemplates(order);
      const templates = result.resources.filter(({ id }) => id === 'Template');
      expect(templates).toHaveLength(1);
      return [
        templates[0]?.stack,
        show(resource(result, 'launch-template', 'Template').metadata.hopLimit),
        ...diagnostics(result),
      ];
    });
    expect(all[1]).toEqual(all[0]);
    return all[0];
  }

  it('hide no template', () => {
    expect(hopsOf({ file: 'outer.yaml', text: impossible }, inner)).toEqual(['inner', 1, ALONE]);
    const twice = impossible + stack('Second', './inner.yaml', '{Hops: 3}', 'Condition: Never, ');
    expect(hopsOf({ file: 'outer.yaml', text: twice }, inner)).toEqual(['inner', 1, ALONE]);
  });

  it('hide none that a template nests which is never created itself', () => {
    const middle = { file: 'middle.yaml', text: `Resources:\n${stack('Inner', './inner.yaml', '{Hops: 3}')}` };
    const outer = {
      file: 'outer.yaml',
      text: `${NEVER}Resources:\n${stack('Middle', './middle.yaml', '{}', 'Condition: Never, ')}`,
    };
    expect(hopsOf(outer, middle, inner)).toEqual(['middle', 3, ALONE]);
  });

  it('are told from those that another template creates by what it passes', () => {
    const middle = (env: string) => [
      { file: 'outer.yaml', text: `Resources:\n${stack('Middle', './middle.yaml', `{Env: ${env}}`)}` },
      {
        file: 'middle.yaml',
        text: `Parameters: {Env: {Type: String}}\nConditions: {IsProd: !Equals [!Ref Env, prod]}\nResources:\n${stack('Inner', './inner.yaml', '{Hops: 2}', 'Condition: IsProd, ')}`,
      },
    ];
    expect(hopsOf(...middle('dev'), inner)).toEqual(['inner', 1, ALONE]);
    expect(hopsOf(...middle('prod'), inner)).toEqual(['outer', 2]);
  });

  it('are no second use of a template', () => {
    const outer = { file: 'real.yaml', text: `Resources:\n${stack('Inner', './inner.yaml', '{Hops: 3}')}` };
    expect(hopsOf(outer, { file: 'decoy.yaml', text: impossible }, inner)).toEqual(['real', 3]);
  });

  it('keep no export from those who import it', () => {
    const consumer = {
      file: 'c.yaml',
      text: 'Resources: {Nodes: {Type: AWS::EKS::Nodegroup, Properties: {LaunchTemplate: {Id: !ImportValue net:Id}}}}\n',
    };
    // Conditions may import nothing; one that does is looked at before all exports are known.
    const importing = impossible.replace('!Equals [a, b]', '!And [!Equals [a, b], !Equals [!ImportValue net:Id, x]]');
    for (const text of [impossible, importing]) {
      const result = readTemplates([{ file: 'outer.yaml', text }, consumer, inner]);
      expect(resource(result, 'node-group', 'Nodes').launchTemplate).toMatchObject({
        value: { template: { target: { id: 'Template' } } },
      });
    }
  });

  it('are judged like others where only a parameter without a given value decides', () => {
    const text = `Parameters: {Env: {Type: String, Default: dev}}\n${impossible.replace('[a, b]', '[!Ref Env, prod]')}`;
    expect(hopsOf({ file: 'outer.yaml', text }, inner)).toEqual(['outer', 2]);
  });

  it('of an assembly count among the resources of their stack', () => {
    const assembly = {
      nestedTemplates: new Map([['Inner', inner]]),
      constructPaths: new Map<string, string>(),
      acknowledgements: [],
    };
    const result = readTemplates([{ file: 'outer.json', text: impossible, assembly }]);
    expect(show(resource(result, 'launch-template', 'Template').metadata.hopLimit)).toBe(1);
    expect(result.inputs).toEqual([{ path: 'outer.json', kind: 'cloudformation-template', resources: 2 }]);
  });

  it('export nothing under a name that another output has', () => {
    const unused = `${NEVER}Resources: {}\nOutputs: {Id: {Condition: Never, Value: x, Export: {Name: net:Id}}}\n`;
    const consumer =
      'Resources: {Nodes: {Type: AWS::EKS::Nodegroup, Properties: {LaunchTemplate: {Id: !ImportValue net:Id}}}}\n';
    const result = readTemplates([{ file: 'unused.yaml', text: unused }, inner, { file: 'c.yaml', text: consumer }]);
    expect(resource(result, 'node-group', 'Nodes').launchTemplate).toMatchObject({
      value: { template: { target: { id: 'Template' } } },
    });
  });
});
