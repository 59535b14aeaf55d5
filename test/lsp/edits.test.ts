import { pathToFileURL } from 'node:url';
import { Documents } from '../../lib/lsp/documents';
import { editOfFiles } from '../../lib/lsp/edits';
import { edited } from './editor';

const PATH = '/shop/template.yaml';
const uri = pathToFileURL(PATH).href;

describe('the edit of a file that changed', () => {
  it.each([
    ['a line in the middle', 'a\nb\nc\n', 'a\nB\nc\n', { line: 1, character: 0 }, { line: 1, character: 1 }],
    ['a line that is new', 'a\nc\n', 'a\nb\nc\n', { line: 1, character: 0 }, { line: 1, character: 1 }],
    ['a line that goes', 'a\nb\nc\n', 'a\nc\n', { line: 1, character: 0 }, { line: 2, character: 1 }],
    ['the first line', 'a\nb', 'A\nb', { line: 0, character: 0 }, { line: 0, character: 1 }],
    ['the last line', 'a\nbcd', 'a\nB', { line: 1, character: 0 }, { line: 1, character: 3 }],
    ['a line that is there twice', 'a\na\nb', 'a\na\na\nb', { line: 2, character: 0 }, { line: 2, character: 1 }],
    ['a line of several that are alike', 'a\na\na', 'a\na', { line: 1, character: 0 }, { line: 2, character: 1 }],
    ['everything', 'a', 'b\nc', { line: 0, character: 0 }, { line: 0, character: 1 }],
    ['an empty text', '', 'a\n', { line: 0, character: 0 }, { line: 0, character: 0 }],
  ])('keeps to its lines, and leads to its text: %s', (_, before, after, start, end) => {
    const edit = editOfFiles([{ path: PATH, before, after }], new Documents());
    expect(edit.changes?.[uri]).toMatchObject([{ range: { start, end } }]);
    expect(edited(before, { title: '', edit }, uri)).toBe(after);
  });
});
