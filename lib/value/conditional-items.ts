import { Absent, alternativesOf, choose, sourceOf, type Alternative, type Value } from '.';

/** Items of a list whatever its conditions; an item of a conditional list is absent where its list doesn't apply. */
export function conditionalItems<T>(list: Value<readonly Value<T>[]>): readonly Value<T>[] {
  if (list.kind === 'known') return list.value;
  if (list.kind === 'absent') return [];
  if (list.kind === 'unknown') return [list];
  return list.alternatives.flatMap((own) => {
    const items: readonly Value<T>[] =
      own.value.kind === 'known' ? own.value.value : own.value.kind === 'unknown' ? [own.value] : [];
    return items.map((item) =>
      choose(
        list.alternatives.flatMap((alternative): Alternative<T>[] => {
          if (alternative !== own) return [{ when: alternative.when, value: new Absent(sourceOf(item)) }];
          return alternativesOf(item).flatMap((inner) => {
            const when = own.when.and(inner.when);
            return when === undefined ? [] : [{ when, value: inner.value }];
          });
        }),
      ),
    );
  });
}
