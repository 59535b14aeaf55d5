import { isAbsolute, join } from 'node:path';
import { alternativesOf, Hints, Known, Unknown, type Source, type When } from '../../value';
import { moduleStepsOf } from '../address';
import { evaluateBody } from '../evaluation/body';
import { evaluate } from '../evaluation/evaluate';
import { withNote } from '../evaluation/places';
import { isJsonMap, listOf, memberOf, textOf } from '../json-tree';
import type { KnownModuleCall } from '../known-module';
import { asText, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { entryPlace, type Written } from './entry-place';
import type { Repetition } from './expansion';
import type { FolderAccess } from './folder-access';
import { LazyMap } from './lazy-map';
import type { Declared } from './merged-file';
import { attributeOf, type ModuleConfiguration } from './module-configuration';
import { ModuleInstance, type CalledModule } from './module-instance';
import { canonicalSource } from './module-source';
import { allows } from './version-constraint';
import { handOver } from './providers';
import type { Run } from './run';
import { addonsAskedFor, mayHoldEks, unreadModule } from './unread-module';
import { dependsOn } from './waits-for';

/** Arguments of a call that are not the module's variables. */
const OWN_ARGUMENTS: ReadonlySet<string> = new Set([
  'source',
  'version',
  'providers',
  'count',
  'for_each',
  'depends_on',
]);

/** What modules around a cluster call its Kubernetes version. */
const KUBERNETES_VERSION = /^(?:eks_)?(?:cluster|kubernetes|k8s|eks)_version$/;

/** Modules within modules; more is a circle through links of folders. */
const MOST_LEVELS = 40;

/** The folder that a call names by a path; undefined if it names a module that isn't beside it. */
export function localFolder(caller: string, source: string, access: FolderAccess): string | undefined {
  if (!/^\.\.?(?:[\\/]|$)/.test(source)) return undefined;
  return (access.folderOfModule?.(caller, source) ?? join(caller, source)).replace(/(?<=[^\\/])[\\/]+$/, '');
}

/** What the call of a module leads to. Never throws: what isn't there has outputs that aren't known, and a diagnostic. */
export function callModule(
  owner: ModuleInstance,
  name: string,
  declared: Declared,
  repetition: Repetition,
  exists: When,
): CalledModule {
  return new ModuleCall(owner, name, declared, repetition, exists).follow();
}

class ModuleCall {
  private readonly address: string;
  private readonly place: Source;
  private ofVersion: Hints | undefined;

  constructor(
    private readonly owner: ModuleInstance,
    private readonly name: string,
    private readonly declared: Declared,
    private readonly repetition: Repetition,
    private readonly exists: When,
  ) {
    this.address = `${owner.prefix}module.${name}${repetition.suffix}`;
    this.place = declared.file.place(declared.block.headRange);
  }

  private get isNotEnabled(): boolean {
    return this.owner.isNotEnabled || this.repetition.isNotEnabled === true;
  }

  follow(): CalledModule {
    this.owner.run.called(this.declared.block.headRange, this.address);
    const source = this.text('source');
    if (source === undefined)
      return this.missing(
        `module ${this.name} has no source that can be told, so what it declares isn't checked`,
        'warning',
      );
    const folder = localFolder(this.owner.configuration.folder, source, this.owner.run.shared.access);
    if (folder !== undefined) return this.local(folder, source);
    return this.known(source) ?? this.installed(source) ?? this.notHere(source);
  }

  private text(name: string): string | undefined {
    const attribute = attributeOf(this.declared, name);
    if (attribute === undefined) return undefined;
    const values = alternativesOf(asText(evaluate(attribute.value, this.owner.scope(this.declared.file))));
    const [first] = values;
    return values.length === 1 && first?.value.kind === 'known' ? first.value.value : undefined;
  }

  private local(folder: string, source: string): CalledModule {
    if (this.isCircle(folder))
      return this.missing(
        `module ${this.name} calls the module that it stands in, so the call is not followed`,
        'error',
      );
    const configuration = this.owner.run.shared.configuration(folder);
    if (configuration === undefined) {
      // What `terraform init` puts there is as little a part of the input as what it would fetch.
      if (/(?:^|\/)\.terraform\//.test(source)) return this.notHere(source);
      const reason =
        this.owner.run.shared.access.whyNotRead?.(folder) ?? `there is no folder "${source}" with Terraform files`;
      return this.missing(`module ${this.name}: ${reason}`, 'error');
    }
    return this.instance(configuration);
  }

  private isCircle(folder: string): boolean {
    let levels = 0;
    for (
      let module: ModuleInstance | undefined = this.owner;
      module !== undefined;
      module = module.surroundings.parent
    ) {
      if (module.configuration.folder === folder || ++levels > MOST_LEVELS) return true;
    }
    return false;
  }

  private instance(configuration: ModuleConfiguration): CalledModule {
    const { owner, declared, address } = this;
    this.checkArguments(configuration);
    const child = new ModuleInstance(owner.run, configuration, {
      address,
      exists: this.exists,
      parent: owner,
      isNotEnabled: this.isNotEnabled,
      given: (variable) => this.argument(variable),
      written: (variable) => this.written(variable),
      handedOver: handOver(owner, declared),
      call: callModule,
    });
    return { outputs: new Known<TerraformItem>(child.outputs, this.place), instances: () => child.instances() };
  }

  private argument(name: string) {
    const attribute = OWN_ARGUMENTS.has(name) ? undefined : attributeOf(this.declared, name);
    if (attribute === undefined) return undefined;
    const { file } = this.declared;
    const value = evaluate(attribute.value, this.owner.scope(file, this.repetition), {
      source: file.place(attribute.nameRange, name),
    });
    return withNote(value, `argument ${name} of ${this.address}`, name);
  }

  /** How an argument is written. */
  private written(name: string): Written | undefined {
    const attribute = OWN_ARGUMENTS.has(name) ? undefined : attributeOf(this.declared, name);
    if (attribute === undefined) return undefined;
    const { owner, repetition } = this;
    const { file } = this.declared;
    const scope = owner.scope(file, repetition);
    return { expression: attribute.value, file, owner, scope, name: `module.${this.name}.${name}` };
  }

  private checkArguments({ variables }: ModuleConfiguration): void {
    const { block, file } = this.declared;
    const given = new Set<string>();
    for (const { name, nameRange } of block.body.attributes) {
      given.add(name);
      if (!OWN_ARGUMENTS.has(name) && !variables.has(name))
        this.owner.run.tell('warning', `module ${this.name} has no variable "${name}"`, file, nameRange);
    }
    for (const [name, variable] of variables) {
      if (!given.has(name) && attributeOf(variable, 'default') === undefined)
        this.owner.run.tell(
          'warning',
          `module ${this.name} needs a value for its variable "${name}", which this call doesn't give`,
          file,
          block.headRange,
        );
    }
  }

  /** A module of which it is known here what it declares. */
  private known(source: string): CalledModule | undefined {
    const { owner, declared, address, place } = this;
    const { file } = declared;
    const scope = owner.scope(file, this.repetition);
    const version = attributeOf(declared, 'version');
    const provider = handOver(owner, declared)('aws');
    const call: KnownModuleCall = {
      source,
      version:
        version === undefined ? new Unknown('no version is given', place) : asText(evaluate(version.value, scope)),
      address,
      arguments: this.given,
      argumentPlace: (name) => {
        const attribute = attributeOf(declared, name);
        return attribute === undefined ? place : file.place(attribute.nameRange, name);
      },
      settingPlace: ([argument, ...keys], setting) => {
        const written = this.written(argument);
        return written === undefined ? undefined : entryPlace(written, keys, setting);
      },
      place,
      stack: owner.run.stack,
      region: provider?.region,
      provider: provider?.id,
      frontEnd: owner.run.frontEnd,
      path: owner.address === '' ? file.constructPaths?.get(`module.${this.name}`) : undefined,
      exists: this.exists,
      isNotEnabled: this.isNotEnabled,
      get handedOut() {
        return owner.handedOutOfRoot;
      },
    };
    const module = owner.run.shared.knownModule(call);
    if (module === undefined) return undefined;
    if (module.isPartial === true) {
      const installed = this.installed(source);
      if (installed !== undefined) return installed;
      this.mayUseArguments(undefined);
    }
    return {
      outputs: new Known<TerraformItem>(new OutputsOfKnown(module.outputs, this), place),
      instances: () => {
        for (const diagnostic of module.diagnostics) owner.run.add(diagnostic);
        return module.instances;
      },
    };
  }

  /** The arguments, each worked out when it is asked for: what stands on an output of this module may be given to it. */
  private get given(): TerraformValue {
    const { owner, place, address, repetition } = this;
    const { block, file } = this.declared;
    const written = new Map(
      block.body.attributes.flatMap((attribute) =>
        OWN_ARGUMENTS.has(attribute.name) ? [] : [[attribute.name, attribute] as const],
      ),
    );
    const entries = new LazyMap(written.keys(), (name) => {
      const attribute = written.get(name);
      if (attribute === undefined) return undefined;
      const { nameRange, value } = attribute;
      return owner.workOut(`argument ${name} of ${address}`, file, nameRange, () =>
        evaluate(value, owner.scope(file, repetition), { source: file.place(nameRange, name), property: name }),
      );
    });
    return new Known<TerraformItem>(new TerraformMap(entries), place);
  }

  /** A module that `terraform init` has fetched, in the folder of the root module, for this call: it would fetch another one where that has changed. */
  private installed(source: string): CalledModule | undefined {
    const { run } = this.owner;
    const key = moduleStepsOf(this.address)
      .map(({ name }) => name)
      .join('.');
    let folders = installed.get(run);
    if (folders === undefined)
      installed.set(
        run,
        (folders = installedFolders(run.shared.access.read(join(run.folder, '.terraform', 'modules', 'modules.json')))),
      );
    const module = folders.get(key);
    if (
      module === undefined ||
      canonicalSource(module.source) !== canonicalSource(source) ||
      !allows(this.text('version') ?? '', module.version)
    )
      return undefined;
    const configuration = run.shared.configuration(join(run.folder, module.folder));
    return configuration === undefined || this.isCircle(configuration.folder)
      ? undefined
      : this.instance(configuration);
  }

  private missing(message: string, severity: 'error' | 'warning'): CalledModule {
    const { file, block } = this.declared;
    this.owner.run.tell(severity, message, file, block.headRange);
    return this.unread(severity === 'warning');
  }

  private notHere(source: string): CalledModule {
    const { file, block } = this.declared;
    const isOfEks = mayHoldEks(this.name, source, block.body);
    if (isOfEks) this.owner.run.misses(this.name, source, this.text('version'), file, block.headRange);
    return this.unread(isOfEks);
  }

  /**
   * Nobody sees what becomes of them.
   * @param source of a module of which nothing is known
   */
  private mayUseArguments(source: string | undefined): void {
    const { owner, declared, address, place } = this;
    const { file, block } = declared;
    const given = () =>
      evaluateBody(block.body, owner.scope(file, this.repetition), { source: place, without: OWN_ARGUMENTS });
    owner.run.given.push({
      clause: `${address}, which isn't here, is given it`,
      ...(source === undefined ? {} : { module: source, call: { address, place } }),
      get value() {
        return given();
      },
    });
  }

  /** @param isOfEks whether it may make something of EKS, which nobody sees */
  private unread(isOfEks: boolean): CalledModule {
    const { owner, declared, address, place, exists } = this;
    const { run } = owner;
    this.mayUseArguments(this.text('source') ?? '');
    const { stack, frontEnd } = run;
    const call = {
      address,
      place,
      exists,
      isNotEnabled: this.isNotEnabled,
      stack,
      frontEnd,
      region: handOver(owner, declared)('aws')?.region,
      waitsFor: dependsOn(declared.block.body).map((name) => owner.prefix + name),
      argument: (name: string) => this.argument(name),
    };
    return {
      outputs: new Known<TerraformItem>(new OutputsOfKnown(new Map(), this), place),
      instances: () => [...(isOfEks ? [unreadModule(call)] : []), ...addonsAskedFor(call)],
    };
  }

  /** An output of a module that isn't here. Asked for twice, it is the same value. */
  unknownOutput(name: string): Unknown {
    const text = `\${${this.address}.${name}}`;
    const symbol = `${this.owner.run.stack}/${text}`;
    return new Unknown(`${this.address} isn't here`, this.place, text, symbol, undefined, this.versionHints());
  }

  /** The Kubernetes version that the call names: what is known of a cluster that a module makes which isn't here. */
  private versionHints(): Hints {
    return (this.ofVersion ??= this.findVersionHints());
  }

  private findVersionHints(): Hints {
    const { owner, declared, address } = this;
    this.ofVersion = Hints.none;
    const hints = declared.block.body.attributes
      .filter(({ name }) => KUBERNETES_VERSION.test(name))
      .flatMap(({ name, value }) => {
        const given = evaluate(value, owner.scope(declared.file, this.repetition));
        if (given.kind === 'unknown') return given.hints.values;
        return alternativesOf(given).flatMap(({ value: plain }) =>
          plain.kind === 'known' ? [new Known(plain.value, plain.source, `argument ${name} of ${address}`)] : [],
        );
      });
    return hints.length === 0 ? Hints.none : new Hints(hints, undefined);
  }
}

/** Outputs of a module whose files aren't here. */
class OutputsOfKnown extends TerraformMap {
  constructor(
    entries: ConstructorParameters<typeof TerraformMap>[0],
    private readonly call: ModuleCall,
  ) {
    super(entries, call.unknownOutput('outputs'));
  }

  override entry(key: string) {
    return this.entries.get(key) ?? this.call.unknownOutput(key);
  }
}

interface InstalledModule {
  readonly folder: string;
  readonly source: string;
  /** Empty for one that isn't of a registry. */
  readonly version: string;
}

const installed = new WeakMap<Run, ReadonlyMap<string, InstalledModule>>();

/** Where `terraform init` has put the modules, by the names of the calls that lead to them. Folders elsewhere are left alone. */
function installedFolders(
  manifest: { readonly text: string } | { readonly problem: string },
): ReadonlyMap<string, InstalledModule> {
  const folders = new Map<string, InstalledModule>();
  if ('problem' in manifest) return folders;
  for (const entry of listOf(memberOf(parsed(manifest.text), 'Modules'))) {
    if (!isJsonMap(entry)) continue;
    const key = textOf(entry['Key']);
    const folder = textOf(entry['Dir']);
    if (key !== undefined && folder !== undefined && !isAbsolute(folder) && !folder.split(/[\\/]/).includes('..'))
      folders.set(key, { folder, source: textOf(entry['Source']) ?? '', version: textOf(entry['Version']) ?? '' });
  }
  return folders;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
