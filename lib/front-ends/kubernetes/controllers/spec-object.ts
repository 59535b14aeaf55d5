import { dirname } from 'node:path';
import type { EksResource, Environment } from '../../../eks';
import { partitionOf } from '../../../knowledge/partition';
import { always, Known, type Dialect, type Plain, type Resource, type Suppression } from '../../../value';
import type { PlacedObject } from '../objects';
import type { EngineName } from './engines';
import { SpecNode } from './spec-node';

/** An object from which a controller makes something of AWS. */
export class SpecObject {
  readonly root: SpecNode;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly file: string;
  /** It is compared with what others refer to, for each of these. */
  private ownName: Plain<string> | undefined;

  constructor(
    { node }: PlacedObject,
    readonly engine: EngineName,
    private readonly dialect: Dialect,
    private readonly suppressions: readonly Suppression[],
  ) {
    const raw = node.path.reduce<unknown>(memberOf, node.document.root);
    const root = new SpecNode(node.document, node.file, node.path, raw, node.path.length);
    // Once it has taken over what exists, the controller makes of that what the spec says. Source: ACK runtime, reconciler.go (Sync).
    const isAdopted = engine === 'ack' && annotationOf(root, 'adoption-policy') === 'adopt';
    this.root = isAdopted ? root.asAdopted() : root;
    this.kind = this.root.child('kind').label;
    this.name = this.root.at('metadata', 'name').label;
    this.namespace = this.root.at('metadata', 'namespace').label;
    this.file = node.file;
  }

  /** What the settings stand in. Those of `initProvider` count when the resource is created. */
  get spec(): SpecNode {
    const { root } = this;
    return this.engine === 'crossplane'
      ? root.at('spec', 'forProvider').or(root.at('spec', 'initProvider'))
      : root.child('spec');
  }

  /** Whether the controller only looks at what something else has made. Source: ACK runtime, util.go (IsReadOnly). */
  get isObserved(): boolean {
    const { root, engine } = this;
    if (engine === 'ack') return annotationOf(root, 'read-only').toLowerCase() === 'true';
    const policies = root.at('spec', 'managementPolicies').items.map(({ label }) => label);
    return policies.length > 0 && !policies.some((one) => one === '*' || one === 'Create' || one === 'Update');
  }

  /** What AWS calls it. Crossplane takes the object's name unless an annotation says otherwise. */
  get awsName(): Plain<string> {
    return (this.ownName ??= this.findName());
  }

  private findName(): Plain<string> {
    if (this.engine === 'ack') return this.spec.child('name').text;
    if (this.kind === 'LaunchTemplate') return this.spec.child('name').text;
    const external = this.root.at('metadata', 'annotations', 'crossplane.io/external-name').text;
    if (external.kind !== 'absent') return external;
    const own = this.root.at('metadata', 'name');
    return own.text.kind === 'known' ? new Known(this.name, own, 'name of the object') : own.text;
  }

  get environment(): Environment {
    const written =
      this.engine === 'crossplane'
        ? this.spec.child('region').text
        : this.root.at('metadata', 'annotations', 'services.k8s.aws/region').text;
    return written.kind === 'known'
      ? { region: written.value, partition: partitionOf(written.value) }
      : { region: undefined, partition: undefined };
  }

  /** Whether the resource stays when the object goes. */
  get isRetained(): boolean {
    return (
      annotationOf(this.root, 'deletion-policy') === 'retain' ||
      this.root.at('spec', 'deletionPolicy').label === 'Orphan'
    );
  }

  hasLabels(wanted: SpecNode): boolean {
    const labels = this.root.at('metadata', 'labels');
    return wanted.keys.length > 0 && wanted.keys.every((key) => labels.child(key).label === wanted.child(key).label);
  }

  /** What all resources have. */
  resource(): Resource {
    const { kind, name, dialect, suppressions, root, file } = this;
    return {
      type: kind,
      id: name === '' ? `${kind} in line ${root.locate().line}` : name,
      path: undefined,
      stack: file,
      frontEnd: dialect.name,
      dialect,
      source: root,
      suppressions,
      exists: always,
    };
  }
}

/** Objects with what was made of them, to be found by those that refer to them. */
export class Made<T extends EksResource> {
  private readonly all: (readonly [SpecObject, T])[] = [];

  add(object: SpecObject, resource: T): void {
    this.all.push([object, resource]);
  }

  get resources(): readonly T[] {
    return this.all.map(([, resource]) => resource);
  }

  /** The one that an object means; of several the one that stands nearest. Undefined if that isn't clear. */
  find(from: SpecObject, isMeant: (object: SpecObject) => boolean): T | undefined {
    const found = this.all.filter(([object]) => object.engine === from.engine && isMeant(object));
    const near = [
      found.filter(([{ file }]) => file === from.file),
      found.filter(([{ file }]) => dirname(file) === dirname(from.file)),
      found,
    ].find((some) => some.length > 0);
    return near?.length === 1 ? near[0]?.[1] : undefined;
  }
}

function annotationOf(root: SpecNode, name: string): string {
  return root.at('metadata', 'annotations', `services.k8s.aws/${name}`).label;
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[String(key)]
    : undefined;
}
