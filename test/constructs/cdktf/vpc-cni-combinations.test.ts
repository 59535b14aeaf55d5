import fc from 'fast-check';
import { TerraformStack, Testing, TerraformVariable } from 'cdktf';
import {
  ConstructionError,
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodSecurityGroupMode,
  ResolveConflicts,
  VpcCniAddon,
  type ICluster,
  type VpcCniAddonProps,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { ipv6, newCluster, newStack } from './stacks';
import { itWithAll, runs } from '../../share';

type Options = Omit<VpcCniAddonProps, 'cluster'>;

const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
const customNetworking = {
  subnets: subnets.map((subnet, index) => ({ subnet, availabilityZone: `eu-west-1${'ab'.charAt(index)}` })),
};
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const optionSets = fc.record({
  podSecurityGroups: maybe(fc.constantFrom({}, { mode: PodSecurityGroupMode.STANDARD })),
  prefixDelegation: maybe(fc.constantFrom({}, { warmPrefixTarget: 0 }, { warmPrefixTarget: 2 })),
  networkPolicy: maybe(fc.constantFrom({}, { mode: NetworkPolicyMode.STRICT })),
  customNetworking: maybe(fc.constant(customNetworking)),
  warmTargets: maybe(
    fc.constantFrom(
      { warmIpTarget: 2 },
      { warmIpTarget: 2, minimumIpTarget: 8 },
      { warmEniTarget: 0, maxEni: 3 },
      { maxEni: 1 },
    ),
  ),
  windowsIpam: maybe(fc.boolean()),
  useNodeRole: maybe(fc.boolean()),
  takeOver: maybe(fc.boolean()),
  conflicts: maybe(fc.constantFrom(ResolveConflicts.NONE, ResolveConflicts.OVERWRITE, ResolveConflicts.PRESERVE)),
  isToken: fc.boolean(),
  version: maybe(fc.constantFrom('v1.19.0-eksbuild.1', 'v1.20.4-eksbuild.2', 'v1.21.1-eksbuild.3')),
  cluster: fc.constantFrom<'own' | 'ipv6' | 'elsewhere'>('own', 'own', 'ipv6', 'elsewhere'),
  hasNodes: fc.boolean(),
});

type OptionSet = typeof optionSets extends fc.Arbitrary<infer T> ? T : never;

function make({ conflicts, isToken, cluster: kind, hasNodes, ...options }: OptionSet): TerraformStack {
  const stack = newStack();
  const cluster: ICluster =
    kind === 'elsewhere'
      ? { clusterName: 'main', kubernetesVersion: '1.34' }
      : newCluster(stack, kind === 'ipv6' ? ipv6 : {});
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
  const snat = isToken ? new TerraformVariable(stack, 'snat', { type: 'string' }).stringValue : 'true';
  if (hasNodes)
    new ManagedNodeGroup(stack, 'Nodes', { cluster, subnets, instanceTypes: ['m6i.large'], kubernetesVersion: '1.34' });
  new VpcCniAddon(stack, 'Cni', {
    cluster,
    ...set,
    ...(conflicts === undefined ? {} : { resolveConflicts: conflicts }),
    ...(conflicts === undefined || conflicts === ResolveConflicts.PRESERVE
      ? {}
      : { resolveConflictsReason: 'so it was decided' }),
    ...(kind === 'elsewhere' ? { podIdentityAgent: PodIdentityAgent.INSTALL } : {}),
    env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: snat },
  });
  return stack;
}

itWithAll('every combination of options either is refused, or passes every rule', () => {
  let passed = 0;
  fc.assert(
    fc.property(optionSets, (options) => {
      let stack: TerraformStack;
      try {
        stack = make(options);
      } catch (error) {
        if (error instanceof ConstructionError) return;
        throw error;
      }
      try {
        Testing.synth(stack, true);
      } catch (error) {
        expect(String(error)).toContain('Validation failed');
        return;
      }
      const { resources, diagnostics } = readTerraformStacks([
        {
          name: 'Test',
          constructPath: 'Test',
          app: 'cdktf.out',
          file: 'cdk.tf.json',
          content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
        },
      ]);
      expect(diagnostics).toEqual([]);
      expect(resources.map(({ kind }) => kind)).toContain('addon');
      const failed = runRules(new EksModel(resources), allRules)
        .filter(
          ({ verdict, severity, suppressed }) => verdict === 'fail' && severity !== 'info' && suppressed === undefined,
        )
        // The clusters are scenery, and `useNodeRole` is what a rule advises against.
        .filter(
          ({ resource, rule }) =>
            resource.type !== 'aws_eks_cluster' && !(options.useNodeRole === true && rule === 'vpc-cni-role-missing'),
        );
      expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
      passed++;
    }),
    { numRuns: runs(80) },
  );
  expect(passed).toBeGreaterThan(20);
});
