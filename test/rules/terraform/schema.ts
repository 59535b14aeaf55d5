import { isMap } from './untranslatable';

/** Nested blocks of the resources that vectors use; every other object is the value of an attribute. */
const BLOCKS: ReadonlySet<string> = new Set([
  'access_config',
  'block_device_mappings',
  'capacity_reservation_specification',
  'capacity_reservation_target',
  'compute_config',
  'cpu_options',
  'ebs',
  'egress',
  'enclave_options',
  'hibernation_options',
  'iam_instance_profile',
  'ingress',
  'inline_policy',
  'instance_market_options',
  'instance_requirements',
  'kubernetes_network_config',
  'launch_template',
  'launch_template_specification',
  'memory_mib',
  'metadata_options',
  'mixed_instances_policy',
  'monitoring',
  'network_interfaces',
  'outpost_config',
  'override',
  'placement',
  'pod_identity_association',
  'private_dns_name_options',
  'remote_access',
  'scaling_config',
  'selector',
  'spot_options',
  'tag',
  'tag_specifications',
  'taint',
  'update_config',
  'upgrade_policy',
  'vcpu_count',
  'vpc_config',
]);

/** Whether an argument is written as one or more blocks. */
export function isBlock(name: string, value: unknown): boolean {
  if (!BLOCKS.has(name)) return false;
  return isMap(value) || (Array.isArray(value) && value.every(isMap));
}
