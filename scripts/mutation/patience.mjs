// How long is waited for a worker: so much of the processor's time, of which a busy machine gives it little in a minute.
import { readFileSync } from 'node:fs';

/** The part of the time in which a process does something; one with less waits for what never comes. */
const AT_WORK = 0.02;

/** The unit in which Linux counts. */
const TICK = 10;

/** Milliseconds that a process has worked, all of its threads together; undefined where the system doesn't say, and then the clock counts. */
function workOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return TICK * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return undefined;
  }
}

/** Calls `end` once a process has worked for so long since the last `renew()`, or has done nothing. */
export function startPatience(pid, milliseconds, end) {
  let timer;
  const wait = (time, start, before) => {
    timer = setTimeout(() => {
      const now = workOf(pid);
      const left = now === undefined ? 0 : milliseconds - (now - start);
      if (left <= 0 || now - before < AT_WORK * time) end();
      else wait(left, start, now);
    }, time);
  };
  const stop = () => clearTimeout(timer);
  const renew = () => {
    stop();
    const start = workOf(pid);
    wait(milliseconds, start, start);
  };
  renew();
  return { renew, stop };
}
