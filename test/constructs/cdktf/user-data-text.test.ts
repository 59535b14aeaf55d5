import { Fn, Lazy, TerraformVariable } from 'cdktf';
import fc from 'fast-check';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { runs } from '../../share';
import { userDataInBase64 } from '../../../constructs/cdktf/user-data-text';
import { BottlerocketSettings, NodeConfig } from '../../../constructs/cdktf';
import { decoded, only } from './node-groups';
import { newStack } from './stacks';

/** What a launch template has for a user data, once CDKTF has resolved it. */
function written(make: (variable: TerraformVariable) => string): unknown {
  const stack = newStack();
  const variable = new TerraformVariable(stack, 'team', { type: 'string' });
  new LaunchTemplate(stack, 'Template', { userData: make(variable) });
  return only(stack, 'aws_launch_template')['user_data'];
}

const piece = fc.oneof(
  fc.constantFrom(
    '$',
    '%',
    '{',
    '}',
    '${',
    '%{',
    '$${',
    '"',
    '\\',
    '\n',
    '\r\n',
    '\t',
    '\u0001',
    'é',
    '😀',
    '${HOME}',
    '%{ if x }',
    '~}',
    '-1.8e+300',
    "'",
  ),
  fc.string({ maxLength: 5 }),
);

describe('user data', () => {
  it('without tokens is plain base64', () => {
    expect(userDataInBase64('#!/bin/bash\necho "${HOME}" %{x}\n')).toBe(
      Buffer.from('#!/bin/bash\necho "${HOME}" %{x}\n').toString('base64'),
    );
  });

  it('with tokens is encoded by Terraform, which leaves everything else as it is', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (before, after) => {
        const [one, other] = [before.join(''), after.join('')];
        // The brace of a text behind a token's is the token's own affair.
        const text = decoded(written((variable) => userDataInBase64(`${one}${variable.stringValue}${other}`)));
        expect(text).toBe(`${one}\${var.team}${other}`);
      }),
      { numRuns: runs(60) },
    );
  });

  it('holds expressions of Terraform, and texts that are known later', () => {
    const text = written((variable) =>
      userDataInBase64(
        `a ${Fn.join('-', [variable.stringValue, 'x"y'])} b ${Lazy.stringValue({ produce: () => 'say "hi" \\' })}`,
      ),
    );
    expect(text).toMatch(/^\$\{base64encode\("a \$\{join\(/);
    expect(text).toMatch(/ b say \\"hi\\" \\\\"\)\}$/);
    expect(written(() => userDataInBase64(`a ${Lazy.stringValue({ produce: () => '"b"' })}`))).toBe(
      Buffer.from('a "b"').toString('base64'),
    );
  });

  it("of settings and configurations is for launch templates of the user's own", () => {
    expect(decoded(new BottlerocketSettings({ maxPods: 20 }).toUserData())).toContain('max-pods = 20');
    const config = decoded(
      written((variable) =>
        new NodeConfig({ kubelet: { flags: [`--node-labels=team=${variable.stringValue}`] } }).toUserData({
          type: 'text/x-shellscript',
          body: '#!/bin/sh\n',
        }),
      ),
    );
    expect(config).toContain('MIME-Version: 1.0');
    expect(config).toContain('- "--node-labels=team=${var.team}"');
    expect(config).toContain('#!/bin/sh');
  });
});
