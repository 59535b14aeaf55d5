import { loadBalancerControllerPolicy } from '../../../lib/rules/iam/load-balancer-controller-policy';
import { loadBalancerControllerActions } from '../../../lib/knowledge';
import { block, CLUSTER, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith, groupWith, iamRole } from './role-templates';
import { allow, association, chart, LOAD_BALANCER_CONTROLLER as NAME, role, withAgent } from './controller-templates';

const actionsOf = (version: string): readonly string[] => loadBalancerControllerActions(version)?.all ?? [];
const without = (version: string, pattern: RegExp) => actionsOf(version).filter((action) => !pattern.test(action));

const controller = (version: string | undefined, values: object = {}) =>
  chart('Controller', NAME, version, { clusterName: 'main', ...values });

/** The chart, and the role of its service account. */
const with_ = (statements: readonly string[], version: string | undefined, values: object = {}) =>
  withAgent(role(...statements), association(NAME), controller(version, values));

const LOAD_BALANCERS = 'arn:aws:elasticloadbalancing:*:*:loadbalancer/app/*/*';
const OLD_TAGS = {
  Condition: {
    Null: { 'aws:RequestTag/elbv2.k8s.aws/cluster': 'true', 'aws:ResourceTag/elbv2.k8s.aws/cluster': 'false' },
  },
};
const TAGS_ON_CREATE = allow('elasticloadbalancing:AddTags', LOAD_BALANCERS, {
  Condition: { StringEquals: { 'elasticloadbalancing:CreateAction': ['CreateTargetGroup', 'CreateLoadBalancer'] } },
});
/** For which Elastic Load Balancing asks, and no policy before 2.10.0 has it. */
const GROUPS_OF_VPC = allow('ec2:GetSecurityGroupsForVpc');
const oldTags = (...more: readonly string[]) =>
  with_(
    [
      allow(without('2.4.7', /AddTags/)),
      GROUPS_OF_VPC,
      allow('elasticloadbalancing:AddTags', LOAD_BALANCERS, OLD_TAGS),
      ...more,
    ],
    '1.4.8',
  );

const ELB_ONLY = 'arn:aws:iam::aws:policy/ElasticLoadBalancingFullAccess';
const roleWith = (policy: string) => role().replace(/Policies:[^]*$/, `ManagedPolicyArns: [${policy}]`);
const withFullAccess = (...more: readonly string[]) =>
  withAgent(roleWith(ELB_ONLY), association(NAME), controller('1.13.0'), ...more);
const NO_GROUPS = /:(?:CreateSecurityGroup|CreateTags|AuthorizeSecurityGroupIngress)$/;
const ingress = (annotations: object) =>
  manifest('Shop', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'shop', namespace: 'shop', annotations },
    spec: { ingressClassName: 'alb' },
  });
/** A role without what a pattern names, and an object that may ask for it. */
const lacking = (pattern: RegExp, ...objects: readonly string[]) =>
  withAgent(role(allow(without('2.13.0', pattern))), association(NAME), controller('1.13.0'), ...objects);
const withIngress = (annotations: object) => lacking(NO_GROUPS, ingress(annotations));

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
const trustingRole = (id: string, name: string, statement: string) =>
  role(statement)
    .replace('Role:', `${id}:`)
    .replace('AssumeRolePolicyDocument:', `RoleName: ${name}\n    AssumeRolePolicyDocument:`)
    .replace('Service: pods.eks.amazonaws.com', `Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER}`)
    .replace(
      'Action: [sts:AssumeRole, sts:TagSession]',
      `Action: sts:AssumeRoleWithWebIdentity\n          Condition: { StringEquals: { '${ISSUER}:sub': 'system:serviceaccount:kube-system:${NAME}' } }`,
    );
const account = (arn: string) =>
  manifest('Account', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: NAME, namespace: 'kube-system', annotations: { 'eks.amazonaws.com/role-arn': arn } },
  });

const boundary = (statement: string) =>
  block('Boundary', 'AWS::IAM::ManagedPolicy', [
    'PolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:',
    `    - ${statement}`,
  ]);
const withBoundary = (arn: string, ...more: readonly string[]) =>
  withAgent(
    role(allow(actionsOf('2.13.0'))).replace(
      'AssumeRolePolicyDocument:',
      `PermissionsBoundary: ${arn}\n    AssumeRolePolicyDocument:`,
    ),
    association(NAME),
    controller('1.13.0'),
    ...more,
  );

