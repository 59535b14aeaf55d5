import { basename, dirname } from 'node:path';
import type { Detection, FrontEnd, Sureness } from './front-end';
import { FRONT_ENDS } from './registry';

/*
 * What a file is, by its name and text, before anything reads it.
 */

/** Best first. */
const SURENESS: readonly Sureness[] = ['surely', 'likely', 'perhaps'];

/** Whether a file in a folder is looked at, by its name. */
export function mayBeInput(name: string): boolean {
  return FRONT_ENDS.some(({ detection }) => detection?.fileNames?.test(name) === true);
}

/** The first front end that recognizes something. */
export function recognizing(does: (detection: Detection) => boolean): FrontEnd | undefined {
  return FRONT_ENDS.find(({ detection }) => detection !== undefined && does(detection));
}

/** The front end that a text is most surely an input of. */
export function bestFor(
  text: string,
  isNamed: boolean,
): { readonly frontEnd: FrontEnd; readonly sureness: Sureness } | undefined {
  let best: { readonly frontEnd: FrontEnd; readonly sureness: Sureness } | undefined;
  for (const frontEnd of FRONT_ENDS) {
    const sureness = frontEnd.detection?.inText?.(text, isNamed);
    if (sureness === undefined) continue;
    if (best === undefined || SURENESS.indexOf(sureness) < SURENESS.indexOf(best.sureness))
      best = { frontEnd, sureness };
    // The others needn't go through a text that may be large.
    if (sureness === SURENESS[0]) break;
  }
  return best;
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
