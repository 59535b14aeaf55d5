export * from './cni-schema-check';
export * from './cni-settings';
export * from './max-pods';
