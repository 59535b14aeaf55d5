import type { Shape } from '../text/shape';
import { compareVersions } from './versions';

/*
 * Newer rows for some tables, which an organisation brings by itself. A row takes the place of the one that it names, or is a further one.
 */

/** What a file of newer rows holds. */
export interface KnowledgeOverlay {
  readonly $schema?: string;
  /** The day up to which its rows know the world, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly tables: Readonly<Partial<Record<OverlaidTable, Row>>>;
}

type Row = Readonly<Record<string, unknown>>;

const VERSION: Shape = {
  kind: 'text',
  pattern: '^1\\.(0|[1-9][0-9]{0,3})$',
  what: 'a Kubernetes version such as 1.37',
};
const DAY: Shape = {
  kind: 'text',
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  what: 'a day such as 2027-01-31',
};
const NAME: Shape = { kind: 'text', pattern: '\\S', what: 'a name' };
const VERSIONS: Shape = { kind: 'list', item: VERSION };

/** The tables that can be overlaid, as far as their rows are. */
const TABLES = {
  'kubernetes-versions': {
    description: 'Kubernetes versions on EKS, by version; dates that are not known are left out.',
    shape: rows('versions', ['version'], {
      version: [VERSION, 'The version.'],
      upstreamRelease: [DAY, 'When Kubernetes released it.'],
      eksRelease: [DAY, 'When EKS got it.'],
      endStandard: [DAY, 'When standard support ends, and extended support begins.'],
      endExtended: [DAY, 'When extended support ends.'],
    }),
  },
  'addon-versions': {
    description: 'Versions of add-ons, as DescribeAddonVersions gives them.',
    shape: {
      kind: 'object',
      required: ['addons'],
      properties: {
        addons: {
          description: 'By the name of the add-on.',
          shape: {
            kind: 'map',
            value: rows('versions', ['version', 'clusters'], {
              version: [
                {
                  kind: 'text',
                  pattern: '^v\\d+\\.\\d+\\.\\d+-eksbuild\\.\\d+$',
                  what: 'a version such as v1.23.0-eksbuild.1',
                },
                'The version.',
              ],
              clusters: [VERSIONS, 'Kubernetes versions that take it.'],
              defaultFor: [VERSIONS, 'Kubernetes versions for which it is the default.'],
            }),
          },
        },
      },
    },
  },
  'ami-types': {
    description: 'AMI types of managed node groups, by name.',
    shape: rows('amiTypes', ['name', 'family', 'architecture'], {
      name: [NAME, 'The name in the API.'],
      family: [{ kind: 'choice', values: ['AL2', 'AL2023', 'BOTTLEROCKET', 'WINDOWS'] }, 'The operating system.'],
      architecture: [{ kind: 'choice', values: ['x86_64', 'arm64'] }, 'The architecture.'],
      minVersion: [VERSION, 'The first Kubernetes version that has it.'],
      maxVersion: [VERSION, 'The last Kubernetes version that has it.'],
      accelerator: [{ kind: 'choice', values: ['nvidia', 'neuron'] }, 'What it has drivers for.'],
    }),
  },
  'kubelet-feature-gates': {
    description: 'Feature gates that are gone, with the last Kubernetes version that knows them.',
    shape: map('gates', VERSION, 'Last version by gate.'),
  },
  'karpenter-versions': {
    description: 'The oldest Karpenter version that runs on a Kubernetes version.',
    shape: map(
      'oldest',
      { kind: 'text', pattern: '^\\d+\\.\\d+(\\.\\d+)?$', what: 'a version such as 1.13' },
      'By Kubernetes version.',
    ),
  },
  'removed-apis': {
    description: 'API versions that Kubernetes no longer serves.',
    shape: {
      kind: 'object',
      properties: {
        knownTo: { shape: VERSION, description: 'The newest version of which it is known what it removes.' },
        apis: {
          description: 'By version and kind.',
          shape: list(['apiVersion', 'kind', 'removedIn'], {
            apiVersion: [NAME, 'Such as policy/v1beta1.'],
            kind: [NAME, 'Such as PodDisruptionBudget.'],
            removedIn: [VERSION, 'The first version without it.'],
            use: [NAME, 'What takes its place.'],
            since: [VERSION, 'The version from which that is served.'],
          }),
        },
      },
    },
  },
} as const satisfies Record<string, { readonly description: string; readonly shape: Shape }>;

type OverlaidTable = keyof typeof TABLES;

/** The shape of a file of newer rows. */
export const OVERLAY_SHAPE: Shape = {
  kind: 'object',
  required: ['asOf', 'tables'],
  properties: {
    $schema: { shape: NAME, description: 'Where the JSON Schema of this file stands, for editors.' },
    asOf: { shape: DAY, description: 'The day up to which these rows know the world, YYYY-MM-DD.' },
    tables: {
      description: 'The tables that get newer rows.',
      shape: { kind: 'object', noun: 'table', properties: TABLES },
    },
  },
};

type Fields = Readonly<Record<string, readonly [Shape, string]>>;

function list(required: readonly string[], fields: Fields): Shape {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, [shape, description]]) => [name, { shape, description }]),
  );
  return { kind: 'list', item: { kind: 'object', required, properties } };
}

