import type { Repair } from '../engine/repair';

/** A decision to live with findings, which is written where the resource is. */
export interface Decision {
  readonly rules: readonly string[];
  readonly reason: string;
  /** Last day on which it holds, `YYYY-MM-DD`. @default - no end */
  readonly until?: string;
}

/** What is done to a resource in a text: a repair of it, or a decision about it that is written down. */
export type Edit =
  | Repair
  | ({
      readonly kind: 'accept';
      /** In the call of a module: the line that the findings point at. */
      readonly line: number;
    } & Decision);
