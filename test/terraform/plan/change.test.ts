import { beforeOf, type Cluster, type EksResource, type NodeGroup } from '../../../lib/eks';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { change, configured, planText, refers, shown } from './plans';

interface Change {
  readonly actions?: readonly unknown[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly unknown?: unknown;
  readonly [key: string]: unknown;
}

/** The entry of `resource_changes` of one resource. */
function entry(
  address: string,
  { actions = ['update'], before = {}, after = {}, unknown = {}, ...more }: Change,
): Record<string, unknown> {
  return { ...change(address), change: { actions, before, after, after_unknown: unknown, ...more } };
}

function instanceOf(address: string, changed: Change) {
  const [instance] = readPlan(planText([entry(address, changed)]), 'plan.json').instances;
  if (instance === undefined) throw new Error('there is none');
  return instance;
}

const planned = (changed: Change) => instanceOf('aws_eks_cluster.main', changed).planned;

function resourcesOf(...entries: readonly unknown[]): readonly EksResource[] {
  return readInstances(readPlan(planText(entries), 'plan.json').instances);
}

describe('what a plan is about to do', () => {
  it.each([
    [['no-op'], 'none'],
    [['create'], 'create'],
    [['update'], 'update'],
    [['delete', 'create'], 'replace'],
    [['create', 'delete'], 'replace'],
    [['create', 'forget'], 'create'],
  ])('%j is %s', (actions, action) => {
    expect(planned({ actions })?.action).toBe(action);
  });

  it.each([[['read']], [[]], [['dance']], [[1, null]]])('%j is nothing that is known', (actions) => {
    expect(planned({ actions })).toBeUndefined();
  });

  it('is not told of data sources, states and what only planned_values hold', () => {
    expect(instanceOf('data.aws_eks_cluster.main', { actions: ['read'] }).planned).toBeUndefined();
    expect(instanceOf('data.aws_eks_cluster.main', { actions: ['no-op'] }).planned).toBeUndefined();
    const values = { root_module: { resources: [{ ...change('aws_eks_cluster.main'), values: { name: 'main' } }] } };
    expect(
      readPlan(
        JSON.stringify({ format_version: '1.0', terraform_version: '1.11.4', values }),
        'state.json',
      ).instances.map((instance) => instance.planned),
    ).toEqual([undefined]);
    expect(
      readPlan(planText([], {}, { planned_values: values }), 'plan.json').instances.map((instance) => instance.planned),
    ).toEqual([undefined]);
  });

  it('tells which attributes force a replacement, and what comes first', () => {
    const replace = {
      replace_paths: [
        ['ami_type'],
        ['launch_template', 0, 'id'],
        ['labels', 'a b'],
        ['ami_type'],
        [],
        'none',
        null,
        [null, 'version', {}],
      ],
    };
    expect(planned({ actions: ['delete', 'create'], ...replace })).toMatchObject({
      replacedBecause: ['ami_type', 'launch_template[0].id', 'labels["a b"]', 'version'],
      isCreatedFirst: false,
    });
    expect(planned({ actions: ['create', 'delete'], ...replace })?.isCreatedFirst).toBe(true);
    expect(planned({ actions: ['update'], ...replace })).toMatchObject({ replacedBecause: [], isCreatedFirst: false });
    expect(planned({ actions: ['delete', 'create'] })?.replacedBecause).toEqual([]);
  });

  it('is drift no change of the plan', () => {
    const drift = {
      resource_drift: [entry('aws_eks_cluster.main', { before: { version: '1.30' }, after: { version: '1.33' } })],
    };
    const plan = readPlan(
      planText(
        [
          entry('aws_eks_cluster.main', {
            actions: ['no-op'],
            before: { version: '1.33' },
            after: { version: '1.33' },
          }),
        ],
        {},
        drift,
      ),
      'plan.json',
    );
    expect(plan.instances.map((instance) => instance.planned?.action)).toEqual(['none']);
    expect(shown(plan.instances[0]?.planned?.before?.attributes ?? instanceOf('a.b', {}).attributes)).toEqual({
      version: '1.33',
    });
  });

  it('is told of changes that are put off to a later plan', () => {
    const plan = readPlan(
      planText(
        [],
        {},
        {
          deferred_changes: [
            {
              reason: 'unknown',
              resource_change: entry('aws_eks_cluster.main', {
                before: { version: '1.32' },
                after: { version: '1.33' },
              }),
            },
          ],
        },
      ),
      'plan.json',
    );
    expect(plan.instances[0]?.planned).toMatchObject({ action: 'update' });
  });
});

describe('what there is now', () => {
  it('has the attributes before the plan, sensitive ones unknown, at their own places', () => {
    const before = planned({
      before: { name: 'main', version: '1.32', tags: null, nested: [{ a: 'x', b: 'secret' }] },
      before_sensitive: { nested: [{ b: true }] },
      after: {},
      unknown: { version: true },
    })?.before;
    expect(before && shown(before.attributes)).toEqual({
      name: 'main',
      version: '1.32',
      tags: null,
      nested: [{ a: 'x', b: '?' }],
    });
    expect(before?.planned).toBeUndefined();
    expect(before?.address).toBe('aws_eks_cluster.main');
  });

  it('is nothing for what is created, and where the plan does not hold it', () => {
    expect(planned({ actions: ['create'], before: { name: 'main' } })?.before).toBeUndefined();
    expect(planned({ before: null })?.before).toBeUndefined();
    expect(planned({ before: 'main' })?.before).toBeUndefined();
  });

  it('has nothing to do with what the configuration says', () => {
    const text = planText(
      [
        entry('aws_eks_node_group.a', {
          before: { node_role_arn: 'x' },
          before_sensitive: { node_role_arn: true },
          unknown: { node_role_arn: true },
        }),
        change('aws_iam_role.nodes', { unknown: { arn: true } }),
      ],
      {
        resources: [
          configured('aws_eks_node_group.a', { node_role_arn: refers('aws_iam_role.nodes.arn'), ami_type: {} }),
          configured('aws_iam_role.nodes'),
        ],
      },
    );
    const [group] = readPlan(text, 'plan.json').instances;
    expect(group && shown(group.attributes)).toEqual({ node_role_arn: '?${aws_iam_role.nodes.arn}' });
    expect(group?.planned?.before && shown(group.planned.before.attributes)).toEqual({ node_role_arn: '?' });
  });

  it('is read into the model when a rule asks, once', () => {
    const [cluster] = resourcesOf(
      entry('aws_eks_cluster.main', { before: { version: '1.32' }, after: { version: '1.33' } }),
    ) as readonly [Cluster];
    expect(beforeOf(cluster)?.version).toMatchObject({ kind: 'known', value: '1.32' });
    expect(beforeOf(cluster)).toBe(beforeOf(cluster));
    expect(cluster.version).toMatchObject({ value: '1.33' });
    const [kept] = resourcesOf(entry('aws_eks_cluster.main', { actions: ['create'], before: null })) as readonly [
      Cluster,
    ];
    expect(beforeOf(kept)).toBeUndefined();
    expect(kept.planned?.action).toBe('create');
  });

  it('refers to resources as they are about to be', () => {
    const [cluster, group] = resourcesOf(
      entry('aws_eks_cluster.main', { before: { name: 'main' }, after: { name: 'main' } }),
      entry('aws_eks_node_group.a', { before: { cluster_name: 'main' }, after: { cluster_name: 'main' } }),
    ) as readonly [Cluster, NodeGroup];
    const now = beforeOf(group)?.cluster;
    expect(now?.kind === 'known' && now.value.target === cluster).toBe(true);
  });

  it('is never part of the resources, nor found by its name', () => {
    const resources = resourcesOf(
      entry('aws_eks_cluster.main', { actions: ['delete', 'create'], before: { name: 'old' }, after: { name: 'new' } }),
      entry('aws_eks_node_group.a', { after: { cluster_name: 'old' } }),
    ) as readonly [Cluster, NodeGroup];
    expect(resources).toHaveLength(2);
    const { cluster } = resources[1];
    expect(cluster.kind === 'known' && cluster.value.target).toBeUndefined();
  });
});
