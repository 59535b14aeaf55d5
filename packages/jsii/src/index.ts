export * from './configuration';
export * from './validator';
