import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import { addonProblems } from './addons';
import { clusterProblems } from './cluster';
import { groupProblems } from './groups';
import { shapeProblems } from './shape';

/** Everything that eksctl refuses in a file, or passes over. */
export function problemsIn(file: ConfigFile): readonly ConfigProblem[] {
  return [...shapeProblems(file.root), ...clusterProblems(file), ...groupProblems(file), ...addonProblems(file)];
}
