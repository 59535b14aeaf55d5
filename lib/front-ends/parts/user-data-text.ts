import type { UserData } from '../../eks/model/resources';
import { unpackUserData } from '../../eks/user-data/decode';
import { SourceText, type TextPiece } from '../../eks/user-data/source-text';
import { Known, type Unknown } from '../../value';
import { Base64Text, ComposedText, JoinedText, UnknownBase64, type TextPart } from '../../value/composed-text';

const BASE64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

/** User data from the base64 that the launch template takes, encoded by whom ever but the engine. */
export function userDataFromBase64(encoded: Known<string>): Known<UserData> {
  const { value, source, note } = encoded;
  const written = sourceTextOf(encoded);
  const characters = value.replace(/\s+/g, '');
  // What EC2 does with an odd length is what its decoder does with it: refuse.
  if (!BASE64.test(value) || characters.length % 4 !== 0)
    return new Known({ text: written, layers: [], encodedBy: 'nobody' }, source, note);
  const bytes = Buffer.from(characters, 'base64');
  const { text, layers, unknown } = unpackUserData(bytes, source);
  if (unknown !== undefined)
    return new Known(
      { text: SourceText.compose([{ unknown }]), layers, encodedBy: 'user', size: bytes.length },
      source,
      note,
    );
  const blanks = value.length === characters.length ? undefined : value;
  // Lines and columns are those of the text that nodes see.
  const decoded = SourceText.of(text, (offset) =>
    written.sourceAt(layers.length > 0 ? 0 : encodedOffset(text, offset, blanks)),
  );
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

/** A text with the place of each of its characters. */
export function sourceTextOf(text: Known<string> | Unknown): SourceText {
  const parts: readonly TextPart[] = text instanceof JoinedText || text instanceof ComposedText ? text.pieces : [text];
  return SourceText.compose(parts.map((part) => pieceOf(part, parts.length > 1)));
}

function pieceOf(part: TextPart, isOneOfSeveral: boolean): TextPiece {
  if (part.kind === 'unknown')
    return part instanceof UnknownBase64 ? { unknown: part, encoded: sourceTextOf(part.decoded) } : { unknown: part };
  if (part instanceof Base64Text) {
    const { decoded } = part;
    const inner = sourceTextOf(decoded);
    return {
      text: part.value,
      sourceAt: (offset) =>
        inner.sourceAt(Buffer.from(decoded.value).toString('utf8', 0, Math.floor(offset / 4) * 3).length),
    };
  }
  // A text of several lines is looked into, wherever it is written.
  const expression = isOneOfSeveral && !part.value.includes('\n') ? part.source.expression : undefined;
  return {
    text: part.value,
    sourceAt: (offset) => part.source.inText?.(part.value, offset) ?? part.source,
    ...(expression === undefined ? {} : { reference: { expression } }),
  };
}
