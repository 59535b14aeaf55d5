// Regenerates module-policies.json from checkouts of terraform-aws-modules/terraform-aws-iam, terraform-aws-modules/terraform-aws-eks-pod-identity and
// aws-ia/terraform-aws-eks-blueprints-addons with their tags: what the roles that these modules make may do, release by release, the defaults of the
// variables in it, and the versions of the charts that the blueprints install.
import { Checkout, compareAddonVersions, finish, parseArguments, readTable } from './table-file.mjs';

/** The modules by their last names: of which checkout, in which files, in which releases. */
const MODULES = {
  'iam-role-for-service-accounts-eks': {
    from: 0,
    path: 'modules/iam-role-for-service-accounts-eks/policies.tf and variables.tf',
    files: /^modules\/iam-role-for-service-accounts-eks\/(?:policies|variables)\.tf$/,
    releases: /^v[45]\./,
  },
  'iam-role-for-service-accounts': {
    from: 0,
    path: 'modules/iam-role-for-service-accounts/policies.tf and variables.tf',
    files: /^modules\/iam-role-for-service-accounts\/(?:policies|variables)\.tf$/,
    releases: /^v6\./,
  },
  'eks-pod-identity': { from: 1, path: '*.tf', files: /^[a-z0-9_]+\.tf$/, releases: /^v[12]\./ },
  'eks-blueprints-addons': {
    from: 2,
    path: 'main.tf and variables.tf',
    files: /^(?:main|variables)\.tf$/,
    releases: /^v1\./,
    // Those of which something is asked here.
    only: ['aws_load_balancer_controller', 'cluster_autoscaler', 'external_dns', 'karpenter'],
  },
};

const { paths, check } = parseArguments([
  'checkout of terraform-aws-modules/terraform-aws-iam, with tags',
  'checkout of terraform-aws-modules/terraform-aws-eks-pod-identity, with tags',
  'checkout of aws-ia/terraform-aws-eks-blueprints-addons, with tags',
]);
const upstreams = [
  'terraform-aws-modules/terraform-aws-iam',
  'terraform-aws-modules/terraform-aws-eks-pod-identity',
  'aws-ia/terraform-aws-eks-blueprints-addons',
].map((repository, index) => new Checkout(paths[index], repository));
const before = readTable('module-policies');
const sources = [];
const modules = {};
const charts = {};
const images = new Map();
const texts = new Map();

for (const [name, { from, path, files, releases, only }] of Object.entries(MODULES)) {
  const upstream = upstreams[from];
  const tags = upstream
    .tags('v*')
    .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && releases.test(tag))
    .sort(compareAddonVersions);
  const last = tags.at(-1);
  if (last === undefined) throw new Error(`${upstream.path} has no releases of ${name}`);
  const policies = new Map();
  const defaults = new Map();
  for (const tag of tags) {
    const text = upstream
      .git('ls-tree', '-r', '--format=%(objectname) %(path)', tag)
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, path = '']) => files.test(path))
      .map(([object]) => textOf(upstream, object))
      .join('\n');
    for (const [policy, statements] of policiesIn(text, only)) {
      for (const statement of statements) record(policies, policy, tag, statement);
    }
    for (const [variable, value] of defaultsIn(text)) record(defaults, variable, tag, value);
    if (name !== 'eks-blueprints-addons') continue;
    for (const [, chart, version] of text.matchAll(/try\(var\.(\w+)\.chart_version, "([^"]+)"\)/g))
      if (only.includes(chart)) record((charts[chart] ??= new Map()), 'version', tag, version);
    const tagMap = /cluster_autoscaler_image_tag = \{\n([^}]*)\}/.exec(text)?.[1] ?? '';
    record(
      images,
      'tags',
      tag,
      Object.fromEntries([...tagMap.matchAll(/"([\d.]+)"\s*=\s*"([^"]+)"/g)].map(([, minor, image]) => [minor, image])),
    );
  }
  const used = [...policies.values()].flatMap((statements) => [...statements.keys()]).join('\n');
  modules[name] = {
    newest: last.slice(1),
    defaults: Object.fromEntries(
      [...defaults]
        .filter(([variable]) => new RegExp(`\\b${variable}\\b`).test(used))
        .map(([variable, values]) => [variable, ranges(values, tags, 'value')]),
    ),
    policies: Object.fromEntries([...policies].sort().map(([policy, values]) => [policy, ranges(values, tags)])),
  };
  sources.push({
    repository: upstream.repository,
    path,
    commit: `${tags[0]}…${last}`,
    date: upstream.git('log', '-1', '--format=%cs', last).trim(),
    gives: `modules.${name}`,
  });
}

const blueprintTags = upstreams[2]
  .tags('v1.*')
  .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag))
  .sort(compareAddonVersions);
finish(
  'module-policies',
  {
    ...before,
    sources,
    modules,
    charts: Object.fromEntries(
      Object.entries(charts).map(([chart, values]) => [chart, ranges(values.get('version'), blueprintTags, 'version')]),
    ),
    autoscalerImages: ranges(images.get('tags'), blueprintTags, 'tags'),
  },
  { check },
);

/** Most files stay the same from release to release. */
function textOf(upstream, object) {
  const known = texts.get(object) ?? upstream.git('cat-file', 'blob', object);
  texts.set(object, known);
  return known;
}

/** Notes that a release has something. */
function record(map, key, tag, value) {
  const values = map.get(key) ?? map.set(key, new Map()).get(key);
  const text = JSON.stringify(value);
  values.set(text, [...(values.get(text) ?? []), tag]);
}

