import type { Resource } from '../../value';

/**
 * A reference to something. `target` is set when that resource is part of the input; otherwise `text` is all
 * there is (a literal name or ARN).
 */
export interface Reference<T> {
  readonly text: string;
  readonly target: T | undefined;
  /** Why nothing is known of it, not even a name. @default - `text` is what is known */
  readonly unknown?: string;
  /** Why there is no target, if not because nothing of this name is part of the input. */
  readonly ambiguous?: string;
}

/** Region and partition that a stack is deployed to, where the input tells. */
export interface Environment {
  readonly region: string | undefined;
  readonly partition: string | undefined;
}

/** A resource of which it counts where it is deployed to. */
export interface Deployed extends Resource {
  readonly environment: Environment;
}
