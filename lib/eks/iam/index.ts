export * from './cni-permissions';
export * from './controller-policies';
export * from './permission-cases';
export type * from './policy-document';
export * from './role-permissions';
export * from './service-domain';
export * from './trust';
export * from './trust-statement';
export type { Match } from './matching';
