import { readerOf } from '../../lib/hook/stack-reader';

/** AWS's SDK, as far as it is used: it answers each command with what `answer` gives for its name and input. */
function sdk(answer: (command: string, input: object) => unknown) {
  class Command {
    constructor(readonly input: object) {}
  }
  return {
    DescribeChangeSetCommand: class extends Command {
      readonly name = 'DescribeChangeSet';
    },
    GetTemplateCommand: class extends Command {
      readonly name = 'GetTemplate';
    },
    CloudFormationClient: class {
      send(command: object): Promise<unknown> {
        const { name, input } = command as { readonly name: string; readonly input: object };
        return new Promise((resolve) => {
          resolve(answer(name, input));
        });
      }
    },
  };
}

const failing = (name: string) => () => {
  throw Object.assign(new Error('no'), { name });
};

describe('the parameters of a change set', () => {
  const parametersOf = (Parameters: unknown) => readerOf(sdk(() => ({ Parameters }))).parametersOf('ChangeSet');

  it('are asked for by its name', async () => {
    const asked: unknown[] = [];
    await readerOf(sdk((...question) => (asked.push(question), {}))).parametersOf('arn:change-set');
    expect(asked).toEqual([['DescribeChangeSet', { ChangeSetName: 'arn:change-set' }]]);
  });

  it('are what CloudFormation made of them, without those that it hides', async () => {
    expect(
      await parametersOf([
        { ParameterKey: 'Plain', ParameterValue: 'a' },
        { ParameterKey: 'FromStore', ParameterValue: '/ami', ResolvedValue: 'ami-1' },
        { ParameterKey: 'Empty', ParameterValue: '' },
        { ParameterKey: 'Secret', ParameterValue: '****' },
        { ParameterKey: 'WithStar', ParameterValue: 'a*' },
        { ParameterKey: 'Previous' },
        { ParameterValue: 'of nothing' },
      ]),
    ).toEqual({ Plain: 'a', FromStore: 'ami-1', Empty: '', WithStar: 'a*' });
  });

  it('are none where the change set has none', async () => {
    expect(await parametersOf(undefined)).toEqual({});
  });

  it('are not known where CloudFormation refuses, and not waited for without end', async () => {
    await expect(readerOf(sdk(failing('AccessDenied'))).parametersOf('x')).rejects.toThrow('no');
    await expect(
      readerOf(
        sdk(() => new Promise(() => undefined)),
        20,
      ).parametersOf('x'),
    ).rejects.toThrow('no answer in time');
  });
});

describe('the template of a stack', () => {
  it('is the one that was handed in', async () => {
    const asked: unknown[] = [];
    const reader = readerOf(sdk((...question) => (asked.push(question), { TemplateBody: 'Resources: {}' })));
    expect(await reader.templateOf('arn:stack')).toBe('Resources: {}');
    expect(asked).toEqual([['GetTemplate', { StackName: 'arn:stack', TemplateStage: 'Original' }]]);
  });

  it('is empty where there is none yet', async () => {
    expect(await readerOf(sdk(() => ({}))).templateOf('x')).toBe('');
    expect(await readerOf(sdk(failing('ValidationError'))).templateOf('x')).toBe('');
  });

  it('is not known where CloudFormation refuses', async () => {
    await expect(readerOf(sdk(failing('AccessDenied'))).templateOf('x')).rejects.toThrow('no');
  });
});
