import { Unknown, type Addon, type Value } from '../../../../lib/eks';
import { change, configured, planText, refers } from '../../../terraform/plan/plans';
import { readPlan } from '../../../../lib/terraform/plan/plan';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { UNREAD_MODULE } from '../../../../lib/terraform/module/unread-module';
import { show } from '../../cloudformation/reading';
import { TerraformMap } from '../../../../lib/terraform/terraform-value';
import { Known } from '../../../../lib/value';
import {
  at,
  either,
  instance,
  readOne,
  ref,
  target,
  unknown,
  valueOf,
  type Written,
} from '../../../terraform/instances';

type Instance = ReturnType<typeof instance>;

const cluster = instance('aws_eks_cluster.main', { name: 'main' });
const group = instance('aws_security_group.nodes', { id: 'sg-0a1' });
const other = instance('aws_security_group.other', { id: 'sg-0b1' });

/** Texts of a list, or why there is none. */
const listed = (value: Value<readonly Value<string>[]>) =>
  value.kind === 'known' ? value.value.map(show) : show(value);

/** A map of which not all entries are known. */
function openMap(entries: Readonly<Record<string, Written>>, rest: string): Known<TerraformMap> {
  return new Known(
    new TerraformMap(new Map(Object.entries(entries).map(([key, one]) => [key, valueOf(one)])), unknown(rest)),
    at('tags'),
  );
}

describe('the keys of the tags of aws_subnet', () => {
  const keys = (attributes: Written, ...others: Instance[]) =>
    listed(readOne('subnet', 'aws_subnet.it', [instance('aws_subnet.it', attributes), ...others]).tagKeys);

  it.each<[Written, unknown]>([
    [{ tags: { a: 'b', c: 'd' } }, ['a', 'c']],
    [{}, []],
    [{ tags: unknown('var.tags') }, '?${var.tags}'],
    [{ tags: { a: 'b' }, tags_all: { a: 'b', e: 'f' } }, ['a', 'a', 'e']],
    [{ tags_all: { e: 'f' } }, ['e']],
    [{ tags: { a: 'b' }, tags_all: unknown('all') }, ['a']],
    [{ tags: openMap({ a: 'b' }, 'var.more') }, ['a', '?${var.more}']],
  ])('of %j', (attributes, expected) => {
    expect(keys(attributes)).toEqual(expected);
  });

  it('may be in a resource of their own', () => {
    expect(keys({ tags: { a: 'b' } }, instance('aws_ec2_tag.x', { key: 'kubernetes.io/role/elb' }))).toEqual([
      'a',
      'kubernetes.io/role/elb',
    ]);
  });
});

describe('what a node group ignores', () => {
  const ignored = (...ignoredChanges: string[]) => {
    const { isDesiredSizeIgnored, isLaunchTemplateIgnored } = readOne('node-group', 'aws_eks_node_group.it', [
      instance('aws_eks_node_group.it', {}, { ignoredChanges }),
    ]);
    return [isDesiredSizeIgnored, isLaunchTemplateIgnored];
  };

  it('is named, or all', () => {
    expect(ignored()).toEqual([undefined, undefined]);
    expect(ignored('tags')).toEqual([undefined, undefined]);
    expect(ignored('tags', 'scaling_config')).toEqual([true, undefined]);
    expect(ignored('launch_template')).toEqual([undefined, true]);
    expect(ignored('all')).toEqual([true, true]);
  });
});

describe('lists of texts', () => {
  it('have no items that are null', () => {
    const groups = (list: Written) =>
      listed(
        readOne('launch-template', 'aws_launch_template.it', [
          instance('aws_launch_template.it', { vpc_security_group_ids: list }),
        ]).securityGroups,
      );
    expect(groups([null, 'sg-9'])).toEqual(['sg-9']);
    expect(groups([null])).toBe('absent');
  });
});

describe('a rule of one of two security groups', () => {
  it('is a rule of each where it names it', () => {
    const rule = instance('aws_vpc_security_group_egress_rule.a', {
      security_group_id: either('prod', ref(group, 'id'), ref(other, 'id')),
      cidr_ipv4: '10.0.0.0/8',
    });
    const rulesOf = (address: string) =>
      readOne('security-group', address, [group, other, rule]).rules.map(({ direction, peer, ofPeer }) => [
        direction,
        show(peer),
        ofPeer,
      ]);
    expect(rulesOf('aws_security_group.nodes')).toEqual([
      ['egress', { 'prod is true': '10.0.0.0/8', 'prod is false': 'absent' }, undefined],
    ]);
    expect(rulesOf('aws_security_group.other')).toEqual([
      ['egress', { 'prod is true': 'absent', 'prod is false': '10.0.0.0/8' }, undefined],
    ]);
  });
});

