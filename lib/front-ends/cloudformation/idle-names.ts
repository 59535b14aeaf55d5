import { Cursor, member } from '../../cloudformation/cursor';
import { inWords } from '../../text/in-words';
import type { Resource } from '../../value';

/**
 * What a template declares and nothing uses any more when settings have a value of their own in the place of an `Fn::If`, as a comment; empty where there is
 * nothing of the kind.
 * @param before the settings as they are
 * @param set names of those that get another value
 */
export function idleWithout(before: unknown, set: readonly string[], { source }: Resource): string {
  const deciding = set.flatMap((name): readonly string[] => {
    const [condition] = (member(member(before, name), 'Fn::If') as readonly unknown[] | undefined) ?? [];
    return typeof condition === 'string' ? [condition] : [];
  });
  if (!(source instanceof Cursor) || deciding.length === 0) return '';
  const text = textOf(source.template.root.raw);
  // Where it is declared, and here.
  const conditions = new Set(deciding.filter((condition) => timesIn(text, JSON.stringify(condition)) === 2));
  if (conditions.size === 0) return '';
  const parameters = new Set(
    [...conditions].flatMap((name) => {
      const declared = JSON.stringify(source.template.section('Conditions')?.child(name).raw ?? {});
      return [...declared.matchAll(/\{"Ref":"(\w+)"\}/g)].flatMap(([call, parameter = '']) =>
        timesIn(text, call) === 1 && !text.includes(`\${${parameter}}`) ? [parameter] : [],
      );
    }),
  );
  const names = [
    ...[...conditions].map((name) => `condition ${name}`),
    ...[...parameters].map((name) => `parameter ${name}`),
  ];
  return ` # ${inWords(names)} ${names.length === 1 ? 'has' : 'have'} no use then, and can go`;
}

/** Of templates that were asked about: their texts are long. */
const texts = new WeakMap<object, string>();

function textOf(template: unknown): string {
  if (typeof template !== 'object' || template === null) return '';
  let text = texts.get(template);
  if (text === undefined) texts.set(template, (text = JSON.stringify(template)));
  return text;
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}
