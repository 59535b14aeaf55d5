import {
  Absent,
  alternativesOf,
  byModule,
  type Diagnostic,
  flatMapValue,
  Known,
  type Plain,
  type Source,
  sourceOf,
  Unknown,
  type Value,
  type When,
} from '../../../value';
import { nearestInWords } from '../../../text/nearest';
import { partitionOf } from '../../../knowledge/partition';
import { compose } from '../../../value/composed-text';
import type { TerraformInstance } from '../../../terraform/instance';
import type { KnownModuleCall } from '../../../terraform/known-module';
import type { TerraformItem, TerraformValue } from '../../../terraform/terraform-value';
import { LazyMap } from '../../../terraform/module/lazy-map';
import { Given, mapOf, type Attributes } from './given';
import type { Names } from './names';
import type { Release, Versions } from '../../../terraform/module/version-constraint';

function isSame<T>(a: Value<T>, b: Value<T>): boolean {
  return (
    a === b ||
    (a.kind === 'absent' && b.kind === 'absent') ||
    (a.kind === 'known' && b.kind === 'known' && a.value === b.value)
  );
}

const NO_INPUTS: ReadonlyMap<string, string> = new Map();

/** Arguments that the known modules have under the same name, in the map of an add-on or a node group. */
const SAME_INPUTS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    aws_eks_addon: [
      'addon_version',
      'configuration_values',
      'preserve',
      'resolve_conflicts_on_create',
      'resolve_conflicts_on_update',
      'service_account_role_arn',
    ],
    aws_eks_node_group: ['ami_type', 'instance_types', 'capacity_type'],
  }).map(([type, names]) => [type, new Map(names.map((name) => [name, name]))]),
);

/**
 * The arguments of an add-on under the names of a module's versions that have one conflict mode for both occasions.
 * @param names those that the module reads
 */
export function inputsWithOneConflictMode(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map([
    ...names.map((name): [string, string] => [name, name]),
    ['resolve_conflicts_on_update', 'resolve_conflicts'],
  ]);
}

/** Instances, and what makes more of them. */
type Made = (TerraformInstance | (() => Made))[];

function allOf(made: Made): readonly TerraformInstance[] {
  return made.flatMap((one) => (typeof one === 'function' ? allOf(one()) : [one]));
}

/** A call of a module that is known here, and what becomes of it. */
export class ModuleContext {
  private readonly problems: Diagnostic[] = [];
  private readonly outputsByName = new Map<string, () => TerraformValue | undefined>();
  private readonly made: Made = [];
  /** Where the next instance goes. */
  private into = this.made;
  private readonly told = new Set<string>();
  /** Where keys are ignored, by what is said of them, with the number of the diagnostic that says it. */
  private readonly ignored = new Map<string, { readonly index: number; readonly where: string[] }>();
  readonly given: Given;
  /** `terraform-aws-modules/eks/aws 21`. */
  readonly title: string;

  constructor(
    readonly call: KnownModuleCall,
    /** `terraform-aws-modules/eks/aws`. */
    readonly name: string,
    readonly versions: Versions,
    /** Where what it makes exists. */
    readonly exists: When = call.exists,
  ) {
    this.given = new Given(call.arguments, call.place);
    this.title = `${name}${versions.label}`;
  }

  /** All that the module makes, in the order of its declarations. */
  get instances(): readonly TerraformInstance[] {
    return allOf(this.made);
  }

  /** What is wrong with the call. */
  get diagnostics(): readonly Diagnostic[] {
    // Much of it shows when something is made of the arguments.
    allOf(this.made);
    return this.problems;
  }

  /** The outputs, each worked out when somebody asks for it. */
  get outputs(): ReadonlyMap<string, TerraformValue> {
    return new LazyMap(this.outputsByName.keys(), (name) => this.outputsByName.get(name)?.());
  }

  /** @param value what stands on arguments is worked out in it, and not before; undefined for what isn't known */
  output(name: string, value: () => TerraformValue | undefined): void {
    this.outputsByName.set(name, value);
  }

  /**
   * What takes the values of arguments: it is made when somebody asks for it, at the latest with the instances. Until then the arguments may stand
   * on outputs of this very module, as the role of an add-on stands on the OIDC provider of its cluster.
   * @returns what is made; undefined while it is being made
   */
  later<T>(make: () => T): () => T | undefined {
    const own: Made = [];
    let state: 'open' | 'begun' | { readonly done: T } = 'open';
    const get = (): T | undefined => {
      if (state === 'open') {
        state = 'begun';
        const before = this.into;
        this.into = own;
        try {
          state = { done: make() };
        } finally {
          this.into = before;
        }
      }
      return state === 'begun' ? undefined : state.done;
    };
    this.into.push(() => {
      get();
      return own;
    });
    return get;
  }

