export * from './model';
export * from './resources';
export * from './source';
export * from './value';
