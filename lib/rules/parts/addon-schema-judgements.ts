import { resourceName, withoutIndices, type Judgement, type Message } from '../../engine';
import { newestAddonVersion, parseVersion, type AddonDescription } from '../../knowledge';
import {
  cases,
  isDataMap,
  Unknown,
  type Addon,
  type AddonConfiguration,
  type AddonVersionLookup,
  type Data,
  type DataMap,
  type EksModel,
  type Plain,
  type When,
} from '../../eks';
import {
  configurationProblems,
  type ConfigurationProblem,
  type SchemaVersions,
} from '../../eks/networking/addon-schema-check';
import { unverifiable } from './case-judgements';

/*
 * The configuration values of an add-on are one string to CloudFormation and Terraform, so a wrong key passes synth and plan
 * and is refused by the EKS API in the middle of the deployment. Source: EKS API, DescribeAddonConfiguration.
 */

export type SchemaMessage =
  | 'malformed'
  | 'unknown-key'
  | 'wrong-place'
  | 'not-configurable'
  | 'removed'
  | 'too-new'
  | 'type'
  | 'value'
  | 'required';

const ROLLBACK = 'EKS answers "Json schema validation failed" and the deployment fails';

/** The configuration values with the user's own, put right; empty where that can't be written. */
const PUT_RIGHT = { cloudformation: '{{inTemplate}}', 'aws-cdk': '{{inCdk}}', terraform: '{{inTerraform}}' };

/** What there is to say of configuration values, of whichever add-on. */
export const SCHEMA_MESSAGES = {
  malformed: {
    text: 'The configuration values of add-on {{name}} are no JSON or YAML map ({{reason}}), so EKS refuses them and the deployment fails.',
    fix: {
      summary:
        'Write one JSON object, best rendered from data (`stack.toJsonString`, `jsonencode`) rather than by hand.',
      code: {
        terraform: '{{sample}}',
      },
      safety: 'needs-decision',
    },
  },
  'unknown-key': {
    text: `Add-on {{name}} configures {{path}}, which {{versions}} (table of {{asOf}}){{hint}}: ${ROLLBACK}.`,
    fix: { summary: '{{advice}}', code: PUT_RIGHT, safety: 'needs-decision' },
  },
  'wrong-place': {
    text: `Add-on {{name}} configures {{path}}, but the schema has this key as {{place}}: ${ROLLBACK}.`,
    fix: {
      summary: 'Move the setting to {{where}}.',
      code: PUT_RIGHT,
      safety: 'safe',
      repairs: [{ kind: 'moveData', field: 'configuration', at: '{{path}}', to: '{{place}}' }],
    },
  },
  'not-configurable': {
    text: `Add-on {{name}} configures {{path}}, which no version of the add-on accepts ({{why}}): ${ROLLBACK}.`,
    fix: { summary: '{{advice}}', code: PUT_RIGHT, safety: 'needs-decision' },
  },
  removed: {
    text: `Add-on {{name}} configures {{path}}, which the add-on accepts no more since {{removedIn}}: ${ROLLBACK}.`,
    fix: { summary: 'Remove `{{path}}` from the configuration values.', code: PUT_RIGHT, safety: 'needs-decision' },
  },
  'too-new': {
    text: `Add-on {{name}} configures {{path}}, which {{version}} does not accept yet (accepted from {{since}}{{also}}, table of {{asOf}}): ${ROLLBACK}.`,
    fix: {
      summary: 'Update the add-on to `{{since}}` or later{{alsoFix}}, or remove `{{path}}`.',
      safety: 'needs-decision',
    },
  },
  type: {
    text: `Add-on {{name}} configures {{path}} with {{found}} where the schema wants {{expected}}: ${ROLLBACK}.`,
    fix: {
      summary: '{{advice}}',
      code: PUT_RIGHT,
      safety: 'safe',
      repairs: [{ kind: 'setData', field: 'configuration', at: '{{path}}', to: '{{correct}}' }],
    },
  },
  value: {
    text: `Add-on {{name}} configures {{path}} with {{found}}, which is none of {{allowed}}: ${ROLLBACK}.`,
    fix: { summary: 'Write one of {{allowed}}, in exactly this case.', safety: 'needs-decision' },
  },
  required: {
    text: `Add-on {{name}} configures {{path}} without {{key}}, which the schema requires: ${ROLLBACK}.`,
    fix: { summary: 'Add `{{key}}` to `{{path}}`.', safety: 'needs-decision' },
  },
} as const satisfies Readonly<Record<SchemaMessage, Message>>;

