export * from './existence';
export * from './imds-consumers';
export * from './model';
export * from './node-group';
export * from './resource-name';
export * from './resources';
export * from './source';
export * from './value';
