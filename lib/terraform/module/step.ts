import type { Range } from '../../languages/hcl/ast';
import type { ConfigurationFile } from '../configuration-file';

/** Something that is being worked out. */
export interface Step {
  /** As it is called in the root module: `module.eks.local.name`. One name for one thing. */
  readonly name: string;
  readonly file: ConfigurationFile;
  readonly range: Range;
  /** Whether it leads from one module into another. Circles within one module are found without working anything out. @default false */
  readonly leadsOut?: boolean;
  /** Whether it is the call of a module, which here comes before its outputs as a whole. @default false */
  readonly isCall?: boolean;
}

const LEADS_OUT = /^(?:argument |output |var\.|module\.|(?:count|for_each) of module )/;

/**
 * @param key what a module calls it: `local.name`, `output name`, `count of module nodes`; an argument has the address of its call
 * @param prefix what addresses within the module begin with
 */
export function stepOf(key: string, prefix: string, file: ConfigurationFile, range: Range): Step {
  return {
    name: key.startsWith('argument ') ? key : nameOf(key, prefix),
    file,
    range,
    leadsOut: LEADS_OUT.test(key),
    isCall: key.startsWith('module.'),
  };
}

function nameOf(key: string, prefix: string): string {
  const [, what, kind, repeated] = /^(count|for_each) of (module|resource) (.*)$/s.exec(key) ?? [];
  if (what !== undefined) return `${what} of ${prefix}${kind === 'module' ? 'module.' : ''}${repeated ?? ''}`;
  return prefix + (prefix === '' ? key : key.replace(/^output /, ''));
}
