import { setFlagsFromString } from 'node:v8';

/** By version of Node.js, whose engines name it differently. From 24 on they have a quicker optimizer before the thorough one, and nothing is gained. */
const FLAGS: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=1000000',
  22: '--invocation-count-for-turbofan=30000',
};

/**
 * Has the engine optimize code after it has run for ten times as long as by default, or more. A command is over before more pays: a third of the CPU time of a check
 * of 2,000 files was that of the optimizer, whose thread has to share the two processors of a runner, and the check itself took no less time for it.
 */
export function optimizeLate(): void {
  const flag = FLAGS[process.versions.node.split('.', 1)[0] ?? ''];
  if (flag !== undefined) setFlagsFromString(flag);
}
