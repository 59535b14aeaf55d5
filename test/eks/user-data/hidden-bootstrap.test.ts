import * as fc from 'fast-check';
import { runs } from '../../share';
import { hiddenBootstrap } from '../../../lib/eks/user-data/hidden-bootstrap';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { nowhere, Unknown } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';

const reasonOf = (text: string) => hiddenBootstrap(readUserData(SourceText.of(text)))?.reason;
const script = (...lines: readonly string[]) => ['#!/bin/bash', ...lines].join('\n');

describe('what may bootstrap out of sight', () => {
  it.each([
    ['a script in the image', script('/opt/join.sh'), "it runs /opt/join.sh, which can't be seen"],
    [
      'a downloaded script',
      script('curl -s https://example.com/a.sh -o /tmp/a.sh', 'bash /tmp/a.sh'),
      "it runs /tmp/a.sh, which can't be seen",
    ],
    [
      'a script that is piped in',
      script('aws s3 cp s3://bucket/a.sh - | sudo bash -x'),
      "what it gives to bash isn't followed",
    ],
    ['a sourced file', script('source /opt/functions'), "it runs /opt/functions, which can't be seen"],
    ['a variable', script('$JOIN main'), "it runs $JOIN, which isn't known"],
    ['a command line in quotes', script("bash -c 'join main'"), "what it gives to bash isn't followed"],
    ['cfn-init', script('/opt/aws/bin/cfn-init -s stack -r Nodes'), "what it gives to cfn-init isn't followed"],
    ['Python', '#!/usr/bin/env -S python3 -u\nprint()', "a script for python3 isn't followed"],
    ['Python by its path', '#!/usr/bin/python3\nprint()', "a script for /usr/bin/python3 isn't followed"],
    [
      'bootstrap.sh behind a program that runs it',
      script('retry 5 /etc/eks/bootstrap.sh main'),
      "it mentions the bootstrap in a way that can't be followed",
    ],
    [
      'nodeadm behind a program that runs it',
      script('retry 5 nodeadm init'),
      "it mentions the bootstrap in a way that can't be followed",
    ],
    [
      'kubelet itself',
      script('/usr/bin/kubelet --config /etc/kubelet.json'),
      "what it gives to kubelet isn't followed",
    ],
    ['a start of kubelet', script('systemctl enable --now kubelet'), 'it starts kubelet itself'],
    [
      'cloud-config that runs commands',
      '#cloud-config\npackages: [jq]\nbootcmd:\n  - [a]',
      "the bootcmd of its cloud-config isn't followed",
    ],
    [
      'cloud-config that writes files',
      '#cloud-config\nwrite_files: []',
      "the write_files of its cloud-config isn't followed",
    ],
    ['an include', '#include\nhttps://example.com/a', "what it includes can't be seen"],
    [
      'PowerShell that runs a script',
      '<powershell>\n& C:\\setup.ps1\n</powershell>',
      "it runs other scripts, which aren't followed",
    ],
  ])('is %s', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it.each([
    ['nothing', ''],
    ['a template of a script', '## template: jinja\n#!/bin/bash\necho'],
    ['a shell by way of env', '#!/usr/bin/env bash\necho'],
    ['a package', script('set -euxo pipefail', 'yum install -y jq', '/usr/bin/systemctl enable --now chronyd')],
    ['a comment', script('# bash /opt/join.sh and /etc/eks/bootstrap.sh and nodeadm init')],
    ['a call that can be seen', script('/etc/eks/bootstrap.sh main')],
    ['nodeadm where it can be seen', script('nodeadm init')],
    ['the folder of nodeadm', script('mkdir -p /etc/eks/nodeadm.d', 'echo a > /etc/eks/nodeadm.d/10.yaml')],
    ['what follows the end of the script', script('exit 0', '/opt/join.sh')],
    ['the settings of the system', script('. /etc/os-release', 'source /etc/environment', '. /etc/profile.d/proxy.sh')],
    ['a signal', script('/opt/aws/bin/cfn-signal -e $? --stack a')],
    ['a log file', script('exec > >(tee /var/log/a) 2>&1')],
    ['cloud-config that installs', '#cloud-config\npackages: [jq]\n# runcmd: no'],
    ['a NodeConfig', 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {}'],
    ['settings', '[settings.kubernetes]\nmax-pods = 20'],
    ['PowerShell', '<powershell>\nWrite-Host hello\n# iex\n</powershell>'],
  ])('is not %s', (_, text) => {
    expect(reasonOf(text)).toBeUndefined();
  });

  it('is a program, or a line of cloud-config, that is decided at deployment', () => {
    const unknown = { unknown: new Unknown('parameter Join has no default', nowhere, '${Join}') };
    const at = (text: string) => ({ text, sourceAt: () => nowhere });
    expect(hiddenBootstrap(readUserData(SourceText.compose([at('#!/bin/bash\n'), unknown, at(' main')])))?.reason).toBe(
      "it runs ${Join}, which isn't known",
    );
    expect(hiddenBootstrap(readUserData(SourceText.compose([at('#!/bin/bash\necho '), unknown])))).toBeUndefined();
    expect(hiddenBootstrap(readUserData(SourceText.compose([at('#cloud-config\n'), unknown])))?.reason).toBe(
      "a part of its cloud-config isn't known",
    );
    expect(
      hiddenBootstrap(readUserData(SourceText.compose([at('#cloud-config\nhostname: '), unknown]))),
    ).toBeUndefined();
  });

  it('is looked for in any text', () => {
    const piece = fc.constantFrom(
      '#!/bin/bash\n',
      'f() {\n',
      '}\n',
      'f\n',
      '/etc/eks/bootstrap.sh a\n',
      '# x\n',
      '<powershell>',
      '#cloud-config\n',
      'runcmd:',
      ' && ',
      "'",
      '"',
      '$(',
      '`',
      '<<E\n',
      'E\n',
      '[settings.kubernetes]\n',
      '--//\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), (pieces) => {
        expect(() => reasonOf(pieces.join(''))).not.toThrow();
      }),
      { numRuns: runs(300) },
    );
  });

  it('is looked for in time that grows with the text', () => {
    for (const [start, again] of [
      ['#!/bin/bash\n', 'f() { /etc/eks/bootstrap.sh a; }\n'],
      ['#!/bin/bash\n', 'nodeadm '],
      ['#cloud-config\n', '{ , '],
      ['<powershell>\n', 'iex_ .ps1_ '],
      ['#!/bin/bash\n', 'f  ('],
    ] as const) {
      const elapsed = cpuTime();
      reasonOf(start + again.repeat(Math.ceil(200_000 / again.length)));
      expect(elapsed()).toBeLessThan(3000);
    }
  });
});
