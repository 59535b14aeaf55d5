import type { Resource, WrittenPlace } from '../../../value';
import { aligned, codeParts, indented, type CodePart } from './printed';

/*
 * Code of a resource as the call of a known module has it: under the names of its inputs, with maps for blocks, and with the part of the call
 * in which it stands.
 */

/** Blocks of a resource of which a module takes a map with keys of the user's choice. */
const KEYED: ReadonlyMap<string, string> = new Map([['block_device_mappings', 'device_name']]);

/** Undefined where the call has something else in its place. */
export function codeInCall(code: string, resource: Resource): string | undefined {
  const { moduleInputs = new Map<string, string>() } = resource;
  const parts = codeParts(code);
  if (parts === undefined) return undefined;
  const own: Setting[] = [];
  const files: string[] = [];
  let isOfCalls = true;
  for (const part of parts) {
    if (part.kind === 'comment') {
      if (!PLACE.test(part.text)) return undefined;
    } else if (part.kind === 'block' && part.labels.length > 0) {
      files.push(code.slice(part.range.start, part.range.end));
      isOfCalls &&= part.name === 'module' || isOfOutput(code.slice(part.range.start, part.range.end), resource);
    } else {
      const settings = settingsOf(code, part, moduleInputs);
      if (settings === undefined) return undefined;
      own.push(...settings);
    }
  }
  // The call of another module stands beside this one.
  if (own.length === 0) return isOfCalls && files.length > 0 ? code : undefined;
  const placed = placedSettings(own, resource);
  if (placed === undefined) return undefined;
  const { where, settings } = placed;
  const { moduleInputsAt = '' } = resource;
  return [
    // What stands beside the call has to be told from what stands in it: Terraform refuses a block there.
    ...files.flatMap((one) => [one, '']),
    ...(where.length === 0 && files.length > 0 && moduleInputsAt !== ''
      ? [`# in ${inOwnFile(moduleInputsAt)}:`]
      : where),
    ...settings.flatMap(({ above }) => above),
    ...aligned(settings),
  ].join('\n');
}

/** Whether a resource is for an output of the call. */
function isOfOutput(code: string, { moduleInputsAt = '', moduleOutputs }: Resource): boolean {
  const name = moduleOutputs?.get('name');
  return name !== undefined && code.includes(`${inOwnFile(moduleInputsAt)}.${name}\n`);
}

interface Placed {
  /** The comment that says where the settings go; nothing where that is the call itself, at which the finding points. */
  readonly where: readonly string[];
  readonly settings: readonly Setting[];
}

/** Settings as they stand where the user has them: in the call, or in what the call takes its maps from. Undefined in a file that has no HCL. */
function placedSettings(settings: readonly Setting[], resource: Resource): Placed | undefined {
  const { moduleInputsAt = '', moduleInputsIn } = resource;
  const at = inOwnFile(moduleInputsAt);
  const [argument, ...keys] = stepsBelowCall(at);
  const [first, ...others] = settings;
  if (argument !== undefined && first !== undefined) {
    const place = moduleInputsIn?.([argument, ...keys], first.name);
    // What holds of one add-on isn't right for others; groups of one kind want the same, but for what their instances can run.
    const isOfOne = resource.type === 'aws_eks_addon' || isOtherKind(first, place?.each?.now);
    return place === undefined
      ? { where: [`# in ${at}:`], settings }
      : inPlace(place, at, settings, isOfOne ? keys[0] : undefined);
  }
  // A map of the call is a place of its own, which holds what the user has besides.
  const entries = first === undefined || others.length > 0 ? [] : entriesOf(first);
  const [entry, ...more] = entries;
  if (first === undefined || entry === undefined) return { where: [], settings };
  const { name } = first;
  const [inner, ...rest] = more.length > 0 ? [] : entriesOf(entry);
  const within = moduleInputsIn?.([name, entry.name], inner?.name ?? '');
  if (within === undefined) return { where: [], settings };
  if (inner !== undefined && rest.length === 0 && within.isMissing !== true)
    return inPlace(within, `${at}.${name}["${entry.name}"]`, [inner], entry.name);
  const map = moduleInputsIn?.([name], entry.name);
  return map === undefined ? { where: [], settings } : inPlace(map, `${at}.${name}`, entries);
}

/** Whether an AMI type is for another architecture or other devices than the one that all have now. */
function isOtherKind({ name, text }: Setting, now: string | undefined): boolean {
  const kindOf = (type: string): string =>
    (type.match(/ARM_64|NVIDIA|GPU|NEURON/g) ?? []).join().replace('GPU', 'NVIDIA');
  return name === 'ami_type' && now?.startsWith('"') === true && kindOf(text) !== kindOf(now);
}

