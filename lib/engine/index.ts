export * from './acknowledgement-id';
export * from './configuration';
export * from './engine';
export { ENGINE_RULES } from './engine-findings';
export * from './fail-on';
export * from './finding';
export * from './rule';
