import { basename, dirname } from 'node:path';
import type { Detection, FrontEnd, Sureness } from './front-end';
import { FRONT_ENDS } from './registry';

/*
 * What a file is, by its name and text, before anything reads it.
 */

/** Whether a file in a folder is looked at, by its name. */
export function mayBeInput(name: string): boolean {
  return FRONT_ENDS.some(({ detection }) => detection?.fileNames?.test(name) === true);
}

/** The first front end that recognizes something. */
export function recognizing(does: (detection: Detection) => boolean): FrontEnd | undefined {
  return FRONT_ENDS.find(({ detection }) => detection !== undefined && does(detection));
}

/** A front end, and how surely a text is an input of it. */
export interface Candidate {
  readonly frontEnd: FrontEnd;
  readonly sureness: Sureness;
}

/** The front ends that a text may be an input of, the surest first. Whoever is content with one doesn't have the others go through a text that may be large. */
export function* candidatesFor(text: string, isNamed: boolean): Generator<Candidate> {
  const others: Candidate[] = [];
  for (const frontEnd of FRONT_ENDS) {
    const sureness = frontEnd.detection?.inText?.(text, isNamed);
    if (sureness === 'surely') yield { frontEnd, sureness };
    else if (sureness !== undefined) others.push({ frontEnd, sureness });
  }
  for (const sureness of ['likely', 'perhaps']) yield* others.filter((other) => other.sureness === sureness);
}

/** The front end that a text is most surely an input of. */
export function bestFor(text: string, isNamed: boolean): Candidate | undefined {
  for (const candidate of candidatesFor(text, isNamed)) return candidate;
  return undefined;
}

/**
 * What has to be checked for a file to be judged: its folder, if files of its kind are read together, or the file alone. Undefined for what no check
 * of a folder would look at.
 */
export function checkedWith(file: string, text: string): string | undefined {
  const name = basename(file);
  if (recognizing(({ wantsFolder }) => wantsFolder?.([name]) === true) !== undefined) return dirname(file);
  const isInput =
    mayBeInput(name) && (recognizing(({ isFile }) => isFile?.(name) === true) ?? bestFor(text, false)) !== undefined;
  return isInput ? file : undefined;
}
