import { vpcCniRoleMissing } from '../../../lib/rules/iam/vpc-cni-role-missing';
import { testRule } from '../rule-tester';
import { CNI, cniTemplate, ECR, inline, OLD_IPV6, perFamily, secondRole, TAGS, WORKER } from './cni-templates';

const CILIUM = [
  '  Network:',
  '    Type: Custom::AWSCDK-EKS-HelmChart',
  '    Properties: { ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl, ClusterName: !Ref Cluster, Chart: cilium, Release: cilium }',
  '',
].join('\n');

/** The add-on waits for the nodes. */
const late = (template: string) => template.replace('  Cni:\n    Type: AWS::EKS::Addon\n', '$&    DependsOn: Nodes\n');
const OWN = cniTemplate({ identity: 'irsa', cniRole: [CNI] });

testRule(vpcCniRoleMissing, {
  valid: [
    {
      name: 'an add-on with a role after nodes that may do without',
      template: late(cniTemplate({ identity: 'irsa', cniRole: [CNI], nodeRole: [WORKER, ECR, CNI] })),
    },
    {
      name: 'an add-on with a role after a group that starts no nodes',
      template: late(OWN).replace(
        'Subnets: [subnet-1]',
        'Subnets: [subnet-1]\n      ScalingConfig: { MinSize: 0, DesiredSize: 0, MaxSize: 3 }',
      ),
    },
    { name: 'another CNI beside an add-on with a role after the nodes', template: late(OWN) + CILIUM },
    {
      name: 'without the add-ons of EKS the order is for cluster-network-addons to tell',
      template: late(OWN).replace("Version: '1.33'", "Version: '1.33'\n      BootstrapSelfManagedAddons: false"),
    },
    {
      name: 'the node role may have the permissions, whatever role trusts aws-node',
      template: cniTemplate({ nodeRole: [WORKER, ECR, CNI] }) + secondRole('Trusting', [CNI]),
    },
    {
      name: 'an add-on per condition, each with a role, passes',
      template: perFamily({ identity: 'irsa', cniRole: [CNI] }, (addon) => addon),
    },
    {
      name: 'a Pod Identity role is enough, whatever the node role lacks',
      template: cniTemplate({ identity: 'pod-identity', cniRole: [CNI] }),
    },
    { name: 'so is a role that the input does not hold', template: cniTemplate({ identity: 'imported' }) },
    { name: 'so is a separate association', template: cniTemplate({ identity: 'association', cniRole: [CNI] }) },
    { name: 'so is a service account role', template: cniTemplate({ identity: 'irsa', cniRole: [CNI] }) },
    { name: 'the node role may have the permissions', template: cniTemplate({ nodeRole: [WORKER, ECR, CNI] }) },
    {
      name: 'permissions of the wrong family are not missing, but wrong',
      template: cniTemplate({ nodeRole: [WORKER, ECR, OLD_IPV6, TAGS] }),
    },
    {
      name: 'Windows nodes need none',
      template:
        cniTemplate({ nodeRole: [WORKER, CNI] }) +
        cniTemplate({ cluster: '!Ref Cluster', version: null })
          .replace('Resources:\n', '')
          .replaceAll('NodeRole', 'WindowsRole')
          .replace('WindowsRole: !GetAtt', 'AmiType: WINDOWS_CORE_2022_x86_64\n      NodeRole: !GetAtt')
          .replace('  Nodes:', '  WindowsNodes:'),
    },
  ],
  invalid: [
    {
      name: 'the role of an add-on after the nodes that need it is a warning',
      template: late(OWN),
      fixed: OWN,
      findings: [
        {
          message: 'late',
          severity: 'warning',
          resource: 'Cni',
          at: 'Cni:',
          related: ['Nodes:', 'NodeRole:'],
          says: ['created only after Nodes', 'NodeRole', 'before the add-on has its turn'],
          advises: 'DependsOn',
        },
      ],
    },
    {
      name: 'of two add-ons under conditions the one without role fails and is named',
      template: perFamily({ identity: 'irsa', cniRole: [CNI] }, (addon) =>
        addon.replace(/ {6}ServiceAccountRoleArn: .*\n/, ''),
      ),
      findings: [
        {
          message: 'missing',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['NodeRole: !GetAtt NodeRole.Arn', 'CniSix:'],
          says: ['CniSix', 'V6 is true'],
        },
      ],
    },
    {
      name: 'a node role without CNI permissions and an add-on without role fail',
      template: cniTemplate({}),
      fixed: cniTemplate({ identity: 'pod-identity', cniRole: [CNI] }),
      findings: [
        {
          message: 'missing',
          severity: 'error',
          resource: 'NodeRole',
          at: 'NodeRole:\n',
          related: ['NodeRole: !GetAtt NodeRole.Arn', 'Cni:'],
          says: ['Cni', 'cni plugin not initialized'],
        },
      ],
    },
    {
      name: 'Describe calls are no CNI permissions',
      template: cniTemplate({ nodeRole: [WORKER, ECR, inline(['ec2:Describe*'])] }),
      findings: [{ message: 'missing', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n' }],
    },
    {
      name: 'a cluster outside the input does not matter when the add-on is here',
      template: cniTemplate({ cluster: 'shared' }),
      findings: [{ message: 'missing', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n' }],
    },
    {
      name: 'a role that is given under a condition is missing without it',
      template: cniTemplate({
        head: 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
        addon: ['ServiceAccountRoleArn: !If [IsProd, "arn:aws:iam::111122223333:role/cni", !Ref AWS::NoValue]'],
      }),
      findings: [{ message: 'missing', severity: 'error', resource: 'NodeRole', at: 'NodeRole:\n', says: ['IsProd'] }],
    },
  ],
  unverifiable: [
    {
      name: 'another CNI, for whose sake aws-node may run nowhere',
      template: `${cniTemplate({})}${CILIUM}`,
      resources: ['NodeRole'],
      because: 'installs Cilium',
    },
    {
      name: 'a role that trusts aws-node, but that the add-on does not name',
      template: cniTemplate({}) + secondRole('Trusting', [CNI]),
      resources: ['NodeRole'],
      because: "role Trusting trusts aws-node, but add-on Cni doesn't name it",
    },
    {
      name: 'a cluster without add-on in the input',
      template: cniTemplate({ version: null }),
      resources: ['NodeRole'],
      because: 'without a vpc-cni add-on',
    },
    {
      name: 'a policy that the input does not hold',
      template: cniTemplate({ nodeRole: [WORKER, 'arn:aws:iam::111122223333:policy/Mine'] }),
      resources: ['NodeRole'],
      because: 'policy/Mine',
    },
    {
      name: 'a node role outside the input',
      template: cniTemplate({}).replace(
        'NodeRole: !GetAtt NodeRole.Arn',
        'NodeRole: arn:aws:iam::111122223333:role/nodes',
      ),
      resources: ['Nodes'],
      because: 'role/nodes',
    },
    {
      name: 'an association that may be for aws-node',
      template: cniTemplate({
        identity: 'association',
        cniRole: [CNI],
        head: 'Parameters:\n  Account:\n    Type: String',
      }).replace('ServiceAccount: aws-node', 'ServiceAccount: !Ref Account'),
      resources: ['NodeRole'],
      because: 'Association',
    },
  ],
  notApplicable: [
    { name: 'Auto Mode without node groups', template: cniTemplate({ autoMode: true, nodeGroup: false }) },
    { name: 'only Fargate', template: cniTemplate({ fargate: true, nodeGroup: false }) },
  ],
});
