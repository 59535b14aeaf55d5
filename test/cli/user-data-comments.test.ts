import { join } from 'node:path';
import { showUserData } from '../../lib/cli/user-data-command';
import { workspace } from './workspace';

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

describe('user-data of a template', () => {
  const folder = workspace({
    'plain.yaml': template(''),
    'above.yaml': template(`  ${IGNORE}\n`),
    'behind.yaml': template('', ` ${IGNORE}`),
  });

  async function show(name: string): Promise<{ exitCode: number; printed: string }> {
    let printed = '';
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text: unknown) => {
      printed += String(text);
      return true;
    });
    try {
      return {
        exitCode: await showUserData(join(folder, name), { bootstrap: 'user', family: 'al2023', format: 'json' }),
        printed,
      };
    } finally {
      spy.mockRestore();
    }
  }

  it('has an error', async () => {
    expect((await show('plain.yaml')).exitCode).toBe(1);
  });

  it.each(['above.yaml', 'behind.yaml'])(
    'honours comments of %s, and says nothing of those that are about other rules',
    async (name) => {
      const { exitCode, printed } = await show(name);
      expect(exitCode).toBe(0);
      expect(printed).toContain('replaced next week');
      expect(printed).not.toContain('suppression-');
    },
  );
});
