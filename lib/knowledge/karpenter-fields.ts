import { lazyTable, type Table } from './table';

/** A kind of Karpenter that the table of fields has. */
export type KarpenterKind = 'NodePool' | 'EC2NodeClass';

/** What one of the v1 definitions takes for a field. */
export interface KarpenterField {
  /** The values that are taken. @default - any */
  readonly values?: readonly string[];
  /** One of them has to match. @default - any */
  readonly patterns?: readonly string[];
  /** Its keys are of the user's choice. @default false */
  readonly isOpen?: boolean;
}

interface KarpenterFieldTable extends Table {
  /** The newest version whose definitions were read: `1.14`. */
  readonly newest: string;
  readonly kinds: Readonly<
    Record<
      KarpenterKind,
      {
        readonly fields: Readonly<Record<string, KarpenterField>>;
        readonly former: Readonly<Record<string, string>>;
        readonly formerValues: Readonly<Record<string, readonly string[]>>;
      }
    >
  >;
}

const load = lazyTable('karpenter-fields.json', ({ kinds, newest }: KarpenterFieldTable) => ({ kinds, newest }));

/** What the v1 definition of a kind has, in one of the versions of Karpenter since 1.0. */
export class KarpenterFields {
  constructor(private readonly kind: KarpenterKind) {}

  /** The newest version of Karpenter that the table knows, such as `1.14`. */
  get newest(): string {
    return load().newest;
  }

  /** A field by its path below `spec`, such as `template.spec.taints[].effect`. */
  field(path: string): KarpenterField | undefined {
    const { fields } = load().kinds[this.kind];
    return Object.hasOwn(fields, path) ? fields[path] : undefined;
  }

  /** The last version that had a field which v1 doesn't have: `v1beta1`, or `v1alpha`. */
  lastVersionOf(path: string): string | undefined {
    const { former } = load().kinds[this.kind];
    return Object.hasOwn(former, path) ? former[path] : undefined;
  }

  /** Whether a version before v1 took a value that v1 doesn't take. */
  isFormerValue(path: string, value: string): boolean {
    const { formerValues } = load().kinds[this.kind];
    return Object.hasOwn(formerValues, path) && formerValues[path]?.includes(value) === true;
  }
}

/**
 * The day of the table of Karpenter's fields, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function karpenterFieldsAsOf(): string {
  return load().table.asOf;
}
