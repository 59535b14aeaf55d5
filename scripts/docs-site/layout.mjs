import { escaped } from './navigation.mjs';

/** More headings than these are no help on the way through a page. */
const MOST_HEADINGS = 250;

/** A whole page. */
export function layout({ page, html, headings, navigation, version, repository, to }) {
  const { title, path, badges = [] } = page;
  const name = path === 'index.html' ? 'eks-guardrails' : `${title} · eks-guardrails`;
  const contents = contentsOf(headings);
  const isStacked = path === 'symptoms.html';
  const below = badges.length === 0 ? html : html.replace(/<\/h1>\n<p>[^]*?<\/p>\n/, `$&${badgesMarkup(badges)}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(descriptionOf(html))}">
<title>${escaped(name)}</title>
<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/site.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="home" href="${to('index.html')}">eks-guardrails</a> <span class="version">${escaped(version)}</span>
<div class="search" role="search" hidden>
<input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-label="Search, also for lines of logs" placeholder="Search, or paste a line of a log" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p id="search-status" class="hidden" role="status"></p>
</div>
<button class="menu" type="button" aria-expanded="false" aria-controls="navigation" hidden>Menu</button>
</header>
<div class="columns">
<nav id="navigation" aria-label="All pages">
${navigation}</nav>
<main id="content" tabindex="-1"${isStacked ? ' class="stacked"' : ''}>
${isStacked ? withRoles(below) : below}</main>
${contents}</div>
<footer><a href="${repository}" rel="noopener">Source</a> · Apache-2.0 · eks-guardrails ${escaped(version)}. This page loads nothing from elsewhere.</footer>
</body>
</html>
`;
}

/** The style sheet puts the cells of a row below each other on phones, which must not make a table less of one. */
function withRoles(html) {
  const roles = { table: 'table', tr: 'row', td: 'cell', 'th scope="col"': 'columnheader' };
  return Object.entries(roles).reduce(
    (text, [tag, role]) => text.replaceAll(`<${tag}>`, `<${tag} role="${role}">`),
    html,
  );
}

function badgesMarkup(badges) {
  const one = ({ name, text, style }) =>
    `<div class="badge ${style}"><dt>${escaped(name)}</dt><dd>${escaped(text)}</dd></div>`;
  return `<dl class="badges">${badges.map(one).join('')}</dl>\n`;
}

function contentsOf(headings) {
  const all = headings.filter(({ level }) => level === 2 || level === 3);
  const shown = all.length <= MOST_HEADINGS ? all : all.filter(({ level }) => level === 2);
  if (shown.length < 2) return '';
  const item = ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escaped(text)}</a></li>\n`;
  return `<nav class="contents" aria-label="On this page">\n<p class="group">On this page</p>\n<ul>\n${shown.map(item).join('')}</ul>\n</nav>\n`;
}

/** The first paragraph, without markup. */
function descriptionOf(html) {
  const [, text = ''] = /<p>([^]*?)<\/p>/.exec(html) ?? [];
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name])
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
}
