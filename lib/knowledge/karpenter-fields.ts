import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

/** A kind of Karpenter that the table of fields has. */
export type KarpenterKind = 'NodePool' | 'EC2NodeClass';

/** What the v1 definitions take for a field: what stands here holds in all of them. */
export interface KarpenterField {
  /** @default - any, or an integer or a text */
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  /** The values that are taken. @default - any */
  readonly values?: readonly string[];
  /** A regular expression, that of the newest version that has one. @default - any */
  readonly pattern?: string;
  /** Its keys are of the user's choice. @default false */
  readonly isOpen?: boolean;
  /** The last version in which it isn't open yet. @default - it is open in all */
  readonly openAfter?: string;
  /** Keys below it that have to be there, and have no default. @default - none */
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  /** The first minor version that has it, such as `1.8`. @default - 1.0 */
  readonly since?: string;
  /** The same of some of its values. @default - all are there from the beginning */
  readonly valuesSince?: Readonly<Record<string, string>>;
}

/** The versions between which the definitions have something. */
interface Period {
  /** A minor version, such as `1.8`. @default - 1.0 */
  readonly from?: string;
  /** The last minor version that has it. @default - the newest one has it, too */
  readonly until?: string;
}

/** An expression by which a definition refuses objects, in CEL; `self` is the field at which it stands. */
export interface KarpenterValidation extends Period {
  readonly rule: string;
  /** What the API server says. */
  readonly message: string;
}

/** Keys of labels that are refused: `key`, or those of `domain` and all domains that end so. */
interface RestrictedKeys extends Period {
  readonly key?: string;
  readonly domain?: string;
  /** Keys of the domain that are taken, with the first version that does; empty for 1.0. */
  readonly allowed?: Readonly<Record<string, string>>;
  /** Endings of domains that are taken. */
  readonly but?: readonly string[];
}

interface KindTable {
  readonly required: readonly string[];
  readonly fields: Readonly<Record<string, KarpenterField>>;
  readonly keys: Readonly<Record<string, readonly RestrictedKeys[]>>;
  readonly validations: Readonly<Record<string, readonly KarpenterValidation[]>>;
  readonly former: Readonly<Record<string, string>>;
}

interface KarpenterFieldTable extends Table {
  /** The newest version whose definitions were read: `1.14`. */
  readonly newest: string;
  readonly kinds: Readonly<Record<KarpenterKind, KindTable>>;
}

const load = lazyTable('karpenter-fields.json', ({ kinds, newest }: KarpenterFieldTable) => ({ kinds, newest }));

/** Which versions refuse something: all that the cluster may have, or the newest of them, but not all. */
export type Refusal = 'all' | 'newest';

/**
 * What the v1 definitions of a kind take, in the versions of Karpenter that a cluster may have.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds.
 */
export class KarpenterDefinitions {
  private readonly table: KindTable;
  private readonly versions: readonly string[];

  /** @param range the versions that the cluster may have; ones that the table doesn't know count as the next that it knows. @default - any */
  constructor(
    kind: KarpenterKind,
    private readonly range: { readonly from?: string; readonly to?: string } = {},
  ) {
    const { kinds, newest } = load();
    this.table = kinds[kind];
    const last = minorOf(newest);
    const from = Math.min(minorOf(range.from ?? '1.0'), last);
    const to = Math.min(minorOf(range.to ?? newest), last);
    this.versions = Array.from({ length: Math.max(1, to - from + 1) }, (_, index) => `1.${from + index}`);
  }

  /** The versions that are meant, in words: `Karpenter from 1.0 to 1.14`, `Karpenter 1.5.2`. */
  get called(): string {
    const { from = '1.0', to = load().newest } = this.range;
    return from === to ? `Karpenter ${from}` : `Karpenter from ${from} to ${to}`;
  }

  /** Whether that is a single version. */
  get isOne(): boolean {
    const { from = '1.0', to = load().newest } = this.range;
    return from === to;
  }

