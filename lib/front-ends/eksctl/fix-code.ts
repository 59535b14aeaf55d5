import type { Resource } from '../../value';

/** Code for a ClusterConfig. What is written for templates of CloudFormation has properties in capitals. */
export function codeInConfig(code: string, _resource: Resource): string | undefined {
  return /^[A-Z]\w*:/m.test(code) ? undefined : code;
}
