import type { ServerResponse } from 'node:http';
import { handler } from '../../lib/hook/handler';
import type { HookAnswer } from '../../lib/hook/answer';
import { fetchPayload } from '../../lib/hook/payload';
import { allRules } from '../../lib/rules';
import { changeSetEvent, otherSpelling, resourceEvent, stackEvent, TOKEN } from './events';
import { PayloadServer } from './payload-server';

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

  it('knows the region and the account from the ARN of the stack', async () => {
    const template = nodes(
      { 'Fn::If': ['InUsWest', 1, 2] },
      { Conditions: { InUsWest: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-west-2'] } } },
    );
    expect((await handler(stackEvent(server.serving({ template })))).hookStatus).toBe('FAILED');
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

  it('fails for what is new', async () => {
    const url = server.serving({ template: nodes(1), previousTemplate: nodes(2) });
    expect((await handler(stackEvent(url))).hookStatus).toBe('FAILED');
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
});

describe('what can not be checked', () => {
  const cases: readonly (readonly [string, () => string, string])[] = [
    ['a template that is none', () => server.serving({ template: 'Resources: [' }), 'Not checked: '],
    ['no template', () => server.serving({}), 'handed over no template'],
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
    [
      'another address',
      () => server.answering((response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
      'could not be fetched',
    ],
  ];

  it.each(cases)('is told and lets the operation go on: %s', async (_, url, words) => {
    const answer = await handler(stackEvent(url()));
    expect(answer).toMatchObject({ hookStatus: 'SUCCESS', clientRequestToken: TOKEN });
    expect(answer.message).toContain(words);
    expect(answer.annotations).toContainEqual(expect.objectContaining({ status: 'SKIPPED' }));
    expect(JSON.stringify([answer, logged])).not.toContain('secret');
  });

  it.each(cases)('fails the operation where that is wanted: %s', async (_, url) => {
    process.env['EKS_GUARDRAILS_UNCHECKED'] = 'fail';
    expect(await handler(stackEvent(url()))).toMatchObject({ hookStatus: 'FAILED', errorCode: 'InternalFailure' });
  });

  it('is asked for a second time when S3 fails, and no more', async () => {
    let failures = 0;
    const url = server.answering((response) => {
      if (++failures === 1) response.writeHead(503).end();
      else response.end(JSON.stringify({ template: nodes(1) }));
    });
    expect((await handler(stackEvent(url))).hookStatus).toBe('FAILED');
    expect(
      (await handler(stackEvent(server.answering((response) => response.writeHead(503).end())))).message,
    ).toContain('S3 answered with 503');
    expect(server.requests).toBe(2);
  });

  it('is not waited for without end', async () => {
    const url = server.answering(() => undefined);
    await expect(fetchPayload(url, 50)).rejects.toThrow('no answer in time');
  });

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
  ])('is no event that is none: %j', async (event) => {
    expect(await handler(event)).toMatchObject({ hookStatus: 'SUCCESS', clientRequestToken: '' });
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