/** @param key of the entry that the settings are for, where others are made with it that don't want them */
function inPlace(
  { source, name, isObject, each, isWritten }: WrittenPlace,
  at: string,
  settings: readonly Setting[],
  key?: string,
): Placed | undefined {
  const { file, line } = source.locate();
  if (file.endsWith('.json')) return undefined;
  // Of two that are written, only the last would count.
  const instead = isWritten === true ? `, in place of its ${settings[0]?.name ?? ''}` : '';
  return {
    where: [isObject ? `# in ${file}:${line}, ${name}${instead}:` : `# in what ${file}:${line} gives ${at}:`],
    settings:
      each === undefined || key === undefined
        ? settings
        : settings.map((setting) => ({ ...setting, text: ofOneKey(setting.text, each, key) })),
  };
}

function ofOneKey(text: string, { key, now }: NonNullable<WrittenPlace['each']>, one: string): string {
  const test = `${key} == ${JSON.stringify(one)}`;
  return text === 'true' && now === undefined ? test : `${test} ? ${text} : ${now ?? 'null'}`;
}

/** `module.eks.eks_managed_node_groups["workers"]`: the argument of the call, and the key of its entry. */
function stepsBelowCall(at: string): readonly string[] {
  const [, argument, key] = /^module\.[\w-]+\.(\w+)(\[.*\])?$/.exec(at) ?? [];
  if (argument === undefined) return [];
  return key === undefined ? [argument] : [argument, String(JSON.parse(key.slice(1, -1)))];
}

/** The entries of a map, as settings. */
function entriesOf({ text }: Setting): readonly Setting[] {
  const code = `map = ${text}`;
  const [part] = codeParts(code) ?? [];
  const value = part?.kind === 'argument' ? part.value : undefined;
  return value?.kind === 'object'
    ? value.entries.map(({ key, value: { range } }) => ({
        name: key.kind === 'literal' ? String(key.value) : code.slice(key.range.start, key.range.end),
        text: code.slice(range.start, range.end).replaceAll(/\n {2}/g, '\n'),
        above: [],
      }))
    : [];
}

/** Which of the resources that a call makes the code is for: its call has all in one place. */
const PLACE = /^in \S+:$/;

/** A call is named as in the file that has it: `module.eks`, whatever calls that file's module. */
function inOwnFile(address: string): string {
  return address
    .replace(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(?=module\.)/, '')
    .replace(/^(module\.[\w-]+)\[[^\]]*\](?=\.)/, '$1');
}

interface Setting {
  readonly name: string;
  readonly text: string;
  /** Comments that say which of two names it has. */
  readonly above: readonly string[];
}

function settingsOf(
  code: string,
  part: Exclude<CodePart, { kind: 'comment' }>,
  inputs: ReadonlyMap<string, string>,
): readonly Setting[] | undefined {
  const input = inputs.get(part.name);
  if (input === undefined) return undefined;
  // What stands in a block of the resource, and by itself in the call.
  if (input === '' && part.kind === 'block') {
    const inner = part.parts.map((one) => (one.kind === 'argument' ? [argument(code, one, one.name)] : undefined));
    return inner.includes(undefined) ? undefined : inner.flatMap((one) => one ?? []);
  }
  const above = input.split('\n').slice(0, -1);
  const name = input.split('\n').at(-1) ?? input;
  return part.kind === 'argument'
    ? [{ ...argument(code, part, name), above }]
    : [{ name, text: mapOf(code, part, KEYED.get(part.name)), above }];
}

function argument(code: string, part: Extract<CodePart, { kind: 'argument' }>, name: string): Setting {
  const { value, comment } = part;
  const text = code.slice(value.range.start, value.range.end);
  return { name, text: comment === undefined ? text : `${text} # ${comment}`, above: [] };
}

type BlockPart = Extract<CodePart, { kind: 'block' }>;

/** A block as a map. @param keyedBy the argument that tells its key in a map of such */
function mapOf(code: string, { parts }: BlockPart, keyedBy?: string): string {
  const settings = parts.flatMap((part): Setting[] => {
    if (part.kind === 'comment') return [];
    return [
      part.kind === 'argument'
        ? argument(code, part, part.name)
        : { name: part.name, text: mapOf(code, part), above: [] },
    ];
  });
  const map = braced(aligned(settings));
  if (keyedBy === undefined) return map;
  const value = settings.find(({ name }) => name === keyedBy)?.text;
  const [, named = ''] = /^"([^"]*)"/.exec(value ?? '') ?? [];
  const key = named.split('/').at(-1)?.replaceAll(/\W/g, '') || 'root';
  return braced([`${key} = ${map}`]);
}

function braced(lines: readonly string[]): string {
  return `{\n${indented(lines.join('\n'))}\n}`;
}
