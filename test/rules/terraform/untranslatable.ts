/** Thrown for what CloudFormation can say and Terraform can't, or says in so different a way that another test must compare it. */
export class Untranslatable extends Error {}

export function untranslatable(what: string): never {
  throw new Untranslatable(what);
}

export type JsonMap = { readonly [key: string]: unknown };

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
