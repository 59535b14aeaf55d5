import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { layout } from './layout.mjs';
import { markdownRenderer } from './markdown.mjs';
import { navigationOf } from './navigation.mjs';
import { searchIndex } from './search-index.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Where the repository is on the web; files that are no pages of the site are there. */
const REPOSITORY = 'https://github.com/eks-guardrails/eks-guardrails';

/**
 * All files of the site by their path in it, and what is wrong with links to files of the repository.
 * @param {string} root of the repository
 * @param {import('./pages.mjs').Page[]} pages
 */
export async function siteFiles(root, pages) {
  const renderMarkdown = await markdownRenderer();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const paths = new Map(pages.map(({ source, path }) => [source, path]));
  const problems = [];
  const rendered = pages.map((page) => {
    const linkOf = (href) => {
      const target = inRepository(href, page.source);
      if (target === undefined) return href;
      const [source, anchor] = target;
      const path = paths.get(source);
      if (path !== undefined) return `${relativePath(page.path, path)}${anchor === undefined ? '' : `#${anchor}`}`;
      if (!existsSync(join(root, source))) problems.push(`${page.source}: ${href}`);
      return `${REPOSITORY}/blob/main/${source}`;
    };
    return { page, ...renderMarkdown(page.markdown, linkOf) };
  });
  const files = new Map([
    ['assets/site.css', readFileSync(join(here, 'site.css'), 'utf8')],
    ['assets/icon.svg', readFileSync(join(here, 'icon.svg'), 'utf8')],
    ['assets/site.js', await browserScript()],
    ['assets/search-index.js', searchIndex(rendered)],
  ]);
  for (const one of rendered) {
    const to = (path) => relativePath(one.page.path, path);
    files.set(
      one.page.path,
      layout({ ...one, navigation: navigationOf(pages, one.page, to), version, repository: REPOSITORY, to }),
    );
  }
  return { files, problems };
}

/** The file of the repository that a link leads to, and the anchor; undefined for what is elsewhere or in the page itself. */
function inRepository(href, from) {
  const own = new RegExp(`^${REPOSITORY}/blob/main/([^#?]+)(?:#(.*))?$`).exec(href);
  if (own !== null) return [own[1], own[2]];
  if (/^(?:[a-z]+:|#)/.test(href)) return undefined;
  const [path, anchor] = href.split('#');
  return [posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(path))), anchor];
}

function relativePath(from, to) {
  return posix.relative(posix.dirname(from), to);
}

/** One file for all pages, with the search library in it. */
async function browserScript() {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'browser', 'site.mjs')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    legalComments: 'inline',
  });
  return outputFiles[0].text;
}
