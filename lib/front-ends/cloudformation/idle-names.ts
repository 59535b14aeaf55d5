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
  if (!(source instanceof Cursor)) return '';
  const text = JSON.stringify(source.template.root.raw);
  const conditions = new Set(
    set.flatMap((name) => {
      const [condition] = (member(member(before, name), 'Fn::If') as readonly unknown[] | undefined) ?? [];
      // Where it is declared, and here.
      return typeof condition === 'string' && timesIn(text, JSON.stringify(condition)) === 2 ? [condition] : [];
    }),
  );
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

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}
