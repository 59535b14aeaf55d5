export * from './source';
export * from './value';
