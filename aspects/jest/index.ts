import { expect } from '@jest/globals';
import type { EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { toPassEksGuardrails, toViolate, type ViolationOptions } from './matchers';

export type { EksGuardrailsConfiguration } from '../engine-neutral/configuration';
export { cdkContext } from './cdk-context';
export { toPassEksGuardrails, toViolate, type Checkable, type MatcherResult, type ViolationOptions } from './matchers';

/** Matchers that importing `eks-guardrails/jest` adds to `expect`. */
export interface EksGuardrailsMatchers<R> {
  /**
   * No rule finds anything that fails, by default no error, in a `Template`, `Stack`, `Stage` or `App`.
   *
   * ```ts
   * expect(app).toPassEksGuardrails();
   * expect(Template.fromStack(stack)).toPassEksGuardrails({ failOn: 'warning' });
   * ```
   */
  toPassEksGuardrails(configuration?: EksGuardrailsConfiguration): R;
  /**
   * A rule finds something.
   *
   * ```ts
   * expect(stack).toViolate('imds-hop-limit', { resource: 'Cluster/Workers', severity: 'error' });
   * ```
   */
  toViolate(rule: string, options?: ViolationOptions): R;
}

// An augmentation has to repeat the type parameters of the original, and adds all its members through one base.
/* oxlint-disable typescript/no-namespace, typescript/no-empty-object-type */
declare global {
  /** For the global `expect`, as declared by @types/jest. */
  namespace jest {
    interface Matchers<R, T = {}> extends EksGuardrailsMatchers<R> {}
  }
}

/** For `import { expect } from '@jest/globals'`. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends EksGuardrailsMatchers<R> {}
}
/* oxlint-enable typescript/no-namespace, typescript/no-empty-object-type */

expect.extend({ toPassEksGuardrails, toViolate });
