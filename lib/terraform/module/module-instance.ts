import { relative } from 'node:path';
import { Absent, beyondLimit, flatMapValue, Known, Unknown, type Source, type When } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import { evaluate } from '../evaluation/evaluate';
import { withNote } from '../evaluation/places';
import type { Scope } from '../evaluation/scope';
import type { HandedOut, TerraformInstance } from '../instance';
import { ResourceObject } from '../resource-object';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import type { Written } from './entry-place';
import { asIfEnabled, byCount, byForEach, single, type Expansion, type Repetition } from './expansion';
import { LazyMap } from './lazy-map';
import type { Declared } from './merged-file';
import { attributeOf, literalText, type DeclaredResource, type ModuleConfiguration } from './module-configuration';
import { ModuleScope, type NamesOfModule } from './module-scope';
import { ModuleProviders, type Provider, type ProviderOf } from './providers';
import { ConfiguredInstance } from './resource-instance';
import type { Run } from './run';
import { isSensitive } from './secrets';
import { backendOf } from './state-links';
import { stepOf } from './step';
import { valueOfVariable } from './variable-value';

/** What a module that a call names declares, whether its files are there or not. */
export interface CalledModule {
  /** Its outputs, as the call sees them. */
  readonly outputs: Known<TerraformItem>;
  instances(): readonly TerraformInstance[];
}

/** How a module instance gets at what is outside of it. */
export interface Surroundings {
  /** `module.eks["a"]`; empty for the root module. */
  readonly address: string;
  readonly exists: When;
  readonly parent: ModuleInstance | undefined;
  /** The value that the call or a `.tfvars` file gives to a variable; undefined if it gives none. */
  readonly given: (variable: string) => TerraformValue | undefined;
  /** How that value is written. @default - nothing tells */
  readonly written?: (variable: string) => Written | undefined;
  /** What files that aren't read say of a variable. @default - nothing */
  readonly hints?: (variable: string) => readonly Known<TerraformItem>[];
  /** Why a variable without a given value may be something else than its default, as the end of "… because". @default - never */
  readonly insteadOfDefault?: (variable: string, standard: TerraformValue) => string | undefined;
  /** Its call doesn't enable it, nor does any other. @default false */
  readonly isNotEnabled?: boolean;
  /** The providers that the call hands over. */
  readonly handedOver: ProviderOf;
  /** Makes the modules that a call of this module names, one for each instance of the call. */
  readonly call: (
    owner: ModuleInstance,
    name: string,
    declared: Declared,
    repetition: Repetition,
    exists: When,
  ) => CalledModule;
}

/** The module of the registry that makes a cluster. */
const MODULE_OF_CLUSTERS = /(?:^|\/)terraform-aws-modules\/eks\/aws$/;

function isOfClusters(declared: Declared): boolean {
  return MODULE_OF_CLUSTERS.test(literalText(declared, 'source') ?? '');
}

/** One instance of a module. Everything in it is worked out when somebody asks for it, and then kept. */
export class ModuleInstance implements NamesOfModule {
  readonly address: string;
  readonly exists: When;
  private readonly values = new Map<string, TerraformValue>();
  private readonly inProgress = new Set<string>();
  private readonly expansions = new Map<string, Expansion>();
  private readonly resourceInstances = new Map<Repetition, Map<DeclaredResource, ConfiguredInstance>>();
  private readonly called = new Map<Repetition, Map<Declared, CalledModule>>();
  private readonly providers: ModuleProviders;

  constructor(
    readonly run: Run,
    readonly configuration: ModuleConfiguration,
    readonly surroundings: Surroundings,
  ) {
    this.address = surroundings.address;
    this.exists = surroundings.exists;
    this.providers = new ModuleProviders(this, surroundings.handedOver);
  }

  get isNotEnabled(): boolean {
    return this.surroundings.isNotEnabled === true;
  }

  /** What addresses within the module begin with. */
  get prefix(): string {
    return this.address === '' ? '' : `${this.address}.`;
  }

  /** All resources and data sources of the module and of those that it calls. */
  instances(): TerraformInstance[] {
    const found: TerraformInstance[] = [];
    // What is given to one that nothing uses stands in a file all the same.
    for (const [name, declared] of this.configuration.variables) if (isSensitive(declared)) this.variable(name);
    for (const [name, declared] of this.configuration.resources) {
      const { repetitions } = this.expansion(`resource ${name}`, declared);
      if (repetitions.length === 0 && name.startsWith('aws_eks_cluster.')) this.turnOff(name, declared);
      for (const repetition of repetitions) {
        const instance = this.resourceInstance(declared, repetition);
        if (instance !== undefined) found.push(instance);
      }
    }
    for (const [name, declared] of this.configuration.calls) {
      const { repetitions } = this.expansion(`module ${name}`, declared);
      if (repetitions.length === 0) {
        this.run.notEnabled.push({ owner: this, name, declared });
        if (isOfClusters(declared)) this.turnOff(`module.${name}`, declared);
      }
      let isEmpty = repetitions.length > 0;
      for (const repetition of repetitions) {
        // One by one: a call with arguments for a push has no room for many thousands.
        for (const instance of this.calledModule(name, declared, repetition)?.instances() ?? []) {
          found.push(instance);
          isEmpty = false;
        }
      }
      // With `create = false`.
      if (isEmpty && isOfClusters(declared)) this.turnOff(`module.${name}`, declared);
    }
    return found;
  }