const deployment = (image: string, args: readonly string[] = []) =>
  manifest('Controller', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system' },
    spec: { template: { spec: { serviceAccountName: NAME, containers: [{ name: 'controller', image, args }] } } },
  });

const STOPS = { message: 'stops', severity: 'error', resource: 'Role', at: 'Role:' } as const;
const FEATURES = { message: 'features', severity: 'warning', resource: 'Role', at: 'Role:' } as const;

const WEB_ACLS = { message: 'web-acls', severity: 'error', resource: 'Role', at: 'Role:' } as const;
const IDLE = { message: 'idle-features', severity: 'info', resource: 'Role', at: 'Role:' } as const;
const GROUPS = { message: 'groups-of-vpc', severity: 'warning', resource: 'Role', at: 'Role:' } as const;

const SHIELDED = ingress({ 'alb.ingress.kubernetes.io/shield-advanced-protection': 'true' });
const MUTUAL = manifest('Shop', {
  apiVersion: 'gateway.k8s.aws/v1beta1',
  kind: 'LoadBalancerConfiguration',
  metadata: { name: 'shop', namespace: 'shop' },
  spec: { listenerConfigurations: [{ protocolPort: 'HTTPS:443', mutualAuthentication: { mode: 'verify' } }] },
});

const NETWORK = { message: 'network', severity: 'warning', resource: 'Role', at: 'Role:' } as const;
const withService = (version: string, protocol: string, actions = actionsOf('2.4.7')) =>
  withAgent(
    role(allow(actions)),
    association(NAME),
    controller(undefined, { image: { tag: `v${version}` } }),
    manifest('Shop', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace: 'shop' },
      spec: { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ports: [{ port: 53, protocol }] },
    }),
  );

const TAGS = { message: 'tags-on-create', severity: 'error', resource: 'Role', at: 'Role:', says: ['2.4.7'] } as const;

/** Nodes, and a controller without a role. */
const roleless = (values: object, ...more: readonly string[]) =>
  resources(
    clusterWith(),
    groupWith('NodeRole'),
    iamRole('NodeRole', { services: ['ec2.amazonaws.com'], managed: NODES }),
    controller('1.13.0', values),
    ...more,
  );
const NODES = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'];
const NO_ROLE = { message: 'no-role', severity: 'warning', resource: 'Controller', at: 'Controller:' } as const;

