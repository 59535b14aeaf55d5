import {
  ignoresIn,
  type Coverage,
  type FileComments,
  type Ignores,
  type Misplaced,
} from '../languages/comments/ignores';
import type { Item } from '../languages/comments/placement';

/** The decisions in the comments of a YAML template. */
export function ignoresInTemplate(comments: FileComments): Ignores {
  return ignoresIn(comments, coverageOf);
}

const NOWHERE: Misplaced = {
  problem:
    'this comment stands at no resource, so it ignores nothing; put it above the resource, or above or behind the property that the report names',
};

/** What is said at a resource or at its `Type`, `Properties` and the like holds for all of it; what is said below, for that property. */
function coverageOf(item: Item | undefined): Coverage | Misplaced {
  const path: Item[] = [];
  for (let one = item; one !== undefined; one = one.parent) path.unshift(one);
  if (item === undefined || path.length < 2) return NOWHERE;
  if (path[0]?.name !== 'Resources') return { item, holder: item };
  // The body of a loop is the third item of a list.
  let depth = 1;
  while (path[depth]?.name.startsWith('Fn::ForEach::') === true) depth += 2;
  const holder = path[depth] ?? item;
  return { item: path.length === depth + 2 ? holder : item, holder };
}