function rows(name: string, required: readonly string[], fields: Fields): Shape {
  return {
    kind: 'object',
    required: [name],
    properties: { [name]: { shape: list(required, fields), description: 'The rows.' } },
  };
}

function map(name: string, value: Shape, description: string): Shape {
  return { kind: 'object', required: [name], properties: { [name]: { shape: { kind: 'map', value }, description } } };
}

let current: KnowledgeOverlay | undefined;

/** Has everything see the newer rows as long as something runs. */
export function withOverlay<T>(overlay: KnowledgeOverlay | undefined, run: () => T): T {
  if (overlay === undefined) return run();
  const before = current;
  current = overlay;
  try {
    return run();
  } finally {
    current = before;
  }
}

/** The newer rows of a table, if there are any now. */
export function overlayOf(table: string): KnowledgeOverlay | undefined {
  return current !== undefined && Object.hasOwn(current.tables, table) ? current : undefined;
}

/** A table with newer rows. */
export function amended<T>(name: string, table: T, { asOf, tables }: KnowledgeOverlay): T {
  const newer = tables[name as OverlaidTable];
  if (newer === undefined) return table;
  return { ...AMENDMENTS[name as OverlaidTable](table as Row, newer), asOf } as T;
}

const AMENDMENTS: Readonly<Record<OverlaidTable, (table: Row, newer: Row) => Row>> = {
  'kubernetes-versions': (table, newer) => ({
    ...table,
    versions: merged(table, newer, 'versions', ['version']).toSorted((a, b) =>
      compareVersions(String(a['version']), String(b['version'])),
    ),
  }),
  'addon-versions': (table, newer) => ({
    ...table,
    addons: withAddons(mapIn(table, 'addons'), mapIn(newer, 'addons')),
  }),
  'ami-types': (table, newer) => ({ ...table, amiTypes: merged(table, newer, 'amiTypes', ['name']) }),
  'kubelet-feature-gates': (table, newer) => ({
    ...table,
    gates: { ...mapIn(table, 'gates'), ...mapIn(newer, 'gates') },
  }),
  'karpenter-versions': (table, newer) => ({
    ...table,
    oldest: { ...mapIn(table, 'oldest'), ...mapIn(newer, 'oldest') },
  }),
  'removed-apis': (table, newer) => ({
    ...table,
    ...(newer['knownTo'] === undefined ? {} : { knownTo: newer['knownTo'] }),
    apis: merged(table, newer, 'apis', ['apiVersion', 'kind']),
  }),
};

function listIn(table: Row, key: string): readonly Row[] {
  return (table[key] ?? []) as readonly Row[];
}

function mapIn(table: Row, key: string): Row {
  return (table[key] ?? {}) as Row;
}

/** Rows of both; newer ones complete, or take the place of, what is there. */
function merged(table: Row, newer: Row, key: string, names: readonly string[]): readonly Row[] {
  const nameOf = (row: Row): string => JSON.stringify(names.map((name) => row[name]));
  const all = new Map(listIn(table, key).map((row) => [nameOf(row), row]));
  for (const row of listIn(newer, key)) all.set(nameOf(row), { ...all.get(nameOf(row)), ...row });
  return [...all.values()];
}

/** Newest first; what was the default before isn't any more where another version is. */
function withAddons(known: Row, newer: Row): Row {
  const addons: Record<string, unknown> = { ...known };
  for (const [name, addon] of Object.entries(newer) as [string, Row][]) {
    const before = (known[name] ?? { requiresIamPermissions: false, computeTypesOfNewest: [], versions: [] }) as Row;
    const rows = listIn(addon, 'versions');
    const taken = new Set(rows.flatMap((row) => (row['defaultFor'] ?? []) as readonly string[]));
    const replaced = new Set(rows.map((row) => row['version']));
    const kept = listIn(before, 'versions')
      .filter((row) => !replaced.has(row['version']))
      .map((row) => ({
        ...row,
        ...(row['defaultFor'] === undefined
          ? {}
          : { defaultFor: (row['defaultFor'] as readonly string[]).filter((minor) => !taken.has(minor)) }),
      }));
    addons[name] = {
      ...before,
      versions: [...kept, ...rows].toSorted((a: Row, b: Row) =>
        compareVersions(String(b['version']), String(a['version'])),
      ),
    };
  }
  return addons;
}
