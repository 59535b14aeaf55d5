import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import { beforeOf, EksModel, type EksResource, type Value } from '../../../lib/eks';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { shown, valueAt } from './plans';
import { canPlan, IF_PLANNED, PLAN_PARTS, planOfFolder } from './replan';

const FIXTURES = join(__dirname, '../../fixtures/terraform');
const planOf = (name: string) => readPlan(readFileSync(join(FIXTURES, name, 'plan.json'), 'utf8'), 'plan.json');

describe('a plan of Terraform', () => {
  const plan = planOf('modules');
  const at = (address: string, ...path: (string | number)[]) => shown(valueAt(plan, address, ...path));

  it('is read without complaint', () => {
    expect(plan.diagnostics).toEqual([]);
    expect(plan.summary).toEqual({ path: 'plan.json', kind: 'terraform-plan', resources: 16 });
  });

  it.each([
    ['aws_eks_node_group.own_key["b"]', 'aws_launch_template.each["b"]', 'eu-central-1'],
    ['aws_eks_node_group.chained["b"]', 'aws_launch_template.each["b"]', 'us-west-2'],
    ['aws_eks_node_group.of_output', 'module.nodes["x"].aws_launch_template.own[0]', 'eu-central-1'],
    ['module.nodes["x"].aws_eks_node_group.local', 'module.nodes["x"].aws_launch_template.own[0]', 'eu-central-1'],
    ['module.nodes["x"].aws_eks_node_group.dynamic', 'module.nodes["x"].aws_launch_template.own[0]', 'eu-central-1'],
  ])('tells the template, the role and the region of %s', (address, template, region) => {
    const id = valueAt(plan, address, 'launch_template', 0, 'id');
    expect(id).toMatchObject({ kind: 'unknown', reference: { attribute: 'id' } });
    expect(id.kind === 'unknown' && id.reference?.resource).toBe(
      plan.instances.find((instance) => instance.address === template),
    );
    expect(at(address, 'node_role_arn')).toBe('?${aws_iam_role.nodes.arn}');
    expect(at(address, 'launch_template', 0, 'name')).toBeNull();
    expect(plan.instances.find((instance) => instance.address === address)?.region).toBe(region);
  });

  it('tells what nobody wrote from what is not known yet', () => {
    const group = 'module.nodes["x"].aws_eks_node_group.local';
    expect(at(group, 'ami_type')).toBeNull();
    expect(at(group, 'disk_size')).toBeNull();
    expect(at(group, 'update_config')).toBeNull();
    expect(at(group, 'version')).toBe('?${aws_eks_cluster.main.version}');
    expect(at('aws_eks_cluster.main', 'kubernetes_network_config')).toBeNull();
    expect(at('aws_eks_cluster.main', 'vpc_config', 0, 'subnet_ids')).toBe('?');
    expect(at('module.nodes["x"].aws_launch_template.own[0]', 'metadata_options')).toBeNull();
    expect(at('aws_launch_template.each["a"]', 'metadata_options')).toEqual([
      {
        http_endpoint: null,
        http_protocol_ipv6: null,
        http_put_response_hop_limit: 2,
        http_tokens: null,
        instance_metadata_tags: null,
      },
    ]);
  });

  it('tells nothing of texts and lists that are put together', () => {
    expect(at('aws_eks_addon.composed', 'configuration_values')).toBe('?');
    expect(at('aws_launch_template.each["a"]', 'vpc_security_group_ids')).toBe('?');
    expect(at('aws_launch_template.each["a"]', 'user_data')).toBe('?');
  });

  it('tells policy documents, those too that are made on apply', () => {
    expect(at('aws_iam_role_policy.pass_role', 'policy')).toBe('?${data.aws_iam_policy_document.pass_role.json}');
    expect(at('aws_iam_role_policy.pass_role', 'role')).toBe('?${aws_iam_role.nodes.name}');
    expect(at('data.aws_iam_policy_document.pass_role', 'statement', 0, 'actions')).toEqual(['iam:PassRole']);
    expect(
      shown(
        valueAt(planOf('safe'), 'data.aws_iam_policy_document.nodes', 'statement', 0, 'principals', 0, 'identifiers'),
      ),
    ).toEqual(['ec2.amazonaws.com']);
  });
});

