import {
  ignoresIn,
  type Coverage,
  type FileComments,
  type Ignores,
  type Misplaced,
} from '../../languages/comments/ignores';
import type { Item } from '../../languages/comments/placement';

/** The decisions in the comments of a ClusterConfig. */
export function ignoresInConfig(comments: FileComments): Ignores {
  return ignoresIn(comments, coverageOf);
}

const NOWHERE: Misplaced = {
  problem:
    'this comment stands at nothing, so it ignores nothing; put it above the group, the add-on or the setting that the report names',
};

/** What is said at an item of a list holds for all of it; what is said elsewhere, for that setting. */
function coverageOf(item: Item | undefined): Coverage | Misplaced {
  if (item === undefined) return NOWHERE;
  const path: Item[] = [];
  for (let one: Item | undefined = item; one !== undefined; one = one.parent) path.unshift(one);
  const inList = path.findIndex(({ name }) => /^\d+$/.test(name));
  return { item, holder: inList < 0 ? (path[0] ?? item) : (path[inList] ?? item) };
}
