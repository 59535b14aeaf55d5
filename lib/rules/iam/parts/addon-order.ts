import type { Addon, AnyNodeGroup, ClusterView, Role } from '../../../eks';

/** An add-on, and nodes that it may come before. */
interface Order {
  readonly addon: Addon | undefined;
  readonly nodeGroup: AnyNodeGroup;
  readonly view: ClusterView;
}

/** How an add-on comes before the nodes, in the words of the place; undefined where its module leaves no way. @param role that of the nodes */
export function orderOf(role: Role, { addon, nodeGroup, view: { cluster } }: Order): string | undefined {
  const inputs = addon?.moduleInputs;
  if (inputs === undefined)
    return (role.moduleInputs === undefined ? ORDER.get(role.dialect.name) : ORDER_IN_CALL) ?? '';
  if (inputs.has('before_compute')) return ORDER_IN_CALL;
  // A module that makes the nodes together with the cluster can't wait for what needs the cluster.
  const [, module] = /^(.*)\.aws_eks_cluster\./.exec(cluster?.id ?? '') ?? [];
  return module !== undefined && nodeGroup.id.startsWith(`${module}.`) ? undefined : ORDER.get('terraform');
}

const ORDER: ReadonlyMap<string, string> = new Map([
  ['cloudformation', ', by `DependsOn` of the node groups'],
  ['aws-cdk', ', by `nodeGroup.node.addDependency(addon)`'],
  ['terraform', ', by `depends_on` of the node groups'],
  ['pulumi', ', by `dependsOn` of the node groups'],
]);

/** An input of add-ons of terraform-aws-modules/eks. */
const ORDER_IN_CALL = ', by `before_compute = true`';

/** What to say where the module leaves no way. */
export const ORDER_IN_NEWER =
  'From 19.9 on, `before_compute = true` in an add-on of terraform-aws-modules/eks creates it before them; then the policy can go.';
