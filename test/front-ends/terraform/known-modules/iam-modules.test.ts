import { runRules } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { irsaTrustPolicy } from '../../../../lib/rules/iam/irsa-trust-policy';
import { either, instance, ref, unknown, type Written } from '../../../terraform/instances';
import { attribute, doubts, expand, findings, instanceAt, shown, type Given } from './calls';

const V5 = 'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks';
const V6 = 'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts';
const POD_IDENTITY = 'terraform-aws-modules/eks-pod-identity/aws';
const PROVIDER =
  'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';

function v5(given: Given, version = '5.60.0') {
  return expand(given, { source: V5, version, address: 'module.cni_role', region: 'eu-central-1' });
}

function v6(given: Given, version = '6.5.0') {
  return expand(given, { source: V6, version, address: 'module.cni_role', region: 'eu-central-1' });
}

const providers = (subject: Written = ['kube-system:aws-node']) => ({
  main: { provider_arn: PROVIDER, namespace_service_accounts: subject },
});

/** A cluster whose CNI takes the role of a module. */
function using(module: ReturnType<typeof v5>, output: string, cluster: Given = {}) {
  const eks = instance('aws_eks_cluster.main', { name: 'main', version: '1.33', ...cluster });
  const addon = instance('aws_eks_addon.cni', {
    cluster_name: ref(eks, 'name'),
    addon_name: 'vpc-cni',
    addon_version: 'v1.20.4-eksbuild.1',
    resolve_conflicts_on_update: 'PRESERVE',
    service_account_role_arn: module.outputs.get(output) ?? null,
  });
  return findings([module], [eks, addon]).filter((line) => /^(?:vpc-cni-role|irsa|pod-identity)/.test(line));
}

describe('a role for any issuer', () => {
  const ISSUER = 'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
  const role = (given: Given, version = '5.60.0') =>
    expand(
      { create_role: true, role_name: 'cni', ...given },
      {
        source: 'terraform-aws-modules/iam/aws//modules/iam-assumable-role-with-oidc',
        version,
        address: 'module.role',
        region: 'eu-central-1',
      },
    );
  const trust = (given: Given) =>
    attribute(role(given), 'module.role.data.aws_iam_policy_document.assume_role_with_oidc[0]', 'statement');

  test('is there only on request', () => {
    expect(role({ create_role: null }).instances).toEqual([]);
    expect(role({ create_role: false }).instances).toEqual([]);
    expect(role({ create_role: unknown('flag') }).instances.length).toBe(2);
  });

  test('trusts each issuer for the subjects and audiences of the call', () => {
    const given = {
      provider_url: `https://${ISSUER}`,
      provider_urls: ['https://oidc.eks.eu-central-1.amazonaws.com/id/B'],
      aws_account_id: '111122223333',
      oidc_fully_qualified_subjects: ['system:serviceaccount:kube-system:aws-node'],
      oidc_subjects_with_wildcards: ['system:serviceaccount:kube-*:aws-node'],
      oidc_fully_qualified_audiences: ['sts.amazonaws.com'],
    };
    const text = trust(given);
    for (const id of [ISSUER, 'oidc.eks.eu-central-1.amazonaws.com/id/B']) {
      expect(text).toContain(`arn:aws:iam::111122223333:oidc-provider/${id}`);
      expect(text).toContain(`variable=${id}:sub`);
      expect(text).toContain(`variable=${id}:aud`);
    }
    expect(text.match(/StringEquals/g)).toHaveLength(2);
    expect(text.match(/StringLike/g)).toHaveLength(4);
    expect(trust({ provider_url: ISSUER })).not.toContain('condition');
    expect(trust({ provider_url: ISSUER, provider_trust_policy_conditions: [] })).toContain('is not read');
    expect(trust({ provider_url: ISSUER, allow_self_assume_role: true })).toContain('aws:PrincipalArn');
  });

  test('is told what to write in the call', () => {
    const fixes = (given: Given) =>
      runRules(new EksModel(readInstances(role({ provider_url: ISSUER, ...given }).instances)), [irsaTrustPolicy]).map(
        ({ fix }) => fix,
      );
    expect(fixes({ oidc_fully_qualified_audiences: ['sts.amazonaws.com'] })).toEqual([
      expect.stringContaining('The module takes it in `oidc_fully_qualified_subjects`.'),
    ]);
    expect(fixes({ oidc_fully_qualified_subjects: ['system:serviceaccount:a:b'] })).toEqual([
      expect.stringContaining('that is `oidc_fully_qualified_audiences = ["sts.amazonaws.com"]`.'),
    ]);
  });

  test('is judged by its policies and subjects', () => {
    const cni = {
      provider_url: ISSUER,
      aws_account_id: '111122223333',
      oidc_fully_qualified_audiences: ['sts.amazonaws.com'],
      role_policy_arns: ['arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy'],
    };
    const to = (account: string) => ({
      oidc_fully_qualified_subjects: [`system:serviceaccount:kube-system:${account}`],
    });
    expect(using(role({ ...cni, ...to('aws-node') }), 'iam_role_arn')).toEqual([]);
    expect(using(role({ ...cni, ...to('other') }), 'iam_role_arn')).toEqual(['irsa-subject fail error']);
    expect(using(role({ ...cni, ...to('aws-node'), provider_url: '' }), 'iam_role_arn')).toEqual([
      'irsa-subject unverifiable info',
      'irsa-trust-policy unverifiable info',
    ]);
    expect(using(role(cni), 'iam_role_arn')).toContain('irsa-trust-policy fail error');
    expect(using(role({ ...cni, ...to('aws-node'), role_policy_arns: [] }), 'iam_role_arn')).toContain(
      'vpc-cni-role-ip-family fail error',
    );
    expect(
      using(
        role({
          ...cni,
          ...to('aws-node'),
          role_policy_arns: [],
          inline_policy_statements: [{ actions: ['ec2:*'], resources: ['*'] }],
        }),
        'iam_role_arn',
      ),
    ).toEqual(['vpc-cni-role-tags-scope fail warning']);
  });
});