  get release(): Release {
    return this.versions.newest;
  }

  /** A value that the module takes where none is given. */
  standard(item: TerraformItem, place: Source = this.call.place): Known<TerraformItem> {
    return new Known(item, byModule(place, 'yes'), `default of ${this.title}`);
  }

  /** A value that the module sets, whatever the call says. */
  fixed<T extends TerraformItem>(item: T, place: Source = this.call.place): Known<T> {
    return new Known(item, place, `set by ${this.title}`);
  }

  /** A default that depends on the version. @param fact undefined where there is none */
  byVersion(
    what: string,
    fact: (release: Release) => string | number | boolean | undefined,
    place: Source,
  ): Plain<TerraformItem> {
    const agreed = this.versions.agreed(fact);
    if (agreed === undefined) return new Unknown(this.differs(what), place);
    return agreed.value === undefined ? new Absent(place) : this.standard(agreed.value, place);
  }

  /** What every version that may be chosen makes of something; unknown where they differ. */
  inEach<T>(what: string, make: (release: Release) => Value<T>, place: Source): Value<T> {
    const [first, ...others] = this.versions.candidates;
    const value = make(first);
    return others.every((release) => isSame(make(release), value)) ? value : new Unknown(this.differs(what), place);
  }

  differs(what: string): string {
    const { text } = this.versions;
    const which = text === undefined ? 'no version of it is named' : `"${text}" allows several`;
    return `the default of ${what} differs between versions of ${this.name}, and ${which}`;
  }

  /** What a version of the module doesn't tell here. */
  unknown(reason: string, place: Source = this.call.place): Unknown {
    return new Unknown(reason, place);
  }