/**
 * Judges the configuration values of an add-on.
 * @param describe what is known of the add-on by its name: undefined if it is for another rule to judge, `no schema` if nobody has its schemas here, and only
 * the form of the values can be judged
 */
export function* judgeConfiguration(
  addon: Addon,
  model: EksModel,
  describe: (name: Plain<string>) => AddonDescription | 'no schema' | undefined,
): Generator<Judgement<SchemaMessage>> {
  const clusterVersion = model.viewOf(addon).cluster?.version;
  yield* cases({
    name: addon.name,
    configuration: addon.configuration,
    version: addon.version,
    ...(addon.versionLookup === undefined ? {} : { lookup: addon.versionLookup }),
    ...(clusterVersion === undefined ? {} : { clusterVersion }),
  }).flatMap(({ when, values }) => {
    const both = addon.exists.and(when);
    const description = describe(values.name);
    return both === undefined || description === undefined
      ? []
      : [...judge(addon, description, values.configuration, schemaVersions(values), both)];
  });
}

interface Versions {
  readonly name: Plain<string>;
  readonly version: Plain<string>;
  readonly lookup?: Plain<AddonVersionLookup>;
  readonly clusterVersion?: Plain<string>;
}

function schemaVersions({ name, version, lookup, clusterVersion }: Versions): SchemaVersions {
  if (version.kind === 'known' && parseVersion(version.value)?.build !== undefined)
    return { kind: 'pinned', version: version.value };
  const clusterMinor = clusterVersion?.kind === 'known' ? clusterVersion.value : undefined;
  // `most_recent` never installs an older version than the newest one of the table.
  const isNewest = lookup?.kind === 'known' && lookup.value.wanted === 'newest';
  const newest =
    isNewest && name.kind === 'known' && clusterMinor !== undefined
      ? newestAddonVersion(name.value, clusterMinor)
      : undefined;
  if (newest !== undefined) return { kind: 'pinned', version: newest };
  return {
    kind: 'any',
    clusterMinor,
    because: version.kind === 'unknown' ? `its version is not known (${version.reason})` : 'the add-on pins no version',
  };
}

function* judge(
  addon: Addon,
  description: AddonDescription | 'no schema',
  configuration: Plain<AddonConfiguration>,
  versions: SchemaVersions,
  when: When,
): Generator<Judgement<SchemaMessage>> {
  if (configuration.kind === 'absent') return;
  const common = { resource: addon, source: configuration.source, when };
  if (configuration.kind === 'unknown') {
    yield { ...common, ...unverifiable(`the configuration values are not known (${configuration.reason})`) };
    return;
  }
  const name = resourceName(addon);
  const content = configuration.value;
  const malformed = (reason: string): Judgement<SchemaMessage> => ({
    ...common,
    verdict: 'fail',
    message: 'malformed',
    data: { name, reason, sample: sampleOf(description) },
  });
  if (content.kind === 'malformed') {
    yield malformed(content.reason);
    return;
  }
  if (content.data === null || content.data === '') {
    yield { ...common, verdict: 'pass' };
    return;
  }
  if (!isDataMap(content.data)) {
    yield malformed('the top level is no map');
    return;
  }
  if (description === 'no schema') {
    yield { ...common, verdict: 'pass' };
    return;
  }
  const problems = configurationProblems(content.data, versions, description);
  const patchOfEach = patchesFor(problems, content.data, content.expressionOf);
  for (const problem of problems) {
    if (problem.kind !== 'doubt')
      yield {
        ...common,
        verdict: 'fail',
        message: problem.kind,
        data: {
          name,
          ...dataOf(problem, description, versions, content.expressionOf),
          ...codeOf(patchOfEach(problem), AS_A_WHOLE.has(addon.dialect.name) ? content.data : undefined),
        },
        about: keyOf(problem),
      };
  }
  const doubts = problems.flatMap((problem) => (problem.kind === 'doubt' ? [problem.reason] : []));
  if (doubts.length > 0) yield { ...common, verdict: 'unverifiable', reason: doubts.join('; ') };
  else if (problems.length === 0) yield { ...common, verdict: 'pass' };
}