describe('roles for service accounts', () => {
  test('IPv4 has to be enabled, or the policy allows no addresses', () => {
    const cni = { attach_vpc_cni_policy: true, oidc_providers: providers() };
    expect(using(v5({ role_name: 'cni', ...cni, vpc_cni_enable_ipv4: true }), 'iam_role_arn')).toEqual([]);
    expect(using(v6({ name: 'cni', ...cni, vpc_cni_enable_ipv4: true }), 'arn')).toEqual([]);
    expect(using(v5({ role_name: 'cni', ...cni }), 'iam_role_arn')).toEqual(['vpc-cni-role-ip-family fail error']);
    expect(using(v6({ name: 'cni', ...cni }), 'arn')).toEqual(['vpc-cni-role-ip-family fail error']);
  });

  test('each family for its clusters', () => {
    const cni = { role_name: 'cni', attach_vpc_cni_policy: true, oidc_providers: providers() };
    const ipv6 = { kubernetes_network_config: { ip_family: 'ipv6' } };
    expect(
      using(v5({ ...cni, vpc_cni_enable_ipv6: true }), 'iam_role_arn', ipv6).filter((line) =>
        line.startsWith('vpc-cni-role-ip-family'),
      ),
    ).toEqual([]);
    expect(using(v5({ ...cni, vpc_cni_enable_ipv4: true }), 'iam_role_arn', ipv6)).toContain(
      'vpc-cni-role-ip-family fail error',
    );
    expect(
      using(v5({ ...cni, vpc_cni_enable_ipv4: unknown('ipv4') }), 'iam_role_arn').filter((line) =>
        line.includes('ip-family'),
      ),
    ).toEqual(['vpc-cni-role-ip-family unverifiable info']);
  });

  test('the trust policy has the issuer of the ARN and the service accounts', () => {
    const module = v5({ role_name: 'cni', oidc_providers: providers() });
    const statement = ['statement', '0'] as const;
    const document = 'module.cni_role.data.aws_iam_policy_document.this[0]';
    expect(attribute(module, document, ...statement, 'condition', '0', 'variable')).toMatch(
      /^oidc\.eks\.eu-central-1\.amazonaws\.com\/id\/EXAMPLED539D4633E53DE1B71EXAMPLE:sub/,
    );
    expect(attribute(module, document, ...statement, 'condition', '0', 'values')).toMatch(
      /^\[system:serviceaccount:kube-system:aws-node/,
    );
    expect(attribute(module, document, ...statement, 'principals', '0', 'identifiers')).toBe(`[${PROVIDER}]`);
  });

  test('a service account that is written wrong is told', () => {
    expect(
      using(
        v5({
          role_name: 'cni',
          attach_vpc_cni_policy: true,
          vpc_cni_enable_ipv4: true,
          oidc_providers: providers(['aws-node']),
        }),
        'iam_role_arn',
      ),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^irsa-/)]));
  });

  test('the provider that the module for the cluster creates', () => {
    const eks = expand({ name: 'main', kubernetes_version: '1.33', addons: {} }, { region: 'eu-central-1' });
    const role = v6({
      name: 'cni',
      attach_vpc_cni_policy: true,
      vpc_cni_enable_ipv4: true,
      oidc_providers: {
        main: {
          provider_arn: eks.outputs.get('oidc_provider_arn') ?? null,
          namespace_service_accounts: ['kube-system:aws-node'],
        },
      },
    });
    expect(
      attribute(
        role,
        'module.cni_role.data.aws_iam_policy_document.assume[0]',
        'statement',
        '0',
        'condition',
        '0',
        'variable',
      ),
    ).toBe('?${replace(module.eks.aws_eks_cluster.this[0].identity[0].oidc[0].issuer, "https://", "")}:sub');
    const addon = instance('aws_eks_addon.cni', {
      cluster_name: 'main',
      addon_name: 'vpc-cni',
      addon_version: 'v1.20.4-eksbuild.1',
      resolve_conflicts_on_update: 'PRESERVE',
      service_account_role_arn: role.outputs.get('arn') ?? null,
    });
    expect(findings([eks, role], [addon])).toEqual([]);
  });

  test('the subnet permission came with 5.39', () => {
    const cni = { role_name: 'cni', attach_vpc_cni_policy: true, vpc_cni_enable_ipv4: true };
    const actions = (version: string) =>
      attribute(
        v5(cni, version),
        'module.cni_role.data.aws_iam_policy_document.vpc_cni[0]',
        'statement',
        '1',
        'actions',
      );
    expect(actions('5.38.0')).not.toContain('ec2:DescribeSubnets');
    expect(actions('5.39.0')).toContain('ec2:DescribeSubnets');
    expect(actions('~> 5.0')).toContain('ec2:DescribeSubnets');
  });

  test('policies that are not read are unknown', () => {
    const module = v5({
      role_name: 'lb',
      attach_cloudwatch_observability_policy: true,
      attach_ebs_csi_policy: false,
      role_policy_arns: { a: 'arn:aws:iam::aws:policy/ReadOnlyAccess' },
    });
    expect(
      attribute(module, 'module.cni_role.aws_iam_role_policy_attachment.cloudwatch_observability[0]', 'policy_arn'),
    ).toMatch(/^\?/);
    expect(module.instances.filter(({ address }) => address.includes('ebs_csi'))).toEqual([]);
    expect(attribute(module, 'module.cni_role.aws_iam_role_policy_attachment.this["a"]', 'policy_arn')).toBe(
      'arn:aws:iam::aws:policy/ReadOnlyAccess',
    );
  });

  describe('the inline policy of version 6', () => {
    const addresses = [
      'AssignPrivateIpAddresses',
      'AttachNetworkInterface',
      'CreateNetworkInterface',
      'DeleteNetworkInterface',
      'DescribeInstances',
      'DescribeTags',
      'DescribeNetworkInterfaces',
      'DescribeInstanceTypes',
      'DescribeSubnets',
      'DetachNetworkInterface',
      'ModifyNetworkInterfaceAttribute',
      'UnassignPrivateIpAddresses',
    ];
    const cni = { name: 'cni', oidc_providers: providers() };
    const permissions = {
      addresses: { actions: addresses.map((action) => `ec2:${action}`), resources: ['*'] },
      tags: { actions: ['ec2:CreateTags'], resources: ['arn:aws:ec2:*:*:network-interface/*'] },
    };

    test('counts', () => {
      expect(using(v6({ ...cni, create_inline_policy: true, inline_policy_permissions: permissions }), 'arn')).toEqual(
        [],
      );
      expect(using(v6({ ...cni, inline_policy_permissions: permissions }), 'arn')).toEqual([
        'vpc-cni-role-ip-family fail error',
      ]);
      expect(using(v6({ ...cni, create_inline_policy: false, inline_policy_permissions: permissions }), 'arn')).toEqual(
        ['vpc-cni-role-ip-family fail error'],
      );
    });

    test.each<Given>([
      { create_inline_policy: unknown('inline'), inline_policy_permissions: permissions },
      { create_inline_policy: true, inline_policy_permissions: unknown('permissions') },
      { create_inline_policy: true, source_inline_policy_documents: [unknown('document')] },
      { create_inline_policy: true, override_inline_policy_documents: [unknown('document')] },
    ])('may be unknown: %#', (inline) => {
      expect(using(v6({ ...cni, ...inline }), 'arn').filter((line) => line.includes(' fail '))).toEqual([]);
    });
  });

  test('a role that is not created', () => {
    expect(v5({ create_role: false }).instances).toEqual([]);
    const module = v6({ name: 'cni', create: either('on', true, false) });
    expect(instanceAt(module, 'module.cni_role.aws_iam_role.this[0]').exists.text).toBe('on is true');
  });

  test('names of version 5 in version 6', () => {
    expect(doubts(v6({ role_name: 'cni', role_policy_arns: {} }))).toEqual([
      'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts 6 has no argument `role_name`: Terraform refuses the configuration. It is called `name` from version 6 on',
      'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts 6 has no argument `role_policy_arns`: Terraform refuses the configuration. It is called `policies` from version 6 on',
    ]);
  });
});

