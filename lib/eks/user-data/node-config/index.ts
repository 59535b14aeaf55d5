export { certificateAuthorityProblem, decodesAsCertificateAuthority } from './certificate-authority';
export { clusterDnsAddressOf, dnsAddressOf } from '../service-cidr';
export * from './effective';
export { mergeNodeConfigs, type MergedNodeConfig, type NodeConfigOrigin } from './merge';
export {
  NODE_CONFIG_PROBLEMS,
  type NodeConfigProblem,
  type NodeConfigProblemKind,
  type NodeConfigSubject,
} from './problems';
export { readNodeConfig, type LocatedProblem, type NodeConfigReading } from './read';
export { PlainText, renderNodeConfig } from './render';
export * from './types';
export { validateNodeConfig, type IsOpaque } from './validate';
