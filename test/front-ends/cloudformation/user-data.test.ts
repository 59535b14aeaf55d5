import { flatMapValue, Known, type UserData, type Value } from '../../../lib/eks';
import { read, resource, show } from './reading';

/** A template with the launch template `Nodes`, whose user data is given as YAML; columns count from `UserData:`. */
function userDataOf(yaml: string, head = ''): Value<UserData> {
  const text = `${head}Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      Name: main\n  Nodes:\n    Type: AWS::EC2::LaunchTemplate\n    Properties:\n      LaunchTemplateData:\n        UserData: ${yaml}\n`;
  const result = read(text);
  expect(result.diagnostics).toEqual([]);
  return resource(result, 'launch-template', 'Nodes').userData;
}

function known(value: Value<UserData>): UserData {
  if (value.kind !== 'known') throw new Error(`the user data is ${value.kind}`);
  return value.value;
}

/** Where a word of the user data stands in the template, by what is there. */
function wordAt(yaml: string, word: string, head = ''): string {
  const { text } = known(userDataOf(yaml, head));
  const offset = text.text.indexOf(word);
  expect(offset).toBeGreaterThanOrEqual(0);
  const { line, column } = text.sourceAt(offset).locate();
  const template = `${head}Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      Name: main\n  Nodes:\n    Type: AWS::EC2::LaunchTemplate\n    Properties:\n      LaunchTemplateData:\n        UserData: ${yaml}\n`;
  return (template.split('\n')[line - 1] ?? '').slice(column - 1, column - 1 + word.length);
}

describe('user data', () => {
  const head = 'Parameters: {Open: {Type: String}}\nConditions: {C: !Equals [!Ref Open, x]}\n';

  it.each([
    ['base64 of the user', 'aGVsbG8=', { text: 'hello', by: 'user' }],
    ['base64 in lines', '|\n          aGVs\n          bG8=', { text: 'hello', by: 'user' }],
    ['Fn::Base64', '!Base64 hello', { text: 'hello', by: 'engine' }],
    [
      'known and unknown parts',
      "{Fn::Base64: !Sub 'a ${Cluster} ${Cluster.Endpoint}'}",
      { text: 'a main ${Cluster.Endpoint}', by: 'engine' },
    ],
    [
      'a condition',
      '!If [C, !Base64 a, !Ref AWS::NoValue]',
      { 'condition C is true': { text: 'a', by: 'engine' }, 'condition C is false': 'absent' },
    ],
    ['an unknown text', '{Fn::Base64: !Ref Open}', { text: '${Open}', by: 'engine' }],
    ['unknown base64', '!Ref Open', '?${Open}'],
    ['no base64 at all', "'#!/bin/bash'", { text: '#!/bin/bash', by: 'nobody' }],
    ['base64 of a length that none has', 'aGVsbG8', { text: 'aGVsbG8', by: 'nobody' }],
  ])('is read from %s', (_, yaml, expected) => {
    const shown = flatMapValue(userDataOf(yaml, head), (plain) =>
      plain.kind === 'known'
        ? new Known({ text: plain.value.text.show(), by: plain.value.encodedBy }, plain.source)
        : plain,
    );
    expect(show(shown)).toEqual(expected);
  });

  it('is read out of gzip', () => {
    const compressed = 'H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==';
    expect(known(userDataOf(compressed))).toMatchObject({ layers: ['gzip'], encodedBy: 'user' });
    expect(known(userDataOf(compressed)).text.text).toBe('hello');
  });

  it('shows unknown parts as words that every parser takes', () => {
    const { text } = known(userDataOf('{Fn::Base64: !Sub "a ${Open} b"}', head));
    expect(text.text).toMatch(/^a \d{8} b$/);
    expect(text.unknownIn(0, 2)).toBeUndefined();
    expect(text.unknownIn(0, 3)?.unknown.reason).toBe('parameter Open has no default');
  });

  it('says of a default that is a list what is wrong with it', () => {
    const { text } = known(
      userDataOf('{Fn::Base64: !Sub "a ${Open} b"}', 'Parameters:\n  Open: {Type: String, Default: [a]}\n'),
    );
    expect(text.unknownIn(0, 3)?.unknown.reason).toBe(
      'the default of parameter Open is no text, which CloudFormation refuses',
    );
  });
});

describe('the place of a word of the user data', () => {
  it.each([
    ['a literal block', '!Base64 |\n          #!/bin/bash\n          echo one\n\n          echo two', 'two'],
    [
      'a literal block in Fn::Sub',
      'Fn::Base64: !Sub |\n            #!/bin/bash\n            echo ${AWS::Region} one\n            echo two'.replace(
        /^/,
        '\n          ',
      ),
      'two',
    ],
    [
      'a text behind a variable',
      'Fn::Base64: !Sub |\n            echo ${AWS::Region} one'.replace(/^/, '\n          '),
      'one',
    ],
    [
      'Fn::Sub with variables',
      'Fn::Base64: !Sub\n            - |\n              echo ${X} one\n            - X: !Ref Cluster'.replace(
        /^/,
        '\n          ',
      ),
      'one',
    ],
    ['an item of Fn::Join', "!Base64 {Fn::Join: ['', ['first ', 'second line']]}", 'line'],
    ['a double-quoted text with escapes', '!Base64 "a \\"b\\" \\u00e4\\nword"', 'word'],
    ['a double-quoted text over lines', '!Base64 "first\n          word"', 'word'],
    ['a single-quoted text', "!Base64 'it''s a word'", 'word'],
    ['a folded block', '!Base64 >\n          first\n          word\n\n          last', 'last'],
    ['a plain text', '!Base64 just a word', 'word'],
  ])('is found in %s', (_, yaml, word) => {
    expect(wordAt(yaml, word)).toBe(word);
  });

  it('is the base64 that holds it', () => {
    const { text } = known(userDataOf(Buffer.from('first line\nword').toString('base64')));
    const { column } = text.sourceAt(text.text.indexOf('word')).locate();
    // 11 bytes before it: three whole groups of three, each four characters long.
    expect(column).toBe('        UserData: '.length + 1 + 12);
  });

  it('is found in JSON', () => {
    const template =
      '{"Resources":{"Nodes":{"Type":"AWS::EC2::LaunchTemplate","Properties":{"LaunchTemplateData":{"UserData":{"Fn::Base64":{"Fn::Join":["",["a\\n\\"q\\" \\u0041 word",{"Ref":"AWS::Region"},"tail"]]}}}}}}}';
    const { text } = known(resource(read(template, { file: 'template.json' }), 'launch-template', 'Nodes').userData);
    for (const word of ['word', 'tail']) {
      const { line, column } = text.sourceAt(text.text.indexOf(word)).locate();
      expect([line, template.slice(column - 1, column - 1 + word.length)]).toEqual([1, word]);
    }
  });

  it('is that of the text behind a base64 part, as CDK writes it', () => {
    const yaml =
      '\n          Fn::Base64:\n            Fn::Join:\n              - ""\n              - - "Content-Transfer-Encoding: base64\\n\\n"\n                - Fn::Base64: !Sub "#!/bin/bash\\necho ${Open} word"';
    const { text } = known(userDataOf(yaml, 'Parameters: {Open: {Type: String}}\n'));
    const [part] = text.unknownParts;
    expect(part?.encoded?.show()).toBe('#!/bin/bash\necho ${Open} word');
    const { line } = part?.encoded?.sourceAt(part.encoded.text.indexOf('word')).locate() ?? {};
    expect(line).toBe(16);
  });
});
