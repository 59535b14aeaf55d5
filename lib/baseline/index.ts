export { applyBaseline, BASELINE_REASON, baselineOf, baselineText, type Baseline, type BaselineEntry, type BaselineOutcome } from './baseline';
export { parseBaseline, type BaselineProblem } from './parse';
