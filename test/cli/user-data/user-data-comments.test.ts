import { join } from 'node:path';
import { showUserData } from '../../../lib/cli/user-data/user-data-command';
import { workspace } from '../workspace';

const template = (comment: string, behind = '') => `Resources:
${comment}  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        UserData:${behind}
          Fn::Base64: |
            echo "no shebang, so nothing runs this"
`;

const IGNORE =
  '# eks-guardrails:ignore user-data-shebang, user-data-mime-structure, node-user-data-format, node-user-data-missing-bootstrap, user-data-ami-family, imds-v1 -- replaced next week';

async function show(path: string): Promise<{ exitCode: number; printed: string }> {
  let printed = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text: unknown) => {
    printed += String(text);
    return true;
  });
  try {
    return {
      exitCode: await showUserData(path, { bootstrap: 'user', family: 'al2023', format: 'json' }),
      printed,
    };
  } finally {
    spy.mockRestore();
  }
}

describe('user-data of a template', () => {
  const folder = workspace({
    'plain.yaml': template(''),
    'above.yaml': template(`  ${IGNORE}\n`),
    'behind.yaml': template('', ` ${IGNORE}`),
  });

  it('has an error', async () => {
    expect((await show(join(folder, 'plain.yaml'))).exitCode).toBe(1);
  });

  it.each(['above.yaml', 'behind.yaml'])(
    'honours comments of %s, and says nothing of those that are about other rules',
    async (name) => {
      const { exitCode, printed } = await show(join(folder, name));
      expect(exitCode).toBe(0);
      expect(printed).toContain('replaced next week');
      expect(printed).not.toContain('suppression-');
    },
  );
});

describe('user-data of a lone file', () => {
  const decision = (text: string): string => text.replace('IGNORE', '# eks-guardrails:ignore');
  const script = (comment: string): string => `#!/bin/bash\n${decision(comment)}\n/etc/eks/bootstrap.sh prod\n`;
  const files = {
    'script.sh': script('IGNORE user-data-ami-family, node-user-data-missing-bootstrap -- replaced next week'),
    'indented.sh': script('  IGNORE user-data-ami-family -- replaced next week'),
    'document.txt': decision(`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="B"

--B
Content-Type: application/node.eks.aws

# the nodes of the old cluster
IGNORE node-config-unknown-field, node-config-cluster, node-config-decoding -- replaced next week
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster: { name: prod, apiServerEndpoint: https://x.eks.amazonaws.com, certificateAuthority: TUlJQg== }
  instance:
    localstorage: { strategy: RAID0 }
--B--
`).replace(
      'TUlJQg==',
      Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64'),
    ),
  };
  const folder = workspace({
    ...files,
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`open-${name}`, text.replaceAll(/^ *# eks-guardrails.*\n/gm, '')]),
    ),
    'encoded.txt': Buffer.from(files['script.sh']).toString('base64'),
    'no-reason.sh': script('IGNORE user-data-ami-family'),
    'past.sh': script('IGNORE user-data-ami-family -- until the move (until 2020-01-31)'),
    'unknown.sh': script('IGNORE user-data-family -- replaced next week'),
    'misspelt.sh': script('# eks-guardrails:ignor user-data-ami-family -- replaced next week'),
    'behind.sh': script('echo hello IGNORE user-data-ami-family -- replaced next week'),
    'unused.sh': script('IGNORE user-data-ami-family, windows-user-data -- replaced next week'),
  });

  it.each(Object.keys(files))('honours comments of %s', async (name) => {
    expect((await show(join(folder, `open-${name}`))).exitCode).toBe(1);
    const { exitCode, printed } = await show(join(folder, name));
    expect(exitCode).toBe(0);
    expect(printed).toContain('replaced next week');
    expect(printed).not.toContain('suppression-');
  });

  it('honours them within base64', async () => {
    expect((await show(join(folder, 'encoded.txt'))).exitCode).toBe(0);
  });

  it.each([
    ['no-reason.sh', 'suppression-without-reason'],
    ['past.sh', 'suppression-expired'],
    ['unknown.sh', 'suppression-unknown-rule'],
    ['misspelt.sh', "this comment ignores nothing, because it isn't written as expected"],
  ])('%s hides nothing, and %s is told', async (name, told) => {
    const { exitCode, printed } = await show(join(folder, name));
    expect(exitCode).toBe(1);
    expect(printed).toContain(told);
  });

  describe('reads no comment in a text that the user data holds:', () => {
    const hidden = 'IGNORE user-data-ami-family, node-user-data-missing-bootstrap, user-data-mime-structure -- hidden';
    const texts = {
      'here-document.sh': `#!/bin/bash\ncat > /etc/notes <<'EOF'\n${hidden}\nEOF\n/etc/eks/bootstrap.sh prod\n`,
      'quoted.sh': `#!/bin/bash\nNOTES="\n${hidden}\n"\n/etc/eks/bootstrap.sh prod\n`,
      'block.txt': `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="B"

--B
Content-Type: text/cloud-config

#cloud-config
write_files:
  - path: /etc/notes
    content: |
      ${hidden}
      end
--B
Content-Type: text/x-shellscript

#!/bin/bash
/etc/eks/bootstrap.sh prod
--B--
`,
      'settings.toml': `[settings.host-containers.admin]\nuser-data = \"\"\"\n${hidden.replace('user-data-ami-family', 'bottlerocket-settings, user-data-ami-family')}\n\"\"\"\n[settings.kubernetes]\nnode-shutdown-mode = "graceful"\n`,
      'windows.txt': `<powershell>\n$notes = @"\n${hidden.replace('user-data-ami-family', 'windows-user-data, user-data-ami-family')}\n"@\n</powershell>\n`,
    };
    const inTexts = workspace(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, decision(text)])));

    it.each(Object.keys(texts))('%s', async (name) => {
      const { exitCode, printed } = await show(join(inTexts, name));
      expect(exitCode).toBe(1);
      expect(printed).toContain('it is no comment and ignores nothing');
      expect(printed).not.toContain('"reason": "hidden"');
    });
  });

  it('reads no comment behind a command, and tells of none that has nothing to hide here', async () => {
    expect((await show(join(folder, 'behind.sh'))).exitCode).toBe(1);
    const { exitCode, printed } = await show(join(folder, 'unused.sh'));
    expect([exitCode, printed.includes('suppression-unused')]).toEqual([0, false]);
  });
});