  /** The paths at which it has fields of some name, those in lists and maps left out. */
  placesOf(name: string): readonly string[] {
    return Object.keys(this.table.fields).filter(
      (path) => !/[[{]/.test(path) && path.slice(path.lastIndexOf('.') + 1) === name,
    );
  }

  /** The names of the fields below a path. */
  namesIn(path: string): readonly string[] {
    const start = path === '' ? '' : `${path}.`;
    return Object.keys(this.table.fields)
      .filter((one) => one.startsWith(start))
      .map((one) => one.slice(start.length))
      .filter((name) => /^[^.[{]+$/.test(name));
  }

  /** A field by its path below `spec`, such as `template.spec.taints[].effect`; the empty path is `spec` itself. Undefined where no version has it. */
  field(path: string): KarpenterField | undefined {
    if (path === '') return { required: this.table.required };
    return Object.hasOwn(this.table.fields, path) ? this.table.fields[path] : undefined;
  }

  /** Whether the version of the cluster is known, and one whose definitions were read. */
  get isCertain(): boolean {
    const { from, to } = this.range;
    return from !== undefined && from === to && minorOf(from) <= minorOf(load().newest);
  }

  /** Whether keys of a field may be of the user's choice. */
  isOpen({ isOpen = false, openAfter }: KarpenterField): boolean {
    return isOpen && (openAfter === undefined || !this.isCertain);
  }

  /** Whether a version that the cluster may have has what came with one. */
  has(since: string | undefined): boolean {
    return since === undefined || this.versions.some((version) => compareVersions(version, since) >= 0);
  }

  /** The expressions of a field for which a callback says that they refuse it, if this holds of the newest version at least. */
  refusals(
    path: string,
    refuses: (validation: KarpenterValidation) => boolean,
  ): { readonly by: readonly KarpenterValidation[]; readonly in: Refusal } | undefined {
    const found = Object.hasOwn(this.table.validations, path) ? (this.table.validations[path] ?? []) : [];
    return this.judged(found.filter(refuses));
  }

  /** Which versions refuse a label at a path, if the newest does at least. */
  refusesKey(path: string, key: string): Refusal | undefined {
    const found = Object.hasOwn(this.table.keys, path) ? (this.table.keys[path] ?? []) : [];
    return this.judged(found.flatMap((one) => refusalOfKey(one, key)))?.in;
  }

  /** What refuses something in the newest version; in the others, whatever does. */
  private judged<T extends Period>(by: readonly T[]): { readonly by: readonly T[]; readonly in: Refusal } | undefined {
    const inForce = (version: string): readonly T[] =>
      by.filter(
        ({ from, until }) =>
          (from === undefined || compareVersions(version, from) >= 0) &&
          (until === undefined || compareVersions(version, until) <= 0),
      );
    const newest = inForce(this.versions.at(-1) ?? '');
    if (newest.length === 0) return undefined;
    return { by: newest, in: this.versions.every((version) => inForce(version).length > 0) ? 'all' : 'newest' };
  }

  /** The last version that had a field which v1 doesn't have: `v1beta1`, or `v1alpha`. */
  lastVersionOf(path: string): string | undefined {
    return Object.hasOwn(this.table.former, path) ? this.table.former[path] : undefined;
  }
}

/** Of a version of Karpenter; 0 before 1.0, when there was no v1. */
function minorOf(version: string): number {
  const [major = 1, minor = 0] = version.split('.').map(Number);
  return major < 1 ? 0 : major > 1 ? Number.MAX_SAFE_INTEGER : minor;
}

/** When a rule refuses a key: until the version that allows it. */
function refusalOfKey(restricted: RestrictedKeys, key: string): readonly Period[] {
  const { domain, allowed = {}, but = [], ...period } = restricted;
  if (domain === undefined) return restricted.key === key ? [period] : [];
  const [own = ''] = key.split('/');
  if (!own.endsWith(domain) || but.some((one) => own.endsWith(one))) return [];
  if (!Object.hasOwn(allowed, key)) return [period];
  const since = allowed[key] ?? '';
  return since === '' ? [] : [{ ...period, until: `1.${minorOf(since) - 1}` }];
}

/**
 * The day of the table of Karpenter's fields, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function karpenterFieldsAsOf(): string {
  return load().table.asOf;
}