describe('Pod Identity', () => {
  const call = (given: Given, version = '2.8.1') =>
    expand(given, { source: POD_IDENTITY, version, address: 'module.cni_identity', region: 'eu-central-1' });

  test('the role and its associations', () => {
    const eks = instance('aws_eks_cluster.main', { name: 'main', version: '1.33' });
    const agent = instance('aws_eks_addon.agent', {
      cluster_name: 'main',
      addon_name: 'eks-pod-identity-agent',
      addon_version: 'v1.3.8-eksbuild.2',
    });
    const addon = instance('aws_eks_addon.cni', {
      cluster_name: 'main',
      addon_name: 'vpc-cni',
      addon_version: 'v1.20.4-eksbuild.1',
      resolve_conflicts_on_update: 'PRESERVE',
    });
    const associations = {
      main: { cluster_name: ref(eks, 'name'), namespace: 'kube-system', service_account: 'aws-node' },
    };
    const module = call({ name: 'cni', attach_aws_vpc_cni_policy: true, aws_vpc_cni_enable_ipv4: true, associations });
    expect(
      attribute(module, 'module.cni_identity.aws_eks_pod_identity_association.this["main"]', 'service_account'),
    ).toBe('aws-node');
    const rules = (one: ReturnType<typeof call>) =>
      findings([one], [eks, agent, addon]).filter((line) => /^(?:vpc-cni-role|pod-identity|irsa)/.test(line));
    expect(rules(module)).toEqual([]);
    expect(rules(call({ name: 'cni', attach_aws_vpc_cni_policy: true, associations }))).toEqual([
      'vpc-cni-role-ip-family fail error',
    ]);
    expect(shown(module.outputs.get('iam_role_arn') ?? unknown('none'))).toBe(
      '?${module.cni_identity.aws_iam_role.this[0].arn}',
    );
  });

  test('defaults for all associations', () => {
    const module = call({
      associations: { a: { service_account: 'x' } },
      association_defaults: { cluster_name: 'main', namespace: 'kube-system' },
    });
    const address = 'module.cni_identity.aws_eks_pod_identity_association.this["a"]';
    expect([
      attribute(module, address, 'cluster_name'),
      attribute(module, address, 'namespace'),
      attribute(module, address, 'service_account'),
    ]).toEqual(['main', 'kube-system', 'x']);
  });
});

