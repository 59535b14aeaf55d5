import { splitAtHoles } from './holes';

/** What a text that is known in parts begins and ends with: `a` and `c` of `a${b}c`. */
interface Ends {
  readonly head: string;
  readonly tail: string;
  readonly isWhole: boolean;
}

function endsOf(text: string): Ends {
  const stretches = stretchesOf(text);
  const [first, last] = [stretches.at(0), stretches.at(-1)];
  return {
    head: first === undefined || first.isHole ? '' : first.text,
    tail: last === undefined || last.isHole ? '' : last.text,
    isWhole: stretches.every(({ isHole }) => !isHole),
  };
}

/** What AWS looks up at deployment, `{{resolve:ssm:/name}}`, is as little known as `${…}`. */
function stretchesOf(text: string): ReturnType<typeof splitAtHoles> {
  return splitAtHoles(text.includes('{{resolve:') ? text.replaceAll(/\{\{resolve:[^{}]*\}\}/g, '${resolve}') : text);
}

/** Whether two texts, with `${…}` in the place of what isn't known of them, may be the same: by what they begin and end with. */
export function mayBeEqual(one: string, other: string): boolean {
  const [a, b] = [endsOf(one), endsOf(other)];
  if (a.isWhole && b.isWhole) return one === other;
  if (a.isWhole) return fits(one, b);
  if (b.isWhole) return fits(other, a);
  return (
    (a.head.startsWith(b.head) || b.head.startsWith(a.head)) && (a.tail.endsWith(b.tail) || b.tail.endsWith(a.tail))
  );
}

function fits(text: string, { head, tail }: Ends): boolean {
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

/** Whether nothing of a text is known: it is a `${…}`, or several. */
export function isAllHoles(text: string): boolean {
  return stretchesOf(text).every(({ isHole }) => isHole);
}
