export {
  applyBaseline,
  baselineOf,
  baselineText,
  inOrder,
  type Baseline,
  type BaselineEntry,
} from './baseline';
export { parseBaseline } from './parse';
