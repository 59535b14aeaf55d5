import type { NestedTemplate } from '../cloudformation/template-input';
import type { Diagnostic, InputSummary, PlacedSuppression, TurnedOff } from '../value';
import type { EksResource } from '../eks';

/** What a reader made of its input. Readers don't throw on bad input: they say what was wrong and read on. */
export interface ReadResult {
  readonly inputs: readonly InputSummary[];
  readonly resources: readonly EksResource[];
  /** The same together with what stands in modules that no root module enables, as it would be then. @default - there are none */
  readonly asIfEnabled?: readonly EksResource[];
  /** Declarations of clusters that make none. @default - there are none */
  readonly turnedOff?: readonly TurnedOff[];
  readonly diagnostics: readonly Diagnostic[];
  /** Decisions in comments. @default - none */
  readonly suppressions?: readonly PlacedSuppression[];
  /** Values that the input declares to be secret. The resources don't hold them. @default - none */
  readonly secrets?: readonly string[];
  /** Templates of nested stacks among the inputs. @default - there are none */
  readonly nested?: readonly NestedTemplate[];
}
