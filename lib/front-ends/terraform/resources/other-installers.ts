import { UNREAD_MODULE } from '../../../terraform/module/unread-module';
import type { TerraformInstance } from '../../../terraform/instance';
import type { Registry } from './registry';

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

function reasonOf(instance: TerraformInstance): string | undefined {
  const { address, mode, type, runsCommands } = instance;
  if (type === UNREAD_MODULE) return `${address} isn't here`;
  if (mode === 'data' || OWN_CHECK.test(address)) return undefined;
  if (runsCommands === true) return `a provisioner of ${address} may install something`;
  const provider = type.split('_', 1)[0] ?? type;
  return !HARMLESS.has(provider) || RUNS_COMMANDS.test(type) ? `${address} may install something` : undefined;
}
