/** Texts may have names in them, and then are as many as an input has resources. */
const MOST_KEPT = 1000;

/** A function that makes what it gives once for each text, and keeps that of the last ones. */
export function keptByText<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    let made = kept.get(text);
    if (made !== undefined || kept.has(text)) return made as T;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(text, (made = make(text)));
    return made;
  };
}
