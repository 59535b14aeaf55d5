import { lazyTable, type Table } from './table';

interface ProviderAttributeTable extends Table {
  readonly optionalAndComputed: Readonly<Record<string, readonly string[]>>;
}

const load = lazyTable('provider-attributes.json', (table: ProviderAttributeTable) => ({
  byType: new Map(Object.entries(table.optionalAndComputed).map(([type, paths]) => [type, new Set(paths)])),
}));

/**
 * Whether the AWS provider of Terraform reads an attribute back from AWS where the configuration leaves it open: `version` of
 * `aws_eks_node_group`. @param path names of nested blocks and of the attribute, with dots
 */
export function isOptionalAndComputed(type: string, path: string): boolean {
  return load().byType.get(type)?.has(path) === true;
}
