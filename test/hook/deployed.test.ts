import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkTemplates } from '../../lib/check';
import { builtCommand, projectRoot } from '../cli/built-command';
import { schemaComplaints } from '../cloudformation-schema';
import { CHANGE_SET, changeSetEvent } from './events';
import { itWithAll } from '../share';

const built = join(projectRoot, 'dist/hook');
const guide = readFileSync(join(projectRoot, 'docs/guides/hook.md'), 'utf8');

interface ParameterTemplate {
  readonly Parameters: Readonly<Record<string, object>>;
  readonly Resources: {
    readonly Hooks?: { readonly Properties: { readonly Parameters: readonly { readonly ParameterKey: string }[] } };
  };
}

function templateOf(name: string): ParameterTemplate {
  return parse(readFileSync(join(built, name), 'utf8'), { logLevel: 'silent' }) as ParameterTemplate;
}

describe('what is deployed', () => {
  let scratch: string;

  beforeAll(() => {
    builtCommand();
    scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-hook-'));
    cpSync(join(built, 'function'), join(scratch, 'task'), { recursive: true });
  });

  afterAll(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Runs the function as the runtime of Lambda does, with an SDK that is there, asks of which are written down. */
  function invoke(event: object, payload: object, environment: NodeJS.ProcessEnv = {}) {
    const sdk = join(scratch, 'runtime/@aws-sdk/client-cloudformation');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(
      join(sdk, 'index.js'),
      `const answers = JSON.parse(process.env.ANSWERS ?? '{}');
       class Command { constructor(input) { this.input = input; } }
       exports.DescribeChangeSetCommand = class DescribeChangeSet extends Command {};
       exports.GetTemplateCommand = class GetTemplate extends Command {};
       exports.CloudFormationClient = class {
         async send(command) {
           console.debug('ASKED ' + command.constructor.name + ' ' + JSON.stringify(command.input));
           const answer = answers[command.constructor.name];
           if (answer.error) throw Object.assign(new Error(answer.error), { name: answer.error });
           return answer;
         }
       };`,
    );
    const program = `
      const { createServer } = require('node:http');
      const { handler } = require('./index.js');
      const server = createServer((_, response) => response.end(process.env.PAYLOAD)).listen(0, '127.0.0.1', async () => {
        const event = JSON.parse(process.env.EVENT.replace('ADDRESS', 'http://127.0.0.1:' + server.address().port));
        console.log('ANSWER ' + JSON.stringify(await handler(event)));
        server.closeAllConnections();
        server.close();
      });`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      cwd: join(scratch, 'task'),
      encoding: 'utf8',
      env: {
        NODE_PATH: join(scratch, 'runtime'),
        EVENT: JSON.stringify(event),
        PAYLOAD: JSON.stringify(payload),
        ...environment,
      },
    });
    const [, answer] = /^ANSWER (.*)$/m.exec(stdout) ?? [];
    if (answer === undefined) throw new Error(`${stdout}${stderr}`);
    return {
      answer: JSON.parse(answer) as { readonly hookStatus: string; readonly message: string },
      asked: [...stdout.matchAll(/^ASKED (.*)$/gm)].map(([, line]) => line),
      log: `${stdout}${stderr}`,
    };
  }

  const template = JSON.stringify({
    Parameters: { AmiType: { Type: 'String' }, Secret: { Type: 'String', NoEcho: true } },
    Resources: {
      Workers: {
        Type: 'AWS::EKS::Nodegroup',
        Properties: {
          ClusterName: 'prod',
          NodeRole: 'arn:aws:iam::111122223333:role/nodes',
          Subnets: ['subnet-0123456789abcdef0'],
          AmiType: { Ref: 'AmiType' },
        },
      },
    },
  });
  const parameters = {
    Parameters: [
      { ParameterKey: 'AmiType', ParameterValue: '/ami/type', ResolvedValue: 'AL2023_x86_64_STANDARD' },
      { ParameterKey: 'Secret', ParameterValue: '****' },
    ],
  };

  it('judges in a folder of its own, with nothing installed', () => {
    const { answer, asked } = invoke(changeSetEvent('ADDRESS'), { template });
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain('unverifiable');
    expect(asked).toEqual([]);
  });

  it('asks for the parameters of a change set and the template of its stack where it may', () => {
    const answers = { DescribeChangeSet: parameters, GetTemplate: { error: 'ValidationError' } };
    const environment = { EKS_GUARDRAILS_READS_STACK: 'true', ANSWERS: JSON.stringify(answers) };
    const { answer, asked, log } = invoke(changeSetEvent('ADDRESS'), { template }, environment);
    expect(answer).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant' });
    expect(asked).toEqual([
      `DescribeChangeSet {"ChangeSetName":"${CHANGE_SET}"}`,
      expect.stringMatching(/^GetTemplate \{"StackName":"arn:.*MyStack.*","TemplateStage":"Original"\}$/),
    ]);
    expect(log).not.toContain('could not be read');
  });

  it('takes the template of the stack for the one before', () => {
    const answers = { DescribeChangeSet: parameters, GetTemplate: { TemplateBody: template } };
    const environment = { EKS_GUARDRAILS_READS_STACK: 'true', ANSWERS: JSON.stringify(answers) };
    const { answer } = invoke(changeSetEvent('ADDRESS'), { template }, environment);
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain('Before this update the stack had all of them already.');
  });

  it('knows that a resource which the change set creates was not there before', () => {
    const answers = { DescribeChangeSet: parameters, GetTemplate: { TemplateBody: template } };
    const environment = { EKS_GUARDRAILS_READS_STACK: 'true', ANSWERS: JSON.stringify(answers) };
    const changedResources = [
      null,
      { logicalResourceId: 'Workers', resourceType: 'AWS::EKS::Nodegroup', action: 'CREATE', lineNumber: 1 },
    ];
    const { answer } = invoke(changeSetEvent('ADDRESS'), { template, changedResources }, environment);
    expect(answer).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant' });
  });

  it('judges with less where it may not, and says so in the log', () => {
    const answers = { DescribeChangeSet: { error: 'AccessDenied' }, GetTemplate: { error: 'AccessDenied' } };
    const environment = { EKS_GUARDRAILS_READS_STACK: 'true', ANSWERS: JSON.stringify(answers) };
    const { answer, log } = invoke(changeSetEvent('ADDRESS'), { template }, environment);
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(log).toContain('the parameters could not be read: AccessDenied');
    expect(log).toContain('the template of the stack could not be read: AccessDenied');
  });

  it('is as small as the guide says', () => {
    const bytes = readdirSync(join(built, 'function'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect((bytes / 1e6).toFixed(1)).toBe(/Its code is in the package, ([\d.]+) MB/.exec(guide)?.[1]);
  });

  describe.each(['account.yaml', 'organization.yaml'])('the template %s', (name) => {
    const text = readFileSync(join(projectRoot, 'lib/hook', name), 'utf8');

    itWithAll('is one that CloudFormation takes', () => {
      expect(schemaComplaints(text, name)).toEqual([]);
      const wrong = text.replace('CAPABILITY_IAM', 'CAPABILITY_ALL').replace('[CREATE, UPDATE]', '[MAKE]');
      expect(schemaComplaints(wrong, name)).not.toEqual([]);
    });

    it('has nothing that our own rules find', () => {
      const { findings, diagnostics } = checkTemplates([{ file: name, text }], { preset: 'strict' });
      expect([findings, diagnostics]).toEqual([[], []]);
    });

    it('is in the package', () => {
      expect(readFileSync(join(built, name), 'utf8')).toBe(text);
    });
  });

  it('is deployed by the commands of the guide: files and parameters that they name are there', () => {
    const named = (pattern: RegExp): string[] => [
      ...new Set([...guide.matchAll(pattern)].map(([, name = '']) => name)),
    ];
    const files = named(/node_modules\/eks-guardrails\/dist\/hook\/([\w.]+)/g);
    expect(files.sort()).toEqual(['account.yaml', 'function', 'organization.yaml']);
    for (const file of files) expect(existsSync(join(built, file))).toBe(true);
    const declared = ['account.yaml', 'organization.yaml'].flatMap((name) => Object.keys(templateOf(name).Parameters));
    expect(declared).toEqual(expect.arrayContaining(named(/[ `](\w+)=[\w.{$]/g).filter((name) => name !== 'OLDPWD')));
    const [, others = ''] = /The other parameters are the options above: (.+)\./.exec(guide) ?? [];
    const listed = [...others.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name);
    expect(listed.length).toBeGreaterThan(5);
    expect(Object.keys(templateOf('account.yaml').Parameters)).toEqual(expect.arrayContaining(listed));
  });

  it('hands every parameter of the organization on to that of the account', () => {
    const declared = Object.keys(templateOf('account.yaml').Parameters);
    const given = templateOf('organization.yaml').Resources.Hooks?.Properties.Parameters ?? [];
    expect(given).not.toEqual([]);
    expect(declared).toEqual(expect.arrayContaining(given.map(({ ParameterKey }) => ParameterKey)));
  });
});
