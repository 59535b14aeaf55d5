import { callsIn } from '../../../terraform/module/calls-in-address';
import type { Cluster, EksResource, LaunchTemplate, Role } from '../../../eks';
import { alternativesOf, flatMapValue, type Plain, type Source, Unknown, type Value } from '../../../value';
import type { Acknowledgements } from '../../../cloudformation/acknowledgements';
import { ComposedText, UnknownBase64, UnorderedText, type TextPart } from '../../../value/composed-text';
import { EqualNames } from '../../parts/equal-names';
import { referenceFrom } from '../../parts/references';
import { TerraformBlock } from '../../../terraform/block';
import { UnknownKey } from '../../../terraform/evaluation/unknown-collection';
import type { TerraformInstance } from '../../../terraform/instance';
import { asText, entryOf, type TerraformItem, type TerraformValue } from '../../../terraform/terraform-value';

/** A path below an instance as the registry compares it: `identity[0].oidc[0].issuer` and `identity.0.oidc.0.issuer` are `identity.oidc.issuer`. */
function plainPath(attribute: string): string {
  return attribute.replace(/\[\d+\]/g, '').replace(/\.\d+(?=\.|$)/g, '');
}

/** Attributes that rules know by the name that CloudFormation gives them. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws_subnet: { id: 'Ref', availability_zone: 'AvailabilityZone' },
};

/** Attributes of data sources that say what the data source was asked for, under another name. */
const ECHOES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws_eks_cluster: { id: 'name' },
  aws_iam_role: { id: 'name' },
  aws_subnet: { id: 'id' },
  aws_ssm_parameter: { id: 'name' },
};

/** How often a data source may lead to another one. */
const MOST_STEPS = 20;

/** All instances of a run and the resources of the model that were made of them; finds resources by reference, id or name. */
export class Registry {
  private readonly models = new Map<object, EksResource>();
  private readonly instances = new Map<EksResource, TerraformInstance>();
  private readonly indexes = new Map<string, NameIndex>();
  private readonly byType = new Map<string, TerraformInstance[]>();
  private readonly equalNames = new Map<string, EqualNames<EksResource>>();
  private readonly lookups = new Set<TerraformInstance>();

  /** @param read makes the resource of the model of an instance, if there is one for its type */
  constructor(
    /** Data sources among them. */
    readonly all: readonly TerraformInstance[],
    private readonly read: (instance: TerraformInstance, registry: Registry) => EksResource | undefined,
    /** Findings that the user decided to live with, by construct path. */
    readonly acknowledgements?: Acknowledgements,
  ) {
    for (const instance of all) {
      const key = typeKey(instance.mode, instance.type);
      const list = this.byType.get(key);
      if (list === undefined) this.byType.set(key, [instance]);
      else list.push(instance);
    }
  }

  /** @param type with `data.` in front for data sources */
  instancesOf(type: string): readonly TerraformInstance[] {
    return this.byType.get(type) ?? [];
  }

  /** An instance as it is before the plan, as a resource of the model; nothing refers to it. */
  readPrior(instance: TerraformInstance): EksResource | undefined {
    return this.read(instance, this);
  }

  add(instance: TerraformInstance, model: EksResource): void {
    this.models.set(instance, model);
    this.instances.set(model, instance);
  }

  instanceOf(model: EksResource): TerraformInstance | undefined {
    return this.instances.get(model);
  }

  get resources(): Iterable<EksResource> {
    return this.instances.keys();
  }

  /** An attribute of an instance, its references resolved. @param path names of nested blocks, each of which there is one, and of the attribute */
  text(instance: TerraformInstance, ...path: readonly string[]): Value<string> {
    let block = new TerraformBlock(instance.attributes);
    for (const name of path.slice(0, -1)) block = block.block(name);
    return asText(this.link(block.item(path.at(-1) ?? '')));
  }