describe('Karpenter', () => {
  test('has roles, an entry and an association', () => {
    const module = expand(
      { cluster_name: 'main' },
      { source: 'terraform-aws-modules/eks/aws//modules/karpenter', address: 'module.karpenter' },
    );
    expect(attribute(module, 'module.karpenter.aws_eks_access_entry.node[0]', 'type')).toMatch(/^EC2_LINUX/);
    expect(attribute(module, 'module.karpenter.aws_eks_pod_identity_association.karpenter[0]', 'namespace')).toMatch(
      /^kube-system/,
    );
    // Releases name their service account by it.
    expect(shown(module.outputs.get('service_account') ?? unknown('no output'))).toMatch(/^karpenter /);
    const before = expand(
      { cluster_name: 'main' },
      { source: 'terraform-aws-modules/eks/aws//modules/karpenter', version: '20.37.2', address: 'module.karpenter' },
    );
    expect(before.instances.some(({ type }) => type === 'aws_eks_pod_identity_association')).toBe(false);
  });

  describe('documents that the call adds to the trust policy of the controller', () => {
    const source = 'terraform-aws-modules/eks/aws//modules/karpenter';
    const issuer = 'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE';
    const tokens = (subject: string, sid?: string) => ({
      sid: sid ?? null,
      actions: ['sts:AssumeRoleWithWebIdentity'],
      principals: [{ type: 'Federated', identifiers: [PROVIDER] }],
      condition: [
        { test: 'StringEquals', variable: `${issuer}:sub`, values: [subject] },
        { test: 'StringEquals', variable: `${issuer}:aud`, values: ['sts.amazonaws.com'] },
      ],
    });
    const wanted = 'system:serviceaccount:karpenter:karpenter';
    const rules = (given: Given, others: ReturnType<typeof instance>[] = [], version = '21.10.1') => {
      const module = expand(
        { cluster_name: 'main', create_pod_identity_association: false, ...given },
        { source, version, address: 'module.karpenter', region: 'eu-central-1' },
      );
      const role = module.outputs.get('iam_role_arn') ?? null;
      const account = {
        metadata: [{ name: 'karpenter', namespace: 'karpenter', annotations: { 'eks.amazonaws.com/role-arn': role } }],
      };
      const pods = instance('kubernetes_deployment.karpenter', {
        metadata: [{ name: 'karpenter', namespace: 'karpenter' }],
        spec: [
          {
            template: [
              {
                metadata: [{}],
                spec: [{ service_account_name: 'karpenter', container: [{ name: 'controller', image: 'karpenter' }] }],
              },
            ],
          },
        ],
      });
      return findings([module], [...others, instance('kubernetes_service_account.karpenter', account), pods]).filter(
        (line) => /^(?:irsa|pod-identity)/.test(line),
      );
    };
    const document = (statement: Written) =>
      instance('data.aws_iam_policy_document.tokens', { statement: [statement] });

    test.each(['iam_role_source_assume_policy_documents', 'iam_role_override_assume_policy_documents'])(
      '%s',
      (name) => {
        const right = document(tokens(wanted));
        expect(rules({ [name]: [ref(right, 'json')] }, [right])).toEqual([]);
        const other = document(tokens('system:serviceaccount:kube-system:karpenter'));
        expect(rules({ [name]: [ref(other, 'json')] }, [other])).toEqual(['irsa-subject fail error']);
        expect(rules({ [name]: [unknown('document')] }).filter((line) => line.includes(' fail '))).toEqual([]);
        expect(rules({ [name]: unknown('documents') }).filter((line) => line.includes(' fail '))).toEqual([]);
      },
    );

    test('one that overrides the statement for Pod Identity', () => {
      const override = document(tokens(wanted, 'PodIdentity'));
      expect(rules({ iam_role_override_assume_policy_documents: [ref(override, 'json')] }, [override])).toEqual([]);
      const module = rules(
        {
          create_pod_identity_association: true,
          namespace: 'karpenter',
          iam_role_override_assume_policy_documents: [ref(override, 'json')],
        },
        [override],
      );
      expect(module).toContain('pod-identity-trust-policy fail error');
    });

    test('without one it trusts no tokens', () => {
      expect(rules({})).toEqual(['irsa-subject fail error']);
    });
  });

  test('what its nodes may pull images with', () => {
    const pulls = (version: string) =>
      expand(
        { cluster_name: 'main' },
        { source: 'terraform-aws-modules/eks/aws//modules/karpenter', version, address: 'module.karpenter' },
      ).instances.flatMap(({ address }) => /\.node\["(AmazonEC2\w+|\?)"\]/.exec(address)?.[1] ?? []);
    expect(pulls('20.37.2')).toEqual(['AmazonEC2ContainerRegistryReadOnly']);
    expect(pulls('21.1.5')).toEqual(['AmazonEC2ContainerRegistryReadOnly']);
    expect(pulls('21.2.0')).toEqual(['AmazonEC2ContainerRegistryPullOnly']);
    expect(pulls('>= 20.0')).toEqual(['?']);
  });
});
