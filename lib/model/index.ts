export * from './imds-consumers';
export * from './model';
export * from './node-group';
export * from './resources';
export * from './source';
export * from './value';
