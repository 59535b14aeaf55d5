import { fullReferences, headOf, type InstanceKey, type ReferenceHead, type ValueStep } from '../address';
import { isJsonMap, listOf, mapOf, memberAt, memberOf, type JsonMap } from '../json-tree';
import type { PlanConfiguration, PlanModule } from './configuration';
import { isUntold, type PlannedResource } from './resources';

/** An attribute of a resource from which an untold value comes. */
export interface Origin {
  readonly resource: PlannedResource;
  /** Steps to the attribute; empty where the expression names the resource, and what it takes of it isn't told. */
  readonly attribute: readonly ValueStep[];
}

export interface Trace {
  readonly origins: readonly Origin[];
  /** False if parts of the expression can't be followed, such as locals, which no plan holds. */
  readonly isComplete: boolean;
}

/** Where an expression stands. */
export interface Frame {
  readonly module: PlanModule;
  /** `each.key` or `count.index` there. */
  readonly key: InstanceKey | undefined;
  readonly forEach: unknown;
}

/** More references than any expression leads to; what has more isn't followed further. */
const MAX_STEPS = 2000;
/** More modules than anybody nests, times in and out. */
const MAX_DEPTH = 64;

/** More instances of one resource than this say no more of where a value comes from. */
const MAX_OF_ALL = 100;

/** The instances of one resource by key; undefined for the only one. */
type Instances = Map<InstanceKey | undefined, PlannedResource>;

/** The resources of a plan by name, and what its expressions refer to. */
export class PlanReferences {
  private readonly byName = new Map<string, Instances>();
  private readonly byModule = new Map<string, PlannedResource[]>();

  constructor(
    private readonly configuration: PlanConfiguration,
    resources: readonly PlannedResource[],
  ) {
    for (const resource of resources) {
      const name = nameIn(resource.module, resource);
      let instances = this.byName.get(name);
      if (instances === undefined)
        this.byName.set(name, (instances = new Map<InstanceKey | undefined, PlannedResource>()));
      instances.set(resource.key, resource);
      const type = `${resource.module} ${resource.type}`;
      const ofType = this.byModule.get(type);
      if (ofType === undefined) this.byModule.set(type, [resource]);
      else ofType.push(resource);
    }
  }

  /** Resources of a type in one module. */
  ofModule(module: string, type: string): readonly PlannedResource[] {
    return this.byModule.get(`${module} ${type}`) ?? [];
  }

  /** What an attribute of a resource names in its expression. */
  named({ module, mode, type, name, isPrior }: PlannedResource, attribute: string): readonly string[] {
    const configured = isPrior === true ? undefined : this.configuration.module(module)?.resource(mode, type, name);
    return fullReferences(listOf(memberAt(configured, 'expressions', attribute, 'references')));
  }

  /** What the value of an expression may come from, as far as it isn't told. */
  trace(expression: JsonMap, frame: Frame): Trace {
    const search = new Search(this.byName);
    search.expression(expression, frame, [], 0);
    return { origins: [...search.origins.values()], isComplete: search.isComplete };
  }

  /** What an expression gives that is a constant or one reference; undefined for any other, and for null. */
  constant(expression: unknown, frame: Frame, rest: readonly ValueStep[] = [], depth = 0): unknown {
    const constant = memberAt(expression, 'constant_value', ...rest);
    const [reference, second] = fullReferences(listOf(memberOf(expression, 'references')));
    if (constant !== undefined || reference === undefined || second !== undefined || depth > MAX_DEPTH)
      return constant ?? undefined;
    const head = headOf(reference);
    switch (head.kind) {
      case 'resource':
        return this.told(head, frame, rest);
      case 'variable':
        return this.variable(head.name, frame, [...head.rest, ...rest], depth);
      case 'each-value':
        return frame.key === undefined
          ? undefined
          : this.constant(
              frame.forEach,
              { ...frame, forEach: undefined },
              [frame.key, ...head.rest, ...rest],
              depth + 1,
            );
      case 'local':
      case 'module':
      case 'plain':
      case 'other':
        return undefined;
    }
  }

  private variable(name: string, { module }: Frame, rest: readonly ValueStep[], depth: number): unknown {
    const { caller } = module;
    if (caller === undefined) return memberAt(this.configuration.rootVariable(name), ...rest) ?? undefined;
    const given = memberOf(caller.call['expressions'], name);
    if (given === undefined) return memberAt(module.content['variables'], name, 'default', ...rest) ?? undefined;
    return this.constant(
      given,
      { module: caller.module, key: caller.key, forEach: caller.call['for_each_expression'] },
      rest,
      depth + 1,
    );
  }

  private told(
    head: Extract<ReferenceHead, { kind: 'resource' }>,
    { module }: Frame,
    rest: readonly ValueStep[],
  ): unknown {
    const resource = this.byName.get(nameIn(module.address, head))?.get(head.key);
    const steps = [...head.rest, ...rest];
    return resource === undefined || isUntold(resource, steps)
      ? undefined
      : (memberAt(resource.values, ...steps) ?? undefined);
  }
}