  /** The value with references to instances replaced by references to resources of the model. */
  link(value: TerraformValue): TerraformValue {
    if (value.kind === 'known' || value.kind === 'absent') return value;
    return flatMapValue(
      value,
      (plain): TerraformValue => (plain.kind === 'unknown' ? this.linkUnknown(plain, 0) : plain),
    );
  }

  private linkUnknown(unknown: Unknown, steps: number): TerraformValue {
    if (unknown instanceof ComposedText) {
      const pieces = unknown.pieces.map((piece) => (piece.kind === 'unknown' ? this.linkPiece(piece) : piece));
      return pieces.every((piece, index) => piece === unknown.pieces[index])
        ? unknown
        : new ComposedText(pieces, unknown.source);
    }
    if (unknown instanceof UnorderedText) {
      const ordered = this.linkUnknown(unknown.ordered, steps);
      return ordered instanceof ComposedText && ordered !== unknown.ordered
        ? new UnorderedText(ordered, unknown.source)
        : unknown;
    }
    if (unknown instanceof UnknownBase64) {
      const decoded = this.linkPiece(unknown.decoded);
      return decoded.kind === 'known' || decoded === unknown.decoded
        ? unknown
        : new UnknownBase64(decoded, unknown.source);
    }
    const { reference } = unknown;
    // What is no instance is a resource of the model already.
    if (reference === undefined || !isInstance(reference.resource)) return unknown;
    const model = this.models.get(reference.resource);
    if (model === undefined) return this.follow(unknown, steps) ?? withReference(unknown, undefined);
    const path = plainPath(reference.attribute);
    return withReference(unknown, { resource: model, attribute: ATTRIBUTES[model.type]?.[path] ?? path });
  }

  /** A piece of a text: what can't be put into it in its place stays as it is. */
  private linkPiece(piece: Unknown): TextPart {
    const linked = asText(this.linkUnknown(piece, 0));
    return linked.kind === 'known' || linked.kind === 'unknown' ? linked : withReference(piece, undefined);
  }

  /** What a data source was asked for is what it gives. */
  private follow(unknown: Unknown, steps: number): TerraformValue | undefined {
    const { reference } = unknown;
    const instance = reference?.resource;
    if (reference === undefined || !isInstance(instance) || instance.mode !== 'data' || steps > MOST_STEPS)
      return undefined;
    const path = plainPath(reference.attribute);
    if (instance.type === 'aws_eks_cluster' && path === 'version') return this.versionFound(instance);
    const written = flatMapValue(instance.attributes, (plain) => entryOf(plain, ECHOES[instance.type]?.[path] ?? path));
    if (alternativesOf(written).some(({ value }) => value.kind === 'absent' || isSelf(value, unknown)))
      return undefined;
    return flatMapValue(
      written,
      (plain): TerraformValue => (plain.kind === 'unknown' ? this.linkUnknown(plain, steps + 1) : plain),
    );
  }

  /** The Kubernetes version of the cluster that a data source looks up; undefined if the input doesn't tell. */
  private versionFound(lookup: TerraformInstance): TerraformValue | undefined {
    // A cluster may be asked for its own version.
    if (this.lookups.has(lookup)) return undefined;
    this.lookups.add(lookup);
    try {
      const name = this.link(new TerraformBlock(lookup.attributes).item('name'));
      const reference = referenceFrom<Cluster>(asText(name), 'cluster', (text) =>
        this.clusterNamed(text, lookup.stack),
      );
      const cluster =
        reference.kind === 'known' ? reference.value.target : this.clusterCalledLike(asText(name), lookup.stack);
      const version = cluster?.version;
      return version === undefined || alternativesOf(version).some(({ value }) => value.kind !== 'known')
        ? undefined
        : version;
    } finally {
      this.lookups.delete(lookup);
    }
  }

  /** The instance that a value is nothing but a reference to, with the attribute; looks at the value before its references are resolved. */
  referenced(
    value: Plain<TerraformItem>,
  ): { readonly instance: TerraformInstance; readonly attribute: string } | undefined {
    if (value.kind !== 'unknown' || value.reference === undefined || !isInstance(value.reference.resource))
      return undefined;
    return { instance: value.reference.resource, attribute: plainPath(value.reference.attribute) };
  }

