export * from './configuration';
export * from './managed-node-group';
export * from './managed-node-group-props';
export * from './validator';
export * from './vpc-cni-addon';
export * from './vpc-cni-addon-props';
