import { moduleStepsOf, type InstanceKey } from '../address';
import { isJsonMap, listOf, mapOf, memberOf, textOf, type JsonMap } from '../json-tree';

/** An instance of a module in the configuration of a plan. */
export class PlanModule {
  private readonly children = new Map<string, PlanModule | undefined>();
  private byAddress: ReadonlyMap<string, JsonMap> | undefined;
  private named: ReadonlySet<string> | undefined;

  constructor(
    /** Empty for the root module. */
    readonly address: string,
    /** Its resources, outputs, variables and module calls. */
    readonly content: JsonMap,
    /** Where it is called from; undefined for the root module. */
    readonly caller:
      | { readonly module: PlanModule; readonly call: JsonMap; readonly key: InstanceKey | undefined }
      | undefined,
  ) {}

  child(name: string, key: InstanceKey | undefined): PlanModule | undefined {
    const part = `module.${name}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`;
    if (!this.children.has(part)) this.children.set(part, this.makeChild(name, key, part));
    return this.children.get(part);
  }

  private makeChild(name: string, key: InstanceKey | undefined, part: string): PlanModule | undefined {
    const call = memberOf(this.content['module_calls'], name);
    if (!isJsonMap(call)) return undefined;
    const address = this.address === '' ? part : `${this.address}.${part}`;
    return new PlanModule(address, mapOf(call['module']), { module: this, call, key });
  }

  /** Whether a resource of the module names another one in an expression that the plan holds: `aws_launch_template.a`. */
  names(resource: string): boolean {
    this.named ??= referencesIn(this.content['resources']);
    return this.named.has(resource);
  }

  /** The configuration of a resource, for all its instances. */
  resource(mode: 'managed' | 'data', type: string, name: string): JsonMap | undefined {
    this.byAddress ??= new Map(
      listOf(this.content['resources'])
        .filter(isJsonMap)
        .map((resource) => [
          `${textOf(resource['mode']) ?? ''} ${textOf(resource['type']) ?? ''}.${textOf(resource['name']) ?? ''}`,
          resource,
        ]),
    );
    return this.byAddress.get(`${mode} ${type}.${name}`);
  }
}

/** All references below a part of a configuration, the short forms included. */
function referencesIn(json: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const left: unknown[] = [json];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const reference of listOf(memberOf(next, 'references')))
      if (typeof reference === 'string') found.add(reference);
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) left.push(inner);
  }
  return found;
}

/** The configuration that a plan carries: which expressions refer to what. It holds no locals, and no content of `dynamic` blocks. */
export class PlanConfiguration {
  readonly root: PlanModule;
  private readonly modules = new Map<string, PlanModule | undefined>();
  private readonly providers: JsonMap;
  private readonly variables: JsonMap;

  constructor(plan: JsonMap) {
    const configuration = mapOf(plan['configuration']);
    this.root = new PlanModule('', mapOf(configuration['root_module']), undefined);
    this.providers = mapOf(configuration['provider_config']);
    this.variables = mapOf(plan['variables']);
  }

  /** A module by the address of its instance. */
  module(address: string): PlanModule | undefined {
    if (!this.modules.has(address)) {
      let module: PlanModule | undefined = this.root;
      for (const { name, key } of moduleStepsOf(address)) module = module?.child(name, key);
      this.modules.set(address, module);
    }
    return this.modules.get(address);
  }

  /** The provider that a resource names: `aws`, `aws.west`; one that a module declares itself is `module.a:aws`. */
  provider(key: string): JsonMap | undefined {
    const own = memberOf(this.providers, key);
    if (isJsonMap(own)) return own;
    const inherited = memberOf(this.providers, key.slice(key.lastIndexOf(':') + 1));
    return isJsonMap(inherited) ? inherited : undefined;
  }

  /** Value of a variable of the root module. */
  rootVariable(name: string): unknown {
    return (
      memberOf(memberOf(this.variables, name), 'value') ??
      memberOf(memberOf(this.root.content['variables'], name), 'default')
    );
  }
}

/** What the configuration says on a value. */
export type Written =
  /** The block that the value is; its attributes and blocks by name. */
  | { readonly kind: 'block'; readonly content: JsonMap }
  | { readonly kind: 'blocks'; readonly blocks: readonly unknown[] }
  /** The value, or one that it is a part of, is given by an expression. */
  | { readonly kind: 'expression'; readonly expression: JsonMap }
  /** It isn't written. */
  | { readonly kind: 'nothing' }
  /** It isn't written, unless by `dynamic` blocks, which plans leave out. */
  | { readonly kind: 'dynamic' }
  /** A part of a `dynamic` block, or the plan holds no configuration. */
  | { readonly kind: 'unseen' };

export const UNSEEN: Written = { kind: 'unseen' };

/**
 * What is written on a part of a value.
 * @param size how many items the value has, if it is a list
 * @param mayBeDynamic whether the part may come from `dynamic` blocks
 */
export function writtenAt(written: Written, key: string | number, size: number, mayBeDynamic: boolean): Written {
  switch (written.kind) {
    case 'block': {
      const inner = memberOf(written.content, key);
      if (inner === undefined) return { kind: mayBeDynamic ? 'dynamic' : 'nothing' };
      if (Array.isArray(inner)) return { kind: 'blocks', blocks: inner };
      if (!isJsonMap(inner)) return UNSEEN;
      const isExpression = 'references' in inner || 'constant_value' in inner || Object.keys(inner).length === 0;
      return isExpression ? { kind: 'expression', expression: inner } : { kind: 'block', content: inner };
    }
    case 'blocks': {
      const block = typeof key === 'number' && written.blocks.length === size ? written.blocks[key] : undefined;
      return isJsonMap(block) ? { kind: 'block', content: block } : UNSEEN;
    }
    case 'dynamic':
      return UNSEEN;
    case 'expression':
    case 'nothing':
    case 'unseen':
      return written;
  }
}
