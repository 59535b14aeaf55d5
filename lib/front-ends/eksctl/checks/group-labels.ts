import type { ConfigProblem } from '../../../eks';
import type { ConfigNode } from '../config-node';
import { hasContent, refused, textOf } from './problem';

/* Labels and taints of nodes. Source: apis/eksctl.io/v1alpha5/validation.go, validateLabels and validateTaints; utils/taints/taints.go. */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Source: apimachinery, util/validation, IsQualifiedName. */
const QUALIFIED_NAME = /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?\/)?[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?$/;
const LABEL_VALUE = /^(?:[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?)?$/;

const NAME_ADVICE = 'Write a name, such as `dedicated`, or one behind a domain: `example.com/dedicated`.';
const VALUE_ADVICE = 'Write at most 63 letters, digits, `-`, `_` and `.`, a letter or digit first and last.';

/** What stands for something that is filled in. */
const HOLE = /[${}<>@]/;

/** Labels of domains that are Kubernetes' own have a rule. */
export function labelProblems(labels: ConfigNode, group: string): readonly ConfigProblem[] {
  return labels.keys.flatMap((key): readonly ConfigProblem[] => {
    if (HOLE.test(key)) return [];
    const node = labels.child(key);
    if (!QUALIFIED_NAME.test(key)) return [refused(node, `"${key}" is no key of a label`, NAME_ADVICE)];
    const value = textOf(node);
    return value === undefined || LABEL_VALUE.test(value)
      ? []
      : [refused(node, `the label ${key} of group ${group} has the value "${value}"`, VALUE_ADVICE)];
  });
}

/** A list, or of self-managed groups a map as well: `dedicated: "batch:NoSchedule"`. */
export function taintProblems(taints: ConfigNode, group: string): readonly ConfigProblem[] {
  return taints.isMap
    ? taints.keys.flatMap((key) => shortProblems(taints.child(key), key))
    : taints.items.flatMap((taint) => problemsOf(taint, group));
}

function shortProblems(node: ConfigNode, key: string): readonly ConfigProblem[] {
  const text = textOf(node);
  if (text === undefined || HOLE.test(key)) return [];
  const parts = text.split(':');
  const effect = parts.at(-1) ?? '';
  if (!QUALIFIED_NAME.test(key)) return [refused(node, `a taint has the key "${key}"`, NAME_ADVICE)];
  if (parts.length > 2 || !EFFECTS.includes(effect))
    return [
      refused(
        node,
        `the taint ${key} is "${text}"`,
        `Write \`VALUE:EFFECT\`, with one of the effects ${EFFECTS.join(', ')}.`,
      ),
    ];
  const [value = ''] = parts;
  return parts.length === 1 || LABEL_VALUE.test(value)
    ? []
    : [refused(node, `a taint has the value "${value}"`, VALUE_ADVICE)];
}

function problemsOf(taint: ConfigNode, group: string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const key = taint.child('key');
  const written = textOf(key);
  if (!hasContent(key) || (written !== undefined && !QUALIFIED_NAME.test(written)))
    problems.push(
      refused(
        key.isWritten ? key : taint,
        written === undefined ? `a taint of group ${group} has no key` : `a taint has the key "${written}"`,
        NAME_ADVICE,
      ),
    );
  const value = textOf(taint.child('value'));
  if (value !== undefined && !LABEL_VALUE.test(value))
    problems.push(refused(taint.child('value'), `a taint has the value "${value}"`, VALUE_ADVICE));
  const effect = taint.child('effect').text;
  if (effect.kind === 'known' && !EFFECTS.includes(effect.value))
    problems.push(
      refused(taint.child('effect'), `a taint has the effect "${effect.value}"`, `Write one of ${EFFECTS.join(', ')}.`),
    );
  return problems;
}