  /**
   * The role of a name, of the stack itself before others; undefined if there is none or more than one.
   * @param module that of who names it: of several, the one nearest to it is meant
   */
  roleNamed(name: string, stack: string, module?: string): Role | undefined {
    return this.find('role', ofKind('role', 'name'), name, stack, module) as Role | undefined;
  }

  /** The role whose name isn't known, but equal to another that isn't. */
  roleCalledLike(name: Value<string>, stack: string): Role | undefined {
    return this.findEqual('role', ofKind('role', 'name'), name, stack) as Role | undefined;
  }

  clusterNamed(name: string, stack: string, module?: string): Cluster | undefined {
    return this.find('cluster', ofKind('cluster', 'name'), name, stack, module) as Cluster | undefined;
  }

  /** The cluster whose name isn't known, but equal to another that isn't. */
  private clusterCalledLike(name: Value<string>, stack: string): Cluster | undefined {
    return this.findEqual('cluster', ofKind('cluster', 'name'), name, stack) as Cluster | undefined;
  }

  /** The cluster for which EKS made a security group; only a plan of what exists already tells its id. */
  clusterOfGroup(id: string, stack: string): Cluster | undefined {
    return this.find('group of cluster', ofKind('cluster', 'vpc_config.cluster_security_group_id'), id, stack) as
      | Cluster
      | undefined;
  }

  launchTemplate(nameOrId: string, stack: string): LaunchTemplate | undefined {
    return this.find('launch-template', ofType('aws_launch_template', 'name', 'id'), nameOrId, stack) as
      | LaunchTemplate
      | undefined;
  }

  /** The launch template whose name isn't known, but equal to another that isn't. */
  launchTemplateCalledLike(name: Value<string>, stack: string): LaunchTemplate | undefined {
    return this.findEqual('launch-template', ofType('aws_launch_template', 'name'), name, stack) as
      | LaunchTemplate
      | undefined;
  }

  /** Launch configurations have names of their own, next to those of launch templates. */
  launchConfiguration(name: string, stack: string): LaunchTemplate | undefined {
    return this.find('launch-configuration', ofType('aws_launch_configuration', 'name', 'id'), name, stack) as
      | LaunchTemplate
      | undefined;
  }

  launchConfigurationCalledLike(name: Value<string>, stack: string): LaunchTemplate | undefined {
    return this.findEqual('launch-configuration', ofType('aws_launch_configuration', 'name'), name, stack) as
      | LaunchTemplate
      | undefined;
  }

  /** The resource with an id such as `subnet-0a1b`, which only a plan of what exists already tells. */
  withId<K extends KindWithId>(kind: K, id: string, stack: string): OfKind<K> | undefined {
    return this.find(kind, ofKind(kind, 'id'), id, stack) as OfKind<K> | undefined;
  }

  private find(index: string, pathsOf: PathsOf, name: string, stack: string, module?: string): EksResource | undefined {
    let found = this.indexes.get(index);
    if (found === undefined) this.indexes.set(index, (found = this.collect(pathsOf)));
    return found.get(name, stack, module);
  }

  private findEqual(index: string, pathsOf: PathsOf, name: Value<string>, stack: string): EksResource | undefined {
    let found = this.equalNames.get(index);
    if (found === undefined) {
      this.equalNames.set(index, (found = new EqualNames(symbolOfName)));
      for (const { model, name: own } of this.namesOf(pathsOf)) found.add(own, model.stack, model);
    }
    return found.get(name, stack);
  }

  private collect(pathsOf: PathsOf): NameIndex {
    const index = new NameIndex();
    for (const { model, name } of this.namesOf(pathsOf))
      if (name.kind === 'known' && name.value !== '') index.add(name.value, model);
    return index;
  }

