export * from './cni-permissions';
export * from './permission-cases';
export * from './role-permissions';
export * from './trust';
export type { Match } from './matching';