/** Configuration values as Terraform writes them best, for an add-on of which a setting is known. */
function sampleOf(description: AddonDescription | 'no schema'): string {
  if (description === 'no schema') return '';
  const setting = SAMPLES[description.name];
  return setting === undefined ? '' : `configuration_values = jsonencode({ ${setting} })`;
}

const SAMPLES: Readonly<Record<string, string>> = {
  'vpc-cni': 'env = { ENABLE_PREFIX_DELEGATION = "true" }',
  coredns: 'replicaCount = 3',
  'kube-proxy': 'mode = "ipvs"',
};

type Defect = Exclude<ConfigurationProblem, { kind: 'doubt' }>;

function keyOf(problem: Defect): string {
  return withoutIndices(problem.kind === 'required' ? `${problem.path}.${problem.key}` : problem.path);
}

function dataOf(
  problem: Defect,
  description: AddonDescription,
  versions: SchemaVersions,
  expressionOf: (path: string) => string | undefined = () => undefined,
): Record<string, string> {
  const { asOf } = description;
  const { path } = problem;
  switch (problem.kind) {
    case 'unknown-key': {
      const { suggestion } = problem;
      const isElsewhere = suggestion !== undefined && parentOf(suggestion) !== parentOf(path);
      const place = isElsewhere && parentOf(suggestion) === '' ? ' at the top level' : '';
      const hint = suggestion === undefined ? '' : `; the nearest key is ${suggestion}${place}`;
      const advice =
        suggestion === undefined
          ? `Remove \`${path}\`.`
          : isElsewhere
            ? `Move it to ${whereOf(suggestion, path)}${isText(description, suggestion) ? ', which takes text' : ''}, or remove \`${path}\`.`
            : `Write \`${suggestion}\`, or remove \`${path}\`.`;
      return {
        path,
        asOf,
        hint,
        advice,
        versions:
          versions.kind === 'pinned'
            ? `the schema of ${versions.version} does not have`
            : 'no version of the add-on accepts',
      };
    }
    case 'wrong-place':
      return { path, place: problem.place, where: whereOf(problem.place, path) };
    case 'not-configurable':
      return { path, why: problem.why, advice: adviceFor(path, problem.why) };
    case 'removed':
      return { path, removedIn: problem.removedIn };
    case 'too-new': {
      const also = problem.alsoIn.slice(0, 3);
      return {
        path,
        asOf,
        since: problem.since,
        version: versions.kind === 'pinned' ? versions.version : 'no version for this cluster',
        also: also.length === 0 ? '' : ` and in ${also.join(', ')}`,
        alsoFix: also.length === 0 ? '' : ` (or \`${also[0] ?? ''}\`)`,
      };
    }
    case 'type': {
      const { expected, found, correct } = problem;
      const expression = correct === undefined ? undefined : expressionOf(path);
      const advice =
        correct === undefined
          ? `Write ${expected} for \`${path}\`.`
          : `Write \`${expression === undefined ? correct : `${conversionTo(correct)}(${expression})`}\` for \`${path}\`.`;
      // A constant in its place would be no fix.
      return { path, expected, found, advice, correct: expression === undefined ? (correct ?? '') : '' };
    }
    case 'value':
      return { path, found: problem.found, allowed: problem.allowed.map((one) => JSON.stringify(one)).join(', ') };
    case 'required':
      return { path, key: problem.key };
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** Where a key of the schema stands, for whoever has it at another path. */
function whereOf(place: string, path: string): string {
  return parentOf(place) === '' && path.includes('.')
    ? `the top level, beside \`${path.split('.')[0] ?? ''}\`, as \`${place}\``
    : `\`${place}\``;
}

function isText(description: AddonDescription, path: string): boolean {
  return description.key(path)?.type.every((type) => type === 'string') === true;
}

/** The function of Terraform that makes such a value of another type. */
function conversionTo(json: string): string {
  if (json.startsWith('"')) return 'tostring';
  return json === 'true' || json === 'false' ? 'tobool' : 'tonumber';
}

function adviceFor(path: string, why: string): string {
  if (why.startsWith('extraEnv')) {
    const variable = path.split('.').at(-1) ?? path;
    return `Remove \`${path}\`; \`extraEnv: [{ name: ${variable}, value: … }]\` can set it from v1.18.3-eksbuild.1 on.`;
  }
  return `Remove \`${path}\`.`;
}

/**
 * What changes for one problem, and for all that need nobody's decision: the values are written anew as a whole, so that what several findings print of
 * them must not undo one another.
 */
function patchesFor(
  problems: readonly ConfigurationProblem[],
  data: DataMap,
  expressionOf: ((path: string) => string | undefined) | undefined,
): (problem: Defect) => object | undefined {
  const patches = new Map(
    problems.flatMap((problem) => {
      const patch = problem.kind === 'doubt' ? undefined : patchFor(problem, data, expressionOf);
      return patch === undefined ? [] : [[problem, patch] as const];
    }),
  );
  const safe = [...patches].filter(([{ kind }]) => kind === 'type' || kind === 'wrong-place');
  return (problem) => {
    const own = patches.get(problem);
    return own === undefined ? undefined : safe.reduce((all, [, patch]) => together(all, patch), own);
  };
}

/** What of the values changes, as a merge patch (RFC 7396): what is `null` goes. Undefined where the user's own value can't be written again. */
function patchFor(
  problem: Defect,
  data: DataMap,
  expressionOf: (path: string) => string | undefined = () => undefined,
): object | undefined {
  const { path } = problem;
  const steps = path.split('.');
  const parent = valueAt(data, steps.slice(0, -1));
  const value = valueAt(data, steps);
  if (!isDataMap(parent) || value === undefined || expressionOf(path) !== undefined) return undefined;
  const removal = patchOf(steps, null);
  switch (problem.kind) {
    case 'removed':
    case 'not-configurable':
      return removal;
    case 'type':
      return problem.correct === undefined ? undefined : patchOf(steps, JSON.parse(problem.correct));
    case 'wrong-place':
    case 'unknown-key': {
      const place = problem.kind === 'wrong-place' ? problem.place : problem.suggestion;
      if (place === undefined) return removal;
      const to = place.split('.');
      const isFree = !/[[*]/.test(place) && valueAt(data, to) === undefined;
      if (!isFree || !isPlain(value) || (problem.kind === 'unknown-key' && parentOf(place) !== parentOf(path)))
        return undefined;
      return together(removal, patchOf(to, value));
    }
    case 'required':
    case 'too-new':
    case 'value':
      return undefined;
  }
}

function valueAt(data: Data, steps: readonly string[]): Data | undefined {
  return steps.reduce<Data | undefined>(
    (value, step) => (isDataMap(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    data,
  );
}

/** Values with a merge patch. */
function withPatch(values: object, patch: object): object {
  const all = new Map<string, unknown>(Object.entries(values));
  for (const [key, change] of Object.entries(patch) as [string, unknown][]) {
    const before = all.get(key);
    const after = isObject(before) && isObject(change) ? withPatch(before, change) : change;
    if (after === null || (isObject(after) && after !== change && Object.keys(after).length === 0)) all.delete(key);
    else all.set(key, after);
  }
  return Object.fromEntries(all);
}

/** Whether the file has it as it is, without a reference. */
function isPlain(value: Data): boolean {
  if (isDataMap(value)) return Object.values(value).every(isPlain);
  if (Array.isArray(value)) return (value as readonly Data[]).every(isPlain);
  return !(value instanceof Unknown) && !(typeof value === 'string' && value.includes('${'));
}

function patchOf(steps: readonly string[], value: unknown): object {
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;
}

function together(one: object, other: object): object {
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isObject(before) && isObject(value) ? together(before, value) : value;
  }
  return all;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where the values are one text, into which nothing can be merged. */
const AS_A_WHOLE: ReadonlySet<string> = new Set(['eksctl', 'ack', 'crossplane']);

/** @param whole the values, where the code has all of them */
function codeOf(
  patch: object | undefined,
  whole: DataMap | undefined,
): Record<'inTemplate' | 'inCdk' | 'inTerraform', string> {
  if (patch === undefined || (whole !== undefined && !isPlain(whole)))
    return { inTemplate: '', inCdk: '', inTerraform: '' };
  const text = JSON.stringify(whole === undefined ? patch : withPatch(whole, patch));
  return {
    inTemplate: `ConfigurationValues: '${text.replaceAll("'", "''")}'`,
    inCdk: `configurationValues: ${text},`,
    inTerraform: `configuration_values = jsonencode(${text.replaceAll(/[$%](?=\{)/g, '$&$&')})`,
  };
}
