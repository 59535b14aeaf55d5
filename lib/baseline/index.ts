export {
  applyBaseline,
  BASELINE_REASON,
  baselineOf,
  baselineText,
  inOrder,
  type Baseline,
  type BaselineEntry,
  type BaselineOutcome,
} from './baseline';
export { parseBaseline, type BaselineProblem } from './parse';
