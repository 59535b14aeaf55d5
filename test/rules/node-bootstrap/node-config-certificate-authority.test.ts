import { nodeConfigCertificateAuthority } from '../../../lib/rules/node-bootstrap/node-config-certificate-authority';
import { CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  booting,
  CERTIFICATE,
  clusterBlock,
  mime,
  nodeConfig,
  nodeConfigPart,
  OWN_AMI,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from './user-data-templates';

function ca(text: string): string {
  return clusterBlock({ ca: `certificateAuthority: ${text}` });
}

const PEM = '|\n    -----BEGIN CERTIFICATE-----\n    MIIBfake\n    -----END CERTIFICATE-----';
const PLACEHOLDER = Buffer.from('certificate').toString('base64');
const FIXED = withOwnAmi(mime(nodeConfigPart(ca('${Cluster.CertificateAuthorityData}'))));

testRule(nodeConfigCertificateAuthority, {
  valid: [
    { name: 'the attribute of the cluster', template: FIXED },
    { name: 'base64 of a certificate', template: withOwnAmi(mime(nodeConfigPart(clusterBlock()))) },
    {
      name: 'base64 that is broken into lines',
      template: withOwnAmi(
        mime(nodeConfigPart(ca(`|\n    ${CERTIFICATE.slice(0, 40)}\n    ${CERTIFICATE.slice(40)}`))),
      ),
    },
    { name: 'base64 in quotation marks', template: withOwnAmi(mime(nodeConfigPart(ca(`"${CERTIFICATE}"`)))) },
    {
      name: 'a parameter',
      template: template(
        'Parameters:\n  Ca: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(nodeConfig(ca('${Ca}')), OWN_AMI),
      ),
    },
    {
      name: 'an empty value besides the right one in another part',
      template: withOwnAmi(mime(nodeConfigPart(ca("''")), nodeConfigPart(clusterBlock()))),
    },
    {
      name: 'a placeholder that a later part overrides',
      template: withOwnAmi(mime(nodeConfigPart(ca(PLACEHOLDER)), nodeConfigPart(clusterBlock()))),
    },
    { name: 'a placeholder that EKS overrides', template: withEksAmi(mime(nodeConfigPart(ca(PLACEHOLDER)))) },
    { name: 'an empty value that EKS overrides', template: withEksAmi(mime(nodeConfigPart(ca("''")))) },
  ],
  invalid: [
    {
      name: 'a doubled padding',
      template: withOwnAmi(mime(nodeConfigPart(ca('Y2VydA===')))),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers"',
            'on line 13 of the user data is no valid base64 (nodeadm: "illegal base64 data"). nodeadm',
            'without any configuration',
          ],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'one equals sign too many behind real base64',
      template: withOwnAmi(mime(nodeConfigPart(ca(`${CERTIFICATE}=`)))),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'certificateAuthority:' }],
    },
    {
      name: 'PEM text as it is',
      template: withOwnAmi(mime(nodeConfigPart(ca(PEM)))),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['is PEM text'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'an empty value, which passes the validation of nodeadm',
      template: withOwnAmi(mime(nodeConfigPart(ca("''")))),
      findings: [
        {
          message: 'useless',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          related: ['LaunchTemplate:'],
          says: ['is empty', "can't verify the API server"],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'base64 of base64',
      template: withOwnAmi(mime(nodeConfigPart(ca(Buffer.from(CERTIFICATE).toString('base64'))))),
      findings: [
        {
          message: 'useless',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['base64 of base64'],
        },
      ],
    },
    {
      name: 'a variable that nobody fills in, because the text is no Fn::Sub',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          OWN_AMI,
          'UserData:',
          '  Fn::Base64: |',
          ...nodeConfig(ca('${Cluster.CertificateAuthorityData}'))
            .split('\n')
            .map((line) => `    ${line}`),
        ),
      ),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['nobody filled in'],
        },
      ],
    },
    {
      name: 'a number',
      template: withOwnAmi(mime(nodeConfigPart(ca('5')))),
      findings: [
        {
          message: 'undecodable',
          severity: 'error',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['the number 5'],
        },
      ],
    },
    {
      name: "base64 that fills a certificate's place, and holds none, is a warning",
      template: withOwnAmi(
        mime(
          nodeConfigPart(
            ca(Buffer.from('not a certificate of any cluster, and too long for a mere placeholder').toString('base64')),
          ),
        ),
      ),
      findings: [
        {
          message: 'placeholder',
          severity: 'warning',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          related: ['LaunchTemplate:'],
          says: ['holds no certificate'],
        },
      ],
    },
    ...['base64-encoded-ca', 'LS0tLS1CRUdJTi...'].map((value) => ({
      name: `${value} of a fixture is information`,
      template: withOwnAmi(mime(nodeConfigPart(ca(`"${value}"`)))),
      findings: [
        {
          message: 'placeholder',
          severity: 'info' as const,
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['is a placeholder'],
        },
      ],
    })),
    {
      name: 'a placeholder of documentation is information',
      template: withOwnAmi(mime(nodeConfigPart(ca(PLACEHOLDER)))),
      findings: [
        {
          message: 'placeholder',
          severity: 'info',
          resource: 'Nodes',
          at: 'certificateAuthority:',
          says: ['holds no certificate'],
        },
      ],
      fixed: FIXED,
    },
    {
      name: 'text that is no base64, of a self-managed group',
      template: resources(CLUSTER, SELF_MANAGED, booting(nodeConfig(ca('<certificate>')), OWN_AMI)),
      findings: [
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'certificateAuthority:', says: ['line 7'] },
      ],
    },
    {
      name: 'text that is no base64 costs what EKS adds, too',
      template: withEksAmi(mime(nodeConfigPart(ca('Y2VydA===')))),
      findings: [{ message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'certificateAuthority:' }],
    },
    {
      name: 'text that is no base64 is fatal even if a later part has the right one',
      template: withOwnAmi(mime(nodeConfigPart(ca('Y2VydA===')), nodeConfigPart(clusterBlock()))),
      findings: [
        { message: 'undecodable', severity: 'error', resource: 'Nodes', at: 'certificateAuthority: Y2VydA===' },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'no certificate authority at all',
      template: withEksAmi(mime(nodeConfigPart('kubelet:\n  config: { maxPods: 50 }'))),
    },
    { name: 'a script', template: withEksAmi(mime(shellPart('echo'))) },
    {
      name: 'AL2',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(mime(shellPart('echo ready'))),
      ),
    },
  ],
});
