import { App, Testing } from 'cdktf';
import { ConstructionError } from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { makeNetworkAddons, pairwiseCombinations, type Combination } from './network-addon-combinations';
import { newStack, type Arguments } from './stacks';

/** What the construct says to combinations that it refuses. */
function refusalOf(id: string, combination: Combination): string | undefined {
  try {
    const stack = newStack('eu-west-1', new App(), id);
    makeNetworkAddons(stack, combination);
    Testing.synth(stack, true);
    return undefined;
  } catch (error) {
    if (error instanceof ConstructionError || String(error).includes('Validation failed')) return String(error);
    throw error;
  }
}

describe('ClusterNetworkAddons with options of which each value meets each of the others', () => {
  const combinations = pairwiseCombinations();
  const refusals = combinations.map((one, index) => refusalOf(`Test${index}`, one));

  it('are enough to mean something', () => {
    expect(combinations.length).toBeGreaterThanOrEqual(54);
    expect(refusals.filter((one) => one === undefined).length).toBeGreaterThan(30);
  });

  it.each(combinations.map((one, index) => [index, Object.values(one).join(', '), one] as const))(
    '%s: %s',
    (index, _, combination) => {
      const stack = newStack('eu-west-1', new App(), `Test${index}`);
      const refusal = refusals[index];
      if (refusal !== undefined) {
        expect(REASONS.filter(([applies]) => applies(combination)).map(([, reason]) => reason.test(refusal))).toContain(
          true,
        );
        return;
      }
      const addons = makeNetworkAddons(stack, combination);
      const { resource } = JSON.parse(Testing.synth(stack, true)) as {
        resource: Record<string, Record<string, Arguments>>;
      };
      const made = Object.values(resource['aws_eks_addon'] ?? {});
      expect(made.map((addon) => addon['addon_name']).sort()).toEqual(
        [
          ...(combination.coreDns === 'none' ? [] : ['coredns']),
          ...(combination.agent === 'elsewhere' ? [] : ['eks-pod-identity-agent']),
          'kube-proxy',
          'vpc-cni',
        ].sort(),
      );
      for (const addon of made)
        expect(addon).toMatchObject({
          addon_version: expect.stringMatching(/^v\d/) as string,
          preserve: true,
          resolve_conflicts_on_update: 'PRESERVE',
        });
      // Nodes wait for the CNI and kube-proxy, and CoreDNS for the nodes.
      const [nodes] = Object.entries(resource['aws_eks_node_group'] ?? {});
      if (nodes !== undefined) {
        const waits = nodes[1]['depends_on'];
        for (const addon of [addons.vpcCni.addon, addons.kubeProxy])
          expect(waits).toContain(`aws_eks_addon.${addon.friendlyUniqueId}`);
        if (addons.coreDns !== undefined)
          expect(made.find((addon) => addon['addon_name'] === 'coredns')?.['depends_on']).toContain(
            `aws_eks_node_group.${nodes[0]}`,
          );
      }
      const { resources, diagnostics } = readTerraformStacks([
        {
          name: stack.node.id,
          constructPath: stack.node.path,
          app: 'cdktf.out',
          file: 'cdk.tf.json',
          content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
        },
      ]);
      expect(diagnostics).toEqual([]);
      const failed = runRules(new EksModel(resources), allRules).filter(
        ({ rule, verdict, severity, suppressed, resource: { type } }) =>
          verdict === 'fail' &&
          severity !== 'info' &&
          suppressed === undefined &&
          // The clusters are scenery, and a version of kube-proxy that somebody has pinned is older than the newest one.
          type !== 'aws_eks_cluster' &&
          !(rule === 'kube-proxy-version-skew' && combination.cluster === 'newest'),
      );
      expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    },
  );
});

/** What may be refused, and by which words. */
const REASONS: readonly (readonly [(one: Combination) => boolean, RegExp])[] = [
  [
    ({ cluster }) => cluster === 'of an unknown version',
    /set (?:(?:kubeProxy|vpcCni)\.)?version, or kubernetesVersion/,
  ],
  [({ cluster, vpcCni }) => cluster === 'IPv6' && vpcCni === 'prefixes', /prefixDelegation is set .* leave it out/],
  [({ cluster, vpcCni }) => cluster === 'IPv6' && vpcCni === 'custom networking', /customNetworking is set .* ipv6/],
  [({ cluster, vpcCni }) => cluster === 'IPv6' && vpcCni === 'an old version', /warmTargets is set .* leave them out/],
  [({ cluster, vpcCni }) => cluster === 'IPv6' && vpcCni === 'Windows', /windowsIpam is set .* ipv6/],
  [
    ({ vpcCni, kubeProxy }) => vpcCni === 'groups for pods' && kubeProxy === 'values',
    /kubeProxy\.configurationValues\.mode is ipvs, and vpcCni\.podSecurityGroups has the mode STRICT/,
  ],
];
