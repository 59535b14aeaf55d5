/** Type and name of an address: `module.a["x"].aws_eks_addon.cni[0]` is `aws_eks_addon`, `cni`. */
export function resourceName(address: string, type: string): string | undefined {
  const at = address.replace(/\[[^[\]]*\]$/, '');
  const name = at.slice(at.lastIndexOf('.') + 1);
  return at === `${type}.${name}` || at.endsWith(`.${type}.${name}`) ? name : undefined;
}
