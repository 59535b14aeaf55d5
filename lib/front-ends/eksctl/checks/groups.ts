import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import { familyIn } from '../group-settings';
import type { Group } from './group';
import { identityProblems, sshProblems } from './group-access';
import { bootstrapProblems } from './group-bootstrap';
import { familyProblems, imageProblems, typeProblems } from './group-images';
import { templateProblems } from './group-launch-template';
import { capacityProblems } from './group-capacity';
import { kindProblems, otherProblems } from './group-placement';
import { volumeProblems } from './group-volumes';
import { hasContent, isName, refused, refusedLate, textOf } from './problem';

/** What eksctl refuses of groups, or passes over. */
export function groupProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root } = file;
  const groups = ['managedNodeGroups', 'nodeGroups'].flatMap((list) =>
    root
      .child(list)
      .items.filter((item) => item.isWritten)
      .map((node): Group => {
        const family = familyIn(node);
        return {
          node,
          name: `"${node.child('name').label}"`,
          isManaged: list === 'managedNodeGroups',
          family: family.kind === 'known' ? family.value : undefined,
        };
      }),
  );
  return [...nameProblems(groups), ...groups.flatMap((group) => problemsOf(file, group))];
}

function nameProblems(groups: readonly Group[]): readonly ConfigProblem[] {
  const seen = new Set<string>();
  return groups.flatMap(({ node, isManaged }): readonly ConfigProblem[] => {
    const name = node.child('name');
    if (!hasContent(name)) return [refused(node, 'a group has no name', 'Set its `name`.')];
    const text = textOf(name);
    if (text === undefined) return [];
    if (seen.has(text)) return [refused(name, `two groups are called "${text}"`, 'Give one of them another name.')];
    seen.add(text);
    if (isName(text)) return [];
    // CloudFormation refuses the name of the stack.
    const tell = isManaged ? refusedLate : refused;
    return [
      tell(
        name,
        `the name "${text}" of a group has characters other than letters, digits and hyphens`,
        `Write \`${text.replaceAll(/[^a-zA-Z\d-]+/g, '-')}\`.`,
      ),
    ];
  });
}

function problemsOf(file: ConfigFile, group: Group): readonly ConfigProblem[] {
  return [
    ...familyProblems(group),
    ...imageProblems(group),
    ...typeProblems(group),
    ...bootstrapProblems(group),
    ...identityProblems(group),
    ...sshProblems(group),
    ...volumeProblems(group),
    ...templateProblems(group),
    ...kindProblems(file, group),
    ...otherProblems(group),
    ...capacityProblems(group),
  ];
}
