/**
 * A value as JSON that may go to a terminal and to the log of a CI system: control characters that JSON leaves as they are, marks that change the
 * direction of writing, and what would be a command to a CI system (`##[`, `##vso[`) are written as `\uXXXX`, which reads as the same text.
 * @param indent spaces per level; 0 gives one line
 */
export function jsonText(value: object | string, indent = 0): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?<=##(?:vso|teamcity)?)\[/gi,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