  /** Remembers a declaration of clusters that makes none. */
  turnOff(name: string, { file, block }: Declared): void {
    this.run.turnedOff.push({ address: this.prefix + name, source: file.place(block.headRange) });
  }

  /** What a call of this module would make that makes nothing. */
  instancesAsIfEnabled(name: string, declared: Declared): readonly TerraformInstance[] {
    const kind = attributeOf(declared, 'count') === undefined ? 'for_each' : 'count';
    return (
      this.calledModule(
        name,
        declared,
        asIfEnabled(kind, declared.file.place(declared.block.headRange)),
      )?.instances() ?? []
    );
  }

  providerOf(declared: DeclaredResource): Provider | undefined {
    return this.providers.of(declared);
  }

  /** A provider as this module knows it: `aws`, `aws.west`. */
  provider(key: string): Provider | undefined {
    return this.providers.get(key);
  }

  output(name: string): TerraformValue | undefined {
    const declared = this.configuration.outputs.get(name);
    if (declared === undefined) return undefined;
    return this.remember(`output ${name}`, declared, () => {
      const attribute = attributeOf(declared, 'value');
      if (attribute === undefined) return new Absent(declared.file.place(declared.block.headRange));
      return evaluate(attribute.value, this.scope(declared.file), { source: declared.file.place(attribute.nameRange) });
    });
  }

  /** All outputs together, each worked out when it is asked for: those of one module may stand on each other by way of another. */
  get outputs(): TerraformMap {
    const { address } = this;
    return new TerraformMap(
      new LazyMap(this.configuration.outputs.keys(), (name) =>
        withNote(
          this.output(name) ?? new Unknown('there is no such output', this.place),
          `output ${name} of ${address}`,
          undefined,
        ),
      ),
    );
  }

  get root(): ModuleInstance {
    return this.surroundings.parent?.root ?? this;
  }

  /** The outputs, of a root module. */
  get handedOut(): readonly HandedOut[] {
    const isShared = backendOf(this.configuration.files) !== undefined;
    return [...this.configuration.outputs.keys()].map((name) => ({
      clause: `output ${name} tells others of it`,
      output: name,
      value: this.output(name) ?? new Absent(this.place),
      isShared,
    }));
  }

  /** What the root module gives to others that aren't here. */
  get handedOutOfRoot(): readonly HandedOut[] {
    return [...this.run.given, ...this.root.handedOut];
  }

  get place(): Source {
    const [file] = this.configuration.files;
    return file === undefined
      ? { locate: () => ({ file: this.configuration.folder, line: 1, column: 1 }) }
      : file.place({ start: 0, end: 0 });
  }

  scope(file: ConfigurationFile, repetition?: Repetition): Scope {
    return new ModuleScope(this, file, repetition?.names);
  }

  named(kind: 'variable' | 'local' | 'module' | 'resource', name: string): TerraformValue | undefined {
    switch (kind) {
      case 'variable':
        return this.variable(name);
      case 'local':
        return this.local(name);
      case 'module':
        return this.module(name);
      case 'resource':
        return this.resource(name);
    }
  }

  builtIn(name: string): TerraformValue | undefined {
    const { place } = this;
    switch (name) {
      case 'path.module':
        return new Known<TerraformItem>(relative(this.run.folder, this.configuration.folder) || '.', place);
      case 'path.root':
        return new Known<TerraformItem>('.', place);
      case 'path.cwd':
        return new Unknown('it is the folder that Terraform runs in', place, '${path.cwd}', 'path.cwd');
      case 'terraform.workspace':
      case 'tofu.workspace':
        return new Unknown(
          'the workspace is chosen when Terraform runs',
          place,
          `\${${name}}`,
          `${this.run.stack}/workspace`,
        );
      default:
        return name.startsWith('self.')
          ? new Unknown('it is an attribute of what is made', place, `\${${name}}`)
          : undefined;
    }
  }

  readFile(path: string): ReturnType<Scope['readFile']> {
    return this.run.readFile(path);
  }

  listFiles(folder: string): readonly string[] | undefined {
    return this.run.listFiles(folder);
  }

  private variable(name: string): TerraformValue | undefined {
    const declared = this.configuration.variables.get(name);
    if (declared === undefined) return undefined;
    return this.remember(`var.${name}`, declared, () => valueOfVariable(this, name, declared));
  }

