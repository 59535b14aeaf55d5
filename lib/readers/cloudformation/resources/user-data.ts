import { flatMapValue, Known, Unknown, type Plain, type Source, type UserData, type Value } from '../../../model';
import { decodeUserData } from '../../../user-data/decode';
import { SourceText, type TextPiece } from '../../../user-data/source-text';
import { Cursor, TextPlace } from '../cursor';
import { asText, DecodedText, type Item } from '../item';
import { Base64Text, ComposedText, JoinedText, UnknownBase64, type TextPart } from '../unknown-values';

/** The user data of a launch template or launch configuration, without the base64 around it. */
export function readUserData(item: Value<Item>): Value<UserData> {
  return flatMapValue(item, (plain): Plain<UserData> => {
    if (plain.kind !== 'known') return plain;
    if (plain.value instanceof DecodedText) {
      const text = sourceTextOf(plain.value.text);
      return new Known({ text, layers: [], encodedBy: 'engine' }, plain.source, plain.note);
    }
    const text = asText(plain);
    return text.kind === 'known' ? encodedByUser(text) : (text as Plain<UserData>);
  });
}

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

function encodedByUser(encoded: Known<string>): Plain<UserData> {
  const { value, source, note } = encoded;
  const written = sourceTextOf(encoded);
  const characters = value.replace(/\s+/g, '');
  // What EC2 does with an odd length is what its decoder does with it: refuse.
  if (!BASE64.test(value) || characters.length % 4 !== 0) return new Known({ text: written, layers: [], encodedBy: 'nobody' }, source, note);
  const bytes = Buffer.from(characters, 'base64');
  const { text, layers } = decodeUserData(bytes);
  const blanks = value.length === characters.length ? undefined : value;
  // Lines and columns are those of the text that nodes see.
  const decoded = SourceText.of(text, (offset) => written.sourceAt(layers.length > 0 ? 0 : encodedOffset(text, offset, blanks)));
  return new Known({ text: decoded, layers, encodedBy: 'user', size: bytes.length }, source, note);
}

/** Where the base64 of a character stands: three bytes make four characters. */
function encodedOffset(text: string, offset: number, withBlanks: string | undefined): number {
  const target = Math.floor(Buffer.byteLength(text.slice(0, offset)) / 3) * 4;
  if (withBlanks === undefined) return target;
  let seen = 0;
  for (let i = 0; i < withBlanks.length; i++) {
    if (/\s/.test(withBlanks[i] ?? '')) continue;
    if (seen === target) return i;
    seen++;
  }
  return withBlanks.length;
}

/** A text of the template with the place of each of its characters. */
export function sourceTextOf(text: Known<string> | Unknown): SourceText {
  const parts: readonly TextPart[] = text instanceof JoinedText || text instanceof ComposedText ? text.pieces : [text];
  return SourceText.compose(parts.map(pieceOf));
}

function pieceOf(part: TextPart): TextPiece {
  if (part.kind === 'unknown') return part instanceof UnknownBase64 ? { unknown: part, encoded: sourceTextOf(part.decoded) } : { unknown: part };
  if (part instanceof Base64Text) {
    const { decoded } = part;
    const inner = sourceTextOf(decoded);
    return { text: part.value, sourceAt: (offset) => inner.sourceAt(Buffer.from(decoded.value).toString('utf8', 0, Math.floor(offset / 4) * 3).length) };
  }
  return { text: part.value, sourceAt: (offset) => placeOf(part, offset) };
}

function placeOf({ value, source }: Known<string>, offset: number): Source {
  if (source instanceof TextPlace) return new TextPlace(source.cursor, source.offset + offset);
  return source instanceof Cursor && source.raw === value ? new TextPlace(source, offset) : source;
}
