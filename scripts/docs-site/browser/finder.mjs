import MiniSearch from 'minisearch';
import { INDEX, wordsOf } from '../words.mjs';

/** Pages that are shown. */
const MOST = 12;
/** Sections that are looked at more closely. */
const MOST_SECTIONS = 200;
/** Characters that are shown around what was found. */
const EXCERPT = 180;
/** Who types the name of a page wants that one, from its beginning. */
const TITLE = 6;
const BEGINNING = 4;
/** The reference has each word many times. */
const OF_API = 0.4;
/** Half of what was typed may be found elsewhere, but that isn't much of an answer. */
const LEAST_SHARE = 0.25;

/** Finds pages by words, or by a line of a log; needs no browser, so that tests can ask it. */
export class Finder {
  constructor(index) {
    this.index = MiniSearch.loadJS(index, INDEX);
  }

  /** The best section of each page that has something of the text, the best first. */
  find(query) {
    const words = wordsOf(query).slice(0, 60);
    const found = this.index.search(words.join(' '), {
      boost: { title: 4, heading: 2, signs: 3 },
      prefix: (word) => word.length > 2,
      fuzzy: (word) => (word.length > 5 ? 0.15 : false),
      weights: { prefix: 0.6, fuzzy: 0.3 },
      boostDocument: (_id, _term, { kind }) => (kind === 'API' ? OF_API : 1),
    });
    const ranked = found
      .slice(0, MOST_SECTIONS)
      .map((one) => {
        const share = new Set(one.queryTerms).size / new Set(words).size;
        const isTitle = wordsOf(one.title).join(' ') === words.join(' ');
        const likeness = isTitle
          ? TITLE * (one.anchor === '' ? BEGINNING : 1)
          : 1 + Math.max(0, longestRun(words, wordsOf(one.text)) - 2);
        return { ...one, share, score: one.score * share * share * likeness };
      })
      .filter(({ share }) => share >= LEAST_SHARE)
      .sort((one, other) => other.score - one.score);
    const pages = new Map();
    for (const one of ranked) if (!pages.has(one.page)) pages.set(one.page, one);
    return [...pages.values()]
      .slice(0, MOST)
      .map((one) => ({ ...one, excerpt: excerptOf(one.text, new Set(one.terms)) }));
  }
}

/** How many words stand in both, one after another: lines of logs have words that every line has, in another order. */
function longestRun(one, other) {
  let longest = 0;
  let before = new Uint16Array(other.length + 1);
  for (const word of one) {
    const now = new Uint16Array(other.length + 1);
    for (let index = 0; index < other.length; index++) {
      if (word !== other[index]) continue;
      now[index + 1] = before[index] + 1;
      longest = Math.max(longest, now[index + 1]);
    }
    before = now;
  }
  return longest;
}

/** The piece of a text that has the most of the words, in pieces: what was found, and what stands between. */
function excerptOf(text, terms) {
  const places = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => wordsOf(word).some((part) => terms.has(part)))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
  const inside = (from) => places.filter(({ start, end }) => start >= from && end <= from + EXCERPT);
  const [first = { start: 0 }] = places;
  let best = first.start;
  for (const { start } of places) if (inside(start).length > inside(best).length) best = start;
  const from = best < 40 ? 0 : text.indexOf(' ', best - 40) + 1;
  const to =
    text.length <= from + EXCERPT
      ? text.length
      : text.lastIndexOf(' ', from + EXCERPT) > from
        ? text.lastIndexOf(' ', from + EXCERPT)
        : from + EXCERPT;
  const pieces = from === 0 ? [] : [{ text: '… ', isFound: false }];
  let at = from;
  for (const { start, end } of places) {
    if (start < from || end > to) continue;
    pieces.push({ text: text.slice(at, start), isFound: false }, { text: text.slice(start, end), isFound: true });
    at = end;
  }
  pieces.push({ text: text.slice(at, to) + (to < text.length ? ' …' : ''), isFound: false });
  return pieces.filter((piece) => piece.text !== '');
}
