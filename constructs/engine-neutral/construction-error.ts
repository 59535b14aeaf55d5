import type { IConstruct } from 'constructs';

/**
 * Thrown at construction for a combination of props that can't work on AWS. The message begins with the path of the
 * construct and names the props.
 */
export class ConstructionError extends Error {
  override readonly name = 'ConstructionError';

  constructor(
    /** Path of the construct that refuses its props; undefined for values that aren't constructs. */
    readonly constructPath: string | undefined,
    message: string,
  ) {
    super(constructPath === undefined ? message : `${constructPath}: ${message}`);
  }
}

/** Refuses the props of a construct. */
export function refuse(scope: IConstruct, message: string): never {
  throw new ConstructionError(scope.node.path, message);
}