describe('the policy that an attachment names', () => {
  const role = instance('aws_iam_role.it', { name: 'it' });
  const allow = '{"Statement":[{"Effect":"Allow","Action":"a:A","Resource":"*"}]}';
  const declared = (name: string, stack = 'root', label = name) =>
    instance(`aws_iam_policy.${label}`, { name, policy: allow }, { stack });
  const attached = (arn: Written, ...others: Instance[]) =>
    readOne('role', 'aws_iam_role.it', [
      role,
      ...others,
      instance('aws_iam_role_policy_attachment.x', { role: 'it', policy_arn: arn }),
    ]).policies.map((policy) => (policy.kind === 'managed' ? show(policy.arn) : `-> ${policy.name}`));

  it.each<[Written, unknown]>([
    ['arn:aws:iam::111122223333:policy/own', '-> aws_iam_policy.own'],
    ['arn:aws-cn:iam::111122223333:policy/a/b/own', '-> aws_iam_policy.own'],
    [
      new Unknown('of an account', at('policy_arn'), 'arn:aws:iam::${local.account}:policy/own'),
      '-> aws_iam_policy.own',
    ],
    ['arn:aws:iam::aws:policy/own', 'arn:aws:iam::aws:policy/own'],
    ['arn:aws:iam::111122223333:policy/other', 'arn:aws:iam::111122223333:policy/other'],
    ['x arn:aws:iam::111122223333:policy/own', 'x arn:aws:iam::111122223333:policy/own'],
    ['arn:aws:iam::111122223333:role/own', 'arn:aws:iam::111122223333:role/own'],
  ])('by %j', (arn, expected) => {
    expect(attached(arn, declared('own'))).toEqual([expected]);
  });

  it('is none of two of that name, and none of another stack', () => {
    const arn = 'arn:aws:iam::111122223333:policy/own';
    expect(attached(arn, declared('own', 'root', 'a'), declared('own', 'root', 'b'))).toEqual([arn]);
    expect(attached(arn, declared('own', 'other'))).toEqual([arn]);
    expect(attached(arn, declared('own', 'other', 'a'), declared('own', 'root', 'b'))).toEqual(['-> aws_iam_policy.b']);
  });

  it('is one of AWS only where the data source of policies finds it', () => {
    const name = 'AmazonEKS_CNI_Policy';
    const found = instance('data.aws_iam_policy.cni', { name });
    const role = instance('data.aws_iam_role.cni', { name });
    const made = instance('aws_iam_group.cni', { name });
    const arn = `arn:aws:iam::aws:policy/${name}`;
    expect(attached(ref(found, 'arn'), found)).toEqual([arn]);
    expect(attached(ref(found, 'id'), found)).toEqual([arn]);
    expect(attached(ref(found, 'policy_id'), found)).toEqual(['?${data.aws_iam_policy.cni.policy_id}']);
    expect(attached(ref(role, 'arn'), role)).toEqual(['?${data.aws_iam_role.cni.arn}']);
    expect(attached(ref(made, 'arn'), made)).toEqual(['?${aws_iam_group.cni.arn}']);
  });
});

/** What is wanted of the data source that looks up the version of an add-on, or why that isn't told. */
function wanted({ versionLookup: lookup }: Addon): unknown {
  if (lookup === undefined) return undefined;
  return lookup.kind === 'known' ? lookup.value.wanted : show(lookup);
}

describe('the version of an add-on that a data source looks up', () => {
  const lookup = (attributes: Written) => instance('data.aws_eks_addon_version.v', attributes);
  const read = (found: Instance, attribute = 'version') => {
    const addon = readOne('addon', 'aws_eks_addon.cni', [
      found,
      instance('aws_eks_addon.cni', { addon_version: ref(found, attribute) }),
    ]);
    return [show(addon.version), wanted(addon)];
  };

  it.each<[Written, unknown]>([
    [{ most_recent: true }, ['absent', 'newest']],
    [{ most_recent: false }, ['absent', 'default']],
    [{}, ['absent', 'default']],
    [{ most_recent: unknown('var.newest') }, ['absent', '?${var.newest}']],
  ])('%j', (attributes, expected) => {
    expect(read(lookup(attributes))).toEqual(expected);
  });

  it('is only its version, of that data source', () => {
    expect(read(lookup({ most_recent: true }), 'id')[1]).toBe('absent');
    expect(read(instance('data.aws_eks_cluster.v', { most_recent: true }))[1]).toBe('absent');
    expect(read(instance('aws_eks_addon_version.v', { most_recent: true }))[1]).toBe('absent');
  });

  const planned = (references: readonly string[], addresses: readonly string[], addon = 'aws_eks_addon.cni') => {
    const plan = planText(
      [
        ...addresses.map((address) =>
          change(address, { after: { version: 'v1', most_recent: address.includes('"n"') } }),
        ),
        change(addon, { after: { addon_version: 'v1' } }),
      ],
      { resources: [configured('aws_eks_addon.cni', { addon_version: refers(...references) })] },
    );
    const [found] = readInstances(readPlan(plan, 'p.json').instances).filter((one) => one.kind === 'addon');
    return found === undefined ? undefined : wanted(found);
  };
  const VERSION = 'data.aws_eks_addon_version.v';

  it.each<[readonly string[], readonly string[], string | undefined, string]>([
    [[`${VERSION}.version`], [VERSION], undefined, 'default'],
    [[VERSION, 'each.key'], [`${VERSION}["o"]`, `${VERSION}["n"]`], 'aws_eks_addon.cni["n"]', 'newest'],
    [[VERSION, 'each.key'], [`${VERSION}["n"]`, `${VERSION}["o"]`], 'aws_eks_addon.cni["o"]', 'default'],
    [[VERSION, 'each.key'], [VERSION], 'aws_eks_addon.cni["o"]', 'default'],
    [[`${VERSION}.version`, 'var.version'], [VERSION], undefined, 'absent'],
    [['data.aws_eks_addon_version.other.version'], [VERSION], undefined, 'absent'],
    [['local.version'], [VERSION], undefined, 'absent'],
  ])('in a plan, by %j', (references, addresses, addon, expected) => {
    expect(planned(references, addresses, addon)).toBe(expected);
  });
});

