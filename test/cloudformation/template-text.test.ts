import { readTemplates } from '../../lib/front-ends/cloudformation';
import { looksLikeTemplate, mayBeTemplate } from '../../lib/cloudformation/template-text';

describe('a text that nobody named', () => {
  it.each([
    ['Resources: {}', true, true],
    ['\uFEFFResources: {}', true, true],
    ['# a comment\n---\nParameters: {}\nResources:\n', true, true],
    ['%YAML 1.2\n---\nResources: {}', true, true],
    ['{% if a %}\nResources: {}', true, true],
    ['{{ a }}\nResources: {}', true, true],
    ['  A: 1\n  Resources: {}', true, true],
    ['"Resources" : {}', true, true],
    ["'Resources': {}", true, true],
    ['? Resources\n: {}', true, true],
    ['&a Resources: {}', true, true],
    ['!!str Resources: {}', true, true],
    ['{"Resources": {}}', true, true],
    [String.raw`{"Reso\u0075rces": {}}`, true, true],
    ['{Resources # why\n : {}}', true, true],
    ['!Map\n{Resources: {}}', true, true],
    ['? Resources # why\n: {}', true, false],
    ['A: &name Resources\n*name : {}', true, false],
    ['A:\n  Resources: {}', true, false],
    ['{"A": {"Resources": {}}}', true, true],
    ['MyResources: {}', false, false],
    ['My-Resources: {}', false, false],
    ['Resources', false, false],
    ['the Resources of a text', false, false],
    ['resources: {}', false, false],
    ['A: Resources', false, false],
    ['', false, false],
  ])('%j may be a template: %s, and looks like one: %s', (text, may, looks) => {
    expect([mayBeTemplate(text), looksLikeTemplate(text)]).toEqual([may, looks]);
  });
});

it.each([
  ['Resources: {A: [', ['error']],
  ['A: [', []],
  ['Resources: [A]', ['warning']],
  ['Resources:', ['warning']],
  ['A: 1', []],
])('%j in a folder is told of only where it is to be a template: %j', (text, severities) => {
  const { diagnostics } = readTemplates([{ file: 'a.yaml', text, optional: true }]);
  expect(diagnostics.map(({ severity }) => severity)).toEqual(severities);
});
