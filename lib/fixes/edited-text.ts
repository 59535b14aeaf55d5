import type { Edit } from './edit';
import type { EditPlan } from './text-edit';

/** The call of a module that declares what is changed. */
export interface CallPlace {
  /** What of the call takes the arguments, as its file names it: `module.eks`, `module.eks.addons["vpc-cni"]`. */
  readonly at: string;
  /** What the call's arguments for those of the resource are called. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** A change of a resource, as a text is asked for it. */
export interface Change {
  readonly type: string;
  readonly id: string;
  readonly repair: Edit;
  readonly item: number | undefined;
  readonly call?: CallPlace | undefined;
}

/** A text that can be edited. */
export interface EditedText {
  /** @param call the call of a module that declares the resource. @default - its own block does */
  repair(type: string, id: string, repair: Edit, item: number | undefined, call?: CallPlace): EditPlan;
  /** Why the resource that begins at a place isn't declared by this text. Asked before anything is changed. */
  whyNotDeclared?(
    type: string,
    id: string,
    at: { readonly line: number; readonly column: number },
    call?: CallPlace,
  ): string | undefined;
  /** Whether a later state of the text holds more than the changes. */
  differsBeyond?(after: this, changes: readonly Change[]): boolean;
}
