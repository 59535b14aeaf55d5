import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { JsonEdit } from '../reports/json';
import type { ChangedFile } from './check';
import type { Documents } from './documents';

/** Edits of the JSON report as editors take them. */
export function workspaceEdit(
  edits: readonly JsonEdit[],
  pathOf: (file: string) => string,
  documents: Documents,
): WorkspaceEdit {
  const changes: Record<string, TextEdit[]> = {};
  for (const { file, start, end, text } of edits)
    (changes[documents.uriOf(pathOf(file))] ??= []).push({
      range: {
        start: { line: start.line - 1, character: start.column - 1 },
        end: { line: end.line - 1, character: end.column - 1 },
      },
      newText: text,
    });
  return { changes };
}

/** What leads from the texts of files to others, without the lines at the begin and the end that stay. */
export function editOfFiles(files: readonly ChangedFile[], documents: Documents): WorkspaceEdit {
  return {
    changes: Object.fromEntries(
      files.map(({ path, before, after }) => [documents.uriOf(path), [changedLines(before, after)]]),
    ),
  };
}

function changedLines(before: string, after: string): TextEdit {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter - 1 && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - 1 - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const last = old.length - end - 1;
  return {
    range: { start: { line: start, character: 0 }, end: { line: last, character: old[last]?.length ?? 0 } },
    newText: now.slice(start, now.length - end).join('\n'),
  };
}
