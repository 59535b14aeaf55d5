import { gzipSync } from 'node:zlib';
import { findingsOf } from '../../lib/user-data/findings';
import { loneUserData } from '../../lib/user-data/input';
import type { UserDataQuestion } from '../../lib/user-data/launch';

const SCRIPT = '#!/bin/bash\n/etc/eks/bootstrap.sh prod\n';
const CLOSED_EARLY = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="B"

--B
Content-Type: text/x-shellscript

#!/bin/bash
echo first
--B--

--B
Content-Type: text/x-shellscript

#!/bin/bash
echo second
--B--
`;
const SETTINGS = '[settings.kubernetes]\nmax-pods = "many"\n';

const readBytes = (bytes: Uint8Array, question: Partial<UserDataQuestion> = {}, name = 'nodes') =>
  loneUserData(bytes, name, {
    id: undefined,
    family: undefined,
    bootstrapBy: 'unknown',
    kubernetesVersion: undefined,
    ...question,
  });
const failing = (text: string | Uint8Array, question: Partial<UserDataQuestion> = {}, name?: string) =>
  readBytes(Buffer.from(text), question, name)
    .inputs.flatMap(findingsOf)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, source }) => `${rule}:${source.locate().line}`);

describe('user data without what launches with it', () => {
  it('is judged by the system that it is for', () => {
    expect(failing(SCRIPT, { family: 'AL2023', bootstrapBy: 'user' })).toContain('user-data-ami-family:2');
    expect(failing(SCRIPT, { family: 'AL2', bootstrapBy: 'user' })).toEqual([]);
    expect(failing(SCRIPT, { family: 'AL2', bootstrapBy: 'eks' })).not.toEqual([]);
    expect(failing(SCRIPT)).toEqual([]);
  });

  it('is found wrong once where it is wrong for all systems that it may be for', () => {
    expect(failing(CLOSED_EARLY, { bootstrapBy: 'eks' })).toEqual(['user-data-mime-structure:9']);
    expect(failing('echo\n', { bootstrapBy: 'eks' })).not.toContain('user-data-ami-family:1');
  });

  it('is for the system whose settings it has', () => {
    expect(failing(SETTINGS, { bootstrapBy: 'eks' })).toEqual(failing(SETTINGS, { family: 'BOTTLEROCKET' }));
    expect(failing(SETTINGS, { bootstrapBy: 'eks' })).toEqual(['bottlerocket-settings:2']);
  });

  it('may be the base64 that a launch template takes, once', () => {
    const once = Buffer.from(SCRIPT).toString('base64');
    expect(readBytes(Buffer.from(once)).inputs[0]?.userData.layers).toEqual([]);
    expect(failing(once, { family: 'AL2', bootstrapBy: 'user' })).toEqual([]);
    const twice = Buffer.from(once).toString('base64');
    expect(readBytes(Buffer.from(twice)).inputs[0]?.userData.layers).toEqual(['base64']);
    expect(readBytes(gzipSync(SCRIPT)).inputs[0]?.userData.layers).toEqual(['gzip']);
  });

  it('has the places of its text where a placeholder stands for more', () => {
    const template = '#!/bin/bash\necho ${a_name_that_is_long} ${b}\n/etc/eks/bootstrap.sh ${cluster}\n';
    expect(failing(template, { family: 'AL2023', bootstrapBy: 'user' }, 'nodes.sh.tftpl')).toContain(
      'user-data-ami-family:3',
    );
  });
});

describe('what is no user data', () => {
  it.each([
    ['apiVersion: apps/v1\nkind: Deployment\n', 'this is a Deployment (apps/v1), not user data'],
    ['apiVersion: networking.k8s.io/v1\nkind: Ingress\n', 'this is an Ingress (networking.k8s.io/v1), not user data'],
  ])('is said: %j', (text, message) => {
    const { inputs, diagnostics } = readBytes(Buffer.from(text));
    expect([inputs, diagnostics]).toEqual([
      [],
      [expect.objectContaining({ severity: 'error', message, file: 'nodes' })],
    ]);
  });

  it('is what is too large to be unpacked', () => {
    const { inputs, diagnostics } = readBytes(gzipSync(Buffer.alloc(20 << 20)));
    expect([inputs, diagnostics]).toEqual([
      [],
      [
        {
          severity: 'error',
          file: 'nodes',
          line: 1,
          column: 1,
          message: expect.stringContaining('so it is not judged') as string,
        },
      ],
    ]);
  });

  it('is a NodeConfig of hybrid nodes, of which nothing is judged', () => {
    const text = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  hybrid: {}\n  wrong: 1\n';
    const [input] = readBytes(Buffer.from(text)).inputs;
    expect(input?.notJudged).toContain('for hybrid nodes');
    expect(failing(text)).toEqual([]);
  });
});
