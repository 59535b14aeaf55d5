import { awsAuthRoles } from '../../../lib/rules/iam/aws-auth-roles';
import { cluster, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const CONFIG_MAP = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: CONFIG_MAP }');
const BOTH = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API_AND_CONFIG_MAP }');
const API = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API }');

function awsAuth(mapRoles: string, name = 'aws-auth'): string {
  return manifest('Mapping', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system' },
    data: { mapRoles },
  });
}

function entry(arn: string, ...groups: readonly string[]): string {
  return JSON.stringify([{ rolearn: arn, username: 'somebody', groups }]);
}

const NODES = 'arn:aws:iam::111122223333:role/nodes';
const IN_TEAM = 'arn:aws:iam::111122223333:role/team/shop/nodes';
const FINDING = { resource: 'Mapping', at: 'Mapping' } as const;

testRule(awsAuthRoles, {
  valid: [
    { name: 'a role without a path', template: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))) },
    { name: 'nothing, as quotes', template: resources(CONFIG_MAP, awsAuth('""')) },
    {
      name: 'a list in YAML with a placeholder of the authenticator',
      template: resources(
        CONFIG_MAP,
        awsAuth(`- rolearn: ${NODES}\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:nodes]\n`),
      ),
    },
  ],
  invalid: [
    {
      name: 'the role of nodes with a path',
      template: resources(CONFIG_MAP, awsAuth(entry(IN_TEAM, 'system:nodes'))),
      findings: [
        {
          ...FINDING,
          message: 'path',
          severity: 'error',
          says: [IN_TEAM, 'the nodes with it never join'],
          advises: `without the path: \`${NODES}\``,
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a role with a path where access entries may let it in',
      template: resources(BOTH, awsAuth(entry(IN_TEAM, 'admins'))),
      findings: [
        {
          ...FINDING,
          message: 'path',
          severity: 'warning',
          says: ['who has it gets no access', 'An access entry for the role'],
        },
      ],
      fixed: resources(BOTH, awsAuth(entry(NODES, 'admins'))),
    },
    {
      name: 'no YAML',
      template: resources(CONFIG_MAP, awsAuth('- rolearn: a\n username: [b\n')),
      findings: [
        { ...FINDING, message: 'malformed', severity: 'error', says: ["isn't YAML"], advises: 'a list of maps' },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES))),
    },
    {
      name: 'no list',
      template: resources(CONFIG_MAP, awsAuth(`rolearn: ${NODES}`)),
      findings: [{ ...FINDING, message: 'malformed', severity: 'error', says: ['is no list'] }],
    },
  ],
  unverifiable: [],
  notApplicable: [
    { name: 'a cluster', template: resources(CONFIG_MAP) },
    { name: 'a cluster that goes by access entries', template: resources(API, awsAuth(entry(IN_TEAM))) },
    { name: 'another ConfigMap', template: resources(CONFIG_MAP, awsAuth('x', 'aws-auth-example')) },
  ],
});
