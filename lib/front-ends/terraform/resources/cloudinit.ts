import type { UserData } from '../../../eks';
import { type Alternative, cases, choose, Known, type Plain, type Source, Unknown, type Value } from '../../../value';
import { compose } from '../../../value/composed-text';
import { sourceTextOf } from '../../../eks/user-data/text-of-value';
import type { TerraformInstance } from '../../../terraform/instance';
import { LinkedBlock } from './linked-block';
import type { Registry } from './registry';

const TYPES: ReadonlySet<string> = new Set(['cloudinit_config', 'template_cloudinit_config']);

/** Headers of a part, in the order in which they are written, and the attributes that they come from. */
const HEADERS = [
  ['Content-Disposition', 'filename'],
  ['Content-Transfer-Encoding', undefined],
  ['Content-Type', 'content_type'],
  ['Mime-Version', undefined],
  ['X-Merge-Type', 'merge_type'],
] as const;

const FIXED: Readonly<Record<string, string>> = { 'Content-Transfer-Encoding': '7bit', 'Mime-Version': '1.0' };

/**
 * User data that the data source `cloudinit_config` renders; undefined for an instance of another type.
 * Source: hashicorp/terraform-provider-cloudinit, internal/provider/cloudinit_config.go.
 * @param isEncodedAgain `base64encode()` stands around it
 */
export function renderCloudinit(
  instance: TerraformInstance,
  isEncodedAgain: boolean,
  source: Source,
  registry: Registry,
): Value<UserData> | undefined {
  if (!TYPES.has(instance.type)) return undefined;
  const block = new LinkedBlock(instance.attributes, registry);
  const parts = block.blocks('part');
  if (parts.kind === 'unknown') return parts.at(source);
  if (parts.kind === 'choice') return new Unknown(`which parts ${instance.address} has depends on conditions`, source);
  const fields: Record<string, Value<string | boolean>> = {
    gzip: block.boolean('gzip'),
    base64: block.boolean('base64_encode'),
    boundary: block.text('boundary'),
  };
  const count = parts.kind === 'known' ? parts.value.length : 0;
  for (const [index, part] of parts.kind === 'known' ? parts.value.entries() : []) {
    for (const attribute of ['filename', 'content_type', 'merge_type', 'content'])
      fields[`${attribute}${index}`] = part.string(attribute);
  }
  return choose(
    cases(fields).map(
      ({ when, values }): Alternative<UserData> => ({
        when,
        value: userDataOf(new Fields(values), count, isEncodedAgain, source),
      }),
    ),
  );
}

class Fields {
  constructor(private readonly values: Readonly<Record<string, Plain<string | boolean>>>) {}

  /** A switch that is on unless it is written otherwise; undefined if it isn't known. */
  flag(name: string): boolean | undefined {
    const value = this.values[name];
    return value?.kind === 'unknown' ? undefined : value?.kind !== 'known' || value.value !== false;
  }

  /** A text; undefined if it isn't written, or empty. */
  text(name: string): Known<string> | Unknown | undefined {
    const value = this.values[name];
    if (value === undefined || value.kind === 'absent') return undefined;
    if (value.kind === 'unknown') return value;
    const { value: text } = value;
    // What it is a text of several places stays one.
    return typeof text === 'string' && text !== '' ? (value as Known<string>) : undefined;
  }
}

function userDataOf(fields: Fields, count: number, isEncodedAgain: boolean, source: Source): Plain<UserData> {
  const [gzip, base64] = [fields.flag('gzip'), fields.flag('base64')];
  if (gzip === undefined || base64 === undefined)
    return new Unknown("it isn't known whether it is compressed and encoded", source);
  const layers: UserData['layers'] = [
    ...(isEncodedAgain && base64 ? (['base64'] as const) : []),
    ...(gzip ? (['gzip'] as const) : []),
  ];
  const text = sourceTextOf(render(fields, count, source));
  return new Known({ text, layers, encodedBy: isEncodedAgain || base64 ? 'engine' : 'nobody' }, source);
}

function render(fields: Fields, count: number, source: Source): Known<string> | Unknown {
  const parts: Plain<string>[] = [];
  const write = (text: string) => parts.push(new Known(text, source));
  const boundary = fields.text('boundary') ?? new Known('MIMEBOUNDARY', source);
  write('Content-Type: multipart/mixed; boundary="');
  parts.push(boundary);
  write('"\nMIME-Version: 1.0\r\n\r\n');
  for (let index = 0; index < count; index++) {
    write(index === 0 ? '--' : '\r\n--');
    parts.push(boundary);
    write('\r\n');
    for (const [header, attribute] of HEADERS) {
      const value =
        attribute === undefined
          ? new Known(FIXED[header] ?? '', source)
          : (fields.text(`${attribute}${index}`) ??
            (header === 'Content-Type' ? new Known('text/plain', source) : undefined));
      if (value === undefined) continue;
      const isName = attribute === 'filename';
      write(`${header}: ${isName ? 'attachment; filename="' : ''}`);
      parts.push(value);
      write(isName ? '"\r\n' : '\r\n');
    }
    write('\r\n');
    const content = fields.text(`content${index}`);
    if (content !== undefined) parts.push(content);
  }
  write('\r\n--');
  parts.push(boundary);
  write('--\r\n');
  const text = compose(parts, source);
  return text.kind === 'absent' ? new Known('', source) : text;
}
