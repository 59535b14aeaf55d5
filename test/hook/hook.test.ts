import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { answerTo, handler } from '../../lib/hook/handler';
import type { HookAnswer } from '../../lib/hook/answer';
import { fetchPayload } from '../../lib/hook/payload';
import type { StackReader } from '../../lib/hook/stack-reader';
import { allRules } from '../../lib/rules';
import { CHANGE_SET, changeSetEvent, otherSpelling, resourceEvent, stackEvent, TOKEN } from './events';
import { PayloadServer } from './payload-server';
import { share } from '../share';

const server = new PayloadServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

let logged: string[];
beforeEach(() => {
  logged = [];
  for (const level of ['info', 'warn', 'error'] as const)
    jest.spyOn(console, level).mockImplementation((...said: unknown[]) => void logged.push(String(said[0])));
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env['EKS_GUARDRAILS_CONFIGURATION'];
  delete process.env['EKS_GUARDRAILS_UNCHECKED'];
  delete process.env['EKS_GUARDRAILS_KNOWN'];
  delete process.env['EKS_GUARDRAILS_READS_STACK'];
});

/** A node group whose launch template leaves one hop; `hops` is what stands there. */
function nodes(hops: unknown, more: object = {}): string {
  return JSON.stringify({
    ...more,
    Resources: {
      Template: {
        Type: 'AWS::EC2::LaunchTemplate',
        Properties: {
          LaunchTemplateData: { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: hops } },
        },
      },
      Workers: {
        Type: 'AWS::EKS::Nodegroup',
        Properties: {
          ClusterName: 'prod',
          NodeRole: 'arn:aws:iam::111122223333:role/nodes',
          Subnets: ['subnet-0123456789abcdef0'],
          AmiType: 'AL2023_x86_64_STANDARD',
          LaunchTemplate: { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } },
        },
      },
    },
  });
}

const RULE = 'imds-hop-limit';
const found = ({ annotations }: HookAnswer): HookAnswer['annotations'][number] | undefined =>
  annotations.find(({ annotationName }) => annotationName.startsWith(`${RULE}: `));

