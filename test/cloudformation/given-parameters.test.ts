import { readTemplates } from '../../lib/front-ends/cloudformation';
import type { ParameterValues } from '../../lib/value';

const template = (parameters: string) => `Parameters: {${parameters}}\nResources: {A: {Type: T}}\n`;

function problems(given: ParameterValues, parameters: string, others: Readonly<Record<string, string>> = {}) {
  const files = { 'infra/net.yaml': parameters, ...others };
  const inputs = Object.entries(files).map(([file, text]) => ({ file, text: template(text) }));
  return readTemplates(inputs, given).diagnostics.map(
    ({ severity, file, line, column, message }) => `${severity} ${file}:${line}:${column} ${message}`,
  );
}

const at = (message: string, file = 'infra/net.yaml', column = 14) => [`warning ${file}:1:${column} ${message}`];
const text = (name: string, type = 'String') => `${name}: {Type: ${type}}`;

describe('values that the user gives to parameters', () => {
  it.each<[ParameterValues['cloudformation'], string]>([
    [{}, text('ClusterName')],
    [{ ClusterName: 'a' }, text('ClusterName')],
    [{ Whatever: 'a' }, text('ClusterName')],
    [{ ClusterName: 'a', ClusterNmae: 'b' }, text('ClusterName')],
  ])('%j for %s may be meant so', (cloudformation = {}, parameters) => {
    expect(problems({ cloudformation }, parameters)).toEqual([]);
  });

  it('are told where their name is surely misspelt', () => {
    expect(problems({ cloudformation: { ClusterNmae: 'a' } }, text('ClusterName'))).toEqual(
      at(
        'the configuration gives a value to parameter "ClusterNmae", which no template declares; did you mean "ClusterName"?',
      ),
    );
  });

  it.each([
    [5, 'Number', undefined],
    ['5', 'Number', undefined],
    ['many', 'Number', 'the value "many", and it is of type Number'],
    [' ', 'Number', 'the value " ", and it is of type Number'],
    ['1,2', 'Number', 'the value "1,2", and it is of type Number'],
    ['1,2', 'List<Number>', undefined],
    ['1,x', 'List<Number>', 'the value "x", and it is of type List<Number>'],
    [[1, 2], 'List<Number>', undefined],
    [['a', 'b'], 'CommaDelimitedList', undefined],
    [['a'], 'List<AWS::EC2::Subnet::Id>', undefined],
    [['a'], 'String', 'a list, and it is of type String'],
    ['a', 'String', undefined],
    ['a,b', 'CommaDelimitedList', undefined],
  ])('as %j for the type %s: %s', (value, type, problem) => {
    expect(problems({ cloudformation: { P: value } }, text('P', type))).toEqual(
      problem === undefined ? [] : at(`the configuration gives parameter "P" ${problem}`),
    );
  });

  it('are asked of no parameter that has none, or gets another from the stack above it', () => {
    expect(problems({ cloudformation: { P: 'a' } }, `${text('P')}, ${text('Count', 'Number')}`)).toEqual([]);
    const nested = (passed: string) =>
      readTemplates(
        [
          {
            file: 'outer.yaml',
            text: `Resources: {Net: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./net.yaml, Parameters: {${passed}}}}}\n`,
          },
          { file: 'net.yaml', text: template(text('P', 'Number')) },
        ],
        { cloudformation: { P: 'a' } },
      ).diagnostics;
    expect(nested('P: 1')).toEqual([]);
    expect(nested('')).toHaveLength(1);
  });
});

describe('values that the user gives to the parameters of one stack', () => {
  it('count before those for all', () => {
    const given = (own: string, all: string) => ({ stacks: { net: { P: own } }, cloudformation: { P: all } });
    expect(problems(given('1', 'many'), text('P', 'Number'))).toEqual([]);
    expect(problems(given('many', '1'), text('P', 'Number'))).toEqual(
      at('the configuration gives parameter "P" the value "many", and it is of type Number'),
    );
  });

  it('are of a parameter that it declares', () => {
    const undeclared = (name: string) =>
      `the configuration gives a value to parameter "${name}" of stack "net", which doesn't declare it`;
    const given = (name: string) => problems({ stacks: { net: { [name]: 'a' } } }, text('ClusterName'));
    expect(given('ClusterName')).toEqual([]);
    expect(given('ClusterNam')).toEqual(at(`${undeclared('ClusterNam')}; did you mean "ClusterName"?`));
    expect(given('Whatever')).toEqual(at(undeclared('Whatever'), 'infra/net.yaml', 1));
  });

  it('may be of a stack that is not here, but not of one that is called otherwise', () => {
    const given = (...stacks: readonly string[]) =>
      problems({ stacks: Object.fromEntries(stacks.map((name) => [name, { P: 'a' }])) }, text('P'));
    const called = (name: string) =>
      at(
        `the configuration gives values to parameters of stack "${name}"; this stack is called "net"`,
        'infra/net.yaml',
        1,
      );
    expect(given('other')).toEqual([]);
    expect(given('net.yaml')).toEqual(called('net.yaml'));
    expect(given('Net')).toEqual(called('Net'));
    expect(given('Net', 'net')).toEqual([]);
  });

  it('are those of that stack only, wherever others declare the same', () => {
    const others = { 'infra/app.yaml': text('P', 'Number') };
    expect(problems({ cloudformation: { P: 'x' } }, text('P', 'Number'), others)).toEqual([
      ...at('the configuration gives parameter "P" the value "x", and it is of type Number'),
      ...at('the configuration gives parameter "P" the value "x", and it is of type Number', 'infra/app.yaml'),
    ]);
    expect(problems({ stacks: { net: { P: 'x' } } }, text('P', 'Number'), others)).toEqual(
      at('the configuration gives parameter "P" the value "x", and it is of type Number'),
    );
  });
});

it('secrets are what parameters with NoEcho have by default, from the user and from stacks, and of no other parameter', () => {
  const declared = 'Own: {Type: String, NoEcho: true, Default: d}, Open: {Type: String, Default: o}';
  const { secrets } = readTemplates(
    [
      {
        file: 'outer.yaml',
        text: 'Resources: {Net: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./net.yaml, Parameters: {Own: p, Open: q}}}}\n',
      },
      { file: 'net.yaml', text: template(declared) },
      { file: 'alone.yaml', text: template(declared) },
    ],
    { cloudformation: { Own: 'g', Open: 'h' } },
  );
  expect([...new Set(secrets)].sort()).toEqual(['d', 'g', 'p']);
});
