import { Known } from '../../../value';
import { ComposedText } from '../../../value/composed-text';
import { TerraformList, TerraformMap, TerraformSet } from '../../terraform-value';
import { hasOrder, setOf } from '../collections';
import { textOf } from '../texts';
import { derived } from '../unknowns';
import { mapOfOneType, ofOneType } from '../unify';
import {
  CallUnknown,
  knownBoolean,
  knownNumber,
  parts,
  structure,
  type Call,
  type Functions,
  type Result,
} from './function';

export const CONVERSIONS: Functions = {
  tostring: parts(1, 1, (call) => unlessUnknown(call, () => textOf(call.plain(0))), true),
  tonumber: parts(
    1,
    1,
    (call) => unlessUnknown(call, () => new Known(knownNumber(call.plain(0)), call.here, call.note)),
    true,
  ),
  tobool: parts(
    1,
    1,
    (call) => unlessUnknown(call, () => new Known(knownBoolean(call.plain(0)), call.here, call.note)),
    true,
  ),
  tolist: structure(1, 1, (call) => unlessUnknown(call, () => toList(call)), true),
  toset: parts(1, 1, (call) => unlessUnknown(call, () => toSet(call)), true),
  tomap: structure(1, 1, (call) => unlessUnknown(call, () => toMap(call)), true),
  sensitive: structure(1, 1, (call) => call.plain(0), true),
  nonsensitive: structure(1, 1, (call) => call.plain(0), true),
  ephemeralasnull: structure(1, 1, (call) => call.plain(0), true),
  issensitive: structure(
    1,
    1,
    () => {
      throw new CallUnknown('whether a value is sensitive is not looked at');
    },
    true,
  ),
};

/** What isn't known is converted later, and stays a reference. */
function unlessUnknown(call: Call, convert: () => Result): Result {
  const plain = call.plain(0);
  if (plain.kind === 'known') return convert();
  // A number that isn't known and its text are not equal.
  return plain.kind === 'absent' ||
    plain.reference !== undefined ||
    (plain instanceof ComposedText && call.name === 'tostring')
    ? plain
    : derived([plain], call.here, ([text = '']) => `${call.name}(${text})`);
}

function toList(call: Call): Result {
  const item = call.item(0);
  if (item instanceof TerraformSet && !hasOrder(item))
    throw new CallUnknown('the order of the items of a set is not known');
  return new TerraformList(ofOneType(call.list(0)));
}

function toSet(call: Call): Result {
  const item = call.item(0);
  if (item instanceof TerraformSet) return item;
  return setOf(ofOneType(call.list(0)), call.here);
}

function toMap(call: Call): Result {
  const map = call.map(0);
  return map.constructor === TerraformMap ? mapOfOneType(map) : map;
}
