/**
 * An address of the web as programs take it: absolute, and with everything escaped that RFC 3986 and links of Markdown don't allow. Undefined for what is
 * none: rules of users may name anything as their documentation.
 */
export function webAddress(text: string): string | undefined {
  const url = /[\s"<>]/.test(text) ? undefined : parsed(text);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname.startsWith('['))
    return undefined;
  const [rest = '', ...fragment] = url.href.split('#');
  return [rest, ...(fragment.length === 0 ? [] : [fragment.join('%23')])].map(escaped).join('#');
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function escaped(part: string): string {
  return part.replaceAll(
    /%(?![0-9A-Fa-f]{2})|[^\w%.~:/?@!$&'*+,;=-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