  /**
   * An instance of a resource that the module makes.
   * @param path `module.a["b"].aws_x.this[0]`
   * @param attributes a function for those that take values of arguments before there is a {@link later}
   */
  declare(
    path: string,
    attributes: Attributes | (() => Attributes),
    place: Source = this.call.place,
    exists: When = this.exists,
    more: Partial<Pick<TerraformInstance, 'attributes'>> &
      Pick<TerraformInstance, 'ignoredChanges' | 'moduleInputs' | 'moduleOutputs' | 'waitsFor' | 'mayWaitFor'> & {
        /** What of the call takes its arguments: `eks_managed_node_groups["workers"]`. @default - the call itself */
        readonly inputsAt?: string;
      } = {},
  ): TerraformInstance {
    const { call } = this;
    const { address, stack, frontEnd, region, provider, path: constructPath, isNotEnabled } = call;
    const { inputsAt, ...others } = more;
    const full = `${address}.${path}`;
    const [, inner = '', data, type = ''] =
      /^((?:module\.[a-z_]+(?:\["(?:[^"\\]|\\.)*"\])?\.)*)(data\.)?([a-z0-9_]+)\./.exec(path) ?? [];
    let read: TerraformValue | undefined;
    const instance: TerraformInstance = {
      address: full,
      mode: data === undefined ? 'managed' : 'data',
      type,
      module: inner === '' ? address : `${address}.${inner.slice(0, -1)}`,
      get attributes() {
        return (read ??= mapOf(typeof attributes === 'function' ? attributes() : attributes, place));
      },
      source: place,
      exists,
      isNotEnabled,
      stack,
      frontEnd,
      path: constructPath,
      region,
      provider,
      moduleInputs: SAME_INPUTS.get(type) ?? NO_INPUTS,
      moduleInputsAt: inputsAt === undefined ? address : `${address}.${inputsAt}`,
      ...(call.settingPlace === undefined
        ? {}
        : { moduleInputsIn: (keys, setting) => call.settingPlace?.(keys, setting) }),
      ...others,
      get handedOut() {
        return call.handedOut ?? [];
      },
    };
    return this.add(instance);
  }

  add(instance: TerraformInstance): TerraformInstance {
    this.into.push(instance);
    return instance;
  }

  /** An attribute of an instance that only `apply` tells. */
  reference(instance: TerraformInstance, attribute: string, place: Source = this.call.place): Unknown {
    const text = `\${${instance.address}.${attribute}}`;
    return new Unknown(`${instance.address} gets its ${attribute} at apply`, place, text, `${instance.stack}/${text}`, {
      resource: instance,
      attribute,
    });
  }

  /** What is unknown because nobody can tell whether its resource is there. */
  conditional(flag: Value<boolean>, yes: () => TerraformValue, no: TerraformValue): TerraformValue {
    return flatMapValue(flag, (plain): TerraformValue => {
      if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source);
      return plain.kind === 'known' && plain.value ? yes() : no;
    });
  }

  /** Where a resource that depends on a flag exists; undefined if nowhere, or if that isn't known. */
  where(flag: Value<boolean>, given: When = this.exists): When | undefined {
    const holding = alternativesOf(flag).flatMap(({ when, value }) =>
      value.kind === 'known' && value.value ? (given.and(when) ?? []) : [],
    );
    const [first, second] = holding;
    // Several cases are one resource with one address; that it exists in all of the call's is the closest that can be said.
    return second === undefined ? first : given;
  }

  /** The partition: of the region, or what `data.aws_partition` tells. */
  get partition(): Known<string> | Unknown {
    const { region, place, stack } = this.call;
    if (region !== undefined) return this.fixed(partitionOf(region));
    const text = '${data.aws_partition.current.partition}';
    return new Unknown('the region is not known', place, text, `${stack}/${text}`);
  }

  /** The domain of AWS where the region isn't known. */
  get domain(): Unknown {
    const { place, stack } = this.call;
    const text = '${data.aws_partition.current.dns_suffix}';
    return new Unknown('the region is not known', place, text, `${stack}/${text}`);
  }

  get account(): Unknown {
    const { place, stack } = this.call;
    const text = '${data.aws_caller_identity.current.account_id}';
    return new Unknown('only AWS tells the account', place, text, `${stack}/${text}`);
  }

  /** A managed policy of AWS by its ARN. */
  awsPolicy(name: string, place: Source): Plain<string> {
    return this.text(['arn:', this.partition, `:iam::aws:policy/${name}`], place);
  }

  text(parts: readonly (string | Plain<string>)[], place: Source = this.call.place): Plain<string> {
    return compose(
      parts.map((part) => (typeof part === 'string' ? this.fixed(part, place) : part)),
      place,
    );
  }

  /** A doubt about something that is written. */
  warn(place: Source, message: string): void {
    const { file, line, column } = place.locate();
    const key = JSON.stringify([message, file, line, column]);
    if (this.told.has(key)) return;
    this.told.add(key);
    this.problems.push({ severity: 'warning', message, file, line, column });
  }

  /** What of the module isn't read. */
  skip(message: string): void {
    const { file, line, column } = this.call.place.locate();
    this.problems.push({
      severity: 'warning',
      message,
      file,
      line,
      column,
      skipped: { what: 'module', count: 1 },
    });
  }

  /** Keys that no version in question reads: Terraform drops them without a word. One that several entries have is told once. */
  warnOfIgnoredKeys(given: Given, where: string, names: Names): void {
    const known = this.versions.candidates.map(([major]) => names.get(major) ?? new Set<string>());
    for (const key of given.keys()) {
      if (known.some((one) => one.has(key))) continue;
      const value = given.item(key);
      const meant = meantBy(
        key,
        value,
        known.flatMap((one) => [...one]),
      );
      const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
      const before = this.ignored.get(key + hint);
      const first = before === undefined ? undefined : this.problems[before.index];
      if (before === undefined || first === undefined) {
        this.ignored.set(key + hint, { index: this.problems.length, where: [where] });
        this.warn(sourceOf(value), `${this.title} ignores \`${key}\` in ${where}${hint}`);
      } else if (!before.where.includes(where)) {
        before.where.push(where);
        this.problems[before.index] = {
          ...first,
          message: `${this.title} ignores \`${key}\` in ${before.where.join(', ')}${hint}`,
        };
      }
    }
  }
}

/** The name that was probably meant. `PRESERVE` is only for updates: the AWS provider refuses it on creation. */
function meantBy(key: string, value: TerraformValue, names: readonly string[]): string | undefined {
  const isPreserve = alternativesOf(value).some(({ value: one }) => one.kind === 'known' && one.value === 'PRESERVE');
  return nearestInWords(key, isPreserve ? names.filter((name) => name !== 'resolve_conflicts_on_create') : names);
}
