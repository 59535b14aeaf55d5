export type * from './diagnostic';
export { NO_DIALECT } from './dialect';
export type * from './dialect';
export * from './fewer-assumptions';
export type * from './input-summary';
export { beyondLimit, LIMITS, parseWithin, Steps, TOO_MUCH_DATA, unpackWithin, withLimits } from './limits';
export type * from './parameter-values';
export type * from './resource';
export * from './source';
// One by one, because the engine can't see through `export *`: every rule calls these for every resource.
export {
  Absent,
  alternativesOf,
  always,
  asWritten,
  cases,
  Choice,
  choose,
  dataAt,
  Default,
  doubtOf,
  either,
  entriesOf,
  except,
  flatMapCases,
  flatMapValue,
  Hints,
  isCovered,
  isDataMap,
  isReadBack,
  Known,
  mapValue,
  sourceOf,
  textOf,
  Unknown,
  unlessReadBack,
} from './value';
export type { Alternative, Case, Data, DataMap, Plain, ReferenceTarget, Value, When } from './value';
