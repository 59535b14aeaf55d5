import { dataAt, type Resource, type Unknown } from '../../value';
import { ComposedText } from '../../value/composed-text';
import type { KubernetesManifest, Role } from './resources';

/**
 * How messages call a resource: by construct path if there is one, else by id. CDK calls the resource that a construct
 * generates `Resource` or `Default`, which says nothing and is left out.
 */
export function resourceName(resource: Resource): string {
  return resource.path?.replace(/\/(?:Resource|Default)$/, '') ?? resource.id;
}

/** What reports call the type of a resource. */
export function typeName(resource: Resource): string {
  return resource.dialect.typeOf?.(resource) ?? resource.type;
}

/** The name of a manifest's object; of one that has none that is known, or an empty one, that of the manifest. */
export function objectName(manifest: KubernetesManifest): string {
  const name = dataAt(manifest.object, 'metadata', 'name');
  return typeof name === 'string' && name !== '' ? name : resourceName(manifest);
}

/** What belongs to resources, in an order that doesn't depend on that of the input: where one of them speaks for several, it is always the same one. */
export function inNameOrder<T>(items: readonly T[], resourceOf: (item: T) => Resource): readonly T[] {
  return items.toSorted(
    (a, b) => compare(resourceOf(a).id, resourceOf(b).id) || compare(resourceOf(a).stack, resourceOf(b).stack),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Name in a role's ARN (its last part, behind an optional path), or the text itself if it is no ARN. */
export function roleName(text: string): string | undefined {
  const name = text.startsWith('arn:') ? /:role\/(?:.*\/)?([^/]+)$/.exec(text)?.[1] : text;
  return name?.includes('${') === true ? undefined : name;
}

/** The role that a value stands for which isn't known: by a reference, or by one to its name at the end of an ARN. */
export function roleBehind(unknown: Unknown): Role | undefined {
  const { reference } = unknown instanceof ComposedText ? { reference: nameInArn(unknown) } : unknown;
  const resource: Partial<Role> | undefined = reference?.resource;
  return resource?.kind === 'role' ? (resource as Role) : undefined;
}

/** What refers to a role's name, in CloudFormation and in Terraform. */
const NAME_ATTRIBUTES: ReadonlySet<string | undefined> = new Set(['Ref', 'name', 'id']);

/** `arn:aws:iam::111122223333:role/${aws_iam_role.node.name}` */
function nameInArn({ pieces }: ComposedText): Unknown['reference'] {
  const last = pieces.at(-1);
  const head = pieces.slice(0, -1).map((piece) => (piece.kind === 'known' ? piece.value : '?'));
  return last?.kind === 'unknown' &&
    NAME_ATTRIBUTES.has(last.reference?.attribute) &&
    /^arn:[^:]*:iam::[^:]*:role\/(?:.*\/)?$/.test(head.join(''))
    ? last.reference
    : undefined;
}
