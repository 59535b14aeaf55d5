/*
 * What runners of CI systems take for a command in the output of a step: GitHub Actions a line that begins with `::` after blanks, and `##[` anywhere
 * (actions/runner, src/Runner.Common/ActionCommand.cs); Azure Pipelines `##vso[` ("Logging commands" in its documentation); TeamCity `##teamcity[`
 * ("Service messages"). What templates hold comes from anybody who may open a pull request.
 */

/** The last character of what makes a line a command; lines and blanks are those of .NET. */
const COMMANDS = /(?<=(?:^|[\r\n])(?:[^\S\r\n]|\u0085)*:):|(?<=##(?:vso|teamcity)?)\[/gi;

/** Characters that decide on the next one: `##teamcity`. */
const MEMORY = 10;

/** Text such that none of its lines is a command. @param write how the character that would make it one is written instead */
function withoutCommands(text: string, write: (character: string) => string): string {
  return text.replaceAll(COMMANDS, write);
}

/** The same for XML and HTML, where readers get the character back. */
export function withoutCommandsInMarkup(markup: string): string {
  return withoutCommands(markup, (character) => `&#${character.charCodeAt(0)};`);
}

export function holdsCommands(text: string): boolean {
  return text.search(COMMANDS) >= 0;
}

/** Text that arrives piece by piece and goes to people: a space keeps lines from being commands. */
export class CommandFilter {
  /** End of the text so far that may become a command with what follows. */
  private tail = '';

  next(piece: string): string {
    const before = this.tail.length;
    const safe = withoutCommands(this.tail + piece, (character) => ` ${character}`);
    this.tail = tailOf(safe);
    return safe.slice(before);
  }
}

/** What of the last line decides on the next piece: whether all of it is blank so far, and its last characters. */
function tailOf(text: string): string {
  const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
  const end = line.slice(-MEMORY);
  return /^(?:\s|\u0085)*:?$/.test(line) ? end : `x${end}`;
}
