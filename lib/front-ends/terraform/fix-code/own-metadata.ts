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
  const set = new Set(block.parts.flatMap((part) => (part.kind === 'argument' ? [part.name] : [])));
  const { httpEndpoint, instanceTags } = resource.metadata;
  const own: { name: string; text: string }[] = [];
  for (const [name, value] of [
    ['http_endpoint', httpEndpoint],
    ['instance_metadata_tags', instanceTags],
  ] as const) {
    const text = set.has(name) ? '' : textOf(value);
    if (text === undefined) return undefined;
    if (text !== '') own.push({ name, text });
  }
  if (own.length === 0) return code;
  const settings = block.parts.flatMap((part) =>
    part.kind === 'argument'
      ? [{ name: part.name, text: code.slice(part.value.range.start, part.value.range.end) }]
      : [],
  );
  const lines = aligned([...settings, ...own]).map((line) => `  ${line}\n`);
  return `${code.slice(0, block.range.start)}${OPTIONS} {\n${lines.join('')}}${code.slice(block.range.end)}`;
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
