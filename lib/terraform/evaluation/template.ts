import { beyondLimit, Known, LIMITS, Unknown, type Plain } from '../../value';
import { Base64Text, ComposedText, JoinedText, TOO_LONG } from '../../value/composed-text';
import type { TemplatePart } from '../../languages/hcl/ast';
import { chooseBy, flatMap, fromRows, rowsOf } from './choices';
import { entriesOf, MOST_ITEMS } from './collections';
import type { Context } from './context';
import { namesOf } from './for-value';
import { Interpolated, InterpolatedPiece, type Here } from './places';
import type { TerraformValue } from '../terraform-value';
import { join, textOf } from './texts';
import { InvalidValue } from './unknowns';

/** A text with interpolations and directives. A single interpolation gives its value as it is. */
export function templateValue(parts: readonly TemplatePart[], context: Context, here: Here): TerraformValue {
  const [only, second] = parts;
  if (only?.kind === 'interpolation' && second === undefined) return context.evaluate(only.value, here);
  return joined(values(parts, context, here), here);
}

function values(parts: readonly TemplatePart[], context: Context, here: Here): TerraformValue[] {
  return parts.map((part) => partValue(part, context, here));
}

/** Texts with alternatives are a text with alternatives. */
function joined(parts: readonly TerraformValue[], here: Here): TerraformValue {
  return fromRows(rowsOf(parts), here, (plain) => {
    const texts = plain.map(textOf);
    const missing = plain.find((one) => one.kind === 'absent');
    if (missing !== undefined) return new InvalidValue('it is null within a text', here);
    return join(texts, here);
  });
}

function partValue(part: TemplatePart, context: Context, here: Here): TerraformValue {
  switch (part.kind) {
    case 'text':
      return new Known(part.text, here.ofText({ scope: context.scope, range: part.range, value: part.text }));
    case 'interpolation':
      return flatMap(context.evaluate(part.value, here), (plain) => {
        const place = context.scope.place(part.value.range);
        if (plain instanceof JoinedText) return joinedAt(plain, place.expression);
        if (plain instanceof ComposedText || plain instanceof Base64Text) return plain;
        if (plain.kind === 'absent' || (plain.kind === 'known' && typeof plain.value === 'object')) return plain;
        const source = new Interpolated(plain.source, place);
        return plain.kind === 'known' ? new Known(plain.value, source, plain.note) : plain.at(source);
      });
    case 'if':
      return chooseBy(
        context.evaluate(part.test, here),
        here,
        () => joined(values(part.yes, context, here), here),
        () => joined(values(part.no, context, here), here),
      );
    case 'for':
      return flatMap(context.evaluate(part.in, here), (plain): TerraformValue => {
        const entries = entriesOf(plain, here);
        if (entries instanceof Unknown)
          return entries instanceof InvalidValue ? entries : new Unknown(entries.reason, here);
        if (entries.length > MOST_ITEMS) return beyondLimit('it has too many items', here);
        const texts: TerraformValue[] = [];
        let length = 0;
        for (const entry of entries) {
          const round = joined(values(part.parts, context.with(namesOf(part, entry)), here), here);
          length += lengthOf(round);
          if (length > LIMITS.text) return beyondLimit(TOO_LONG, here);
          texts.push(round);
        }
        return joined(texts, here);
      });
  }
}

/** Pieces of one line know the reference that all of them are the value of; texts of several lines are looked into. */
function joinedAt(text: JoinedText, expression: string | undefined): JoinedText {
  if (expression === undefined || text.value.includes('\n')) return text;
  const whole = { expression };
  const pieces = text.pieces.map((one) => new Known(one.value, new InterpolatedPiece(one.source, whole), one.note));
  return new JoinedText(pieces, text.source, text.note);
}

function lengthOf(value: TerraformValue): number {
  if (value.kind === 'choice') return value.alternatives.reduce((sum, one) => sum + lengthOf(one.value), 0);
  return (value as Plain<unknown>).kind === 'known' && typeof (value as Known<unknown>).value === 'string'
    ? (value as Known<string>).value.length
    : 10;
}
