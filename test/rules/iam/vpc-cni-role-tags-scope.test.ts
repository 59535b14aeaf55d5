import { vpcCniRoleTagsScope } from '../../../lib/rules/iam/vpc-cni-role-tags-scope';
import { helmChart } from '../node-templates';
import { testRule } from '../rule-tester';
import { CNI, cniTemplate, ECR, inline, IPV4_ACTIONS, SUBNETS, TAGS, WORKER } from './cni-templates';

const CALLS = inline(IPV4_ACTIONS);
const ANY_TAGS = inline(['ec2:CreateTags']);
const TAGS_IN_AWS = inline(['ec2:CreateTags'], 'arn:aws:ec2:*:*:network-interface/*');
const TAGS_IN_GOV = inline(['ec2:CreateTags'], 'arn:aws-us-gov:ec2:*:*:network-interface/*');

const role = (...cniRole: readonly string[]) => cniTemplate({ identity: 'irsa', cniRole });
/** Subnets of a zone tell the partition of a stack. */
const inGov = (template: string) =>
  `${template.replaceAll('arn:aws:iam', 'arn:aws-us-gov:iam')}  Subnet:\n    Type: AWS::EC2::Subnet\n    Properties: { VpcId: vpc-1, CidrBlock: 10.0.0.0/24, AvailabilityZone: us-gov-west-1a }\n`;

const cilium = (values: object) => helmChart('Cilium', 'cilium', values).replaceAll(/^(?=.)/gm, '  ');
/** Nodes whose role sets tags for what gives pods their addresses, which no add-on does. */
const nodesWith = (chart: string) =>
  `${cniTemplate({ nodeRole: [WORKER, ECR, inline([...IPV4_ACTIONS, 'ec2:CreateTags']), SUBNETS], version: null }).trimEnd()}\n${chart}`;

testRule(vpcCniRoleTagsScope, {
  valid: [
    { name: 'the partition of the stack', template: role(CALLS, SUBNETS, TAGS) },
    { name: 'the managed policy', template: role(CNI) },
    {
      name: 'the managed policy, and a hand-written ARN of the commercial partition where the region is not known',
      template: role(CALLS, SUBNETS, TAGS_IN_AWS),
    },
    {
      name: 'tags on everything under a condition',
      template: role(CALLS, SUBNETS, ANY_TAGS).replace(
        "Action: [ec2:CreateTags]\n                Resource: '*'",
        "Action: [ec2:CreateTags]\n                Resource: '*'\n                Condition: { StringEquals: { 'ec2:ResourceTag/cluster.k8s.amazonaws.com/name': main } }",
      ),
    },
    {
      name: 'nodes that set tags for other reasons',
      template: cniTemplate({ nodeRole: [WORKER, ECR, CNI, CALLS, TAGS, ANY_TAGS] }),
    },
  ],
  invalid: [
    {
      name: 'tags on everything are a warning',
      template: role(CALLS, SUBNETS, ANY_TAGS),
      fixed: role(CALLS, SUBNETS, TAGS),
      findings: [
        {
          message: 'wide',
          severity: 'warning',
          resource: 'CniRole',
          at: 'Effect: Allow\n                Action: [ec2:CreateTags]',
          says: ['VPC CNI role CniRole', 'P2'],
        },
      ],
    },
    {
      name: 'one statement for all calls',
      template: role(inline([...IPV4_ACTIONS, 'ec2:CreateTags']), SUBNETS),
      fixed: role(CALLS, SUBNETS, TAGS),
      findings: [
        {
          message: 'mixed',
          severity: 'warning',
          resource: 'CniRole',
          at: 'Effect: Allow\n                Action: [ec2:Assign',
        },
      ],
    },
    {
      name: 'the same on the role of nodes',
      template: cniTemplate({ nodeRole: [WORKER, ECR, inline([...IPV4_ACTIONS, 'ec2:CreateTags']), SUBNETS] }),
      findings: [
        {
          message: 'mixed',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'Effect: Allow\n                Action: [ec2:Assign',
          says: ['Node role NodeRole'],
        },
      ],
    },
    {
      name: 'the same beside Cilium that is chained to the VPC CNI, which makes the interfaces',
      template: nodesWith(cilium({ cni: { chainingMode: 'aws-cni' } })),
      findings: [
        {
          message: 'mixed',
          severity: 'warning',
          resource: 'NodeRole',
          at: 'Effect: Allow\n                Action: [ec2:Assign',
        },
      ],
    },
    {
      name: 'an ARN of the commercial partition in GovCloud fails',
      template: inGov(role(CALLS, SUBNETS, TAGS_IN_AWS)),
      fixed: inGov(role(CALLS, SUBNETS, TAGS_IN_GOV)),
      findings: [
        {
          message: 'partition',
          severity: 'error',
          resource: 'CniRole',
          at: 'Effect: Allow\n                Action: [ec2:CreateTags]',
          says: ['aws-us-gov', 'arn:aws:ec2'],
        },
      ],
    },
  ],
  unverifiable: [],
  notApplicable: [
    {
      name: 'Cilium with its own ENI mode, whose calls are others, in the place of aws-node',
      template: nodesWith(cilium({ eni: { enabled: true }, ipam: { mode: 'eni' } })),
    },
    { name: 'a role outside of the input', template: cniTemplate({ identity: 'imported' }) },
    { name: 'a role that may not set tags at all, which is another rule', template: role(CALLS, SUBNETS) },
  ],
});
