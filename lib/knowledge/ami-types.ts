import type { Architecture } from './instance-types';
import { lazyTable, type Table } from './table';

/** The operating systems that EKS has AMIs of, as far as they differ for a node. */
export type AmiFamily = 'AL2' | 'AL2023' | 'BOTTLEROCKET' | 'WINDOWS';

/** The last minor version of Kubernetes 1 with AMIs of Amazon Linux 2. Source: awslabs/amazon-eks-ami, release v20251209. */
export const LAST_AL2 = 32;

/**
 * From this minor version on, EKS gives a node group without AMI type Amazon Linux 2023, before it Amazon Linux 2.
 * Source: EKS user guide, "Kubernetes versions", 1.30.
 */
export const AL2023_BY_DEFAULT = 30;

/** An AMI type of managed node groups. */
export interface AmiType {
  readonly name: string;
  readonly family: AmiFamily | 'CUSTOM';
  /** Undefined for `CUSTOM`. */
  readonly architecture: Architecture | undefined;
  /** First Kubernetes version that has it; undefined when no bound is known, which isn't a reason to fail. */
  readonly minVersion: string | undefined;
  /** Last Kubernetes version that has it; undefined when no bound is known. */
  readonly maxVersion: string | undefined;
  readonly accelerator: 'nvidia' | 'neuron' | 'nvidia-or-neuron' | undefined;
  readonly fips: boolean;
  /** Whether `NodegroupAmiType` of aws-cdk-lib has it. */
  readonly inCdkEnum: boolean;
}

interface AmiTypeRow {
  readonly name: string;
  readonly family: AmiType['family'];
  readonly architecture: Architecture | null;
  readonly minVersion: string | null;
  readonly maxVersion: string | null;
  readonly accelerator: 'nvidia' | 'neuron' | 'nvidia-or-neuron' | null;
  readonly fips: boolean | null;
  readonly inCdkEnum: boolean;
}

interface AmiTypeTable extends Table {
  readonly amiTypes: readonly AmiTypeRow[];
}

const load = lazyTable('ami-types.json', (table: AmiTypeTable) => ({
  byName: new Map(table.amiTypes.map((row) => [row.name, fromRow(row)])),
}));

/** An AMI type by its API name (`AL2023_x86_64_STANDARD`); the name is case-sensitive, as in the API. */
export function amiType(name: string): AmiType | undefined {
  return load().byName.get(name);
}

export function amiTypeNames(): readonly string[] {
  return [...load().byName.keys()];
}

/** The day of the AMI type table, `YYYY-MM-DD`. */
export function amiTypesAsOf(): string {
  return load().table.asOf;
}

function fromRow(row: AmiTypeRow): AmiType {
  return {
    name: row.name,
    family: row.family,
    architecture: row.architecture ?? undefined,
    minVersion: row.minVersion ?? undefined,
    maxVersion: row.maxVersion ?? undefined,
    accelerator: row.accelerator ?? undefined,
    fips: row.fips ?? false,
    inCdkEnum: row.inCdkEnum,
  };
}
