export { decodesAsCertificateAuthority } from './certificate-authority';
export { clusterDnsAddressOf, dnsAddressOf } from '../service-cidr';
export * from './effective';
export { mergeNodeConfigs, type MergedNodeConfig } from './merge';
export {
  NODE_CONFIG_PROBLEMS,
  type NodeConfigSubject,
} from './problems';
export { readNodeConfig, type LocatedProblem, type NodeConfigReading } from './read';
export { PlainText, renderNodeConfig } from './render';
export * from './types';
export { validateNodeConfig } from './validate';
