import { editDistance } from '../../text/nearest';
import {
  compareVersions,
  parseVersion,
  vpcCni,
  type AddonDescription,
  type ConfigurationKey,
  type ConfigurationType,
} from '../../knowledge';
import { entriesOf, isDataMap, Unknown, type Data, type DataMap } from '../../value';

/** Something in configuration values that the schema of their add-on refuses, or that can't be decided. */
export type ConfigurationProblem =
  | { readonly kind: 'unknown-key'; readonly path: string; readonly suggestion: string | undefined }
  | { readonly kind: 'wrong-place'; readonly path: string; readonly place: string }
  | { readonly kind: 'not-configurable'; readonly path: string; readonly why: string }
  | { readonly kind: 'removed'; readonly path: string; readonly removedIn: string }
  | { readonly kind: 'too-new'; readonly path: string; readonly since: string; readonly alsoIn: readonly string[] }
  | {
      readonly kind: 'type';
      readonly path: string;
      readonly expected: string;
      readonly found: string;
      readonly correct: string | undefined;
    }
  | { readonly kind: 'value'; readonly path: string; readonly allowed: readonly string[]; readonly found: string }
  | { readonly kind: 'required'; readonly path: string; readonly key: string }
  | { readonly kind: 'doubt'; readonly path: string; readonly reason: string };

/** Against which schemas the configuration values are checked. */
export type SchemaVersions =
  | { readonly kind: 'pinned'; readonly version: string }
  /** The version isn't known: a key is wrong when no candidate has it, right when all have it, else undecided. */
  | { readonly kind: 'any'; readonly clusterMinor: string | undefined; readonly because: string };

/** Checks configuration values of an add-on, the VPC CNI if none is given, key by key. */
export function configurationProblems(data: DataMap, versions: SchemaVersions, addon = vpcCni): ConfigurationProblem[] {
  return [...new Walk(addon, versions).map(data, '', undefined)];
}

/** After so many unknown keys in one configuration nobody needs to be told what each of them may be meant to be. */
const MOST_SEARCHES = 50;

class Walk {
  private readonly candidates: readonly string[];
  private searches = 0;

  constructor(
    private readonly addon: AddonDescription,
    private readonly versions: SchemaVersions,
  ) {
    this.candidates = versions.kind === 'pinned' ? [versions.version] : addon.versionsFor(versions.clusterMinor);
  }

