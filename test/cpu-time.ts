import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of a heap that others have filled: to collect that beside what is measured would take longer than what is measured. */
const LARGE = 400_000_000;

/** A clock of milliseconds that this process works: what else runs on the machine doesn't make it go faster, nor what ran before. */
export function cpuTime(): () => number {
  if (process.memoryUsage().heapUsed > LARGE) collectGarbage();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
