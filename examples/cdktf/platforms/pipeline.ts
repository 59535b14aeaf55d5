import type { App } from 'cdktf';
import { ClusterNetworkAddons, CoreDnsAddon, ManagedNodeGroup } from 'eks-guardrails/cdktf';
import { ClusterStack } from './cluster-stack';

/**
 * One environment, in two stacks. The nodes wait for the stack of the add-ons, whose CNI has a role of its own, and CoreDNS comes with the nodes. Both stand in the app
 * itself, with ids of their own: CDKTF finds stacks for which others wait nowhere else, and calls their folders by the ids alone.
 */
function addEnvironment(app: App, name: string): void {
  const control = new ClusterStack(app, `${name}-Control`);
  const cluster = control.addCluster({ name });
  new ClusterNetworkAddons(control, 'Network', { cluster, coreDns: false });

  const nodes = new ClusterStack(app, `${name}-Nodes`);
  new ManagedNodeGroup(nodes, 'Workers', { cluster, subnets: nodes.subnets });
  new CoreDnsAddon(nodes, 'CoreDns', { cluster });
}

/** Environments that a pipeline deploys one after the other: `cdktf deploy 'Staging-*'`, then `'Production-*'`. */
export function addPipeline(app: App): void {
  for (const name of ['Staging', 'Production']) addEnvironment(app, name);
}
