import { gzipSync } from 'node:zlib';
import { nodeUserDataFormat } from '../../../lib/rules/launch-template/node-user-data-format';
import {
  booting,
  clusterBlock,
  CONDITION,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  userData,
} from '../node-bootstrap/user-data-templates';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';

const AL2 = 'AmiType: AL2_x86_64';
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const SCRIPT = '#!/bin/bash\nyum install -y jq';
const MIME = mime(shellPart('yum install -y jq'));
const COMPRESSED = gzipSync(MIME).toString('base64');

function byEks(amiType: string, ...data: readonly string[]): string {
  return resources(CLUSTER.replace('1.33', '1.32'), nodeGroup(amiType, USES_NODES), launchTemplate(...data));
}

/** More conditions than what is read of one text. */
const SEVEN = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const MANY = [
  'Parameters:',
  ...SEVEN.map((name) => `  P${name}: { Type: String }`),
  'Conditions:',
  ...SEVEN.map((name) => `  ${name}: !Equals [!Ref P${name}, x]`),
].join('\n');

testRule(nodeUserDataFormat, {
  valid: [
    { name: 'MIME with a script', template: byEks(AL2023, userData(MIME)) },
    { name: 'MIME with a NodeConfig', template: byEks(AL2023, userData(mime(nodeConfigPart('kubelet: {}')))) },
    {
      name: 'MIME in base64 that the user wrote',
      template: byEks(AL2, `UserData: ${Buffer.from(MIME).toString('base64')}`),
    },
    {
      name: 'MIME with CRLF',
      template: byEks(AL2, `UserData: ${Buffer.from(MIME.replaceAll('\n', '\r\n')).toString('base64')}`),
    },
    {
      name: 'MIME whose boundary is decided at deployment',
      template: template(
        'Parameters:\n  Boundary: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(MIME.replaceAll('//', '${Boundary}')),
      ),
    },
    {
      name: 'MIME with a part that is decided at deployment',
      template: template(
        'Parameters:\n  Text: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(shellPart('${Text}'))),
      ),
    },
    {
      name: 'a plain script under the condition that brings an AMI',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          'UserData:',
          '  Fn::If:',
          '    - IsProduction',
          '    - Fn::Base64: "#!/bin/bash\\n/etc/eks/bootstrap.sh main"',
          `    - ${Buffer.from(MIME).toString('base64')}`,
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'a plain script on AL2023',
      template: byEks(AL2023, userData(SCRIPT)),
      findings: [
        {
          message: 'notMime',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers"',
            'a plain script',
            'User data was not in the MIME multipart format.',
          ],
        },
      ],
      fixed: byEks(AL2023, userData(MIME)),
    },
    {
      name: 'a plain script that bootstraps is refused all the same',
      template: byEks(AL2, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
      findings: [{ message: 'notMime', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'bootstrap.sh in a plain script on AL2023 is refused before it could fail',
      template: byEks(AL2023, userData('#!/bin/bash\n/etc/eks/bootstrap.sh main')),
      findings: [{ message: 'notMime', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'a plain cloud-config',
      template: byEks(AL2, userData('#cloud-config\npackages: [jq]')),
      findings: [{ message: 'notMime', severity: 'error', resource: 'Nodes', at: 'UserData:', says: ['cloud-config'] }],
    },
    {
      name: 'a script without #!',
      template: byEks(AL2, userData('yum install -y jq')),
      findings: [{ message: 'notMime', severity: 'error', resource: 'Nodes', at: 'UserData:', says: ['plain text'] }],
    },
    {
      name: 'a bare NodeConfig, of which nobody says what EKS makes of it',
      template: byEks(AL2023, userData(nodeConfig('kubelet: {}'))),
      findings: [
        {
          message: 'nodeConfig',
          severity: 'warning',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:'],
          says: ['bare NodeConfig'],
        },
      ],
      fixed: byEks(AL2023, userData(mime(nodeConfigPart('kubelet: {}')))),
    },
    {
      name: 'compressed MIME',
      template: byEks(AL2023, `UserData: ${COMPRESSED}`),
      findings: [
        {
          message: 'gzip',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:'],
          says: ['compressed'],
        },
      ],
      fixed: byEks(AL2023, `UserData: ${Buffer.from(MIME).toString('base64')}`),
    },
    {
      name: 'a group without AMI type gets AL2023',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting(SCRIPT)),
      findings: [{ message: 'notMime', severity: 'error', resource: 'Nodes', at: 'UserData:' }],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        booting(SCRIPT),
      ),
      findings: [
        {
          message: 'notMime',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
    {
      name: 'a plain script where a condition leaves the AMI to EKS',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(
          '#!/bin/bash\n/etc/eks/bootstrap.sh main',
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
        ),
      ),
      findings: [
        {
          message: 'notMime',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData:',
          says: ['condition IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'user data that is not known',
      template: template(
        'Parameters:\n  Data: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate('UserData: !Ref Data'),
      ),
      resources: ['Nodes'],
      because: 'Data',
    },
    {
      name: 'user data that begins with something unknown',
      template: template(
        'Parameters:\n  Text: { Type: String }',
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting('${Text}'),
      ),
      resources: ['Nodes'],
      because: 'Text',
    },
    {
      name: 'a text of more conditions than can be looked at',
      template: template(
        MANY,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          'UserData:',
          `  Fn::Base64: !Join ["\\n", ['#!/bin/bash', ${SEVEN.map((name) => `!If [${name}, 'echo ${name}', 'echo']`).join(', ')}]]`,
        ),
      ),
      resources: ['Nodes'],
      because: 'too many conditions',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'a plain script with an AMI of its own',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting('#!/bin/bash\n/etc/eks/bootstrap.sh main', OWN_AMI)),
    },
    {
      name: 'a bare NodeConfig with an AMI of its own',
      template: resources(CLUSTER, nodeGroup(USES_NODES), booting(nodeConfig(clusterBlock()), OWN_AMI)),
    },
    {
      name: 'a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting('#!/bin/bash\n/etc/eks/bootstrap.sh main', OWN_AMI)),
    },
    {
      name: 'Bottlerocket takes TOML',
      template: byEks('AmiType: BOTTLEROCKET_x86_64', userData('[settings.kubernetes]\nmax-pods = 20')),
    },
    {
      name: 'TOML on AL2023 is told by another rule',
      template: byEks(AL2023, userData('[settings.kubernetes]\nmax-pods = 20')),
    },
    {
      name: 'MIME on Bottlerocket is told by another rule',
      template: byEks('AmiType: BOTTLEROCKET_x86_64', userData(MIME)),
    },
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup(AL2023)) },
  ],
});
