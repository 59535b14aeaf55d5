export * from './as-node-config';
export * from './kubelet-arguments';
export * from './problems';
export * from './read';
export {
  BootstrapScriptError,
  renderBootstrapScript,
} from './render';