  private local(name: string): TerraformValue | undefined {
    const local = this.configuration.locals.get(name);
    if (local === undefined) return undefined;
    const { attribute, file } = local;
    const source = file.place(attribute.nameRange);
    return this.workOut(`local.${name}`, file, attribute.nameRange, () =>
      withNote(evaluate(attribute.value, this.scope(file), { source }), `local.${name}`, name),
    );
  }

  private resource(name: string): TerraformValue | undefined {
    const declared = this.configuration.resources.get(name);
    if (declared === undefined) return undefined;
    return this.remember(name, declared, () => {
      const source = declared.file.place(declared.block.headRange);
      return this.expansion(`resource ${name}`, declared).value((repetition) => {
        const instance = this.resourceInstance(declared, repetition);
        return new Known<TerraformItem>(
          instance === undefined ? new TerraformMap(new Map()) : new ResourceObject(instance, source),
          source,
        );
      });
    });
  }

  private module(name: string): TerraformValue | undefined {
    const declared = this.configuration.calls.get(name);
    if (declared === undefined) return undefined;
    return this.remember(`module.${name}`, declared, () => {
      const nothing = new Known<TerraformItem>(
        new TerraformMap(new Map()),
        declared.file.place(declared.block.headRange),
      );
      return this.expansion(`module ${name}`, declared).value(
        (repetition) => this.calledModule(name, declared, repetition)?.outputs ?? nothing,
      );
    });
  }

  /** The instance that a repetition of a block is; undefined if it can't exist where its module does. */
  private resourceInstance(declared: DeclaredResource, repetition: Repetition): ConfiguredInstance | undefined {
    const exists = this.exists.and(repetition.exists);
    if (exists === undefined) return undefined;
    let known = this.resourceInstances.get(repetition);
    if (known === undefined)
      this.resourceInstances.set(repetition, (known = new Map<DeclaredResource, ConfiguredInstance>()));
    let instance = known.get(declared);
    if (instance === undefined) {
      if (!this.run.allows(declared.file, declared.block.headRange)) return undefined;
      known.set(declared, (instance = new ConfiguredInstance(this, declared, repetition, exists)));
    }
    return instance;
  }

  private calledModule(name: string, declared: Declared, repetition: Repetition): CalledModule | undefined {
    const exists = this.exists.and(repetition.exists);
    if (exists === undefined) return undefined;
    let known = this.called.get(repetition);
    if (known === undefined) this.called.set(repetition, (known = new Map<Declared, CalledModule>()));
    let module = known.get(declared);
    if (module === undefined) {
      if (!this.run.allows(declared.file, declared.block.headRange)) return undefined;
      known.set(declared, (module = this.surroundings.call(this, name, declared, repetition, exists)));
    }
    return module;
  }

  /** The instances that `count` or `for_each` makes of a block. */
  private expansion(key: string, declared: Declared): Expansion {
    const known = this.expansions.get(key);
    if (known !== undefined) return known;
    const count = attributeOf(declared, 'count');
    const attribute = count ?? attributeOf(declared, 'for_each');
    if (attribute === undefined) {
      this.expansions.set(key, single);
      return single;
    }
    const { file } = declared;
    const value = this.workOut(`${attribute.name} of ${key}`, file, attribute.nameRange, () =>
      evaluate(attribute.value, this.scope(file), { source: file.place(attribute.nameRange) }),
    );
    const name = key.slice(key.indexOf(' ') + 1);
    const made =
      this.expansions.get(key) ?? (count === undefined ? byForEach(forEachValue(value), name) : byCount(value, name));
    this.expansions.set(key, made);
    return made;
  }

  private remember(key: string, { block, file }: Declared, work: () => TerraformValue): TerraformValue {
    return this.workOut(key, file, block.headRange, work);
  }

  /** Works a value out once; what stands on itself is unknown. */
  workOut(
    key: string,
    file: ConfigurationFile,
    range: { readonly start: number; readonly end: number },
    work: () => TerraformValue,
  ): TerraformValue {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const step = stepOf(key, this.prefix, file, range);
    if (this.inProgress.has(key)) {
      this.run.standsOnItself(step);
      return new Unknown(`${key} refers to itself`, file.place(range));
    }
    this.inProgress.add(key);
    const value = this.run.step(step, work, () => beyondLimit('it is nested too deeply', file.place(range)));
    this.inProgress.delete(key);
    this.values.set(key, value);
    return value;
  }
}

/** A resource with `for_each` as `for_each` of another is the map of its instances. One that is a single object has attributes that aren't keys. */
function forEachValue(value: TerraformValue): TerraformValue {
  return flatMapValue(
    value,
    (plain): TerraformValue =>
      plain.kind === 'known' && plain.value instanceof ResourceObject
        ? new Unknown('it is a single resource, not a map or set', plain.source)
        : plain,
  );
}
