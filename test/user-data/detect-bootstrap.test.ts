import { bootstrapsIn, userDataFamilies, userDataFamily } from '../../lib/user-data/detect-bootstrap';

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
    ['a NodeConfig part in base64, as CDK writes it', mime('application/node.eks.aws', Buffer.from(NODE_CONFIG).toString('base64'), 'base64'), 'AL2023'],
    ['a base64 shell part that runs bootstrap.sh', mime('text/x-shellscript', Buffer.from('#!/bin/bash\n/etc/eks/bootstrap.sh c\n').toString('base64'), 'base64'), 'AL2'],
    ['nodeadm on a command line', '#!/bin/bash\nnodeadm init', 'AL2023'],
    ['Bottlerocket tables', '[settings.kubernetes]\ncluster-name = "main"', 'BOTTLEROCKET'],
    ['Bottlerocket dotted keys', 'settings.kubernetes.max-pods = 20', 'BOTTLEROCKET'],
    ['a Windows document', '<powershell>\nWrite-Host hello\n</powershell>', 'WINDOWS'],
    ['the Windows bootstrap', '& $EKSBootstrapScriptFile\n& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main', 'WINDOWS'],
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
    ['Start-EKSBootstrap', '<powershell>\nStart-EKSBootstrap -EKSClusterName main\n</powershell>', ['WINDOWS']],
  ])('is %s', (_, text, families) => {
    expect([...bootstrapsIn(text)]).toEqual(families);
  });

  it.each([
    ['other Bottlerocket settings', '[settings.host-containers.admin]\nenabled = true'],
    ['a Windows document without the script', '<powershell>\nWrite-Host hello\n</powershell>'],
    ['a commented Start-EKSBootstrap', '<powershell>\n# Start-EKSBootstrap -EKSClusterName main\n</powershell>'],
    ['nodeadm without a NodeConfig', 'nodeadm init'],
  ])('is not %s', (_, text) => {
    expect(bootstrapsIn(text).size).toBe(0);
  });

  it('is looked for in long lines without backtracking for ever', () => {
    const hostile = `${'a=b '.repeat(50_000)}/etc/eks/bootstrap.sh${' sudo '.repeat(50_000)}`;
    expect(userDataFamily(`echo ${hostile}`)).toBeUndefined();
  });
});