describe('the hook', () => {
  it.each([
    ['of a stack', (url: string) => stackEvent(url)],
    ['of a stack, as the guide spells its keys elsewhere', (url: string) => otherSpelling(stackEvent(url))],
    ['of a change set', (url: string) => changeSetEvent(url)],
    ['of a change set, as the guide spells its keys elsewhere', (url: string) => otherSpelling(changeSetEvent(url))],
  ])('fails a request %s whose template has an error, and says what, why and what to do', async (_, event) => {
    const answer = await handler(event(server.serving({ template: nodes(1), changedResources: [] })));

    expect(answer).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant', clientRequestToken: TOKEN });
    expect(answer.message).toMatch(
      /^eks-guardrails: 1 error.* in 2 resources of stack MyStack\.\nerror imds-hop-limit, Template: /,
    );
    expect(found(answer)).toMatchObject({
      annotationName: 'imds-hop-limit: Template',
      status: 'FAILED',
      severityLevel: 'HIGH',
      statusMessage: expect.stringContaining('hop limit') as string,
      remediationMessage: expect.stringContaining('HttpPutResponseHopLimit') as string,
      remediationLink: 'https://github.com/eks-guardrails/eks-guardrails/blob/main/docs/rules/imds-hop-limit.md',
    });
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 'info', status: 'FAILED' });
  });

  it('reads YAML, too, and tells what can be judged only by the deployment', async () => {
    const template = `Resources:
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      NodeRole: !ImportValue NodeRole
      Subnets: [subnet-0123456789abcdef0]
      AmiType: !Ref AmiType
Parameters:
  AmiType: { Type: String }
`;
    const answer = await handler(stackEvent(server.serving({ template, previousTemplate: '' }), 'CREATE'));

    expect(answer.hookStatus).toBe('SUCCESS');
    expect(found(answer)).toMatchObject({ status: 'SKIPPED', severityLevel: 'INFORMATIONAL' });
  });

  it('passes what is right, and what has nothing to do with EKS', async () => {
    const right = await handler(stackEvent(server.serving({ template: nodes(2) }), 'CREATE'));
    expect(right.hookStatus).toBe('SUCCESS');
    expect(right.annotations.filter(({ status }) => status === 'FAILED')).toEqual([]);

    const template = '{"Resources":{"S3Bucket":{"Type":"AWS::S3::Bucket","Properties":{"ObjectLockEnabled":true}}}}';
    expect(await handler(stackEvent(server.serving({ template })))).toEqual({
      hookStatus: 'SUCCESS',
      message: 'eks-guardrails: no findings in 1 resource of stack MyStack.',
      clientRequestToken: TOKEN,
      annotations: [],
    });
  });

  it.each([
    ['the region', 'AWS::Region', 'us-west-2', {}],
    ['the account', 'AWS::AccountId', '123456789012', {}],
    ['the account, where there is no ARN,', 'AWS::AccountId', '123456789012', { stackId: null }],
  ])('knows %s from the request', async (_, Ref, value, more) => {
    const Conditions = { IsHere: { 'Fn::Equals': [{ Ref }, value] } };
    const asked = async (here: number, elsewhere: number) => {
      const template = nodes({ 'Fn::If': ['IsHere', here, elsewhere] }, { Conditions });
      return (await handler({ ...stackEvent(server.serving({ template })), ...more })).hookStatus;
    };
    expect([await asked(1, 2), await asked(2, 1)]).toEqual(['FAILED', 'SUCCESS']);
  });

  it('calls a stack by its name where there is no ARN, and a change set by none', async () => {
    const named = { ...stackEvent(server.serving({ template: nodes(1) })), stackId: null };
    expect((await handler(named)).message).toContain(' of stack MyStack.');
    const changed = { ...changeSetEvent(server.serving({ template: nodes(1) })), stackId: null };
    expect((await handler(changed)).message).toContain(' of stack stack.');
  });

  it('reads mappings', async () => {
    const template = nodes(
      { 'Fn::FindInMap': ['Hops', { Ref: 'AWS::Region' }, 'nodes'] },
      { Mappings: { Hops: { 'us-west-2': { nodes: 1 } } } },
    );
    expect((await handler(stackEvent(server.serving({ template })))).hookStatus).toBe('FAILED');
  });

  it('looks for nothing when a stack is deleted, and fetches nothing', async () => {
    const url = server.serving({ template: '', previousTemplate: '' });
    expect(await handler(stackEvent(url, 'DELETE'))).toMatchObject({ hookStatus: 'SUCCESS', annotations: [] });
    expect(server.requests).toBe(0);
  });

  it('tells that it is not made for single resources', async () => {
    const answer = await handler(resourceEvent());
    expect(answer).toMatchObject({ hookStatus: 'SUCCESS', clientRequestToken: TOKEN });
    expect(answer.message).toContain('the hook is for STACK and CHANGE_SET');
  });
});

describe('an update', () => {
  const previousTemplate = nodes(1);

  it('does not fail for what the stack has already, and tells it', async () => {
    const answer = await handler(stackEvent(server.serving({ template: nodes(1), previousTemplate })));

    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain('Before this update the stack had all of them already.');
    expect(found(answer)).toMatchObject({
      status: 'FAILED',
      statusMessage: expect.stringMatching(/^The stack had this before the update\. /) as string,
    });
  });

  it('fails for it where it is told to', async () => {
    process.env['EKS_GUARDRAILS_KNOWN'] = 'fail';
    expect((await handler(stackEvent(server.serving({ template: nodes(1), previousTemplate })))).hookStatus).toBe(
      'FAILED',
    );
  });

  it('is not checked where nobody can tell what it is told to do', async () => {
    process.env['EKS_GUARDRAILS_KNOWN'] = 'ignore';
    const answer = await handler(stackEvent(server.serving({ template: nodes(1), previousTemplate })));
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain('EKS_GUARDRAILS_KNOWN of the hook is "ignore"; it is tell or fail');
  });

  it('fails for what is new', async () => {
    const url = server.serving({ template: nodes(1), previousTemplate: nodes(2) });
    expect((await handler(stackEvent(url))).hookStatus).toBe('FAILED');
  });
});

