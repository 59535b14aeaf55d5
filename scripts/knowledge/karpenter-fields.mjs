// Regenerates karpenter-fields.json from a checkout of aws/karpenter-provider-aws with its tags: the fields of NodePool and EC2NodeClass that one of
// the v1 definitions has, with what these take, the expressions (CEL) by which they refuse objects, and fields that the versions before v1 had instead.
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

const minorOf = (tag) => tag.slice(1).split('.').slice(0, 2).join('.');

/** Bounds that a schema sets, and which of two is the weaker one. */
const BOUNDS = {
  minimum: Math.min,
  maximum: Math.max,
  minItems: Math.min,
  maxItems: Math.max,
  minLength: Math.min,
  maxLength: Math.max,
  maxProperties: Math.max,
};

/** Calls back for a schema and all below it, with their paths: those of list items end in `[]`, those of values of maps in `{}`. */
function walk(schema, path, visit) {
  visit(schema, path);
  if (schema.items !== undefined) walk(schema.items, `${path}[]`, visit);
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}{}`, visit);
  for (const [key, one] of Object.entries(schema.properties ?? {}))
    walk(one, path === '' ? key : `${path}.${key}`, visit);
}

/** What a schema takes for a field itself. Fields that are left out and have a default are there. */
function taken(schema) {
  const isText = schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true;
  const required = (schema.required ?? []).filter((key) => schema.properties?.[key]?.default === undefined);
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...(schema.enum === undefined ? {} : { values: schema.enum }),
    ...(schema.pattern === undefined || !isText ? {} : { pattern: schema.pattern }),
    ...(schema.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true
      ? { isOpen: true }
      : {}),
    ...(required.length === 0 ? {} : { required }),
    ...Object.fromEntries(
      Object.keys(BOUNDS).flatMap((key) =>
        schema[key] === undefined || (key.endsWith('Length') && !isText) ? [] : [[key, schema[key]]],
      ),
    ),
  };
}

/** What one of two versions takes. */
function either(one, other) {
  const both = {};
  for (const key of ['type', 'values', 'pattern', 'required', ...Object.keys(BOUNDS)]) {
    const [a, b] = [one[key], other[key]];
    // What one leaves free is no mistake.
    if (a === undefined || b === undefined) continue;
    if (key === 'values') both[key] = [...new Set([...a, ...b])];
    // The newer one says better what both mean.
    else if (key === 'pattern') both[key] = b;
    else if (key === 'required') both[key] = a.filter((name) => b.includes(name));
    else if (key !== 'type') both[key] = BOUNDS[key](a, b);
    else if (a === b) both[key] = a;
  }
  if (one.isOpen === true || other.isOpen === true) both.isOpen = true;
  return both;
}

/** The fields of several versions, by path, with the first version of those that came later. The last one, if it has no version, isn't released. */
function fieldsOf(definitions) {
  const fields = {};
  const { minor: last } = definitions.at(-2) ?? {};
  const head = definitions.at(-1).schema;
  for (const { schema, since } of definitions)
    walk(schema, '', (part, path) => {
      const now = taken(part);
      const before = fields[path];
      fields[path] =
        before === undefined
          ? { ...now, ...(since === undefined ? {} : { since }) }
          : { ...before, ...either(before, now) };
      if (before === undefined) return;
      if (schema === head && last !== undefined && now.isOpen === true && before.isOpen !== true)
        fields[path].openAfter = last;
      for (const key of ['type', 'values', 'pattern', 'required', ...Object.keys(BOUNDS)])
        if (now[key] === undefined || (key === 'type' && now.type !== before.type)) delete fields[path][key];
      const added = (fields[path].values ?? []).filter((one) => !before.values?.includes(one));
      if (added.length > 0 && since !== undefined)
        fields[path].valuesSince = { ...before.valuesSince, ...Object.fromEntries(added.map((one) => [one, since])) };
    });
  for (const [path, field] of Object.entries(fields)) {
    field.values?.sort();
    // A version that leaves the fields of a map open takes whatever there is.
    if (field.isOpen === true)
      for (const [below, one] of Object.entries(fields))
        if (path !== '' && below.startsWith(`${path}.`)) fields[below] = one.isOpen === true ? { isOpen: true } : {};
  }
  return fields;
}

/** The forms of expressions about keys of labels, which hold lists that grow with the versions. */
const ONE_KEY = /^(?:self\.all\(x, x|self) != "([^"]+)"\)?$/;
const DOMAIN =
  /^(?:self\.all\(x, )?(?:(?:x|self) in \[([^\]]*)\] \|\| )?((?:(?:x|self)\.find\("\^\(\[\^\/\]\+\)"\)\.endsWith\("[^"]+"\) \|\| )*)!(?:x|self)\.find\("\^\(\[\^\/\]\+\)"\)\.endsWith\("([^"]+)"\)\)?$/;
const quoted = (text) => [...text.matchAll(/"([^"]+)"/g)].map(([, one]) => one);

/** The expressions of several versions by path, with the versions between which they are there: those about keys of labels as data, the others as they are. */
function expressionsOf(definitions, fields) {
  const keys = {};
  const validations = {};
  const last = definitions.at(-1).minor;
  for (const { schema, minor, since } of definitions)
    walk(schema, '', (part, path) => {
      for (const { rule, message } of part['x-kubernetes-validations'] ?? []) {
        // These compare with what was there before.
        if (rule.includes('oldSelf')) continue;
        const [, key] = ONE_KEY.exec(rule) ?? [];
        const [, allowed = '', but = '', domain] = DOMAIN.exec(rule) ?? [];
        const isOfKeys = key !== undefined || domain !== undefined;
        const list = ((isOfKeys ? keys : validations)[path] ??= []);
        let known = list.find((one) => (isOfKeys ? one.key === key && one.domain === domain : one.rule === rule));
        // One about fields that came with it can't be broken before.
        const isAboutNew =
          (since !== undefined && fields[path]?.since === since) ||
          [...rule.matchAll(/\b(?:self|x)\.(\w+)/g)].some(([, name]) =>
            Object.entries(fields).some(
              ([one, { since: its }]) =>
                its !== undefined && its === since && (one === name || one.endsWith(`.${name}`)),
            ),
          );
        if (known === undefined) {
          known =
            key !== undefined ? { key } : domain !== undefined ? { domain, allowed: {}, but: [] } : { rule, message };
          if (since !== undefined && !isAboutNew) known.from = since;
          list.push(known);
        }
        known.until = minor;
        if (domain === undefined) continue;
        known.but = [...new Set([...known.but, ...quoted(but.replaceAll('"^([^/]+)"', ''))])];
        for (const label of quoted(allowed)) known.allowed[label] ??= since ?? '';
        const gone = Object.keys(known.allowed).filter((label) => !quoted(allowed).includes(label));
        if (gone.length > 0)
          throw new Error(`${path}: labels of ${domain} that ${minor} takes no longer: ${gone.join(', ')}`);
      }
    });
  for (const one of [...Object.values(keys), ...Object.values(validations)].flat())
    if (one.until === last) delete one.until;
  return { keys, validations };
}

const kinds = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { file, before }]) => {
    const released = releases.map((tag, index) => ({
      schema: specOf(tag, file, 'v1'),
      minor: minorOf(tag),
      ...(index === 0 ? {} : { since: minorOf(tag) }),
    }));
    const fields = fieldsOf([...released, { schema: specOf('HEAD', file, 'v1') }]);
    const root = fields[''];
    delete fields[''];
    const beta = fieldsOf([{ schema: specOf(LAST.v1beta1, file, 'v1beta1') }]);
    const alpha = fieldsOf([{ schema: specOf(LAST.v1alpha, before, kind === 'NodePool' ? 'v1alpha5' : 'v1alpha1') }]);
    const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('.')));
    const former = {};
    for (const [version, old] of [
      ['v1beta1', beta],
      ['v1alpha', alpha],
    ])
      for (const path of Object.keys(old)) {
        if (path === '' || path.endsWith('{}') || fields[path] !== undefined) continue;
        const parent = parentOf(path).replace(/\[\]$/, '');
        if (parent === '' || fields[parent] !== undefined) former[path] ??= version;
      }
    return [kind, { required: root.required ?? [], fields, former, ...expressionsOf(released, fields) }];
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