function nameIn(
  module: string,
  { mode, type, name }: { readonly mode: string; readonly type: string; readonly name: string },
): string {
  return `${module} ${mode} ${type}.${name}`;
}

function mayBeNone(configured: JsonMap | undefined): boolean {
  return configured !== undefined && ('count_expression' in configured || 'for_each_expression' in configured);
}

class Search {
  readonly origins = new Map<string, Origin>();
  isComplete = true;
  private steps = 0;
  private readonly seen = new Set<string>();

  constructor(private readonly byName: ReadonlyMap<string, Instances>) {}

  /** @param rest what is taken of the expression's value */
  expression(expression: unknown, frame: Frame, rest: readonly ValueStep[], depth: number): void {
    if (!isJsonMap(expression)) {
      this.isComplete = false;
      return;
    }
    const references = fullReferences(listOf(expression['references']));
    const heads = references.map(headOf);
    // `aws_subnet.a[each.key].id` is listed as `aws_subnet.a` and `each.key`.
    const picksOwnKey = heads.some((head) => head.kind === 'plain' && head.isInstanceKey);
    for (const [index, head] of heads.entries()) {
      const id = `${frame.module.address} ${String(frame.key)} ${references[index] ?? ''} ${JSON.stringify(rest)}`;
      if (this.seen.has(id)) continue;
      this.seen.add(id);
      this.steps++;
      if (this.steps > MAX_STEPS || depth > MAX_DEPTH) this.isComplete = false;
      else this.head(head, frame, picksOwnKey, rest, depth + 1);
    }
  }

  private head(
    head: ReferenceHead,
    frame: Frame,
    picksOwnKey: boolean,
    rest: readonly ValueStep[],
    depth: number,
  ): void {
    switch (head.kind) {
      case 'resource':
        this.resource(head, frame, picksOwnKey, rest);
        break;
      case 'variable':
        this.variable(head.name, frame, head.rest.length === 0 ? rest : head.rest, depth);
        break;
      case 'module':
        this.output(head, frame, picksOwnKey, depth);
        break;
      case 'each-value':
        if (frame.forEach !== undefined)
          this.expression(
            frame.forEach,
            { ...frame, forEach: undefined },
            [...(frame.key === undefined ? [] : [frame.key]), ...head.rest],
            depth,
          );
        break;
      case 'local':
      case 'other':
        this.isComplete = false;
        break;
      case 'plain':
        break;
    }
  }

  private resource(
    head: Extract<ReferenceHead, { kind: 'resource' }>,
    frame: Frame,
    picksOwnKey: boolean,
    rest: readonly ValueStep[],
  ): void {
    const all: Instances =
      this.byName.get(nameIn(frame.module.address, head)) ?? new Map<InstanceKey | undefined, PlannedResource>();
    // One that has no instances gives nothing that could be unknown; one that must have them was left out.
    if (all.size === 0 && !mayBeNone(frame.module.resource(head.mode, head.type, head.name))) this.isComplete = false;
    const [first] = rest;
    const isWhole = head.rest.length === 0;
    if (head.key !== undefined || all.has(undefined)) this.take(all.get(head.key), isWhole ? rest : head.rest);
    else if (isWhole && first !== undefined && all.has(first)) this.take(all.get(first), rest.slice(1));
    else if (picksOwnKey && all.has(frame.key)) this.take(all.get(frame.key), isWhole ? rest : head.rest);
    else {
      // One of them, or all.
      let left = MAX_OF_ALL;
      for (const resource of all.values()) {
        if (left-- === 0) break;
        this.take(resource, isWhole ? rest : head.rest);
      }
    }
  }

  private take(resource: PlannedResource | undefined, attribute: readonly ValueStep[]): void {
    if (resource !== undefined && isUntold(resource, attribute))
      this.origins.set(`${resource.address} ${JSON.stringify(attribute)}`, { resource, attribute });
  }

  private variable(name: string, { module }: Frame, rest: readonly ValueStep[], depth: number): void {
    // Terraform knows the variables of the root module, and defaults.
    const { caller } = module;
    const given = memberOf(caller?.call['expressions'], name);
    if (caller === undefined || given === undefined) return;
    this.expression(
      given,
      { module: caller.module, key: caller.key, forEach: caller.call['for_each_expression'] },
      rest,
      depth,
    );
  }

  private output(
    head: Extract<ReferenceHead, { kind: 'module' }>,
    frame: Frame,
    picksOwnKey: boolean,
    depth: number,
  ): void {
    const [output, ...rest] = head.rest;
    const module = frame.module.child(
      head.name,
      head.key ?? (picksOwnKey && output === undefined ? frame.key : undefined),
    );
    if (module === undefined || typeof output !== 'string') {
      this.isComplete = false;
      return;
    }
    const { expression } = mapOf(memberOf(module.content['outputs'], output));
    this.expression(expression, { module, key: undefined, forEach: undefined }, rest, depth);
  }
}
