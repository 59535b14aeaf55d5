import type { DocumentPath, ParsedDocument } from '../../languages';

/*
 * Code that takes the place of a value which aliases elsewhere stand for: without its anchor the file couldn't be read any more.
 */

/** @param at where the code goes */
export function withAnchors(code: string, document: ParsedDocument, at: DocumentPath): string {
  if (document.anchorOf === undefined) return code;
  const [own = '', ...others] = code.split(/\n(?=# in )/);
  const lines = own.split('\n').map((line) =>
    line.replace(/^(\w+):(?=$| )/, (key, name: string) => {
      const anchor = document.anchorOf?.([...at, name]);
      return anchor === undefined ? key : `${key} &${anchor}`;
    }),
  );
  return [lines.join('\n'), ...others].join('\n');
}