describe('what an add-on waits for', () => {
  const nodes = readOne('node-group', 'aws_eks_node_group.n', [instance('aws_eks_node_group.n', {})]);
  const waits = (more: Parameters<typeof instance>[2]) =>
    readOne('addon', 'aws_eks_addon.cni', [instance('aws_eks_addon.cni', {}, more)]).waitsFor?.(nodes);

  it.each([
    [{ waitsFor: ['aws_eks_node_group.n'] }, true],
    [{ waitsFor: ['aws_eks_node_group'] }, true],
    [{ waitsFor: ['aws_eks_node_group.other', 'aws_eks_node_grou'] }, false],
    [{ mayWaitFor: ['aws_eks_node_group.n'] }, 'unknown'],
    [{ mayWaitFor: ['aws_eks_node_group.other'] }, false],
    [{}, false],
  ])('%j', (more, expected) => {
    expect(waits(more)).toBe(expected);
  });
});

describe('names of clusters', () => {
  const addonOf = (stack: string, ...others: Instance[]) =>
    target(
      readOne('addon', 'aws_eks_addon.cni', [
        ...others,
        instance('aws_eks_addon.cni', { cluster_name: 'main' }, { stack }),
      ]).cluster,
    );
  const named = (address: string, stack: string) => instance(address, { name: 'main' }, { stack });

  it('are looked for in the stack before others', () => {
    const a = named('aws_eks_cluster.a', 'a');
    const b = named('aws_eks_cluster.b', 'b');
    expect(addonOf('b', a, b)).toBe('-> aws_eks_cluster.b');
    expect(addonOf('c', a)).toBe('-> aws_eks_cluster.a');
    expect(addonOf('c', a, b)).toBe('main');
    expect(addonOf('a', a, named('aws_eks_cluster.c', 'a'))).toBe('main');
    expect(addonOf('root', cluster)).toBe('-> aws_eks_cluster.main');
  });
});

describe('what may put software into a cluster', () => {
  const reasons = (address: string, more: Parameters<typeof instance>[2] = {}) =>
    readOne('cluster', 'aws_eks_cluster.main', [cluster, instance(address, {}, more)]).otherInstallers;

  it.each([
    'null_resource.a',
    'aws_instance.a',
    'aws_cloudformation_stack.a',
    'aws_cloudformation_stack_set.a',
    'aws_codebuild_project.a',
    'aws_codepipeline.a',
    'aws_ssm_maintenance_window_task.a',
    'awscc_eks_capability.a',
    'kubernetes_deployment_v1.a',
    'kubernetes_job.a',
    'kubectl_apply_all.a',
    'flux_bootstrap_git.a',
  ])('%s', (address) => {
    expect(reasons(address)).toEqual([`${address} may install something`]);
  });

  it.each([
    'aws_s3_bucket.a',
    'aws_instances.a',
    'kubernetes_config_map.a',
    'kubernetes_deployments.a',
    'kubectl_manifest.a',
    'helm_release.a',
    'random_id.a',
    'tls_private_key.a',
    'data.aws_instance.a',
    'data.external.a',
    'module.eks.module.user_data.null_resource.validate_cluster_service_cidr[0]',
  ])('not %s', (address) => {
    expect(reasons(address)).toEqual([]);
  });

  it('a provisioner, and a module that is not here', () => {
    expect(reasons('aws_s3_bucket.a', { runsCommands: true })).toEqual([
      'a provisioner of aws_s3_bucket.a may install something',
    ]);
    expect(reasons('data.aws_s3_bucket.a', { runsCommands: true })).toEqual([]);
    expect(reasons('module.x.aws_a.b', { type: UNREAD_MODULE })).toEqual(["module.x.aws_a.b isn't here"]);
    expect(reasons('null_resource.a', { stack: 'other' })).toEqual([]);
  });
});
