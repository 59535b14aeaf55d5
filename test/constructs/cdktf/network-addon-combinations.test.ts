import { Testing } from 'cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import { makeNetworkAddons, networkCombinations } from './network-addon-combinations';
import { newStack, type Arguments } from './stacks';

const { accepted, refused } = networkCombinations();

describe('ClusterNetworkAddons with options of which each value meets each of the others', () => {
  it('are enough to mean something', () => {
    expect(accepted.length).toBeGreaterThanOrEqual(45);
  });

  it.each(
    refused.map(({ combination, words }) => [Object.values(combination).join(', '), combination, words] as const),
  )('refuses %s', (_, combination, words) => {
    const stack = newStack();
    expect(() => {
      makeNetworkAddons(stack, combination);
      Testing.synth(stack, true);
    }).toThrow(words);
  });

  it.each(accepted.map((one) => [Object.values(one).join(', '), one] as const))('%s', (_, combination) => {
    const stack = newStack();
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
    // The agent of a cluster whose version nobody knows has the one that EKS takes.
    const unpinned = combination.cluster === 'of an unknown version' ? ['eks-pod-identity-agent'] : [];
    for (const addon of made) {
      expect(addon).toMatchObject({ preserve: true, resolve_conflicts_on_update: 'PRESERVE' });
      if (!unpinned.includes(String(addon['addon_name']))) expect(addon['addon_version']).toMatch(/^v\d/);
    }
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
  });
});
