import { ownConstruct, type AppResource } from './app';
import { GROUP, quoted, type Expressions, type Member, type Needs, type Parts } from './code';

/** The role of a group's nodes, which stays the same resource: another one would replace the group. */
export function roleParts(group: AppResource, code: Expressions, needs: Needs, id: string): Parts {
  const { NodeRole: role } = group.properties;
  const target = group.stack.app.target(group.stack, role)?.resource;
  const own = ownConstruct(group);
  if (target !== undefined && own !== undefined && target.path.startsWith(`${own}/`))
    return ownRole(group, target, own, code, needs);
  needs.modules.add('iam');
  const found =
    code.l2(role, 'iam.Role') ?? `iam.Role.fromRoleArn(stack, ${quoted(`${id}NodeRole`)}, ${code.of(role)})`;
  return { options: [['role', found]], statements: [], notes: [] };
}

/**
 * The role that CDK's node group made goes with it, so the new group makes its own. Under the old logical id, also for a new group: with another role in aws-auth, the
 * nodes that are still there would lose their access.
 */
function ownRole(group: AppResource, role: AppResource, own: string, code: Expressions, needs: Needs): Parts {
  const options: Member[] = [];
  const further = furtherPolicies(role);
  if (further.length > 0) {
    needs.modules.add('iam');
    const policies = further.map(({ name, value }, index) =>
      name === undefined
        ? `iam.ManagedPolicy.fromManagedPolicyArn(stack, ${quoted(`${group.logicalId}Policy${index}`)}, ${code.of(value)})`
        : `iam.ManagedPolicy.fromAwsManagedPolicyName(${quoted(name)})`,
    );
    options.push(['managedPolicies', `[${policies.join(', ')}]`]);
  }
  const resource = `(${GROUP}.role.node.defaultChild as CfnResource)`;
  const statements = [`${resource}.overrideLogicalId(${quoted(role.logicalId)});`];
  for (const name of ['RoleName', 'Path', 'PermissionsBoundary'])
    if (role.properties[name] !== undefined)
      statements.push(`${resource}.addPropertyOverride('${name}', ${code.of(role.properties[name])});`);
  const lost = [...group.stack.resources.values()].filter(
    (one) => one !== role && one !== group && one.path.startsWith(`${own}/`) && one.type.startsWith('AWS::IAM'),
  );
  const notes = [
    ...lost.map(
      ({ logicalId, type }) =>
        `${logicalId} (${type}) goes with the old construct: give what it allows to the new group's role`,
    ),
    ...(role.properties.Policies === undefined
      ? []
      : ['the old role has inline policies: give what they allow to the role of the new group']),
  ];
  return { options, statements, notes };
}

/** Policies that CDK's node group gives the nodes, and for which ManagedNodeGroup has its own. */
const OF_NODES: ReadonlySet<string> = new Set([
  'AmazonEKSWorkerNodePolicy',
  'AmazonEKS_CNI_Policy',
  'AmazonEC2ContainerRegistryReadOnly',
  'AmazonEC2ContainerRegistryPullOnly',
]);

function furtherPolicies(role: AppResource): { readonly name: string | undefined; readonly value: unknown }[] {
  const arns = role.properties.ManagedPolicyArns;
  return (Array.isArray(arns) ? (arns as unknown[]) : [])
    .map((value) => ({ value, name: /:iam::aws:policy\/([\w+=,.@/-]+)/.exec(JSON.stringify(value))?.[1] }))
    .filter(({ name }) => name === undefined || !OF_NODES.has(name));
}
