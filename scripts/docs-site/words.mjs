/** Words of a text as index and search know them: in lower case, and those of `FailedCreatePodSandBox` or `DISABLE_TCP_EARLY_DEMUX` each. */
export function wordsOf(text) {
  return text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** How the index is made, and has to be read. */
export const INDEX = {
  fields: ['title', 'heading', 'signs', 'text'],
  storeFields: ['page', 'anchor', 'title', 'heading', 'kind', 'text'],
  tokenize: wordsOf,
  processTerm: (word) => word,
};
