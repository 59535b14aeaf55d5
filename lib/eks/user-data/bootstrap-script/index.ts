export * from './as-node-config';
export * from './kubelet-arguments';
export type { BootstrapContext, BootstrapProblem, BootstrapProblemKind, ScriptProblemLevel } from './problem';
export * from './problems';
export * from './read';
export {
  BootstrapScriptError,
  renderBootstrapScript,
} from './render';
