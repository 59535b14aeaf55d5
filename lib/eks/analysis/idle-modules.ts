import type { Cluster } from '../model/resources';

/** Whether a cluster is declared by a module of Terraform that nothing calls: it has no name there, because a variable has no value. */
export function isOfIdleModule({ name, stack }: Cluster): boolean {
  return name.kind === 'unknown' && OF_MODULE.test(stack) && NO_VALUE.test(name.reason);
}

const OF_MODULE = /(?:^|[\\/])modules?[\\/]/;
const NO_VALUE = /^variable [\w-]+ has no default/;