describe('what CloudFormation tells of the stack', () => {
  const template = nodes({ Ref: 'Hops' }, { Parameters: { Hops: { Type: 'Number' } } });
  let asked: string[];
  beforeEach(() => {
    asked = [];
    process.env['EKS_GUARDRAILS_READS_STACK'] = 'true';
  });

  const answered = (event: object, reader: Partial<StackReader> = {}): Promise<HookAnswer> =>
    answerTo(event, () => ({
      parametersOf: (changeSet) => {
        asked.push(changeSet);
        return Promise.resolve({ Hops: '1' });
      },
      templateOf: (stack) => {
        asked.push(stack);
        return Promise.resolve('');
      },
      ...reader,
    }));
  const stack = expect.stringMatching(/:stack\/MyStack\//) as string;

  it('is asked for only where it may be', async () => {
    process.env['EKS_GUARDRAILS_READS_STACK'] = 'yes';
    const answer = await answered(changeSetEvent(server.serving({ template })));
    expect([answer.hookStatus, asked]).toEqual(['SUCCESS', []]);
    expect(found(answer)?.status).toBe('SKIPPED');
  });

  it('is the parameters of a change set, and the template before', async () => {
    const answer = await answered(changeSetEvent(server.serving({ template })));
    expect(answer).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant' });
    expect(asked).toEqual([CHANGE_SET, stack]);
  });

  it('is the template alone where there is no change set, and nothing where that came with the request', async () => {
    await answered(stackEvent(server.serving({ template })));
    expect(asked).toEqual([stack]);
    asked = [];
    await answered(stackEvent(server.serving({ template, previousTemplate: template })));
    expect(asked).toEqual([]);
    await answered({ ...stackEvent(server.serving({ template })), stackId: undefined });
    expect(asked).toEqual([]);
  });

  it('lets pass what the stack has already, but not what the change set creates', async () => {
    const before = { templateOf: () => Promise.resolve(template) };
    const known = await answered(changeSetEvent(server.serving({ template, changedResources: 'none' })), before);
    expect(known.hookStatus).toBe('SUCCESS');
    expect(known.message).toContain('Before this update the stack had all of them already.');
    const changed = (action: string) => [null, { action, logicalResourceId: 'Template' }];
    const modified = await answered(
      changeSetEvent(server.serving({ template, changedResources: changed('UPDATE') })),
      before,
    );
    expect(modified.hookStatus).toBe('SUCCESS');
    const created = await answered(
      changeSetEvent(server.serving({ template, changedResources: changed('CREATE') })),
      before,
    );
    expect(created).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant' });
    expect(found(created)?.statusMessage).not.toContain('before the update');
  });

  it('may be refused: then less is known, and the log says so', async () => {
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDenied' }));
    const answer = await answered(changeSetEvent(server.serving({ template })), {
      parametersOf: refuse,
      templateOf: refuse,
    });
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(found(answer)?.status).toBe('SKIPPED');
    const warned = logged.map((line) => JSON.parse(line) as { level: string; message: string; changeSet?: string });
    expect(warned.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'the parameters could not be read: AccessDenied: no', target: 'CHANGE_SET', changeSet: CHANGE_SET },
      { message: 'the template of the stack could not be read: AccessDenied: no' },
    ]);
  });
});

