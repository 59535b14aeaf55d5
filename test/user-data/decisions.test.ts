import { withComment } from '../../lib/user-data/decisions';
import { loneUserData } from '../../lib/user-data/input';

const IGNORE = '# eks-guardrails:ignore user-data-ami-family -- replaced next week';
const QUESTION = { id: undefined, family: 'AL2023', bootstrapBy: 'user', kubernetesVersion: undefined } as const;

const read = (text: string) => loneUserData(Buffer.from(text), 'nodes', QUESTION);
const decided = (text: string) => (read(text).inputs[0]?.suppressions ?? []).map(({ rule, reason }) => [rule, reason]);

describe('a decision in user data', () => {
  it.each([
    ['a script', `#!/bin/bash\n${IGNORE}\n/etc/eks/bootstrap.sh prod\n`],
    ['a script whose first line it is', `${IGNORE}\n/etc/eks/bootstrap.sh prod\n`],
    ['cloud-config', `#cloud-config\nruncmd:\n  ${IGNORE}\n  - echo\n`],
    ['a NodeConfig', `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  ${IGNORE}\n  cluster: {}\n`],
    ['settings', `[settings.kubernetes]\nname = "a # b" # said\n${IGNORE}\nother = 'x'\n`],
    ['settings after a text', `[settings.kubernetes]\na = """\nx\n"""\nb = '''\ny\n'''\n${IGNORE}\n`],
    ['PowerShell', `<powershell>\nWrite-Host "a" # said\n${IGNORE}\n</powershell>\n`],
    ['PowerShell after a text', `<powershell>\n$a = @'\nx\n'@\n$b = 'y' + "z \`" z"\n${IGNORE}\n</powershell>\n`],
    ['a block comment of PowerShell', `<powershell>\n<#\n${IGNORE}\n#>\n</powershell>\n`],
    [
      'what stands before the parts',
      `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n${IGNORE}\n--B\nContent-Type: text/x-shellscript\n\n#!/bin/bash\n--B--\n`,
    ],
  ])('holds in %s', (_, text) => {
    expect(decided(text)).toEqual([['user-data-ami-family', 'replaced next week']]);
    expect(read(text).diagnostics).toEqual([]);
  });

  it.each([
    ['a here-document', `#!/bin/bash\ncat <<EOF\n${IGNORE}\nEOF\n`, 3],
    ['a text of TOML', `[settings.motd]\na = """\n${IGNORE}\n"""\n`, 3],
    ['a literal of TOML', `[settings.motd]\na = '''\n${IGNORE}\n'''\n`, 3],
    ['a block of YAML', `#cloud-config\nwrite_files:\n  - content: |\n      ${IGNORE}\n`, 4],
    ['a here-string of PowerShell', `<powershell>\n$a = @"\n${IGNORE}\n"@\n</powershell>\n`, 3],
    ['a string of PowerShell', `<powershell>\n$a = '\n${IGNORE}\n'\n</powershell>\n`, 3],
  ])('is none in %s, which is told where it stands', (_, text, line) => {
    expect(decided(text)).toEqual([]);
    expect(read(text).diagnostics).toEqual([
      expect.objectContaining({
        severity: 'warning',
        file: 'nodes',
        line,
        message: expect.stringContaining('it is no comment and ignores nothing') as string,
      }),
    ]);
  });

  it('is none where a comment is about something else, and nothing is told of that', () => {
    expect(read('#!/bin/bash\n# eks-guardrails is a tool\ncat <<EOF\n# eks-guardrails\nEOF\n').diagnostics).toEqual([]);
  });
});

describe('a comment is put', () => {
  const mime = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n';
  const part = '--B\nContent-Type: text/x-shellscript\n\n';

  it.each([
    ['behind the line that has to be first', '#!/bin/bash\necho\n', 0, '#!/bin/bash\n# c\necho\n'],
    ['behind it where that has no end', '#!/bin/bash', 0, '#!/bin/bash\n# c\n'],
    ['with the line ends of the text', '#cloud-config\r\na: 1\r\n', 0, '#cloud-config\r\n# c\r\na: 1\r\n'],
    ['behind the tag of PowerShell', '<PowerShell>\necho\n', 0, '<PowerShell>\n# c\necho\n'],
    [
      'behind the head of a template',
      '## template: jinja\n#cloud-config\n',
      0,
      '## template: jinja\n# c\n#cloud-config\n',
    ],
    ['at the top where nothing has to be first', '[settings]\n', 0, '# c\n[settings]\n'],
    ['at the top of other comments', '# mine\na = 1\n', 0, '# c\n# mine\na = 1\n'],
    [
      'before the first boundary',
      `${mime}${part}#!/bin/bash\n`,
      (mime + part).length,
      `${mime}# c\n${part}#!/bin/bash\n`,
    ],
  ])('%s', (_, text, begin, expected) => {
    expect(withComment(text, begin, '# c')).toBe(expected);
  });
});
