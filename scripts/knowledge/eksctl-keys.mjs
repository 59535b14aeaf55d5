// Regenerates eksctl-keys.json from a checkout of eksctl-io/eksctl: the keys of a ClusterConfig and what they hold, by its JSON schema.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of eksctl-io/eksctl']);
const upstream = new Checkout(paths[0], 'eksctl-io/eksctl');
const path = 'pkg/apis/eksctl.io/v1alpha5/assets/schema.json';
const { definitions } = JSON.parse(upstream.read(path));
const source = upstream.source(path, 'keys of each block, and what they hold');

/** A block by its name; `any` for what has keys of the user's own choice, and for what has no keys. */
function typeOf(schema) {
  const { $ref, type, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.replace('#/definitions/', '');
    const target = definitions[name];
    if (target?.oneOf !== undefined) return 'any';
    return target?.properties === undefined ? typeOf(target ?? {}) : `#${name}`;
  }
  // The loader takes a map for it, too.
  if (schema === definitions.taintsWrapper) return 'any';
  if (type === 'array') return `[]${typeOf(items ?? {})}`;
  if (type === 'object') {
    const inner = typeOf(additionalProperties ?? {});
    return inner === 'any' ? 'any' : `{}${inner}`;
  }
  return ['string', 'integer', 'boolean'].includes(type) ? type : 'any';
}

const blocks = Object.fromEntries(
  Object.entries(definitions)
    .filter(([, { properties, oneOf }]) => properties !== undefined && oneOf === undefined)
    .map(([name, { properties, required = [] }]) => [
      name,
      Object.fromEntries(
        Object.entries(properties).map(([key, schema]) => [
          key,
          `${typeOf(schema)}${required.includes(key) ? '!' : ''}`,
        ]),
      ),
    ]),
);

finish('eksctl-keys', { ...readTable('eksctl-keys'), asOf: source.date, sources: [source], blocks }, { check });
