import type { LaunchTemplate } from '../../../eks';
import { alternativesOf, isReadBack, type Resource, type Value } from '../../../value';
import { aligned, codeParts, type CodePart } from './printed';

/*
 * The metadata options of a launch template are one block, or one map in the call of a module. Code of a fix that takes its place has what the
 * user sets there besides.
 */

const OPTIONS = 'metadata_options';

/** Undefined where something of it can't be written again: it isn't known, or there is a choice. */
export function withOwnMetadata(code: string, resource: Resource): string | undefined {
  if (!code.includes(OPTIONS) || !isLaunchTemplate(resource)) return code;
  const block = codeParts(code)?.find(
    (part): part is Extract<CodePart, { kind: 'block' }> => part.kind === 'block' && part.name === OPTIONS,
  );
  if (block === undefined) return code;
  const settings = block.parts.flatMap((part) =>
    part.kind === 'argument'
      ? [{ name: part.name, text: code.slice(part.value.range.start, part.value.range.end) }]
      : [],
  );
  const all = merged(settings, resource);
  if (all === undefined) return undefined;
  if (all.length === settings.length && all.every(({ text }, index) => text === settings[index]?.text)) return code;
  const lines = aligned(all).map((line) => `  ${line}\n`);
  return `${code.slice(0, block.range.start)}${OPTIONS} {\n${lines.join('')}}${code.slice(block.range.end)}`;
}

interface Setting {
  readonly name: string;
  readonly text: string;
}

/** What the code sets, and what the user has besides. */
function merged(settings: readonly Setting[], resource: LaunchTemplate): readonly Setting[] | undefined {
  const written = resource.moduleInputs === undefined ? (resource.editing?.metadataOptions ?? NONE) : NONE;
  // Beside a `dynamic` block another one makes two.
  if (written === 'dynamic') return undefined;
  const set = new Set(settings.map(({ name }) => name));
  const own = written.size === 0 ? ownValues(set, resource) : othersOf(set, written);
  return own === undefined
    ? undefined
    : [
        ...settings.map(({ name, text }) => ({ name, text: keptText(name, text, written.get(name), resource) })),
        ...own,
      ];
}

const NONE: ReadonlyMap<string, string> = new Map();

function othersOf(set: ReadonlySet<string>, written: ReadonlyMap<string, string>): readonly Setting[] {
  return Array.from(written, ([name, text]) => ({ name, text })).filter(({ name }) => !set.has(name));
}

const FIELDS: ReadonlyMap<string, 'httpEndpoint' | 'httpTokens' | 'hopLimit' | 'instanceTags'> = new Map([
  ['http_endpoint', 'httpEndpoint'],
  ['http_put_response_hop_limit', 'hopLimit'],
  ['http_tokens', 'httpTokens'],
  ['instance_metadata_tags', 'instanceTags'],
]);

/** An expression of the user's that comes out as the code has it, or as nothing here tells, stays. */
function keptText(name: string, text: string, own: string | undefined, { metadata }: LaunchTemplate): string {
  const field = FIELDS.get(name);
  if (own === undefined || field === undefined) return text;
  const isKept = alternativesOf<number | string>(metadata[field]).every(
    ({ value }) =>
      (value.kind === 'known' && String(value.value) === text.replaceAll('"', '')) ||
      (value.kind === 'unknown' && field === 'hopLimit'),
  );
  return isKept ? own : text;
}

/** What the model has of them, where nothing tells how they are written. */
function ownValues(set: ReadonlySet<string>, { metadata }: LaunchTemplate): readonly Setting[] | undefined {
  const { httpEndpoint, instanceTags } = metadata;
  const own: Setting[] = [];
  for (const [name, value] of [
    ['http_endpoint', httpEndpoint],
    ['instance_metadata_tags', instanceTags],
  ] as const) {
    const text = set.has(name) ? '' : textOf(value);
    if (text === undefined) return undefined;
    if (text !== '') own.push({ name, text });
  }
  return own;
}

function isLaunchTemplate(resource: Resource): resource is LaunchTemplate {
  return 'kind' in resource && resource.kind === 'launch-template';
}

/** A setting as code has it; empty where the user doesn't have it, or a module has it by default. */
function textOf(value: Value<string>): string | undefined {
  const [only, ...others] = alternativesOf(value).map((one) => one.value);
  if (only === undefined || others.length > 0) return undefined;
  if (only.kind === 'absent' || isReadBack(only) || only.source.isModuleDefault === 'yes') return '';
  return only.kind === 'known' && only.source.decided === undefined ? JSON.stringify(only.value) : undefined;
}
