import type { UserData } from '../../eks/model/resources';
import { unpackUserData } from '../../eks/user-data/decode';
import { SourceText } from '../../eks/user-data/source-text';
import { sourceTextOf } from '../../eks/user-data/text-of-value';
import { Known } from '../../value';

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
