import { createRequire } from 'node:module';

/** What CloudFormation can tell of a stack besides the payload of a request. */
export interface StackReader {
  /** Values of parameters with which a change set is made, but for those that are secret. */
  parametersOf(changeSet: string): Promise<Readonly<Record<string, string>>>;
  /** The template that a stack has; empty if it has none yet. */
  templateOf(stack: string): Promise<string>;
}

/** The part of AWS's SDK that is used; it is in the runtime of Lambda. */
interface CloudFormationSdk {
  readonly CloudFormationClient: new (options: object) => { send(command: object): Promise<unknown> };
  readonly DescribeChangeSetCommand: new (input: object) => object;
  readonly GetTemplateCommand: new (input: object) => object;
}

interface ChangeSetPage {
  readonly Parameters?: readonly {
    readonly ParameterKey?: string;
    readonly ParameterValue?: string;
    readonly ResolvedValue?: string;
  }[];
}

interface Template {
  readonly TemplateBody?: string;
}

/** An answer after this time would come too late for the check. */
const PATIENCE_MS = 4000;

/** What CloudFormation writes for a parameter with `NoEcho`. */
const HIDDEN = /^\*+$/;

const load = createRequire(__filename);

/** Asks CloudFormation, with the permissions of the function. */
export function stackReader(): StackReader {
  return readerOf(load('@aws-sdk/client-cloudformation') as CloudFormationSdk);
}

/** @internal Tests bring what stands for the SDK. */
export function readerOf(sdk: CloudFormationSdk, patience = PATIENCE_MS): StackReader {
  const { CloudFormationClient, DescribeChangeSetCommand, GetTemplateCommand } = sdk;
  const client = new CloudFormationClient({ maxAttempts: 2 });
  return {
    parametersOf: async (changeSet) => {
      const command = new DescribeChangeSetCommand({ ChangeSetName: changeSet });
      const { Parameters = [] } = (await inTime(client.send(command), patience)) as ChangeSetPage;
      return Object.fromEntries(
        Parameters.flatMap(({ ParameterKey: key, ParameterValue: value, ResolvedValue: resolved = value }) =>
          key === undefined || resolved === undefined || HIDDEN.test(resolved) ? [] : [[key, resolved]],
        ),
      );
    },
    templateOf: async (stack) => {
      try {
        const { TemplateBody = '' } = (await inTime(
          client.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' })),
          patience,
        )) as Template;
        return TemplateBody;
      } catch (error) {
        // A stack that a change set is about to create has none.
        if (error instanceof Error && error.name === 'ValidationError') return '';
        throw error;
      }
    },
  };
}

async function inTime<T>(answer: Promise<T>, patience: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('no answer in time'));
    }, patience);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
