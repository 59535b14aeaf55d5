import type { Known, Unknown } from '../../value';
import { Base64Text, ComposedText, JoinedText, UnknownBase64, type TextPart } from '../../value/composed-text';
import { SourceText, type TextPiece } from './source-text';

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
  const { pieceOf: whole, expression } = part.source;
  const own = expression === undefined ? undefined : { expression };
  const reference = isOneOfSeveral && !part.value.includes('\n') ? (whole ?? own) : undefined;
  return {
    text: part.value,
    sourceAt: (offset) => part.source.inText?.(part.value, offset) ?? part.source,
    ...(reference === undefined ? {} : { reference }),
  };
}
