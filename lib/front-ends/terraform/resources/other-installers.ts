import { UNREAD_MODULE } from '../../../terraform/module/unread-module';
import type { TerraformInstance } from '../../../terraform/instance';
import type { Registry } from './registry';
import { waitsFor } from './waits-for';

/** Providers whose resources put nothing into a cluster, or are looked at one by one. */
const HARMLESS: ReadonlySet<string> = new Set([
  'archive',
  'aws',
  'awscc',
  'cloudinit',
  'external',
  'helm',
  'http',
  'kubectl',
  'kubernetes',
  'local',
  'random',
  'template',
  'time',
  'tls',
]);

/** Types of those providers that run commands of the user's, or software that isn't told. */
const RUNS_COMMANDS =
  /^(?:aws_(?:cloudformation_stack|cloudformation_stack_set|codebuild_\w+|codepipeline|eks_capability|instance|lambda_invocation|sfn_state_machine|spot_instance_request|ssm_association|ssm_maintenance_window\w*)|awscc_eks_capability|kubernetes_(?:cron_job|daemonset|daemon_set|deployment|job|pod|stateful_set)(?:_v\d\w*)?|kubectl_(?:apply\w*|path_documents|filename_list))$/;

/** A check of terraform-aws-modules/eks, in `modules/_user_data`, which a plan shows. */
const OWN_CHECK = /\bnull_resource\.validate_cluster_service_cidr\b/;

const memo = new WeakMap<Registry, Map<string, readonly string[]>>();

/** What of a stack may put software into its clusters, and can't be looked into. */
export function otherInstallersOf(stack: string, registry: Registry): readonly string[] {
  let byStack = memo.get(registry);
  if (byStack === undefined) memo.set(registry, (byStack = new Map<string, readonly string[]>()));
  let found = byStack.get(stack);
  if (found === undefined)
    byStack.set(
      stack,
      (found = registry.all.flatMap((instance) => (instance.stack === stack ? (reasonOf(instance) ?? []) : []))),
    );
  return found;
}

/** Those of {@link otherInstallersOf} that wait for what has an address. */
export function installersAfter(stack: string, registry: Registry, address: string): readonly string[] {
  return registry.all.flatMap((instance) =>
    instance.stack === stack && waitsFor(instance, address) === true ? (reasonOf(instance) ?? []) : [],
  );
}

/** Workloads that run on and on, as opposed to jobs, which may do anything. */
const WORKLOADS = /^kubernetes_(?:daemonset|daemon_set|deployment|stateful_set)(?:_v\d\w*)?$/;

/** Names of what a cluster's network is made of, or may be. Sources: those of the manifests and charts of these projects. */
const OF_NETWORK =
  /aws-node|kube-proxy|coredns|kube-dns|cni|cilium|calico|tigera|antrea|weave|flannel|canal|kube-router|multus/i;

/** Those of {@link otherInstallersOf} that are workloads under names that are known, and are none of the cluster's network. */
export function otherWorkloadsOf(stack: string, registry: Registry): readonly string[] {
  const all = new Set(otherInstallersOf(stack, registry));
  return registry.all.flatMap((instance) => {
    if (instance.stack !== stack || !WORKLOADS.test(instance.type) || instance.runsCommands === true) return [];
    const reason = reasonOf(instance);
    const name = registry.text(instance, 'metadata', 'name');
    const isOther = reason !== undefined && all.has(reason) && name.kind === 'known' && !OF_NETWORK.test(name.value);
    return isOther ? [reason] : [];
  });
}

function reasonOf(instance: TerraformInstance): string | undefined {
  const { address, mode, type, runsCommands } = instance;
  if (type === UNREAD_MODULE) return `${address} isn't here`;
  if (mode === 'data' || OWN_CHECK.test(address)) return undefined;
  if (runsCommands === true) return `a provisioner of ${address} may install something`;
  const provider = type.split('_', 1)[0] ?? type;
  return !HARMLESS.has(provider) || RUNS_COMMANDS.test(type) ? `${address} may install something` : undefined;
}
