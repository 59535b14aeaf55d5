import type { ModuleConfiguration } from './module-configuration';

/** By modules: a module may be called many times. */
const mentions = new WeakMap<ModuleConfiguration, ReadonlySet<string> | 'not known'>();

/**
 * Whether no text of a module has the address of one of its resources, `aws_iam_role.web`. A comment is a text, too: who writes there of a resource has plans
 * for it. Of a configuration in JSON that isn't known.
 */
export function isUnmentioned(address: string, configuration: ModuleConfiguration): boolean {
  let found = mentions.get(configuration);
  if (found === undefined) mentions.set(configuration, (found = addressesIn(configuration)));
  return found !== 'not known' && !found.has(address);
}

/** A resource of AWS as expressions write it: the block that declares it has a quote and a blank between type and name. */
const ADDRESS = /\baws_\w+\.[\w-]+/g;

function addressesIn({ files }: ModuleConfiguration): ReadonlySet<string> | 'not known' {
  const found = new Set<string>();
  for (const file of files) {
    const text = file.textOf?.({ start: 0, end: Number.MAX_SAFE_INTEGER });
    if (text === undefined) return 'not known';
    for (const [address] of text.matchAll(ADDRESS)) found.add(address);
  }
  return found;
}
