import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import fc from 'fast-check';
import { TerraformStack, Testing } from 'cdktf';
import {
  ClusterAutoscalerRole,
  ConstructionError,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  KarpenterRoles,
  LoadBalancerControllerRole,
  PodIdentityAgent,
  PodIdentityKind,
  type PodRoleProps,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { ZONE } from './controller-role-cases';
import { newCluster, newStack } from './stacks';
import { itWithAll, runs } from '../../share';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const arn = 'arn:aws:iam::111122223333:policy/more';

const optionSets = fc.record({
  kind: fc.constantFrom('controller', 'dns', 'ebs', 'efs', 'autoscaler', 'karpenter'),
  cluster: fc.constantFrom('own', 'own with a region', 'elsewhere'),
  identity: maybe(fc.constantFrom(PodIdentityKind.IRSA, PodIdentityKind.POD_IDENTITY)),
  association: maybe(fc.boolean()),
  podIdentityAgent: maybe(fc.constantFrom(PodIdentityAgent.INSTALL, PodIdentityAgent.MANAGED_ELSEWHERE)),
  namespace: maybe(fc.constantFrom('platform', 'Platform*')),
  serviceAccount: maybe(fc.constant('mine')),
  managedPolicies: maybe(fc.constant([{ arn }])),
  permissionsBoundary: maybe(fc.constant({ arn })),
  special: fc.boolean(),
});

type OptionSet = typeof optionSets extends fc.Arbitrary<infer T> ? T : never;

function make({ kind, cluster: where, special, ...options }: OptionSet): TerraformStack {
  const stack = newStack();
  const own = newCluster(stack, { accessConfig: { authenticationMode: 'API' } });
  if (where === 'own with a region') own.addOverride('region', 'eu-central-1');
  new IamOpenidConnectProvider(stack, 'Oidc', {
    url: own.identity.get(0).oidc.get(0).issuer,
    clientIdList: ['sts.amazonaws.com'],
  });
  const vpcId = 'vpc-0123456789abcdef0';
  const cluster = where === 'elsewhere' ? { clusterName: 'elsewhere', kubernetesVersion: '1.34', vpcId } : own;
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const props: PodRoleProps = { cluster, ...set };
  const makers = {
    controller: () =>
      new LoadBalancerControllerRole(stack, 'Role', { ...props, ...(special ? { version: '2.8.3' } : {}) }),
    dns: () => new ExternalDnsRole(stack, 'Role', { ...props, hostedZones: [{ zoneId: ZONE }], zoneTags: special }),
    ebs: () =>
      new EbsCsiDriverRole(stack, 'Role', { ...props, ...(special ? { volumes: EbsVolumeScope.CLUSTER } : {}) }),
    efs: () => new EfsCsiDriverRole(stack, 'Role', props),
    autoscaler: () => new ClusterAutoscalerRole(stack, 'Role', props),
    karpenter: () =>
      new KarpenterRoles(stack, 'Role', {
        ...props,
        ...(special ? { version: '1.8.0', interruptionQueue: false } : {}),
        ...(where === 'elsewhere' ? { accessEntry: false } : {}),
      }),
  };
  makers[kind]();
  return stack;
}

itWithAll('every combination of options of a role either is refused, or passes every rule', () => {
  const passed = new Set<string>();
  let refused = 0;
  fc.assert(
    fc.property(optionSets, (options) => {
      let stack: TerraformStack;
      try {
        stack = make(options);
      } catch (error) {
        if (!(error instanceof ConstructionError)) throw error;
        refused++;
        return;
      }
      Testing.synth(stack, true);
      const content = JSON.parse(JSON.stringify(stack.toTerraform())) as unknown;
      const { resources, diagnostics } = readTerraformStacks([
        { name: 'Test', constructPath: 'Test', app: 'cdktf.out', file: 'cdk.tf.json', content },
      ]);
      expect(diagnostics).toEqual([]);
      const failed = runRules(new EksModel(resources), allRules, { preset: 'strict' })
        .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
        // The cluster and its role are scenery.
        .filter(({ resource, rule }) => resource.type !== 'aws_eks_cluster' && !rule.startsWith('cluster-'));
      expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
      passed.add(options.kind);
    }),
    { numRuns: runs(120) },
  );
  expect([...passed].sort()).toEqual(['autoscaler', 'controller', 'dns', 'ebs', 'efs', 'karpenter']);
  expect(refused).toBeGreaterThan(10);
});
