export * from './configuration';
export * from './engine';
export * from './finding';
export * from './rule';
