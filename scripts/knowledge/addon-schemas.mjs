// Regenerates <add-on>-schema.json of each add-on from a checkout of plumdog/eks-addon-configuration (stored DescribeAddonConfiguration responses).
// The schema of vpc-cni has no defaults: these were read from DaemonSets, chart and program, and are carried over by key.
import { basename } from 'node:path';
import { Checkout, compareAddonVersions, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of plumdog/eks-addon-configuration']);
const upstream = new Checkout(paths[0], 'plumdog/eks-addon-configuration');
const CARRIED = ['default', 'defaultFrom', 'defaultHistory', 'rendered', 'renders', 'note'];
const NOTES = [
  'since: first version from which every later version has the key; absent when it was removed. alsoIn: earlier versions that have it too. onlyIn: all versions that have a removed key. removedIn: first version without it.',
  'closed: no keys other than the listed ones are accepted. type and enum: all that any version accepts; freeIn: versions that accept every value.',
];

for (const addon of Object.keys(readTable('addon-versions').addons)) regenerate(addon);

function regenerate(addon) {
  const table = `${addon}-schema`;
  const before = { sources: [], notes: NOTES, keys: [], neverAccepted: [], ...readTable(table) };
  const known = new Map(before.keys.map((key) => [key.path, key]));
  const folder = `data/${addon}/configurations`;
  const versions = upstream
    .list(`${folder}/`)
    .map((file) => basename(file, '.json'))
    .sort(compareAddonVersions);
  if (versions.length === 0) throw new Error(`${folder} has no schemas: the layout has changed`);
  const schemas = new Map(versions.map((version) => [version, keysOf(schemaOf(`${folder}/${version}.json`))]));
  const allPaths = [...new Set([...schemas.values()].flatMap((keys) => [...keys.keys()]))]
    .filter((path) => !isFreeSomewhere(path, schemas))
    .sort();
  const keys = allPaths.map((path) => toRow(path, schemas, known.get(path)));
  const isCarried = before.keys.some((key) => CARRIED.some((field) => field in key));
  const fresh = keys.filter(({ path }) => !known.has(path)).map(({ path }) => path);
  finish(
    table,
    {
      asOf: upstream.head().date,
      sources: [
        {
          repository: upstream.repository,
          path: `${folder}/<version>.json`,
          ...upstream.head(),
          gives:
            before.sources[0]?.gives ??
            'stored DescribeAddonConfiguration responses of us-east-1: presence, type, enum, required, closed',
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
      carriedOver: isCarried
        ? [
            'defaults and what a key renders',
            ...(fresh.length > 0 ? [`nothing for the new keys ${fresh.join(', ')}: read their defaults`] : []),
          ]
        : [],
    },
  );
}

function schemaOf(file) {
  const stored = JSON.parse(upstream.read(file));
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

function toRow(path, schemas, before) {
  const versions = [...schemas.keys()];
  const having = versions.filter((version) => schemas.get(version).has(path));
  const lastWithout = versions.findLastIndex((version) => !having.includes(version));
  const since = versions[lastWithout + 1];
  const nodes = new Map(having.map((version) => [version, schemas.get(version).get(path)]));
  const node = nodes.get(having.at(-1));
  const alsoIn = since === undefined ? [] : having.filter((version) => compareAddonVersions(version, since) < 0);
  const { values, freeIn } = allowedIn(nodes);
  const row = {
    path,
    ...(since === undefined ? { onlyIn: having, removedIn: versions[versions.indexOf(having.at(-1)) + 1] } : { since }),
    ...(alsoIn.length > 0 ? { alsoIn } : {}),
    type: typesOf([...nodes.values()]),
    ...(node.format === undefined ? {} : { format: node.format }),
    ...(values === undefined ? {} : { enum: values }),
    ...(freeIn.length === 0 ? {} : { freeIn }),
    ...(node.required === undefined ? {} : { required: node.required }),
    ...(node.minProperties === undefined ? {} : { minProperties: node.minProperties }),
    ...([...nodes.values()].every(isClosed) ? { closed: true } : {}),
  };
  for (const field of CARRIED) if (before?.[field] !== undefined) row[field] = before[field];
  return row;
}

/** Items of a list of which some versions say nothing: they accept all. */
function isFreeSomewhere(path, schemas) {
  if (!path.endsWith('[]')) return false;
  const list = path.slice(0, -'[]'.length);
  return [...schemas.values()].some((keys) => keys.has(list) && !keys.has(path));
}

/** All types that any of the versions accepts: a table of what each one accepts would be longer than it is worth. */
function typesOf(nodes) {
  const types = [...new Set(nodes.flatMap(({ type }) => type ?? 'any'))];
  if (types.includes('any')) return 'any';
  return types.length === 1 ? types[0] : types;
}

/** The values that any of the versions accepts, and the versions that accept all. */
function allowedIn(nodes) {
  const listing = [...nodes].filter(([, node]) => node.enum !== undefined);
  if (listing.length === 0) return { values: undefined, freeIn: [] };
  return {
    values: [...new Set(listing.flatMap(([, node]) => node.enum))],
    freeIn: [...nodes.keys()].filter((version) => nodes.get(version).enum === undefined),
  };
}

function isClosed({ type, additionalProperties, patternProperties }) {
  return additionalProperties === false && patternProperties === undefined && [type].flat().includes('object');
}
