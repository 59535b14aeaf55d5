export * from './configuration';
export * from './engine';
export * from './fail-on';
export * from './finding';
export * from './rule';
