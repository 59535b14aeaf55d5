import type { ParsedDocument } from '../../languages';
import { readDirective } from '../../languages/comments/directive';
import { ignoresIn, type Coverage, type Ignores, type Misplaced } from '../../languages/comments/ignores';
import type { Item } from '../../languages/comments/placement';
import { dataAt, type Diagnostic, type Suppression } from '../../value';
import { ANNOTATION } from './annotation';
import type { PlacedObject } from './objects';

/*
 * Decisions to live with a finding: in a comment above an object or a setting, or in an annotation, which JSON and what is rendered can have, too.
 */

const NOWHERE: Misplaced = {
  problem:
    'this comment stands at nothing, so it ignores nothing; put it above the first line of the object, or above the setting that the report names',
};

/** The decisions in the comments of a document. */
export function ignoresInDocument({ comments, root }: ParsedDocument): Ignores {
  if (comments === undefined) return { suppressions: [], diagnostics: [] };
  const [first] = typeof root === 'object' && root !== null && !Array.isArray(root) ? Object.keys(root) : [];
  return ignoresIn(comments, (item) => coverageOf(item, first));
}

/** What is said above the first line of an object holds for all of it. */
function coverageOf(item: Item | undefined, first: string | undefined): Coverage | Misplaced {
  if (item === undefined) return NOWHERE;
  const path: Item[] = [];
  for (let one: Item | undefined = item; one !== undefined; one = one.parent) path.unshift(one);
  // The items of a list are objects of their own.
  if (path[0]?.name === 'items' && path[1] !== undefined) return { item, holder: path[1] };
  if (item.parent !== undefined || item.name !== first) return { item, holder: path[0] ?? item };
  const whole = { ...item, name: 'the object', end: Number.MAX_SAFE_INTEGER };
  return { item: whole, holder: whole };
}

/** The decision in an annotation of an object. */
export function ignoreInAnnotation({ node, object }: PlacedObject): {
  readonly suppressions: readonly Suppression[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const text = dataAt(object, 'metadata', 'annotations', ANNOTATION);
  if (text === undefined) return { suppressions: [], diagnostics: [] };
  const source = node.at('metadata', 'annotations', ANNOTATION);
  const read = typeof text === 'string' ? readDirective(`eks-guardrails:ignore ${text}`) : undefined;
  if (read === undefined || 'problem' in read) {
    const problem = (read?.problem ?? 'this comment is no text').replaceAll('this comment', 'this annotation');
    return {
      suppressions: [],
      diagnostics: [
        { severity: 'warning', message: problem.replace('"eks-guardrails:ignore RULE', '"RULE'), ...source.locate() },
      ],
    };
  }
  const { rules, reason, until } = read;
  return {
    suppressions: rules.map((rule) => ({ rule, reason, ...(until === undefined ? {} : { until }), source })),
    diagnostics: [],
  };
}
