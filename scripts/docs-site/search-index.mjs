import MiniSearch from 'minisearch';
import { INDEX } from './words.mjs';

/** What a result shows around what was found needs no more of a section. */
const MOST_STORED = 1200;

/**
 * The index as a script: pages that are opened from a disk may not read other files, but may run them. What stands in the table of symptoms stands on the
 * pages of the rules, too, where people want to go.
 */
export function searchIndex(rendered) {
  const index = new MiniSearch(INDEX);
  let id = 0;
  for (const { page, sections } of rendered) {
    const { title, path, kind } = page;
    const found = page.source === 'docs/symptoms.md' ? sections.slice(0, 1) : sections;
    for (const { anchor, heading, text, isSign } of found) {
      const plain = text.replaceAll(/\s+/g, ' ').trim();
      index.add({
        id: id++,
        page: path,
        anchor,
        title,
        heading,
        kind,
        ...(isSign ? { signs: plain } : {}),
        text: plain.slice(0, isSign ? undefined : MOST_STORED * 10),
      });
    }
  }
  const stored = JSON.stringify(index, (key, value) =>
    key === 'text' && typeof value === 'string' ? value.slice(0, MOST_STORED) : value,
  );
  return `self.eksGuardrailsIndex = ${stored};\n`;
}
