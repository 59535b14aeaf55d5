import { GROUPS } from './pages.mjs';

/** Links to all pages, by group; of the rules, subjects can be folded, and that of the page is open. */
export function navigationOf(pages, current, to) {
  const groups = new Map();
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  const list = (group) => `<ul>\n${(groups.get(group) ?? []).map((page) => item(page, current, to)).join('')}</ul>\n`;
  const subjects = [...groups.keys()].filter((group) => group.startsWith(`${GROUPS.rules}: `));
  const folded = subjects.map((group) => {
    const isOpen = group === current.group ? ' open' : '';
    return `<details${isOpen}><summary>${escaped(group.slice(GROUPS.rules.length + 2))}</summary>\n${list(group)}</details>\n`;
  });
  return Object.values(GROUPS)
    .filter((group) => groups.has(group))
    .map(
      (group) =>
        `${group === '' ? '' : `<p class="group">${escaped(group)}</p>\n`}${list(group)}${group === GROUPS.rules ? folded.join('') : ''}`,
    )
    .join('');
}

function item({ path, label }, current, to) {
  const here = path === current.path ? ' aria-current="page"' : '';
  return `<li><a href="${to(path)}"${here}>${escaped(label)}</a></li>\n`;
}

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
