/** `a`, `a and b`, `a, b and c`, and of many the first few. */
export function inWords(names: readonly string[], most = 5): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
