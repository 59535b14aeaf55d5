import type { Resource } from '../../../value';
import { aligned, codeParts, indented, type CodePart } from './printed';

/*
 * Code of a resource as the call of a known module has it: under the names of its inputs, with maps for blocks, and with the part of the call
 * in which it stands.
 */

/** Blocks of a resource of which a module takes a map with keys of the user's choice. */
const KEYED: ReadonlyMap<string, string> = new Map([['block_device_mappings', 'device_name']]);

/** Undefined where the call has something else in its place. */
export function codeInCall(code: string, resource: Resource): string | undefined {
  const { moduleInputs = new Map<string, string>(), moduleInputsAt } = resource;
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
      isOfCalls &&= part.name === 'module';
    } else {
      const settings = settingsOf(code, part, moduleInputs);
      if (settings === undefined) return undefined;
      own.push(...settings);
    }
  }
  // The call of another module stands beside this one.
  if (own.length === 0) return isOfCalls && files.length > 0 ? code : undefined;
  // The call itself is where the finding points.
  const where = moduleInputsAt?.endsWith('"]') === true ? [`# in ${inOwnFile(moduleInputsAt)}:`] : [];
  return [...where, ...own.flatMap(({ above }) => above), ...aligned(own), ...files.flatMap((one) => ['', one])].join(
    '\n',
  );
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
  const key =
    settings
      .find(({ name }) => name === keyedBy)
      ?.text.split('/')
      .at(-1)
      ?.replaceAll(/\W/g, '') ?? 'root';
  return braced([`${key} = ${map}`]);
}

function braced(lines: readonly string[]): string {
  return `{\n${indented(lines.join('\n'))}\n}`;
}