describe('what the user decided', () => {
  it('holds: decisions in the template, and the configuration of the hook', async () => {
    const accepted = JSON.parse(nodes(1)) as { Resources: { Template: object } };
    Object.assign(accepted.Resources.Template, {
      Metadata: { 'eks-guardrails': { suppress: [{ rule: RULE, reason: 'own roles' }] } },
    });
    const answer = await handler(stackEvent(server.serving({ template: JSON.stringify(accepted) })));
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain('1 accepted');

    process.env['EKS_GUARDRAILS_CONFIGURATION'] = JSON.stringify({ rules: { [RULE]: 'warning' } });
    expect((await handler(stackEvent(server.serving({ template: nodes(1) })))).hookStatus).toBe('SUCCESS');
    process.env['EKS_GUARDRAILS_CONFIGURATION'] = JSON.stringify({ rules: { [RULE]: 'warning' }, failOn: 'warning' });
    expect((await handler(stackEvent(server.serving({ template: nodes(1) })))).hookStatus).toBe('FAILED');
  });

  it.each([
    ['{', 'is no JSON'],
    ['{"preset":"strictest"}', 'preset'],
    ['{"rules":{"imds-hop-limits":"off"}}', 'did you mean "imds-hop-limit"?'],
    ['{"rules":[]}', 'rules'],
    ['{"customRules":["./rules.js"]}', 'customRules: a hook has no files'],
  ])('is told where it can not be used: %s', async (configuration, words) => {
    process.env['EKS_GUARDRAILS_CONFIGURATION'] = configuration;
    const answer = await handler(stackEvent(server.serving({ template: nodes(1) })));
    expect(answer.hookStatus).toBe('SUCCESS');
    expect(answer.message).toContain(words);
    process.env['EKS_GUARDRAILS_UNCHECKED'] = 'fail';
    expect(await handler(stackEvent(server.serving({ template: nodes(1) })))).toMatchObject({
      hookStatus: 'FAILED',
      errorCode: 'InternalFailure',
    });
  });

  it('is told where the day of the environment is none', async () => {
    const day = process.env['EKS_GUARDRAILS_AS_OF'];
    process.env['EKS_GUARDRAILS_AS_OF'] = '2027-02-30';
    const { message } = await handler(stackEvent(server.serving({ template: nodes(1) })));
    if (day === undefined) delete process.env['EKS_GUARDRAILS_AS_OF'];
    else process.env['EKS_GUARDRAILS_AS_OF'] = day;
    expect(message).toContain('the configuration of the hook is wrong: EKS_GUARDRAILS_AS_OF is "2027-02-30"');
  });
});

describe('what can not be checked', () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ['a template that is none', () => server.serving({ template: 'Resources: [' }), 'Not checked: '],
    ['no template', () => server.serving({}), 'handed over no template'],
    ['a template of blanks', () => server.serving({ template: ' \n' }), 'handed over no template'],
    [
      'a resource that is none, beside what only deserves a warning',
      () => server.serving({ template: 'Resources:\n  # eks-guardrails:ignore\n  A: 7\n' }),
      'Not checked: ',
    ],
    ['a payload that is no JSON', () => server.answering((response) => response.end('<xml/>')), 'is no JSON'],
    [
      'an address that has ended',
      () => server.answering((response) => response.writeHead(403).end('Request has expired')),
      'S3 answered with 403',
    ],
    ['no address', () => '', 'names no address'],
    ['an address of a file', () => 'file:///etc/passwd', 'names no address'],
    ['a connection that breaks', () => server.answering((response) => response.destroy()), 'could not be fetched'],
    ['a payload without end', () => server.answering(endless), 'take more than 32 MiB'],
    ['a list', () => server.serving([nodes(1)]), 'handed over no template'],
    ['a template that is an object', () => server.serving({ template: JSON.parse(nodes(1)) as object }), 'no template'],
    ['a payload that is too large when it is unpacked', () => server.answering(bomb), 'take more than 32 MiB'],
    [
      'a payload that is not packed as it says',
      () => server.answering((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(nodes(1))),
      'could not be fetched',
    ],
    [
      'a redirect without an address',
      () => server.answering((response) => response.writeHead(307).end()),
      'could not be fetched',
    ],
    [
      'another address',
      () => server.answering((response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
      'could not be fetched',
    ],
  ];

  it.each(share(cases))('is told and lets the operation go on: %s', async (_, url, words) => {
    const answer = await handler(stackEvent(url()));
    expect(answer).toMatchObject({ hookStatus: 'SUCCESS', clientRequestToken: TOKEN });
    expect(answer.message).toContain(words);
    expect(answer.annotations).toContainEqual(expect.objectContaining({ status: 'SKIPPED' }));
    expect(JSON.stringify([answer, logged])).not.toContain('secret');
  });

  it.each(share(cases))('fails the operation where that is wanted: %s', async (_, url) => {
    process.env['EKS_GUARDRAILS_UNCHECKED'] = 'fail';
    expect(await handler(stackEvent(url()))).toMatchObject({ hookStatus: 'FAILED', errorCode: 'InternalFailure' });
  });

  it('is asked for a second time when S3 fails, and no more', async () => {
    let failures = 0;
    const url = server.answering((response) => {
      if (++failures === 1) response.writeHead(500).end();
      else response.end(JSON.stringify({ template: nodes(1) }));
    });
    expect((await handler(stackEvent(url))).hookStatus).toBe('FAILED');
    expect(
      (await handler(stackEvent(server.answering((response) => response.writeHead(503).end())))).message,
    ).toContain('S3 answered with 503');
    expect(server.requests).toBe(2);
  });

  it.each([403, 404, 500])('leaves no connection open where S3 answers with %i and no end of words', async (status) => {
    const closed: Promise<unknown>[] = [];
    const url = server.answering((response) => {
      closed.push(once(response, 'close'));
      endless(response.writeHead(status));
    });
    expect((await handler(stackEvent(url))).message).toContain(`S3 answered with ${status}`);
    await Promise.all(closed);
    expect(closed).toHaveLength(status === 500 ? 2 : 1);
  });

  it('is read where it is packed', async () => {
    const url = server.answering((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify({ template: nodes(1) }))),
    );
    expect((await handler(stackEvent(url))).hookStatus).toBe('FAILED');
  });

  it('is not waited for without end', async () => {
    const url = server.answering(() => undefined);
    await expect(fetchPayload(url, 50)).rejects.toThrow('no answer in time');
  });

  function bomb(response: ServerResponse): void {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40 << 20, 32)));
  }

  function endless(response: ServerResponse): void {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
    };
    response.on('drain', more);
    more();
  }
});

