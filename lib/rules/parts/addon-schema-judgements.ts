import { resourceName, withoutIndices, type Judgement, type Message } from '../../engine';
import { newestAddonVersion, parseVersion, type AddonDescription } from '../../knowledge';
import {
  cases,
  isDataMap,
  type Addon,
  type AddonConfiguration,
  type AddonVersionLookup,
  type EksModel,
  type Plain,
  type When,
} from '../../eks';
import { configurationProblems, type SchemaVersions } from '../../eks/networking/addon-schema-check';
import { unverifiable } from './case-judgements';
import { codeOf, type Defect, parentOf, patchFor } from './configuration-patches';

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

const REMOVED = [{ kind: 'removeData', field: 'configuration', at: '{{path}}' }] as const;

/** EKS has taken the values never, or without the setting. */
const ADDON_TAKEN = 'leaves out what the setting was meant to do: EKS takes the values without it';

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
    fix: { summary: '{{advice}}', code: PUT_RIGHT, safety: 'needs-decision', repairs: REMOVED, effect: ADDON_TAKEN },
  },
  removed: {
    text: `Add-on {{name}} configures {{path}}, which the add-on accepts no more since {{removedIn}}: ${ROLLBACK}.`,
    fix: {
      summary: 'Remove `{{path}}` from the configuration values.',
      code: PUT_RIGHT,
      safety: 'needs-decision',
      repairs: REMOVED,
      effect: ADDON_TAKEN,
    },
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
    fix: { summary: 'Add `{{key}}` to `{{path}}`.', code: PUT_RIGHT, safety: 'needs-decision' },
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
      : [
          ...judge(
            addon,
            description,
            values.configuration,
            { ...schemaVersions(values), written: values.version },
            both,
          ),
        ];
  });
}

/** The versions that values are held against, and the one that the code writes. */
type Held = SchemaVersions & { readonly written: Plain<string> };

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
  versions: Held,
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
  for (const problem of problems) {
    if (problem.kind !== 'doubt')
      yield {
        ...common,
        verdict: 'fail',
        message: problem.kind,
        data: {
          name,
          ...dataOf(problem, description, versions, content.expressionOf),
          ...codeOf(patchFor(problem, content.data, content.expressionOf)),
        },
        about: keyOf(problem),
        ...restsOn(versions),
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

/** The default that a version is, which a caller or a file of values may overrule; the engine tells it of the configuration values alone. */
function defaultIn({ kind, written }: Held): string | undefined {
  const { from, decided } = written.source;
  return kind === 'pinned' && written.kind === 'known'
    ? [from, decided?.by].find((text) => text?.startsWith('default ') === true)
    : undefined;
}

function originOf(versions: Held): string {
  const text = defaultIn(versions);
  return text === undefined ? '' : ` (the ${text})`;
}

/** Where the version stands that a verdict rests on. */
function restsOn(versions: Held): Pick<Judgement<SchemaMessage>, 'related'> {
  const message = defaultIn(versions);
  const { source } = versions.written;
  return message === undefined ? {} : { related: [{ message, source: source.decided?.at ?? source }] };
}

function keyOf(problem: Defect): string {
  return withoutIndices(problem.kind === 'required' ? `${problem.path}.${problem.key}` : problem.path);
}

function dataOf(
  problem: Defect,
  description: AddonDescription,
  versions: Held,
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
            ? `the schema of ${versions.version}${originOf(versions)} does not have`
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
        version:
          versions.kind === 'pinned' ? `${versions.version}${originOf(versions)}` : 'no version for this cluster',
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
