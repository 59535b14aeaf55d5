import { describeShape, isMap, type Cursor } from '../../cloudformation/cursor';
import { intrinsicOf } from '../../cloudformation/evaluator';
import type { Shape } from './resources/shapes';

/** Told about a value of the wrong type: where it is, and what is wrong. */
export type Report = (cursor: Cursor, message: string) => void;

const BOOLEAN = /^(?:true|false|yes|no|on|off)$/i;

/** Whether a raw value has a shape; intrinsic functions are taken at their word, except for the branches of `Fn::If`. */
export function fits(raw: unknown, shape: Shape): boolean {
  if (raw === undefined || shape === 'any') return true;
  if (raw === null) return false;
  if (typeof raw !== 'object') {
    if (typeof shape !== 'string')
      return 'oneOrMore' in shape ? fits(raw, shape.oneOrMore) : 'mapOrText' in shape && typeof raw === 'string';
    return (
      shape !== 'boolean' ||
      typeof raw === 'boolean' ||
      (typeof raw === 'string' && (BOOLEAN.test(raw) || raw.includes('{{resolve:')))
    );
  }
  if (Array.isArray(raw)) {
    if (typeof shape === 'string') return false;
    const item = 'list' in shape ? shape.list : 'oneOrMore' in shape ? shape.oneOrMore : undefined;
    return item !== undefined && raw.every((one) => fits(one, item));
  }
  const map = raw as Readonly<Record<string, unknown>>;
  const intrinsic = intrinsicOf(map);
  if (intrinsic === 'Fn::If') {
    const branches = map['Fn::If'];
    return !Array.isArray(branches) || (fits(branches[1], shape) && fits(branches[2], shape));
  }
  if (intrinsic !== undefined) return true;
  if (typeof shape === 'string') return false;
  if ('oneOrMore' in shape) return fits(map, shape.oneOrMore);
  const properties = 'map' in shape ? shape.map : 'mapOrText' in shape ? shape.mapOrText : undefined;
  if (properties === undefined) return false;
  for (const key in properties) {
    const property = properties[key];
    if (property !== undefined && !fits(map[key], property)) return false;
  }
  return true;
}

/** Reports each value that keeps a value from having a shape. */
export function reportMisfits(cursor: Cursor, shape: Shape, report: Report): void {
  const { raw } = cursor;
  if (fits(raw, shape)) return;
  if (intrinsicOf(raw) === 'Fn::If') {
    const branches = cursor.child('Fn::If');
    reportMisfits(branches.child(1), shape, report);
    reportMisfits(branches.child(2), shape, report);
    return;
  }
  const item =
    typeof shape === 'string'
      ? undefined
      : 'list' in shape
        ? shape.list
        : 'oneOrMore' in shape
          ? shape.oneOrMore
          : undefined;
  if (item !== undefined && Array.isArray(raw)) {
    raw.forEach((_, index) => {
      reportMisfits(cursor.child(index), item, report);
    });
    return;
  }
  if (typeof shape !== 'string' && 'oneOrMore' in shape && isMap(raw)) {
    reportMisfits(cursor, shape.oneOrMore, report);
    return;
  }
  const properties =
    typeof shape === 'string'
      ? undefined
      : 'map' in shape
        ? shape.map
        : 'mapOrText' in shape
          ? shape.mapOrText
          : undefined;
  if (properties !== undefined && isMap(raw)) {
    for (const [key, property] of Object.entries(properties)) {
      if (raw[key] !== undefined) reportMisfits(cursor.child(key), property, report);
    }
    return;
  }
  report(
    cursor,
    `${nameOf(cursor)} is ${typeof raw === 'string' ? `"${raw.slice(0, 60)}"` : describeShape(raw)} where ${expected(shape)} belongs`,
  );
}

function expected(shape: Shape): string {
  if (shape === 'text') return 'a string';
  if (shape === 'boolean') return 'true or false';
  if (shape === 'any') return 'a value';
  if ('list' in shape) return 'a list';
  if ('oneOrMore' in shape) return `a list, or ${expected(shape.oneOrMore)},`;
  return 'a map';
}

/** The key that a value stands under; for items of a list the list's. */
function nameOf(cursor: Cursor): string {
  const { key, parent } = cursor;
  if (typeof key === 'string' && key !== 'Fn::If') return key;
  return parent?.parent === undefined
    ? String(key)
    : typeof key === 'number' && parent.key !== 'Fn::If'
      ? `item ${key + 1} of ${nameOf(parent)}`
      : nameOf(parent);
}
