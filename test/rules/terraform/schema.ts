import { RESOURCE_TABLES } from '../../../lib/eks/resources';
import { stepsOf, type Setting } from '../../../lib/eks/resources/table';
import { isMap } from './untranslatable';

/** Nested blocks of the resources that vectors use; every other object is the value of an attribute. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...RESOURCE_TABLES.flatMap(({ settings }) => Object.values<Setting>(settings).flatMap(blocksOf)),
  'capacity_reservation_specification',
  'capacity_reservation_target',
  'cpu_options',
  'egress',
  'enclave_options',
  'ingress',
  'inline_policy',
  'launch_template_specification',
  'memory_mib',
  'mixed_instances_policy',
  'monitoring',
  'override',
  'placement',
  'private_dns_name_options',
  'spot_options',
  'tag',
  'vcpu_count',
]);

/** Whether an argument is written as one or more blocks. */
export function isBlock(name: string, value: unknown): boolean {
  if (!BLOCKS.has(name)) return false;
  return isMap(value) || (Array.isArray(value) && value.every(isMap));
}

/** What a setting stands in, and itself if it is a block. */
function blocksOf(setting: Setting): readonly string[] {
  const { terraform } = setting;
  if (terraform === undefined) return [];
  const steps = stepsOf(terraform);
  const inner = 'settings' in setting ? Object.values(setting.settings).flatMap(blocksOf) : [];
  return [...('settings' in setting || setting.type === 'present' ? steps : steps.slice(0, -1)), ...inner];
}
