import { UserData } from 'aws-cdk-lib/aws-ec2';
import { userDataShebang } from '../../../lib/rules/node-bootstrap/user-data-shebang';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule, type ExpectedFinding } from '../rule-tester';
import {
  booting,
  clusterBlock,
  CONDITION,
  IMAGES,
  mime,
  nodeConfigPart,
  part,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

const OLD_CLUSTER = CLUSTER.replace('1.33', '1.32');
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const PARAMETER = 'Parameters:\n  Value: { Type: String }';
const SHELL = 'text/x-shellscript; charset="us-ascii"';
const BOOTSTRAP = '/etc/eks/bootstrap.sh main';
const NEVER_JOIN = 'so the nodes never join the cluster.';
const NOTHING = 'so nothing of it happens.';
const EXEC_FORMAT = 'fails with "Exec format error. Missing #! in script?"';
const JOINING = nodeConfigPart(clusterBlock());

/** A managed group of AL2 whose user data has to bring the bootstrap. */
function al2(text: string): string {
  return resources(OLD_CLUSTER, nodeGroup(USES_NODES), booting(text, IMAGES.AL2));
}

/** The same with a text in which blanks and odd characters show as in JSON. */
function exactly(text: string): string {
  return resources(
    OLD_CLUSTER,
    nodeGroup(USES_NODES),
    launchTemplate(IMAGES.AL2, `UserData: { 'Fn::Base64': ${JSON.stringify(text)} }`),
  );
}

function finding(
  message: 'fails' | 'ignored',
  at: string,
  severity: ExpectedFinding['severity'],
  ...says: readonly string[]
): ExpectedFinding {
  return { message, severity, resource: 'Nodes', at, says };
}

function cdk(): string {
  const script = UserData.forLinux();
  script.addCommands(BOOTSTRAP);
  return script.render();
}

testRule(userDataShebang, {
  valid: [
    { name: '#!/bin/bash', template: al2(`#!/bin/bash\n${BOOTSTRAP}`) },
    { name: '#!/usr/bin/env bash', template: al2(`#!/usr/bin/env bash\n${BOOTSTRAP}`) },
    { name: 'a blank behind #!', template: al2(`#! /bin/sh\n${BOOTSTRAP}`) },
    { name: 'a script for Python', template: withEksAmi(mime(part(SHELL, '#!/usr/bin/python3\nprint(1)'))) },
    { name: 'what CDK writes', template: exactly(cdk()) },
    { name: 'a part of a MIME document', template: al2(mime(shellPart(BOOTSTRAP))) },
    { name: 'a part without media type', template: al2(mime(`\n#!/bin/bash\n${BOOTSTRAP}`)) },
    {
      name: 'a part in base64',
      template: al2(
        mime(
          `Content-Transfer-Encoding: base64\n${part(SHELL, Buffer.from(`#!/bin/bash\n${BOOTSTRAP}\n`).toString('base64'))}`,
        ),
      ),
    },
    {
      name: 'the whole in base64',
      template: resources(
        OLD_CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMAGES.AL2, `UserData: ${Buffer.from(`#!/bin/bash\n${BOOTSTRAP}\n`).toString('base64')}`),
      ),
    },
    { name: 'CRLF, which cloud-init takes away', template: exactly(`#!/bin/bash\r\n${BOOTSTRAP}\r\n`) },
    {
      name: 'a script that is not known from its second line on',
      template: template(PARAMETER, CLUSTER, nodeGroup(AL2023, USES_NODES), booting(mime(shellPart('${Value}')))),
    },
    {
      name: 'a boothook besides',
      template: withEksAmi(
        mime(part('text/cloud-boothook', '#cloud-boothook\n#!/bin/bash\necho early'), shellPart('echo late')),
      ),
    },
    {
      name: 'a cloud-config under the media type of a script, which cloud-init recognises',
      template: withEksAmi(mime(part(SHELL, '#cloud-config\npackages: [jq]'), shellPart('echo late'))),
    },
    {
      name: 'a template besides, whose first line cloud-init takes away',
      template: withEksAmi(
        mime(part(SHELL, '## template: jinja\n#!/bin/bash\necho {{ v1.region }}'), shellPart('echo late')),
      ),
    },
    {
      name: 'plain text besides, which nobody takes for a script',
      template: withEksAmi(mime(part('text/plain', 'These are the nodes of team web.'), shellPart('echo late'))),
    },
  ],
  invalid: [
    {
      name: 'a script that bootstraps, without #!',
      template: al2(`set -ex\n${BOOTSTRAP}`),
      findings: [
        finding(
          'ignored',
          'set -ex',
          'error',
          'Launch template "Nodes" of node group "Workers": the shell script on line 1',
          'begins with "set -ex" instead of `#!`',
          'passes over it',
          NEVER_JOIN,
        ),
      ],
      fixed: al2(`#!/bin/bash\nset -ex\n${BOOTSTRAP}`),
    },
    {
      name: 'a blank line before #!',
      template: exactly(`\n#!/bin/bash\n${BOOTSTRAP}\n`),
      findings: [finding('fails', '\\n#!/bin', 'error', 'line 1', 'a blank line', EXEC_FORMAT, NEVER_JOIN)],
      fixed: exactly(`#!/bin/bash\n${BOOTSTRAP}\n`),
    },
    {
      name: 'the indentation of a template literal',
      template: exactly(`\n    #!/bin/bash\n    ${BOOTSTRAP}\n`),
      findings: [finding('fails', '\\n    #!', 'error', 'a blank line', NEVER_JOIN)],
    },
    {
      name: 'a blank before #!',
      template: exactly(` #!/bin/bash\n${BOOTSTRAP}\n`),
      findings: [finding('fails', ' #!/bin', 'error', 'begins with blanks', EXEC_FORMAT)],
    },
    {
      name: 'a byte order mark before #!',
      template: exactly(`\uFEFF#!/bin/bash\n${BOOTSTRAP}\n`),
      findings: [finding('ignored', '\uFEFF#!', 'error', 'a byte order mark', 'passes over it', NEVER_JOIN)],
    },
    {
      name: 'a byte order mark in what is declared as a script',
      template: exactly(mime(part(SHELL, `\uFEFF#!/bin/bash\n${BOOTSTRAP}`))),
      findings: [finding('fails', '\uFEFF#!', 'error', 'a byte order mark', EXEC_FORMAT, NEVER_JOIN)],
    },
    {
      name: 'a MIME part that bootstraps, without #!',
      template: al2(mime(part(SHELL, `set -ex\n${BOOTSTRAP}`))),
      findings: [finding('fails', 'set -ex', 'error', 'the shell script on line 7', EXEC_FORMAT, NEVER_JOIN)],
      fixed: al2(mime(shellPart('set -ex', BOOTSTRAP))),
    },
    {
      name: 'a MIME part with a blank line too many',
      template: exactly(mime(part(SHELL, `\n#!/bin/bash\n${BOOTSTRAP}`))),
      findings: [finding('fails', '\\n#!/bin', 'error', 'line 7', 'a blank line', EXEC_FORMAT, NEVER_JOIN)],
    },
    {
      name: 'text/plain that bootstraps, without #!',
      template: al2(mime(part('text/plain', BOOTSTRAP))),
      findings: [
        finding(
          'ignored',
          BOOTSTRAP,
          'error',
          `begins with "${BOOTSTRAP}"`,
          'Nothing else says that it is one',
          NEVER_JOIN,
        ),
      ],
    },
    {
      name: 'a part in base64 that holds no #!',
      template: al2(
        mime(`Content-Transfer-Encoding: base64\n${part(SHELL, Buffer.from(`${BOOTSTRAP}\n`).toString('base64'))}`),
      ),
      findings: [
        finding('fails', Buffer.from(BOOTSTRAP).toString('base64').slice(0, 12), 'error', 'line 8', NEVER_JOIN),
      ],
    },
    {
      name: 'a part besides the bootstrap of EKS',
      template: withEksAmi(mime(part(SHELL, 'yum install -y jq'))),
      findings: [finding('fails', 'yum', 'warning', 'begins with "yum install -y jq"', NOTHING)],
      fixed: withEksAmi(mime(shellPart('yum install -y jq'))),
    },
    {
      name: 'a part besides a NodeConfig',
      template: withOwnAmi(mime(JOINING, part(SHELL, 'a=0123456789 b=0123456789 c=0123456789 d=0123456789'))),
      findings: [finding('fails', 'a=0', 'warning', '"a=0123456789 b=0123456789 c=0123456789 d…"', NOTHING)],
    },
    {
      name: 'a part for which a second one bootstraps',
      template: al2(mime(part(SHELL, 'yum install -y jq'), shellPart(BOOTSTRAP))),
      findings: [finding('fails', 'yum', 'warning', NOTHING)],
    },
    {
      name: 'a self-managed group',
      template: resources(OLD_CLUSTER, SELF_MANAGED, booting(BOOTSTRAP, IMAGES.AL2)),
      findings: [finding('ignored', BOOTSTRAP, 'error', 'node group "Workers"', NEVER_JOIN)],
      fixed: resources(OLD_CLUSTER, SELF_MANAGED, booting(`#!/bin/bash\n${BOOTSTRAP}`, IMAGES.AL2)),
    },
    {
      name: 'an AMI that only the user data tells of',
      template: withOwnAmi(`set -ex\n${BOOTSTRAP}`),
      findings: [finding('ignored', 'set -ex', 'error', NEVER_JOIN)],
    },
    {
      name: 'one branch of a condition has no #!',
      template: template(
        CONDITION,
        OLD_CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          IMAGES.AL2,
          'UserData: !If',
          '  - IsProduction',
          `  - 'Fn::Base64': "${BOOTSTRAP}"`,
          `  - 'Fn::Base64': "#!/bin/bash\\n${BOOTSTRAP}"`,
        ),
      ),
      findings: [finding('ignored', BOOTSTRAP, 'error', 'condition IsProduction is true')],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        booting(mime(part(SHELL, 'echo hello'))),
      ),
      findings: [finding('fails', 'echo hello', 'warning', 'node groups "Blue" and "Green"')],
    },
  ],
  unverifiable: [
    {
      name: 'a script that is decided at deployment',
      template: template(PARAMETER, CLUSTER, nodeGroup(AL2023, USES_NODES), booting(mime(part(SHELL, '${Value}')))),
      resources: ['Nodes'],
      because: 'Value',
    },
    {
      name: 'a first line that is decided at deployment',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(part(SHELL, '${Value}\necho hello'))),
      ),
      resources: ['Nodes'],
      because: 'begins with #!',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a NodeConfig alone', template: withOwnAmi(mime(JOINING)) },
    {
      name: 'a cloud-config alone',
      template: withEksAmi(mime(part('text/cloud-config', '#cloud-config\npackages: [jq]'))),
    },
    { name: 'a boothook alone', template: withEksAmi(mime(part('text/cloud-boothook', 'echo early'))) },
    { name: 'a plain text that does nothing', template: al2('These are the nodes of team web.') },
    { name: 'a plain script that EKS refuses, of which another rule tells', template: withEksAmi('yum install -y jq') },
    {
      name: 'a script that the MIME structure keeps from being read, of which another rule tells',
      template: al2(mime(part(SHELL, BOOTSTRAP)).replace('"//"', '"EKS"')),
    },
    {
      name: 'a script of another media type, of which another rule tells',
      template: al2(mime(part('text/x-sh', `\t#!/bin/bash\n${BOOTSTRAP}`))),
    },
    {
      name: 'a boundary that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(part(SHELL, 'echo hello')).replaceAll('//', '${Value}')),
      ),
    },
    {
      name: 'user data that is not base64, of which another rule tells',
      template: resources(OLD_CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES.AL2, `UserData: ${BOOTSTRAP}`)),
    },
    {
      name: 'PowerShell',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting('<powershell>\nWrite-Host hello\n</powershell>', IMAGES.WINDOWS),
      ),
    },
    {
      name: 'settings of Bottlerocket',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        booting('[settings.kubernetes]\nmax-pods = 20', IMAGES.BOTTLEROCKET),
      ),
    },
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup(AL2023)) },
  ],
});
