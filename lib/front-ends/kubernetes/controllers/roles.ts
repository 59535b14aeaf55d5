import type { AttachedPolicy, Role } from '../../../eks';
import type { Match } from '../../../eks/iam';
import { Unknown, type Source } from '../../../value';
import { refersTo } from './references';
import { Made, type SpecObject } from './spec-object';
import { policyDocument, type SpecNode } from './spec-node';

/** The roles of some objects, with all that objects attach to them. */
export function rolesOf(objects: readonly SpecObject[]): Made<Role> {
  const roles = new Made<Role>();
  const policies = new Policies(objects);
  for (const object of objects) {
    if (object.kind !== 'Role') continue;
    const { spec, awsName: name } = object;
    const isAck = object.engine === 'ack';
    const boundary = spec.child('permissionsBoundary');
    roles.add(object, {
      ...object.resource(),
      kind: 'role',
      name,
      trust: trustOf(spec.child(isAck ? 'assumeRolePolicyDocument' : 'assumeRolePolicy')),
      policies: [
        ...(isAck ? policies.listed(object) : policies.provided(object)),
        ...policies.inline(object),
        ...policies.attached(object),
        ...adopted(spec),
      ],
      ...(boundary.isWritten || boundary.reference !== undefined
        ? { boundary: [policies.managed(boundary, object)] }
        : {}),
    });
  }
  return roles;
}

function trustOf(node: SpecNode): Role['trust'] {
  return node.isWritten ? policyDocument(node) : (node.adopted() ?? policyDocument(node));
}

class Policies {
  private readonly documents: readonly SpecObject[];
  private readonly attachments: readonly SpecObject[];

  constructor(objects: readonly SpecObject[]) {
    this.documents = objects.filter(({ kind }) => kind === 'Policy');
    this.attachments = objects.filter(({ kind }) => kind === 'RolePolicyAttachment' || kind === 'RolePolicy');
  }

  /** Of ACK: ARNs, and objects. */
  listed(role: SpecObject): readonly AttachedPolicy[] {
    const { spec } = role;
    return [
      ...spec.child('policies').items.map((item) => this.managed(item, role)),
      ...spec.child('policyRefs').items.map((item) => this.referred(item, role, item)),
    ];
  }

  /** Of Crossplane: ARNs, objects, or those that a selector means. */
  provided({ spec }: SpecObject): readonly AttachedPolicy[] {
    const list = spec.child('managedPolicyArns');
    if (list.isWritten)
      return list.items.map((item): AttachedPolicy => ({ kind: 'managed', arn: item.text, source: item }));
    const { reference } = list;
    return reference === undefined ? [] : [unseen(`\`${String(reference.path.at(-1))}\` decides it`, reference)];
  }

  /** A map of names and documents, or a list of both. */
  inline({ spec }: SpecObject): readonly AttachedPolicy[] {
    const map = spec.child('inlinePolicies');
    return [
      ...map.keys.map((name) => this.document(name, map.child(name))),
      ...spec.child('inlinePolicy').items.map((item) => this.document(item.child('name').label, item.child('policy'))),
    ];
  }

  /** What objects of their own attach to a role. */
  attached(role: SpecObject): readonly AttachedPolicy[] {
    return this.attachments.flatMap((attachment): readonly AttachedPolicy[] => {
      const answer = attachment.engine === role.engine ? isFor(attachment, role) : 'no';
      if (answer === 'no') return [];
      const { spec, name, root: source } = attachment;
      if (answer === 'maybe') {
        const document = new Unknown(`whether ${name} is for it isn't known`, source);
        return [{ kind: 'document', name, document, source, isDoubt: true }];
      }
      return attachment.kind === 'RolePolicy'
        ? [this.document(attachment.name, spec.child('policy'))]
        : [this.managed(spec.child('policyArn'), attachment)];
    });
  }

  managed(node: SpecNode, from: SpecObject): AttachedPolicy {
    const { reference } = node;
    return node.isWritten || reference === undefined
      ? { kind: 'managed', arn: node.text, source: node }
      : this.referred(reference, from, node);
  }

  private referred(reference: SpecNode, from: SpecObject, source: Source): AttachedPolicy {
    const { name, namespace } = refersTo(reference);
    const labels = reference.child('matchLabels');
    const found = this.documents.filter(
      (one) =>
        one.engine === from.engine &&
        (name === ''
          ? labels.isWritten && one.hasLabels(labels)
          : one.name === name && one.namespace === (namespace === '' ? from.namespace : namespace)),
    );
    const [policy, other] = found;
    if (policy === undefined || other !== undefined)
      return unseen(`policy ${name === '' ? 'that a selector means' : name} isn't in the input`, source);
    return this.document(policy.name, policy.spec.child(policy.engine === 'ack' ? 'policyDocument' : 'policy'));
  }

  private document(name: string, node: SpecNode): AttachedPolicy {
    return { kind: 'document', name, document: policyDocument(node), source: node };
  }
}

/** What a role that is taken over has may go beyond what the object says. */
function adopted(spec: SpecNode): readonly AttachedPolicy[] {
  const unknown = spec.child('policies').isWritten ? undefined : spec.adopted();
  return unknown === undefined ? [] : [{ kind: 'managed', arn: unknown, source: spec }];
}

function unseen(reason: string, source: Source): AttachedPolicy {
  return { kind: 'managed', arn: new Unknown(reason, source), source };
}

/** Whether an attachment is for a role. */
function isFor(attachment: SpecObject, role: SpecObject): Match {
  const { spec, namespace } = attachment;
  const node = spec.child('role');
  const { reference } = node;
  const { awsName } = role;
  if (node.isWritten || reference === undefined)
    return awsName.kind === 'known' && node.label === awsName.value ? 'yes' : 'no';
  const meant = refersTo(reference);
  if (meant.name !== '')
    return meant.name === role.name && (meant.namespace === '' ? namespace : meant.namespace) === role.namespace
      ? 'yes'
      : 'no';
  const labels = reference.child('matchLabels');
  const isSameController = reference.child('matchControllerRef').label === 'true';
  if (labels.isWritten && !role.hasLabels(labels)) return 'no';
  // What a composite resource makes refers to its parts so, in which only the cluster writes who made them.
  if (isSameController) return mayHaveOneController(attachment, role) ? 'maybe' : 'no';
  return labels.isWritten ? 'yes' : 'no';
}

/** Whether one controller may have made two objects: not if they name two. */
function mayHaveOneController(one: SpecObject, other: SpecObject): boolean {
  const [own, others] = [controllerOf(one), controllerOf(other)];
  return own === undefined || others === undefined || own === others;
}

function controllerOf({ root }: SpecObject): string | undefined {
  const owner = root.at('metadata', 'ownerReferences').items.find((item) => item.child('controller').label === 'true');
  return owner === undefined ? undefined : `${owner.child('kind').label} ${owner.child('name').label}`;
}
