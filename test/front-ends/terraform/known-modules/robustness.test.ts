import fc from 'fast-check';
import { runs } from '../../../share';
import { expandKnownModule } from '../../../../lib/front-ends/terraform/known-modules';
import { either, findingsIn, unknown, valueOf, type Written } from '../../../terraform/instances';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { cpuTime } from '../../../cpu-time';
import { callOf, EKS, expand, findings } from './calls';

const SOURCES = [
  EKS,
  `${EKS}//modules/eks-managed-node-group`,
  `${EKS}//modules/karpenter`,
  'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts-eks',
  'terraform-aws-modules/iam/aws//modules/iam-role-for-service-accounts',
  'terraform-aws-modules/eks-pod-identity/aws',
  `${EKS}//modules/self-managed-node-group`,
  `${EKS}//modules/fargate-profile`,
  'aws-ia/eks-blueprints-addons/aws',
  'cloudposse/eks-cluster/aws',
  'cloudposse/eks-node-group/aws',
];
const VERSIONS = [null, '~> 20.0', '>= 18', '21.19.0', '18.0.0', '~> 5.0', '6.5.0', '2.8.1', '~> 1.0', 'nonsense'];
const KEYS = [
  'name',
  'cluster_name',
  'create',
  'subnet_ids',
  'addons',
  'cluster_addons',
  'vpc-cni',
  'eks_managed_node_groups',
  'eks_managed_node_group_defaults',
  'self_managed_node_groups',
  'workers',
  'metadata_options',
  'http_put_response_hop_limit',
  'ami_type',
  'ami_id',
  'taints',
  'network_interfaces',
  'block_device_mappings',
  'cloudinit_pre_nodeadm',
  'pre_bootstrap_user_data',
  'enable_bootstrap_user_data',
  'compute_config',
  'enabled',
  'access_entries',
  'fargate_profiles',
  'oidc_providers',
  'provider_arn',
  'namespace_service_accounts',
  'associations',
  'attach_vpc_cni_policy',
  'iam_role_additional_policies',
  'before_compute',
  'tags',
  'create_iam_role',
  'node_security_group_additional_rules',
  'trust_policy_conditions',
  'tag_specifications',
  'update_config',
  'remote_access',
  'cluster_ip_family',
  'platform',
  'outpost_config',
  'eks_addons',
  'enable_karpenter',
  'karpenter',
  'node_role_arn',
  'kubernetes_version',
  'launch_template_id',
  'launch_template_name',
  'create_launch_template',
  'ami_image_id',
  'addon_name',
  'pod_identity_association',
  'resolve_conflicts',
] as const;

const leaf: fc.Arbitrary<Written> = fc.oneof(
  fc.constantFrom<Written>(true, false, null, '', 'ipv6', 'AL2_x86_64', 'WINDOWS_CORE_2022_x86_64', 0, 1, 2.5, '${x}'),
  fc.string({ maxLength: 8 }),
  fc.constant<Written>(unknown('anything')),
  fc.constant<Written>(either('prod', true, false)),
  fc.constant<Written>(either('prod', { workers: {} }, null)),
);

const { tree } = fc.letrec<{ tree: Written; list: Written; map: Written }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('list'), tie('map'), tie('map')),
  list: fc.array(tie('tree'), { maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 8 }),
}));

test('whatever a call gives, nothing throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SOURCES),
      fc.constantFrom(...VERSIONS),
      fc.dictionary(fc.constantFrom(...KEYS), tree, { maxKeys: 12 }),
      (source, version, given) => {
        const module = expandKnownModule(callOf(given, { source, version }));
        if (module === undefined) return;
        findingsIn(readInstances(module.instances));
        for (const value of module.outputs.values())
          expect(['known', 'absent', 'unknown', 'choice']).toContain(value.kind);
      },
    ),
    { numRuns: runs(250) },
  );
});

test('arguments that are not known as a whole', () => {
  const module = expandKnownModule({ ...callOf({}), arguments: unknown('arguments') });
  expect(
    findings([module ?? { instances: [], outputs: new Map(), diagnostics: [] }]).filter((line) =>
      line.includes(' fail '),
    ),
  ).toEqual([]);
  expect(expandKnownModule({ ...callOf({}), arguments: valueOf('text') })?.instances.length).toBeGreaterThan(0);
});

test('many groups cost in proportion', () => {
  const groups = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`g${index}`, { instance_types: ['m6i.large'] }]),
  );
  const elapsed = cpuTime();
  const module = expand({ name: 'main', kubernetes_version: '1.33', eks_managed_node_groups: groups });
  expect(module.instances.length).toBeGreaterThan(5000);
  expect(elapsed()).toBeLessThan(3000);
});
