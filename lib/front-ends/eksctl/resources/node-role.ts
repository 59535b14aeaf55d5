import type { AttachedPolicy, Reference, Role } from '../../../eks';
import { Known, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { wellKnownPolicies, writtenPolicy } from './policies';
import { awsPolicies, policiesNamed, serviceRole } from './roles';

interface NodeRole {
  /** Undefined where the group names one of somebody else. */
  readonly role: Role | undefined;
  readonly reference: Value<Reference<Role>>;
}

/** The role of a group's nodes. Source: cfn/builder/iam_helper.go, makeManagedPolicies. */
export function nodeRole(
  file: ConfigFile,
  group: ConfigNode,
  { isManaged, type }: { readonly isManaged: boolean; readonly type: string },
): NodeRole {
  const iam = group.child('iam');
  const named = [iam.child('instanceRoleARN'), iam.child('instanceProfileARN')].find(({ isWritten }) => isWritten);
  if (named !== undefined) return { role: undefined, reference: referenceFrom<Role>(named.text, 'role') };
  const source = iam.isWritten ? iam : group;
  const role = serviceRole(file, {
    id: `${type}.${group.child('name').label || String(group.path.at(-1))}.iam`,
    type: `${type}.iam`,
    source,
    service: 'ec2.amazonaws.com',
    name: iam.child('instanceRoleName').text,
    policies: [...managedPolicies(file, group, isManaged), ...policiesOf(file, iam)],
  });
  return { role, reference: new Known({ text: role.id, target: role }, source) };
}

/** A list of ARNs takes the place of all defaults, which surprises people: nodes then lack what isn't in it. */
function managedPolicies(file: ConfigFile, group: ConfigNode, isManaged: boolean): readonly AttachedPolicy[] {
  const iam = group.child('iam');
  const written = iam.child('attachPolicyARNs');
  const hasList = written.items.length > 0;
  const source = hasList ? written : group;
  const names = new Set<string>();
  if (!hasList) {
    names.add('AmazonEKSWorkerNodePolicy').add('AmazonSSMManagedInstanceCore');
    if (isManaged) names.add('AmazonEC2ContainerRegistryPullOnly');
  }
  const builds = iam.at('withAddonPolicies', 'imageBuilder').boolean;
  if (!isManaged && !(builds.kind === 'known' && builds.value)) names.add('AmazonEC2ContainerRegistryPullOnly');
  return [
    ...policiesNamed(written),
    ...awsPolicies(file, [...names], source),
    ...(hasList ? [] : cniPolicy(file, group)),
  ];
}

/** Only without OIDC, where aws-node has no role of its own. */
function cniPolicy(file: ConfigFile, group: ConfigNode): readonly AttachedPolicy[] {
  const { withOidc } = file;
  if (withOidc.kind === 'known') return withOidc.value ? [] : awsPolicies(file, ['AmazonEKS_CNI_Policy'], group);
  return [{ kind: 'document', name: 'AmazonEKS_CNI_Policy', document: withOidc, source: group }];
}

function policiesOf(file: ConfigFile, iam: ConfigNode): readonly AttachedPolicy[] {
  return [
    ...writtenPolicy('Policy1', iam.child('attachPolicy')),
    ...wellKnownPolicies(file, iam.child('withAddonPolicies')),
  ];
}
