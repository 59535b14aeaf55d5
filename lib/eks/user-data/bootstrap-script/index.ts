export * from './kubelet-arguments';
export * from './problems';
export * from './read';
export {
  BootstrapScriptError,
  renderBootstrapScript,
  type BootstrapScriptOptions,
  type KubeletOptions,
  type RenderedTaint,
} from './render';
