import { instant } from '../text/day';

/** A request that isn't answered in time comes again, and an old one may be played back; so long both are known. */
const REMEMBERED_HOURS = 24;

/** Requests that are remembered. */
const MOST = 10_000;

/** Tells requests that came before. */
export class Deliveries {
  /** When each came, the oldest first. */
  private readonly seen = new Map<string, number>();

  /** Whether a request with this id is new. One without id always is. */
  isNew(id: string, now = instant()): boolean {
    for (const [old, time] of this.seen) {
      if (this.seen.size < MOST && now - time < REMEMBERED_HOURS * 3_600_000) break;
      this.seen.delete(old);
    }
    if (id === '') return true;
    if (this.seen.has(id)) return false;
    this.seen.set(id, now);
    return true;
  }
}
