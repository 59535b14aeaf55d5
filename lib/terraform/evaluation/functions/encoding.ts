import { isCollection, isScalar, parseAllDocuments, visit, type Document } from 'yaml';
import { isNestedDeeper } from '../../../value/yaml-depth';
import { isDataMap, Known, LIMITS, parseWithin, TOO_MUCH_DATA, Unknown, type Data } from '../../../value';
import { Base64Text, ComposedText, UnknownBase64 } from '../../../value/composed-text';
import { parseEmbedded } from '../../../value/embedded-text';
import { TerraformList, type TerraformValue } from '../../terraform-value';
import { MapBuilder } from '../object-value';
import { textOf } from '../texts';
import { weightOf } from '../weight';
import {
  CallBeyondLimit,
  CallFailure,
  CallUnknown,
  parts,
  whole,
  type Call,
  type Functions,
  type Result,
} from './function';
import { encodeJson, valueOfData } from './json';
import { encodeYaml } from './yaml';

export const ENCODINGS: Functions = {
  jsonencode: parts(1, 1, (call) => encoded(call, encodeJson), true),
  jsondecode: parts(1, 1, (call) => decode(call, 'json', decodeJson)),
  yamlencode: parts(1, 1, (call) => encoded(call, encodeYaml), true),
  yamldecode: parts(1, 1, (call) => decode(call, 'yaml', decodeYaml)),
  base64encode: parts(1, 1, encodeBase64),
  base64decode: parts(1, 1, decodeBase64),
  base64gzip: parts(1, 1, (call) => new Unknown('what is compressed is not looked at', call.here)),
  textencodebase64: whole(2, 2, (call) => encodedText(call.text(0), call.text(1)).toString('base64')),
  textdecodebase64: whole(2, 2, decodedText),
  urlencode: whole(1, 1, (call) => {
    call.charge(call.text(0).length / ENCODED);
    return urlEncoded(call.text(0));
  }),
  csvdecode: whole(1, 1, () => {
    throw new CallUnknown('tables are not read');
  }),
};

/** So many pieces of text take as long as working out a part of an expression. */
const PIECES = 4;

/** So many characters, too. */
const ENCODED = 40;

function encoded(call: Call, encode: typeof encodeJson): Result {
  const value = call.plain(0);
  // The text of something that isn't known at all isn't the thing itself.
  if (value.kind === 'unknown' && !(value instanceof ComposedText)) throw new CallUnknown(value.reason);
  call.charge(weightOf(value) / PIECES);
  return encode(value, call.here);
}

function decode(call: Call, language: 'json' | 'yaml', read: (text: string) => unknown): Result {
  const text = textOf(call.plain(0));
  if (text.kind === 'known') {
    const parsed = parseWithin(text.value, language, read);
    if (parsed === undefined) throw new CallBeyondLimit(TOO_MUCH_DATA);
    return valueOfData(parsed.data, call.here.decoded(language), text.note);
  }
  if (!(text instanceof ComposedText)) throw new CallUnknown(text.kind === 'unknown' ? text.reason : 'it is null');
  const parsed = parseEmbedded(text);
  if (parsed.kind !== 'parsed') throw new CallUnknown(text.reason);
  return partlyKnown(parsed.data, call, call.here.decoded(language));
}

/** Of data with parts that aren't known only texts are sure: a part outside of quotes could hold more than one value. */
function partlyKnown(data: Data, call: Call, here = call.here): TerraformValue {
  if (data instanceof Unknown) return new Unknown(data.reason, call.here, data.text);
  if (Array.isArray(data))
    return call.value(new TerraformList((data as readonly Data[]).map((item) => partlyKnown(item, call))));
  if (isDataMap(data)) {
    const map = new MapBuilder(here);
    for (const [key, item] of Object.entries<Data>(data)) {
      // Of a key with parts that aren't known only a placeholder is left.
      map.set(key.includes('${') ? new Unknown(`${key} is not known`, call.here, key) : new Known(key, call.here), () =>
        partlyKnown(item, call),
      );
    }
    return map.value();
  }
  return valueOfData(data, call.here, call.note);
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CallFailure('the text is no JSON');
  }
}

