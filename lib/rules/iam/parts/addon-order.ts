import type { Addon, AnyNodeGroup, ClusterView, Resource, Role } from '../../../eks';
import { inWords } from '../../../text/in-words';
import { inOwnModule } from '../../parts/metadata-options-code';

/** An add-on, and nodes that it may come before. */
interface Order {
  readonly addon: Addon | undefined;
  readonly nodeGroup: AnyNodeGroup;
  /** All groups that are to come behind it. */
  readonly users: readonly AnyNodeGroup[];
  readonly view: ClusterView;
}

/** How an add-on comes before the nodes, in the words of the place; undefined where its module leaves no way. @param role that of the nodes */
export function orderOf(role: Role, { addon, nodeGroup, users, view: { cluster } }: Order): string | undefined {
  const inputs = addon?.moduleInputs;
  if (inputs === undefined)
    return role.moduleInputs === undefined
      ? (namedOrder(addon, users) ?? ORDER.get(role.dialect.name) ?? '')
      : ORDER_IN_CALL;
  if (inputs.has('before_compute')) return ORDER_IN_CALL;
  // A module that makes the nodes together with the cluster can't wait for what needs the cluster.
  const [, module] = /^(.*)\.aws_eks_cluster\./.exec(cluster?.id ?? '') ?? [];
  return module !== undefined && nodeGroup.id.startsWith(`${module}.`) ? undefined : ORDER.get('terraform');
}

/** The same with the names of what is written, where that stands in one module or template. */
function namedOrder(addon: Addon | undefined, users: readonly AnyNodeGroup[]): string | undefined {
  const written = WRITTEN.get(addon?.dialect.name ?? '');
  const isBeside = (one: Resource): boolean =>
    one.stack === addon?.stack &&
    one.moduleInputs === undefined &&
    /^(?:aws_eks_node_group|AWS::EKS::Nodegroup)$/.test(one.type) &&
    moduleOf(one) === moduleOf(addon);
  if (
    addon === undefined ||
    addon.isImplied === true ||
    addon.id.endsWith(']') ||
    written === undefined ||
    !users.every(isBeside)
  )
    return undefined;
  const groups = [...new Set(users.map(({ id }) => `\`${inOwnModule(id)}\``))];
  if (groups.length === 0) return undefined;
  const isBehind = users.some((one) => one.kind === 'node-group' && addon.waitsFor?.(one) === true);
  return `${written(inOwnModule(addon.id), inWords(groups))}${isBehind ? ', which the add-on then no longer waits for' : ''}`;
}

function moduleOf({ id }: Resource): string {
  return /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/.exec(id)?.[0] ?? '';
}

const WRITTEN: ReadonlyMap<string, (addon: string, groups: string) => string> = new Map([
  ['cloudformation', (addon, groups) => `, by \`DependsOn: ${addon}\` of ${groups}`],
  ['terraform', (addon, groups) => `, by \`${addon}\` in \`depends_on\` of ${groups}`],
]);

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
