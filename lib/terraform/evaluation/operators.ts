import { Known, Unknown, type Plain, type Source } from '../../value';
import type { BinaryOperator, Expression } from '../../languages/hcl/ast';
import type { TerraformItem, TerraformValue } from '../terraform-value';
import { fromRows, rowsOf } from './choices';
import { formulaOf, isFormula, UnknownTest, type Formula } from './conditions';
import { isEqual } from './equality';
import { calculate, needsNumber, numberOf } from './numbers';
import { derived, InvalidValue, invalidOf } from './unknowns';

type Evaluate = (expression: Expression) => TerraformValue;

export function binary(
  operator: BinaryOperator,
  values: readonly [TerraformValue, TerraformValue],
  source: Source,
): TerraformValue {
  return fromRows(rowsOf(values), source, ([left, right]) => {
    if (left === undefined || right === undefined) return new Unknown('an operand is missing', source);
    if (operator === '&&' || operator === '||') return logical(operator, left, right, source);
    const invalid = invalidOf([left, right]);
    if (invalid !== undefined) return invalid.at(source);
    return operator === '==' || operator === '!='
      ? equals(left, right, operator === '==', source)
      : arithmetic(operator, left, right, source);
  });
}

export function unary(operator: '!' | '-', expression: Expression, evaluate: Evaluate, source: Source): TerraformValue {
  return fromRows(rowsOf([evaluate(expression)]), source, ([operand]) => {
    if (operand === undefined || operand instanceof InvalidValue)
      return operand?.at(source) ?? new Unknown('an operand is missing', source);
    if (operand.kind === 'absent') return new InvalidValue('it is null where a value belongs', source);
    if (operator === '!') return negated(operand, source);
    if (operand.kind === 'unknown') return derived([operand], source, ([text]) => `-${text ?? ''}`);
    const number = numberOf(operand);
    return number === undefined
      ? needsNumber(operand, source)
      : new Known(number === 0 ? 0 : -number, source, operand.note);
  });
}

function negated(operand: Known<TerraformItem> | Unknown, source: Source): TerraformValue {
  const formula = formulaOf(operand);
  if (formula?.kind === 'constant')
    return new Known(!formula.value, source, operand.kind === 'known' ? operand.note : undefined);
  if (operand.kind === 'known') return new InvalidValue('it is neither true nor false', source);
  return asTest(
    derived([operand], source, ([text = '']) => (/^[\w.[\]"]+$/.test(text) ? `!${text}` : `!(${text})`)),
    formula && { kind: 'not', part: formula },
  );
}

function asTest(unknown: Unknown, formula: Formula | undefined): Unknown {
  return formula === undefined
    ? unknown
    : new UnknownTest(formula, unknown.reason, unknown.source, unknown.text, unknown.symbol);
}

/** One side may decide, whatever the other one is. */
function logical(
  operator: '&&' | '||',
  left: Plain<TerraformItem>,
  right: Plain<TerraformItem>,
  source: Source,
): Plain<TerraformItem> {
  if (left instanceof InvalidValue) return left.at(source);
  const isWrong = [left, right].some(
    (side) => side.kind === 'absent' || (side.kind === 'known' && formulaOf(side) === undefined),
  );
  if (isWrong) return new InvalidValue('it is neither true nor false', source);
  const [one, other] = [formulaOf(left), formulaOf(right)];
  const decisive = operator === '||';
  const note = [left, right].flatMap((side) => (side.kind === 'known' ? (side.note ?? []) : []))[0];
  if (one?.kind === 'constant' && one.value === decisive)
    return right instanceof InvalidValue ? new Unknown(right.reason, source) : new Known(decisive, source, note);
  if (right instanceof InvalidValue)
    return one?.kind === 'constant' ? right.at(source) : new Unknown(right.reason, source);
  if (other?.kind === 'constant' && other.value === decisive) return new Known(decisive, source, note);
  if (one?.kind === 'constant' && other?.kind === 'constant') return new Known(!decisive, source, note);
  if (one?.kind === 'constant' && right.kind === 'unknown') return asTest(right.at(source), other);
  if (other?.kind === 'constant' && left.kind === 'unknown') return asTest(left.at(source), one);
  const unknown = derived([left, right], source, (parts) => parts.join(` ${operator} `));
  return asTest(unknown, one && other && { kind: operator === '&&' ? 'and' : 'or', left: one, right: other });
}

function equals(
  left: Plain<TerraformItem>,
  right: Plain<TerraformItem>,
  positive: boolean,
  source: Source,
): Plain<TerraformItem> {
  const known = isEqual(left, right);
  const note = [left, right].flatMap((side) => (side.kind === 'known' ? (side.note ?? []) : []))[0];
  if (known !== undefined) return new Known(known === positive, source, note);
  const unknown = derived([left, right], source, (parts) => parts.join(positive ? ' == ' : ' != '));
  const formula = equalityFormula(left, right, source);
  return asTest(unknown, positive ? formula : formula && { kind: 'not', part: formula });
}

function equalityFormula(left: Plain<TerraformItem>, right: Plain<TerraformItem>, source: Source): Formula | undefined {
  const [unknown, other] = left.kind === 'unknown' ? [left, right] : [right, left];
  if (unknown.kind !== 'unknown') {
    const whole = derived([left, right], source, (parts) => [...parts].sort().join(' == '));
    return isFormula(whole, true);
  }
  if (other.kind === 'absent') return isFormula(unknown, null);
  if (other.kind === 'known' && typeof other.value !== 'object') return isFormula(unknown, other.value);
  return isFormula(
    derived([left, right], source, (parts) => [...parts].sort().join(' == ')),
    true,
  );
}

function arithmetic(
  operator: Exclude<BinaryOperator, '==' | '!=' | '&&' | '||'>,
  left: Plain<TerraformItem>,
  right: Plain<TerraformItem>,
  source: Source,
): Plain<TerraformItem> {
  for (const side of [left, right])
    if (side.kind === 'absent' || (side.kind === 'known' && numberOf(side) === undefined))
      return needsNumber(side, source);
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one !== undefined && other !== undefined) {
    const note = [left, right].flatMap((side) => (side.kind === 'known' ? (side.note ?? []) : []))[0];
    return calculate(operator, one, other, source, note);
  }
  const unknown = derived([left, right], source, (parts) => parts.join(` ${operator} `));
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) return unknown;
  // Opposite comparisons are about one thing, which is so or isn't.
  const [first, second] = comparison.swaps ? [right, left] : [left, right];
  const less = isFormula(
    derived([first, second], source, (parts) => parts.join(' < ')),
    true,
  );
  return asTest(unknown, comparison.isOpposite ? less && { kind: 'not', part: less } : less);
}

/** Comparisons by "less than". */
const COMPARISONS: Readonly<Record<string, { readonly swaps: boolean; readonly isOpposite: boolean }>> = {
  '<': { swaps: false, isOpposite: false },
  '>=': { swaps: false, isOpposite: true },
  '>': { swaps: true, isOpposite: false },
  '<=': { swaps: true, isOpposite: true },
};
