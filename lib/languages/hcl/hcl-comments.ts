import { LineIndex } from '../positions';
import type { Block, Body } from './ast';
import { commentsOf } from './lexer';
import { isAboutUs } from '../comments/directive';
import { decidingComments, type FileComments } from '../comments/ignores';
import { Layout } from '../comments/placement';
import { itemsOf } from './terraform-items';

/** The comments of a file in HCL that are about eks-guardrails; undefined if there are none. The detail of an item is the outermost block around it. */
export function hclComments(text: string, file: string, body: Body): FileComments<Block> | undefined {
  if (!isAboutUs(text)) return undefined;
  const all = commentsOf(text).map(({ start, end }) => ({ text: withoutMarks(text.slice(start, end)), start, end }));
  const own = decidingComments(text, all);
  if (own.length === 0) return undefined;
  const layout = new Layout(text, itemsOf(body), all);
  return {
    file,
    lines: new LineIndex(text),
    placed: own.map((comment) => ({ comment, item: layout.itemOf(comment) })),
  };
}

function withoutMarks(comment: string): string {
  if (comment.startsWith('/*'))
    return comment
      .slice(2, -2)
      .replaceAll(/^[ \t]*\*+/gm, '')
      .trim();
  return comment.replace(/^(?:#+|\/\/+)/, '').trim();
}
