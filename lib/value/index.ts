// One by one, because the engine can't see through `export *`: every rule calls these for every resource.
export {
  always,
  assuming,
  atomsOf,
  distinct,
  eachWith,
  either,
  except,
  fewerAssumptions,
  isCovered,
  without,
} from './assumptions';
export type { Atom, Atoms, Logic, When } from './assumptions';
export type * from './diagnostic';
export { NO_DIALECT } from './dialect';
export type * from './dialect';
export type * from './input-summary';
export { beyondLimit, LIMITS, parseWithin, Steps, TOO_MUCH_DATA, unpackWithin, withLimits } from './limits';
export { ownOr, ownValueAt } from './own-value';
export type * from './parameter-values';
export type * from './resource';
export * from './source';
export {
  Absent,
  alternativesOf,
  asWritten,
  cases,
  Choice,
  choose,
  dataAt,
  Default,
  doubtOf,
  entriesOf,
  flatMapCases,
  flatMapValue,
  Hints,
  isDataMap,
  isReadBack,
  Known,
  mapValue,
  sourceOf,
  textOf,
  Unknown,
  unlessReadBack,
} from './value';
export type { Alternative, Case, Data, DataMap, Plain, ReferenceTarget, Value } from './value';
