/**
 * What keeps a rule from judging, without what it keeps from being known: of "its version isn't known: variable version has no default" the end.
 * Reasons tell it behind a colon or in brackets; several that are the same are one, and a reason that tells none is its own.
 */
export function causeOf(reason: string): string {
  return [...new Set(partsOf(reason).map((part) => NOT_HERE.exec(part)?.[0] ?? behind(part) ?? part))].join('; ');
}

/** What other inputs may hold stops many rules, each in words of its own. */
const NOT_HERE =
  /\b(?:cluster|role|launch template|instance profile|security group|subnet) (?:\(name not known\)|[^,;()]*?) is(?:n't| not) part of the input/;

const WITH_CAUSE = /\b(?:known|told|seen|judged|read|system)(?:: (.+)| \((.+)\))$/s;

function behind(reason: string): string | undefined {
  return WITH_CAUSE.exec(reason)
    ?.slice(1)
    .find((cause: string | undefined) => cause !== undefined);
}

/** Several doubts are parted by semicolons; those in brackets and in texts of the input part nothing. */
function partsOf(reason: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < reason.length; at++) {
    const character = reason.charAt(at);
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (depth === 0 && reason.startsWith('; ', at)) {
      parts.push(reason.slice(start, at));
      start = at + 2;
    }
  }
  return [...parts, reason.slice(start)];
}
