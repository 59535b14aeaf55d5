import { lazyTable, type Table } from './table';

export type Architecture = 'x86_64' | 'arm64';

/** What counts about an EC2 instance type for EKS nodes. */
export interface InstanceType {
  readonly name: string;
  /** Network interfaces of the default network card: the ones that the VPC CNI uses. */
  readonly enis: number;
  /** IPv4 addresses per interface, the primary one included. */
  readonly ipv4PerEni: number;
  /** Nitro hypervisor or bare metal, which prefix delegation needs. */
  readonly nitro: boolean;
  readonly bareMetal: boolean;
  /** Can carry a trunk interface, which security groups for pods need. Meaningless unless `trunkKnown`. */
  readonly trunk: boolean;
  /** False when no upstream list says whether the type can carry a trunk interface. */
  readonly trunkKnown: boolean;
  /** The most branch interfaces, that is pods with security groups of their own. 0 unless `trunkKnown`. */
  readonly branchEnis: number;
  readonly architecture: Architecture;
  /** Default vCPU count; undefined when no upstream list has it. */
  readonly vcpus: number | undefined;
  /** AWS's own max-pods figure (secondary addresses, no ceiling); undefined for types newer than that list. */
  readonly maxPodsAws: number | undefined;
  readonly networkCards: number;
  /** The most Elastic Fabric Adapters, 0 for none; undefined when no upstream list has the type. Fewer than cards: the first card has none. */
  readonly efaInterfaces: number | undefined;
}

type Row = readonly [
  enis: number,
  ipv4PerEni: number,
  nitro: 0 | 1,
  bareMetal: 0 | 1,
  trunk: 0 | 1 | null,
  branchEnis: number | null,
  architecture: Architecture,
  vcpus: number | null,
  maxPodsAws: number | null,
  networkCards: number,
  efaInterfaces: number | null,
];

interface InstanceTypeTable extends Table {
  readonly columns: readonly string[];
  readonly types: Readonly<Record<string, Row>>;
}

const load = lazyTable('instance-types.json', (table: InstanceTypeTable) => ({
  rows: new Map(Object.entries(table.types)),
  types: new Map<string, InstanceType>(),
}));

/** An instance type by name (`m7g.large`); undefined when the table doesn't have it, which may mean that it is newer. */
export function instanceType(name: string): InstanceType | undefined {
  const { rows, types } = load();
  let type = types.get(name);
  if (type === undefined) {
    const row = rows.get(name);
    if (row === undefined) return undefined;
    type = fromRow(name, row);
    types.set(name, type);
  }
  return type;
}

export function instanceTypeNames(): readonly string[] {
  return [...load().rows.keys()];
}

/** The day of the instance type table, `YYYY-MM-DD`. */
export function instanceTypesAsOf(): string {
  return load().table.asOf;
}

function fromRow(name: string, row: Row): InstanceType {
  const [enis, ipv4PerEni, nitro, bareMetal, trunk, branchEnis, architecture, vcpus, maxPodsAws, networkCards, efa] =
    row;
  return {
    name,
    enis,
    ipv4PerEni,
    nitro: nitro === 1,
    bareMetal: bareMetal === 1,
    trunk: trunk === 1,
    trunkKnown: trunk !== null,
    branchEnis: branchEnis ?? 0,
    architecture,
    vcpus: vcpus ?? undefined,
    maxPodsAws: maxPodsAws ?? undefined,
    networkCards,
    efaInterfaces: efa ?? undefined,
  };
}

/**
 * CPU architecture of an instance type by the naming rule of its family, for types that the table doesn't have: `a1`, or
 * a `g` among the letters after the generation number, is arm64 (`m9g`, `c6gn`, `x2gd`, `g5g`), all else x86_64. Undefined when the
 * name isn't built that way, and for Mac types, which can't be EKS nodes.
 * @internal tests hold the naming rule against the whole table
 */
export function architectureByName(name: string): Architecture | undefined {
  const match = /^(u-\d+tb|[a-z]+(?:-[a-z]+)?)(\d+)(?!\d)([a-z]*)(?![a-z])[a-z0-9-]*\.[a-z0-9-]+$/.exec(name);
  const [, letters, generation, attributes] = match ?? [];
  if (letters === undefined || attributes === undefined || letters.startsWith('mac')) return undefined;
  return (letters === 'a' && generation === '1') || attributes.includes('g') ? 'arm64' : 'x86_64';
}