describe('a plan that changes what exists', () => {
  const plan = planOf('upgrade');
  const resources = readInstances(plan.instances);
  const of = <K extends EksResource['kind']>(kind: K, id: string) =>
    resources.find((one): one is Extract<EksResource, { kind: K }> => one.kind === kind && one.id === id);
  const text = (value: Value<string> | undefined) => (value?.kind === 'known' ? value.value : value?.kind);

  it('is read without complaint', () => {
    expect(plan.diagnostics).toEqual([]);
    expect(plan.summary?.resources).toBe(5);
  });

  it.each([
    ['aws_eks_addon.vpc_cni', 'update', [], false],
    ['aws_eks_cluster.main', 'update', [], false],
    ['aws_eks_node_group.spare', 'replace', ['ami_type', 'instance_types'], true],
    ['aws_eks_node_group.workers', 'replace', ['ami_type'], false],
    ['aws_launch_template.workers', 'none', [], false],
  ])('tells what happens to %s', (id, action, replacedBecause, isCreatedFirst) => {
    expect(resources.find((one) => one.id === id)?.planned).toMatchObject({ action, replacedBecause, isCreatedFirst });
  });

  it('tells what is there now, by the same readers', () => {
    const cluster = of('cluster', 'aws_eks_cluster.main');
    const clusterNow = cluster && beforeOf(cluster);
    expect([text(clusterNow?.version), text(cluster?.version)]).toEqual(['1.32', '1.34']);
    const workers = of('node-group', 'aws_eks_node_group.workers');
    const workersNow = workers && beforeOf(workers);
    expect([text(workersNow?.amiType), text(workers?.amiType)]).toEqual(['AL2_x86_64', 'AL2023_x86_64_STANDARD']);
    expect(workersNow?.cluster.kind === 'known' && workersNow.cluster.value.target === cluster).toBe(true);
    expect(workersNow?.amiType.kind === 'known' && workersNow.amiType.source.locate()).toMatchObject({
      file: 'plan.json',
      property: 'ami_type',
    });
    const addon = of('addon', 'aws_eks_addon.vpc_cni');
    expect(addon && beforeOf(addon)?.configuration).toMatchObject({
      kind: 'known',
      value: { kind: 'parsed', data: { env: { ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '1' } } },
    });
    const spare = of('node-group', 'aws_eks_node_group.spare');
    expect([text(spare && beforeOf(spare)?.name), text(spare?.name)]).toEqual(['spare-20250203', 'absent']);
  });

  it('is no part of the model as it is now', () => {
    expect(resources).toHaveLength(5);
    expect(new EksModel(resources).clusters).toHaveLength(1);
  });
});

describe('the check of a plan', () => {
  /** That the CNI works with the role of the nodes. */
  const SHARED_ROLE = ['info', 'vpc-cni-role-on-nodes', 'aws_iam_role', 'aws_iam_role.nodes', undefined];
  const failed = (name: string) =>
    checkPaths([join(FIXTURES, name, 'plan.json')], { asOf: '2026-01-15' })
      .findings.filter(({ verdict }) => verdict === 'fail')
      .map(({ rule, severity, resource, source }) => [
        severity,
        rule,
        resource.type,
        resource.id,
        source.locate().property,
      ]);

  it('finds what is wrong', () => {
    expect(failed('misconfigured')).toEqual([
      [
        'error',
        'imds-hop-limit',
        'aws_launch_template',
        'aws_launch_template.workers',
        'metadata_options[0].http_put_response_hop_limit',
      ],
      ['info', 'cluster-support-type', 'aws_eks_cluster', 'aws_eks_cluster.main', 'upgrade_policy'],
      ['error', 'vpc-cni-resolve-conflicts', 'aws_eks_addon', 'aws_eks_addon.vpc_cni', 'resolve_conflicts_on_update'],
      SHARED_ROLE,
    ]);
  });

  it('finds what an upgrade breaks', () => {
    expect(failed('upgrade')).toEqual([
      ['error', 'cluster-version-step', 'aws_eks_cluster', 'aws_eks_cluster.main', 'version'],
      ['warning', 'ami-type-replacement', 'aws_eks_node_group', 'aws_eks_node_group.workers', 'ami_type'],
      ['warning', 'vpc-cni-resolve-conflicts', 'aws_eks_addon', 'aws_eks_addon.vpc_cni', 'resolve_conflicts_on_update'],
    ]);
  });

  it('tells what is written from what AWS answered for a group that exists', () => {
    const findings = failed('existing').map(([severity, rule, , id]) => [rule, severity, id].join(' '));
    expect(findings.filter((one) => one.startsWith('launch-template-node-group-conflict'))).toEqual([]);
    expect(findings).toContain('cluster-version-pinned warning aws_eks_cluster.main');
    expect(findings).toContain('addon-version warning aws_eks_addon.vpc_cni');
    // The limit of 1 is what EC2 answered: nobody wrote it.
    expect(findings).toContain('imds-hop-limit warning aws_launch_template.image');
  });

  it('finds nothing wrong where nothing is', () => {
    expect(failed('safe')).toEqual([SHARED_ROLE]);
  });
});

// They take half a minute each, and need the AWS provider that the configurations name.
(canPlan ? describe : describe.skip)(`recorded plans${IF_PLANNED}`, () => {
  it.each(['misconfigured', 'safe', 'modules', 'upgrade', 'existing'])(
    '%s are what Terraform makes now',
    (name) => {
      const made = planOfFolder(join(FIXTURES, name));
      const recorded = JSON.parse(readFileSync(join(FIXTURES, name, 'plan.json'), 'utf8')) as Record<string, unknown>;
      for (const part of PLAN_PARTS) expect(made[part]).toEqual(recorded[part]);
    },
    300_000,
  );
});
