import * as detect from '../../../lib/eks/user-data/detect-bootstrap';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const userDataFamilies = (text: string) => detect.userDataFamilies(SourceText.of(text));
const userDataFamily = (text: string) => detect.userDataFamily(SourceText.of(text));
const bootstrapsIn = (text: string) => detect.bootstrapsIn(readUserData(SourceText.of(text)));

const NODE_CONFIG = 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: main\n';

function mime(contentType: string, body: string, encoding?: string): string {
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    `Content-Type: ${contentType}`,
    ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
    '',
    body,
    '--//--',
    '',
  ].join('\n');
}

describe('the family of user data', () => {
  it.each([
    ['a script that runs bootstrap.sh', '#!/bin/bash\nset -e\n/etc/eks/bootstrap.sh main', 'AL2'],
    ['bootstrap.sh behind an assignment', 'B64=abc /etc/eks/bootstrap.sh main', 'AL2'],
    ['bootstrap.sh behind sudo -E', 'sudo -E /etc/eks/bootstrap.sh main', 'AL2'],
    ['bootstrap.sh behind &&', 'yum install -y jq && /etc/eks/bootstrap.sh main', 'AL2'],
    ['bootstrap.sh with CRLF line ends', '#!/bin/bash\r\n/etc/eks/bootstrap.sh main\r\n', 'AL2'],
    ['a bare NodeConfig', NODE_CONFIG, 'AL2023'],
    ['a NodeConfig in JSON', '{"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig"}', 'AL2023'],
    ['a NodeConfig part', mime('application/node.eks.aws', NODE_CONFIG), 'AL2023'],
    [
      'a NodeConfig part in base64, as CDK writes it',
      mime('application/node.eks.aws', Buffer.from(NODE_CONFIG).toString('base64'), 'base64'),
      'AL2023',
    ],
    [
      'a base64 shell part that runs bootstrap.sh',
      mime('text/x-shellscript', Buffer.from('#!/bin/bash\n/etc/eks/bootstrap.sh c\n').toString('base64'), 'base64'),
      'AL2',
    ],
    ['nodeadm on a command line', '#!/bin/bash\nnodeadm init', 'AL2023'],
    ['Bottlerocket tables', '[settings.kubernetes]\ncluster-name = "main"', 'BOTTLEROCKET'],
    ['Bottlerocket dotted keys', 'settings.kubernetes.max-pods = 20', 'BOTTLEROCKET'],
    ['a Windows document', '<powershell>\nWrite-Host hello\n</powershell>', 'WINDOWS'],
    [
      'the Windows bootstrap',
      '& $EKSBootstrapScriptFile\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main',
      'WINDOWS',
    ],
  ])('is told by %s', (_, text, family) => {
    expect(userDataFamily(text)).toBe(family);
  });

  it.each([
    ['nothing', ''],
    ['an agent that is installed', '#!/bin/bash\nyum install -y amazon-ssm-agent'],
    ['bootstrap.sh in a comment', '#!/bin/bash\n# /etc/eks/bootstrap.sh is not called'],
    ['bootstrap.sh behind a comment sign in the line', 'true # then /etc/eks/bootstrap.sh main'],
    ['bootstrap.sh as an argument', "sed -i 's/x/y/' /etc/eks/bootstrap.sh"],
    ['a script of a similar name', '/etc/eks/bootstrap.sh.bak main'],
    ['a settings key that is no table', 'my.settings.kubernetes = 1'],
    ['HTML in a heredoc', '#!/bin/bash\ncat <<EOF\n<script>\nEOF'],
    [
      'PowerShell in a heredoc',
      '#!/bin/bash\ncat <<EOF\n<powershell>\nStart-EKSBootstrap.ps1 -EKSClusterName main\n</powershell>\nEOF',
    ],
    ['settings in a heredoc', '#!/bin/bash\ncat <<EOF\n[settings.kubernetes]\nmax-pods = 20\nEOF'],
    ['a function that nobody calls', '#!/bin/bash\njoin() {\n  /etc/eks/bootstrap.sh main\n}\n# join'],
    ['another function of that kind', '#!/bin/bash\nfunction join {\n  /etc/eks/bootstrap.sh main\n}'],
  ])('is not told by %s', (_, text) => {
    expect([...userDataFamilies(text)]).toEqual([]);
  });

  it('is left open by text for two systems', () => {
    const text = `#!/bin/bash\nif [ -x /etc/eks/bootstrap.sh ]; then /etc/eks/bootstrap.sh main; else nodeadm init; fi`;
    expect([...userDataFamilies(text)].sort()).toEqual(['AL2', 'AL2023']);
    expect(userDataFamily(text)).toBeUndefined();
  });
});

describe('a bootstrap', () => {
  it.each([
    ['bootstrap.sh', '/etc/eks/bootstrap.sh main', ['AL2']],
    ['a NodeConfig', NODE_CONFIG, ['AL2023']],
    ['the settings of Kubernetes', '[settings.kubernetes]\ncluster-name = "main"', ['BOTTLEROCKET']],
    ['bootstrap.sh in a function that is called', 'join() {\n/etc/eks/bootstrap.sh main\n}\nretry 5 join', ['AL2']],
    [
      'bootstrap.sh in a function that a trap calls',
      "function join {\n/etc/eks/bootstrap.sh main\n}\ntrap 'join now' EXIT",
      ['AL2'],
    ],
    ['the settings of Kubernetes as keys', '[settings]\nkubernetes.cluster-name = "main"', ['BOTTLEROCKET']],
    [
      'PowerShell without its tags',
      '& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main',
      ['WINDOWS'],
    ],
    ['a script in a variable', '<powershell>\n& $bootstrap -EKSClusterName main\n</powershell>', ['WINDOWS']],
    [
      'both, for two systems',
      `#!/bin/bash\nif true; then nodeadm init; else /etc/eks/bootstrap.sh main; fi`,
      ['AL2', 'AL2023'],
    ],
    ['Start-EKSBootstrap', '<powershell>\nStart-EKSBootstrap -EKSClusterName main\n</powershell>', ['WINDOWS']],
  ])('is %s', (_, text, families) => {
    expect([...bootstrapsIn(text)]).toEqual(families);
  });

  it.each([
    ['other Bottlerocket settings', '[settings.host-containers.admin]\nenabled = true'],
    ['a Windows document without the script', '<powershell>\nWrite-Host hello\n</powershell>'],
    ['a commented Start-EKSBootstrap', '<powershell>\n# Start-EKSBootstrap -EKSClusterName main\n</powershell>'],
    [
      'a Start-EKSBootstrap in a block comment',
      '<powershell>\n<#\nStart-EKSBootstrap -EKSClusterName main\n#>\n</powershell>',
    ],
    ['nodeadm that only checks', 'nodeadm config check'],
    ['a key of other settings', '[settings.host-containers.kubernetes]\nenabled = true'],
  ])('is not %s', (_, text) => {
    expect(bootstrapsIn(text).size).toBe(0);
  });

  it('is looked for in long lines without backtracking for ever', () => {
    const hostile = `${'a=b '.repeat(50_000)}/etc/eks/bootstrap.sh${' sudo '.repeat(50_000)}`;
    expect(userDataFamily(`echo ${hostile}`)).toBeUndefined();
  });
});