describe('a defect of ours', () => {
  it('stops no deployment, whatever is set, and is in the log', async () => {
    process.env['EKS_GUARDRAILS_UNCHECKED'] = 'fail';
    // Something that the hook does with its findings.
    jest.spyOn(Array.prototype, 'toSorted').mockImplementation(() => {
      throw new TypeError('a defect');
    });
    const answer = await handler(stackEvent(server.serving({ template: nodes(1) })));
    expect(answer).toMatchObject({
      hookStatus: 'SUCCESS',
      message: 'eks-guardrails checked nothing: it stopped with an internal error, which the log of the function has.',
      clientRequestToken: TOKEN,
    });
    expect(logged.join('\n')).toContain('TypeError: a defect');
  });

  it('of a single rule stops none either, and the other rules judge', async () => {
    const broken = allRules.find(({ id }) => id === 'imds-v1');
    if (broken === undefined) throw new Error('the rule has another name');
    jest.spyOn(broken, 'check').mockImplementation(() => {
      throw new TypeError('a defect');
    });
    const right = await handler(stackEvent(server.serving({ template: nodes(2) })));
    expect(right.hookStatus).toBe('SUCCESS');
    expect(right.message).toMatch(/\d rules? stopped with an internal error\./);
    expect(right.annotations).toContainEqual(
      expect.objectContaining({ annotationName: 'rule-crashed', status: 'SKIPPED' }),
    );
    const wrong = await handler(stackEvent(server.serving({ template: nodes(1) })));
    expect(wrong).toMatchObject({ hookStatus: 'FAILED', errorCode: 'NonCompliant' });
    expect(logged.join('\n')).toContain('imds-v1');
  });

  it.each([
    undefined,
    null,
    'event',
    7,
    [],
    {},
    { requestData: null },
    { requestData: { targetType: 'STACK', payload: 7 } },
    { requestData: { targetType: ['STACK'], payload: { toString: 'x' } }, stackId: {}, clientRequestToken: [1] },
    { requestData: { targetType: '__proto__' }, actionInvocationPoint: 7, awsAccountId: null },
    { requestData: { targetType: 'CHANGE_SET', payload: 'http://127.0.0.1:1/' }, changeSetId: 7 },
    { requestData: { targetType: 'STACK', payload: 'http://[::' }, stackId: 'a'.repeat(1 << 20) },
  ])('is no event that is none: %j', async (event) => {
    expect(await handler(event)).toMatchObject({ hookStatus: 'SUCCESS', clientRequestToken: '' });
  });
});

