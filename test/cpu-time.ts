import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that others have left: to collect them beside what is measured would take longer than what is measured. */
const LARGE = 400_000_000;

/** Bytes that are still needed, which no collection gives back. */
let needed = 0;

/** A clock of milliseconds that this process works: what else runs on the machine doesn't make it go faster, nor what ran before. */
export function cpuTime(): () => number {
  if (process.memoryUsage().heapUsed - needed > LARGE) collectGarbage();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  needed = process.memoryUsage().heapUsed;
}