/** Texts without quotes that are booleans in YAML 1.1, which Terraform reads. */
const YES = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const NO = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
/** What YAML 1.1 and 1.2, or their readers, take for different things. */
const DOUBTFUL =
  /^(?:[+-]?0[0-7_]+|0b[01_]+|[+-]?[\d_]+(?::[0-5]?\d)+(?:\.\d*)?|\d{4}-\d{1,2}-\d{1,2}.*|[+-]?[\d.]*_[\d_.]*|[+-]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|<<|=)$/;

/** With other tags, what a text becomes depends on the reader. */
const PLAIN_TAG = /^(?:!|tag:yaml\.org,2002:(?:str|map|seq))$/;

function checkTag(tag: string | undefined): void {
  if (tag !== undefined && !PLAIN_TAG.test(tag)) throw new CallUnknown('the YAML has tags that are not read');
}

/** Why a value isn't known whose text is no YAML for the reader here; that of Terraform may be a more patient one. */
export const UNREADABLE_YAML = 'the YAML could not be read';

function decodeYaml(text: string): unknown {
  if (isNestedDeeper(text, LIMITS.depth)) throw new CallBeyondLimit('the YAML is nested too deeply');
  const [document, second] = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    uniqueKeys: false,
  }) as readonly (Document.Parsed | undefined)[];
  if (document === undefined || second !== undefined) throw new CallFailure('the text is not one YAML document');
  if (document.errors.length > 0) throw new CallUnknown(UNREADABLE_YAML);
  if (document.warnings.length > 0) throw new CallUnknown('the YAML has tags that are not read');
  visit(document, {
    Pair: (_, { key }) => {
      if (isCollection(key) || key === null || (isScalar(key) && key.value === null))
        throw new CallFailure('a key of the YAML is no text');
    },
    Collection: (_, { tag }) => {
      checkTag(tag);
    },
    Scalar: (_, node) => {
      checkTag(node.tag);
      if (node.type !== 'PLAIN' || node.source === undefined) return;
      if (DOUBTFUL.test(node.source)) throw new CallUnknown('the YAML has values that are read in different ways');
      if (node.tag === undefined && YES.test(node.source)) node.value = true;
      else if (node.tag === undefined && NO.test(node.source)) node.value = false;
    },
  });
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    throw new CallUnknown(UNREADABLE_YAML);
  }
}

function encodeBase64(call: Call): Result {
  const text = textOf(call.plain(0));
  if (text.kind === 'known') return new Base64Text(text, call.here);
  if (text.kind === 'absent') throw new CallFailure('it is null');
  return new UnknownBase64(text, call.here);
}

function decodeBase64(call: Call): Result {
  const encoded = textOf(call.plain(0));
  if (encoded instanceof Base64Text) return encoded.decoded;
  if (encoded instanceof UnknownBase64) return encoded.decoded;
  if (encoded.kind !== 'known') throw new CallUnknown(encoded.kind === 'unknown' ? encoded.reason : 'it is null');
  const text = encoded.value.replaceAll(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new CallFailure('it is no base64');
  return utf8(Buffer.from(text, 'base64'));
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CallFailure('what is encoded is no text');
  }
}

function encodedText(text: string, encoding: string): Buffer {
  switch (encoding.toUpperCase()) {
    case 'UTF-8':
    case 'UTF8':
      return Buffer.from(text);
    case 'UTF-16LE':
      return Buffer.from(text, 'utf16le');
    case 'UTF-16BE':
      return Buffer.from(text, 'utf16le').swap16();
    default:
      throw new CallUnknown(`the encoding ${encoding} is not known here`);
  }
}

function decodedText(call: Call): Result {
  const bytes = Buffer.from(call.text(0), 'base64');
  switch (call.text(1).toUpperCase()) {
    case 'UTF-8':
    case 'UTF8':
      return utf8(bytes);
    case 'UTF-16LE':
      return bytes.toString('utf16le');
    default:
      throw new CallUnknown(`the encoding ${call.text(1)} is not known here`);
  }
}

/** As Go's url.QueryEscape. */
function urlEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9_.~-]/.test(character)) return character;
      return character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
