// Regenerates provider-attributes.json from what `terraform providers schema -json` prints in a folder that requires the AWS provider.
import { readFileSync } from 'node:fs';
import { finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['output of terraform providers schema -json']);
const before = readTable('provider-attributes');
const schemas = JSON.parse(readFileSync(paths[0], 'utf8')).provider_schemas['registry.terraform.io/hashicorp/aws']
  .resource_schemas;

const optionalAndComputed = Object.fromEntries(
  Object.keys(before.optionalAndComputed).map((type) => {
    if (schemas[type] === undefined) throw new Error(`the provider has no ${type}`);
    return [type, attributesOf(schemas[type].block, '').sort()];
  }),
);

finish(
  'provider-attributes',
  { ...before, optionalAndComputed },
  { check, carriedOver: ['version and date of the provider: write them by hand'] },
);

function attributesOf({ attributes = {}, block_types: blocks = {} }, path) {
  const own = Object.entries(attributes).flatMap(([name, { optional, computed }]) =>
    optional && computed && name !== 'id' && name !== 'tags_all' ? [path + name] : [],
  );
  return [...own, ...Object.entries(blocks).flatMap(([name, { block }]) => attributesOf(block, `${path}${name}.`))];
}
