/** What Pulumi calls an attribute that is no list of blocks. */
export function propertyOf(attribute: string): string {
  return attribute.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** The type in the id of a resource, behind those of what it is a part of: `eks:index:Cluster$aws:eks/cluster:Cluster::shop`. */
export function tokenIn(id: string): string {
  const [types = ''] = id.split('::');
  return types.slice(types.lastIndexOf('$') + 1);
}
