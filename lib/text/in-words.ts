/** `a`, `a and b`, `a, b and c`, and of many the first few. */
export function inWords(names: readonly string[], most = 5): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** How many things a message of a rule names before it only counts them. */
const MOST_NAMES = 6;

/** The same for messages of rules; of a long list the first few and how many more there are. */
export function listOf(items: readonly string[]): string {
  return inWords(items, items.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES);
}

/** The same as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