testRule(loadBalancerControllerPolicy, {
  valid: [
    {
      name: 'the role of a controller that nothing here installs, with an old policy',
      template: resources(CLUSTER, trustingRole('Role', 'controller', allow(actionsOf('2.4.7')))),
    },
    {
      name: 'such a role for targets alone',
      template: resources(
        CLUSTER,
        trustingRole(
          'Role',
          'controller',
          allow(['ec2:Describe*', 'elasticloadbalancing:RegisterTargets', 'elasticloadbalancing:DeregisterTargets']),
        ),
      ),
    },
    {
      name: 'the policy of 2.13.0 for a much newer version, which needs no more',
      template: with_([allow(actionsOf('2.13.0'))], '3.5.0'),
    },
    {
      name: 'a policy that is wide by wildcards',
      template: with_(
        [allow(['ec2:*', 'elasticloadbalancing:*', 'iam:*', 'acm:*', 'cognito-idp:*', 'shield:*', 'waf*:*'])],
        '1.13.0',
      ),
    },
    {
      name: 'one that is split',
      template: with_(
        [allow(without('2.13.0', /^ec2:/)), allow(actionsOf('2.13.0').filter((action) => action.startsWith('ec2:')))],
        '1.13.0',
      ),
    },
    {
      name: 'one with the conditions of the published one',
      template: with_(
        [
          allow(without('2.13.0', /AddTags|CreateLoadBalancer/)),
          allow('elasticloadbalancing:CreateLoadBalancer', '*', {
            Condition: { Null: { 'aws:RequestTag/elbv2.k8s.aws/cluster': 'false' } },
          }),
          allow('elasticloadbalancing:AddTags', LOAD_BALANCERS, OLD_TAGS),
          TAGS_ON_CREATE,
        ],
        '1.13.0',
      ),
    },
    {
      name: 'an old policy with the old version that it is from',
      template: with_([allow(actionsOf('2.4.7')), GROUPS_OF_VPC], '1.4.8'),
    },
    {
      name: 'a new chart with the image of an old version',
      template: with_([allow(actionsOf('2.4.7')), GROUPS_OF_VPC], '1.13.0', { image: { tag: 'v2.4.7' } }),
    },
    {
      name: 'a service account that names one of two roles which trust it, by its ARN',
      template: resources(
        CLUSTER,
        trustingRole('Role', 'lbc', allow('*')),
        trustingRole('Old', 'lbc-old', allow('s3:*')),
        account('arn:aws:iam::111122223333:role/lbc'),
        controller('1.13.0', { serviceAccount: { create: false, name: NAME } }),
      ),
    },
    { name: 'a permissions boundary of AWS', template: withBoundary('arn:aws:iam::aws:policy/AdministratorAccess') },
    {
      name: 'a permissions boundary in the input that allows all of it',
      template: withBoundary(
        '!Ref Boundary',
        boundary(allow(['ec2:*', 'elasticloadbalancing:*', ...actionsOf('2.13.0')])),
      ),
    },
    {
      name: 'services that are switched off',
      template: with_([allow(without('2.13.0', /^(?:shield|waf-regional|wafv2):/))], '1.13.0', {
        enableShield: false,
        enableWaf: false,
        enableWafv2: false,
      }),
    },
    {
      name: 'a role on the resources of each service',
      template: with_(
        [
          allow(without('2.13.0', /^(?:ec2|elasticloadbalancing):(?!Describe)/)),
          allow(
            actionsOf('2.13.0').filter((action) => /^ec2:(?!Describe)/.test(action)),
            'arn:aws:ec2:*:*:*',
          ),
          allow(
            actionsOf('2.13.0').filter((action) => /^elasticloadbalancing:(?!Describe)/.test(action)),
            'arn:aws:elasticloadbalancing:*:*:*',
          ),
        ],
        '1.13.0',
      ),
    },
    {
      name: 'a manifest with its arguments',
      template: withAgent(
        role(allow(without('2.13.0', /^shield:/))),
        association(NAME),
        deployment(`public.ecr.aws/eks/${NAME}:v2.13.0`, ['--enable-shield=false']),
      ),
    },
  ],
  invalid: [
    {
      name: 'a controller whose chart makes a service account without a role, on nodes that may not do it',
      template: roleless({}),
      findings: [
        {
          ...NO_ROLE,
          related: ['Workers:'],
          says: ['AWS Load Balancer Controller Controller has no role', 'node role NodeRole may not call'],
          advises: `kube-system:${NAME}`,
        },
      ],
    },
    {
      name: 'one whose chart makes no service account and names none',
      template: roleless({ serviceAccount: { create: false } }),
      findings: [{ ...NO_ROLE, advises: 'kube-system:default' }],
    },
    {
      name: 'the role of a controller that nothing here installs lacks what every version calls',
      template: resources(CLUSTER, trustingRole('Role', 'controller', allow(without('2.13.0', /:DescribeSubnets$/)))),
      findings: [
        {
          ...STOPS,
          severity: 'warning',
          says: ['`ec2:DescribeSubnets`', 'of every version', 'which nothing here installs'],
        },
      ],
      fixed: resources(CLUSTER, trustingRole('Role', 'controller', allow(actionsOf('2.13.0')))),
    },
    {
      name: 'an old policy with the old version that it is from, of which Elastic Load Balancing asks more now',
      template: with_([allow(actionsOf('2.4.7'))], '1.4.8'),
      findings: [
        { ...GROUPS, severity: 'info', says: ['`ec2:GetSecurityGroupsForVpc`', '2.4.7 (chart 1.4.8)', 'is older'] },
      ],
      fixed: with_([allow(actionsOf('2.4.7')), GROUPS_OF_VPC], '1.4.8'),
    },
    {
      name: 'what is changed and taken away, which code allows for what has the tag of the cluster alone',
      template: with_([allow(without('2.13.0', /DeleteSecurityGroup|DeleteTags|:ModifyIpPools$/))], '1.13.0'),
      fixed: with_([allow(actionsOf('2.13.0'))], '1.13.0'),
      findings: [
        {
          ...FEATURES,
          fixOmits: "- ec2:DeleteTags\n          Resource: '*'",
          code: [
            [
              '            - ec2:DeleteTags',
              "          Resource: 'arn:aws:ec2:*:*:security-group/*'",
              '          Condition:',
              "            'Null':",
              "              aws:RequestTag/elbv2.k8s.aws/cluster: 'true'",
              "              aws:ResourceTag/elbv2.k8s.aws/cluster: 'false'",
            ].join('\n'),
            [
              '            - ec2:DeleteSecurityGroup',
              '            - elasticloadbalancing:ModifyIpPools',
              "          Resource: '*'",
              '          Condition:',
              "            'Null':",
              "              aws:ResourceTag/elbv2.k8s.aws/cluster: 'false'",
            ].join('\n'),
          ],
        },
      ],
    },
    {
      name: 'the policy of 2.4.7 with chart 1.13.0',
      template: with_([allow(actionsOf('2.4.7'))], '1.13.0'),
      fixed: with_([allow(actionsOf('2.4.7')), allow(without('2.13.0', /^(?!elasticloadbalancing:|ec2:)/))], '1.13.0'),
      findings: [
        {
          ...STOPS,
          says: ['`elasticloadbalancing:DescribeListenerAttributes`', '2.13.0', 'chart 1.13.0'],
          omits: ['DescribeTrustStores'],
          related: ['Controller:'],
        },
      ],
    },
    {
      name: 'a release of Flux',
      template: withAgent(
        role(allow(actionsOf('2.4.7'))),
        association(NAME),
        manifest('Controller', {
          apiVersion: 'helm.toolkit.fluxcd.io/v2',
          kind: 'HelmRelease',
          metadata: { name: NAME, namespace: 'flux-system' },
          spec: {
            targetNamespace: 'kube-system',
            chart: { spec: { chart: NAME, version: '1.13.0' } },
            values: { clusterName: 'main', serviceAccount: { name: NAME } },
          },
        }),
      ),
      findings: [{ ...STOPS, says: ['2.13.0', 'chart 1.13.0'] }],
    },
    {
      name: 'an image of a newer version than the policy, which asks for the attributes of listeners for TCP',
      template: with_([allow(actionsOf('2.4.7'))], undefined, { image: { tag: 'v2.9.0' } }),
      findings: [
        {
          ...NETWORK,
          says: ['`elasticloadbalancing:DescribeListenerAttributes`', 'image tag v2.9.0', 'listener for TCP'],
        },
      ],
    },
    {
      name: 'a Service for a Network Load Balancer, which it can not bring up',
      template: withService('2.10.0', 'TCP'),
      fixed: withService('2.10.0', 'TCP', actionsOf('2.10.0')),
      findings: [{ ...NETWORK, severity: 'error' }],
    },
    {
      name: 'a Service for UDP, whose listener has no attributes',
      template: withService('2.9.2', 'UDP'),
      findings: [NETWORK],
    },
    {
      name: 'version 2.10.1, which asks for those of listeners for HTTP as well',
      template: with_([allow(actionsOf('2.4.7'))], '1.10.1'),
      findings: [
        {
          ...STOPS,
          says: [
            '`elasticloadbalancing:DescribeListenerAttributes`, which',
            '2.10.1',
            'every load balancer with a listener for HTTP, HTTPS or TCP',
            'Its policy has `ec2:GetSecurityGroupsForVpc`',
          ],
        },
      ],
    },
    {
      name: 'what is called when something has changed',
      template: with_([allow(without('2.13.0', /:ModifyListener$/))], '1.13.0'),
      fixed: with_([allow(actionsOf('2.13.0'))], '1.13.0'),
      findings: [{ ...FEATURES, says: ['`elasticloadbalancing:ModifyListener`'] }],
    },
    {
      name: 'nothing that makes load balancers',
      template: with_([allow(without('2.13.0', /Create/))], '1.13.0'),
      findings: [{ ...STOPS, says: ['`elasticloadbalancing:CreateLoadBalancer`'] }],
    },
    {
      name: 'a policy of AWS that knows no security groups, of which the first Ingress needs one',
      template: withFullAccess(),
      findings: [
        {
          ...STOPS,
          says: ['`ec2:AuthorizeSecurityGroupIngress`', '`ec2:CreateSecurityGroup`', 'names no security groups'],
        },
      ],
    },
    {
      name: 'no security groups where an Ingress names its own',
      template: withIngress({ 'alb.ingress.kubernetes.io/security-groups': 'sg-1' }),
      findings: [{ ...FEATURES, says: ['`ec2:CreateSecurityGroup`'] }],
    },
    {
      name: 'no security groups where an Ingress names none',
      template: withIngress({}),
      findings: [{ ...STOPS, says: ['`ec2:CreateSecurityGroup`'] }],
    },
    {
      name: 'no security groups where the shared one is given, so that others may be given as well',
      template: with_([allow(without('2.13.0', NO_GROUPS))], '1.13.0', { backendSecurityGroup: 'sg-1' }),
      findings: [FEATURES],
    },
    {
      name: 'no security groups where the shared one is switched off',
      template: withAgent(
        role(allow(without('2.13.0', NO_GROUPS))),
        association(NAME),
        deployment(`public.ecr.aws/eks/${NAME}:v2.13.0`, ['--enable-backend-security-group=false']),
      ),
      findings: [FEATURES],
    },
    {
      name: 'targets alone, for load balancers that are made elsewhere',
      template: with_(
        [allow(without('2.13.0', /^elasticloadbalancing:(?!Describe|Register|Deregister)|^ec2:(?!Describe)/))],
        '1.13.0',
      ),
      findings: [{ message: 'targets-only', severity: 'info', resource: 'Role', at: 'Role:' }],
    },
    {
      name: 'everything on the resources of another service',
      template: with_([allow(['ec2:*', 'elasticloadbalancing:*'], 'arn:aws:s3:::bucket/*')], '1.13.0'),
      findings: [
        {
          ...STOPS,
          says: ['`ec2:DescribeAvailabilityZones`', '(allowed on `arn:aws:s3:::bucket/*` only)'],
        },
      ],
    },
    {
      name: 'what Elastic Load Balancing itself asks for',
      template: lacking(/GetSecurityGroupsForVpc/),
      fixed: lacking(/^$/),
      findings: [{ ...GROUPS, says: ['2.13.0', 'October 2024'], omits: ['It lacks'] }],
    },
    {
      name: 'what Elastic Load Balancing itself asks for, and what changes call',
      template: with_([allow(actionsOf('2.9.0'))], '1.12.0'),
      fixed: with_([allow(actionsOf('2.12.0'))], '1.12.0'),
      findings: [
        {
          ...GROUPS,
          says: ['2.12.0', 'It lacks `elasticloadbalancing:SetRulePriorities`, too'],
          omits: ['ModifyIpPools'],
          code: ['elasticloadbalancing:ModifyIpPools'],
        },
      ],
    },
    {
      name: 'route tables, by which the controller finds subnets that have no tags',
      template: lacking(/DescribeRouteTables/, ingress({})),
      findings: [{ ...IDLE, says: ['`ec2:DescribeRouteTables`'] }],
    },
    {
      name: 'features for which nothing asks',
      template: lacking(/^shield:|DescribeTrustStores/),
      findings: [{ ...IDLE, says: ['`shield:CreateProtection`', 'Shield Advanced and mutual TLS alone'] }],
    },
    {
      name: 'Shield, for which an Ingress asks',
      template: lacking(/^shield:|DescribeTrustStores/, SHIELDED),
      findings: [{ ...FEATURES, says: ['`shield:CreateProtection`'], omits: ['DescribeTrustStores'] }],
    },
    {
      name: 'mutual TLS, for which a Gateway asks',
      template: lacking(/^shield:|DescribeTrustStores/, MUTUAL),
      findings: [{ ...FEATURES, says: ['DescribeTrustStores'], omits: ['shield:'] }],
    },
    {
      name: 'attributes of listeners, for which values of a chart ask',
      template: lacking(
        /ModifyListenerAttributes/,
        chart('Shop', 'shop', '1.0.0', {
          ingress: { annotations: { 'alb.ingress.kubernetes.io/listener-attributes.HTTPS-443': 'a=b' } },
        }),
      ),
      findings: [{ ...FEATURES, says: ['ModifyListenerAttributes'] }],
    },
    {
      name: 'web ACLs, for which every Ingress was asked before 2.8.2',
      template: with_([allow(without('2.4.7', /:(?:GetWebACLForResource|AssociateWebACL)$/))], '1.4.8'),
      findings: [
        {
          ...WEB_ACLS,
          says: [
            '`waf-regional:GetWebACLForResource` and `wafv2:GetWebACLForResource`',
            'every Application Load Balancer, with',
          ],
          omits: ['AssociateWebACL'],
        },
      ],
    },
    {
      name: 'load balancers that somebody else makes and deletes',
      template: with_([allow(without('2.13.0', /:(?:Create|Delete)LoadBalancer$/))], '1.13.0'),
      findings: [
        {
          message: 'existing-only',
          severity: 'info',
          resource: 'Role',
          at: 'Role:',
          says: ['make or delete none: right where somebody else makes all of them'],
        },
      ],
    },
    {
      name: 'no load balancer that it may make, and all that it may delete',
      template: with_([allow(without('2.13.0', /:CreateLoadBalancer$/))], '1.13.0'),
      findings: [
        {
          message: 'stops',
          severity: 'error',
          resource: 'Role',
          at: 'Role:',
          says: ['`elasticloadbalancing:CreateLoadBalancer`'],
        },
      ],
    },
    {
      name: 'web ACLs of AWS WAF Classic alone, which not every region has',
      template: with_([allow(without('2.8.1', /^waf-regional:/))], '1.8.1'),
      findings: [
        {
          ...WEB_ACLS,
          severity: 'warning',
          says: ['every Application Load Balancer in a region with AWS WAF Classic, with a web ACL or without'],
        },
      ],
    },
    {
      name: 'web ACLs, for which nothing asks since 2.8.2',
      template: with_([allow(without('2.8.2', /:GetWebACLForResource$/))], '1.8.2'),
      findings: [{ ...IDLE, says: ['`wafv2:GetWebACLForResource`'] }],
    },
    {
      name: 'what every version calls, by one that is not written',
      template: with_([allow(without('2.13.0', NO_GROUPS))], undefined),
      fixed: with_([allow(actionsOf('2.13.0'))], '1.13.0'),
      findings: [{ ...STOPS, says: ['`ec2:CreateSecurityGroup`', 'of every version calls'] }],
    },
    {
      name: 'tags on what is tagged already, by a version that is not in the table',
      template: oldTags().replace('1.4.8', '9.9.9'),
      fixed: oldTags(TAGS_ON_CREATE),
      findings: [{ ...TAGS, says: ['of every version'] }],
    },
    {
      name: 'an old policy for the newest version, which is installed where none is written',
      template: with_([allow(actionsOf('2.4.7'))], undefined),
      findings: [
        {
          ...STOPS,
          severity: 'warning',
          says: ['`elasticloadbalancing:DescribeListenerAttributes`', 'the newest one is installed'],
        },
      ],
    },
    {
      name: 'a statement that denies',
      template: with_(
        [
          allow('*'),
          JSON.stringify({ Effect: 'Deny', Action: 'elasticloadbalancing:DeleteLoadBalancer', Resource: '*' }),
        ],
        '1.13.0',
      ),
      fixed: with_([allow('*')], '1.13.0'),
      findings: [{ ...STOPS, says: ['`elasticloadbalancing:DeleteLoadBalancer`'] }],
    },
    {
      name: 'tags that may only be put on what is tagged already',
      template: oldTags(),
      fixed: oldTags(TAGS_ON_CREATE),
      findings: [TAGS],
    },
    {
      name: 'tags that may only be put on what is tagged already, beside other gaps',
      template: with_(
        [
          allow(without('2.4.7', /AddTags|^shield:|CreateSecurityGroup/)),
          allow('elasticloadbalancing:AddTags', '*', OLD_TAGS),
        ],
        '1.4.8',
      ),
      findings: [{ ...STOPS, says: ['`ec2:CreateSecurityGroup`'] }, TAGS],
    },
    {
      name: 'tags on what has the tag of the cluster already',
      template: with_(
        [
          allow(without('2.13.0', /AddTags/)),
          allow('elasticloadbalancing:AddTags', '*', {
            Condition: { Null: { 'aws:ResourceTag/elbv2.k8s.aws/cluster': 'false' } },
          }),
        ],
        '1.13.0',
      ),
      findings: [{ ...TAGS, says: ['2.13.0'] }],
    },
    {
      name: 'a manifest',
      template: withAgent(
        role(allow(actionsOf('2.4.7'))),
        association(NAME),
        deployment(`public.ecr.aws/eks/${NAME}:v2.13.0`),
      ),
      findings: [{ ...STOPS, says: ['image public.ecr.aws/eks/'] }],
    },
  ],
  unverifiable: [
    ...(
      [
        ['whose service account somebody else makes', { serviceAccount: { create: false, name: NAME } }],
        ['with keys of its own, perhaps', { envFrom: [{ secretRef: { name: 'keys' } }] }],
        [
          'that something gives a role by an annotation of its pods',
          { podAnnotations: { 'iam.amazonaws.com/role': 'x' } },
        ],
      ] as const
    ).map(([what, values]) => ({
      name: `a controller without a role ${what}`,
      template: roleless(values),
      resources: ['Controller'],
      because: 'not part of the input',
    })),
    {
      name: 'a controller without a role on nodes that may do it',
      template: roleless({}).replace('      ManagedPolicyArns:', `      ManagedPolicyArns:\n        - ${ELB_ONLY}`),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'a controller without a role beside Karpenter, whose nodes may be others',
      template: roleless({}, chart('Karpenter', 'karpenter', '1.6.0', {})),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'a permissions boundary in the input that leaves something out',
      template: withBoundary('!Ref Boundary', boundary(allow(without('2.13.0', /CreateLoadBalancer$/)))),
      resources: ['Role'],
      because: 'its permissions boundary leaves it out',
    },
    {
      name: 'a permissions boundary that is elsewhere',
      template: withBoundary('arn:aws:iam::111122223333:policy/boundary'),
      resources: ['Role'],
      because: 'of its permissions boundary, policy "arn:aws:iam::111122223333:policy/boundary"',
    },
    {
      name: 'a chart that makes the service account without the role that trusts it',
      template: resources(
        CLUSTER,
        trustingRole('Role', 'lbc', allow('s3:*')),
        controller('1.13.0', { serviceAccount: { controller: { create: true, annotations: { role: 'lbc' } } } }),
      ),
      resources: ['Controller'],
      because: 'Controller makes that without the annotation for a role',
    },
    {
      name: 'a service account that names a role elsewhere, beside one that only trusts it',
      template: resources(
        CLUSTER,
        trustingRole('Role', 'lbc', allow('s3:*')),
        account('arn:aws:iam::111122223333:role/elsewhere'),
        controller('1.13.0', { serviceAccount: { create: false, name: NAME } }),
      ),
      resources: ['Controller'],
      because: 'role/elsewhere',
    },
    {
      name: 'a chart that makes no service account and names none, so that its pods have that of the namespace',
      template: with_([allow(actionsOf('2.4.7'))], '1.13.0', { serviceAccount: { create: false } }),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'no version of the chart, which is then the newest',
      template: with_([allow(without('2.13.0', /ModifyListener$/))], undefined),
      resources: ['Role'],
      because: 'the newest one',
    },
    {
      name: 'a version of the chart that is not in the table',
      template: with_([allow(actionsOf('2.4.7'))], '9.9.9'),
      resources: ['Role'],
      because: 'chart 9.9.9',
    },
    {
      name: 'a version of the image that is not in the table',
      template: with_([allow(actionsOf('2.4.7'))], '1.13.0', { image: { tag: 'v9.9.9' } }),
      resources: ['Role'],
      because: '9.9.9',
    },
    {
      name: 'an image that is known by its digest alone',
      template: withAgent(
        role(allow(actionsOf('2.4.7'))),
        association(NAME),
        deployment(`public.ecr.aws/eks/${NAME}@sha256:${'0'.repeat(64)}`),
      ),
      resources: ['Role'],
      because: 'names no version',
    },
    {
      name: 'a role elsewhere',
      template: withAgent(
        association(NAME, 'kube-system', 'arn:aws:iam::111122223333:role/elsewhere'),
        controller('1.13.0'),
      ),
      resources: ['Controller'],
      because: 'role/elsewhere',
    },
    {
      name: 'no role',
      template: resources(CLUSTER, controller('1.13.0')),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'a role for another service account',
      template: withAgent(role(allow('s3:*')), association('other'), controller('1.13.0')),
      resources: ['Controller'],
    },
    {
      name: 'a role without policies',
      template: withAgent(role().replace(/Policies:[^]*$/, ''), association(NAME), controller('1.13.0')),
      resources: ['Role'],
      because: 'no policy',
    },
  ],
  notApplicable: [
    { name: 'no controller', template: withAgent(role(allow('s3:*')), association(NAME)) },
    {
      name: 'another chart',
      template: withAgent(role(allow('s3:*')), association(NAME), chart('Other', 'metrics-server', '1.13.0', {})),
    },
  ],
});
