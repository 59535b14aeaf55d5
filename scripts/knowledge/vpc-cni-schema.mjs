// Regenerates vpc-cni-schema.json from a checkout of plumdog/eks-addon-configuration (stored DescribeAddonConfiguration responses).
// The schema has no defaults: these were read from DaemonSets, chart and program, and are carried over by key.
import { basename } from 'node:path';
import { Checkout, compareAddonVersions, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of plumdog/eks-addon-configuration']);
const upstream = new Checkout(paths[0], 'plumdog/eks-addon-configuration');
const before = readTable('vpc-cni-schema');
const known = new Map(before.keys.map((key) => [key.path, key]));
const carried = ['default', 'defaultFrom', 'defaultHistory', 'rendered', 'renders', 'note'];

const folder = 'data/vpc-cni/configurations';
const versions = upstream
  .list(`${folder}/`)
  .map((file) => basename(file, '.json'))
  .sort(compareAddonVersions);
if (versions.length === 0) throw new Error(`${folder} has no schemas: the layout has changed`);
const schemas = new Map(versions.map((version) => [version, keysOf(schemaOf(version))]));
const allPaths = [...new Set([...schemas.values()].flatMap((keys) => [...keys.keys()]))].sort();
const keys = allPaths.map(toRow);

const fresh = keys.filter(({ path }) => !known.has(path)).map(({ path }) => path);
finish(
  'vpc-cni-schema',
  {
    asOf: upstream.head().date,
    sources: [
      {
        repository: upstream.repository,
        path: `${folder}/<version>.json`,
        ...upstream.head(),
        gives: before.sources[0].gives,
      },
      ...before.sources.slice(1),
    ],
    notes: before.notes,
    versions,
    keys,
    neverAccepted: before.neverAccepted.filter(({ path }) => !allPaths.includes(path)),
  },
  {
    check,
    carriedOver: [
      'defaults and what a key renders',
      ...(fresh.length > 0 ? [`nothing for the new keys ${fresh.join(', ')}: read their defaults`] : []),
    ],
  },
);

function schemaOf(version) {
  const stored = JSON.parse(upstream.read(`${folder}/${version}.json`));
  // Some snapshots hold the schema itself, some the API's response with the schema as text.
  return typeof stored.configurationSchema === 'string' ? JSON.parse(stored.configurationSchema) : stored;
}

/** Path → what the schema says of it, for every key below the root. */
function keysOf(schema) {
  const found = new Map();
  const resolve = (node) => {
    if (node.$ref === undefined) return node;
    return resolve(
      node.$ref
        .replace(/^#\//, '')
        .split('/')
        .filter(Boolean)
        .reduce((current, step) => current[step], schema),
    );
  };
  const visit = (given, path) => {
    const node = resolve(given);
    if (path !== '') found.set(path, node);
    for (const [name, child] of Object.entries(node.properties ?? {}))
      visit(child, path === '' ? name : `${path}.${name}`);
    if (typeof node.additionalProperties === 'object' && Object.keys(node.additionalProperties).length > 0)
      visit(node.additionalProperties, `${path}.*`);
    if (typeof node.items === 'object' && !Array.isArray(node.items)) visit(node.items, `${path}[]`);
  };
  visit(schema, '');
  return found;
}

function toRow(path) {
  const having = versions.filter((version) => schemas.get(version).has(path));
  const lastWithout = versions.findLastIndex((version) => !having.includes(version));
  const since = versions[lastWithout + 1];
  const node = schemas.get(having.at(-1)).get(path);
  const alsoIn = since === undefined ? [] : having.filter((version) => compareAddonVersions(version, since) < 0);
  const row = {
    path,
    ...(since === undefined ? { onlyIn: having, removedIn: versions[versions.indexOf(having.at(-1)) + 1] } : { since }),
    ...(alsoIn.length > 0 ? { alsoIn } : {}),
    type: node.type ?? 'any',
    ...(node.format === undefined ? {} : { format: node.format }),
    ...(node.enum === undefined ? {} : { enum: node.enum }),
    ...(node.required === undefined ? {} : { required: node.required }),
    ...(node.minProperties === undefined ? {} : { minProperties: node.minProperties }),
    ...(node.additionalProperties === false && node.type === 'object' ? { closed: true } : {}),
  };
  for (const field of carried) if (known.get(path)?.[field] !== undefined) row[field] = known.get(path)[field];
  return row;
}