describe('an answer', () => {
  it.each([
    ['error', 'warning', '1 error, 1 warning, 3 unverifiable', ['FAILED HIGH', 'FAILED MEDIUM']],
    ['warning', 'info', '1 warning, 1 info, 3 unverifiable', ['FAILED MEDIUM', 'PASSED INFORMATIONAL']],
  ])('counts what it found, the most severe first: %s and %s', async (one, other, counts, levels) => {
    process.env['EKS_GUARDRAILS_CONFIGURATION'] = JSON.stringify({ rules: { 'imds-v1': one, [RULE]: other } });
    const template = nodes(1).replace('"required"', '"optional"');
    const { message, annotations } = await handler(stackEvent(server.serving({ template })));
    expect(message.split('\n')[0]).toBe(`eks-guardrails: ${counts} in 2 resources of stack MyStack.`);
    const unknown = Array.from({ length: 3 }, () => 'SKIPPED INFORMATIONAL');
    expect(annotations.map(({ status, severityLevel }) => `${status} ${severityLevel}`)).toEqual([
      ...levels,
      ...unknown,
    ]);
  });

  it('says how much of what it found was there before, and fails for the rest', async () => {
    const { Resources } = JSON.parse(nodes(1)) as { Resources: Record<'Template' | 'Workers', { Properties: object }> };
    const LaunchTemplate = { Id: { Ref: 'Second' }, Version: { 'Fn::GetAtt': ['Second', 'LatestVersionNumber'] } };
    const Others = { ...Resources.Workers, Properties: { ...Resources.Workers.Properties, LaunchTemplate } };
    const template = JSON.stringify({ Resources: { ...Resources, Second: Resources.Template, Others } });
    const answer = await handler(stackEvent(server.serving({ template, previousTemplate: nodes(1) })));
    expect(answer.hookStatus).toBe('FAILED');
    expect(answer.message).toMatch(
      /^eks-guardrails: 2 errors.*\nBefore this update the stack had 1 of them already\.\n/,
    );
    expect(answer.message).toContain('error imds-hop-limit, Second: ');
    expect(answer.message).not.toContain('error imds-hop-limit, Template: ');
  });

  it('numbers what has the same name', async () => {
    const answer = await handler(stackEvent(server.serving({ template: '{"Resources":{"A":7,"B":8}}' })));
    expect(answer.annotations.map(({ annotationName }) => annotationName)).toEqual(['template', 'template (2)']);
  });

  it.each([
    [100, undefined],
    [101, '2 more: run eks-guardrails check on the template to see them.'],
  ])('of %i annotations leaves out: %s', async (number, last) => {
    const wrong = Object.fromEntries(Array.from({ length: number }, (_, index) => [`R${index}`, index]));
    const { annotations } = await handler(
      stackEvent(server.serving({ template: JSON.stringify({ Resources: wrong }) })),
    );
    expect(annotations).toHaveLength(100);
    expect(annotations.at(-1)?.statusMessage).toEqual(last ?? expect.stringContaining('R99'));
  });
});

describe('long answers', () => {
  it('keep to the lengths that CloudFormation takes', async () => {
    const Properties = {
      ClusterName: 'prod',
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-0123456789abcdef0'],
      AmiType: 'AL2023_x86_64_STANDARD',
    };
    const Resources: Record<string, object> = {};
    for (let index = 0; index < 150; index++)
      Resources[`${'Workers'.repeat(20)}${index}`] = { Type: 'AWS::EKS::Nodegroup', Properties };
    const { message, annotations } = await handler(
      stackEvent(server.serving({ template: JSON.stringify({ Resources }) })),
    );
    expect(message).toHaveLength(4096);
    expect(message.endsWith('…')).toBe(true);
    expect(annotations).toHaveLength(100);
    expect(annotations.at(-1)).toMatchObject({
      status: 'SKIPPED',
      statusMessage: expect.stringMatching(/^\d+ more: /) as string,
    });
    expect(new Set(annotations.map(({ annotationName }) => annotationName)).size).toBe(100);
    for (const { annotationName, statusMessage, remediationMessage = '', remediationLink = '' } of annotations) {
      expect(annotationName.length).toBeLessThanOrEqual(1024);
      expect(statusMessage.length).toBeLessThanOrEqual(16_384);
      expect(remediationMessage.length).toBeLessThanOrEqual(16_384);
      expect(remediationLink.length).toBeLessThanOrEqual(5120);
    }
  });
});
