/*
 * Somebody who types has the same texts read again and again, all but one of them unchanged, and that one changed in one place.
 */

interface Kept {
  readonly text: string;
  readonly made: unknown;
}

/** What was made of texts in the last reading, for the next one of the same files. */
export class LastReading {
  private before = new Map<string, Kept>();
  private now = new Map<string, Kept>();

  /** Begins a reading: what the last one didn't ask for is forgotten. */
  begin(): void {
    this.before = this.now;
    this.now = new Map();
  }

  keep<T>(key: string, text: string, make: (last: T | undefined) => T): T {
    const last = this.now.get(key) ?? this.before.get(key);
    const made = last?.text === text ? (last.made as T) : make(last?.made as T | undefined);
    this.now.set(key, { text, made });
    return made;
  }
}

let current: LastReading | undefined;

/** Runs a reading that takes from the last one what is the same. */
export function rereading<T>(last: LastReading, work: () => T): T {
  const outer = current;
  last.begin();
  current = last;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/**
 * What is made of a text, or was made of the same text the last time, if somebody reads again.
 * @param key the file, and what else but the text decides
 * @param make is given what was made of another text with the same key
 */
export function keptFor<T>(key: string, text: string, make: (last: T | undefined) => T): T {
  return current === undefined ? make(undefined) : current.keep(key, text, make);
}
