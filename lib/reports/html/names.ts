import { resourceName, type Resource, type Value } from '../../eks';

/** Names that say nothing: the CDK and modules of Terraform call what they make for somebody so. */
const SAYS_NOTHING = new Set(['this', 'main', 'default', 'self', 'Resource', 'Default']);

/** What Terraform puts behind a prefix, so that no name is there twice: a time and a counter. */
const GENERATED = /[-_.]?\d{18}[\da-f]{8}$/;

/** Longest name of which the scope is told, too. */
const MOST_WITH_SCOPE = 34;

/** Modules and resources of an address: `eks_managed_node_group["gpu"]`, `aws_eks_node_group.this[0]`. */
const PART = /\.?(?:module\.|(?:data\.)?[a-z][a-z\d]*_\w+\.)([\w-]+)(?:\[(?:"([^"\]]*)"|(\d+))\])?/gy;

/**
 * The name that people gave: what is written as name, the key of an instance, or what the code calls it. `gpu` for
 * `module.eks.module.eks_managed_node_group["gpu"].aws_eks_node_group.this[0]`. The whole name is told beside it.
 */
export function givenName(resource: Resource, name?: Value<string>): string {
  const written = name?.kind === 'known' ? name.value.replace(GENERATED, '') : '';
  if (written !== '') return written;
  return resource.path === undefined ? ofAddress(resource.id, resource.type) : ofPath(resourceName(resource));
}

/** The last part of an address with a key or a name of its own; the card says the type already. */
export function ofAddress(id: string, type = ''): string {
  const plain = type === '' ? id : id.replace(`${type}.`, '');
  const parts = [...id.matchAll(PART)];
  // What isn't made of such parts is no address.
  if (parts.reduce((sum, [part]) => sum + part.length, 0) !== id.length) return plain;
  for (const [, label = '', key = '', index] of parts.reverse()) {
    if (key !== '') return SAYS_NOTHING.has(key) ? label : key;
    if (!SAYS_NOTHING.has(label)) return index === undefined ? label : `${label}[${index}]`;
  }
  return plain;
}

/** The construct and the scope around it, without the stack. */
function ofPath(path: string): string {
  const parts = path.split('/');
  while (parts.length > 1 && SAYS_NOTHING.has(parts.at(-1) ?? '')) parts.pop();
  const [last = '', scope] = (parts.length > 1 ? parts.slice(1) : parts).reverse();
  const whole = scope === undefined ? last : `${scope}/${last}`;
  return whole.length <= MOST_WITH_SCOPE ? whole : last;
}