  *map(data: DataMap, path: string, parent: ConfigurationKey | undefined): Generator<ConfigurationProblem> {
    for (const [name, value] of entriesOf(data)) {
      const childPath = path === '' ? name : `${path}.${name}`;
      // A dotted name is one key to EKS, not a path.
      const own = /[.[*]/.test(name)
        ? undefined
        : this.addon.key(parent === undefined ? name : `${parent.path}.${name}`);
      const key = own ?? (parent === undefined ? undefined : this.addon.key(`${parent.path}.*`));
      const isClosed = parent === undefined || parent.closed === true;
      if (key !== undefined) yield* this.known(value, childPath, key, isClosed);
      else if (isClosed) yield this.unknownKey(childPath, name, parent);
    }
    for (const required of parent?.required ?? []) {
      if (!Object.hasOwn(data, required)) yield { kind: 'required', path, key: required };
    }
    if (parent?.minProperties !== undefined && Object.keys(data).length < parent.minProperties) {
      yield { kind: 'required', path, key: 'entry' };
    }
  }

  private *known(value: Data, path: string, key: ConfigurationKey, isClosed: boolean): Generator<ConfigurationProblem> {
    const availability = this.availability(key, path);
    if (availability !== undefined) {
      // Where other keys are accepted, too, a version that doesn't list this one takes it as any of them.
      if (!isClosed) return;
      // The innermost key says more than the block that came with it.
      if (
        isDataMap(value) &&
        Object.keys(value).length > 0 &&
        Object.keys(value).every((name) => this.addon.key(`${key.path}.${name}`))
      ) {
        const inner = [...this.map(value, path, { ...key, required: [] })];
        // Where all of them came with the block, it is told once.
        const isWhole =
          inner.length > 1 && inner.every((one) => one.kind === 'too-new' && sinceOf(availability) === one.since);
        yield* isWhole ? [availability] : inner;
      } else {
        yield availability;
      }
      return;
    }
    yield* this.typed(value, path, key);
  }

  private *typed(value: Data, path: string, key: ConfigurationKey): Generator<ConfigurationProblem> {
    if (value instanceof Unknown) {
      if (!isPlainText(key)) yield { kind: 'doubt', path, reason: `${path} is not known (${value.reason})` };
      return;
    }
    if (
      !key.type.some(
        (type) => type === 'any' || typeOf(value) === type || (type === 'integer' && Number.isInteger(value)),
      )
    ) {
      yield {
        kind: 'type',
        path,
        expected: expectedText(key.type),
        found: foundText(value),
        correct: correction(value, key.type),
      };
      return;
    }
    const isFree = this.candidates.every((version) => key.freeIn?.includes(version) === true);
    if (key.enum !== undefined && !isFree && !key.enum.includes(value as string)) {
      yield { kind: 'value', path, allowed: key.enum, found: foundText(value) };
    }
    if (isDataMap(value)) yield* this.map(value, path, key);
    const item = this.addon.key(`${key.path}[]`);
    if (Array.isArray(value) && item !== undefined) {
      for (const [index, one] of (value as readonly Data[]).entries())
        yield* this.typed(one, `${path}[${index}]`, item);
    }
  }

  /** Why the key can't be used with the version; undefined if it can. */
  private availability(key: ConfigurationKey, path: string): ConfigurationProblem | undefined {
    const having = this.candidates.filter((version) => this.addon.accepts(key, version));
    if (having.length === this.candidates.length) return undefined;
    if (having.length > 0) return this.doubt(path, `${path} is accepted by some versions of the add-on only`);
    const { versions } = this;
    // An unlisted build of a listed line may be one of the rebuilds that got later keys.
    if (versions.kind === 'pinned' && !this.addon.hasSchemaOf(versions.version) && key.alsoIn.length > 0) {
      return this.doubt(path, `the schema of ${versions.version} is not in the table`);
    }
    if (key.since === undefined) {
      if (
        versions.kind === 'pinned' &&
        key.removedIn !== undefined &&
        compareVersions(versions.version, key.removedIn) < 0
      ) {
        return { kind: 'too-new', path, since: key.onlyIn[0] ?? key.removedIn, alsoIn: [] };
      }
      return { kind: 'removed', path, removedIn: key.removedIn ?? 'a later version' };
    }
    return {
      kind: 'too-new',
      path,
      since: key.since,
      alsoIn: versions.kind === 'pinned' ? sameLine(key.alsoIn, versions.version) : [],
    };
  }

  private unknownKey(path: string, name: string, parent: ConfigurationKey | undefined): ConfigurationProblem {
    if (name.includes('${')) return { kind: 'doubt', path, reason: `the key ${path} is not known before deployment` };
    const never = this.addon.neverAccepted(path);
    const place = placeOf(this.addon, name, parent);
    if (place !== undefined && place !== path) {
      return place.toLowerCase() === path.toLowerCase()
        ? { kind: 'unknown-key', path, suggestion: place }
        : { kind: 'wrong-place', path, place };
    }
    if (never !== undefined) return { kind: 'not-configurable', path, why: never.why };
    if (this.versions.kind === 'pinned' && !this.addon.hasSchemaOf(this.versions.version)) {
      return this.doubt(
        path,
        `the table of configuration keys ends with ${this.addon.newestSchema} and has no ${path}`,
      );
    }
    const nearest = this.searches++ < MOST_SEARCHES ? nearestOf(this.addon, name, parent) : undefined;
    // A key beside it stands below the user's own name, where the schema has any.
    const isBeside = nearest !== undefined && parent !== undefined && nearest === `${parent.path}.${lastOf(nearest)}`;
    const suggestion = isBeside ? `${path.slice(0, -name.length)}${lastOf(nearest)}` : nearest;
    return { kind: 'unknown-key', path, suggestion };
  }

  private doubt(path: string, reason: string): ConfigurationProblem {
    return {
      kind: 'doubt',
      path,
      reason: this.versions.kind === 'any' ? `${reason}, and ${this.versions.because}` : reason,
    };
  }
}

function sinceOf(problem: ConfigurationProblem): string | undefined {
  return problem.kind === 'too-new' ? problem.since : undefined;
}

/** Text without a list of allowed values: then a part that isn't known yet can't be wrong. */
function isPlainText(key: ConfigurationKey): boolean {
  return key.enum === undefined && key.type.some((type) => type === 'string' || type === 'any');
}

function typeOf(value: Exclude<Data, Unknown>): ConfigurationType | 'number' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

function foundText(value: Exclude<Data, Unknown>): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`;
  return typeof value === 'number' || typeof value === 'boolean' ? `the ${typeof value} ${value}` : 'a map';
}

const TYPE_TEXTS: Readonly<Record<ConfigurationType, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'text',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  any: 'anything',
};

function expectedText(types: readonly ConfigurationType[]): string {
  return types
    .filter((type) => type !== 'null')
    .map((type) => TYPE_TEXTS[type])
    .join(' or ');
}

/** The same value as the schema wants it, as JSON. */
function correction(value: Exclude<Data, Unknown>, types: readonly ConfigurationType[]): string | undefined {
  const scalar = typeof value === 'boolean' || typeof value === 'number';
  if (types.includes('string')) return scalar ? JSON.stringify(String(value)) : undefined;
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value;
  return types.includes('integer') && /^-?\d+$/.test(value) ? String(Number(value)) : undefined;
}

/** Rebuilds of the pinned version's own minor line: the shortest way to the key. */
function sameLine(versions: readonly string[], pinned: string): readonly string[] {
  const own = parseVersion(pinned);
  return versions.filter((version) => version.startsWith(`v${own?.major}.${own?.minor}.`));
}

/** The keys that current versions have, without those of free names and of items of lists. Names and paths to look for are in lower case. */
interface CurrentKeys {
  readonly byPath: ReadonlyMap<string, ConfigurationKey>;
  /** By the last name, those whose name stands in one place only: `cpu` stands in many, and says nothing. */
  readonly byName: ReadonlyMap<string, ConfigurationKey>;
  /** By the path of the map that holds them, empty for the top level. */
  readonly byParent: ReadonlyMap<string, readonly ConfigurationKey[]>;
}

const currentByAddon = new WeakMap<AddonDescription, CurrentKeys>();

function currentKeys(addon: AddonDescription): CurrentKeys {
  let current = currentByAddon.get(addon);
  if (current === undefined) {
    const all = addon.keys.filter((key) => key.since !== undefined && !/[*[]/.test(key.path));
    const nameOf = ({ path }: ConfigurationKey): string => lastOf(path).toLowerCase();
    const ofName = grouped(all, nameOf);
    current = {
      byPath: new Map(all.map((key) => [key.path.toLowerCase(), key])),
      byName: new Map(all.filter((key) => ofName.get(nameOf(key))?.length === 1).map((key) => [nameOf(key), key])),
      byParent: grouped(all, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('.')))),
    };
    currentByAddon.set(addon, current);
  }
  return current;
}

function grouped(
  keys: readonly ConfigurationKey[],
  groupOf: (key: ConfigurationKey) => string,
): ReadonlyMap<string, readonly ConfigurationKey[]> {
  const groups = new Map<string, ConfigurationKey[]>();
  for (const key of keys) {
    const group = groups.get(groupOf(key));
    if (group === undefined) groups.set(groupOf(key), [key]);
    else group.push(key);
  }
  return groups;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Where a key of this name belongs, if the name exists elsewhere in the schema. */
function placeOf(addon: AddonDescription, name: string, parent: ConfigurationKey | undefined): string | undefined {
  const { byPath, byName } = currentKeys(addon);
  const inCase = byPath.get(`${parent === undefined ? '' : `${parent.path}.`}${name}`.toLowerCase());
  if (inCase !== undefined) return inCase.path;
  return byName.get(name.toLowerCase())?.path;
}

/** The key that was probably meant: one beside it first, else one anywhere whose name stands in one place only. */
function nearestOf(addon: AddonDescription, name: string, parent: ConfigurationKey | undefined): string | undefined {
  const { byName, byParent } = currentKeys(addon);
  const { path = '' } = parent ?? {};
  const beside = path.includes('*')
    ? addon.keys.filter((key) => key.since !== undefined && /^[^.*[]+$/.test(rest(key.path, `${path}.`)))
    : (byParent.get(path) ?? []);
  return closest(name, beside) ?? closest(name, byName.values());
}

/** What comes after the beginning; nothing where it begins otherwise. */
function rest(text: string, beginning: string): string {
  return text.startsWith(beginning) ? text.slice(beginning.length) : '';
}

function closest(name: string, keys: Iterable<ConfigurationKey>): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 5));
  let best: { path: string; distance: number } | undefined;
  for (const { path } of keys) {
    const last = lastOf(path);
    // The distance is no smaller than that, and to compare long texts takes long.
    if (Math.abs(last.length - name.length) > most) continue;
    const distance = editDistance(name.toLowerCase(), last.toLowerCase());
    if (distance <= most && (best === undefined || distance < best.distance)) best = { path, distance };
  }
  return best?.path;
}
