import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { nodeRolePolicies } from '../../../lib/rules/iam/node-role-policies';
import { podIdentityAgent } from '../../../lib/rules/iam/pod-identity-agent';
import { read } from './reading';

/* What isn't looked into and is given a role or a cluster may do what nothing else of the template does. */

const INPUT = `Resources:
  Nodes: {Type: AWS::IAM::Role, Properties: {RoleName: nodes, AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Action: sts:AssumeRole, Principal: {Service: ec2.amazonaws.com}}]}}}
  Cluster: {Type: AWS::EKS::Cluster, Properties: {Name: blue, RoleArn: arn:aws:iam::111122223333:role/c, ResourcesVpcConfig: {SubnetIds: [subnet-1, subnet-2]}}}
  Group: {Type: AWS::EKS::Nodegroup, Properties: {ClusterName: !Ref Cluster, NodeRole: !GetAtt Nodes.Arn, Subnets: [subnet-1]}}
  Web: {Type: AWS::EKS::PodIdentityAssociation, Properties: {ClusterName: !Ref Cluster, Namespace: web, ServiceAccount: web, RoleArn: arn:aws:iam::111122223333:role/w}}
`;

const RULES = { role: nodeRolePolicies, agent: podIdentityAgent } as const;

/** Messages of what isn't known, or `fail`. */
function judged(more: string, rule: keyof typeof RULES): string {
  const { resources } = read(INPUT + more);
  const found = runRules(new EksModel(resources), [RULES[rule]]);
  return found.some(({ verdict }) => verdict === 'fail') ? 'fail' : found.map(({ message }) => message).join();
}

const stack = (parameters: string) =>
  `  Other: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: 'https://example.com/other.yaml', Parameters: {${parameters}}}}\n`;
const custom = (properties: string) =>
  `  Other: {Type: 'Custom::Helper', Properties: {ServiceToken: 'arn:aws:lambda:eu-west-1:111122223333:function:f', ${properties}}}\n`;

it.each<[string, string, keyof typeof RULES]>([
  ['nested stack Other', stack('Role: !Ref Nodes'), 'role'],
  ['nested stack Other', stack('RoleArn: !GetAtt Nodes.Arn'), 'role'],
  ['nested stack Other', stack('RoleName: nodes'), 'role'],
  ['Other (Custom::Helper)', custom('Of: [!Sub "${Nodes}"]'), 'role'],
  ['a macro of the template', 'Transform: [Mine]\n', 'role'],
  ['nested stack Other', stack('Name: !Ref Cluster'), 'agent'],
  ['nested stack Other', stack('ClusterName: blue'), 'agent'],
  ['Other (Custom::Helper)', custom('Of: !GetAtt Cluster.Endpoint'), 'agent'],
])('%s: %s', (who, more, rule) => {
  expect(judged(more, rule)).toContain(who);
});

it.each<[string, keyof typeof RULES]>([
  ['', 'role'],
  ['', 'agent'],
  [stack('Name: blue, Size: 3'), 'role'],
  [stack('Role: !Ref Nodes'), 'agent'],
  [stack('Name: !Ref Cluster'), 'role'],
  [custom('Name: other'), 'agent'],
  [`${stack('RoleName: other')}Transform: AWS::Serverless-2016-10-31\n`, 'role'],
  ['  Job: {Type: AWS::Lambda::Function, Properties: {Role: !GetAtt Nodes.Arn}}\n', 'role'],
])('nothing that is given it: %s', (more, rule) => {
  expect(judged(more, rule)).toBe('fail');
});
