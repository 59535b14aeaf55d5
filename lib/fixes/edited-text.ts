import type { Repair } from '../engine';
import type { EditPlan } from './text-edit';

/** A change of a resource, as a text is asked for it. */
export interface Change {
  readonly type: string;
  readonly id: string;
  readonly repair: Repair;
  readonly item: number | undefined;
}

/** A text that can be edited. */
export interface EditedText {
  repair(type: string, id: string, repair: Repair, item: number | undefined): EditPlan;
  /** Why the resource that begins at a place isn't declared by this text. Asked before anything is changed. */
  whyNotDeclared?(type: string, id: string, at: { readonly line: number; readonly column: number }): string | undefined;
  /** Whether a later state of the text holds more than the changes. */
  differsBeyond?(after: this, changes: readonly Change[]): boolean;
}
