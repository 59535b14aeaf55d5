import {
  bootstrapCallsIn,
  bootstrapScriptWrites,
  kubeletInterventions,
  nodeadmInitCallsIn,
  type BootstrapCall,
  type BootstrapScriptWrite,
  type KubeletIntervention,
  type NodeadmInitCall,
  type ScriptCall,
} from './bootstrap-script';
import type { UserDataPart } from './document';
import { readShell, type ShellScript } from './shell';
import { sniffedType } from './sniff';
import type { SourceText } from './source-text';

/** The shell scripts in user data, and what they do to a node when they run. */

/** Everything in a script that has to do with becoming a node. */
export interface NodeScript {
  readonly script: ShellScript;
  /** Calls of `/etc/eks/bootstrap.sh`. */
  readonly bootstrapCalls: readonly BootstrapCall[];
  /** What changes that script. */
  readonly bootstrapWrites: readonly BootstrapScriptWrite[];
  readonly nodeadmInits: readonly NodeadmInitCall[];
  readonly kubelet: readonly KubeletIntervention[];
}

/**
 * The script of a part, read once; undefined for parts that no shell reads. Text without `#!` counts as one, because that is what it
 * is meant to be. What stands in a function that nobody calls is left out.
 */
export function nodeScriptOf({ kind, body }: UserDataPart): NodeScript | undefined {
  if (kind !== 'shell-script' && kind !== 'boothook' && kind !== 'text' && kind !== 'unknown') return undefined;
  let known = scripts.get(body);
  if (known === undefined) {
    const script = readShell(body);
    known = {
      script,
      bootstrapCalls: called(script, bootstrapCallsIn(script)),
      bootstrapWrites: called(script, bootstrapScriptWrites(script)),
      nodeadmInits: called(script, nodeadmInitCallsIn(script)),
      kubelet: called(script, kubeletInterventions(script)),
    };
    scripts.set(body, known);
  }
  return known;
}

const scripts = new WeakMap<SourceText, NodeScript>();

/** The script of a part, if it runs: cloud-init starts it as a program, for which it has to begin with `#!`. One whose beginning isn't known counts. */
export function runningScriptOf(part: UserDataPart): NodeScript | undefined {
  const { readByCloudInit, kind, body } = part;
  if (!readByCloudInit) return undefined;
  const isStarted =
    kind !== 'shell-script' ||
    body.text.startsWith('#!') ||
    body.unknownIn(0, 2) !== undefined ||
    sniffedType(body.text) === 'text/jinja2';
  return isStarted ? nodeScriptOf(part) : undefined;
}

function called<C extends ScriptCall>(script: ShellScript, calls: readonly C[]): readonly C[] {
  if (calls.every(({ command }) => command.functionName === undefined)) return calls;
  const names = mentionedNames(script);
  return calls.filter(
    ({ command: { functionName } }) => functionName === undefined || functionName === '' || names.has(functionName),
  );
}

const NAME = /(function[ \t]+)?([\w.:-]+)([ \t]*\([ \t]*\))?/g;

/** Words outside of comments that aren't definitions of functions. A mention anywhere may be a call: in a string, a trap, another function. */
function mentionedNames({ body, comments }: ShellScript): ReadonlySet<string> {
  const names = new Set<string>();
  let comment = 0;
  for (const { index, 1: keyword, 2: name, 3: parentheses } of body.text.matchAll(NAME)) {
    while ((comments[comment]?.end ?? Infinity) <= index) comment++;
    const isComment = (comments[comment]?.start ?? Infinity) <= index;
    if (!isComment && keyword === undefined && parentheses === undefined && name !== undefined) names.add(name);
  }
  return names;
}