  private *namesOf(pathsOf: PathsOf): Iterable<{ readonly model: EksResource; readonly name: Value<string> }> {
    for (const [model, instance] of this.instances)
      for (const path of pathsOf(model)) yield { model, name: this.text(instance, ...path.split('.')) };
  }
}

/** Kinds of resources that are told by their ids alone. */
export type KindWithId = 'route-table' | 'security-group' | 'subnet' | 'vpc';

export type OfKind<K extends EksResource['kind']> = Extract<EksResource, { kind: K }>;

/** The attributes by which resources are found; none for resources of no interest. */
type PathsOf = (model: EksResource) => readonly string[];

function ofKind(kind: EksResource['kind'], ...paths: readonly string[]): PathsOf {
  return (model) => (model.kind === kind ? paths : []);
}

function ofType(type: string, ...paths: readonly string[]): PathsOf {
  return (model) => (model.type === type ? paths : []);
}

/** Resources by name. A name may be used once in each of several stacks, which then tell them apart, and once in each instance of a module. */
class NameIndex {
  private readonly everywhere = new Map<string, EksResource[]>();
  private readonly inStack = new Map<string, EksResource[]>();

  add(name: string, model: EksResource): void {
    for (const [map, key] of [
      [this.everywhere, name],
      [this.inStack, `${model.stack}\n${name}`],
    ] as const) {
      const list = map.get(key);
      if (list === undefined) map.set(key, [model]);
      else if (!list.includes(model)) list.push(model);
    }
  }

  /** Undefined if there is none or more than one. */
  get(name: string, stack: string, module?: string): EksResource | undefined {
    const own = this.inStack.get(`${stack}\n${name}`);
    const [first, ...others] = own ?? this.everywhere.get(name) ?? [];
    if (others.length === 0 || first === undefined) return first;
    return own === undefined || module === undefined ? undefined : nearest(own, module);
  }
}

/** The one resource that shares more enclosing calls of modules with a module than all others; undefined if several share as many. */
function nearest(resources: readonly EksResource[], module: string): EksResource | undefined {
  const calls = callsIn(module);
  const shared = resources.map(({ id }) => {
    const others = callsIn(id);
    const end = calls.findIndex((call, index) => call !== others[index]);
    return end === -1 ? calls.length : end;
  });
  const most = Math.max(...shared);
  const [found, ...more] = resources.filter((_, index) => shared[index] === most);
  return more.length === 0 ? found : undefined;
}

/** What says that two names are equal. Of instances that stand for those of all keys, `each.key` of one is that of another if their keys are the same. */
function symbolOfName(unknown: Unknown): string | undefined {
  if (unknown instanceof UnknownKey) return `a key of ${unknown.of}`;
  if (!(unknown instanceof ComposedText)) return unknown.symbol;
  const symbols = unknown.pieces.map((piece) =>
    piece.kind === 'known' ? JSON.stringify(piece.value) : symbolOfName(piece),
  );
  return symbols.includes(undefined) ? undefined : symbols.join(' + ');
}

function typeKey(mode: TerraformInstance['mode'], type: string): string {
  return mode === 'data' ? `data.${type}` : type;
}

function isInstance(resource: object | undefined): resource is TerraformInstance {
  return resource !== undefined && 'address' in resource && 'attributes' in resource;
}

function isSelf(value: Plain<TerraformItem>, { reference }: Unknown): boolean {
  return (
    value.kind === 'unknown' &&
    value.reference?.resource === reference?.resource &&
    value.reference?.attribute === reference?.attribute
  );
}

function withReference(unknown: Unknown, reference: Unknown['reference']): Unknown {
  return new Unknown(unknown.reason, unknown.source, unknown.text, unknown.symbol, reference, unknown.hints);
}

/** A reference to a resource of the input, in the place of its id. */
export function referenceValue(resource: EksResource, attribute: string, text: string, source: Source): Unknown {
  return new Unknown(
    `${resource.id} is told by its id`,
    source,
    text,
    `${resource.stack}/${resource.id}.${attribute}`,
    { resource, attribute },
  );
}
