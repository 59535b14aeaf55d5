/** A text in which escaped characters of strings stand as they are, whether or not it is a string that they stand in. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|U0000([\da-fA-F]{4})|(\/)|\r?\n[ \t]*)/g,
    (_, four: string | undefined, two: string | undefined, eight: string | undefined, slash: string | undefined) => {
      const code = four ?? two ?? eight;
      return code === undefined ? (slash ?? '') : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
}
