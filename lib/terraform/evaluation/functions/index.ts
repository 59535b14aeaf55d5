import { COLLECTIONS } from './collection';
import { CONVERSIONS } from './conversion';
import { ENCODINGS } from './encoding';
import { FILES } from './filesystem';
import { FORMATS } from './format';
import type { Functions } from './function';
import { HASHES } from './hash';
import { MERGING } from './merging';
import { NETWORKS } from './network';
import { NUMBERS } from './numeric';
import { PATTERNS } from './pattern';
import { SETS } from './sets';
import { STRINGS } from './string';

/** The functions that are evaluated, by name. Source: "Built-in Functions" of the Terraform language. */
export const FUNCTIONS: Functions = {
  ...STRINGS,
  ...PATTERNS,
  ...FORMATS,
  ...COLLECTIONS,
  ...MERGING,
  ...SETS,
  ...CONVERSIONS,
  ...ENCODINGS,
  ...NUMBERS,
  ...NETWORKS,
  ...FILES,
  ...HASHES,
};
