import type { TokenTools } from './tokens';

/** What Kubernetes says of names, for messages. */
export const NAMESPACE = 'Kubernetes takes lower-case letters, digits and "-", at most 63';
export const OBJECT_NAME = 'Kubernetes takes lower-case letters, digits, "-" and ".", at most 253';

/** Whether Kubernetes takes a name of a namespace, or may take it once it is known. */
export function isNamespace(tokens: TokenTools, name: string): boolean {
  return tokens.isToken(name) || /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
}

/** Whether Kubernetes takes a name of an object, or may take it once it is known. */
export function isObjectName(tokens: TokenTools, name: string): boolean {
  return tokens.isToken(name) || (name.length <= 253 && /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/.test(name));
}
