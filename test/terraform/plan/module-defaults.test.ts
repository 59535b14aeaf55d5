import { EksModel } from '../../../lib/eks';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { runRules } from '../../../lib/engine';
import { addonVersion } from '../../../lib/rules/addon/addon-version';
import { vpcCniResolveConflicts } from '../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { change, configured, refers } from './plans';

const FOR_EACH = { for_each_expression: refers('var.addons', 'local.create') };
const EXPRESSIONS = {
  addon_name: refers('each.value.name', 'each.key'),
  resolve_conflicts_on_update: refers('each.value.resolve_conflicts_on_update', 'each.value'),
};
const MODULE = { resources: [configured('aws_eks_addon.this', EXPRESSIONS, FOR_EACH)], variables: { addons: {} } };

interface Call {
  readonly source?: string;
  /** The argument `addons`; undefined if none is given. */
  readonly addons?: unknown;
  /** The value of variable `addons` of the root module. */
  readonly variable?: unknown;
}

/** The severity of an add-on with OVERWRITE in a module. */
function severityOf({ source = 'terraform-aws-modules/eks/aws', addons, variable }: Call): string | undefined {
  const after = {
    cluster_name: 'demo',
    addon_name: 'vpc-cni',
    addon_version: 'v1.20.4-eksbuild.1',
    resolve_conflicts_on_update: 'OVERWRITE',
  };
  const plan = {
    format_version: '1.2',
    ...(variable === undefined ? {} : { variables: { addons: { value: variable } } }),
    planned_values: { root_module: {} },
    resource_changes: [change('module.eks.aws_eks_addon.this["vpc-cni"]', { after })],
    configuration: {
      root_module: {
        module_calls: { eks: { source, expressions: addons === undefined ? {} : { addons }, module: MODULE } },
        variables: { addons: {} },
      },
    },
  };
  const { instances, diagnostics } = readPlan(JSON.stringify(plan), 'plan.json');
  expect(diagnostics).toEqual([]);
  const [finding] = runRules(new EksModel(readInstances(instances)), [vpcCniResolveConflicts]);
  return finding?.severity;
}

describe('what a module takes by default, in a plan', () => {
  test.each<[string, Call, string]>([
    ['an entry without the mode', { addons: { constant_value: { 'vpc-cni': {} } } }, 'warning'],
    [
      'an entry with the mode',
      { addons: { constant_value: { 'vpc-cni': { resolve_conflicts_on_update: 'OVERWRITE' } } } },
      'error',
    ],
    [
      'the mode of another entry',
      { addons: { constant_value: { 'vpc-cni': {}, coredns: { resolve_conflicts_on_update: 'OVERWRITE' } } } },
      'warning',
    ],
    ['no argument', {}, 'warning'],
    [
      'an argument that refers to something, so that the rest of it is not told',
      { addons: refers('module.role.arn') },
      'warning',
    ],
    [
      'a variable with the mode',
      { addons: refers('var.addons'), variable: { 'vpc-cni': { resolve_conflicts_on_update: 'OVERWRITE' } } },
      'error',
    ],
    ['a variable without the mode', { addons: refers('var.addons'), variable: { 'vpc-cni': {} } }, 'warning'],
    [
      "a folder of the user's own, whatever it is given",
      { source: './eks', addons: { constant_value: { 'vpc-cni': {} } } },
      'error',
    ],
  ])('%s', (_, call, severity) => {
    expect(severityOf(call)).toBe(severity);
  });
});

describe('a version that a module looks up, in a plan that knows what was found', () => {
  const LOOKUP = 'module.eks.data.aws_eks_addon_version.this["vpc-cni"]';

  function messagesFor(addons: unknown): readonly (string | undefined)[] {
    const expressions = {
      ...EXPRESSIONS,
      addon_version: refers('each.value.addon_version', 'each.value', 'data.aws_eks_addon_version.this', 'each.key'),
    };
    const module = {
      resources: [
        configured('aws_eks_addon.this', expressions, FOR_EACH),
        configured('data.aws_eks_addon_version.this', {}, FOR_EACH),
      ],
      variables: { addons: {} },
    };
    const after = { cluster_name: 'demo', addon_name: 'vpc-cni', addon_version: 'v1.20.4-eksbuild.1' };
    const plan = {
      format_version: '1.2',
      planned_values: { root_module: {} },
      resource_changes: [
        change('module.eks.aws_eks_addon.this["vpc-cni"]', { after }),
        change(LOOKUP, {
          mode: 'data',
          actions: ['read'],
          after: { addon_name: 'vpc-cni', most_recent: true, version: 'v1.20.4-eksbuild.1' },
        }),
      ],
      configuration: {
        root_module: {
          module_calls: { eks: { source: 'terraform-aws-modules/eks/aws', expressions: { addons }, module } },
        },
      },
    };
    const { instances } = readPlan(JSON.stringify(plan), 'plan.json');
    return runRules(new EksModel(readInstances(instances)), [addonVersion]).flatMap(({ verdict, messageId }) =>
      verdict === 'fail' ? [messageId] : [],
    );
  }

  test('is told as in the configuration, unless the call names it or may', () => {
    expect(messagesFor({ constant_value: { 'vpc-cni': {} } })).toEqual(['looked-up-cni']);
    expect(messagesFor({ constant_value: { 'vpc-cni': { addon_version: 'v1.20.4-eksbuild.1' } } })).toEqual([]);
    expect(messagesFor(refers('module.role.arn'))).toEqual([]);
  });
});