/** What is noted, with the first release that has it and the first one after it that doesn't. */
function ranges(values, tags, key) {
  return [...values]
    .flatMap(([text, having]) => {
      const spans = [];
      for (const tag of having) {
        const index = tags.indexOf(tag);
        const open = spans.at(-1);
        if (open !== undefined && open.end === index) open.end = index + 1;
        else if (open === undefined || open.end < index) spans.push({ start: index, end: index + 1 });
      }
      const value = JSON.parse(text);
      return spans.map(({ start, end }) => ({
        start,
        row: {
          since: tags[start].slice(1),
          ...(end < tags.length ? { before: tags[end].slice(1) } : {}),
          ...(key === undefined ? value : { [key]: value }),
        },
      }));
    })
    .sort((a, b) => a.start - b.start)
    .map(({ row }) => row);
}

/** The policies of a release by what switches them on. The files are laid out by `terraform fmt`, which the indentation below stands on. */
function policiesIn(text, only) {
  const services = new Map(
    [...text.matchAll(/^data "aws_service_principal" "(\w+)" \{\n[\s\S]*?service_name = "(\w+)"/gm)].map(
      ([, label, service]) => [label, service],
    ),
  );
  return [...text.matchAll(/^data "aws_iam_policy_document" "\w+" \{\n([\s\S]*?)^\}/gm)].flatMap(([, body]) => {
    const label = /\bcount\s*=.*\bvar\.(?:attach_(\w+)_policy|enable_(\w+))\b/.exec(body);
    const policy = label?.[1] ?? label?.[2];
    if (policy === undefined || (only !== undefined && !only.includes(policy))) return [];
    return [[policy, statementsIn(body, services)]];
  });
}

function statementsIn(body, services) {
  return [...body.matchAll(/^ {2}(dynamic "statement"|statement) \{\n([\s\S]*?)^ {2}\}/gm)].map(([, kind, inner]) => {
    const conditions = [...inner.matchAll(/^ +condition \{\n([\s\S]*?)^ +\}/gm)].map(([, condition]) => ({
      test: listOf(condition, 'test', services),
      variable: listOf(condition, 'variable', services),
      values: listOf(condition, 'values', services),
    }));
    const unclear = /^ +(?:effect(?! *= "Allow"$)|not_\w+|principals|dynamic "condition")\b.*/m.exec(inner)?.[0];
    if (unclear !== undefined) return { ifUnclear: unclear.trim(), actions: [], resources: [] };
    const actions = listOf(inner, 'actions', services);
    if (!Array.isArray(actions)) throw new Error(`the actions ${actions} aren't a list of texts`);
    return {
      ...(kind === 'statement' ? {} : whenOf(/^ {4}for_each = (.*)$/m.exec(inner)?.[1] ?? '')),
      actions: [...new Set(actions)].sort(),
      resources: listOf(inner, 'resources', services),
      ...(conditions.length === 0 ? {} : { conditions }),
    };
  });
}

/** When a statement is there, or for what it is there again and again. */
function whenOf(forEach) {
  const flag = /^var\.(\w+) \? \[1\] : \[\]$/.exec(forEach)?.[1];
  if (flag !== undefined) return { ifTrue: flag };
  const filled = /^length\(var\.(\w+)\) > 0 \? \[1\] : \[\]$/.exec(forEach)?.[1];
  if (filled !== undefined) return { ifFilled: filled };
  const each = /^(?:toset\()?var\.(\w+)\)?$/.exec(forEach)?.[1];
  return each === undefined ? { ifUnclear: forEach } : { each };
}

/** The value of an attribute: a text, a list of texts, or of the whole list `${…}`. */
function listOf(body, name, services) {
  const [, inline, rest = ''] = new RegExp(`^ +${name} *= (.*)\\n([\\s\\S]*)`, 'm').exec(`${body}\n`) ?? [];
  if (inline === undefined) throw new Error(`a statement has no ${name}`);
  const value = (inline === '[' ? `[${rest.slice(0, rest.search(/^ *\]/m))}]` : inline)
    .replace(/(^|,) *#.*$/gm, '$1')
    .trim();
  const text = (one) =>
    /^"[^"]*"$/.test(one) ? named(one.slice(1, -1), services) : named(`\${${one.replace(/\s+/g, ' ')}}`, services);
  if (!value.startsWith('[') || value.startsWith('[for ')) return text(value);
  return value
    .slice(1, -1)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(text);
}

/** Names of one's own for what AWS has many names for. */
function named(text, services) {
  return text
    .replace(/\$\{(?:local|data\.aws_partition\.current(?:\[0\])?)\.partition\}/g, '${partition}')
    .replace(/\$\{(?:local|data\.aws_partition\.current(?:\[0\])?)\.dns_suffix\}/g, '${dnsSuffix}')
    .replace(
      /\$\{data\.aws_service_principal\.(\w+)\[0\]\.name\}/g,
      (_, label) => `${services.get(label)}.amazonaws.com`,
    );
}

/** The defaults of variables that are flags, texts or lists of texts. */
function defaultsIn(text) {
  return [...text.matchAll(/^variable "(\w+)" \{\n([\s\S]*?)^\}/gm)].flatMap(([, name, body]) => {
    const [, inline = '', rest = ''] = /^ {2}default *= (.*)\n([\s\S]*)/m.exec(body) ?? [];
    const value = inline === '[' ? `[${rest.slice(0, rest.search(/^ *\]/m))}]` : inline;
    try {
      const parsed = JSON.parse(value.replace(/,(\s*\])/, '$1'));
      return parsed === null || (typeof parsed === 'object' && !Array.isArray(parsed)) ? [] : [[name, parsed]];
    } catch {
      return [];
    }
  });
}
