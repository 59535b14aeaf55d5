// Regenerates karpenter-fields.json from a checkout of aws/karpenter-provider-aws with its tags: the fields of NodePool and EC2NodeClass that one of
// the v1 definitions has, with their values and patterns, and those that the versions before v1 had instead.
import { parse } from 'yaml';
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const FOLDER = 'pkg/apis/crds';
const KINDS = {
  NodePool: { file: 'karpenter.sh_nodepools.yaml', before: 'karpenter.sh_provisioners.yaml' },
  EC2NodeClass: { file: 'karpenter.k8s.aws_ec2nodeclasses.yaml', before: 'karpenter.k8s.aws_awsnodetemplates.yaml' },
};
/** The last versions that had the definitions before v1. */
const LAST = { v1alpha: 'v0.31.0', v1beta1: 'v0.37.0' };

const { paths, check } = parseArguments(['checkout of aws/karpenter-provider-aws, with tags']);
const upstream = new Checkout(paths[0], 'aws/karpenter-provider-aws');
const releases = upstream
  .tags('v1.*')
  .filter((tag) => /^v1\.\d+\.0$/.test(tag))
  .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
if (releases[0] !== 'v1.0.0') throw new Error(`${paths[0]} doesn't have the tags of Karpenter 1`);

function specOf(revision, file, version) {
  const found = parse(upstream.read(`${FOLDER}/${file}`, revision)).spec.versions.find(({ name }) => name === version);
  if (found === undefined) throw new Error(`${file} of ${revision} has no ${version}`);
  return found.schema.openAPIV3Schema.properties.spec;
}

/** Adds the fields of a schema: those of list items below `[]`. Keys of the user's choice make a map `open`. */
function collect(schema, path, fields) {
  const field = (fields[path] ??= {});
  if (schema.enum !== undefined) field.values = [...new Set([...(field.values ?? []), ...schema.enum])].sort();
  if (schema.pattern !== undefined) field.patterns = [...new Set([...(field.patterns ?? []), schema.pattern])];
  if (schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined) field.isFree = true;
  if (schema.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true)
    field.isOpen = true;
  if (schema.items?.properties !== undefined) collect(schema.items, `${path}[]`, fields);
  else if (schema.items?.enum !== undefined) collect(schema.items, `${path}[]`, fields);
  for (const [key, one] of Object.entries(schema.properties ?? {}))
    collect(one, path === '' ? key : `${path}.${key}`, fields);
}

function fieldsOf(...schemas) {
  const fields = {};
  for (const schema of schemas) collect(schema, '', fields);
  delete fields[''];
  return fields;
}

const kinds = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { file, before }]) => {
    const fields = fieldsOf(...[...releases, 'HEAD'].map((tag) => specOf(tag, file, 'v1')));
    // A value that one version leaves free is no mistake.
    for (const field of Object.values(fields)) {
      if (field.isFree) {
        delete field.values;
        delete field.patterns;
      }
      delete field.isFree;
    }
    const beta = fieldsOf(specOf(LAST.v1beta1, file, 'v1beta1'));
    const alpha = fieldsOf(specOf(LAST.v1alpha, before, kind === 'NodePool' ? 'v1alpha5' : 'v1alpha1'));
    const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('.')));
    const former = {};
    const formerValues = {};
    for (const [version, old] of [
      ['v1beta1', beta],
      ['v1alpha', alpha],
    ])
      for (const [path, { values = [] }] of Object.entries(old)) {
        const parent = parentOf(path).replace(/\[\]$/, '');
        const isTop = parent === '' || fields[parent] !== undefined;
        if (fields[path] === undefined) {
          if (isTop && former[path] === undefined) former[path] = version;
          continue;
        }
        const gone =
          fields[path].values === undefined ? [] : values.filter((one) => !fields[path].values.includes(one));
        if (gone.length > 0) formerValues[path] = gone;
      }
    return [kind, { fields, former, formerValues }];
  }),
);
const newest = releases.at(-1);
finish(
  'karpenter-fields',
  {
    ...readTable('karpenter-fields'),
    asOf: upstream.head().date,
    sources: Object.values(KINDS).flatMap(({ file, before }) => [
      upstream.source(`${FOLDER}/${file}`, `fields of v1, from ${releases[0]} to ${newest} and later`),
      upstream.source(`${FOLDER}/${file}`, 'fields of v1beta1', { revision: LAST.v1beta1 }),
      upstream.source(`${FOLDER}/${before}`, 'fields of v1alpha5 and v1alpha1', { revision: LAST.v1alpha }),
    ]),
    newest: newest.slice(1).split('.').slice(0, 2).join('.'),
    kinds,
  },
  { check },
);
